// 3D Systems Touch and Phantom through OpenHaptics' HD library. The vendor owns a thread of 1 kHz and calls
// back: pose and force are exchanged there, through the same port; our own thread only looks after it.
// x to the right, y up, z towards the user; millimetres, newtons, newton millimetres.
#include <cstring>

#include <time.h>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/axes.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/library.hpp"
#include "palp/devices/backends/velocity_estimate.hpp"

namespace palp {
namespace {

// Names and values as the vendor documents them.
enum : unsigned {
  current_buttons = 0x2000,
  current_velocity = 0x2051,
  current_transform = 0x2052,
  model_type = 0x2501,
  serial_number = 0x2504,
  usable_workspace = 0x2551,
  input_dof = 0x2553,
  output_dof = 0x2554,
  nominal_max_force = 0x2603,
  current_force = 0x2700,
  current_gimbal_torque = 0x2704,
  force_output = 0x4000,
};
constexpr unsigned bad_handle = 0xffffffffu;
constexpr unsigned callback_done = 0, callback_continue = 1;
constexpr unsigned short middle_priority = 0x7fff;

struct HdError {
  unsigned code;
  int internal_code;
  unsigned device;
};

struct Hd {
  Library library;
  unsigned (*init)(const char*);
  void (*disable_device)(unsigned);
  void (*make_current)(unsigned);
  void (*enable)(unsigned);
  void (*begin)(unsigned);
  void (*end)(unsigned);
  void (*get_doubles)(unsigned, double*);
  void (*get_integers)(unsigned, int*);
  void (*set_doubles)(unsigned, const double*);
  const char* (*get_string)(unsigned);
  HdError (*get_error)();
  unsigned long (*schedule)(unsigned (*)(void*), void*, unsigned short);
  void (*unschedule)(unsigned long);
  void (*start)();
  void (*stop)();

  static Result<Hd> load(const std::string& file) {
    auto opened = Library::open({"libHD.so", "libHD.so.3.4"}, file,
                                "install OpenHaptics and the Touch driver of 3D Systems");
    if (!opened) return opened.error();
    Hd h{};
    h.library = std::move(*opened);
    h.library.find("hdInitDevice", h.init);
    h.library.find("hdDisableDevice", h.disable_device);
    h.library.find("hdMakeCurrentDevice", h.make_current);
    h.library.find("hdEnable", h.enable);
    h.library.find("hdBeginFrame", h.begin);
    h.library.find("hdEndFrame", h.end);
    h.library.find("hdGetDoublev", h.get_doubles);
    h.library.find("hdGetIntegerv", h.get_integers);
    h.library.find("hdSetDoublev", h.set_doubles);
    h.library.find("hdGetString", h.get_string);
    h.library.find("hdGetError", h.get_error);
    h.library.find("hdScheduleAsynchronous", h.schedule);
    h.library.find("hdUnschedule", h.unschedule);
    h.library.find("hdStartScheduler", h.start);
    h.library.find("hdStopScheduler", h.stop);
    if (auto ok = h.library.complete(); !ok) return ok.error();
    return h;
  }

  /// Whoever made the library calls the struct by another name, to which clang's check of function types
  /// objects.
#ifdef __clang__
  __attribute__((no_sanitize("function")))
#endif
  HdError
  error() const {
    return get_error();
  }
};

class OpenHapticsBackend final : public Backend {
 public:
  explicit OpenHapticsBackend(const DeviceSpec& spec) : file_(spec.library), device_(spec.serial) {}
  ~OpenHapticsBackend() override { close(); }

  Result<DeviceInfo> open() override {
    if (!hd_) {
      auto loaded = Hd::load(file_);
      if (!loaded) return loaded.error();
      hd_ = std::make_unique<Hd>(std::move(*loaded));
    }
    while (hd_->error().code != 0) {
    }
    // The vendor finds a device by the name that its set-up program gave it; null: the default one.
    handle_ = hd_->init(device_.empty() ? nullptr : device_.c_str());
    if (handle_ == bad_handle || hd_->error().code != 0) {
      handle_ = bad_handle;
      return Error{.message = "no Touch or Phantom answers",
                   .remedy =
                       "run the vendor's Touch_Setup and its diagnostic first; serial=NAME takes the "
                       "device of that name"};
    }
    hd_->make_current(handle_);
    DeviceInfo info{.kind = "openhaptics",
                    .name = text(model_type, "OpenHaptics device"),
                    .serial = text(serial_number, ""),
                    .limits = DeviceProfile{}};
    double box[6] = {}, force = 0;
    int senses = 6, feels = 3;
    hd_->get_doubles(usable_workspace, box);
    hd_->get_doubles(nominal_max_force, &force);
    hd_->get_integers(input_dof, &senses);
    hd_->get_integers(output_dof, &feels);
    // A corner in the device's axes is another corner in Palp's.
    const Vec3 a = 1e-3 * (axes_y_up * Vec3(box[0], box[1], box[2])),
               b = 1e-3 * (axes_y_up * Vec3(box[3], box[4], box[5]));
    if (a.allFinite() && b.allFinite()) {
      info.workspace_low = a.cwiseMin(b);
      info.workspace_high = a.cwiseMax(b);
    }
    if (force > 0 && force < info.limits.max_force_N) info.limits.max_force_N = force;
    info.senses = senses >= 6 ? 6 : 3;
    info.feels = feels >= 6 ? 6 : 3;
    torques_ = feels >= 6;
    info.buttons = 2;
    info.period_s = 1e-3;
    hd_->enable(force_output);
    while (hd_->error().code != 0) {
    }
    return info;
  }

