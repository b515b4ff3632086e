// Frames of a run for ParaView: per body its volume (displacement, velocity, strain, stress), its skin
// (displacement, contact pressure), and the contacts as vertices.
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

}  // namespace palp
