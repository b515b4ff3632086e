// Runs a scene step by step and keeps what every step measured. No printing, no files: commands, tests and
// benchmarks share this loop. With `haptics:` a step is a haptic tick, and every so many of them the low rate
// makes one of its own (deterministic: the same bits every time).
#pragma once
#include <functional>

#include "palp/haptics/haptic_loop.hpp"
#include "palp/safety/safety_chain.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

/// One row of the series that `palp run --csv` writes.
struct StepRecord {
  double time_s = 0;
  StepReport report;        ///< of the step; of the tick with two rates (delassus_us: H3 and H4)
  bool low_step = false;    ///< two rates: the low rate made a step just before the tick
  bool moved = false;       ///< two rates: the low-rate bodies stand where the tick has brought them
  bool low_failed = false;  ///< it could not be made: the ticks go on with the snapshot they have
  LowReport low;            ///< its last one
  int held_back = 0;        ///< limited constraints: points at the border of their region
  double kinetic_J = 0, elastic_J = 0;
  double given_J = 0;  ///< energy handed to all users so far: the held force over the way of the hand
  struct Hand {
    DevicePose pose;  ///< that was used: the device's, or the last good one
    Wrench wrench;    ///< what the user feels
  };
  std::vector<Hand> hands;  ///< one per device
};

class SceneRun {
 public:
  explicit SceneRun(Scene& scene);

  /// Low-rate steps that may fail one after the other before the run does.
  static constexpr int most_low_failures = 10;
  /// One step: devices → couplings → step → forces. False when the step failed; the state is then unchanged.
  /// `dt_s`: real time since the last one, for the safety chains; 0: it came on time.
  bool advance(double dt_s = 0);
  /// Faults to study: while stalled the low rate neither steps nor hands over (nothing with one rate); what
  /// else pushes a body in every step from now on.
  void stall_low_rate(bool stalled) {
    if (loop_) loop_->stall_low_rate(stalled);
  }
  Loads& loads(int body) { return loop_ ? loop_->loads(body) : ws_.bodies[body].loads; }

  /// Of the last step; before the first one, the start.
  const StepRecord& record() const { return record_; }
  const State& state() const { return state_; }
  State& state() { return state_; }  ///< to start from elsewhere; with two rates only to look at
  /// Contacts, problems and forces of the last step; of the last low-rate step with two rates.
  const Workspace& workspace() const { return loop_ ? loop_->low().ws : ws_; }
  /// Calls visit(contact, force in its frame, gap) for the contacts of the last step; with two rates for
  /// those of the low rate and of the last tick.
  template <class Visit>
  void for_each_contact(Visit&& visit) const {
    const Workspace& ws = workspace();
    for (int g = 0; g < ws.group_count; ++g) {
      const ContactGroup& group = ws.groups[g];
      const long rows = 3 * static_cast<long>(group.contacts.size());
      if (group.f.size() != rows || group.delta.size() != rows) continue;  // the step failed before
      for (long i = 0; i < rows; i += 3)
        if (const Contact& c = group.contacts[static_cast<size_t>(i / 3)];
            SnapshotLayout::kind(c.id) == SnapshotLayout::Kind::contact)
          visit(c, Vec3(group.f.segment<3>(i)), group.delta[i]);
    }
    if (!loop_) return;
    const Snapshot& s = loop_->snapshot();
    for (int i = 0; i < static_cast<int>(s.contacts.size()); ++i) {
      if (i >= s.limited && i < s.frozen) continue;  // seen in the groups
      const Vec3 f = loop_->high().lambda.segment<3>(3 * i);
      Contact c = s.contacts[static_cast<size_t>(i)];
      if (is_idle_patch(c, f)) continue;
      if (i < s.limited && s.patches.glc[i].node[2] >= 0) c.Q.weight = s.patches.glc[i].weight;
      visit(c, f, loop_->high().delta[3 * i]);
    }
  }
  /// Simulated time of one advance().
  double step_s() const { return scene_.two_rate ? scene_.two_rate->settings.h_high_s : scene_.model.h_s; }
  const HapticLoop* loop() const { return loop_.get(); }  ///< of two rates; null for a single one
  /// Whether the last advance() stepped this body; with two rates it seldom does.
  bool stepped(int body) const {
    return !scene_.two_rate || record_.moved || scene_.two_rate->tool_of[body] >= 0;
  }
  /// The force of the supports on a body, those nodes that the scene fixes or pins, in its own last step; and
  /// of what moves it.
  Vec3 support_force(int body);
  Vec3 moving_force(int body);
  /// Skin of a body at the current state.
  TriMesh skin(int body) const;
  const SafetyChain& safety(int device) const { return safety_[static_cast<size_t>(device)]; }
  /// The last step or tick for the recorder; and its contact problem, W only if there is just one group.
  TickRecord tick_record() const;
  ContactView contacts();

 private:
  void step();
  void tick();
  bool measure_energy();
  void take_holds(double end_s);
  void break_holds();
  Vec3 held_force(int body, const std::vector<BodyMesh::Held>& at);

  Scene& scene_;
  std::vector<Grip> grips_;  ///< the scene's, as they are held now
  std::vector<Grasp> grasps_;
  std::vector<char> broken_;  ///< grips, then grasps
  std::unique_ptr<HapticLoop> loop_;
  std::vector<double> energy_kinetic_, energy_elastic_;  ///< per body: the low rate's change seldom
  State state_;
  Workspace ws_;
  StepRecord record_;
  std::vector<DevicePose> poses_;
  std::vector<Wrench> wrenches_;
  std::vector<SafetyChain> safety_;  ///< one per device
  std::vector<unsigned> buttons_;
  int low_failures_ = 0;                     ///< two rates: low-rate steps in a row that failed
  double failing_s_ = 0;                     ///< single rate: since the last step that succeeded
  double mass_kg_ = 0;                       ///< of all that moves
  std::vector<double> delta_free_, lambda_;  ///< contacts: of all groups, one after the other
  VecX constraint_force_;                    ///< support_force
};

/// Whoever looks at a run from its start to its end, step by step; an error ends it.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual Result<void> begins(const Scene& scene, SceneRun& run) = 0;
  virtual Result<void> stepped(SceneRun& run, bool last) = 0;
  virtual Result<void> ended() = 0;
};

/// Why a step failed, for people.
std::string explain(const Scene& scene, StepStatus status, int body);
inline std::string explain(const Scene& scene, const StepReport& report) {
  return explain(scene, report.status, report.body);
}

}  // namespace palp
