// The simulation behind the viewer: commands, sliders, frames. No sockets.
#include "simulation.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "palp/sim/contact_pressure.hpp"

namespace palp::view {
namespace simulation_test {

const std::string scenes = std::string(PALP_SOURCE_DIR) + "/scenes/";
/// Until a test gives up: five steps of the largest scene take minutes under the thread sanitizer.
constexpr std::chrono::seconds patience(600);

struct Watched {
  std::unique_ptr<Simulation> simulation;

  explicit Watched(const std::string& scene, bool playing = true) {
    auto made = Simulation::start(
        {.scenes = {scenes + scene, scenes + "falling-ball.yaml"}, .speed = 4, .playing = playing});
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    simulation = std::move(*made);
    simulation->audience(1, 0);
  }
  void command(Command::Kind kind, int index = 0, double value = 0) {
    EXPECT_TRUE(simulation->command({kind, index, value}));
  }
  /// Waits (long enough for a busy machine) until a frame fits.
  ::testing::AssertionResult until(const std::function<bool(const ViewFrame&)>& fits) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      if (simulation->update() && fits(simulation->frame())) return ::testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ::testing::AssertionFailure() << "no such frame in a minute";
  }
  int slider(Slider::Kind kind) {
    const auto text = simulation->scene();
    for (size_t i = 0; i < text->sliders.size(); ++i)
      if (text->sliders[i].kind == kind) return static_cast<int>(i);
    return -1;
  }
};

TEST(Simulation, pause_freezes_step_is_one_step_and_reset_starts_again) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step > 20; }));
  w.command(Command::Kind::pause);
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return !f.playing; }));
  const auto frozen = w.simulation->frame().step;
  w.command(Command::Kind::step);
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.step != frozen; }));
  EXPECT_EQ(w.simulation->frame().step, frozen + 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  w.simulation->update();
  EXPECT_EQ(w.simulation->frame().step, frozen + 1);
  const auto generation = w.simulation->frame().generation;
  w.command(Command::Kind::reset);
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.generation != generation; }));
  EXPECT_LT(w.simulation->frame().step, frozen);
}

TEST(Simulation, a_frame_shows_the_skins_of_a_run_of_its_own) {
  Watched w("falling-ball.yaml", false);
  for (int i = 0; i < 5; ++i) w.command(Command::Kind::step);
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step == 5; }));
  auto alone = load_scene(scenes + "falling-ball.yaml");
  SceneRun run(*alone.scene);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.advance());
  // The viewer's scene has a tool besides; the ball is not near it and falls as it does alone.
  const auto& seen = w.simulation->frame().bodies;
  ASSERT_EQ(seen.size(), alone.scene->model.bodies.size() + 1);
  for (int b = 0; b < 2; ++b) {
    const TriMesh skin = run.skin(b);
    ASSERT_EQ(seen[b].x.size(), skin.nodes.size());
    for (size_t i = 0; i < skin.nodes.size(); ++i)
      ASSERT_LT((seen[b].x[i].cast<double>() - skin.nodes[i]).norm(), 1e-6);
  }
}

TEST(Simulation, the_version_of_a_body_grows_only_when_it_moves) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step > 3; }));
  const auto ball = w.simulation->frame().bodies[0].version, floor = w.simulation->frame().bodies[1].version;
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.bodies[0].version > ball + 3; }));
  EXPECT_EQ(w.simulation->frame().bodies[1].version, floor);
}

TEST(Simulation, the_friction_slider_changes_the_coefficient_of_the_contacts) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return !f.contacts.empty(); }));
  const int slider = w.slider(Slider::Kind::friction);
  ASSERT_GE(slider, 0);
  w.command(Command::Kind::slider, slider, 0.77);
  EXPECT_TRUE(w.until([](const ViewFrame& f) { return !f.contacts.empty() && f.contacts[0].mu == 0.77f; }));
  w.command(Command::Kind::slider, slider, 1e9);  // beyond its end: clamped there
  EXPECT_TRUE(w.until([](const ViewFrame& f) { return !f.contacts.empty() && f.contacts[0].mu == 1.f; }));
}

