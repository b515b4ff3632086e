// A block of equal boxes around a part: what a surface is laid in.
#pragma once
#include <algorithm>
#include <cmath>

#include "palp/mesh/lattice.hpp"

namespace palp {

struct BoxLattice {
  Vec3 low = Vec3::Zero(), high = Vec3::Ones();  ///< the part's bounding box: whole cells fill it
  Cells count{1, 1, 1};

  /// Cells no longer than `most` along each axis.
  static BoxLattice around(const Eigen::AlignedBox3d& box, const Vec3& most) {
    BoxLattice lattice{box.min(), box.max(), {}};
    for (int k = 0; k < 3; ++k)
      lattice.count[k] = std::max(1, static_cast<int>(std::ceil(box.sizes()[k] / most[k] - 1e-6)));
    return lattice;
  }

  Vec3 cell() const { return (high - low).cwiseQuotient(Vec3(count[0], count[1], count[2])); }
  size_t cells() const { return static_cast<size_t>(count[0]) * count[1] * count[2]; }
  size_t index(const Cells& c) const {
    return (static_cast<size_t>(c[2]) * count[1] + c[1]) * count[0] + c[0];
  }
  Cells at(size_t i) const {
    return {static_cast<int>(i % count[0]), static_cast<int>(i / count[0] % count[1]),
            static_cast<int>(i / count[0] / count[1])};
  }
  Vec3 centre(const Cells& c) const {
    return low + cell().cwiseProduct(Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5));
  }
  /// The corner (i, j, k); those at the border lie exactly on the part's bounding box.
  Vec3 corner(const Cells& c) const {
    Vec3 p = low + cell().cwiseProduct(Vec3(c[0], c[1], c[2]));
    for (int k = 0; k < 3; ++k)
      if (c[k] == count[k]) p[k] = high[k];
    return p;
  }
  /// Measured in cells from `low`.
  Vec3 in_cells(const Vec3& p) const { return (p - low).cwiseQuotient(cell()); }
  int clamped(int axis, double in_cells) const {
    return static_cast<int>(std::clamp(std::floor(in_cells), 0.0, count[axis] - 1.0));
  }
};

}  // namespace palp
