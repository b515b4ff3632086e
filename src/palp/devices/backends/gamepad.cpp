// A gamepad through SDL2: the left stick moves the hand in x and y, the right stick up and down and about z;
// it rumbles with the rate at which the force changes, which is what a contact or a click feels like without
// a motor in the arm.
#include <algorithm>
#include <cmath>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/library.hpp"
#include "palp/devices/backends/rate_hand.hpp"

namespace palp {
namespace {

constexpr std::uint32_t init_gamecontroller = 0x2000;
constexpr double dead_zone = 0.15;
/// A force that changes by so much in a second shakes as strongly as the motors can.
constexpr double full_rumble_N_per_s = 100;
constexpr std::uint32_t rumble_ms = 60;  ///< longer than the time between two calls; ends by itself

struct Sdl {
  Library library;
  int (*init)(std::uint32_t);
  void (*quit)(std::uint32_t);
  int (*hint)(const char*, const char*);
  int (*count)();
  int (*is_controller)(int);
  void* (*open)(int);
  void (*close)(void*);
  int (*attached)(void*);
  const char* (*name)(void*);
  std::int16_t (*axis)(void*, int);
  std::uint8_t (*button)(void*, int);
  void (*update)();
  int (*rumble)(void*, std::uint16_t, std::uint16_t, std::uint32_t);

  static Result<Sdl> load(const std::string& file) {
    auto opened = Library::open({"libSDL2-2.0.so.0", "libSDL2.so"}, file, "apt install libsdl2-2.0-0");
    if (!opened) return opened.error();
    Sdl s{};
    s.library = std::move(*opened);
    s.library.find("SDL_InitSubSystem", s.init);
    s.library.find("SDL_QuitSubSystem", s.quit);
    s.library.find("SDL_SetHint", s.hint);
    s.library.find("SDL_NumJoysticks", s.count);
    s.library.find("SDL_IsGameController", s.is_controller);
    s.library.find("SDL_GameControllerOpen", s.open);
    s.library.find("SDL_GameControllerClose", s.close);
    s.library.find("SDL_GameControllerGetAttached", s.attached);
    s.library.find("SDL_GameControllerName", s.name);
    s.library.find("SDL_GameControllerGetAxis", s.axis);
    s.library.find("SDL_GameControllerGetButton", s.button);
    s.library.find("SDL_GameControllerUpdate", s.update);
    s.library.find("SDL_GameControllerRumble", s.rumble);
    if (auto ok = s.library.complete(); !ok) return ok.error();
    return s;
  }
};

class GamepadBackend final : public Backend {
 public:
  explicit GamepadBackend(const DeviceSpec& spec) : file_(spec.library) {}
  ~GamepadBackend() override {
    close();
    if (begun_) sdl_->quit(init_gamecontroller);
  }

  Result<DeviceInfo> open() override {
    if (!sdl_) {
      auto loaded = Sdl::load(file_);
      if (!loaded) return loaded.error();
      sdl_ = std::make_unique<Sdl>(std::move(*loaded));
    }
    if (!begun_) {
      // There is no window that could have the focus, and the program's signals are its own.
      sdl_->hint("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1");
      sdl_->hint("SDL_NO_SIGNAL_HANDLERS", "1");
      if (sdl_->init(init_gamecontroller) != 0)
        return Error{.message = "SDL2 cannot look for gamepads", .remedy = "may this user read /dev/input?"};
      begun_ = true;
    }
    sdl_->update();
    for (int i = 0; i < sdl_->count() && !pad_; ++i)
      if (sdl_->is_controller(i)) pad_ = sdl_->open(i);
    if (!pad_) return Error{.message = "no gamepad is plugged in", .remedy = "plug one in, or pair it"};
    hand_ = {};
    rumbled_us_ = 0;
    const char* name = sdl_->name(pad_);
    return DeviceInfo{.kind = "gamepad",
                      .name = name ? name : "gamepad",
                      .workspace_low = Vec3::Constant(-RateHand::reach_m),
                      .workspace_high = Vec3::Constant(RateHand::reach_m),
                      .feels = 0,
                      .buttons = 15,
                      .period_s = 2e-3,
                      .limits = DeviceProfile{}};
  }

  Exchange exchange(DevicePort& port) override {
    sdl_->update();
    if (!sdl_->attached(pad_)) return Exchange::gone;
    const auto stick = [&](int axis) {
      const double value = std::clamp(sdl_->axis(pad_, axis) / 32767.0, -1.0, 1.0);
      return std::abs(value) < dead_zone ? 0.0 : (value - std::copysign(dead_zone, value)) / (1 - dead_zone);
    };
    // Sticks count downwards as positive.
    hand_.push({stick(0), -stick(1), -stick(3)}, {0, 0, -stick(2)});
    DeviceFrame frame;
    const double now = now_us();
    frame.pose = hand_.advance(now);
    for (int b = 0; b < 15; ++b)
      if (sdl_->button(pad_, b)) frame.buttons |= 1u << b;
    port.got(frame, now);
    rumble(port.wanted(now), now);
    return Exchange::done;
  }

  void close() override {
    if (!pad_) return;
    sdl_->rumble(pad_, 0, 0, 0);
    sdl_->close(pad_);
    pad_ = nullptr;
  }
  double period_s() const override { return 2e-3; }

 private:
  /// Fifty times a second: more often a pad does not take it.
  void rumble(const Wrench& w, double now) {
    const double dt = 1e-6 * (now - rumbled_us_);
    if (dt < 0.02) return;
    const double rate = rumbled_us_ > 0 ? (w.force - force_).norm() / dt : 0;
    const auto strength = static_cast<std::uint16_t>(65535 * std::min(1.0, rate / full_rumble_N_per_s));
    if (strength > 0 || shaking_) sdl_->rumble(pad_, strength, strength, rumble_ms);
    shaking_ = strength > 0;
    force_ = w.force;
    rumbled_us_ = now;
  }

  std::string file_;
  std::unique_ptr<Sdl> sdl_;
  bool begun_ = false, shaking_ = false;
  void* pad_ = nullptr;
  RateHand hand_;
  Vec3 force_ = Vec3::Zero();
  double rumbled_us_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_gamepad_backend(const DeviceSpec& spec) {
  return std::make_unique<GamepadBackend>(spec);
}

}  // namespace palp