TEST(Simulation, a_softer_body_goes_on_from_where_it_was) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step > 10; }));
  w.command(Command::Kind::pause);
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return !f.playing; }));
  const auto before = w.simulation->frame().bodies[0].x;
  const auto step = w.simulation->frame().step;
  const auto serial = w.simulation->frame().serial;
  const int slider = w.slider(Slider::Kind::youngs_modulus);
  ASSERT_GE(slider, 0);
  w.command(Command::Kind::slider, slider, 5e3);
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.serial > serial; }));
  EXPECT_EQ(w.simulation->frame().step, step);
  EXPECT_EQ(w.simulation->frame().bodies[0].x, before);
  EXPECT_EQ(w.simulation->scene()->sliders[slider].value, 5e3);
}

TEST(Simulation, another_scene_is_another_generation_with_its_own_bodies) {
  Watched w("snap-in.yaml");
  EXPECT_EQ(w.simulation->scene()->body_names.front(), "clip");
  w.command(Command::Kind::scene, 7);  // there is none: nothing happens
  w.command(Command::Kind::scene, 1);
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.generation == 2; }));
  EXPECT_EQ(w.simulation->scene()->body_names, (std::vector<std::string>{"ball", "floor", "tool"}));
}

TEST(Simulation, a_visitor_presses_the_tool_into_a_body_feels_it_and_lets_go) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.time_s > 1; }));  // the ball lies on the floor
  Vec3f ball = Vec3f::Zero();
  for (const Vec3f& x : w.simulation->frame().bodies[0].x) ball += x;
  ball /= static_cast<float>(w.simulation->frame().bodies[0].x.size());
  const auto force = [](const ViewFrame& f) { return f.hands[0].force.norm(); };
  const float idle = force(w.simulation->frame());
  // Downwards, through the middle of the ball: it cannot roll away.
  w.simulation->visitor(0).hold((ball + Vec3f(0, 0, 0.2f)).cast<double>(), Quat::Identity());
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.hands[0].position.z() > ball.z() + 0.15f; }));
  w.simulation->visitor(0).hold((ball + Vec3f(0, 0, 0.01f)).cast<double>(), Quat::Identity());
  ASSERT_TRUE(w.until([&](const ViewFrame& f) {
    bool touched = false;
    for (const auto& c : f.contacts)
      touched = touched || (c.body2 == 2 && c.body1 == 0 && c.force.norm() > 0);
    return touched && force(f) > idle + 0.5f;
  }));
  EXPECT_GT(w.simulation->visitor(0).felt().force.z(), 0);  // upwards
  w.simulation->visitor(0).let_go();
  EXPECT_TRUE(w.until([&](const ViewFrame& f) { return force(f) < idle + 0.1f; }));
}

TEST(Simulation, a_two_rate_scene_runs_at_the_haptic_rate_and_a_slider_starts_it_again) {
  Watched w("p11-action-reaction.yaml");
  const auto text = w.simulation->scene();
  ASSERT_FALSE(text->sliders.empty());
  for (const Slider& slider : text->sliders) EXPECT_TRUE(slider.heavy) << slider.label;
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step > 100; }));
  const ViewFrame& frame = w.simulation->frame();
  EXPECT_TRUE(frame.two_rates);
  EXPECT_NEAR(frame.time_s, static_cast<double>(frame.step) * frame.h_s, 1e-9);
  EXPECT_EQ(frame.hands.size(), text->device_names.size());
  EXPECT_EQ(w.simulation->trouble(), "");
  const auto generation = frame.generation;
  w.command(Command::Kind::slider, w.slider(Slider::Kind::coupling), 3000);
  ASSERT_TRUE(w.until([&](const ViewFrame& f) { return f.generation != generation; }));
  EXPECT_LT(w.simulation->frame().step, 100);
  EXPECT_EQ(w.simulation->scene()->sliders[static_cast<size_t>(w.slider(Slider::Kind::coupling))].value,
            3000);
}

