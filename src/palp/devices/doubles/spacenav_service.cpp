// spacenavd with a cap that is pushed as the arm moves.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "palp/devices/backends/rate_hand.hpp"
#include "palp/devices/doubles/services.hpp"

namespace palp {
namespace {

class SpacenavService final : public DoubleService {
 public:
  SpacenavService(DoubleArm& arm, std::string path) : arm_(arm), path_(std::move(path)) {}
  ~SpacenavService() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    if (listener_ >= 0) {
      ::close(listener_);
      ::unlink(path_.c_str());
    }
  }
  Result<void> start() {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (path_.size() >= sizeof(at.sun_path)) return Error{.message = path_ + " is too long for a socket"};
    std::memcpy(at.sun_path, path_.c_str(), path_.size() + 1);
    ::unlink(path_.c_str());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0 ||
        ::listen(listener_, 4) != 0)
      return Error{.message = path_ + " cannot be listened at",
                   .remedy = "another --port, which is a path here"};
    thread_ = std::thread([this] { serve(); });
    return {};
  }
  std::string address() const override { return path_; }

 private:
  void serve() {
    int client = -1;
    unsigned buttons = 0;
    while (!stop_) {
      pollfd p{listener_, POLLIN, 0};
      ::poll(&p, 1, 8);  // a SpaceMouse tells 125 times a second
      const Fault fault = arm_.fault();
      const bool away = fault == Fault::closed || fault == Fault::unplugged;
      if (p.revents & POLLIN) {
        const int next = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client >= 0 || away) {
          if (next >= 0) ::close(next);
        } else {
          client = next;
          arm_.count_opening();
        }
      }
      if (client < 0) continue;
      char ignored[64];
      const bool hung_up = ::recv(client, ignored, sizeof(ignored), MSG_DONTWAIT) == 0;
      if (away || hung_up || !tell(client, fault, buttons)) {
        ::close(client);
        client = -1;
      }
    }
    if (client >= 0) ::close(client);
  }
  bool tell(int client, Fault fault, unsigned& buttons) {
    if (fault == Fault::silence || fault == Fault::late) return true;
    const DeviceFrame f = arm_.read();
    const auto full = [](double v) {
      return static_cast<std::int32_t>(
          std::lround(350 * std::clamp(v / RateHand::fastest_m_per_s, -1.0, 1.0)));
    };
    const Vec3& v = f.pose.velocity;
    std::int32_t packet[8] = {0, full(v.x()), full(v.z()), full(v.y()), 0, 0, 0, 8};
    if (fault == Fault::nan || fault == Fault::units) packet[1] = 0x7fffffff;
    if (fault == Fault::stuck) packet[1] = 350;
    if (fault == Fault::jump) packet[1] = (++odd_ % 2) ? 350 : -350;
    if (fault == Fault::malformed) packet[0] = -7;
    if (!send(client, packet)) return false;
    for (int b = 0; b < 2; ++b)
      if (((f.buttons ^ buttons) >> b) & 1) {
        const std::int32_t press[8] = {((f.buttons >> b) & 1) ? 1 : 2, b, 0, 0, 0, 0, 0, 0};
        if (!send(client, press)) return false;
      }
    buttons = f.buttons;
    return true;
  }
  static bool send(int client, const std::int32_t (&packet)[8]) {
    return ::send(client, packet, sizeof(packet), MSG_NOSIGNAL) == sizeof(packet);
  }

  DoubleArm& arm_;
  std::string path_;
  int listener_ = -1, odd_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<DoubleService>> start_spacenav_double(DoubleArm& arm, const std::string& path) {
  auto service = std::make_unique<SpacenavService>(arm, path);
  if (auto ok = service->start(); !ok) return ok.error();
  return std::unique_ptr<DoubleService>(std::move(service));
}

}  // namespace palp
