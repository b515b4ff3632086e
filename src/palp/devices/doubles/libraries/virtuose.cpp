// A fake Virtuose API: floats, quaternions x y z w, nonzero for errors.
#include "library_arm.hpp"

#include "palp/devices/backends/axes.hpp"

using palp::Fault;
using palp::library_arm;

#define PALP_DOUBLE extern "C" __attribute__((visibility("default")))

namespace {

int context_storage = 0;
bool powered = false;

bool answers(void* context) { return context == &context_storage && !palp::away(library_arm().fault()); }

palp::DevicePose pose(unsigned* buttons = nullptr) {
  const palp::DeviceFrame f = library_arm().read();
  if (buttons) *buttons = f.buttons;
  return palp::from_axes(palp::axes_x_to_user.conjugate(), f.pose);
}

}  // namespace

PALP_DOUBLE palp::DoubleArm* palp_double_arm() { return &library_arm(); }

PALP_DOUBLE void* virtOpen(const char*) {
  if (palp::away(library_arm().fault())) return nullptr;
  library_arm().count_opening();
  return &context_storage;
}
PALP_DOUBLE int virtClose(void*) {
  library_arm().enable(false);
  return 0;
}
PALP_DOUBLE int virtSetCommandType(void* c, int) { return answers(c) ? 0 : -1; }
PALP_DOUBLE int virtSetPowerOn(void* c, int on) {
  if (!answers(c)) return -1;
  powered = on != 0;
  library_arm().enable(powered);
  return 0;
}
PALP_DOUBLE int virtGetPosition(void* c, float* x) {
  palp::delay(library_arm().fault());
  if (!answers(c)) return -1;
  const palp::DevicePose p = pose();
  const float wrong = library_arm().fault() == Fault::malformed ? 5 : 1;
  for (int k = 0; k < 3; ++k) x[k] = static_cast<float>(p.position[k]);
  for (int k = 0; k < 4; ++k) x[3 + k] = wrong * static_cast<float>(p.orientation.coeffs()[k]);
  return 0;
}
PALP_DOUBLE int virtGetSpeed(void* c, float* v) {
  if (!answers(c)) return -1;
  const palp::DevicePose p = pose();
  for (int k = 0; k < 3; ++k) {
    v[k] = static_cast<float>(p.velocity[k]);
    v[3 + k] = static_cast<float>(p.angular_velocity[k]);
  }
  return 0;
}
PALP_DOUBLE int virtSetForce(void* c, float* f) {
  if (!answers(c)) return -1;
  const palp::Quat& axes = palp::axes_x_to_user;
  library_arm().command({axes * palp::Vec3(f[0], f[1], f[2]), axes * palp::Vec3(f[3], f[4], f[5])});
  return 0;
}
PALP_DOUBLE int virtGetButton(void* c, int button, int* pressed) {
  if (!answers(c)) return -1;
  unsigned buttons = 0;
  pose(&buttons);
  *pressed = (buttons >> (button - 1)) & 1u;
  return 0;
}
PALP_DOUBLE int virtGetErrorCode(void*) { return 1; }
PALP_DOUBLE const char* virtGetErrorMessage(int) { return "the double was told to fail"; }
