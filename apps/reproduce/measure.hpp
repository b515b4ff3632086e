// What experiments share: a scene on its way, the contact problem of its last step, forces, pictures,
// statistics of series.
#pragma once
#include "../cli/scene_picture.hpp"
#include "experiment.hpp"

#include "palp/base/statistics.hpp"
#include "palp/scene/grid_convergence.hpp"
#include "palp/scene/run.hpp"

namespace palp::reproduce {

/// A loaded scene and its run. A step that fails ends the experiment with its reason.
struct Simulation {
  std::unique_ptr<Scene> scene;
  std::unique_ptr<SceneRun> run;

  static Result<Simulation> start(const Context& context, const std::string& file,
                                  const std::vector<SceneOverride>& changes = {},
                                  const SceneRefinement& refinement = {});
  Result<void> advance();
  Result<void> advance_to(double time_s);
  Result<void> finish();  ///< all of the scene's steps
  double time_s() const { return run->state().time_s; }
  long steps() const;  ///< that the scene's `seconds` take

  int body(const std::string& name) const;  ///< index; −1 when there is none
  /// Contact groups of the last step.
  std::span<const ContactGroup> groups() const;
  /// The group with the most contacts; null when nothing was near.
  const ContactGroup* largest_group() const;
  /// Total contact force on a body over the last step, world axes.
  Vec3 contact_force_on(int body) const;
};

SceneOverride set(const std::string& key, double value);
SceneOverride set(const std::string& key, const std::string& yaml);

/// The problem of the contacts in `order`: a permutation, a selection or a repetition (i twice = listed
/// twice).
Problem rearranged(const Problem& problem, std::span<const int> order);

/// draw_scene of a simulation.
inline Picture draw(const Simulation& simulation, bool arrows = true, int hidden_body = -1) {
  return draw_scene(*simulation.scene, *simulation.run, arrows, hidden_body);
}

/// Time that the processor spent on this thread: unlike the clock, it does not run while others work.
double processor_us();

double mean(std::span<const double> values);
double deviation(std::span<const double> values);  ///< root mean square distance from the mean
double largest(std::span<const double> values);
/// Slope of the line that fits y over x best.
double slope(std::span<const double> x, std::span<const double> y);

/// One number of ever finer runs of an experiment, from coarse to fine: meshes of cells of size h, or steps
/// h.
struct Refined {
  std::vector<double> h = {}, value = {};
  void add(double size, double v) { h.push_back(size), value.push_back(v); }
  GridConvergence limit(double formal_order = 2) const { return grid_convergence(h, value, formal_order); }
  /// Of the two finest values, relative to the finest.
  double last_change() const;
};

/// Rows "WHAT, limit" with its error bar and "WHAT, order of convergence", if there is one.
GridConvergence report_limit(Outcome& o, const std::string& what, const Refined& refined,
                             const std::string& unit, double formal_order = 2);

/// "12.3": a number with three digits, for sentences.
std::string digits(double value);

/// A small generator with a fixed sequence (SplitMix64): the same random motions on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high);
  int index(int n);

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

}  // namespace palp::reproduce
