// A visitor without a haptic device: a mouse, a finger or a gamepad says where the hand should be. The arm
// that carries the hand there is simulated (HandSettings), so the visitor meets the simulation through the
// same interface, coupling and safety chain as any device: the arm aims at the visitor's pose and is pushed
// back,
//     m a = k (x_aim − x) + d (v_aim − v) + F.
// Until the visitor takes hold, the scene's own device moves the hand. When the visitor lets go, the arm's
// spring is gone (k = 0) and its damper alone brings the hand to where nothing pulls.
#pragma once
#include <memory>

#include "palp/base/triple_buffer.hpp"
#include "palp/devices/simulated.hpp"

namespace palp {

/// Between the visitor's thread and the loop's: the newest pose in, the newest force out. Neither side waits.
class VisitorChannel {
 public:
  /// Visitor's thread: the hand should be here. False when the numbers are not a finite position and an
  /// orientation (any length but zero); nothing changes then.
  bool hold(const Vec3& position, const Quat& orientation, unsigned buttons = 0);
  /// Visitor's thread: the hand is let go.
  void let_go();
  /// Visitor's thread: the wrench that the hand feels.
  Wrench felt();

 private:
  friend class VisitorDevice;
  struct Aim {
    Vec3 position = Vec3::Zero();
    Quat orientation = Quat::Identity();
    bool holding = false;
    unsigned buttons = 0;
    long serial = 0;  ///< counts the visitor's calls
  };
  TripleBuffer<Aim> aim_;
  TripleBuffer<Wrench> felt_;
  long serial_ = 0;  ///< visitor's thread
};

class VisitorDevice final : public Device {
 public:
  /// `own` moves the hand until the visitor does. What the channel was told before is not heeded.
  VisitorDevice(std::shared_ptr<VisitorChannel> channel, std::unique_ptr<Device> own,
                const HandSettings& arm);

  DeviceReading read(double time_s) override;
  void write(const Wrench& wrench, double h_s) override;
  DeviceInfo info() const override;
  /// `frames`: what the visitor said; `skipped`: of it, what was overtaken; `present`: the hand is held.
  DeviceHealth health() const override;

  /// The visitor has taken over, and holds the hand at this moment.
  bool taken() const { return taken_; }
  bool held() const { return taken_ && channel_->aim_.front().holding; }

 private:
  std::shared_ptr<VisitorChannel> channel_;
  std::unique_ptr<Device> own_;
  HandSettings arm_;
  DeviceReading last_;
  DevicePose
      aim_;  ///< the visitor's pose, smoothed: a mouse moves 60 times a second, the loop steps more often
  long first_ = 0, heeded_ = 0;  ///< number of the visitor's call that was there at the start, heeded last
  std::uint64_t poses_ = 0;
  bool taken_ = false;
};

}  // namespace palp
