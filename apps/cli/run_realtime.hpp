// palp run --realtime
#pragma once
#include <atomic>

#include "palp/io/recorder.hpp"
#include "palp/scene/scene.hpp"

namespace palp::cli {

/// Runs the scene on the clock and prints rates, jitter and misses. False after an error message. `record`: a
/// file for the recording, or empty; `overrides`: how the scene was loaded. SIGINT and SIGTERM end the run
/// early, with zero force at the devices.
bool run_on_the_clock(Scene& scene, double seconds, bool json, const std::string& record,
                      const RecorderOptions& recorder_options, const std::vector<SceneOverride>& overrides);

/// While it lives SIGINT and SIGTERM do not end the program but set `stop`. Made before threads are started:
/// they inherit the mask.
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
