// What viewers cost the simulation: a body with a skin of 20 480 triangles is simulated as fast as it goes,
// with nobody watching, one viewer and ten viewers, in turns. Printed: processor time of the simulation's
// thread per step relative to nobody watching (a busy machine does not disturb it), steps per second, states
// per second that each viewer has received, bytes per state.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "server.hpp"
#include "timing.hpp"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "palp/base/clock.hpp"
#include "palp/base/statistics.hpp"

namespace {

using namespace palp;
namespace beast = boost::beast;

/// A ball hangs from its top and swings: every vertex moves in every step. One step takes longer than dt
/// lasts, so the simulation never waits for the clock.
const char* const scene = R"(
dt: 0.0002
contact: {mu: 0.4, alarmDistance: 0.005}
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.05, cellsAcross: 8}
    surface: {generator: icosphere, radius: 0.05, subdivisions: 5}
    youngModulus: 2e4
    fixed: [{box: [[-1, -1, 0.035], [1, 1, 1]]}]
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
  /// Received so far, over all viewers.
  long frames() const { return frames_; }
  long bytes() const { return bytes_; }

 private:
  using Socket = beast::websocket::stream<beast::tcp_stream>;
  void read(size_t i) {
    viewers_[i]->async_read(*buffers_[i], [this, i](beast::error_code error, size_t size) {
      if (error) return;
      if (size > 40 && std::memcmp(buffers_[i]->cdata().data(), "FRAM", 4) == 0) {
        ++frames_;
        bytes_ += static_cast<long>(size);
      }
      buffers_[i]->clear();
      read(i);
    });
  }
  boost::asio::io_context io_;
  std::vector<std::unique_ptr<Socket>> viewers_;
  std::vector<std::unique_ptr<beast::flat_buffer>> buffers_;
  std::atomic<long> frames_{0}, bytes_{0};
  std::thread thread_;
};

/// One value per round.
struct Figures {
  std::vector<double> computing_us, steps_per_s, states_per_s, bytes_per_state;
};

void measure(view::Simulation& simulation, const view::Server& server, int viewers, double seconds,
             Figures& out) {
  const Audience audience(viewers, server.port());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const long frames = audience.frames(), bytes = audience.bytes(), steps = simulation.steps();
  const double computing = simulation.computing_us();
  Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const double computed = simulation.computing_us() - computing, passed = 1e-6 * watch.lap_us();
  const double made = static_cast<double>(simulation.steps() - steps);
  const double received = static_cast<double>(audience.frames() - frames);
  out.steps_per_s.push_back(made / passed);
  out.computing_us.push_back(computed / std::max(1.0, made));
  if (viewers == 0) return;
  out.states_per_s.push_back(received / passed / viewers);
  out.bytes_per_state.push_back(static_cast<double>(audience.bytes() - bytes) / std::max(1.0, received));
}

/// Processor time that a frame costs the simulation's thread, as it does there between steps; the median.
double frame_us(const std::string& file) {
  auto loaded = load_scene(file);
  if (!loaded.scene) return 0;
  SceneRun run(*loaded.scene);
  view::Capture capture(*loaded.scene);
  view::ViewFrame frames[3];  // as in a triple buffer
  std::vector<double> us;
  for (int i = 0; i < 60; ++i) {
    for (int step = 0; step < 4; ++step) run.advance();
    const double begin = cpu_us();
    capture.take(run, 0, frames[i % 3]);
    us.push_back(cpu_us() - begin);
  }
  return quantile(us, 0.5);
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
  std::printf("%-8s %14s %28s %10s %14s %14s\n", "viewers", "CPU/step, us", "more CPU/step (rounds)",
              "steps/s", "states/s each", "bytes/state");
  for (int k = 0; k < 3; ++k) {
    // Rounds lie side by side in time, so each is compared with its own neighbour.
    std::vector<double> more;
    for (size_t r = 0; r < figures[k].computing_us.size(); ++r)
      more.push_back(100 * (figures[k].computing_us[r] / figures[0].computing_us[r] - 1));
    std::printf("%-8d %14.0f %8.1f %% (%5.1f … %5.1f %%) %10.0f", counts[k],
                quantile(figures[k].computing_us, 0.5), quantile(more, 0.5), quantile(more, 0),
                quantile(more, 1), quantile(figures[k].steps_per_s, 0.5));
    if (counts[k] > 0)
      std::printf(" %14.1f %14.0f", quantile(figures[k].states_per_s, 0.5),
                  quantile(figures[k].bytes_per_state, 0.5));
    std::printf("\n");
  }
  const double frame = frame_us(file);
  std::printf("A frame costs the simulation's thread %.0f us: %.1f %% of a core at 60 a second.\n", frame,
              60e-4 * frame);
  std::filesystem::remove(file);
  return 0;
}
