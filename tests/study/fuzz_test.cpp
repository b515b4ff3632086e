// The fuzzers' targets for studies and their results with a few hundred mutations that follow from a seed.
#include "../fuzz/study_target.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace fuzz_test {

TEST(StudyFuzz, mutated_studies_and_results_are_read_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::study, std::string(PALP_SOURCE_DIR) + "/fuzz", 1000, 3), "");
  EXPECT_EQ(fuzz::survive(fuzz::study_row, std::string(PALP_SOURCE_DIR) + "/fuzz", 3000, 4), "");
}

}  // namespace fuzz_test
}  // namespace palp
