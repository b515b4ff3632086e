#include "palp/scene/realtime_run.hpp"

namespace palp {

void ScenePort::read(double time_s, std::span<DevicePose> poses) {
  for (size_t d = 0; d < poses.size(); ++d) poses[d] = scene_.devices[d].device->read(time_s).pose;
}

void ScenePort::write(const TickReport&, std::span<const Wrench> wrenches, double h_s) {
  for (size_t d = 0; d < wrenches.size(); ++d) scene_.devices[d].device->write(wrenches[d], h_s);
}

Result<RealTimeReport> run_scene_realtime(Scene& scene, const RealTimeOptions& options) {
  if (!scene.two_rate)
    return Error{.message = "the scene has one rate only: it cannot keep to the clock",
                 .file = scene.file,
                 .remedy = "add haptics: {rate: 1000, lowRate: 50} and rate: high to the held bodies"};
  if (scene.glc)
    return Error{.message = "geometrically limited constraints run on the virtual clock only",
                 .file = scene.file,
                 .remedy = "leave --realtime out, or take haptics.contact: standard"};
  ScenePort port(scene);
  return run_realtime(*scene.two_rate, port, options);
}

}  // namespace palp
