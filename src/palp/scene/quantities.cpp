#include "palp/scene/quantities.hpp"

#include <algorithm>
#include <cmath>

#include "palp/scene/body_fields.hpp"

namespace palp {
namespace {

/// Points and beams have no area to press on.
bool can_be_pressed(const Scene& scene, int body) {
  const auto& rules = scene.model.rules;
  return !scene.model.bodies[static_cast<size_t>(body)].body->skin().triangles.empty() &&
         std::any_of(rules.begin(), rules.end(),
                     [&](const TouchRule& r) { return r.body1 == body || r.body2 == body; });
}

double reaction(const Scene&, SceneRun& run, int body) { return run.support_force(body).norm(); }
double moving_force(const Scene&, SceneRun& run, int body) { return run.moving_force(body).norm(); }
double largest_pressure(const Scene& scene, SceneRun& run, int body) {
  const auto pressure = body_pressure(scene, run, body);
  return pressure.empty() ? 0 : *std::max_element(pressure.begin(), pressure.end());
}

}  // namespace

void RunQuantities::Course::add(double size, double time_s) {
  if (size > largest) {
    largest = size;
    at_s = time_s;
  }
  sum += size;
  last = size;
}

RunQuantities::RunQuantities(const Scene& scene) : scene_(&scene), devices_(scene.devices.size()) {
  for (const SceneDevice& device : scene.devices) {
    courses_.push_back({device.name + ".peakForce", device.name + ".meanForce", "N"});
    courses_.push_back({device.name + ".peakTorque", device.name + ".meanTorque", "N·m"});
  }
  for (size_t b = 0; b < scene.meshes.size(); ++b) {
    const std::string& name = scene.model.bodies[b].name;
    const int body = static_cast<int>(b);
    if (!scene.meshes[b].supports.empty())
      courses_.push_back({name + ".peakReaction", name + ".reaction", "N", body, reaction});
    if (!scene.meshes[b].moved.empty())
      courses_.push_back({name + ".peakMovingForce", name + ".movingForce", "N", body, moving_force});
    if (can_be_pressed(scene, body))
      courses_.push_back({name + ".peakPressure", name + ".pressure", "Pa", body, largest_pressure});
  }
}

void RunQuantities::add(SceneRun& run) {
  const StepRecord& r = run.record();
  ++steps_;
  for (size_t d = 0; d < devices_; ++d) {
    courses_[2 * d].add(r.hands[d].wrench.force.norm(), r.time_s);
    courses_[2 * d + 1].add(r.hands[d].wrench.torque.norm(), r.time_s);
  }
  for (size_t c = 2 * devices_; c < courses_.size(); ++c) {
    Course& of = courses_[c];
    of.add(run.stepped(of.body) ? of.of_body(*scene_, run, of.body) : of.last, r.time_s);
  }
}

std::vector<Quantity> RunQuantities::list() const {
  std::vector<Quantity> out;
  for (const Course& c : courses_) {
    const double mean = steps_ > 0 ? c.sum / static_cast<double>(steps_) : 0;
    out.push_back({c.peak, c.unit, c.largest, c.at_s});
    out.push_back({c.second, c.unit, c.body >= 0 ? c.last : mean, {}});
  }
  return out;
}

std::vector<std::string> quantity_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Quantity& q : RunQuantities(scene).list()) names.push_back(q.name);
  return names;
}

Result<std::vector<Quantity>> measure_run(Scene& scene, double seconds) {
  SceneRun run(scene);
  RunQuantities quantities(scene);
  const double until_s = seconds > 0 ? seconds : scene.seconds;
  const long steps = static_cast<long>(std::ceil(until_s / run.step_s() - 1e-9));
  for (long i = 0; i < steps; ++i) {
    if (!run.advance())
      return Error{.message = "step " + std::to_string(i) + " at " + std::to_string(run.state().time_s) +
                              " s: " + explain(scene, run.record().report),
                   .file = scene.spec.file};
    quantities.add(run);
  }
  return quantities.list();
}

}  // namespace palp
