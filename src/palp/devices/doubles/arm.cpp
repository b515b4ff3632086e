#include "palp/devices/doubles/arm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "palp/base/clock.hpp"

namespace palp {
namespace {

struct Named {
  Fault fault;
  const char* name;
};
constexpr Named names[] = {{Fault::silence, "silence"},
                           {Fault::late, "late"},
                           {Fault::closed, "closed"},
                           {Fault::unplugged, "unplugged"},
                           {Fault::nan, "nan"},
                           {Fault::stuck, "stuck"},
                           {Fault::saturated, "saturated"},
                           {Fault::units, "units"},
                           {Fault::malformed, "malformed"},
                           {Fault::jump, "jump"}};

Path path_of(std::vector<WayPoint> points) {
  if (points.empty()) points.push_back({});
  auto made = Path::make(std::move(points));
  return made ? std::move(*made) : std::move(*Path::make({WayPoint{}}));
}

}  // namespace

Fault fault_named(const std::string& name) {
  for (const Named& n : names)
    if (name == n.name) return n.fault;
  return Fault::none;
}

const char* name_of(Fault fault) {
  for (const Named& n : names)
    if (fault == n.fault) return n.name;
  return "none";
}

std::vector<Fault> all_faults() {
  std::vector<Fault> all;
  for (const Named& n : names) all.push_back(n.fault);
  return all;
}

std::vector<WayPoint> ArmSettings::snap() {
  const auto at = [](double time_s, double y) {
    return WayPoint{.time_s = time_s, .position = Vec3(0, y, 0)};
  };
  return {at(0, 0), at(rest_s, 0), at(5.5, -0.075), at(7, -0.075), at(9, 0.015), at(10, 0)};
}

Result<std::vector<ArmSettings::Plan>> ArmSettings::parse_plan(const std::string& text) {
  std::vector<Plan> plan;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t at = part.find('@'), plus = part.find('+', at == std::string::npos ? 0 : at);
    Plan p;
    p.fault = fault_named(part.substr(0, at));
    if (at != std::string::npos && plus != std::string::npos) {
      p.at_s = std::strtod(part.c_str() + at + 1, nullptr);
      p.for_s = std::strtod(part.c_str() + plus + 1, nullptr);
    }
    if (p.fault == Fault::none || !(p.for_s > 0) || !(p.at_s >= 0)) {
      std::string known;
      for (const Named& n : names) known.append(known.empty() ? "" : ", ").append(n.name);
      return Error{.message = "'" + part + "' is no fault", .remedy = "FAULT@SECONDS+SECONDS with " + known};
    }
    plan.push_back(p);
  }
  return plan;
}

std::string ArmSettings::text() const {
  std::ostringstream out;
  out.precision(17);
  out << hand.mass_kg << ' ' << hand.stiffness_N_per_m << ' ' << hand.damping_N_s_per_m << ' '
      << motion.size();
  for (const WayPoint& p : motion) {
    out << ' ' << p.time_s << ' ' << p.position.x() << ' ' << p.position.y() << ' ' << p.position.z();
    out << ' ' << p.orientation.x() << ' ' << p.orientation.y() << ' ' << p.orientation.z() << ' '
        << p.orientation.w();
  }
  out << ' ' << plan.size();
  for (const Plan& p : plan) out << ' ' << name_of(p.fault) << ' ' << p.at_s << ' ' << p.for_s;
  return out.str();
}

ArmSettings ArmSettings::from_environment() {
  ArmSettings s;
  s.motion = snap();
  const char* text = std::getenv("PALP_DOUBLE");
  if (!text) return s;
  std::istringstream in(text);
  size_t points = 0, plans = 0;
  ArmSettings r;
  in >> r.hand.mass_kg >> r.hand.stiffness_N_per_m >> r.hand.damping_N_s_per_m >> points;
  for (size_t i = 0; i < points && in; ++i) {
    WayPoint p;
    double q[4];
    in >> p.time_s >> p.position.x() >> p.position.y() >> p.position.z() >> q[0] >> q[1] >> q[2] >> q[3];
    p.orientation = Quat(q[3], q[0], q[1], q[2]);
    r.motion.push_back(p);
  }
  in >> plans;
  for (size_t i = 0; i < plans && in; ++i) {
    Plan p;
    std::string name;
    in >> name >> p.at_s >> p.for_s;
    p.fault = fault_named(name);
    r.plan.push_back(p);
  }
  return in ? r : s;
}

DoubleArm::DoubleArm(ArmSettings settings)
    : settings_(std::move(settings)),
      path_(path_of(settings_.motion)),
      period_s_(settings_.motion.empty() ? 1 : std::max(1e-3, settings_.motion.back().time_s)),
      start_us_(now_us()),
      moved_us_(start_us_) {
  pose_ = path_.at(0);
}

