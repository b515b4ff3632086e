// palp emulate: a simulated hand behind the protocol or the library of a real device, so that a whole set-up
// can be tried on a desk without one.
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "commands.hpp"
#include "load_scene.hpp"
#include "run_realtime.hpp"
#include <unistd.h>

#include "palp/base/clock.hpp"
#include "palp/devices/doubles/services.hpp"

namespace palp::cli {
namespace emulate_command {

struct Options {
  std::string kind, faults, scene, hand, socket = "/tmp/palp-spnav.sock", version = "3.5";
  int port = -1;
  double seconds = 0;
  bool still = false;
  HandSettings arm = ArmSettings{}.hand;
  std::vector<std::string> command;
};

void fail(const Error& e) {
  std::fprintf(stderr, "palp emulate: %s\n", e.text().c_str());
  exit_code = 1;
}

/// The way of a scene's hand, relative to where it starts, twenty points a second, and back.
Result<std::vector<WayPoint>> motion_of(const std::string& file, const std::string& hand) {
  auto scene = load_or_explain(file, {});
  if (!scene) return Error{.message = file + " could not be loaded"};
  for (const SceneDevice& d : scene->devices) {
    if (!hand.empty() && d.name != hand) continue;
    const DevicePose start = d.device->read(0).pose;
    std::vector<WayPoint> points{{0, Vec3::Zero()}};
    for (double t = 0; t < scene->seconds; t += 0.05) {
      // A hand in mid-air goes where it aims at: nothing is written, it is only moved on.
      const DevicePose p = d.device->read(t).pose;
      points.push_back({t + ArmSettings::rest_s, p.position - start.position,
                        p.orientation * start.orientation.conjugate()});
      for (int i = 0; i < 50; ++i) d.device->write({}, 1e-3);
    }
    points.push_back({scene->seconds + ArmSettings::rest_s + 1, Vec3::Zero()});
    return points;
  }
  return Error{.message = file + " has no device" + (hand.empty() ? "" : " '" + hand + "'")};
}

/// The folder of the fake libraries: beside the program that was built, or where it was installed.
std::string library_folder() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder :
       {self.parent_path() / "doubles", self.parent_path().parent_path() / "lib/palp/doubles"})
    if (fs::exists(folder / "libdrd.so", error)) return folder.string();
  for (const auto& entry : fs::directory_iterator(self.parent_path().parent_path() / "lib", error))
    if (fs::exists(entry.path() / "palp/doubles/libdrd.so", error))
      return (entry.path() / "palp/doubles").string();
  return PALP_DOUBLES;
}

void serve(const Options& o, const ArmSettings& settings) {
  SignalStop signals;
  DoubleArm arm(settings);
  auto started =
      o.kind == "haply"
          ? start_haply_double(arm, static_cast<unsigned short>(o.port < 0 ? 10001 : o.port), o.version)
      : o.kind == "udp" ? start_udp_double(arm, static_cast<unsigned short>(o.port < 0 ? 47770 : o.port))
                        : start_spacenav_double(arm, o.socket);
  if (!started) return fail(started.error());
  std::printf("A double of %s is at %s; --device NAME=%s%s%s reaches it. Ctrl-C ends.\n", o.kind.c_str(),
              (*started)->address().c_str(), o.kind.c_str(),
              o.port >= 0 || o.kind == "spacenav" ? ",address=" : "",
              o.port >= 0 || o.kind == "spacenav" ? (*started)->address().c_str() : "");
  std::fflush(stdout);
  const double begin = now_us();
  Fault shown = Fault::none;
  for (double next = begin + 1e6; !signals.stop && (o.seconds <= 0 || now_us() - begin < 1e6 * o.seconds);) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const Fault fault = arm.fault(); fault != shown) {
      std::printf("fault        %s\n", name_of(fault));
      std::fflush(stdout);
      shown = fault;
    }
    if (now_us() < next || !isatty(1)) continue;
    next += 1e6;
    const ArmLog log = arm.log();
    const Vec3 p = 1e3 * arm.truth().pose.position;
    std::printf("\r%8ld commands, hand at %6.1f %6.1f %6.1f mm, feels %5.2f N ", log.commands, p.x(), p.y(),
                p.z(), log.last.force.norm());
    std::fflush(stdout);
  }
  started = Error{};  // the service ends before it is reported about
  const ArmLog log = arm.log();
  std::printf("%s%ld commands, at most %.3f N, last %.3f N, %ld not finite, motors %s, opened %d times\n",
              isatty(1) ? "\n" : "", log.commands, log.largest_force_N, log.last.force.norm(), log.not_finite,
              log.enabled ? "on" : "off", log.opened);
}

