#include "live_window.hpp"

#include "palp/devices/passing.hpp"
#include "palp/devices/visitor.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace palp::view {

/// Leaves a copy of what passes for the window.
class LiveWindow::WatchedDevice final : public PassingDevice {
 public:
  WatchedDevice(std::unique_ptr<Device> device, std::shared_ptr<TripleBuffer<Hand>> hand)
      : PassingDevice(std::move(device)),
        visitor_(dynamic_cast<const VisitorDevice*>(&passed())),
        hand_(std::move(hand)) {}
  DeviceReading read(double time_s) override {
    const DeviceReading r = PassingDevice::read(time_s);
    pose_ = r.pose;
    return r;
  }
  void write(const Wrench& wrench, double h_s) override {
    PassingDevice::write(wrench, h_s);
    hand_->back() = {pose_, wrench, !visitor_ || visitor_->taken()};
    hand_->publish();
  }

 private:
  const VisitorDevice* visitor_;
  std::shared_ptr<TripleBuffer<Hand>> hand_;
  DevicePose pose_;
};

LiveWindow::LiveWindow(Scene& scene) : scene_(scene) {
  for (SceneDevice& d : scene.devices) {
    Hand start;
    start.pose = d.device->read(0).pose;
    hands_.push_back(std::make_shared<TripleBuffer<Hand>>(start));
    d.device = std::make_unique<WatchedDevice>(std::move(d.device), hands_.back());
  }
}

Result<std::unique_ptr<LiveWindow>> LiveWindow::start(Scene& scene) {
  std::unique_ptr<LiveWindow> window(new LiveWindow(scene));
  constexpr double without_end_s = 1e9;
  auto live = LiveScene::start(scene, {.seconds = without_end_s, .lock_memory = true});
  if (!live) return live.error();
  window->live_ = std::move(*live);
  return window;
}

bool LiveWindow::look() {
  const double before = time_s();
  seen_ = &live_->view();
  bool fresh = seen_->time_s != before;
  for (auto& hand : hands_) fresh = hand->update() || fresh;
  if (fresh) ++version_;
  return fresh;
}

void LiveWindow::take(unsigned wishes, ViewFrame& out) {
  out.time_s = time_s();
  out.two_rates = scene_.two_rate.has_value();
  out.h_s = out.two_rates ? scene_.two_rate->settings.h_high_s : scene_.model.h_s;
  out.step = static_cast<std::int64_t>(out.time_s / out.h_s + 0.5);
  out.patches.clear();
  out.regions.clear();
  out.delassus.contacts = out.delassus.side = 0;
  if (seen_) {
    out.bodies.resize(seen_->skins.size());
    for (size_t b = 0; b < seen_->skins.size(); ++b) {
      const auto& skin = seen_->skins[b];
      out.bodies[b].x.resize(skin.size());
      for (size_t i = 0; i < skin.size(); ++i) out.bodies[b].x[i] = skin[i].cast<float>();
      // What nothing moves is sent once.
      out.bodies[b].version = scene_.model.bodies[b].body->movable() ? version_ + 1 : 1;
    }
    contacts(out);
  }
  out.x.clear();
  if (seen_ && (wishes & wish_positions)) out.x = seen_->x;
  out.pressure.clear();
  if (seen_ && (wishes & wish_pressure)) pressure(out);
  out.hands.resize(hands_.size());
  for (size_t d = 0; d < hands_.size(); ++d) {
    const Hand& hand = hands_[d]->front();
    ViewHand& view = out.hands[d];
    view.position = view.grip_position = hand.pose.position.cast<float>();
    view.orientation = view.grip_orientation = hand.pose.orientation.cast<float>();
    view.force = hand.wrench.force.cast<float>();
    view.torque = hand.wrench.torque.cast<float>();
    view.body = -1;
    view.taken = hand.taken;
  }
  for (const Grip& grip : scene_.grips) out.hands[static_cast<size_t>(grip.device)].body = grip.body;
  for (const Grasp& grasp : scene_.grasps) out.hands[static_cast<size_t>(grasp.device)].body = grasp.body;
}

void LiveWindow::contacts(ViewFrame& out) const {
  out.contacts.clear();
  for (const LiveView::Contact& c : seen_->contacts) {
    ViewContact view;
    view.at = c.position.cast<float>();
    view.normal = c.normal.cast<float>();
    view.force = c.force_N.cast<float>();
    view.body1 = c.body1;
    view.body2 = c.body2;
    for (const TouchRule& rule : scene_.model.rules)
      if ((rule.body1 == c.body1 && rule.body2 == c.body2) ||
          (rule.body1 == c.body2 && rule.body2 == c.body1))
        view.mu = static_cast<float>(rule.mu);
    const double fn = c.force_N.dot(c.normal), ft = (c.force_N - fn * c.normal).norm();
    view.touch = !(fn > 0) ? Touch::open : ft < 0.999 * view.mu * fn ? Touch::stick : Touch::slip;
    out.contacts.push_back(view);
  }
}

void LiveWindow::pressure(ViewFrame& out) const {
  for (size_t b = 0; b < seen_->skins.size(); ++b) {
    std::vector<SkinLoad> loads;
    for (const LiveView::Contact& c : seen_->contacts) {
      const double force_N = c.force_N.dot(c.normal);
      if (c.bilateral || !(force_N > 0)) continue;
      if (c.body1 == static_cast<int>(b)) loads.push_back({c.P, force_N});
      if (c.body2 == static_cast<int>(b)) loads.push_back({c.Q, force_N});
    }
    out.pressure.push_back(contact_pressure(scene_.model.bodies[b].body->skin(), seen_->skins[b], loads));
  }
}

ViewSample LiveWindow::sample() const {
  ViewSample s;
  s.time_s = static_cast<float>(time_s());
  for (size_t d = 0; d < std::min<size_t>(hands_.size(), 2); ++d)
    for (int k = 0; k < 3; ++k)
      s.force[3 * d + static_cast<size_t>(k)] = static_cast<float>(hands_[d]->front().wrench.force[k]);
  if (seen_) s.contacts = s.active = static_cast<float>(seen_->contacts.size());
  return s;
}

std::string LiveWindow::stop() {
  if (!live_) return {};
  const auto report = live_->stop();
  if (!report) return report.error().text();
  for (const FirstFailure& f : {report->failed_tick, report->failed_low_step})
    if (f.status != StepStatus::ok) return explain(scene_, f.status, f.body);
  return {};
}

}  // namespace palp::view
