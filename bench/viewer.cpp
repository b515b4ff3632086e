// What viewers cost the simulation: a body with a skin of 20 480 triangles is simulated as fast as it goes,
// with nobody watching, one viewer and ten viewers, in turns. Printed: steps per second relative to nobody
// watching, frames per second that a viewer gets, bytes per frame.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "server.hpp"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "palp/base/clock.hpp"

namespace {

using namespace palp;
namespace beast = boost::beast;

/// One step takes longer than dt lasts, so the simulation never waits for the clock.
const char* const scene = R"(
dt: 0.0005
contact: {mu: 0.4, alarmDistance: 0.005}
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.05, cellsAcross: 12}
    surface: {generator: icosphere, radius: 0.05, subdivisions: 5}
    position: [0, 0, 0.051]
    youngModulus: 2e4
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
)";

/// Viewers that read everything they are sent, in one thread.
class Audience {
 public:
  Audience(int count, unsigned short port) {
    for (int i = 0; i < count; ++i) {
      auto viewer = std::make_unique<Socket>(io_);
      beast::get_lowest_layer(*viewer).socket().connect({boost::asio::ip::address_v4::loopback(), port});
      viewer->handshake("127.0.0.1", "/live");
      viewers_.push_back(std::move(viewer));
      buffers_.push_back(std::make_unique<beast::flat_buffer>());
    }
    for (size_t i = 0; i < viewers_.size(); ++i) read(i);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Audience() {
    io_.stop();
    thread_.join();
  }

 private:
  using Socket = beast::websocket::stream<beast::tcp_stream>;
  void read(size_t i) {
    viewers_[i]->async_read(*buffers_[i], [this, i](beast::error_code error, size_t) {
      if (error) return;
      buffers_[i]->clear();
      read(i);
    });
  }
  boost::asio::io_context io_;
  std::vector<std::unique_ptr<Socket>> viewers_;
  std::vector<std::unique_ptr<beast::flat_buffer>> buffers_;
  std::thread thread_;
};

struct Figures {
  std::vector<double> steps_per_s;
  double frames_per_s = 0, bytes_per_frame = 0;
  double median() {
    std::sort(steps_per_s.begin(), steps_per_s.end());
    return steps_per_s[steps_per_s.size() / 2];
  }
};

void measure(const view::Simulation& simulation, const view::Server& server, int viewers, double seconds,
             Figures& out) {
  const Audience audience(viewers, server.port());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto before = server.figures();
  const long steps = simulation.steps();
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const double passed = 1e-6 * watch.lap_us();
  out.steps_per_s.push_back(static_cast<double>(simulation.steps() - steps) / passed);
  const auto after = server.figures();
  const double frames = static_cast<double>(after.frames - before.frames);
  if (viewers == 0 || frames == 0) return;
  out.frames_per_s = frames / passed / viewers;
  out.bytes_per_frame = static_cast<double>(after.bytes - before.bytes) / frames;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::string file = (std::filesystem::temp_directory_path() / "palp-bench-viewer.yaml").string();
  std::ofstream(file) << scene;
  auto simulation = view::Simulation::start({.scenes = {file}, .unwatched = true});
  if (!simulation) return std::fprintf(stderr, "%s\n", simulation.error().text().c_str()), 1;
  view::ServerSettings settings;
  settings.port = 0;
  auto server = view::Server::start(simulation->get(), settings);
  if (!server) return std::fprintf(stderr, "%s\n", server.error().text().c_str()), 1;
  size_t triangles = 0;
  for (const Skin& skin : (*simulation)->scene()->skins)
    triangles = std::max(triangles, skin.triangles.size());

  const int counts[3] = {0, 1, 10};
  Figures figures[3];
  for (int round = 0; round < (quick ? 2 : 7); ++round)
    for (int k = 0; k < 3; ++k) measure(**simulation, **server, counts[k], quick ? 1 : 2, figures[k]);
  std::printf("%zu triangles, %u cores\n", triangles, std::thread::hardware_concurrency());
  std::printf("%-8s %10s %22s %16s %14s\n", "viewers", "steps/s", "slowdown of the steps", "frames/s each",
              "bytes/frame");
  const double alone = figures[0].median();
  for (int k = 0; k < 3; ++k) {
    std::printf("%-8d %10.1f %20.1f %%", counts[k], figures[k].median(),
                100 * (alone / figures[k].median() - 1));
    if (counts[k] > 0) std::printf(" %16.1f %14.0f", figures[k].frames_per_s, figures[k].bytes_per_frame);
    std::printf("\n");
  }
  std::filesystem::remove(file);
  return 0;
}
