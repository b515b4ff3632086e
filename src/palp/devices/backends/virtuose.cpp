// Haption Virtuose through its own API, in impedance mode: six degrees of freedom both ways. The functions
// are declared here as their documentation describes them.
// x towards the user, y to the right, z up; metres, newtons; quaternions x y z w.
#include "palp/base/clock.hpp"
#include "palp/devices/backends/axes.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/library.hpp"

namespace palp {
namespace {

constexpr int impedance = 1;  // the command type: force in, position and speed out
constexpr float step_s = 1e-3f;

struct Virt {
  Library library;
  void* (*open)(const char*);
  int (*close)(void*);
  int (*command_type)(void*, int);
  int (*power)(void*, int);
  int (*position)(void*, float*);
  int (*speed)(void*, float*);
  int (*force)(void*, float*);
  int (*button)(void*, int, int*);
  int (*error_code)(void*);
  const char* (*error_message)(int);
  // Those that are set once; without them the device's own defaults hold.
  int (*time_step)(void*, float);
  int (*force_factor)(void*, float);
  int (*speed_factor)(void*, float);
  int (*base_frame)(void*, float*);
  int (*observation_frame)(void*, float*);

  static Result<Virt> load(const std::string& file) {
    auto opened = Library::open({"libvirtuoseAPI.so", "libVirtuose.so", "libvirtuose.so"}, file,
                                "install Haption's Virtuose API and put its library where ldconfig finds it");
    if (!opened) return opened.error();
    Virt v{};
    v.library = std::move(*opened);
    v.library.find("virtOpen", v.open);
    v.library.find("virtClose", v.close);
    v.library.find("virtSetCommandType", v.command_type);
    v.library.find("virtSetPowerOn", v.power);
    v.library.find("virtGetPosition", v.position);
    v.library.find("virtGetSpeed", v.speed);
    v.library.find("virtSetForce", v.force);
    v.library.find("virtGetButton", v.button);
    v.library.find("virtGetErrorCode", v.error_code);
    v.library.find("virtGetErrorMessage", v.error_message);
    v.library.find_optional("virtSetTimeStep", v.time_step);
    v.library.find_optional("virtSetForceFactor", v.force_factor);
    v.library.find_optional("virtSetSpeedFactor", v.speed_factor);
    v.library.find_optional("virtSetBaseFrame", v.base_frame);
    v.library.find_optional("virtSetObservationFrame", v.observation_frame);
    if (auto ok = v.library.complete(); !ok) return ok.error();
    return v;
  }
};

class VirtuoseBackend final : public Backend {
 public:
  explicit VirtuoseBackend(const DeviceSpec& spec)
      : file_(spec.library), address_(spec.address.empty() ? "127.0.0.1#53210" : spec.address) {
    // The vendor writes HOST#PORT.
    const size_t colon = address_.rfind(':');
    if (colon != std::string::npos && address_.find('#') == std::string::npos) address_[colon] = '#';
  }
  ~VirtuoseBackend() override { close(); }

  Result<DeviceInfo> open() override {
    if (!virt_) {
      auto loaded = Virt::load(file_);
      if (!loaded) return loaded.error();
      virt_ = std::make_unique<Virt>(std::move(*loaded));
    }
    context_ = virt_->open(address_.c_str());
    if (!context_)
      return Error{.message = "no Virtuose answers at " + address_ + ": " + why(nullptr),
                   .remedy = "start Haption's service; --device NAME=virtuose,address=HOST#PORT"};
    float identity[7] = {0, 0, 0, 0, 0, 0, 1};
    float zero[6] = {};
    if (virt_->time_step) virt_->time_step(context_, step_s);
    if (virt_->force_factor) virt_->force_factor(context_, 1);
    if (virt_->speed_factor) virt_->speed_factor(context_, 1);
    if (virt_->base_frame) virt_->base_frame(context_, identity);
    if (virt_->observation_frame) virt_->observation_frame(context_, identity);
    if (virt_->command_type(context_, impedance) != 0 || virt_->force(context_, zero) != 0 ||
        virt_->power(context_, 1) != 0) {
      const std::string reason = why(context_);
      close();
      return Error{.message = "the Virtuose does not take forces: " + reason,
                   .remedy = "release its emergency stop and hold the handle's sensor"};
    }
    return DeviceInfo{.kind = "virtuose",
                      .name = "Virtuose at " + address_,
                      .workspace_low = Vec3(-0.6, -0.6, -0.6),
                      .workspace_high = Vec3(0.6, 0.6, 0.6),
                      .buttons = 2,
                      .period_s = step_s,
                      .limits = DeviceProfile{}};
  }

  Exchange exchange(DevicePort& port) override {
    const Wrench w = to_axes(axes_x_to_user, port.wanted(now_us()));
    float force[6] = {float(w.force.x()),  float(w.force.y()),  float(w.force.z()),
                      float(w.torque.x()), float(w.torque.y()), float(w.torque.z())};
    float x[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {};
    if (virt_->force(context_, force) != 0 || virt_->position(context_, x) != 0 ||
        virt_->speed(context_, v) != 0)
      return Exchange::gone;
    DevicePose p;
    p.position = Vec3(x[0], x[1], x[2]);
    p.orientation = Quat(x[6], x[3], x[4], x[5]);
    p.velocity = Vec3(v[0], v[1], v[2]);
    p.angular_velocity = Vec3(v[3], v[4], v[5]);
    DeviceFrame frame;
    frame.pose = from_axes(axes_x_to_user, p);
    for (int b = 0; b < 2; ++b) {
      int pressed = 0;
      if (virt_->button(context_, b + 1, &pressed) == 0 && pressed) frame.buttons |= 1u << b;
    }
    port.got(frame, now_us());
    return Exchange::done;
  }

  void close() override {
    if (!virt_ || !context_) return;
    float zero[6] = {};
    virt_->force(context_, zero);
    virt_->power(context_, 0);
    virt_->close(context_);
    context_ = nullptr;
  }

  double period_s() const override { return step_s; }

 private:
  std::string why(void* context) const {
    const char* text = virt_->error_message(virt_->error_code(context));
    return text ? text : "no reason given";
  }

  std::string file_, address_;
  std::unique_ptr<Virt> virt_;
  void* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> make_virtuose_backend(const DeviceSpec& spec) {
  return std::make_unique<VirtuoseBackend>(spec);
}

}  // namespace palp
