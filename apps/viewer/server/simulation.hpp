// A scene that runs in its own thread at real time, for viewers to watch and to touch.
//
//     network's thread                                     simulation's thread
//     commands (play, sliders, …)   ── ring ──────────►    between two steps
//     visitor's poses               ── triple buffer ──►   VisitorDevice
//     frame()                       ◄─ triple buffer ──    60 times a second, when somebody watches
//     samples()                     ◄─ ring ───────────    every step
//
// The simulation never waits for the network: what does not fit into a ring is lost.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "colours.hpp"
#include "frame.hpp"
#include "live_window.hpp"
#include "ring.hpp"

#include "palp/base/triple_buffer.hpp"
#include "palp/devices/visitor.hpp"

namespace palp::view {

/// A number of the scene that viewers may turn.
struct Slider {
  enum class Kind { friction, youngs_modulus, coupling } kind = Kind::friction;
  int index = 0;  ///< rule, body or grip; friction −1: every pair
  std::string label, unit;
  double value = 0, least = 0, most = 1;
  bool logarithmic = false;
  bool heavy = false;  ///< turning it builds something again: not at every pixel of a drag
};

/// What a viewer must know before the first frame: names, topology, sliders. Constant, shared between
/// threads.
struct SceneText {
  std::uint32_t generation = 0;  ///< another one: other bodies
  std::uint32_t revision = 0;    ///< another one: other slider values
  std::string title, file;
  int scene = 0;                    ///< its number among `scenes`
  std::vector<std::string> scenes;  ///< that can be picked
  std::vector<std::string> body_names;
  std::vector<bool> movable;
  std::vector<Skin> skins;
  Vec3 gravity = Vec3::Zero();
  std::vector<std::string> device_names;
  std::vector<std::string> device_kinds;  ///< visitors may take those of the kind "page"
  std::vector<Slider> sliders;
  std::string note;         ///< for people: what is missing from a recording
  std::string description;  ///< for people: the comment that the scene file begins with
  std::shared_ptr<const Colouring> colouring;
};

/// The comment that a scene file begins with, in one line.
std::string description_of(const std::string& scene_text);

struct Command {
  enum class Kind { play, pause, step, reset, speed, scene, slider } kind = Kind::play;
  int index = 0;
  double value = 0;
};

struct SimulationSettings {
  std::vector<std::string> scenes;  ///< files; the first is shown
  double frames_per_s = 60;
  double speed = 1;
  bool playing = true;
  bool unwatched = false;  ///< goes on when nobody watches
  /// Puts real devices into every scene that is loaded. The scene then runs on the clock in threads of its
  /// own, and this one only looks at it (live_window.hpp): pausing ends the run, playing starts it again.
  std::function<Result<void>(Scene&)> attach = {};
  /// Devices that are the page's alone: nothing moves them until a visitor takes them.
  std::vector<std::string> pages = {};
};

class Simulation {
 public:
  static constexpr int devices = 4;  ///< that visitors can take

  /// Loads the first scene and starts.
  static Result<std::unique_ptr<Simulation>> start(const SimulationSettings& settings);
  ~Simulation();

  // All below: the network's thread only.
  /// False when the simulation has not yet taken the last 256 commands.
  bool command(const Command& command) { return commands_.push(command); }
  /// The scene and the newest problem; changes with the generation.
  std::shared_ptr<const SceneText> scene();
  /// Takes the newest frame, if there is one since the last call.
  bool update() { return frames_.update(); }
  const ViewFrame& frame() const { return frames_.front(); }
  bool next_sample(ViewSample& sample) { return samples_.pop(sample); }
  VisitorChannel& visitor(int device) { return *visitors_[device]; }
  /// How many watch, and what some of them wish for (frame.hpp). Nobody: no frames are made.
  void audience(int viewers, unsigned wishes);
  /// Time that the simulation's thread has been computing, µs; from any thread.
  double computing_us();
  /// Steps made since the start, over all scenes; from any thread.
  long steps() const { return steps_; }
  /// The newest thing gone wrong (a step that failed); empty when nothing has.
  std::string trouble();

 private:
  explicit Simulation(const SimulationSettings& settings);
  void loop();
  void obey(const Command& command);
  bool load(int scene);
  void rebuild();
  void turn(int slider, double value);
  void advance();
  void watch();
  void publish();
  void tell();
  void set_trouble(const std::string& text);

  const SimulationSettings settings_;
  Ring<Command> commands_{256};
  Ring<ViewSample> samples_{8192};
  TripleBuffer<ViewFrame> frames_;
  std::shared_ptr<VisitorChannel> visitors_[devices];
  std::atomic<int> viewers_{0};
  std::atomic<long> steps_{0};
  std::atomic<unsigned> wishes_{0};
  std::atomic<bool> stop_{false};
  std::mutex text_mutex_;  ///< guards text_ and trouble_, which change when a scene is loaded or fails
  std::shared_ptr<const SceneText> text_;
  std::string trouble_;

  // The simulation's thread.
  std::unique_ptr<Scene> scene_;
  std::unique_ptr<SceneRun> run_;
  std::unique_ptr<LiveWindow> live_;  ///< with real devices; `run_` then shows only the start
  std::unique_ptr<Capture> capture_;
  std::shared_ptr<const Colouring> colouring_;
  unsigned wishes_seen_ = 0;
  std::vector<Slider> sliders_;
  std::vector<SceneOverride> changes_;  ///< made by sliders that need the scene to be built again
  int number_ = 0;                      ///< of the scene
  std::uint32_t generation_ = 0, revision_ = 0, serial_ = 0;
  bool playing_ = true, failed_ = false, dirty_ = true;
  int steps_wanted_ = 0;
  double speed_ = 1, rate_ = 0;

  std::thread thread_;
};

}  // namespace palp::view
