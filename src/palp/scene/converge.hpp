// How far is a scene from its own limit? It is run again with finer meshes and, separately, with finer time
// steps; what one quantity of the run (quantities.hpp) does meanwhile is judged by grid_convergence.hpp.
//
// Cells are whole: 1.5 times one is two. So the size h of a mesh comes from its number of cells, h =
// N^(−1/d), with the dimension d that the first and the last mesh show.
//
// The errors of mesh and time add to first order, so the estimate of the limit is
//     as written + (limit of the mesh − as written) + (limit of the time step − as written).
#pragma once
#include <cmath>
#include <functional>

#include "palp/scene/grid_convergence.hpp"
#include "palp/scene/quantities.hpp"

namespace palp {

struct ConvergeOptions {
  std::string quantity = {};  ///< empty: the first of the scene
  int levels = 4;             ///< 3 … 7, of each sequence
  double seconds = 0;         ///< 0: the scene's own
};

struct ConvergeLevel {
  SceneRefinement refinement;
  long cells = 0, unknowns = 0;  ///< of the bodies that move
  double dt_s = 0;
  double size = 1;  ///< h of the mesh or the step, over that of the scene as written
  double value = 0;
};

/// From coarse to fine; the first is the scene as written.
struct ConvergeSequence {
  std::vector<ConvergeLevel> levels;
  std::string ended_by;  ///< why it is shorter than wanted; empty: it is not
  GridConvergence limit;

  /// Values that have an order, or swing by less than a twentieth of themselves.
  bool settled() const {
    return limit.converged || (levels.size() > 2 && limit.error < 0.05 * std::abs(limit.value));
  }
};

struct ConvergeStudy {
  std::string quantity;
  const char* unit = "";
  ConvergeSequence mesh, time;           ///< mesh: one level when nothing can be refined
  std::vector<std::string> not_refined;  ///< bodies whose mesh comes from a file
  double as_written = 0, limit = 0, error = 0;
  bool converged = false;

  double distance_percent() const { return limit != 0 ? 100 * (as_written / limit - 1) : 0; }
};

/// Steps per length or time of the levels, over what the scene says.
std::span<const double> refinement_factors();
/// The same for meshes of which the coarsest has so many cells: closer together where the finest would have
/// more than 30 000, since cells grow with the cube.
std::vector<double> mesh_factors(int levels, long cells);

/// A scene in finer steps, wherever it comes from.
using SceneSource = std::function<SceneResult(const SceneRefinement&)>;

/// `done`, if given, is told of every level. Errors: the scene as written cannot be read or run, or has no
/// such quantity.
Result<ConvergeStudy> converge(const SceneSource& source, const ConvergeOptions& options,
                               const std::function<void(const ConvergeLevel&)>& done = {});
Result<ConvergeStudy> converge(const SceneSpec& spec, const ConvergeOptions& options,
                               const std::function<void(const ConvergeLevel&)>& done = {});

}  // namespace palp
