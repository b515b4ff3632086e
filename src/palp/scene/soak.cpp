#include "palp/scene/soak.hpp"

#include <algorithm>
#include <cmath>

#include "palp/base/clock.hpp"
#include "palp/mechanics/next_state.hpp"
#include "palp/scene/run.hpp"
#include "palp/scene/soak_hand.hpp"

namespace palp {
namespace {

/// The places that a device passes when nothing stops it.
std::vector<DevicePose> way_of(Device& device, double seconds) {
  constexpr int pieces = 256;
  std::vector<DevicePose> way;
  for (int i = 0; i <= pieces; ++i) {
    const DevicePose pose = device.read(i * seconds / pieces).pose;
    if (pose.finite()) way.push_back(pose);
    device.write({}, seconds / pieces);
  }
  way.resize(std::max<size_t>(way.size(), 2), way.empty() ? DevicePose{} : way.back());
  return way;
}

double size_of(const std::vector<DevicePose>& way) {
  Eigen::AlignedBox3d box;
  for (const DevicePose& pose : way) box.extend(pose.position);
  return box.diagonal().norm();
}

class Soak {
 public:
  Soak(Scene& scene, const SoakOptions& options) : scene_(scene), options_(options), dice_(options.seed) {
    for (SceneDevice& device : scene.devices) {
      const auto way = way_of(*device.device, scene.seconds);
      auto hand = std::make_unique<SoakHand>(way, scene.seconds, std::max(0.001, 0.1 * size_of(way)));
      hands_.push_back(hand.get());
      device.device = std::move(hand);
    }
    lies_.resize(hands_.size());
    hits_.resize(scene.model.bodies.size());
  }

  SoakReport run() {
    const double begin_us = now_us();
    for (tick_ = 0; tick_ < options_.ticks; ++tick_) {
      if (tick_ % options_.start_afresh_every == 0) start();
      if (options_.progress && tick_ % 1000 == 0)
        options_.progress(static_cast<double>(tick_) / static_cast<double>(options_.ticks));
      change_weather();
      const double dt_s = trouble();
      if (!run_->advance(dt_s)) ++report_.failed_steps;
      judge(dt_s);
      for (SoakHand* hand : hands_) hand->pass(dt_s);
    }
    finish();
    report_.ticks = options_.ticks;
    report_.wall_s = 1e-6 * (now_us() - begin_us);
    return report_;
  }

 private:
  /// A fault that goes on until some tick.
  struct Fault {
    long until = 0;
  };
  struct Lies {
    Fault not_finite, jumps, gone;
  };

  /// The simulation, the arms and the checks from their beginning; faults that go on, go on.
  void start() {
    finish();
    for (SoakHand* hand : hands_) hand->restart();
    run_.emplace(scene_);
    h_s_ = run_->step_s();
    checks_.clear();
    for (size_t d = 0; d < hands_.size(); ++d)
      checks_.emplace_back(options_.promised.value_or(scene_.devices[d].profile), h_s_,
                           hands_[d]->told().pose);
    std::fill(hits_.begin(), hits_.end(), Fault{});
    stalled_since_ = stall_.until > tick_ ? tick_ : -1;
    ++report_.starts;
  }

  void finish() {
    if (!run_) return;
    for (size_t d = 0; d < hands_.size(); ++d) {
      const InterventionCounts& counts = run_->safety(static_cast<int>(d)).counts();
      for (size_t k = 0; k < counts.count.size(); ++k) report_.interventions.count[k] += counts.count[k];
      report_.worst_force_N = std::max(report_.worst_force_N, checks_[d].worst_force_N());
      report_.worst_torque_Nm = std::max(report_.worst_torque_Nm, checks_[d].worst_torque_Nm());
      report_.worst_slew_N_per_s = std::max(report_.worst_slew_N_per_s, checks_[d].worst_slew_N_per_s());
      report_.worst_torque_slew_Nm_per_s =
          std::max(report_.worst_torque_slew_Nm_per_s, checks_[d].worst_torque_slew_Nm_per_s());
    }
  }

  long ticks_of(double seconds) const { return std::max(1L, std::lround(seconds / h_s_)); }

  /// Calm times let the force come back; in stormy ones faults begin.
  void change_weather() {
    if (tick_ < weather_until_) return;
    storm_ = !storm_;
    weather_until_ = tick_ + ticks_of(storm_ ? dice_.uniform(0.05, 1) : dice_.uniform(0.3, 2));
  }

  /// Whether the fault is there in this tick; in a storm it may begin, for up to `most_s`.
  bool happens(Fault& fault, soak_fault::Kind kind, double most_s, bool* begins = nullptr) {
    if (storm_ && fault.until <= tick_ && dice_.chance(0.006)) {
      fault.until = tick_ + ticks_of(dice_.logarithmic(h_s_, std::max(most_s, 2 * h_s_)));
      ++report_.faults[kind];
      if (begins) *begins = true;
    }
    const bool on = fault.until > tick_;
    report_.fault_ticks[kind] += on;
    return on;
  }

  /// Sets up the faults of this tick; returns its dt.
  double trouble() {
    for (size_t d = 0; d < hands_.size(); ++d) lie(*hands_[d], lies_[d]);
    const bool stalled = run_->loop() && happens(stall_, soak_fault::low_rate_stalled, 1);
    run_->stall_low_rate(stalled);
    stalled_since_ = !stalled ? -1 : stalled_since_ < 0 ? tick_ : stalled_since_;
    for (size_t b = 0; b < hits_.size(); ++b) hit(static_cast<int>(b));
    if (!happens(late_, soak_fault::late_tick, 0.02)) return h_s_;
    return h_s_ + dice_.logarithmic(1e-4, 0.2);
  }