  Exchange exchange(DevicePort& port) override {
    if (!running_) {
      port_ = &port;
      trouble_.store(0, std::memory_order_relaxed);
      ticks_.store(0, std::memory_order_relaxed);
      estimate_.reset();
      task_ = hd_->schedule(&OpenHapticsBackend::callback, this, middle_priority);
      hd_->start();
      running_ = true;
      seen_ = 0;
      quiet_since_us_ = now_us();
    }
    const timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
    const std::uint64_t ticks = ticks_.load(std::memory_order_relaxed);
    if (trouble_.load(std::memory_order_relaxed) != 0) return Exchange::gone;
    if (ticks != seen_) {
      seen_ = ticks;
      quiet_since_us_ = now_us();
      return Exchange::done;
    }
    if (now_us() - quiet_since_us_ > 3e4) port.missed();
    return now_us() - quiet_since_us_ > 1e6 ? Exchange::gone : Exchange::nothing;
  }

  void close() override {
    if (!hd_ || handle_ == bad_handle) return;
    if (running_) {
      hd_->stop();
      hd_->unschedule(task_);
      running_ = false;
    }
    const double zero[3] = {0, 0, 0};
    hd_->begin(handle_);
    hd_->set_doubles(current_force, zero);
    if (torques_) hd_->set_doubles(current_gimbal_torque, zero);
    hd_->end(handle_);
    hd_->disable_device(handle_);
    handle_ = bad_handle;
  }

  double period_s() const override { return 0; }

 private:
  std::string text(unsigned what, const char* otherwise) const {
    const char* t = hd_->get_string(what);
    return t ? t : otherwise;
  }

  static unsigned callback(void* self) { return static_cast<OpenHapticsBackend*>(self)->tick(); }
  /// On the vendor's thread: neither waits nor allocates.
  unsigned tick() {
    double m[16], v[3];
    int buttons = 0;
    hd_->begin(handle_);
    hd_->get_doubles(current_transform, m);
    hd_->get_doubles(current_velocity, v);
    hd_->get_integers(current_buttons, &buttons);
    DeviceFrame frame;
    DevicePose p;
    const Eigen::Map<const Eigen::Matrix4d> M(m);  // by columns
    const Mat3 R = M.topLeftCorner<3, 3>();
    const double now = now_us();
    if ((R.transpose() * R - Mat3::Identity()).norm() < 1e-3) {
      p.position = 1e-3 * M.topRightCorner<3, 1>();
      p.orientation = Quat(R);
      p.velocity = 1e-3 * Vec3(v);
      estimate_.fill_angular_velocity(p, now);
      frame.pose = from_axes(axes_y_up, p);
      frame.buttons = static_cast<unsigned>(buttons);
      port_->got(frame, now);
    } else {
      port_->refuse();
    }
    const Wrench w = to_axes(axes_y_up, port_->wanted(now));
    const double force[3] = {w.force.x(), w.force.y(), w.force.z()};
    hd_->set_doubles(current_force, force);
    if (torques_) {
      const double torque[3] = {1e3 * w.torque.x(), 1e3 * w.torque.y(), 1e3 * w.torque.z()};
      hd_->set_doubles(current_gimbal_torque, torque);
    }
    hd_->end(handle_);
    ticks_.fetch_add(1, std::memory_order_relaxed);
    // 0x01… is a mistake of ours, 0x03… a fault of the device: warm motors and the like end by themselves,
    // what concerns the connection does not.
    if (const unsigned code = hd_->error().code; code == 0x0302 || code == 0x0304 || code == 0x0305) {
      trouble_.store(code, std::memory_order_relaxed);
      return callback_done;
    }
    return callback_continue;
  }

  std::string file_, device_;
  std::unique_ptr<Hd> hd_;
  unsigned handle_ = bad_handle;
  unsigned long task_ = 0;
  bool running_ = false, torques_ = false;
  std::uint64_t seen_ = 0;
  double quiet_since_us_ = 0;
  // The vendor's thread, while it runs.
  DevicePort* port_ = nullptr;
  VelocityEstimate estimate_;
  std::atomic<unsigned> trouble_{0};
  std::atomic<std::uint64_t> ticks_{0};
};

}  // namespace

std::unique_ptr<Backend> make_openhaptics_backend(const DeviceSpec& spec) {
  return std::make_unique<OpenHapticsBackend>(spec);
}

}  // namespace palp