TEST(Simulation, what_a_frame_is_coloured_by_is_there_only_when_somebody_wishes_it) {
  Watched w("falling-ball.yaml");
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step > 3; }));
  EXPECT_TRUE(w.simulation->frame().x.empty() && w.simulation->frame().pressure.empty());
  w.simulation->audience(1, wish_positions | wish_pressure);
  // At rest the ball presses its weight on the floor, on both sides.
  ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.time_s > 4 && !f.pressure.empty(); }));
  const ViewFrame& frame = w.simulation->frame();
  const auto text = w.simulation->scene();
  const auto scene = load_scene(scenes + "falling-ball.yaml").scene;
  const double weight = 9.81 * scene->model.bodies[0].body->mass();
  for (size_t b = 0; b < 2; ++b) {
    std::vector<Vec3> x;
    for (const Vec3f& v : frame.bodies[b].x) x.push_back(v.cast<double>());
    const auto area = vertex_areas(text->skins[b].triangles, x);
    const auto pressure = text->colouring->values(frame, b, Colour::pressure);
    ASSERT_EQ(pressure.size(), area.size());
    double force = 0;
    for (size_t v = 0; v < area.size(); ++v) force += pressure[v] * area[v];
    EXPECT_NEAR(force, weight, 0.02 * weight) << b;
  }
  const auto stress = text->colouring->values(frame, 0, Colour::stress),
             strain = text->colouring->values(frame, 0, Colour::strain);
  ASSERT_EQ(stress.size(), frame.bodies[0].x.size());
  // One material: von Mises' measures are multiples of each other, σ = 3 G ε.
  const double G = scene->meshes[0].volume->material(0).mu;
  for (size_t v = 0; v < stress.size(); ++v) EXPECT_NEAR(stress[v], 3 * G * strain[v], 1e-6 * 3 * G);
  EXPECT_GT(*std::max_element(stress.begin(), stress.end()), 0);
  EXPECT_TRUE(text->colouring->values(frame, 1, Colour::stress).empty());                // an obstacle
  for (double v : text->colouring->values(frame, 2, Colour::pressure)) EXPECT_EQ(v, 0);  // nothing near it
}

TEST(Simulation, a_scene_is_described_by_the_comment_that_its_file_begins_with) {
  const Watched w("falling-ball.yaml", false);
  EXPECT_EQ(w.simulation->scene()->description, "A soft ball falls on a floor and rolls on it.");
  EXPECT_EQ(description_of("# one\n#   two\n#\n# three\ndt: 1\n# four\n"), "one two three");
  EXPECT_EQ(description_of("dt: 1"), "");
}

TEST(Simulation, long_every_scene_of_the_project_can_be_watched_and_has_something_to_touch_with) {
  for (const auto& entry : std::filesystem::directory_iterator(scenes)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    Watched w(entry.path().filename().string());
    w.simulation->audience(1, wish_delassus | wish_positions | wish_pressure);
    ASSERT_TRUE(w.until([](const ViewFrame& f) { return f.step >= 5 || f.failed; }));
    EXPECT_EQ(w.simulation->trouble(), "");
    EXPECT_FALSE(w.simulation->frame().hands.empty());
    const ViewFrame& frame = w.simulation->frame();
    for (size_t b = 0; b < frame.bodies.size(); ++b) {
      for (const Vec3f& x : frame.bodies[b].x) ASSERT_TRUE(x.allFinite());
      for (Colour colour : {Colour::stress, Colour::strain, Colour::pressure})
        for (double v : w.simulation->scene()->colouring->values(frame, b, colour))
          ASSERT_TRUE(std::isfinite(v) && v >= 0);
    }
  }
}

TEST(Simulation, a_scene_that_is_wrong_is_told_and_the_old_one_goes_on) {
  EXPECT_FALSE(Simulation::start({.scenes = {scenes + "no-such-scene.yaml"}}));
  EXPECT_FALSE(Simulation::start({}));
  auto made = Simulation::start({.scenes = {scenes + "falling-ball.yaml", scenes + "no-such-scene.yaml"}});
  ASSERT_TRUE(made);
  (*made)->audience(1, 0);
  (*made)->command({Command::Kind::scene, 1, 0});
  const auto end = std::chrono::steady_clock::now() + patience;
  while ((*made)->trouble().empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_NE((*made)->trouble().find("no-such-scene"), std::string::npos);
  EXPECT_EQ((*made)->scene()->body_names.front(), "ball");
}

}  // namespace simulation_test
}  // namespace palp::view
