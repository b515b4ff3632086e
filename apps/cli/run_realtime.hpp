// palp run --realtime
#pragma once
#include <atomic>
#include <csignal>
#include <memory>

#include "palp/io/recorder.hpp"
#include "palp/scene/scene.hpp"

namespace palp::cli {

/// Runs the scene on the clock and prints rates, jitter and misses. False after an error message. `record`: a
/// file for the recording, or empty. `stop` ends the run early, with zero force at the devices.
bool run_on_the_clock(Scene& scene, double seconds, bool json, const std::string& record,
                      const RecorderOptions& recorder_options, const std::atomic<bool>& stop);

/// SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP: the terminal is closed.
sigset_t ending_signals();

/// While it lives the ending signals do not end the program but set `stop`. Made before threads are started,
/// which inherit the mask, and before devices are opened; it lives until they are closed.
class SignalStop {
 public:
  SignalStop();
  ~SignalStop();
  std::atomic<bool> stop{false};

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace palp::cli
