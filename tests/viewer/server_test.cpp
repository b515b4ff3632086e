// The viewer's server against well-behaved and badly behaved clients, over real sockets.
#include "server.hpp"

#include <chrono>
#include <functional>

#include "bytes.hpp"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <gtest/gtest.h>

namespace palp::view {
namespace server_test {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

bool wait_until(const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

struct Running {
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<Server> server;

  explicit Running(ServerSettings settings = {}) {
    settings.port = 0;
    auto made = Simulation::start({.scenes = {std::string(PALP_SOURCE_DIR) + "/scenes/falling-ball.yaml"}});
    EXPECT_TRUE(made);
    simulation = std::move(*made);
    auto started = Server::start(simulation.get(), settings);
    EXPECT_TRUE(started);
    server = std::move(*started);
  }
};

asio::io_context& io() {
  static asio::io_context context;
  return context;
}

beast::error_code connect(tcp::socket& socket, unsigned short port, const char* address = "127.0.0.1") {
  beast::error_code error;
  socket.connect({asio::ip::make_address(address), port}, error);
  return error;
}

/// Status of a GET with some headers.
unsigned get(unsigned short port, const std::string& target, const std::string& host,
             const std::string& origin = "", bool upgrade = false, http::verb verb = http::verb::get,
             const char* address = "127.0.0.1") {
  beast::tcp_stream stream(io());
  if (connect(stream.socket(), port, address)) return 0;
  http::request<http::empty_body> request(verb, target, 11);
  request.set(http::field::host, host);
  if (!origin.empty()) request.set(http::field::origin, origin);
  if (upgrade) {
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::sec_websocket_version, "13");
    request.set(http::field::sec_websocket_key, "dGhlIHNhbXBsZSBub25jZQ==");
  }
  beast::error_code error;
  http::write(stream, request, error);
  beast::flat_buffer buffer;
  http::response_parser<http::empty_body> response;
  http::read_header(stream, buffer, response, error);
  return error ? 0 : response.get().result_int();
}

struct Client {
  beast::websocket::stream<beast::tcp_stream> socket{io()};
  beast::flat_buffer buffer;

