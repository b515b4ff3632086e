// Time stamps for measurements and budgets.
#pragma once
#include <chrono>

namespace palp {

/// Microseconds on a clock that never goes back.
inline double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Adds the time since it was made, or since the last lap, to a counter.
class Stopwatch {
 public:
  Stopwatch() : last_(now_us()) {}
  double lap_us() {
    const double now = now_us(), passed = now - last_;
    last_ = now;
    return passed;
  }

 private:
  double last_;
};

}  // namespace palp
