// The viewer's fuzz targets with a few hundred mutations that follow from a seed.
#include "../fuzz/viewer_target.hpp"
#include <gtest/gtest.h>

namespace palp::view {
namespace fuzz_test {

const std::string folder = std::string(PALP_SOURCE_DIR) + "/fuzz";

TEST(ViewerFuzz, http_requests_with_mutated_headers_are_answered_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::http, folder, 2000, 1), "");
}

TEST(ViewerFuzz, commands_with_mutated_fields_are_understood_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::message, folder, 2000, 2), "");
}

TEST(ViewerFuzz, forged_recordings_are_streamed_or_refused) {
  EXPECT_EQ(fuzz::survive(fuzz::stream, folder, 300, 3), "");
}

}  // namespace fuzz_test
}  // namespace palp::view
