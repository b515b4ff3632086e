// A device of one's own behind datagrams: udp_protocol.hpp.
#include <algorithm>
#include <cerrno>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/udp_protocol.hpp"
#include "palp/devices/backends/velocity_estimate.hpp"

namespace palp {
namespace {

constexpr const char* usual_address = "127.0.0.1:47770";
constexpr double answer_s = 0.5;  ///< how long open() waits for somebody to answer

class UdpBackend final : public Backend {
 public:
  explicit UdpBackend(const DeviceSpec& spec)
      : address_(spec.address.empty() ? usual_address : spec.address) {}
  ~UdpBackend() override { shut(); }

  Result<DeviceInfo> open() override {
    if (auto ok = connect(); !ok) return ok.error();
    info_ = {.kind = "udp", .name = "device at " + address_, .limits = DeviceProfile{}};
    estimate_.reset();
    sequence_known_ = false;
    bool heard = false, told = false;
    // Poses alone will do; the information is waited for a little longer.
    for (const double until = now_us() + 1e6 * answer_s; now_us() < until && !told;) {
      send({}, udp::hello);
      for (const double next = now_us() + 5e4; now_us() < next && !told;) {
        const ssize_t size = receive(5);
        udp::InfoDatagram info;
        udp::PoseDatagram pose;
        if (size > 0 && udp::decode(buffer_, static_cast<size_t>(size), udp::info, info))
          told = take(info);
        else if (size > 0 && udp::decode(buffer_, static_cast<size_t>(size), udp::pose, pose))
          heard = true;
      }
    }
    if (!heard && !told) {
      shut();
      return Error{
          .message = "nobody answers Palp's datagrams at " + address_,
          .remedy = "start the device's program, or give its place: --device NAME=udp,address=HOST:PORT"};
    }
    return info_;
  }

  Exchange exchange(DevicePort& port) override {
    // The newest of what has come; an older one that was overtaken is dropped and counted.
    bool any = false;
    udp::PoseDatagram newest;
    for (int wait_ms = 10;; wait_ms = 0) {
      const ssize_t size = receive(wait_ms);
      if (size <= 0) break;
      udp::PoseDatagram d;
      udp::InfoDatagram info;
      if (udp::decode(buffer_, static_cast<size_t>(size), udp::pose, d)) {
        count(d.header.sequence, port);
        if (any) port.skipped(1);
        if (any && static_cast<std::int32_t>(d.header.sequence - newest.header.sequence) < 0) continue;
        newest = d;
        any = true;
      } else if (!udp::decode(buffer_, static_cast<size_t>(size), udp::info, info)) {
        port.refuse();
      }
    }
    const double now = now_us();
    if (any) {
      DeviceFrame frame = udp::frame_of(newest);
      answers_ = newest.header.sequence;
      if (!(newest.header.flags & udp::has_velocity)) estimate_.fill(frame.pose, now);
      port.got(frame, now);
      last_heard_us_ = now;
    }
    const Wrench wrench = port.wanted(now);
    if (any || now - last_sent_us_ > 1e4) send(wrench, now - last_heard_us_ > 1e6 ? udp::hello : 0);
    if (!any) port.missed();
    return any ? Exchange::done : Exchange::nothing;
  }

  void close() override {
    if (socket_ < 0) return;
    // A datagram may be lost: it is said more than once.
    for (int i = 0; i < 3; ++i) send({}, udp::bye);
    shut();
  }

  double period_s() const override { return 0; }
  /// A bridge may be as slow as a camera.
  double stale_s() const override { return std::max(0.05, 4 * info_.period_s); }

