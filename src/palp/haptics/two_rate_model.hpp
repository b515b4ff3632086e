// What a two-rate simulation is made of (P11 §III; K16 §4): bodies, of which some are tools, held by devices
// and stepped with h_high at every haptic tick, and the others stepped with h_low = N h_high. Constant; both
// rates read it.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "palp/contact/glc_builder.hpp"
#include "palp/hands/single_rate.hpp"
#include "palp/mechanics/skin_carriers.hpp"
#include "palp/solvers/glc_pgs.hpp"

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

/// How a pair of bodies touches in the ticks.
enum class HapticContact {
  standard,  ///< pairs of features, endless planes
  glc,       ///< the tool's points on the patches of the surface around them (K16)
  closest,   ///< a point on the endless plane of the closest point: what K16 compares with
};

struct TwoRateSettings {
  double h_high_s = 1e-3;
  int low_every = 20;     ///< N: ticks between two low-rate steps
  int delay_ticks = 0;    ///< D < N: ticks until a low-rate step's result is there (deterministic runner)
  int max_contacts = 64;  ///< standard ones in one tick, of tools and beside them; the closest are kept
  /// Of the tick. Its budget counts from the start of the tick, on the real clock.
  SolveOptions solve{.tolerance = 1e-6, .max_sweeps = 200, .warm_start = true};
  /// The same for ticks on the virtual clock: runs then differ from each other.
  double virtual_budget_us = std::numeric_limits<double>::infinity();
  ForceSource force = ForceSource::coupling;
  HandOver hand_over = HandOver::reduced;
  HapticContact contact = HapticContact::standard;  ///< of pairs that do not say
  GlcRegionSettings region = {};                    ///< of limited pairs
  /// On the real clock limited constraints are so many that a tick takes this part of its budget as a rule
  /// (single ones take five times as long), and what they cost a low-rate step this part of its time.
  double tick_share = 0.2, low_share = 0.5;
  GlcSettings trust = {};

  double h_low_s() const { return low_every * h_high_s; }
};

/// `median` of what has been seen: up or down by a little with every new one. A thread that is kept waiting
/// now and then does not count.
inline void follow_median(double seen, double& median) {
  median = median > 0 ? (seen > median ? 1.05 : 1 / 1.05) * median : seen;
}

struct TwoRateModel {
  Model model;               ///< h_s = h_low; tools have their own, h_high
  std::vector<int> tools;    ///< body of each tool
  std::vector<int> tool_of;  ///< per body: its number among the tools, −1 at the low rate
  std::vector<Grip> grips;   ///< on tools only
  int devices = 0;
  TwoRateSettings settings;
  std::vector<HapticContact> contact;  ///< per rule; not standard: of a tool and a low-rate body
  std::vector<int> low_rules;          ///< of two low-rate bodies
  std::vector<char> found_elsewhere;   ///< per rule: the low rate's search for pairs is not for it
  std::vector<int> limited_tools;      ///< that touch by limited constraints
  bool still = true;                   ///< no force moves anything at the low rate
  std::vector<char> on_soft_ground;    ///< per limited tool: forces move something that it may touch

  std::vector<SkinCarriers> rigid;  ///< per body, empty when it deforms or cannot move

  /// `pairs`: how each rule's pair touches, where it says so. Checks and sets the bodies' steps.
  static Result<TwoRateModel> make(Model model, std::vector<int> tools, std::vector<Grip> grips, int devices,
                                   const TwoRateSettings& settings,
                                   const std::vector<std::optional<HapticContact>>& pairs = {});

  const Body& tool(int t) const { return *model.bodies[tools[t]].body; }
  int most_limited() const {
    int sum = 0;
    for (char soft : on_soft_ground) sum += most_constraints(settings.region, soft);
    return sum;
  }
  /// Whether time is measured: a tick has a budget. On the virtual clock none counts, and results repeat.
  bool on_clock() const { return std::isfinite(settings.solve.budget_us); }
  /// The part of the low-rate step that is over `ticks` after the synchronisation. A late step has ended in
  /// time.
  double progress(long ticks) const { return std::min(1.0, static_cast<double>(ticks) / settings.low_every); }
  /// The ticks find the contacts of tools themselves (live_contacts.hpp).
  bool live() const { return settings.hand_over == HandOver::reduced && limited_tools.empty(); }
  bool is_live(const TouchRule& rule) const {
    return live() && rule.body1 != rule.body2 && (tool_of[rule.body1] >= 0 || tool_of[rule.body2] >= 0);
  }
  /// Points of all tools at which contacts act.
  int most_sites() const {
    return static_cast<int>(limited_tools.size()) * (settings.region.most_proxies + 7) +
           4 * settings.max_contacts;
  }
  /// In one tick: limited and standard.
  int most_contacts() const { return most_limited() + (live() ? 2 : 1) * settings.max_contacts; }
  /// The corners of limited ones (GlcBuilder: at most two more).
  int most_nodes() const {
    int sum = 0;
    for (char soft : on_soft_ground) sum += soft ? most_constraints(settings.region, soft) + 2 : 0;
    return sum;
  }
  /// Vertices of low-rate skins that the ticks know.
  int most_points() const { return live() ? 2 * settings.max_contacts : 0; }
  int most_rows() const { return most_nodes() + settings.max_contacts + most_points(); }
};

}  // namespace palp
