// What a two-rate simulation is made of (P11 §III; K16 §4): bodies, of which some are tools, held by devices
// and stepped with h_high at every haptic tick, and the others stepped with h_low = N h_high. Constant; both
// rates read it.
#pragma once
#include <vector>

#include "palp/haptics/single_rate.hpp"

namespace palp {

/// Where the force that the user feels comes from (P11 §IV.B).
enum class ForceSource {
  coupling,  ///< the virtual coupling's spring and damper
  contact,   ///< Jᵀλ: the contact forces on the tool, moments about the held point
};

/// How a low-rate body moves while the ticks go on.
enum class HandOver {
  reduced,  ///< within few motions, tick by tick (reduced_body.hpp)
  end,      ///< at once, to the end of its step (P11, K16)
};

struct TwoRateSettings {
  double h_high_s = 1e-3;
  int low_every = 20;     ///< N: ticks between two low-rate steps
  int delay_ticks = 0;    ///< D < N: ticks until a low-rate step's result is there (deterministic runner)
  int max_contacts = 64;  ///< in one tick; the closest are kept, attachments first
  /// Of the tick. Its budget counts from the start of the tick.
  SolveOptions solve{.tolerance = 1e-6, .max_sweeps = 200, .warm_start = true};
  ForceSource force = ForceSource::coupling;
  HandOver hand_over = HandOver::reduced;

  double h_low_s() const { return low_every * h_high_s; }
};

struct TwoRateModel {
  Model model;               ///< h_s = h_low; tools have their own, h_high
  std::vector<int> tools;    ///< body of each tool
  std::vector<int> tool_of;  ///< per body: its number among the tools, −1 at the low rate
  std::vector<Grip> grips;   ///< on tools only
  int devices = 0;
  TwoRateSettings settings;

  /// Checks (rates, tools, grips) and sets the bodies' steps.
  static Result<TwoRateModel> make(Model model, std::vector<int> tools, std::vector<Grip> grips, int devices,
                                   const TwoRateSettings& settings);

  const Body& tool(int t) const { return *model.bodies[tools[t]].body; }
};

}  // namespace palp
