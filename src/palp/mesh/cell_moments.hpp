// How much of each cell of a lattice a closed surface encloses, exactly: the moments
//     m_abc = ∫ ξ^a η^b ζ^c dV,   a, b, c ≤ 2,   over the enclosed part of the cell, ξ, η, ζ in [−1, 1].
//
// Along z the number of times a point is enclosed is Σ sign(n_z) over the triangles above it. Hence a
// triangle adds to each cell of the columns it covers ± ∫∫ ξ^a η^b ∫ ζ^c dζ, from the cell's bottom to the
// triangle or, when that lies higher, to the cell's top: triangles are cut along the lattice, polynomials on
// the pieces integrated by Gauss points that are exact for them. Where the surface overlaps itself what is
// enclosed twice counts twice.
//
// The integrands of a hexahedron's stiffness (with its inner modes) and mass are polynomials of degree two
// per axis, so 27 moments are all that a box-shaped cell needs: fill_of makes points and weights of them.
#pragma once
#include "palp/mesh/box_lattice.hpp"
#include "palp/mesh/cell_fill.hpp"

namespace palp {

/// m_abc at a + 3 b + 9 c.
using CellMoments = std::array<double, 27>;

/// Of a full cell.
CellMoments full_moments();
/// 3 × 3 × 3 points that have these moments. Weights of little-filled cells may be negative.
CellFill fill_of(const CellMoments& moments);

/// A triangle's share of a cell, borders included.
struct CellPiece {
  int triangle = -1;
  Vec3 inside = Vec3::Zero();  ///< a point of it
};

struct EnclosedCells {
  static constexpr int empty = -1, full = -2;
  std::vector<int> slot;             ///< [cells]: empty, full, or the number of a cell that the surface meets
  std::vector<size_t> cell;          ///< [slots]
  std::vector<CellMoments> moments;  ///< [slots]
  std::vector<std::vector<CellPiece>> pieces;  ///< [slots]: by ascending triangle
};
EnclosedCells enclosed_cells(const TriMesh& surface, const BoxLattice& lattice);

}  // namespace palp
