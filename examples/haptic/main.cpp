// A haptic application: a device of its own, a scene, the real-time loop in the background, and a "window"
// that reads skins and contacts while it runs, changes the friction half-way and stops cleanly.   haptic
// [SCENE] [SECONDS]
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <palp/palp.hpp>

namespace {

std::atomic<bool> interrupted = false;

/// Stands for a driver. read and write are called by the haptic thread, 1000 times a second: they must not
/// wait.
class MyDevice final : public palp::Device {
 public:
  palp::DeviceReading read(double time_s) override {
    palp::DeviceReading
        reading;  // a hand that comes down 6 mm in the first half second and then strokes the bar
    reading.pose.position = {0.02 + 0.01 * std::sin(3 * time_s), 0,
                             0.018 - 0.006 * std::fmin(2 * time_s, 1.0)};
    return reading;
  }
  void write(const palp::Wrench& wrench, double) override { force_N.store(wrench.force.norm()); }

  std::atomic<double> force_N = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const palp::SceneResult loaded = palp::load_scene(argc > 1 ? argv[1] : "scene.yaml");
  for (const palp::Error& error : loaded.errors) std::fprintf(stderr, "%s\n", error.text().c_str());
  if (!loaded.scene) return 1;
  palp::Scene& scene = *loaded.scene;
  auto device = std::make_unique<MyDevice>();
  MyDevice& hand = *device;
  scene.devices.at(0).device = std::move(device);  // instead of the scene's own

  const double seconds = argc > 2 ? std::atof(argv[2]) : 2;
  auto live = palp::LiveScene::start(scene, {.seconds = seconds});
  if (!live) return std::fprintf(stderr, "%s\n", live.error().text().c_str()), 1;
  std::signal(SIGINT, [](int) { interrupted = true; });

  bool slippery = false;
  double strongest_N = 0;
  while ((*live)->running() && !interrupted) {
    const palp::LiveView& view = (*live)->view();  // here a window would draw view.skins and view.contacts
    strongest_N = std::fmax(strongest_N, hand.force_N);
    std::printf("%.2f s: %zu contacts, the hand feels %.2f N\n", view.time_s, view.contacts.size(),
                hand.force_N.load());
    if (!slippery && view.time_s > 0.5 * seconds) slippery = (*live)->set_friction("bar", "tool", 0.05);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const auto report = (*live)->stop();  // the device has been given zero force
  if (!report) return std::fprintf(stderr, "%s\n", report.error().text().c_str()), 1;
  std::printf("%ld ticks, %ld missed, strongest force %.2f N, at the end %.2f N\n", report->ticks,
              report->missed_periods, strongest_N, hand.force_N.load());
  return report->ticks > 0 && strongest_N > 0 ? 0 : 1;
}
