// An application as a stranger compiles it: a device of its own in a haptic loop on the virtual clock, then a
// moment on the real one. Prints the forces to the last bit; install_and_use.cmake compares them between
// compiler flags.
#include <cmath>
#include <cstdio>

#include <palp/palp.hpp>

namespace {

class Presser final : public palp::Device {
 public:
  palp::DeviceReading read(double time_s) override {
    const volatile double way = 0.006 * std::fmin(4 * time_s, 1.0);  // volatile: flags must not fuse it with the sum
    palp::DeviceReading reading;
    reading.pose.position = {0.02, 0, 0.018 - way};
    return reading;
  }
  void write(const palp::Wrench& wrench, double) override {
    last = wrench;
    strongest_N = std::fmax(strongest_N, wrench.force.norm());
  }
  palp::Wrench last;
  double strongest_N = 0;
};

}  // namespace

int main(int, char** argv) {
  const auto load = [&] {
    palp::SceneResult loaded = palp::load_scene(argv[1]);
    for (const palp::Error& error : loaded.errors) std::fprintf(stderr, "%s\n", error.text().c_str());
    if (!loaded.scene) std::exit(1);
    return std::move(loaded.scene);
  };
  const auto held_by = [](palp::Scene& scene) -> Presser& {
    auto device = std::make_unique<Presser>();
    Presser& presser = *device;
    scene.devices.at(0).device = std::move(device);
    return presser;
  };

  const auto scene = load();
  Presser& presser = held_by(*scene);
  palp::SceneRun run(*scene);
  for (int tick = 1; tick <= 400; ++tick) {
    if (!run.advance()) return std::puts("a step failed"), 1;
    if (tick % 100 == 0)
      std::printf("tick %d: force %a %a %a N\n", tick, presser.last.force.x(), presser.last.force.y(),
                  presser.last.force.z());
  }
  if (!(presser.strongest_N > 0.1)) return std::puts("the hand felt nothing"), 1;

  const auto again = load();
  Presser& live_presser = held_by(*again);
  auto live = palp::LiveScene::start(*again, {.seconds = 0.5});
  if (!live || !(*live)->stop()) return std::puts("the real-time loop did not start"), 1;
  // Stopped at once: whatever happened until then, the device is left without force.
  if (live_presser.last.force.norm() != 0) return std::puts("the device was left with a force"), 1;
  std::printf("sizes %zu %zu %zu\n", sizeof(palp::DevicePose), sizeof(palp::Wrench),
              sizeof(palp::DeviceReading));
  return 0;
}
