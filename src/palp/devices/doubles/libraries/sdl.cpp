// A fake SDL2 with one gamepad, whose sticks are pushed as the arm moves. How strongly it is told to rumble,
// 0 to 1, counts as the newtons of the arm's log.
#include <cmath>
#include <cstdint>

#include "library_arm.hpp"

#include "palp/base/clock.hpp"
#include "palp/devices/backends/rate_hand.hpp"

using palp::Fault;
using palp::library_arm;

#define PALP_DOUBLE extern "C" __attribute__((visibility("default")))

namespace {

constexpr double dead_zone = 0.15;  // of a pad's sticks, as its users know it
int pad_storage = 0, updates = 0;
double rumble_ends_us = 0;

std::int16_t deflection(double speed) {
  const double share = std::clamp(speed / palp::RateHand::fastest_m_per_s, -1.0, 1.0);
  if (std::abs(share) < 1e-9) return 0;
  return static_cast<std::int16_t>(
      std::lround(32767 * (share * (1 - dead_zone) + std::copysign(dead_zone, share))));
}

void shake(double strength) { library_arm().command({palp::Vec3(strength, 0, 0), palp::Vec3::Zero()}); }

}  // namespace

PALP_DOUBLE palp::DoubleArm* palp_double_arm() { return &library_arm(); }

PALP_DOUBLE int SDL_InitSubSystem(std::uint32_t) { return 0; }
PALP_DOUBLE void SDL_QuitSubSystem(std::uint32_t) {}
PALP_DOUBLE int SDL_SetHint(const char*, const char*) { return 1; }
PALP_DOUBLE int SDL_NumJoysticks() { return palp::away(library_arm().fault()) ? 0 : 1; }
PALP_DOUBLE int SDL_IsGameController(int) { return 1; }
PALP_DOUBLE void* SDL_GameControllerOpen(int) {
  library_arm().count_opening();
  library_arm().enable(true);
  return &pad_storage;
}
PALP_DOUBLE void SDL_GameControllerClose(void*) { library_arm().enable(false); }
PALP_DOUBLE int SDL_GameControllerGetAttached(void*) { return !palp::away(library_arm().fault()); }
PALP_DOUBLE const char* SDL_GameControllerName(void*) { return "double of a gamepad"; }
PALP_DOUBLE void SDL_GameControllerUpdate() {
  palp::delay(library_arm().fault());
  ++updates;
  // A pad stops by itself.
  if (rumble_ends_us > 0 && palp::now_us() > rumble_ends_us) {
    rumble_ends_us = 0;
    shake(0);
  }
}
PALP_DOUBLE std::int16_t SDL_GameControllerGetAxis(void*, int axis) {
  const Fault fault = library_arm().fault();
  // What a 16-bit number can be wrong by: full to a side, or beyond what the other side reaches.
  if (fault == Fault::stuck) return axis == 0 ? 32767 : 0;
  if (fault == Fault::jump) return updates % 2 ? 32767 : -32768;
  if (fault == Fault::nan || fault == Fault::units || fault == Fault::malformed) return -32768;
  const palp::Vec3 v = library_arm().read().pose.velocity;
  return axis == 0 ? deflection(v.x()) : axis == 1 ? deflection(-v.y()) : axis == 3 ? deflection(-v.z()) : 0;
}
PALP_DOUBLE std::uint8_t SDL_GameControllerGetButton(void*, int button) {
  return (library_arm().truth().buttons >> button) & 1u;
}
PALP_DOUBLE int SDL_GameControllerRumble(void*, std::uint16_t low, std::uint16_t, std::uint32_t ms) {
  const Fault fault = library_arm().fault();
  if (palp::away(fault)) return -1;
  shake(low / 65535.0);
  rumble_ends_us = low > 0 ? palp::now_us() + 1e3 * ms : 0;
  return fault == Fault::saturated ? -1 : 0;
}
