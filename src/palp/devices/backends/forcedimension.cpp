// Force Dimension devices and the Novint Falcon through libdrd, which contains DHD. The functions are
// declared here as their documentation describes them; the device's number is always passed.
// x towards the user, y to the right, z up; metres, newtons.
#include "palp/base/clock.hpp"
#include "palp/devices/backends/axes.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/library.hpp"

namespace palp {
namespace {

struct Drd {
  Library library;
  int (*count)();
  int (*open)(char);
  int (*close)(char);
  int (*position)(double*, double*, double*, char);
  int (*frame)(double (*)[3], char);
  int (*velocity)(double*, double*, double*, char);
  int (*angular_velocity)(double*, double*, double*, char);
  int (*buttons)(char);
  int (*enable_force)(unsigned char, char);
  int (*set_force)(double, double, double, double, double, double, double, char);
  // Those that older versions may not have.
  bool (*has_wrist)(char);
  bool (*has_active_wrist)(char);
  bool (*has_gripper)(char);
  int (*gripper_gap)(double*, char);
  int (*serial)(unsigned short*, char);
  const char* (*system_name)(char);
  const char* (*last_error)();

  static Result<Drd> load(const std::string& file) {
    auto opened = Library::open({"libdrd.so.3", "libdrd.so"}, file,
                                "install Force Dimension's SDK and put libdrd.so where ldconfig finds it");
    if (!opened) return opened.error();
    Drd d{};
    d.library = std::move(*opened);
    d.library.find("dhdGetDeviceCount", d.count);
    d.library.find("dhdOpenID", d.open);
    d.library.find("dhdClose", d.close);
    d.library.find("dhdGetPosition", d.position);
    d.library.find("dhdGetOrientationFrame", d.frame);
    d.library.find("dhdGetLinearVelocity", d.velocity);
    d.library.find("dhdGetAngularVelocityRad", d.angular_velocity);
    d.library.find("dhdGetButtonMask", d.buttons);
    d.library.find("dhdEnableForce", d.enable_force);
    d.library.find("dhdSetForceAndTorqueAndGripperForce", d.set_force);
    d.library.find_optional("dhdHasWrist", d.has_wrist);
    d.library.find_optional("dhdHasActiveWrist", d.has_active_wrist);
    d.library.find_optional("dhdHasGripper", d.has_gripper);
    d.library.find_optional("dhdGetGripperGap", d.gripper_gap);
    d.library.find_optional("dhdGetSerialNumber", d.serial);
    d.library.find_optional("dhdGetSystemName", d.system_name);
    d.library.find_optional("dhdErrorGetLastStr", d.last_error);
    if (auto ok = d.library.complete(); !ok) return ok.error();
    return d;
  }
};

class ForceDimensionBackend final : public Backend {
 public:
  explicit ForceDimensionBackend(const DeviceSpec& spec) : file_(spec.library), serial_(spec.serial) {}
  ~ForceDimensionBackend() override { close(); }

  Result<DeviceInfo> open() override {
    if (!drd_) {
      auto loaded = Drd::load(file_);
      if (!loaded) return loaded.error();
      drd_ = std::make_unique<Drd>(std::move(*loaded));
    }
    const int count = drd_->count();
    for (int i = 0; i < count && i < 16; ++i) {
      const int id = drd_->open(static_cast<char>(i));
      if (id < 0) continue;
      const std::string serial = serial_of(static_cast<char>(id));
      if (!serial_.empty() && serial != serial_) {
        drd_->close(static_cast<char>(id));
        continue;
      }
      return ready(static_cast<char>(id), serial);
    }
    return Error{.message = serial_.empty() ? "no Force Dimension device is plugged in"
                                            : "no Force Dimension device with serial number " + serial_,
                 .remedy = "look at cable and power; on Linux the user needs the udev rule of the SDK"};
  }

  Exchange exchange(DevicePort& port) override {
    const Wrench w = to_axes(axes_x_to_user, port.wanted(now_us()));
    // 1 (the time guard) and 2 (a motor is at its limit) are not errors.
    if (drd_->set_force(w.force.x(), w.force.y(), w.force.z(), w.torque.x(), w.torque.y(), w.torque.z(), 0,
                        id_) < 0)
      return Exchange::gone;
    DevicePose p;
    double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (drd_->position(&p.position.x(), &p.position.y(), &p.position.z(), id_) < 0 ||
        drd_->velocity(&p.velocity.x(), &p.velocity.y(), &p.velocity.z(), id_) < 0)
      return Exchange::gone;
    if (wrist_) {
      Vec3& o = p.angular_velocity;
      if (drd_->frame(R, id_) < 0 || drd_->angular_velocity(&o.x(), &o.y(), &o.z(), id_) < 0)
        return Exchange::gone;
      Mat3 m;
      m << R[0][0], R[0][1], R[0][2], R[1][0], R[1][1], R[1][2], R[2][0], R[2][1], R[2][2];
      // What is no rotation is no pose.
      if (!((m.transpose() * m - Mat3::Identity()).norm() < 1e-3)) {
        port.refuse();
        return Exchange::done;
      }
      p.orientation = Quat(m);
    }
    DeviceFrame frame;
    frame.pose = from_axes(axes_x_to_user, p);
    if (const int mask = drd_->buttons(id_); mask > 0) frame.buttons = static_cast<unsigned>(mask);
    if (gripper_) drd_->gripper_gap(&frame.gripper_m, id_);
    port.got(frame, now_us());
    return Exchange::done;
  }

  void close() override {
    if (!drd_ || id_ < 0) return;
    drd_->set_force(0, 0, 0, 0, 0, 0, 0, id_);
    drd_->enable_force(0, id_);
    drd_->close(id_);
    id_ = -1;
  }

 private:
  std::string serial_of(char id) const {
    unsigned short number = 0;
    return drd_->serial && drd_->serial(&number, id) >= 0 ? std::to_string(number) : "";
  }
  Result<DeviceInfo> ready(char id, const std::string& serial) {
    id_ = static_cast<signed char>(id);
    wrist_ = drd_->has_wrist && drd_->has_wrist(id);
    gripper_ = drd_->gripper_gap && drd_->has_gripper && drd_->has_gripper(id);
    if (drd_->set_force(0, 0, 0, 0, 0, 0, 0, id) < 0 || drd_->enable_force(1, id) < 0) {
      const std::string why = drd_->last_error ? drd_->last_error() : "no reason given";
      close();
      return Error{.message = "the Force Dimension device does not take forces: " + why,
                   .remedy = "calibrate it, and press its force button"};
    }
    DeviceInfo info{
        .kind = "forcedimension",
        .name = drd_->system_name && drd_->system_name(id) ? drd_->system_name(id) : "Force Dimension",
        .serial = serial,
        .workspace_low = Vec3::Constant(-0.1),
        .workspace_high = Vec3::Constant(0.1),
        .limits = DeviceProfile{}};
    info.senses = wrist_ ? 6 : 3;
    info.feels = drd_->has_active_wrist && drd_->has_active_wrist(id) ? 6 : 3;
    info.buttons = 1;
    info.gripper = gripper_;
    return info;
  }

  std::string file_, serial_;
  std::unique_ptr<Drd> drd_;
  signed char id_ = -1;  ///< what char is differs from processor to processor
  bool wrist_ = false, gripper_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_forcedimension_backend(const DeviceSpec& spec) {
  return std::make_unique<ForceDimensionBackend>(spec);
}

}  // namespace palp
