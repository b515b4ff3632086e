// The experiments of K16: geometrically limited constraints for point proxies. Scenes are run with
// haptics.contact: glc and with haptics.contact: closest, the standard contact model of K16 §7 (only the
// closest point, an endless plane).
#pragma once
#include "measure.hpp"

namespace palp::reproduce {

/// What happened tick by tick.
struct TouchTrace {
  std::vector<double> time;
  std::vector<std::vector<Vec3>> input, proxy, force;  ///< per hand, per tick
  std::vector<double> away;                            ///< per tick: of proxy 0 from the skin of body 0, m
  std::vector<double> tick_us, glcs, sweeps;           ///< per tick
  std::vector<double> low_us, low_glcs, region;        ///< per low-rate step
  double certificate = 0;                              ///< worst that was taken for converged
  int unsettled = 0, held_back = 0;  ///< ticks: without convergence; at the trust region's border
  int held = 0;                      ///< ticks in which a GLC carried beyond its range or against eq. 13

  std::vector<double> magnitude(int hand) const;
  double largest_jump(int hand, double from_s) const;  ///< of the force in one tick, N
  double largest_away(double from_s) const;
};

/// Plays a scene to its end. `measure_away`: the distance from the skin takes a while.
Result<TouchTrace> touch(Context& context, const std::string& file, const std::vector<SceneOverride>& changes,
                         bool measure_away, std::unique_ptr<Simulation>* keep = nullptr);

Result<Outcome> rigid_sine(Context& context);
Result<Outcome> soft_sine(Context& context);
Result<Outcome> rigid_statue(Context& context);
Result<Outcome> soft_statue(Context& context);
Result<Outcome> two_hands(Context& context);
Result<Outcome> times(Context& context);
Result<Outcome> varying_resolution(Context& context);
Result<Outcome> tunnelling(Context& context);
Result<Outcome> shaped_tools(Context& context);

}  // namespace palp::reproduce
