// The arm inside a fake library: one per library, made when it is first asked for. Tests reach it through
// palp_double_arm; programs tell it what to do through the environment (ArmSettings::from_environment).
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "palp/devices/doubles/arm.hpp"

namespace palp {

struct LibraryArm {
  DoubleArm arm{ArmSettings::from_environment()};
  /// At the end of the program, for those who want to know what the device was told.
  ~LibraryArm() {
    if (!std::getenv("PALP_DOUBLE_REPORT")) return;
    const ArmLog log = arm.log();
    std::fprintf(stderr, "double: %ld commands, at most %.3f N, last %.3f N, motors %s, opened %d times\n",
                 log.commands, log.largest_force_N, log.last.force.norm(), log.enabled ? "on" : "off",
                 log.opened);
  }
};

inline DoubleArm& library_arm() {
  static LibraryArm one;
  return one.arm;
}

/// What a vendor's call does when its device does not answer.
inline void delay(Fault fault) {
  if (fault == Fault::silence) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (fault == Fault::late) std::this_thread::sleep_for(std::chrono::milliseconds(60));
}
inline bool away(Fault fault) { return fault == Fault::closed || fault == Fault::unplugged; }

}  // namespace palp

extern "C" __attribute__((visibility("default"))) palp::DoubleArm* palp_double_arm();
