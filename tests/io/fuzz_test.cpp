// The fuzzers' targets with a few hundred mutations that follow from a seed: sections repeated, exchanged and
// taken from other files, counts and numbers made absurd. fuzz/run goes on from here, with a sanitizer and
// for longer.
#include "../fuzz/hdf5_target.hpp"
#include "../fuzz/mesh_target.hpp"
#include "../fuzz/text_target.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace fuzz_test {

const std::string folder = std::string(PALP_SOURCE_DIR) + "/fuzz";

TEST(Fuzz, mesh_files_with_mutated_sections_are_read_or_refused) {
  for (const auto* target : {&fuzz::msh, &fuzz::vtk, &fuzz::vtu, &fuzz::obj, &fuzz::stl, &fuzz::ply})
    EXPECT_EQ(fuzz::survive(*target, folder, 1500, 1), "") << target->name;
}

TEST(Fuzz, problems_and_series_with_mutated_sections_are_read_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::problem_json, folder, 1000, 3), "");
  EXPECT_EQ(fuzz::survive(fuzz::series, folder, 1000, 4), "");
}

TEST(Fuzz, forged_hdf5_files_are_read_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::recording, folder, 300, 5), "");
  EXPECT_EQ(fuzz::survive(fuzz::problem_hdf5, folder, 300, 6), "");
}

TEST(Fuzz, the_mutations_follow_from_the_seed_and_reach_sections) {
  fuzz::Mutator mutate(fuzz::read_dictionary(folder + "/vtk.dict"));
  const auto corpus = fuzz::read_corpus(folder + "/corpus/vtk");
  ASSERT_FALSE(corpus.empty());
  int repeated = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string once = mutate(corpus[0], corpus.back(), seed);
    EXPECT_EQ(once, mutate(corpus[0], corpus.back(), seed));
    const auto first = once.find("\nPOINTS");
    repeated += first != once.npos && once.find("\nPOINTS", first + 1) != once.npos;
  }
  EXPECT_GT(repeated, 5);
}

}  // namespace fuzz_test
}  // namespace palp
