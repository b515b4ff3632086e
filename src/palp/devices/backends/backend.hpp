// What a backend of a device does: find and open, exchange, close. It is called on a thread of its own
// (ThreadedDevice), so it may wait for a socket or a vendor, but never for long: close() comes only between
// two calls. Limits, ramps, heartbeat, re-opening and the hand-over to the loop are not its business.
#pragma once
#include "palp/devices/backends/port.hpp"

namespace palp {

enum class Exchange {
  done,     ///< a wrench has gone out, or a frame has come in
  nothing,  ///< no answer in time; the device may come back
  gone,     ///< it must be opened again
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// An error says in one sentence what is missing and what to do.
  virtual Result<DeviceInfo> open() = 0;
  /// Gives the device port.wanted() and the port what the device answers.
  virtual Exchange exchange(DevicePort& port) = 0;
  /// Zero force, then lets go. Also after `gone`.
  virtual void close() = 0;
  /// Between the beginnings of two exchanges; 0: the backend waits for the device itself.
  virtual double period_s() const { return 0.5e-3; }
  /// A frame older than this says nothing about where the hand is.
  virtual double stale_s() const { return 0.03; }
};

}  // namespace palp