  void lie(SoakHand& hand, Lies& lies) {
    bool begins = false;
    hand.lie.not_finite = happens(lies.not_finite, soak_fault::pose_not_finite, 0.3, &begins);
    if (begins) {
      constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                       inf = std::numeric_limits<double>::infinity();
      const double numbers[] = {nan, inf, -inf, -nan};
      hand.lie.which = dice_.below(13);
      hand.lie.number = numbers[dice_.below(4)];
    }
    begins = false;
    hand.lie.jumps = happens(lies.jumps, soak_fault::pose_jump, 0.5, &begins);
    if (begins) {
      hand.lie.away = dice_.vector(dice_.logarithmic(1e-3, 2));
      hand.lie.turned = dice_.vector(dice_.logarithmic(1e-2, 2));
      hand.lie.too_fast_m_per_s = dice_.chance(0.3) ? dice_.logarithmic(1, 1e6) : 0;
    }
    hand.lie.gone = happens(lies.gone, soak_fault::device_lost, 0.5);
    if (storm_ && dice_.chance(0.02)) {
      hand.buttons = dice_.bits();
      ++report_.faults[soak_fault::buttons];
      ++report_.fault_ticks[soak_fault::buttons];
    }
  }

  /// A blow that would by itself give the body up to 50 m/s in a step, at one of its frames.
  void hit(int body) {
    const Body& b = *scene_.model.bodies[body].body;
    Loads* loads = b.movable() ? &run_->loads(body) : nullptr;
    if (!loads) return;
    bool begins = false;
    if (!happens(hits_[body], soak_fault::body_hit, 30 * h_s_, &begins)) {
      loads->force.resize(0);
    } else if (begins) {
      BodyFrame held;
      const BodyState& state = run_->state().bodies[body];
      if (!b.frame(state, dice_.below(b.blocks()), held)) b.frame(state, 0, held);
      const double size = b.mass() * dice_.logarithmic(0.01, 50) / h_s_;
      loads->force.setZero(b.dof());
      loads->force.segment<3>(3 * held.block) = size * dice_.vector(1);
    }
  }

  /// What was given, by a checker that knows only what was told and what happened.
  void judge(double dt_s) {
    const double silence_s = stalled_since_ < 0 ? 0 : h_s_ * static_cast<double>(tick_ - stalled_since_);
    bool force = false;
    for (size_t d = 0; d < hands_.size(); ++d) {
      const SoakHand& hand = *hands_[d];
      const Wrench& given = hand.given();
      const std::uint32_t broken =
          checks_[d].tick({hand.told().pose, hand.told().present, dt_s, silence_s}, given);
      for (int k = 0; k < promise::kinds; ++k) {
        if (!(broken >> k & 1)) continue;
        ++report_.broken[k];
        if (report_.first_broken.tick < 0)
          report_.first_broken = {tick_, static_cast<int>(d), static_cast<promise::Kind>(k)};
      }
      force = force || given.force != Vec3::Zero() || given.torque != Vec3::Zero();
      report_.digest = hash_bits({given.force.data(), 3}, report_.digest);
      report_.digest = hash_bits({given.torque.data(), 3}, report_.digest);
    }
    report_.ticks_with_force += force;
    if (tick_ % 16 != 0 && run_->record().report.status == StepStatus::ok) return;
    for (size_t b = 0; b < scene_.model.bodies.size(); ++b)
      if (!is_finite(*scene_.model.bodies[b].body, run_->state().bodies[b])) {
        ++report_.not_finite_states;
        return;
      }
  }

  Scene& scene_;
  const SoakOptions& options_;
  Dice dice_;
  std::vector<SoakHand*> hands_;  ///< the scene owns them
  std::optional<SceneRun> run_;
  std::vector<PromiseCheck> checks_;
  std::vector<Lies> lies_;
  std::vector<Fault> hits_;  ///< by body
  Fault stall_, late_;
  long tick_ = 0, weather_until_ = 0, stalled_since_ = -1;
  bool storm_ = true;  ///< so that it begins calm
  double h_s_ = 0;
  SoakReport report_;
};

}  // namespace

long SoakReport::broken_promises() const {
  long sum = not_finite_states;
  for (long count : broken) sum += count;
  return sum;
}

Result<SoakReport> soak(Scene& scene, const SoakOptions& options) {
  if (scene.devices.empty())
    return Error{.message = "the scene has no device: there is nobody to keep a promise to",
                 .file = scene.spec.file,
                 .remedy = "give it one, e.g. devices: {hand: {type: hand, path: …, holds: {body: …}}}"};
  if (options.ticks < 1 || options.start_afresh_every < 1)
    return Error{.message = "a soak takes at least one tick"};
  int cautious = 0;
  for (SceneDevice& device : scene.devices)
    if (!options.promised && std::isinf(device.profile.max_force_N)) {
      device.profile = DeviceProfile{};
      device.profile.sample_time_s = scene.two_rate ? scene.two_rate->settings.h_high_s : scene.model.h_s;
      ++cautious;
    }
  SoakReport report = Soak(scene, options).run();
  report.cautious_devices = cautious;
  return report;
}

}  // namespace palp