  /// `room`: for what has arrived and was not read, bytes; 0: as the system likes.
  explicit Client(const Running& r, int room = 0) {
    auto& plain = beast::get_lowest_layer(socket).socket();
    plain.open(tcp::v4());
    if (room > 0) plain.set_option(asio::socket_base::receive_buffer_size(room));
    EXPECT_FALSE(connect(plain, r.server->port()));
    beast::error_code error;
    socket.handshake("127.0.0.1", "/live", error);
    EXPECT_FALSE(error) << error.message();
  }
  bool send(const std::string& text) {
    beast::error_code error;
    socket.text(true);
    socket.write(asio::buffer(text), error);
    return !error;
  }
  /// The next message; empty when the connection is gone.
  Bytes read() {
    beast::error_code error;
    buffer.consume(buffer.size());
    socket.read(buffer, error);
    if (error) return {};
    const auto* data = static_cast<const std::uint8_t*>(buffer.cdata().data());
    return Bytes(data, data + buffer.size());
  }
  static bool is(const Bytes& message, std::uint32_t name) {
    std::uint32_t begin = 0;
    if (message.size() >= 4) std::memcpy(&begin, message.data(), 4);
    return begin == name;
  }
  /// The next frame.
  Bytes frame() {
    for (int i = 0; i < 100; ++i) {
      Bytes message = read();
      if (message.empty() || is(message, tag("FRAM"))) return message;
    }
    return {};
  }
};

std::vector<std::uint32_t> bodies_in(const Bytes& frame) {
  std::vector<std::uint32_t> bodies;
  for (size_t at = 40; at + 12 <= frame.size();) {
    std::uint32_t head[3];
    std::memcpy(head, frame.data() + at, 12);
    if (head[0] == tag("BODY")) bodies.push_back(head[2]);
    at += 8 + ((head[1] + 3) & ~3u);
  }
  return bodies;
}

/// Bodies that a frame colours, with the quantity.
std::vector<std::pair<std::uint32_t, Colour>> colours_in(const Bytes& frame) {
  std::vector<std::pair<std::uint32_t, Colour>> out;
  for (size_t at = 40; at + 16 <= frame.size();) {
    std::uint32_t head[4];
    std::memcpy(head, frame.data() + at, 16);
    if (head[0] == tag("COLR")) out.emplace_back(head[2], static_cast<Colour>(head[3]));
    at += 8 + ((head[1] + 3) & ~3u);
  }
  return out;
}

TEST(Server, bodies_are_coloured_for_those_who_ask_and_by_what_they_ask_for) {
  const Running r;
  Client asks(r), other(r);
  EXPECT_TRUE(colours_in(asks.frame()).empty());
  const auto comes = [](Client& client, const std::vector<std::pair<std::uint32_t, Colour>>& wanted) {
    for (int i = 0; i < 200; ++i)
      if (colours_in(client.frame()) == wanted) return true;
    return false;
  };
  // Bodies: ball, floor, tool. Only the ball deforms; all three have a surface to press on.
  asks.send(R"({"cmd":"colour","of":"stress"})");
  EXPECT_TRUE(comes(asks, {{0, Colour::stress}}));
  asks.send(R"({"cmd":"colour","of":"pressure"})");
  EXPECT_TRUE(comes(asks, {{0, Colour::pressure}, {1, Colour::pressure}, {2, Colour::pressure}}));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(colours_in(other.frame()).empty());
  const long refused = r.server->figures().refused;
  asks.send(R"({"cmd":"colour","of":"money"})");
  EXPECT_TRUE(wait_until([&] { return r.server->figures().refused == refused + 1; }));
  asks.send(R"({"cmd":"colour","of":"none"})");
  EXPECT_TRUE(comes(asks, {}));
  // In a pause nothing moves; whoever asks is answered nevertheless.
  asks.send(R"({"cmd":"pause"})");
  EXPECT_TRUE(wait_until([&] { return !(asks.frame()[12] & 1); }));
  asks.send(R"({"cmd":"colour","of":"strain"})");
  EXPECT_TRUE(comes(asks, {{0, Colour::strain}}));
  asks.send(R"({"cmd":"colour","of":"stress"})");
  EXPECT_TRUE(comes(asks, {{0, Colour::stress}}));
}

TEST(Server, listens_on_loopback_only_unless_told_otherwise) {
  const Running r;
  tcp::socket same(io()), other(io());
  EXPECT_FALSE(connect(same, r.server->port()));
  EXPECT_TRUE(connect(other, r.server->port(), "127.0.0.2"));  // another address of this machine: refused
  EXPECT_EQ(r.server->address().find("token"), std::string::npos);
}

TEST(Server, serves_the_page_and_nothing_else) {
  const Running r;
  for (const char* path : {"/", "/index.html", "/app.js", "/app.css", "/icon.svg", "/licences.txt", "/?x=1"})
    EXPECT_EQ(get(r.server->port(), path, "localhost"), 200u) << path;
  for (const char* path : {"/etc/passwd", "/../server.cpp", "/%2e%2e/", "//", "/app.js/", "/recording"})
    EXPECT_EQ(get(r.server->port(), path, "localhost"), 404u) << path;
  EXPECT_EQ(get(r.server->port(), "/", "localhost", "", false, http::verb::delete_), 405u);
}

TEST(Server, pages_of_other_origins_are_turned_away) {
  const Running r;
  const auto p = r.server->port();
  const std::string own = "127.0.0.1:" + std::to_string(p);
  EXPECT_EQ(get(p, "/live", own, "http://" + own, true), 101u);
  EXPECT_EQ(get(p, "/live", own, "", true), 101u);  // not a browser
  for (const char* origin :
       {"http://evil.example", "https://127.0.0.1", "null", "http://127.0.0.1.evil.example"})
    EXPECT_EQ(get(p, "/live", own, origin, true), 403u) << origin;
  // Another port of this machine is another origin.
  EXPECT_EQ(get(p, "/live", own, "http://127.0.0.1:1", true), 403u);
  // A foreign name that leads here (DNS rebinding) is not ours, even when it agrees with itself.
  EXPECT_EQ(get(p, "/live", "evil.example", "http://evil.example", true), 403u);
  EXPECT_EQ(get(p, "/", "evil.example"), 403u);
}

TEST(Server, bound_to_another_loopback_address_it_answers_there_and_still_to_no_stranger) {
  ServerSettings settings;
  settings.bind = "127.0.0.2";
  const Running r(settings);
  const auto p = r.server->port();
  const std::string own = "127.0.0.2:" + std::to_string(p);
  EXPECT_EQ(r.server->address(), "http://" + own + "/");
  const auto at = [&](const std::string& target, const std::string& host, const std::string& origin,
                      bool upgrade) {
    return get(p, target, host, origin, upgrade, http::verb::get, "127.0.0.2");
  };
  EXPECT_EQ(at("/", own, "", false), 200u);
  EXPECT_EQ(at("/live", own, "http://" + own, true), 101u);
  EXPECT_EQ(at("/live", own, "http://evil.example", true), 403u);
  EXPECT_EQ(at("/live", "evil.example", "http://evil.example", true), 403u);
}

TEST(Server, bound_elsewhere_it_demands_a_token) {
  ServerSettings settings;
  settings.bind = "0.0.0.0";
  const Running r(settings);
  const std::string address = r.server->address();
  const size_t at = address.find("?token=");
  ASSERT_NE(at, std::string::npos);
  const std::string query = address.substr(at);
  EXPECT_GE(query.size(), 7u + 32u);
  const auto p = r.server->port();
  EXPECT_EQ(get(p, "/live", "somewhere", "", true), 403u);
  EXPECT_EQ(get(p, "/live?token=", "somewhere", "", true), 403u);
  EXPECT_EQ(get(p, "/live?token=" + std::string(32, '0'), "somewhere", "", true), 403u);
  EXPECT_EQ(get(p, "/live" + query + "0", "somewhere", "", true), 403u);
  EXPECT_EQ(get(p, "/live" + query, "somewhere", "", true), 101u);
  EXPECT_EQ(get(p, "/live" + query, "somewhere", "http://evil.example", true), 403u);
  EXPECT_EQ(get(p, "/", "somewhere"), 200u);  // the page itself tells nothing
}

TEST(Server, an_address_that_cannot_be_had_is_an_error_with_a_remedy) {
  const Running r;
  ServerSettings taken;
  taken.port = r.server->port();
  const auto second = Server::start(r.simulation.get(), taken);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().remedy.find("--port"), std::string::npos);
  ServerSettings nonsense;
  nonsense.bind = "not an address";
  EXPECT_FALSE(Server::start(r.simulation.get(), nonsense));
}

TEST(Server, a_viewer_gets_the_scene_then_every_body_then_only_what_moves) {
  const Running r;
  Client c(r);
  EXPECT_TRUE(Client::is(c.read(), tag("SCEN")));
  EXPECT_EQ(bodies_in(c.frame()), (std::vector<std::uint32_t>{0, 1, 2}));
  for (int i = 0; i < 10; ++i)
    for (std::uint32_t body : bodies_in(c.frame())) EXPECT_NE(body, 1u) << "the floor has not moved";
  c.send(R"({"cmd":"keyframe"})");
  bool again = false;
  for (int i = 0; i < 50 && !again; ++i) again = bodies_in(c.frame()).size() == 3;
  EXPECT_TRUE(again);
}

TEST(Server, malformed_messages_are_counted_and_harm_nobody) {
  const Running r;
  Client bad(r), good(r);
  for (const char* text :
       {"", "{", "null", "{\"cmd\":\"hold\"}", "{\"cmd\":\"speed\",\"value\":1e999}", "\x01\x02"})
    bad.socket.binary(false), bad.socket.write(asio::buffer(std::string(text)));
  bad.socket.binary(true);
  bad.socket.write(asio::buffer(std::string("\0\1\2", 3)));
  EXPECT_TRUE(wait_until([&] { return r.server->figures().refused >= 6; }));
  EXPECT_FALSE(good.frame().empty());
  EXPECT_FALSE(bad.frame().empty());  // a mistake is forgiven
}

TEST(Server, bytes_that_are_not_http_end_only_their_own_connection) {
  const Running r;
  for (const std::string& text :
       {std::string("\0\0\0\0\r\n\r\n", 8), std::string("GET / HTTP/9.9\r\n\r\n"), std::string(100000, 'A'),
        std::string("GET /live HTTP/1.1\r\nHost: localhost\r\nX: ") + std::string(20000, 'x') + "\r\n\r\n"}) {
    tcp::socket socket(io());
    ASSERT_FALSE(connect(socket, r.server->port()));
    beast::error_code error;
    asio::write(socket, asio::buffer(text), error);
    char answer[64];
    socket.read_some(asio::buffer(answer), error);  // closed or refused
  }
  Client good(r);
  EXPECT_FALSE(good.frame().empty());
}

TEST(Server, an_oversized_message_ends_its_connection_and_no_other) {
  const Running r;
  Client bad(r), good(r);
  bad.send(std::string(20000, ' '));
  EXPECT_TRUE(wait_until([&] { return r.server->figures().dropped == 1; }));
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 1; }));
  EXPECT_FALSE(good.frame().empty());
}

