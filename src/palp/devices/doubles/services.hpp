// Doubles of devices that are reached through a service: each runs in a thread of its own behind the real
// protocol, with an arm inside (arm.hpp).
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "palp/devices/doubles/arm.hpp"

namespace palp {

class DoubleService {
 public:
  virtual ~DoubleService() = default;
  /// What to write behind `address=`.
  virtual std::string address() const = 0;
};

/// Haply's service with one Inverse3 and a wireless grip. `port` 0: any free one. `version`: "3.1" or "3.5".
Result<std::unique_ptr<DoubleService>> start_haply_double(DoubleArm& arm, unsigned short port,
                                                          const std::string& version = "3.5");
/// A device that speaks Palp's datagrams at the arm's rate.
Result<std::unique_ptr<DoubleService>> start_udp_double(DoubleArm& arm, unsigned short port);
/// spacenavd, at this path.
Result<std::unique_ptr<DoubleService>> start_spacenav_double(DoubleArm& arm, const std::string& path);

}  // namespace palp
