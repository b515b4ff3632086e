// Haply's service: first the inventory, then one state for every command.
#include <chrono>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <nlohmann/json.hpp>

#include "palp/devices/doubles/services.hpp"

namespace palp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using Json = nlohmann::json;
using Stream = beast::websocket::stream<asio::ip::tcp::socket>;

constexpr const char* device_id = "049D";

Json vector(const Vec3& v) {
  // JSON has no word for NaN: a service that has none writes null.
  return {{"x", v.x()}, {"y", v.y()}, {"z", v.z()}};
}

class HaplyService final : public DoubleService {
 public:
  HaplyService(DoubleArm& arm, std::string version) : arm_(arm), version_(std::move(version)) {}
  ~HaplyService() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Result<void> start(unsigned short port) {
    error_code e;
    const asio::ip::tcp::endpoint at(asio::ip::address_v4::loopback(), port);
    acceptor_.open(at.protocol(), e);
    acceptor_.set_option(asio::socket_base::reuse_address(true), e);
    acceptor_.bind(at, e);
    if (!e) acceptor_.listen(4, e);
    if (e)
      return Error{.message = "port " + std::to_string(port) + " is taken: " + e.message(),
                   .remedy = "--port"};
    port_ = acceptor_.local_endpoint().port();
    thread_ = std::thread([this] { serve(); });
    return {};
  }
  std::string address() const override { return "127.0.0.1:" + std::to_string(port_); }

 private:
  /// Lets things happen until `done`; false when it is time to stop or to close.
  template <class Done>
  bool wait(const Done& done) {
    while (!done() && !stop_) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(5));
      if (arm_.fault() == Fault::closed) return false;
    }
    return done();
  }
  void serve() {
    while (!stop_) {
      asio::ip::tcp::socket socket(io_);
      bool done = false;
      error_code error;
      acceptor_.async_accept(socket, [&](error_code e) {
        error = e;
        done = true;
      });
      while (!done && !stop_) {
        io_.restart();
        io_.run_one_for(std::chrono::milliseconds(5));
      }
      if (!done) {
        acceptor_.cancel(error);
        io_.restart();
        io_.run();
        return;
      }
      if (error || arm_.fault() == Fault::closed) continue;  // shut at once
      talk(std::move(socket));
      arm_.enable(false);
    }
  }
  void talk(asio::ip::tcp::socket socket) {
    error_code error;
    socket.set_option(asio::ip::tcp::no_delay(true), error);
    Stream stream(std::move(socket));
    stream.accept(error);
    if (error) return;
    stream.text(true);
    arm_.count_opening();
    arm_.enable(true);
    if (!send(stream, state(true))) return;
    beast::flat_buffer buffer;
    while (!stop_) {
      bool done = false;
      stream.async_read(buffer, [&](error_code e, std::size_t) {
        error = e;
        done = true;
      });
      if (!wait([&] { return done; }) || error) {
        error_code ignored;
        stream.next_layer().close(ignored);
        while (!done) {
          io_.restart();
          io_.run_one();
        }
        return;
      }
      take(beast::buffers_to_string(buffer.data()));
      buffer.consume(buffer.size());
      const Fault fault = arm_.fault();
      if (fault == Fault::silence) continue;
      if (fault == Fault::late) std::this_thread::sleep_for(std::chrono::milliseconds(60));
      if (!send(stream, state(false))) return;
    }
  }
  bool send(Stream& stream, const std::string& text) {
    error_code error;
    stream.write(asio::buffer(text), error);
    return !error;
  }
  void take(const std::string& text) {
    const Json all = Json::parse(text, nullptr, false);
    if (!all.is_object() || !all.contains("inverse3")) return;
    for (const Json& device : all["inverse3"]) {
      if (device.value("device_id", "") != device_id || !device.contains("commands")) continue;
      const Json& force = device["commands"].value("set_cursor_force", Json::object());
      const char* key = version_ == "3.1" ? "values" : "vector";
      if (!force.contains(key)) continue;
      const auto part = [&](const char* axis) {
        const Json& n = force[key].value(axis, Json());
        return n.is_number() ? n.get<double>() : std::nan("");
      };
      Wrench w;
      w.force = Vec3(part("x"), part("y"), part("z"));
      arm_.command(w);
    }
  }
  std::string state(bool first) {
    const Fault fault = arm_.fault();
    if (fault == Fault::malformed && !first)
      return R"({"inverse3":[{"device_id":"049D","state":{"cursor_pos)";
    const DeviceFrame f = arm_.read();
    const Quat& q = f.pose.orientation;
    Json out;
    if (first) out["session_id"] = 1;
    Json device{{"device_id", device_id},
                {"state",
                 {{"cursor_position", vector(f.pose.position)},
                  {"cursor_velocity", vector(f.pose.velocity)},
                  {version_ == "3.1" ? "mode" : "control_mode", "force"}}}};
    if (first) {
      device["config"] = {{"type", "inverse3"}};
      device["status"] = {{"calibrated", true}};
    }
    out["inverse3"] = Json::array();
    if (fault != Fault::unplugged) out["inverse3"].push_back(device);
    out["verse_grip"] = Json::array();
    out["wireless_verse_grip"] = {
        {{"device_id", "61576"},
         {"state",
          {{"orientation", {{"w", q.w()}, {"x", q.x()}, {"y", q.y()}, {"z", q.z()}}},
           {"buttons",
            {{"a", bool(f.buttons & 1)}, {"b", bool(f.buttons & 2)}, {"c", bool(f.buttons & 4)}}}}}}};
    return out.dump();
  }

  DoubleArm& arm_;
  std::string version_;
  asio::io_context io_{1};
  asio::ip::tcp::acceptor acceptor_{io_};
  unsigned short port_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<DoubleService>> start_haply_double(DoubleArm& arm, unsigned short port,
                                                          const std::string& version) {
  auto service = std::make_unique<HaplyService>(arm, version);
  if (auto ok = service->start(port); !ok) return ok.error();
  return std::unique_ptr<DoubleService>(std::move(service));
}

}  // namespace palp
