// palp soak as a user meets it.
#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace soak_test {

using nlohmann::json;
using palp::testing::Outcome;
using palp::testing::palp_program;

const std::string scene = PALP_SOURCE_DIR "/scenes/k16-sine.yaml";

TEST(SoakCommand, the_summary_for_machines_counts_faults_and_has_no_broken_promise) {
  const Outcome out = palp_program("soak " + scene + " --ticks 3000 --seed 4 --json", "2>/dev/null");
  ASSERT_EQ(out.code, 0) << out.text;
  const json summary = json::parse(out.text);
  EXPECT_EQ(summary["ticks"], 3000);
  EXPECT_EQ(summary["broken_promises"], 0);
  EXPECT_EQ(summary["devices_with_default_profile"], 1);
  EXPECT_GT(summary["faults"]["pose_jump"], 0);
  EXPECT_LE(summary["worst_force_N"], 8.0 + 1e-6);
  const Outcome again = palp_program("soak " + scene + " --ticks 3000 --seed 4 --json", "2>/dev/null");
  EXPECT_EQ(json::parse(again.text)["digest"], summary["digest"]);
}

TEST(SoakCommand, the_summary_for_people_says_which_profile_was_taken) {
  const Outcome out = palp_program("soak " + scene + " --ticks 500");
  EXPECT_EQ(out.code, 0) << out.text;
  EXPECT_NE(out.text.find("taken as desktop"), std::string::npos) << out.text;
  EXPECT_NE(out.text.find("0 broken"), std::string::npos) << out.text;
}

TEST(SoakCommand, a_scene_without_a_device_is_refused) {
  const Outcome out = palp_program("soak " PALP_SOURCE_DIR "/scenes/falling-ball.yaml --ticks 5");
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("no device"), std::string::npos) << out.text;
}

}  // namespace soak_test
