// The devices by name: what people write behind --device, and what becomes of it. Making a device touches no
// hardware; opening it does.
#pragma once
#include <span>

#include "palp/devices/backends/threaded_device.hpp"

namespace palp {

/// `hand=haply,scale=2,clutch=1`: which device of the scene, which backend, and how.
struct DeviceSpec {
  std::string name = {};     ///< of the scene's device; empty: its first one
  std::string kind = {};     ///< of the backend
  std::string address = {};  ///< of a service, HOST:PORT or a socket's path; empty: the usual one
  std::string library = {};  ///< file of the vendor's library; empty: where the system looks
  std::string serial = {};   ///< of one device among several; empty: the first one
  WorkspaceOptions workspace = {};
  double max_force_N = 0;  ///< 0: what the device tells, or a cautious value
  bool insist = false;     ///< the coupling is taken as the scene has it, stable or not

  /// "NAME=KIND,key=value,…" or "KIND,…"; an error lists what there is.
  static Result<DeviceSpec> parse(const std::string& text);
};

struct DeviceKind {
  const char* name;
  const char* what;  ///< in words
  /// Null for the page: its visitor is palp view's, which puts it into the scene itself.
  std::unique_ptr<Backend> (*make)(const DeviceSpec& spec);
};
std::span<const DeviceKind> device_kinds();
/// Null when there is no such kind.
const DeviceKind* find_device_kind(const std::string& name);

/// The device, not open yet; an error for the page.
Result<std::unique_ptr<Device>> make_device(const DeviceSpec& spec);

// One file each.
std::unique_ptr<Backend> make_haply_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_forcedimension_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_openhaptics_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_virtuose_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_spacenav_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_gamepad_backend(const DeviceSpec& spec);
std::unique_ptr<Backend> make_udp_backend(const DeviceSpec& spec);

}  // namespace palp
