// A device that speaks Palp's datagrams, as somebody's own program would.
#include <cmath>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/udp_protocol.hpp"
#include "palp/devices/doubles/services.hpp"

namespace palp {
namespace {

constexpr double watchdog_s = 0.05;  ///< without a wrench for so long a device renders nothing

class UdpDevice final : public DoubleService {
 public:
  explicit UdpDevice(DoubleArm& arm) : arm_(arm), period_us_(1e6 / arm.rate_Hz()) {}
  ~UdpDevice() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    if (socket_ >= 0) ::close(socket_);
  }
  Result<void> start(unsigned short port) {
    socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(at);
    if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0 ||
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) != 0)
      return Error{.message = "port " + std::to_string(port) + " is taken", .remedy = "--port"};
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this] { serve(); });
    return {};
  }
  std::string address() const override { return "127.0.0.1:" + std::to_string(port_); }

 private:
  void serve() {
    double due_us = now_us(), heard_us = 0;
    bool resting = true;
    while (!stop_) {
      pollfd p{socket_, POLLIN, 0};
      const double wait_us = std::max(0.0, due_us - now_us());
      const timespec patience{0, static_cast<long>(1e3 * std::min(wait_us, 5e4))};
      ::ppoll(&p, 1, &patience, nullptr);
      hear(heard_us, resting);
      const double now = now_us();
      if (peer_known_ && !resting && now - heard_us > 1e6 * watchdog_s) {
        arm_.command({});
        resting = true;
      }
      if (now < due_us) continue;
      due_us = std::max(due_us + period_us_, now - period_us_);
      const Fault fault = arm_.fault();
      if (fault == Fault::late) due_us = now + 8e4;
      if (!peer_known_ || fault == Fault::silence || fault == Fault::closed || fault == Fault::unplugged)
        continue;
      tell(fault);
    }
  }
  void hear(double& heard_us, bool& resting) {
    alignas(8) unsigned char bytes[512];
    for (;;) {
      sockaddr_in from{};
      socklen_t length = sizeof(from);
      const ssize_t size =
          ::recvfrom(socket_, bytes, sizeof(bytes), 0, reinterpret_cast<sockaddr*>(&from), &length);
      if (size < 0) return;
      udp::WrenchDatagram d;
      if (!udp::decode(bytes, static_cast<size_t>(size), udp::wrench, d)) continue;
      const Fault fault = arm_.fault();
      // A device without power hears nothing.
      if (fault == Fault::closed || fault == Fault::unplugged) continue;
      if (!peer_known_) {
        if (d.header.flags & udp::bye) continue;  // it is said more than once
        arm_.count_opening();
        arm_.enable(true);
      }
      peer_ = from;
      peer_known_ = true;
      heard_us = now_us();
      arm_.command({Vec3(d.force), Vec3(d.torque)});
      resting = Vec3(d.force).isZero(0) && Vec3(d.torque).isZero(0);
      if (d.header.flags & udp::hello) tell_info();
      if (d.header.flags & udp::bye) {
        peer_known_ = false;
        arm_.enable(false);
      }
    }
  }
  void send(const void* bytes, size_t size) {
    [[maybe_unused]] const ssize_t sent = ::sendto(socket_, bytes, size, MSG_NOSIGNAL,
                                                   reinterpret_cast<const sockaddr*>(&peer_), sizeof(peer_));
  }
  void tell(Fault fault) {
    if (fault == Fault::malformed) {
      const char garbage[40] = "PALP is what this begins with, no more";
      return send(garbage, sizeof(garbage));
    }
    const DeviceFrame f = arm_.read();
    udp::PoseDatagram d;
    d.header.type = udp::pose;
    d.header.flags = udp::has_velocity;
    d.header.sequence = ++sequence_;
    d.header.extra = f.buttons;
    d.time_s = 1e-6 * now_us();
    for (int k = 0; k < 3; ++k) {
      d.position[k] = f.pose.position[k];
      d.velocity[k] = f.pose.velocity[k];
      d.angular_velocity[k] = f.pose.angular_velocity[k];
    }
    for (int k = 0; k < 4; ++k) d.orientation[k] = f.pose.orientation.coeffs()[k];
    send(&d, sizeof(d));
  }
  void tell_info() {
    udp::InfoDatagram d;
    d.header.type = udp::info;
    d.buttons = 2;
    d.max_force_N = 5;
    d.max_torque_Nm = 0.2;
    d.period_s = 1e-6 * period_us_;
    for (int k = 0; k < 3; ++k) {
      d.workspace_low[k] = -0.15;
      d.workspace_high[k] = 0.15;
    }
    std::memcpy(d.name, "double", 7);
    std::memcpy(d.serial, "1", 2);
    send(&d, sizeof(d));
  }

  DoubleArm& arm_;
  double period_us_;
  int socket_ = -1;
  unsigned short port_ = 0;
  sockaddr_in peer_{};
  bool peer_known_ = false;
  std::uint32_t sequence_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<DoubleService>> start_udp_double(DoubleArm& arm, unsigned short port) {
  auto device = std::make_unique<UdpDevice>(arm);
  if (auto ok = device->start(port); !ok) return ok.error();
  return std::unique_ptr<DoubleService>(std::move(device));
}

}  // namespace palp
