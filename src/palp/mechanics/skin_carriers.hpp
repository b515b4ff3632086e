// A rigid skin from four of its vertices: its motion is affine, so that whoever knows where these went knows
// where all went.
#pragma once
#include "palp/mechanics/body.hpp"

namespace palp {

/// Up to four vertices of a rigid body that carry all others, fewer of a flat one: the corners of a simplex
/// that is as large as the skin allows, of a rounded skin those that span its axes.
struct SkinCarriers {
  std::vector<int> vertex;
  std::vector<Eigen::Vector4d> share;  ///< per vertex of the skin: of each of them

  /// All vertices from those that carry them.
  void carry(std::vector<Vec3>& x) const;
  /// The rotation vector between two places of a rounded skin.
  Vec3 turn(const std::vector<Vec3>& from, const std::vector<Vec3>& to) const;
};

/// Of a body at rest; none when it deforms or cannot move.
SkinCarriers carriers_of(const Body& body);

}  // namespace palp
