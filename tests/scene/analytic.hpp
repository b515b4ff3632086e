// Scenes whose answer is known: loads them, runs them, asks for a quantity, a corner, an error.
#pragma once
#include <algorithm>

#include <gtest/gtest.h>

#include "palp/scene/quantities.hpp"
#include "palp/scene/run.hpp"

namespace palp::testing {

inline std::unique_ptr<Scene> scene_of(const std::string& text) {
  SceneResult result = build_scene({"scene.yaml", text});
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return std::move(result.scene);
}

/// A scene and its run; ends at the scene's seconds.
struct Ran {
  std::unique_ptr<Scene> scene;
  std::unique_ptr<SceneRun> run;
  std::unique_ptr<RunQuantities> quantities;

  explicit Ran(const std::string& text) : Ran(scene_of(text)) {}
  explicit Ran(std::unique_ptr<Scene> loaded) : scene(std::move(loaded)) {
    if (!scene) return;
    run = std::make_unique<SceneRun>(*scene);
    quantities = std::make_unique<RunQuantities>(*scene);
  }
  explicit operator bool() const { return scene != nullptr; }
  bool step() {
    if (!run->advance()) {
      ADD_FAILURE() << explain(*scene, run->record().report) << " at " << run->state().time_s;
      return false;
    }
    quantities->add(*run);
    return true;
  }
  Ran& until(double time_s) {
    while (run && run->state().time_s < time_s - 1e-9)
      if (!step()) break;
    return *this;
  }
  Ran& to_the_end() { return until(scene ? scene->seconds : 0); }

  int body(const std::string& name) const {
    for (size_t b = 0; b < scene->model.bodies.size(); ++b)
      if (scene->model.bodies[b].name == name) return static_cast<int>(b);
    ADD_FAILURE() << "no body " << name;
    return 0;
  }
  const BodyState& state(const std::string& name) const {
    return run->state().bodies[static_cast<size_t>(body(name))];
  }
  double quantity(const std::string& name) const {
    for (const Quantity& q : quantities->list())
      if (q.name == name) return q.value;
    ADD_FAILURE() << "no quantity " << name;
    return 0;
  }
  /// How far the node of the skin closest to `at` (at the start) has moved.
  Vec3 moved(const std::string& name, const Vec3& at) const {
    const Body& b = *scene->model.bodies[static_cast<size_t>(body(name))].body;
    std::vector<Vec3> rest(static_cast<size_t>(b.skin().vertices)), now = rest;
    b.skin_positions(b.rest_state(), VecX(), rest);
    b.skin_positions(state(name), VecX(), now);
    size_t best = 0;
    for (size_t v = 0; v < rest.size(); ++v)
      if ((rest[v] - at).norm() < (rest[best] - at).norm()) best = v;
    return now[best] - rest[best];
  }
};

inline std::string told(const SceneResult& result) {
  std::string all;
  for (const auto& e : result.errors) all += e.text() + "\n";
  return all;
}

/// The scene is refused with an error that names a place and a remedy and holds `words`.
inline void expect_refused(const std::string& text, const std::string& words) {
  const SceneResult result = build_scene({"scene.yaml", text});
  EXPECT_FALSE(result.scene) << words;
  const bool found = std::any_of(result.errors.begin(), result.errors.end(), [&](const Error& e) {
    return e.text().find(words) != std::string::npos && e.line > 0 && !e.remedy.empty();
  });
  EXPECT_TRUE(found) << "wanted: " << words << "\ntold: " << told(result);
}

}  // namespace palp::testing
