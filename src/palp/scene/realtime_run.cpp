#include "palp/scene/realtime_run.hpp"

#include "palp/base/clock.hpp"
#include "palp/haptics/realtime.hpp"
#include "palp/scene/single_rate_clock.hpp"

namespace palp {

ScenePort::ScenePort(Scene& scene, Recorder* recorder, LowRateGuest* guest)
    : scene_(scene), recorder_(recorder), guest_(guest) {
  record_.devices = static_cast<std::int32_t>(std::min<size_t>(scene.devices.size(), max_devices));
  for (const SceneDevice& d : scene.devices)
    safety_.emplace_back(d.profile, scene.two_rate->settings.h_high_s, d.device->read(0).pose);
}

void ScenePort::read(double time_s, std::span<DevicePose> poses) {
  const double now = now_us();
  if (start_us_ == 0) start_us_ = now;
  record_.clock_us = now - start_us_;
  const double dt_s = clock_.since_last_s(record_.clock_us);
  for (size_t d = 0; d < poses.size(); ++d) {
    const DeviceReading reading = scene_.devices[d].device->read(time_s);
    poses[d] = safety_[d].admit(reading.pose, reading.present, dt_s);
    if (d < record_.device.size()) record_.device[d].buttons = reading.buttons;
  }
  // The tick that ends at time_s was planned for a tick before it, counted from the first one.
  record_.late_us = record_.clock_us - 1e6 * (time_s - scene_.two_rate->settings.h_high_s);
}

void ScenePort::look(const Snapshot& snapshot, const HighRate& high) {
  if (!recorder_) return;
  contacts_ = tick_contacts(snapshot, high);
  record_.time_s = high.time_s;
  BodyFrame held;
  for (const Grip& grip : scene_.two_rate->grips) {
    const int tool = scene_.two_rate->tool_of[grip.body];
    if (grip.device >= record_.devices || tool < 0 ||
        !scene_.two_rate->tool(tool).frame(high.tools[tool].state, grip.frame, held))
      continue;
    record_.device[static_cast<size_t>(grip.device)].proxy_position = plain(held.position);
    record_.device[static_cast<size_t>(grip.device)].proxy_orientation = plain(held.orientation);
  }
}

void ScenePort::low_step_begins() {
  if (guest_) guest_->before_low_step();
}

void ScenePort::look(const LowRate& low, const Snapshot* handed, long tick, double time_s) {
  if (guest_) guest_->after_low_step(low.state, low.ws, time_s);
  if (!recorder_) return;
  recorder_->frame(static_cast<std::uint64_t>(tick), time_s, scene_.model, low.state.bodies);
  if (handed && handed->boxed) recorder_->glcs(*handed);
}

void ScenePort::write(const TickReport& report, std::span<const Wrench> wrenches, double h_s) {
  const double age_s = h_s * static_cast<double>(report.age_ticks);
  for (size_t d = 0; d < wrenches.size(); ++d)
    scene_.devices[d].device->write(
        safety_[d].release(wrenches[d], age_s, tick_notes(*scene_.two_rate, report, static_cast<int>(d))),
        h_s);
  if (!recorder_) return;
  fill(report, h_s, record_);
  record_.interventions = 0;
  record_.given_J = 0;
  for (int d = 0; d < record_.devices; ++d) {
    TickDevice& device = record_.device[static_cast<size_t>(d)];
    safety_[static_cast<size_t>(d)].fill(device);
    record_.interventions |= device.interventions;
    record_.given_J += device.given_J;
  }
  recorder_->tick(record_, contacts_);
}

Result<RealTimeReport> run_scene_realtime(Scene& scene, const RealTimeOptions& options, Recorder* recorder,
                                          std::vector<InterventionCounts>* counts, LowRateGuest* guest) {
  if (!scene.two_rate) return run_single_rate(scene, options, recorder, counts, guest);
  ScenePort port(scene, recorder, guest);
  const RealTimeReport report = run_realtime(*scene.two_rate, port, options);
  for (SceneDevice& d : scene.devices) d.device->write(Wrench{}, scene.two_rate->settings.h_high_s);
  if (counts)
    for (size_t d = 0; d < scene.devices.size(); ++d)
      counts->push_back(port.safety(static_cast<int>(d)).counts());
  return report;
}

}  // namespace palp
