// Haply Inverse3 through Haply's service (3.1 to 3.5): JSON over a WebSocket on this machine. The service
// first tells what there is, then answers every command with one state: the client sets the rate.
// Right-handed, z up; metres, newtons. Three degrees of freedom of force; the orientation is a grip's.
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "palp/base/clock.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/backends/velocity_estimate.hpp"
#include "palp/devices/backends/websocket.hpp"

namespace palp {
namespace {

using Json = nlohmann::json;
constexpr double prompt_s = 0.02;  ///< an answer that takes longer is missed
constexpr int most_unanswered = 4;
constexpr double last_word_s = 0.5;

const Json* member(const Json* j, const char* key) {
  if (!j || !j->is_object()) return nullptr;
  const auto found = j->find(key);
  return found == j->end() ? nullptr : &*found;
}

/// What is no number is NaN: the port refuses it.
double number(const Json* j, const char* key) {
  const Json* n = member(j, key);
  return n && n->is_number() ? n->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Vec3 vector(const Json* j) { return {number(j, "x"), number(j, "y"), number(j, "z")}; }

class HaplyBackend final : public Backend {
 public:
  explicit HaplyBackend(const DeviceSpec& spec) : wanted_id_(spec.serial) {
    const std::string address = spec.address.empty() ? "127.0.0.1:10001" : spec.address;
    const size_t colon = address.rfind(':');
    host_ = address.substr(0, colon);
    port_ = colon == std::string::npos ? "10001" : address.substr(colon + 1);
  }

  Result<DeviceInfo> open() override {
    auto connected = WebSocket::connect(host_, port_, 1);
    if (!connected)
      return Error{.message = "Haply's service does not answer: " + connected.error().message,
                   .remedy = "install and start the Haply Inverse service"};
    socket_ = std::make_unique<WebSocket>(std::move(*connected));
    if (socket_->receive(text_, 1) != WebSocket::Got::message) {
      socket_.reset();
      return Error{.message = "Haply's service says nothing", .remedy = "start it again"};
    }
    const Json inventory = Json::parse(text_, nullptr, false);
    const Json* device = find_device(inventory);
    if (!device) {
      socket_.reset();
      return Error{.message = wanted_id_.empty() ? "Haply's service knows no Inverse3"
                                                 : "Haply's service knows no Inverse3 '" + wanted_id_ + "'",
                   .remedy = "look at its cable and its lamp, and calibrate it in Haply's hub"};
    }
    // 3.1 tells the `mode` and wants `values`; since 3.5 it is `control_mode` and `vector`.
    key_ = member(member(device, "state"), "control_mode") ? "vector" : "values";
    unanswered_ = 0;
    sent_us_ = 0;
    heard_us_ = now_us();
    estimate_.reset();
    return DeviceInfo{.kind = "haply",
                      .name = "Haply Inverse3",
                      .serial = id_,
                      .workspace_low = Vec3(-0.2, -0.25, -0.05),
                      .workspace_high = Vec3(0.2, 0.25, 0.45),
                      .senses = has_grip(inventory) ? 6 : 3,
                      .feels = 3,
                      .buttons = 3,
                      .limits = DeviceProfile{}};
  }

  Exchange exchange(DevicePort& port) override {
    const double now = now_us();
    const Wrench w = port.wanted(now);
    // A slow service is not flooded: what it has not answered it has not rendered either.
    if (unanswered_ < most_unanswered || now - sent_us_ > 1e5) {
      if (!command(w.force)) return Exchange::gone;
      ++unanswered_;
      sent_us_ = now_us();
    }
    // Of answers that have queued up only the newest is heeded.
    bool any = false;
    for (double patience_s = prompt_s;; patience_s = 0) {
      const WebSocket::Got got = socket_->receive(text_, patience_s);
      if (got == WebSocket::Got::closed) return Exchange::gone;
      if (got == WebSocket::Got::nothing) break;
      if (any) port.skipped(1);
      any = true;
      heard_us_ = now_us();
      const bool prompt = heard_us_ - sent_us_ < 0.5e6 * prompt_s;
      unanswered_ = prompt ? 0 : std::max(0, unanswered_ - 1);
    }
    if (any) return take(port);
    port.missed();
    if (now_us() - heard_us_ > 0.25e6) unanswered_ = 0;  // those will not come any more
    return now_us() - heard_us_ > 1e6 ? Exchange::gone : Exchange::nothing;
  }

  void close() override {
    if (!socket_) return;
    // A connection that ends before the service has read everything may lose the last word: its answer is
    // waited for.
    if (command(Vec3::Zero())) ++unanswered_;
    for (const double until = now_us() + 1e6 * last_word_s; unanswered_ > 0 && now_us() < until;) {
      const WebSocket::Got got = socket_->receive(text_, prompt_s);
      if (got == WebSocket::Got::closed) break;
      if (got == WebSocket::Got::message) --unanswered_;
    }
    socket_->close();
    socket_.reset();
  }

  /// The service answers several thousand times a second; twice the haptic rate is enough.
  double period_s() const override { return 0.5e-3; }

 private:
  const Json* find_device(const Json& all) {
    const Json* list = member(&all, "inverse3");
    if (!list || !list->is_array()) return nullptr;
    for (const Json& device : *list) {
      const Json* id = member(&device, "device_id");
      if (!id || !id->is_string() || (!wanted_id_.empty() && *id != wanted_id_)) continue;
      id_ = id->get<std::string>();
      return &device;
    }
    return nullptr;
  }
  static const Json* grip_state(const Json& all) {
    for (const char* sort : {"wireless_verse_grip", "verse_grip"})
      if (const Json* list = member(&all, sort); list && list->is_array() && !list->empty())
        return member(&list->front(), "state");
    return nullptr;
  }
  static bool has_grip(const Json& all) {
    for (const char* sort : {"wireless_verse_grip", "verse_grip"})
      if (const Json* list = member(&all, sort); list && list->is_array() && !list->empty()) return true;
    return false;
  }

  bool command(const Vec3& force) {
    const Json message{
        {"inverse3",
         {{{"device_id", id_},
           {"commands",
            {{"set_cursor_force", {{key_, {{"x", force.x()}, {"y", force.y()}, {"z", force.z()}}}}}}}}}}};
    return socket_->send(message.dump(), 0.1);
  }

  Exchange take(DevicePort& port) {
    const Json all = Json::parse(text_, nullptr, false);
    if (all.is_discarded()) {
      port.refuse();
      return Exchange::done;
    }
    const std::string before = id_;
    const Json* device = find_device(all);
    if (!device || id_ != before) return Exchange::gone;  // unplugged, or exchanged
    const double now = now_us();
    const Json* state = member(device, "state");
    DeviceFrame frame;
    frame.pose.position = vector(member(state, "cursor_position"));
    // Identity parts may be left out.
    if (const Json* grip = grip_state(all)) {
      if (const Json* q = member(grip, "orientation"))
        frame.pose.orientation = Quat(number(q, "w"), number(q, "x"), number(q, "y"), number(q, "z"));
      frame.buttons = buttons(grip);
    }
    estimate_.fill(frame.pose, now);
    if (const Json* v = member(state, "cursor_velocity")) frame.pose.velocity = vector(v);
    if (!port.got(frame, now)) estimate_.reset();
    return Exchange::done;
  }
  static unsigned buttons(const Json* grip) {
    unsigned bits = 0;
    const Json* all = member(grip, "buttons");
    const std::array names{"a", "b", "c"};
    for (size_t b = 0; b < names.size(); ++b)
      if (const Json* pressed = member(all, names[b]); pressed && *pressed == true) bits |= 1u << b;
    if (const Json* one = member(grip, "button"); one && *one == true) bits |= 1u;  // the wired grip
    return bits;
  }

  std::string host_, port_, wanted_id_, id_, key_, text_;
  std::unique_ptr<WebSocket> socket_;
  VelocityEstimate estimate_;
  int unanswered_ = 0;
  double sent_us_ = 0, heard_us_ = 0;
};

}  // namespace

std::unique_ptr<Backend> make_haply_backend(const DeviceSpec& spec) {
  return std::make_unique<HaplyBackend>(spec);
}

}  // namespace palp
