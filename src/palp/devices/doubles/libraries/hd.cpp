// A fake libHD with the vendor's thread, of 1 kHz unless the arm has another rate.
#include <atomic>

#include "library_arm.hpp"

#include "palp/base/clock.hpp"
#include "palp/devices/backends/axes.hpp"

using palp::Fault;
using palp::library_arm;

#define PALP_DOUBLE extern "C" __attribute__((visibility("default")))

namespace {

constexpr unsigned bad_handle = 0xffffffffu, handle = 1, communication_error = 0x0302;

std::atomic<unsigned> error{0};
std::atomic<bool> running{false};
unsigned (*callback)(void*) = nullptr;
void* callback_data = nullptr;
std::thread scheduler;
palp::DeviceFrame frame;  // of the present frame, between hdBeginFrame and hdEndFrame
palp::Wrench wanted;      // set in the present frame
const palp::Quat& axes = palp::axes_y_up;

void run() {
  auto due = std::chrono::steady_clock::now();
  for (bool go_on = true; running && go_on;) {
    const Fault fault = library_arm().fault();
    if (fault != Fault::silence && fault != Fault::closed && fault != Fault::unplugged && callback)
      go_on = callback(callback_data) == 1;
    else if (palp::away(fault)) {
      error = communication_error;
      go_on = !callback || callback(callback_data) == 1;
    }
    const auto period = std::chrono::microseconds(static_cast<long>(1e6 / library_arm().rate_Hz()));
    due += fault == Fault::late ? std::chrono::microseconds(60'000) : period;
    due = std::max(due, std::chrono::steady_clock::now() - std::chrono::milliseconds(5));
    std::this_thread::sleep_until(due);
  }
}

}  // namespace

PALP_DOUBLE palp::DoubleArm* palp_double_arm() { return &library_arm(); }

struct PalpHdError {
  unsigned code;
  int internal_code;
  unsigned device;
};

PALP_DOUBLE unsigned hdInitDevice(const char*) {
  if (palp::away(library_arm().fault())) {
    error = communication_error;
    return bad_handle;
  }
  library_arm().count_opening();
  return handle;
}
PALP_DOUBLE void hdDisableDevice(unsigned) { library_arm().enable(false); }
PALP_DOUBLE void hdMakeCurrentDevice(unsigned) {}
PALP_DOUBLE void hdEnable(unsigned what) {
  if (what == 0x4000) library_arm().enable(true);
}
PALP_DOUBLE void hdBeginFrame(unsigned) {
  frame = library_arm().read();
  wanted = {};
}
PALP_DOUBLE void hdEndFrame(unsigned) {
  if (!palp::away(library_arm().fault())) library_arm().command(wanted);
}
PALP_DOUBLE void hdGetDoublev(unsigned what, double* out) {
  const palp::DevicePose p = palp::from_axes(axes.conjugate(), frame.pose);
  if (what == 0x2052) {
    const double wrong = library_arm().fault() == Fault::malformed ? 3 : 1;
    Eigen::Map<Eigen::Matrix4d> M(out);
    M.setIdentity();
    M.topLeftCorner<3, 3>() = wrong * p.orientation.toRotationMatrix();
    M.topRightCorner<3, 1>() = 1e3 * p.position;
  } else if (what == 0x2051) {
    Eigen::Map<palp::Vec3> v(out);
    v = 1e3 * p.velocity;
  } else if (what == 0x2551) {
    const double box[6] = {-210, -110, -85, 210, 205, 130};  // mm
    std::copy(box, box + 6, out);
  } else if (what == 0x2603) {
    *out = 3.3;
  }
}
PALP_DOUBLE void hdGetIntegerv(unsigned what, int* out) {
  if (what == 0x2000) *out = static_cast<int>(frame.buttons);
  if (what == 0x2553) *out = 6;
  if (what == 0x2554) *out = 6;
}
PALP_DOUBLE void hdSetDoublev(unsigned what, const double* in) {
  if (what == 0x2700) wanted.force = axes * palp::Vec3(in);
  if (what == 0x2704) wanted.torque = 1e-3 * (axes * palp::Vec3(in));
}
PALP_DOUBLE const char* hdGetString(unsigned what) { return what == 0x2501 ? "double of a Touch X" : "0815"; }
// The vendor's function returns its structure by value, which C can do too.
#pragma GCC diagnostic push
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wreturn-type-c-linkage"
#endif
PALP_DOUBLE PalpHdError hdGetError() { return {error.exchange(0), 0, handle}; }
#pragma GCC diagnostic pop
PALP_DOUBLE unsigned long hdScheduleAsynchronous(unsigned (*f)(void*), void* data, unsigned short) {
  callback = f;
  callback_data = data;
  return 1;
}
PALP_DOUBLE void hdUnschedule(unsigned long) { callback = nullptr; }
PALP_DOUBLE void hdStartScheduler() {
  if (running.exchange(true)) return;
  scheduler = std::thread(run);
}
PALP_DOUBLE void hdStopScheduler() {
  running = false;
  if (scheduler.joinable()) scheduler.join();
}
