// Fields over the bodies of a run, for files and pictures: strain and stress of the elements, their von Mises
// measures at the vertices of the skin, contact pressure.
#pragma once
#include "palp/mechanics/element_strain.hpp"
#include "palp/scene/run.hpp"

namespace palp {

/// Where the nodes of a deformable body are, in world axes; empty: it has none to show.
std::vector<Vec3> node_positions(const Body& body, const BodyState& state, size_t nodes);

/// Of every element, world axes.
struct ElementFields {
  std::vector<Mat3> strain, stress;
};
ElementFields element_fields(const BodyVolume& volume, std::span<const Vec3> positions);

/// What of the elements is shown on a skin: von Mises' measures.
enum class SkinMeasure { stress, strain };  ///< Pa; of stretch, without unit

/// Takes the measures of the elements to the skin: their mean at every node, then by the weights with which
/// the nodes carry the skin's vertices. Constant: threads may share it.
class SkinMeasures {
 public:
  SkinMeasures(std::shared_ptr<const Body> body, std::shared_ptr<const BodyVolume> volume);
  /// One per vertex of the skin, at the generalised positions `x`.
  std::vector<double> at(const VecX& x, SkinMeasure measure) const;

 private:
  std::shared_ptr<const Body> body_;
  std::shared_ptr<const BodyVolume> volume_;
  std::vector<int> elements_at_;  ///< per node: how many
  PointJacobian nodes_of_;        ///< skin vertex → nodes of the volume; blocks are weights times I
};

/// Contact pressure at the vertices of a body's skin, Pa, by the forces of the last step; with two rates, of
/// the last low-rate step, and of the last tick where points touch by GLCs. Empty: the skin has no area.
std::vector<double> body_pressure(const Scene& scene, const SceneRun& run, int body);

}  // namespace palp
