// A SpaceMouse behind spacenavd: packets of eight 32-bit numbers on a local socket,
//     0, x, y, z, rx, ry, rz, milliseconds      motion; nothing comes while the cap rests where it was left
//     1, button, …                              pressed         2, button, …   released
// x to the right, y up, z away from the user: a left-handed frame, so turns change their sign. It has no
// force: what the hand would feel can be seen only.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/rate_hand.hpp"

namespace palp {
namespace {

constexpr double full_deflection = 350;

class SpacenavBackend final : public Backend {
 public:
  explicit SpacenavBackend(const DeviceSpec& spec) : address_(spec.address) {
    const char* set = std::getenv("SPNAV_SOCKET");
    if (address_.empty()) address_ = set ? set : "/var/run/spnav.sock";
  }
  ~SpacenavBackend() override { close(); }

  Result<DeviceInfo> open() override {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    if (address_.size() >= sizeof(to.sun_path))
      return Error{.message = "the path of spacenavd's socket is too long", .remedy = "address=PATH"};
    std::memcpy(to.sun_path, address_.c_str(), address_.size() + 1);
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
      close();
      return Error{.message = "spacenavd does not answer at " + address_,
                   .remedy = "apt install spacenavd, and systemctl start spacenavd"};
    }
    filled_ = 0;
    buttons_ = 0;
    hand_ = {};
    return DeviceInfo{.kind = "spacenav",
                      .name = "SpaceMouse",
                      .workspace_low = Vec3::Constant(-RateHand::reach_m),
                      .workspace_high = Vec3::Constant(RateHand::reach_m),
                      .feels = 0,
                      .buttons = 2,
                      .period_s = 1e-3,
                      .limits = DeviceProfile{}};
  }

  Exchange exchange(DevicePort& port) override {
    // The force is passed all the same, so that the heartbeat and the counters are those of every device.
    port.wanted(now_us());
    for (;;) {
      const ssize_t size = ::recv(socket_, bytes_ + filled_, sizeof(bytes_) - filled_, 0);
      if (size == 0) return Exchange::gone;
      if (size < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) break;
        return Exchange::gone;
      }
      filled_ += static_cast<size_t>(size);
      if (filled_ < sizeof(bytes_)) continue;
      filled_ = 0;
      if (!obey()) {
        port.refuse();
        return Exchange::gone;  // where the next packet begins is not known any more
      }
    }
    DeviceFrame frame;
    const double now = now_us();
    frame.pose = hand_.advance(now);
    frame.buttons = buttons_;
    port.got(frame, now);
    return Exchange::done;
  }

  void close() override {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  double period_s() const override { return 1e-3; }

 private:
  bool obey() {
    std::int32_t packet[8];
    std::memcpy(packet, bytes_, sizeof(packet));
    const auto share = [&](int i) { return std::clamp(packet[i] / full_deflection, -1.0, 1.0); };
    if (packet[0] == 0) {
      for (int i = 1; i <= 6; ++i)
        if (std::abs(static_cast<double>(packet[i])) > 1e5) return false;
      hand_.push({share(1), share(3), share(2)}, {-share(4), -share(6), -share(5)});
    } else if (packet[0] == 1 || packet[0] == 2) {
      if (packet[1] < 0 || packet[1] > 31) return false;
      const unsigned bit = 1u << packet[1];
      buttons_ = packet[0] == 1 ? buttons_ | bit : buttons_ & ~bit;
    }
    return packet[0] >= 0 && packet[0] <= 16;  // newer daemons send more sorts, which say nothing of the hand
  }

  std::string address_;
  int socket_ = -1;
  unsigned char bytes_[32];
  size_t filled_ = 0;
  unsigned buttons_ = 0;
  RateHand hand_;
};

}  // namespace

std::unique_ptr<Backend> make_spacenav_backend(const DeviceSpec& spec) {
  return std::make_unique<SpacenavBackend>(spec);
}

}  // namespace palp