TEST(Server, a_flood_of_messages_is_cut_off_while_the_simulation_goes_on) {
  const Running r;
  Client good(r);
  good.frame();
  {
    Client bad(r);
    const std::string text = R"({"cmd":"speed","value":1})";
    while (bad.send(text) && r.server->figures().dropped == 0) {
    }
  }
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 1; }));
  EXPECT_EQ(r.server->figures().dropped, 1);
  const auto steps = [&] {
    double step = 0;
    const Bytes frame = good.frame();
    if (frame.size() >= 32) std::memcpy(&step, frame.data() + 24, 8);
    return step;
  };
  const double before = steps();
  bool onwards = false;
  for (int i = 0; i < 1000 && !onwards; ++i) onwards = steps() > before + 10;
  EXPECT_TRUE(onwards);
}

TEST(Server, a_viewer_that_does_not_read_is_thinned_then_dropped_and_nobody_waits_for_it) {
  ServerSettings settings;
  settings.patience_s = 0.3;
  const Running r(settings);
  Client slow(r, 4096), good(r);
  // Ask for every body again and again, so that the unread frames fill the buffers soon.
  for (int i = 0; i < 20000 && r.server->figures().dropped == 0; ++i) {
    if (i % 4 == 0) slow.send(R"({"cmd":"keyframe"})");
    ASSERT_FALSE(good.frame().empty());
  }
  EXPECT_EQ(r.server->figures().dropped, 1);
  EXPECT_GT(r.server->figures().thinned, 0);
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 1; }));
  EXPECT_FALSE(good.frame().empty());
}