/// A library is loaded by the program that uses it: that program is started with the right environment.
void lend(const Options& o, const ArmSettings& settings) {
  const std::string folder = library_folder();
  if (o.command.empty()) {
    std::printf("export PALP_DEVICE_LIBRARIES='%s' PALP_DOUBLE_REPORT=1 PALP_DOUBLE='%s'\n", folder.c_str(),
                settings.text().c_str());
    std::fprintf(stderr,
                 "A library is loaded by the program that uses it: eval \"$(palp emulate %s)\", or\n"
                 "palp emulate %s -- palp run SCENE --device NAME=%s\n",
                 o.kind.c_str(), o.kind.c_str(), o.kind.c_str());
    return;
  }
  setenv("PALP_DEVICE_LIBRARIES", folder.c_str(), 1);
  setenv("PALP_DOUBLE_REPORT", "1", 1);
  setenv("PALP_DOUBLE", settings.text().c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : o.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fail({.message = o.command[0] + " cannot be started"});
}

void emulate(const Options& o) {
  ArmSettings settings;
  settings.hand = o.arm;
  settings.motion = o.still ? std::vector<WayPoint>{} : ArmSettings::snap();
  if (!o.scene.empty()) {
    auto motion = motion_of(o.scene, o.hand);
    if (!motion) return fail(motion.error());
    settings.motion = std::move(*motion);
  }
  auto plan = ArmSettings::parse_plan(o.faults);
  if (!plan) return fail(plan.error());
  settings.plan = std::move(*plan);
  if (o.kind == "haply" || o.kind == "udp" || o.kind == "spacenav")
    serve(o, settings);
  else
    lend(o, settings);
}

}  // namespace emulate_command

void add_emulate(CLI::App& app) {
  using namespace emulate_command;
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("emulate", "A simulated hand behind a real device's protocol or library");
  command->footer(
      "Example:  palp emulate haply --faults nan@5+1,unplugged@8+2\n"
      "          palp emulate forcedimension -- palp run scenes/two-hands.yaml --device left=forcedimension");
  command
      ->add_option("kind", o->kind, "haply, udp, spacenav, forcedimension, openhaptics, virtuose or gamepad")
      ->required()
      ->check(CLI::IsMember(
          {"haply", "udp", "spacenav", "forcedimension", "openhaptics", "virtuose", "gamepad"}));
  command->add_option("command", o->command, "Behind --: the program that loads the library");
  command->add_option(
      "--faults", o->faults,
      "FAULT@SECONDS+SECONDS,…: silence, late, closed, unplugged, nan, stuck, saturated, units, "
      "malformed, jump");
  command->add_option("--scene", o->scene, "Moves as the hand of this scene does, again and again");
  command->add_option("--hand", o->hand, "Which hand of the scene; default: the first");
  command->add_flag("--still", o->still, "Does not move unless it is pushed");
  command->add_option("--stiffness", o->arm.stiffness_N_per_m, "Of the simulated arm, N/m")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e5));
  command->add_option("--port", o->port, "Another port than the device's usual one; 0 takes any free one")
      ->check(CLI::Range(0, 65535));
  command->add_option("--socket", o->socket, "spacenav: path of the socket")->capture_default_str();
  command->add_option("--service", o->version, "haply: version of the service")
      ->capture_default_str()
      ->check(CLI::IsMember({"3.1", "3.5"}));
  command->add_option("--seconds", o->seconds, "Ends by itself; default: Ctrl-C");
  command->callback([o] { emulate(*o); });
}

}  // namespace palp::cli
