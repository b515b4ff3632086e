#include "palp/devices/backends/websocket.hpp"

#include <chrono>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

namespace palp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

constexpr std::size_t largest_message = 1 << 16;

}  // namespace

struct WebSocket::Inside {
  asio::io_context io{1};
  beast::websocket::stream<asio::ip::tcp::socket> stream{io};
  beast::flat_buffer incoming;
  bool reading = false, arrived = false, broken = false;

  /// Lets things happen until `done` or the time is over.
  template <class Done>
  bool wait(const Done& done, double patience_s) {
    const auto until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience_s));
    io.restart();
    // One after the other: what has already come is taken even when the time is over.
    io.poll();
    while (!done() && Clock::now() < until) {
      io.restart();
      io.run_one_until(until);
    }
    return done();
  }
};

WebSocket::WebSocket(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
WebSocket::WebSocket(WebSocket&&) noexcept = default;
WebSocket& WebSocket::operator=(WebSocket&&) noexcept = default;

WebSocket::~WebSocket() {
  if (!inside_) return;
  error_code ignored;
  inside_->stream.next_layer().close(ignored);
  inside_->io.restart();
  inside_->io.poll();  // the handlers of what was broken off
}

Result<WebSocket> WebSocket::connect(const std::string& host, const std::string& port, double patience_s) {
  auto in = std::make_unique<Inside>();
  const Error refused{.message = "nobody answers at " + host + ":" + port};
  error_code error;
  asio::ip::tcp::resolver resolver(in->io);
  const auto found = resolver.resolve(host, port, error);
  if (error) return refused;
  bool done = false;
  asio::async_connect(in->stream.next_layer(), found, [&](error_code e, const asio::ip::tcp::endpoint&) {
    error = e;
    done = true;
  });
  const auto over = [&done] { return done; };
  const auto break_off = [&] {
    error_code ignored;
    in->stream.next_layer().close(ignored);
    in->io.restart();
    in->io.poll();
  };
  if (!in->wait(over, patience_s) || error) {
    break_off();
    return refused;
  }
  in->stream.next_layer().set_option(asio::ip::tcp::no_delay(true), error);
  in->stream.read_message_max(largest_message);
  done = false;
  in->stream.async_handshake(host + ":" + port, "/", [&](error_code e) {
    error = e;
    done = true;
  });
  if (!in->wait(over, patience_s) || error) {
    break_off();
    return Error{.message = "who listens at " + host + ":" + port + " does not speak WebSocket"};
  }
  in->stream.text(true);
  return WebSocket(std::move(in));
}

bool WebSocket::send(const std::string& text, double patience_s) {
  Inside& in = *inside_;
  if (in.broken) return false;
  bool done = false;
  in.stream.async_write(asio::buffer(text), [&](error_code e, std::size_t) {
    in.broken = in.broken || e;
    done = true;
  });
  if (in.wait([&done] { return done; }, patience_s)) return !in.broken;
  // The write is under way and refers to this call: it must end before we leave.
  in.broken = true;
  error_code ignored;
  in.stream.next_layer().close(ignored);
  while (!done) {
    in.io.restart();
    in.io.run_one();
  }
  return false;
}

WebSocket::Got WebSocket::receive(std::string& text, double patience_s) {
  Inside& in = *inside_;
  if (in.broken) return Got::closed;
  if (!in.reading) {
    // It stays under way when the time is over, and the next call waits for the same message.
    in.reading = true;
    in.arrived = false;
    in.stream.async_read(in.incoming, [&in](error_code e, std::size_t) {
      in.broken = in.broken || e;
      in.arrived = true;
    });
  }
  if (!in.wait([&in] { return in.arrived; }, patience_s)) return Got::nothing;
  in.reading = false;
  if (in.broken) return Got::closed;
  text = beast::buffers_to_string(in.incoming.data());
  in.incoming.consume(in.incoming.size());
  return Got::message;
}

void WebSocket::close() {
  if (inside_->broken) return;
  bool done = false;
  inside_->stream.async_close(beast::websocket::close_code::normal, [&](error_code) { done = true; });
  if (!inside_->wait([&done] { return done; }, 0.1)) {
    error_code ignored;
    inside_->stream.next_layer().close(ignored);
    while (!done) {
      inside_->io.restart();
      inside_->io.run_one();
    }
  }
  inside_->broken = true;
}

}  // namespace palp
