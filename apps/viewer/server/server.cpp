#include "server.hpp"

#include <cstdio>
#include <random>
#include <thread>

#include "http_answer.hpp"
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
    set_limits(*parser_);
    stream_.expires_after(std::chrono::seconds(15));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code error, size_t) {
                       if (!error) self->answer();
                     });
  }

 private:
  void answer() {
    const auto& request = parser_->get();
    const HttpAnswer answer =
        answer_to(request, hub_.settings, hub_.simulation, static_cast<int>(hub_.viewers.size()));
    if (answer.websocket) return std::make_shared<Viewer>(std::move(stream_), hub_)->accept(convert(request));
    reply(std::make_shared<HttpResponse>(response_to(request, answer)));
  }

  static http::request<http::empty_body> convert(const http::request<http::string_body>& request) {
    http::request<http::empty_body> bare(request.method(), request.target(), request.version());
    for (const auto& field : request) bare.insert(field.name_string(), field.value());
    return bare;
  }

  void reply(const std::shared_ptr<HttpResponse>& response) {
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response](beast::error_code error, size_t) {
                        if (!error && response->keep_alive()) return self->read();
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{16384};
  std::optional<HttpParser> parser_;
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
  if (viewers.empty()) return true;
  encode_frame(simulation->frame(), frame);
  for (Bytes& section : frame.colours) section.clear();
  for (const auto& viewer : viewers) colour(viewer->colour());
  return true;
}

bool Hub::colour(Colour colour) {
  const ViewFrame& newest = simulation->frame();
  Bytes& section = frame.colours[static_cast<size_t>(colour)];
  if (section.empty() && scene && scene->generation == newest.generation &&
      frame.generation == newest.generation)
    put_colours(*scene->colouring, newest, colour, section);
  return !section.empty();
}

void Hub::count_audience() {
  unsigned wishes = 0;
  for (const auto& viewer : viewers)
    wishes |= wish_for(viewer->colour()) | (viewer->wants_delassus() ? wish_delassus : 0u);
  figures.viewers = static_cast<int>(viewers.size());
  if (simulation) simulation->audience(figures.viewers, wishes);
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