TEST(Server, ten_viewers_see_the_same_simulation) {
  const Running r;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 10; ++i) clients.push_back(std::make_unique<Client>(r));
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 10; }));
  for (auto& client : clients) EXPECT_EQ(bodies_in(client->frame()).size(), 3u);
  for (auto& client : clients) EXPECT_FALSE(client->frame().empty());
  clients.clear();
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 0; }));
}

TEST(Server, viewers_beyond_the_limit_are_refused) {
  ServerSettings settings;
  settings.most_viewers = 2;
  const Running r(settings);
  Client a(r), b(r);
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 2; }));
  EXPECT_EQ(get(r.server->port(), "/live", "localhost", "", true), 503u);
}

TEST(Server, one_visitor_holds_the_tool_until_it_lets_go_or_leaves) {
  const Running r;
  auto first = std::make_unique<Client>(r);
  Client second(r);
  const auto tool_height = [&](Client& c) {
    const Bytes frame = c.frame();
    for (size_t at = 40; at + 8 <= frame.size();) {
      std::uint32_t head[2];
      std::memcpy(head, frame.data() + at, 8);
      float z = 0;
      if (head[0] == tag("HAND")) {
        std::memcpy(&z, frame.data() + at + 16, 4);
        return z;
      }
      at += 8 + ((head[1] + 3) & ~3u);
    }
    return -1.f;
  };
  const auto reaches = [&](Client& c, float height) {
    for (int i = 0; i < 3000; ++i)
      if (std::abs(tool_height(c) - height) < 0.01f) return true;
    return false;
  };
  first->send(R"({"cmd":"hold","device":0,"p":[0.3,0,0.5],"q":[0,0,0,1]})");
  EXPECT_TRUE(reaches(second, 0.5f));
  second.send(R"({"cmd":"hold","device":0,"p":[0.3,0,0.2],"q":[0,0,0,1]})");
  second.send(R"({"cmd":"release","device":0})");
  for (int i = 0; i < 30; ++i) EXPECT_GT(tool_height(second), 0.4f);
  first.reset();
  EXPECT_TRUE(wait_until([&] { return r.server->figures().viewers == 1; }));
  second.send(R"({"cmd":"hold","device":0,"p":[0.3,0,0.2],"q":[0,0,0,1]})");
  EXPECT_TRUE(reaches(second, 0.2f));
}

TEST(Server, ends_at_once_with_viewers_connected) {
  auto r = std::make_unique<Running>();
  Client a(*r), b(*r);
  a.frame();
  r.reset();
  while (!a.read().empty()) {
  }
  SUCCEED();
}

}  // namespace server_test
}  // namespace palp::view
