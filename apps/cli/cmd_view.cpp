// palp view: a scene, live in the browser.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "progress_bar.hpp"
#include "recording_stream.hpp"
#include "run_realtime.hpp"
#include "scene_devices.hpp"
#include "server.hpp"
#include <unistd.h>

namespace palp::cli {
namespace view_command {

struct Options {
  std::string scene, bind = "127.0.0.1";
  unsigned short port = 8421;
  double speed = 1;
  std::vector<std::string> devices;
  bool no_browser = false, paused = false, as_recorded = false, json = false;
};

/// The scene, then every other scene file of its folder.
std::vector<std::string> scenes_beside(const std::string& scene) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code error;
  const fs::path folder = fs::path(scene).has_parent_path() ? fs::path(scene).parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml" && !fs::equivalent(entry.path(), scene, error))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  files.insert(files.begin(), scene);
  return files;
}

bool is_recording(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".h5" || extension == ".hdf5";
}

/// Opens the desktop's browser, if there is a desktop. The address is our own: it holds no characters of a
/// shell.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  const std::string command =
      "command -v xdg-open >/dev/null && xdg-open '" + address + "' >/dev/null 2>&1 &";
  if (std::system(command.c_str()) != 0) std::fprintf(stderr, "palp view: no browser was opened\n");
}

void fail(const Error& error) {
  std::fprintf(stderr, "palp view: %s\n", error.text().c_str());
  exit_code = 1;
}

Result<std::string> open_recording(const Options& o) {
  auto stream = [&] {
    ProgressBar bar;
    return view::stream_recording(o.scene, !o.as_recorded, [&](double share) { bar.show(share); });
  }();
  if (!stream) return stream.error();
  if (!stream->note.empty()) std::fprintf(stderr, "note: %s\n", stream->note.c_str());
  return std::move(stream->bytes);
}

void view(const Options& o) {
  view::ServerSettings settings;
  if (is_recording(o.scene)) {
    auto bytes = open_recording(o);
    if (!bytes) return fail(bytes.error());
    settings.recording = std::move(*bytes);
  }
  // The signals are waited for here; threads started later inherit the mask and are never interrupted by
  // them.
  const sigset_t quit = ending_signals();
  pthread_sigmask(SIG_BLOCK, &quit, nullptr);

  SceneDevices devices;  // outlives the simulation that borrows them
  if (!devices.make(o.devices, true)) return fail(Error{.message = devices.trouble()});
  std::unique_ptr<view::Simulation> simulation;
  if (settings.recording.empty()) {
    view::SimulationSettings wanted{.scenes = scenes_beside(o.scene), .speed = o.speed, .playing = !o.paused};
    wanted.pages = devices.pages();
    if (!devices.empty())
      wanted.attach = [&devices](Scene& scene) -> Result<void> {
        if (devices.attach(scene)) return {};
        return Error{.message = devices.trouble()};
      };
    auto started = view::Simulation::start(wanted);
    if (!started) return fail(started.error());
    simulation = std::move(*started);
  }
  settings.bind = o.bind;
  settings.port = o.port;
  auto server = view::Server::start(simulation.get(), settings);
  if (!server) return fail(server.error());
  const std::string address = (*server)->address();
  if (o.json)
    std::printf("{\"address\":\"%s\",\"port\":%d}\n", address.c_str(), (*server)->port());
  else
    std::printf("%s is at  %s\n%sCtrl-C ends.\n", o.scene.c_str(), address.c_str(),
                simulation ? "Drag the tool with the mouse. " : "");
  std::fflush(stdout);
  if (!o.no_browser) open_browser(address);
  int signal = 0;
  sigwait(&quit, &signal);
  if (!o.json) std::printf("\n");
  // First the pages, then the loop, then the devices: each is let go of by whom nobody uses any more.
  *server = nullptr;
  simulation.reset();
  devices.close();
}

}  // namespace view_command

void add_view(CLI::App& app) {
  using namespace view_command;
  auto o = std::make_shared<Options>();
  auto* view_command = app.add_subcommand("view", "Runs a scene live in the browser, to watch and to touch");
  view_command->footer("Example:  palp view scenes/snap-in.yaml");
  view_command->add_option("scene", o->scene, "Scene file (YAML), or a recording of palp run --record (HDF5)")
      ->required();
  view_command->add_option("--port", o->port, "Port to listen on; 0 takes any free one")
      ->capture_default_str();
  view_command
      ->add_option("--bind", o->bind, "Address to listen on; other than loopback, a token is demanded")
      ->capture_default_str();
  view_command->add_option("--speed", o->speed, "Times real time")
      ->check(CLI::Range(0.01, 4.0))
      ->capture_default_str();
  view_command->add_option(
      "--device", o->devices,
      "NAME=KIND[,option…]: a real device, or the page, in the place of the scene's (docs/devices.md); the "
      "scene then keeps to the clock in threads of its own");
  view_command->add_flag("--paused", o->paused, "Waits for the play button");
  view_command->add_flag("--as-recorded", o->as_recorded,
                         "A recording at once, without contacts and energies, which are computed again");
  view_command->add_flag("--no-browser", o->no_browser, "Only prints the address");
  view_command->add_flag("--json", o->json, "Prints the address for machines");
  view_command->callback([o] { view(*o); });
}

}  // namespace palp::cli
