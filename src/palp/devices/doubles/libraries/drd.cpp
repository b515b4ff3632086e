// A fake libdrd: one device with a wrist and a gripper, number 0.
#include "library_arm.hpp"

#include "palp/devices/backends/axes.hpp"

using palp::Fault;
using palp::library_arm;

#define PALP_DOUBLE extern "C" __attribute__((visibility("default")))

namespace {

constexpr char number = 0;
bool is_open = false;

/// The pose in the vendor's axes; false: the device does not answer.
bool read(char id, palp::DevicePose& pose, unsigned* buttons = nullptr) {
  const Fault fault = library_arm().fault();
  if (!is_open || id != number || palp::away(fault)) return false;
  const palp::DeviceFrame f = library_arm().read();
  pose = palp::from_axes(palp::axes_x_to_user.conjugate(), f.pose);
  if (buttons) *buttons = f.buttons;
  return true;
}

int numbers(const palp::Vec3& v, double* x, double* y, double* z) {
  *x = v.x();
  *y = v.y();
  *z = v.z();
  return 0;
}

}  // namespace

PALP_DOUBLE palp::DoubleArm* palp_double_arm() { return &library_arm(); }

PALP_DOUBLE int dhdGetDeviceCount() { return library_arm().fault() == Fault::unplugged ? 0 : 1; }
PALP_DOUBLE int dhdOpenID(char index) {
  if (index != 0 || palp::away(library_arm().fault())) return -1;
  is_open = true;
  library_arm().count_opening();
  return number;
}
PALP_DOUBLE int dhdClose(char) {
  is_open = false;
  library_arm().enable(false);
  return 0;
}
PALP_DOUBLE int dhdGetPosition(double* x, double* y, double* z, char id) {
  palp::DevicePose p;
  palp::delay(library_arm().fault());
  return read(id, p) ? numbers(p.position, x, y, z) : -1;
}
PALP_DOUBLE int dhdGetOrientationFrame(double (*R)[3], char id) {
  palp::DevicePose p;
  if (!read(id, p)) return -1;
  const palp::Mat3 m = p.orientation.toRotationMatrix();
  const double wrong = library_arm().fault() == Fault::malformed ? 2 : 1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[i][j] = wrong * m(i, j);
  return 0;
}
PALP_DOUBLE int dhdGetLinearVelocity(double* x, double* y, double* z, char id) {
  palp::DevicePose p;
  return read(id, p) ? numbers(p.velocity, x, y, z) : -1;
}
PALP_DOUBLE int dhdGetAngularVelocityRad(double* x, double* y, double* z, char id) {
  palp::DevicePose p;
  return read(id, p) ? numbers(p.angular_velocity, x, y, z) : -1;
}
PALP_DOUBLE int dhdGetButtonMask(char id) {
  palp::DevicePose p;
  unsigned buttons = 0;
  return read(id, p, &buttons) ? static_cast<int>(buttons) : -1;
}
PALP_DOUBLE int dhdEnableForce(unsigned char on, char id) {
  if (!is_open || id != number || palp::away(library_arm().fault())) return -1;
  library_arm().enable(on != 0);
  return 0;
}
PALP_DOUBLE int dhdSetForceAndTorqueAndGripperForce(double fx, double fy, double fz, double tx, double ty,
                                                    double tz, double, char id) {
  const Fault fault = library_arm().fault();
  if (!is_open || id != number || palp::away(fault)) return -1;
  const palp::Quat& axes = palp::axes_x_to_user;
  library_arm().command({axes * palp::Vec3(fx, fy, fz), axes * palp::Vec3(tx, ty, tz)});
  return fault == Fault::saturated ? 2 : 0;
}
PALP_DOUBLE bool dhdHasWrist(char) { return true; }
PALP_DOUBLE bool dhdHasActiveWrist(char) { return true; }
PALP_DOUBLE bool dhdHasGripper(char) { return true; }
PALP_DOUBLE int dhdGetGripperGap(double* gap, char) {
  *gap = 0.01;
  return 0;
}
PALP_DOUBLE int dhdGetSerialNumber(unsigned short* serial, char) {
  *serial = 4711;
  return 0;
}
PALP_DOUBLE const char* dhdGetSystemName(char) { return "double of an omega.7"; }
PALP_DOUBLE const char* dhdErrorGetLastStr() { return "the double was told to fail"; }
