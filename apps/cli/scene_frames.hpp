// Frames of a run for ParaView: per body its volume (displacement, velocity, strain, stress) or its skin, and
// the contacts as vertices.
#pragma once
#include "palp/io/pvd.hpp"
#include "palp/scene/run.hpp"

namespace palp {

class SceneFrames {
 public:
  /// Into FOLDER/scene.pvd; the folder is made.
  static Result<SceneFrames> create(const std::string& folder, const Scene& scene);
  Result<void> add(const Scene& scene, const SceneRun& run);

 private:
  explicit SceneFrames(PvdSeries series) : series_(std::move(series)) {}
  PvdSeries series_;
  std::vector<std::vector<Vec3>> first_;  ///< skins in the first frame, from which displacements count
};

/// What touches, at the end of the last step. World axes, forces on the first body of each pair.
struct ContactPoints {
  std::vector<Vec3> at, force, normal;
  std::vector<double> gap;       ///< at the end of the step, in the linearised problem
  std::vector<double> pressure;  ///< normal force over the area of the skin around it
  std::vector<int> state;        ///< 0 open, 1 sticks, 2 slips, 3 held (attachment)
  std::vector<int> body1, body2;
};
ContactPoints contact_points(const Scene& scene, const SceneRun& run);

}  // namespace palp
