// A scene that runs on the clock in threads of its own (scene/live.hpp), seen through a window: with a real
// device at the hand the haptic threads must not wait for the page. What is shown is what the last low-rate
// step and the last tick left in their triple buffers.
#pragma once
#include <memory>
#include <vector>

#include "frame.hpp"

#include "palp/base/triple_buffer.hpp"
#include "palp/scene/live.hpp"

namespace palp::view {

class LiveWindow {
 public:
  /// Starts the scene, whose devices are watched from now on; `scene` outlives this.
  static Result<std::unique_ptr<LiveWindow>> start(Scene& scene);
  ~LiveWindow() { stop(); }

  /// Whether there is something new since the last call.
  bool look();
  /// Fills a frame, and one sample of the plots, with what was seen last.
  void take(unsigned wishes, ViewFrame& out);
  ViewSample sample() const;
  double time_s() const { return seen_ ? seen_->time_s : 0; }
  bool running() const { return live_ && live_->running(); }
  /// Ends the run; the devices are given zero force. Why it ended, if something went wrong.
  std::string stop();

 private:
  struct Hand {
    DevicePose pose;
    Wrench wrench;
    bool taken = false;
  };
  class WatchedDevice;
  explicit LiveWindow(Scene& scene);
  void contacts(ViewFrame& out) const;
  void pressure(ViewFrame& out) const;

  Scene& scene_;
  std::vector<std::shared_ptr<TripleBuffer<Hand>>> hands_;  ///< haptic thread → here
  const LiveView* seen_ = nullptr;
  std::uint32_t version_ = 0;
  std::unique_ptr<LiveScene> live_;
};

}  // namespace palp::view