void DoubleArm::set(Fault fault) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
}

void DoubleArm::press(unsigned buttons) {
  const std::lock_guard lock(mutex_);
  buttons_ = buttons;
}

void DoubleArm::set_rate(double rate_Hz) {
  const std::lock_guard lock(mutex_);
  settings_.rate_Hz = rate_Hz;
}

double DoubleArm::rate_Hz() const {
  const std::lock_guard lock(mutex_);
  return settings_.rate_Hz;
}

void DoubleArm::hold_at(const DevicePose& pose) {
  const std::lock_guard lock(mutex_);
  pose_ = pose;
  held_ = true;
  told_ = false;
}

ArmLog DoubleArm::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

void DoubleArm::clear_log() {
  const std::lock_guard lock(mutex_);
  const ArmLog old = log_;
  log_ = {};
  log_.last = old.last;
  log_.enabled = old.enabled;
  log_.opened = old.opened;
}

Fault DoubleArm::current() const {
  const double t = plan_us_ > 0 ? 1e-6 * (now_us() - plan_us_) : 0;
  for (const ArmSettings::Plan& p : settings_.plan)
    if (t >= p.at_s && t < p.at_s + p.for_s) return p.fault;
  return fault_;
}

Fault DoubleArm::fault() const {
  const std::lock_guard lock(mutex_);
  return current();
}

void DoubleArm::advance() {
  const double now = now_us();
  moved_us_ = std::max(moved_us_, now - 1e6);
  for (const double h = longest_arm_step_s; moved_us_ + 1e6 * h <= now; moved_us_ += 1e6 * h) {
    if (held_) continue;
    DevicePose aim = path_.at(std::fmod(1e-6 * (moved_us_ - start_us_), period_s_));
    move_arm(settings_.hand, aim, felt_, h, pose_);
  }
}

DeviceFrame DoubleArm::truth() {
  const std::lock_guard lock(mutex_);
  advance();
  DeviceFrame f;
  f.pose = pose_;
  f.pose.position += settings_.home;
  f.buttons = buttons_;
  return f;
}

/// Its plan begins when somebody asks for the first time, its motion then and after every pause.
void DoubleArm::start_again_when_idle() {
  const std::lock_guard lock(mutex_);
  const double now = now_us();
  if (now - read_us_ > 2e6) {
    start_us_ = moved_us_ = now;
    if (!held_) pose_ = path_.at(0);
  }
  if (read_us_ == 0) plan_us_ = now;
  read_us_ = now;
}

DeviceFrame DoubleArm::read() {
  start_again_when_idle();
  DeviceFrame f = truth();
  const std::lock_guard lock(mutex_);
  ++log_.readings;
  if (!told_) log_.told_us = now_us();
  told_ = true;
  const Fault fault = current();
  if (fault == Fault::stuck) {
    if (!was_stuck_) stuck_ = f;
    f = stuck_;
  }
  was_stuck_ = fault == Fault::stuck;
  if (fault == Fault::nan) f.pose.position.setConstant(std::nan(""));
  if (fault == Fault::units) f.pose.position = 1000 * (f.pose.position + Vec3::Constant(0.01));
  // By the clock: a library may be asked several times for one pose.
  if (fault == Fault::jump && static_cast<long>(now_us() / 3e3) % 2) f.pose.position.x() += 0.5;
  return f;
}

void DoubleArm::command(const Wrench& wrench) {
  const std::lock_guard lock(mutex_);
  ++log_.commands;
  if (!wrench.force.allFinite() || !wrench.torque.allFinite()) {
    ++log_.not_finite;
    return;
  }
  log_.largest_force_N = std::max(log_.largest_force_N, wrench.force.norm());
  log_.largest_torque_Nm = std::max(log_.largest_torque_Nm, wrench.torque.norm());
  log_.largest_step_N = std::max(log_.largest_step_N, (wrench.force - log_.last.force).norm());
  log_.largest_rise_N = std::max(log_.largest_rise_N, wrench.force.norm() - log_.last.force.norm());
  if (wrench.force != log_.last.force) log_.changed_us = now_us();
  log_.last = felt_ = wrench;
  if (current() == Fault::saturated) {
    felt_.force *= 0.1;
    felt_.torque *= 0.1;
  }
}

void DoubleArm::enable(bool on) {
  const std::lock_guard lock(mutex_);
  log_.enabled = on;
  if (!on) felt_ = {};
}

void DoubleArm::count_opening() {
  const std::lock_guard lock(mutex_);
  ++log_.opened;
  log_.last = felt_ = {};  // a device that was without power renders nothing
}

}  // namespace palp
