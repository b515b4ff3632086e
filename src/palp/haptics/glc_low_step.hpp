// The low rate of K16 (§3.2 L1-L5, §4; P11 S1-S6): the deformable bodies move with their own long step, the
// GLCs around every proxy are made at its last known position, their combined response is built.
//     S0 bring the bodies where the ticks have pushed them (low_step.hpp)
//     L1 free motion, factor   L2, L3 GLCs   L4 W, bodies within few motions   L5 hand over the snapshot
#pragma once
#include "palp/contact/glc_response.hpp"
#include "palp/haptics/glc_tick.hpp"
#include "palp/haptics/two_rate_model.hpp"
#include "palp/sim/step.hpp"

namespace palp {

enum class HapticContact {
  glc,      ///< K16
  closest,  ///< the closest point only, as an endless plane: what K16 compares with
};

struct GlcLoopSettings {
  HapticContact contact = HapticContact::glc;
  GlcRegionSettings region;
  GlcSettings trust;
  HandOver hand_over = HandOver::reduced;
  double tick_s = 1e-3;
  int max_others = 64;  ///< contacts and attachments between low-rate bodies that the ticks can hold
  SolveOptions options{.tolerance = 1e-6, .max_sweeps = 400};
};

/// The hands of grips that hold point proxies; an error for any other body.
Result<std::vector<GlcHand>> glc_hands(const Model& model, std::span<const Grip> grips);

struct GlcLowReport {
  StepReport step;
  int glcs = 0, found = 0;
  int others_left_out = 0;       ///< contacts between low-rate bodies beyond max_others: the furthest apart
  double smallest_region_m = 0;  ///< half size of the tightest trust region
};

class GlcLowStep {
 public:
  /// Every hand holds a point proxy of the model; the bodies that share a rule with it are what it touches.
  static Result<GlcLowStep> make(const Model& model, std::vector<GlcHand> hands,
                                 const GlcLoopSettings& settings);

  /// Finishes the last step, begins the next one and fills the snapshot, which must not be used when the
  /// step's status is not ok.
  GlcLowReport advance(const GlcNews& news, State& state, GlcSnapshot& snapshot);
  /// S0: brings the bodies in `state` (not the proxies) to the tick of the news. False: the state would not
  /// be finite, and is as it was.
  bool finish(const GlcNews& news, State& state);

  /// What pushes a body in every step from now on.
  Loads& loads(int body) { return ws_.bodies[body].loads; }
  /// Body::constraint_force of the last step, dof() entries; zero for the proxies.
  void constraint_force(int body, VecX& out) const;

  GlcSizes sizes() const { return sizes_; }
  int most_bodies() const { return static_cast<int>(bodies_.size()); }
  const std::vector<GlcHand>& hands() const { return hands_; }
  const GlcLoopSettings& settings() const { return settings_; }

 private:
  GlcLowStep() = default;
  void find_glcs(std::span<const ProxyState> proxies, std::span<const DevicePose> poses,
                 GlcSnapshot& snapshot, GlcLowReport& report);
  void find_others(const State& state, GlcSnapshot& snapshot, GlcLowReport& report);
  void first_guess(std::span<const ProxyState> proxies, const State& state, GlcSnapshot& snapshot) const;
  void reduce_bodies(const State& state, GlcSnapshot& snapshot);

  Model model_;  ///< without the proxies' rules; its bodies keep their numbers
  std::vector<GlcHand> hands_;
  GlcLoopSettings settings_;
  GlcSizes sizes_;
  Workspace ws_;
  std::vector<GlcSkin> skins_;                     ///< per body; empty for proxies and curves
  std::vector<std::vector<GlcSurface>> surfaces_;  ///< per hand
  std::vector<GlcBuilder> builder_;                ///< one
  std::vector<GlcBody> bodies_;                    ///< all but the proxies
  std::vector<BodyContacts> rows_;
  std::vector<Contact> constraints_;   ///< of the last step
  std::vector<Reduction> reduction_;   ///< per body of bodies_
  std::vector<int> reduced_, shared_;  ///< per body of bodies_: its number in the snapshot; scratch
  VecX f0_;
  std::vector<VecX> velocities_;  ///< per body of bodies_, as the ticks left it; empty: v = Δx/h
  long sequence_ = 0, tick_ = 0;  ///< of its snapshot
  bool finished_ = true;
  int lost_ = -1;  ///< the body whose state would not be finite
};

}  // namespace palp
