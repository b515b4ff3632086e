// Scenes with geometrically limited constraints, as the viewer shows them.
#include "frame.hpp"
#include "simulation.hpp"
#include <gtest/gtest.h>

namespace palp::view {
namespace patches_test {

const std::string scenes = std::string(PALP_SOURCE_DIR) + "/scenes/";

// K16 eq. 7, 8: a patch that carries has the proxy within its extents, at most its depth below it; and the
// patches together hold what the hand feels (the proxy weighs a gram: its inertia is nothing).
TEST(Patches, those_that_carry_are_under_the_proxy_and_hold_the_hands_force) {
  auto loaded = load_scene(scenes + "k16-statue.yaml");
  ASSERT_TRUE(loaded.scene);
  SceneRun run(*loaded.scene);
  Capture capture(*loaded.scene);
  ViewFrame frame;
  int loaded_frames = 0;
  for (int tick = 1; tick <= 1200; ++tick) {
    ASSERT_TRUE(run.advance());
    if (tick < 300 || tick % 100 != 0) continue;
    capture.take(run, wish_delassus, frame);
    ASSERT_FALSE(frame.patches.empty());
    ASSERT_LE(frame.patches.size(), 100u);
    ASSERT_EQ(frame.regions.size(), 1u);
    const Vec3f x = run.state().bodies[1].x.head<3>().cast<float>();
    EXPECT_TRUE(
        ((x - frame.regions[0].centre).cwiseAbs().array() <= 1.001f * frame.regions[0].half.array()).all());
    int carriers = 0;
    for (const ViewPatch& p : frame.patches) {
      EXPECT_NEAR(p.normal.norm(), 1, 1e-5);
      ASSERT_GE(p.corners, 3u);
      if (p.use != ViewPatch::Use::carries) continue;
      ++carriers;
      const Vec3f off = x - p.at;
      for (std::uint32_t k = 0; k < p.corners; ++k) {
        const Vec3f a = p.corner[k], along = p.corner[(k + 1) % p.corners] - a;
        EXPECT_NEAR((a - p.at).dot(p.normal), 0, 1e-6f);
        EXPECT_GE(along.cross(x - a).dot(p.normal), -1e-5f * along.norm());  // on the inner side
        EXPECT_GT(along.cross(p.at - a).dot(p.normal), 0);
      }
      EXPECT_GE(off.dot(p.normal), -p.depth);
      EXPECT_LE(off.dot(p.normal), 1e-5f);
    }
    ASSERT_EQ(frame.contacts.size(), static_cast<size_t>(carriers));
    Vec3f sum = Vec3f::Zero();
    for (const ViewContact& c : frame.contacts) {
      EXPECT_EQ(c.body1, 1);
      EXPECT_EQ(c.body2, 0);
      sum += c.force;
    }
    const Vec3f felt = frame.hands[0].force;
    EXPECT_LT((sum - felt).norm(), 0.05f * felt.norm() + 0.02f) << tick;
    loaded_frames += carriers > 0;
    EXPECT_GT(frame.delassus.side, 0);
  }
  EXPECT_GT(loaded_frames, 5);
}

TEST(Patches, two_hands_have_a_region_each_and_both_have_patches) {
  auto loaded = load_scene(scenes + "k16-two-hands.yaml");
  ASSERT_TRUE(loaded.scene);
  SceneRun run(*loaded.scene);
  Capture capture(*loaded.scene);
  ViewFrame frame;
  for (int tick = 0; tick < 60; ++tick) ASSERT_TRUE(run.advance());
  capture.take(run, 0, frame);
  EXPECT_TRUE(frame.two_rates);
  ASSERT_EQ(frame.regions.size(), 2u);
  for (std::uint32_t hand : {0u, 1u})
    EXPECT_TRUE(std::any_of(frame.patches.begin(), frame.patches.end(),
                            [&](const ViewPatch& p) { return p.proxy == hand; }));
}

TEST(Patches, the_coupling_slider_reaches_the_proxy) {
  auto made = Simulation::start({.scenes = {scenes + "k16-statue.yaml"}, .playing = false});
  ASSERT_TRUE(made) << made.error().text();
  Simulation& simulation = **made;
  simulation.audience(1, 0);
  const auto wait = [&](auto fits) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      if (simulation.update() && fits(simulation.frame())) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  const auto felt_after_150_ticks = [&] {
    for (const int ticks : {80, 150}) {  // at most 100 wait
      for (auto i = simulation.frame().step; i < ticks; ++i) simulation.command({Command::Kind::step});
      EXPECT_TRUE(wait([&](const ViewFrame& f) { return f.step == ticks; }));
    }
    return simulation.frame().hands[0].force.norm();
  };
  ASSERT_TRUE(wait([](const ViewFrame&) { return true; }));
  const float before = felt_after_150_ticks();
  int slider = -1;
  for (size_t i = 0; i < simulation.scene()->sliders.size(); ++i)
    if (simulation.scene()->sliders[i].kind == Slider::Kind::coupling) slider = static_cast<int>(i);
  ASSERT_GE(slider, 0);
  const auto generation = simulation.frame().generation;
  simulation.command({Command::Kind::slider, slider, 200});
  ASSERT_TRUE(wait([&](const ViewFrame& f) { return f.generation != generation; }));
  const float after = felt_after_150_ticks();
  EXPECT_GT(before, 0);
  // The hand is as deep as before and the spring five times softer.
  EXPECT_NEAR(after, before / 5, 0.1 * before);
}

}  // namespace patches_test
}  // namespace palp::view
