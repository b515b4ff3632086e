// The fuzzers' target for scene files with a few hundred mutations that follow from a seed.
#include "../fuzz/scene_target.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace fuzz_test {

TEST(SceneFuzz, scenes_with_mutated_sections_are_loaded_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::scene, std::string(PALP_SOURCE_DIR) + "/fuzz", 500, 2), "");
}

}  // namespace fuzz_test
}  // namespace palp