 private:
  Result<void> connect() {
    shut();
    const size_t colon = address_.rfind(':');
    const std::string host = address_.substr(0, colon),
                      service = colon == std::string::npos ? "47770" : address_.substr(colon + 1);
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_DGRAM;
    if (getaddrinfo(host.c_str(), service.c_str(), &wanted, &found) != 0 || !found)
      return Error{.message = address_ + " is no address",
                   .remedy = "address=HOST:PORT, e.g. " + std::string(usual_address)};
    socket_ = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // A connected socket hears this one device only.
    const bool ok = socket_ >= 0 && ::connect(socket_, found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    if (ok) return {};
    shut();
    return Error{.message = address_ + " cannot be reached", .remedy = "is the network up?"};
  }
  void shut() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  /// Size of the next datagram, or −1 when none comes in time.
  ssize_t receive(int wait_ms) {
    ssize_t size = ::recv(socket_, buffer_, sizeof(buffer_), 0);
    if (size >= 0 || wait_ms == 0) return size;
    pollfd p{socket_, POLLIN, 0};
    if (::poll(&p, 1, wait_ms) <= 0) return -1;
    return ::recv(socket_, buffer_, sizeof(buffer_), 0);
  }
  void send(const Wrench& w, unsigned flags) {
    udp::WrenchDatagram d;
    d.header.type = udp::wrench;
    d.header.flags = static_cast<std::uint16_t>(flags);
    d.header.sequence = ++sent_;
    d.header.extra = answers_;
    d.time_s = 1e-6 * now_us();
    for (int k = 0; k < 3; ++k) {
      d.force[k] = w.force[k];
      d.torque[k] = w.torque[k];
    }
    [[maybe_unused]] const ssize_t size = ::send(socket_, &d, sizeof(d), MSG_NOSIGNAL);
    last_sent_us_ = now_us();
  }
  void count(std::uint32_t sequence, DevicePort& port) {
    const auto ahead = static_cast<std::int32_t>(sequence - expected_);
    if (sequence_known_ && ahead > 0) port.skipped(static_cast<std::uint64_t>(ahead));
    if (!sequence_known_ || ahead >= 0) expected_ = sequence + 1;
    sequence_known_ = true;
  }
  bool take(const udp::InfoDatagram& d) {
    const auto text = [](const char(&bytes)[24]) {
      return std::string(bytes, strnlen(bytes, sizeof(bytes)));
    };
    const auto given = [](double v) { return std::isfinite(v) && v > 0; };
    info_.name = text(d.name);
    info_.serial = text(d.serial);
    info_.senses = d.senses <= 3 ? 3 : 6;
    info_.feels = d.feels == 0 ? 0 : d.feels <= 3 ? 3 : 6;
    info_.buttons = d.buttons;
    info_.gripper = d.gripper != 0;
    if (given(d.period_s) && d.period_s < 1) info_.period_s = d.period_s;
    // A device's own limits may be lower than the cautious ones, never higher: what comes by the network is
    // not a data sheet. Higher ones are the user's word (maxForce).
    if (given(d.max_force_N)) info_.limits.max_force_N = std::min(info_.limits.max_force_N, d.max_force_N);
    if (given(d.max_torque_Nm))
      info_.limits.max_torque_Nm = std::min(info_.limits.max_torque_Nm, d.max_torque_Nm);
    if (given(d.damping_N_s_per_m)) info_.limits.damping_N_s_per_m = std::min(d.damping_N_s_per_m, 20.0);
    const Vec3 low(d.workspace_low), high(d.workspace_high);
    if (low.allFinite() && high.allFinite() && (high - low).minCoeff() > 0) {
      info_.workspace_low = low;
      info_.workspace_high = high;
    }
    return true;
  }

  std::string address_;
  int socket_ = -1;
  alignas(8) unsigned char buffer_[512];
  DeviceInfo info_;
  VelocityEstimate estimate_;
  std::uint32_t sent_ = 0, answers_ = 0, expected_ = 0;
  bool sequence_known_ = false;
  double last_sent_us_ = 0, last_heard_us_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_udp_backend(const DeviceSpec& spec) {
  return std::make_unique<UdpBackend>(spec);
}

}  // namespace palp
