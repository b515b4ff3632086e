#include "palp/scene/quantities.hpp"

#include <cmath>

namespace palp {

void RunQuantities::Course::add(double size, double time_s) {
  if (size > largest) {
    largest = size;
    at_s = time_s;
  }
  sum += size;
  last = size;
}

RunQuantities::RunQuantities(const Scene& scene) : devices_(scene.devices.size()) {
  for (const SceneDevice& device : scene.devices) {
    courses_.push_back({device.name + ".peakForce", device.name + ".meanForce", "N"});
    courses_.push_back({device.name + ".peakTorque", device.name + ".meanTorque", "N·m"});
  }
  for (size_t b = 0; b < scene.meshes.size(); ++b) {
    const std::string& name = scene.model.bodies[b].name;
    if (!scene.meshes[b].supports.empty())
      courses_.push_back({name + ".peakReaction", name + ".reaction", "N", static_cast<int>(b)});
    if (!scene.meshes[b].moved.empty())
      courses_.push_back({name + ".peakMovingForce", name + ".movingForce", "N", static_cast<int>(b), true});
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
    if (!run.stepped(of.body))
      of.add(of.last, r.time_s);
    else
      of.add((of.moving ? run.moving_force(of.body) : run.support_force(of.body)).norm(), r.time_s);
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
                   .file = scene.file};
    quantities.add(run);
  }
  return quantities.list();
}

}  // namespace palp
