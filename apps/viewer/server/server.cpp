#include "server.hpp"

#include <cstdio>
#include <random>
#include <thread>

#include "assets.hpp"
#include "hub.hpp"
#include "viewer.hpp"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace palp::view {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

namespace {

/// The page runs its own script and style, talks to its own server, and nothing else.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
    "'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string random_token() {
  std::random_device random;
  std::string token;
  char part[9];
  for (int k = 0; k < 4; ++k) {
    std::snprintf(part, sizeof part, "%08x", random());
    token.append(part);
  }
  return token;
}

/// Takes as long for a wrong token as for the right one.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool loopback_name(std::string_view host) {
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

/// One HTTP connection: requests are answered until one asks for a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Hub& hub, std::atomic<int>& count)
      : stream_(std::move(socket)), hub_(hub), count_(count) {
    ++count_;
  }
  ~Connection() { --count_; }

  void read() {
    parser_.emplace();
    parser_->header_limit(8192);
    parser_->body_limit(1024);
    stream_.expires_after(std::chrono::seconds(15));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  bool beyond_loopback() const { return !hub_.settings.token.empty(); }

  /// A page elsewhere must not reach us through the visitor's browser: neither by name (Host) nor as itself
  /// (Origin).
  bool trusted() const {
    const auto& request = parser_->get();
    const std::string_view host = view_of(request[http::field::host]);
    if (!beyond_loopback() && !loopback_name(without_port(host))) return false;
    const std::string_view origin = view_of(request[http::field::origin]);
    return origin.empty() || (origin.starts_with("http://") && origin.substr(7) == host);
  }

  bool token_given(std::string_view target) const {
    if (!beyond_loopback()) return true;
    const size_t at = target.find("token=");
    if (at == std::string_view::npos) return false;
    const std::string_view value = target.substr(at + 6);
    return same(value.substr(0, value.find('&')), hub_.settings.token);
  }

  void answer() {
    const auto& request = parser_->get();
    const std::string_view target = view_of(request.target());
    const std::string_view path = target.substr(0, target.find('?'));
    if (!trusted()) return reply(http::status::forbidden, "text/plain", "This page is of another origin.\n");
    if (path == "/live" || path == "/recording") {
      if (!token_given(target))
        return reply(http::status::forbidden, "text/plain",
                     "The address needs the token that palp view printed.\n");
      if (path == "/recording") {
        if (hub_.settings.recording.empty())
          return reply(http::status::not_found, "text/plain", "No recording.\n");
        return reply(http::status::ok, "application/octet-stream", hub_.settings.recording);
      }
      if (!beast::websocket::is_upgrade(request))
        return reply(http::status::upgrade_required, "text/plain", "This address speaks WebSocket.\n");
      if (static_cast<int>(hub_.viewers.size()) >= hub_.settings.most_viewers)
        return reply(http::status::service_unavailable, "text/plain", "There are too many viewers.\n");
      return std::make_shared<Viewer>(std::move(stream_), hub_)->accept(convert(request));
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return reply(http::status::method_not_allowed, "text/plain", "Only GET is answered.\n");
    if (path == "/mode")
      return reply(http::status::ok, "application/json",
                   hub_.simulation ? "{\"live\":true}" : "{\"live\":false}");
    if (const Asset* asset = find_asset(path)) return reply(http::status::ok, asset->type, asset->body);
    reply(http::status::not_found, "text/plain", "There is no such page.\n");
  }

  static http::request<http::empty_body> convert(const http::request<http::string_body>& request) {
    http::request<http::empty_body> bare(request.method(), request.target(), request.version());
    for (const auto& field : request) bare.insert(field.name_string(), field.value());
    return bare;
  }

  void reply(http::status status, std::string_view type, std::string_view body) {
    const auto& request = parser_->get();
    auto response = std::make_shared<http::response<http::string_body>>(status, request.version());
    response->set(http::field::content_type, beast::string_view(type.data(), type.size()));
    response->set(http::field::cache_control, "no-cache");
    response->set(http::field::x_frame_options, "DENY");
    response->set("Content-Security-Policy", content_policy);
    response->set("X-Content-Type-Options", "nosniff");
    response->set("Referrer-Policy", "no-referrer");
    response->set("Cross-Origin-Resource-Policy", "same-origin");
    response->keep_alive(request.keep_alive());
    response->content_length(body.size());
    if (request.method() != http::verb::head) response->body().assign(body);
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response](beast::error_code error, size_t) {
                        if (!error && response->keep_alive()) return self->read();
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{16384};
  std::optional<http::request_parser<http::string_body>> parser_;
  Hub& hub_;
  std::atomic<int>& count_;
};

struct Server::Inside {
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::steady_timer timer{io};
  Hub hub;
  std::atomic<int> connections{0};
  std::string host;
  std::thread thread;

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      accept();
      if (!error && connections < hub.settings.most_connections)
        std::make_shared<Connection>(std::move(socket), hub, connections)->read();
    });
  }

  /// Looks for a new frame twice as often as there are any.
  void tick() {
    timer.expires_after(std::chrono::milliseconds(8));
    timer.async_wait([this](beast::error_code error) {
      if (error) return;
      tick();
      if (!hub.refresh()) return;
      const auto viewers = hub.viewers;  // one may leave while it is served
      for (const auto& viewer : viewers) viewer->offer();
    });
  }
};

