// The hand behind every double: a simulated arm (simulated.hpp) that moves along a path again and again on
// the real clock, is pushed back by what it is told, misbehaves on command, and remembers what it was told.
// The doubles put it behind the protocol or the library of a real device; what they share is here.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "palp/devices/backends/port.hpp"
#include "palp/devices/simulated.hpp"

namespace palp {

/// What goes wrong with devices.
enum class Fault {
  none,
  silence,    ///< no answer; a library's calls wait
  late,       ///< every answer comes late
  closed,     ///< the connection breaks; it may be made again
  unplugged,  ///< the device is not there until the fault is over
  nan,        ///< poses that are no numbers
  stuck,      ///< the pose does not change any more
  saturated,  ///< the motors give a tenth of what they are told
  units,      ///< millimetres where metres should be
  malformed,  ///< answers that are none
  jump,       ///< half a metre away and back, every 3 ms
};
/// By the names above; Fault::none for others.
Fault fault_named(const std::string& name);
const char* name_of(Fault fault);
std::vector<Fault> all_faults();

/// What a double was told, all commands together.
struct ArmLog {
  long readings = 0, commands = 0, not_finite = 0;
  double largest_force_N = 0, largest_torque_Nm = 0;
  double largest_step_N = 0;  ///< from one command to the next
  double largest_rise_N = 0;  ///< the same, of the force's size, and only where it grows
  Wrench last;
  bool enabled = false;  ///< motors on; off at the end
  int opened = 0;
  double told_us = 0;     ///< when a pose was first given away after hold_at
  double changed_us = 0;  ///< when a command came last whose force was another one than before
};

struct ArmSettings {
  /// Relative to where it starts; metres in Palp's axes.
  std::vector<WayPoint> motion;
  HandSettings hand{.stiffness_N_per_m = 2000, .damping_N_s_per_m = 40};
  Vec3 home = Vec3::Zero();  ///< where it starts, in the device's workspace
  struct Plan {
    Fault fault = Fault::none;
    double at_s = 0, for_s = 0;
  };
  std::vector<Plan> plan;  ///< faults by the clock
  double rate_Hz = 1000;   ///< of doubles that set the pace themselves

  /// Moves wait for so long: whoever opens the device has time to load a scene and to start.
  static constexpr double rest_s = 3;
  /// By 7.5 cm along −y, held, pulled back, in 10 s: what snaps the clip of scenes/snap-in.yaml on and off
  /// through the soft coupling that devices render stably at its long step.
  static std::vector<WayPoint> snap();
  /// "fault@at+for,fault@at+for": seconds.
  static Result<std::vector<Plan>> parse_plan(const std::string& text);
  /// As text and back: how a program tells the libraries that it will load (environment PALP_DOUBLE).
  std::string text() const;
  static ArmSettings from_environment();
};

class DoubleArm {
 public:
  explicit DoubleArm(ArmSettings settings = {});

  // Whoever tests, or the command line.
  void set(Fault fault);
  void press(unsigned buttons);
  void set_rate(double rate_Hz);
  /// The pose stays where it is put, whatever pushes.
  void hold_at(const DevicePose& pose);
  ArmLog log() const;
  void clear_log();
  /// As the device would truly tell it.
  DeviceFrame truth();

  // The double.
  Fault fault() const;  ///< at this moment
  double rate_Hz() const;
  /// What the device says, with the faults that concern numbers.
  DeviceFrame read();
  void command(const Wrench& wrench);
  void enable(bool on);
  void count_opening();

 private:
  void start_again_when_idle();
  void advance();
  Fault current() const;

  mutable std::mutex mutex_;
  ArmSettings settings_;
  Path path_;
  double period_s_;
  double start_us_, moved_us_, read_us_ = 0, plan_us_ = 0;
  DevicePose pose_;
  DeviceFrame stuck_;
  bool held_ = false, was_stuck_ = false, told_ = true;
  Fault fault_ = Fault::none;
  unsigned buttons_ = 0;
  Wrench felt_;
  ArmLog log_;
};

}  // namespace palp
