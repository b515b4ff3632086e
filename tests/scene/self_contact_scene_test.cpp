// The scene's keys for bodies that touch themselves.
#include <gtest/gtest.h>

#include "palp/scene/scene.hpp"

namespace palp {
namespace self_contact_scene_test {

std::string scene(const std::string& body, const std::string& more) {
  return "contact: {mu: 0.2, alarmDistance: 0.002}\nbodies:\n  strip:\n    model: corotational\n"
         "    mesh: {generator: box, size: [0.1, 0.01, 0.004], cells: [20, 2, 1]}\n    youngModulus: 1e5\n" +
         body + more;
}

TEST(SelfContactScene, a_body_touches_itself_when_it_is_told_to) {
  const auto without = build_scene({"strip.yaml", scene("", "")});
  ASSERT_TRUE(without.scene);
  EXPECT_TRUE(without.scene->model.rules.empty());
  const auto with = build_scene({"strip.yaml", scene("    selfContact: true\n", "")});
  ASSERT_TRUE(with.scene);
  ASSERT_EQ(with.scene->model.rules.size(), 1u);
  EXPECT_EQ(with.scene->model.rules[0].body1, with.scene->model.rules[0].body2);
  EXPECT_EQ(with.scene->model.rules[0].mu, 0.2);
  EXPECT_TRUE(check(with.scene->model));
  const auto pair = build_scene(
      {"strip.yaml", scene("    selfContact: true\n", "pairs: [{bodies: [strip, strip], mu: 0.7}]\n")});
  ASSERT_TRUE(pair.scene);
  EXPECT_EQ(pair.scene->model.rules[0].mu, 0.7);
}

TEST(SelfContactScene, what_cannot_be_is_refused_with_a_remedy) {
  const auto pair = build_scene({"strip.yaml", scene("", "pairs: [{bodies: [strip, strip]}]\n")});
  ASSERT_FALSE(pair.errors.empty());
  EXPECT_NE(pair.errors[0].text().find("selfContact"), std::string::npos) << pair.errors[0].text();
  const auto rigid = build_scene(
      {"b.yaml",
       "bodies:\n  box: {model: rigid, mesh: {generator: box, size: [0.1, 0.1, 0.1]}, selfContact: true}\n"});
  EXPECT_FALSE(rigid.errors.empty());
}

TEST(SelfContactScene, of_two_rates_the_low_one_knows_it) {
  const std::string hand =
      "  tool: {model: rigid, mesh: {generator: box, size: [0.01, 0.01, 0.01]}, position: [0, 0, 0.1], "
      "rate: high}\n"
      "devices:\n  hand:\n    type: hand\n    path: [{time: 0, position: [0, 0, 0.1]}]\n"
      "    holds: {body: tool, stiffness: 1000}\n"
      "haptics: {rate: 1000, lowRate: 50}\n";
  const auto low = build_scene({"strip.yaml", scene("    selfContact: true\n", hand)});
  EXPECT_TRUE(low.scene) << (low.errors.empty() ? "" : low.errors[0].text());
  const auto high = build_scene({"strip.yaml", scene("    selfContact: true\n    rate: high\n", hand)});
  ASSERT_FALSE(high.errors.empty());
  EXPECT_NE(high.errors[0].text().find("high rate"), std::string::npos) << high.errors[0].text();
}

}  // namespace self_contact_scene_test
}  // namespace palp
