#include "palp/devices/backends/kinds.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

constexpr std::array<DeviceKind, 8> kinds{{
    {"haply", "Haply Inverse3 with Verse Grip, through Haply's service", make_haply_backend},
    {"forcedimension", "Force Dimension and Novint Falcon, through libdrd", make_forcedimension_backend},
    {"openhaptics", "3D Systems Touch and Phantom, through OpenHaptics' libHD", make_openhaptics_backend},
    {"virtuose", "Haption Virtuose, through libVirtuose", make_virtuose_backend},
    {"spacenav", "SpaceMouse, through spacenavd; without force", make_spacenav_backend},
    {"gamepad", "gamepad, through SDL2; rumbles", make_gamepad_backend},
    {"udp", "a device of one's own that speaks Palp's datagrams", make_udp_backend},
    {"page", "mouse, finger, pen or WebXR controller in the page of palp view", nullptr},
}};

/// The user's word on the force is the last one: it replaces what the device tells of itself.
class LimitedBackend final : public Backend {
 public:
  LimitedBackend(std::unique_ptr<Backend> inner, double max_force_N)
      : inner_(std::move(inner)), max_force_N_(max_force_N) {}
  Result<DeviceInfo> open() override {
    auto info = inner_->open();
    if (!info) return info;
    DeviceProfile& p = info->limits;
    // Torque and slew grow and shrink with it, so that ramp and decay stay within the slew limit.
    const double ratio = max_force_N_ / p.max_force_N;
    p.max_force_N = max_force_N_;
    p.max_torque_Nm *= ratio;
    p.max_slew_N_per_s *= ratio;
    p.max_torque_slew_Nm_per_s *= ratio;
    return info;
  }
  Exchange exchange(DevicePort& port) override { return inner_->exchange(port); }
  void close() override { inner_->close(); }
  double period_s() const override { return inner_->period_s(); }
  double stale_s() const override { return inner_->stale_s(); }

 private:
  std::unique_ptr<Backend> inner_;
  double max_force_N_;
};

/// "1", "-0.5": a finite number and nothing else.
bool number(const std::string& text, double& out) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  return in >> out && in.eof() && std::isfinite(out);
}

/// "90/0/0": a rotation vector in degrees.
bool rotation(const std::string& text, Quat& out) {
  std::istringstream in(text);
  std::string part;
  Vec3 v;
  for (int k = 0; k < 3; ++k)
    if (!std::getline(in, part, '/') || !number(part, v[k])) return false;
  if (std::getline(in, part, '/')) return false;
  out = rotation_from_vector(v * (std::numbers::pi / 180));
  return true;
}

}  // namespace

std::span<const DeviceKind> device_kinds() { return kinds; }

const DeviceKind* find_device_kind(const std::string& name) {
  for (const DeviceKind& kind : kinds)
    if (name == kind.name) return &kind;
  return nullptr;
}

Result<DeviceSpec> DeviceSpec::parse(const std::string& text) {
  DeviceSpec spec;
  std::istringstream parts(text);
  std::string part;
  std::getline(parts, part, ',');
  if (const size_t equals = part.find('='); equals != std::string::npos) {
    spec.name = part.substr(0, equals);
    part = part.substr(equals + 1);
  }
  spec.kind = part;
  if (!find_device_kind(spec.kind)) {
    std::string known;
    for (const DeviceKind& kind : kinds) known.append(known.empty() ? "" : ", ").append(kind.name);
    return Error{.message = "there is no device '" + spec.kind + "'", .remedy = "known are " + known};
  }
  while (std::getline(parts, part, ',')) {
    const size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    double n = 0;
    const bool is_number = number(value, n);
    bool ok = true;
    if (key == "address") {
      spec.address = value;
    } else if (key == "library") {
      spec.library = value;
    } else if (key == "serial") {
      spec.serial = value;
    } else if (key == "scale") {
      ok = is_number && n >= 1e-3 && n <= 1e3;
      spec.workspace.scale = n;
    } else if (key == "rotate") {
      ok = rotation(value, spec.workspace.rotation);
    } else if (key == "clutch") {
      ok = is_number && n >= 1 && n <= 32 && n == std::floor(n);
      spec.workspace.clutch_button = static_cast<int>(n);
    } else if (key == "maxForce") {
      ok = is_number && n > 0 && n <= 100;
      spec.max_force_N = n;
    } else if (key == "insist") {
      ok = equals == std::string::npos;
      spec.insist = true;
    } else {
      return Error{.message = "--device " + text + ": there is no option '" + key + "'",
                   .remedy = "address, library, serial, scale, rotate, clutch, maxForce, insist"};
    }
    if (!ok)
      return Error{.message = "--device " + text + ": '" + part + "' cannot be",
                   .remedy =
                       "scale=0.001…1000, rotate=x/y/z in degrees, clutch=1…32, maxForce up to 100 N, "
                       "insist without a value"};
  }
  return spec;
}

Result<std::unique_ptr<Device>> make_device(const DeviceSpec& spec) {
  const DeviceKind* kind = find_device_kind(spec.kind);
  if (!kind) return Error{.message = "there is no device '" + spec.kind + "'", .remedy = "palp devices"};
  if (!kind->make)
    return Error{.message = "the page is a window of palp view",
                 .remedy = "palp view SCENE --device NAME=page, then drag the hand there"};
  std::unique_ptr<Backend> backend = kind->make(spec);
  if (spec.max_force_N > 0) backend = std::make_unique<LimitedBackend>(std::move(backend), spec.max_force_N);
  return std::unique_ptr<Device>(std::make_unique<ThreadedDevice>(std::move(backend), spec.workspace));
}

}  // namespace palp