bool Hub::refresh() {
  if (!simulation) return false;
  for (ViewSample sample; simulation->next_sample(sample); ++sample_end) {
    samples.push_back(sample);
    if (samples.size() > 4000) samples.pop_front();
  }
  if (std::string now = simulation->trouble(); now != trouble) {
    trouble = std::move(now);
    for (const auto& viewer : std::set(viewers)) viewer->tell(notice("trouble", trouble));
  }
  scene = simulation->scene();
  if (!simulation->update()) return false;
  if (!viewers.empty()) encode_frame(simulation->frame(), frame);
  return true;
}

void Hub::count_audience() {
  bool delassus = false;
  for (const auto& viewer : viewers) delassus = delassus || viewer->wants_delassus();
  figures.viewers = static_cast<int>(viewers.size());
  if (simulation) simulation->audience(figures.viewers, delassus);
}

Result<std::unique_ptr<Server>> Server::start(Simulation* simulation, const ServerSettings& settings) {
  const auto failed = [&](const std::string& what, const beast::error_code& error) {
    return Error{.message = what + ": " + error.message(),
                 .remedy = "choose another one with --port or --bind; --port 0 takes any free port"};
  };
  beast::error_code error;
  const auto address =
      asio::ip::make_address(settings.bind == "localhost" ? "127.0.0.1" : settings.bind, error);
  if (error)
    return Error{.message = "'" + settings.bind + "' is not an address to listen on",
                 .remedy = "e.g. --bind 0.0.0.0"};
  auto inside = std::make_unique<Inside>();
  inside->hub.simulation = simulation;
  inside->hub.settings = settings;
  if (!address.is_loopback() && settings.token.empty()) inside->hub.settings.token = random_token();
  const tcp::endpoint endpoint(address, settings.port);
  const std::string where = settings.bind + " port " + std::to_string(settings.port);
  if (inside->acceptor.open(endpoint.protocol(), error); error) return failed(where, error);
  inside->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (inside->acceptor.bind(endpoint, error); error) return failed(where, error);
  if (inside->acceptor.listen(asio::socket_base::max_listen_connections, error); error)
    return failed(where, error);
  inside->host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  if (address.is_unspecified()) inside->host = asio::ip::host_name(error);
  inside->accept();
  inside->tick();
  Inside* running = inside.get();
  inside->thread = std::thread([running] {
    for (;;) try {
        running->io.run();
        return;
      } catch (
          const std::exception&) {  // one connection's failure (no memory for a message) is not the others'
      }
  });
  return std::unique_ptr<Server>(new Server(std::move(inside)));
}

Server::Server(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Server::~Server() {
  asio::post(inside_->io, [this] {
    beast::error_code ignored;
    inside_->acceptor.close(ignored);
    inside_->timer.cancel();
    for (const auto& viewer : std::set(inside_->hub.viewers)) viewer->close();
    inside_->io.stop();
  });
  inside_->thread.join();
}

std::string Server::address() const {
  std::string address = "http://";
  address.append(inside_->host).append(":").append(std::to_string(port())).append("/");
  if (!inside_->hub.settings.token.empty()) address.append("?token=").append(inside_->hub.settings.token);
  return address;
}

unsigned short Server::port() const {
  beast::error_code ignored;
  return inside_->acceptor.local_endpoint(ignored).port();
}

ServerFigures Server::figures() const {
  const auto& f = inside_->hub.figures;
  return {f.viewers, f.frames, f.bytes, f.thinned, f.dropped, f.refused};
}

}  // namespace palp::view
