#include "palp/mesh/cell_moments.hpp"

#include <cmath>

namespace palp {
namespace {

/// A convex polygon in space: a triangle cut by planes.
struct Polygon {
  std::array<Vec3, 16> corner;  ///< three and one per cut; a few more where rounding bends a flat one
  int corners = 0;
  void add(const Vec3& p) {
    if (corners < 16) corner[corners++] = p;
  }
};

/// The parts of p below and above the plane x_axis = value. Flat on the plane: below.
void split(const Polygon& p, int axis, double value, Polygon& below, Polygon& above) {
  below.corners = above.corners = 0;
  for (int c = 0; c < p.corners; ++c) {
    const Vec3 &a = p.corner[c], &b = p.corner[c + 1 < p.corners ? c + 1 : 0];
    const double da = a[axis] - value, db = b[axis] - value;
    if (da <= 0) below.add(a);
    if (da >= 0) above.add(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      Vec3 cut = a + da / (da - db) * (b - a);
      cut[axis] = value;
      below.add(cut);
      above.add(cut);
    }
  }
}

/// Calls visit(cell, piece) for the pieces of a polygon, given in cells, along the lattice.
template <class Visit>
void for_pieces(const BoxLattice& lattice, Polygon rest, int axis, Cells cell, const Visit& visit) {
  if (axis == 3) return visit(cell, rest);
  double low = rest.corner[0][axis], high = low;
  for (int c = 1; c < rest.corners; ++c) {
    low = std::min(low, rest.corner[c][axis]);
    high = std::max(high, rest.corner[c][axis]);
  }
  const int last = lattice.clamped(axis, high);
  for (cell[axis] = lattice.clamped(axis, low); cell[axis] < last; ++cell[axis]) {
    if (high <= cell[axis] + 1) break;  // flat on the plane, or ending there: one cell has it
    Polygon below, above;
    split(rest, axis, cell[axis] + 1, below, above);
    if (below.corners > 0) for_pieces(lattice, below, axis + 1, cell, visit);
    rest = above;
  }
  for_pieces(lattice, rest, axis + 1, cell, visit);
}

/// Points on a triangle for polynomials up to degree 7: Gauss points in the square, two corners drawn
/// together.
struct TrianglePoint {
  double b1, b2, b3, weight;  ///< barycentric; of the area
};
const std::array<TrianglePoint, 20>& triangle_points() {
  static const std::array<TrianglePoint, 20> points = [] {
    const double u[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
    const double wu[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                          0.2369268850561891};
    const double v[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
    const double wv[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
    std::array<TrianglePoint, 20> out;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 4; ++j) {
        const double s = 0.5 * (1 + u[i]), t = 0.5 * (1 + v[j]);
        out[4 * i + j] = {1 - s, s * (1 - t), s * t, 0.5 * wu[i] * wv[j] * s};
      }
    return out;
  }();
  return points;
}

/// ∫ ξ^a η^b over the piece's shadow on the plane (at a + 3 b), and the moments of what lies between the
/// piece and the cell's bottom.
struct PieceMoments {
  std::array<double, 9> shadow{};
  CellMoments below{};
};
void add_moments(const Polygon& piece, const Cells& cell, PieceMoments& out) {
  const auto local = [&](int c) -> Vec3 {
    return 2 * (piece.corner[c] - Vec3(cell[0], cell[1], cell[2])) - Vec3::Ones();
  };
  const Vec3 p1 = local(0);
  for (int c = 1; c + 1 < piece.corners; ++c) {
    const Vec3 p2 = local(c), p3 = local(c + 1);
    const double area = 0.5 * ((p2.x() - p1.x()) * (p3.y() - p1.y()) - (p2.y() - p1.y()) * (p3.x() - p1.x()));
    if (area == 0) continue;
    for (const TrianglePoint& q : triangle_points()) {
      const Vec3 p = q.b1 * p1 + q.b2 * p2 + q.b3 * p3;
      const double w = q.weight * area, z = p.z();
      const double along[3] = {z + 1, 0.5 * (z * z - 1), (z * z * z + 1) / 3};
      const double x[3] = {1, p.x(), p.x() * p.x()}, y[3] = {w, w * p.y(), w * p.y() * p.y()};
      for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) {
          const double xy = x[a] * y[b];
          out.shadow[a + 3 * b] += xy;
          for (int d = 0; d < 3; ++d) out.below[a + 3 * b + 9 * d] += xy * along[d];
        }
    }
  }
}

constexpr double kFull[3] = {2, 0, 2.0 / 3};

}  // namespace

CellMoments full_moments() {
  CellMoments m;
  for (int i = 0; i < 27; ++i) m[i] = kFull[i % 3] * kFull[i / 3 % 3] * kFull[i / 9];
  return m;
}

CellFill fill_of(const CellMoments& moments) {
  // Weight of a point: the integral of its Lagrange polynomial over −r, 0, r, axis by axis.
  const double r = std::sqrt(0.6), s = 1 / r, ss = 1 / (r * r);
  const double lagrange[3][3] = {{0, -0.5 * s, 0.5 * ss}, {1, 0, -ss}, {0, 0.5 * s, 0.5 * ss}};
  CellFill fill(27);
  for (int q = 0; q < 27; ++q) {
    const int i = q % 3, j = q / 3 % 3, k = q / 9;
    fill[q].xi = r * Vec3(i - 1, j - 1, k - 1);
    for (int m = 0; m < 27; ++m)
      fill[q].weight += lagrange[i][m % 3] * lagrange[j][m / 3 % 3] * lagrange[k][m / 9] * moments[m];
  }
  return fill;
}

EnclosedCells enclosed_cells(const TriMesh& surface, const BoxLattice& lattice) {
  EnclosedCells out;
  out.slot.assign(lattice.cells(), EnclosedCells::empty);
  std::vector<PieceMoments> pieces;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    Polygon triangle;
    for (int n : surface.triangles[t]) triangle.add(lattice.in_cells(surface.nodes[n]));
    for_pieces(lattice, triangle, 0, {}, [&](const Cells& cell, const Polygon& piece) {
      int& slot = out.slot[lattice.index(cell)];
      if (slot < 0) {
        slot = static_cast<int>(pieces.size());
        pieces.emplace_back();
        out.cell.push_back(lattice.index(cell));
        out.pieces.emplace_back();
      }
      add_moments(piece, cell, pieces[slot]);
      Vec3 middle = Vec3::Zero();
      for (int c = 0; c < piece.corners; ++c) middle += piece.corner[c] / piece.corners;
      out.pieces[slot].push_back({static_cast<int>(t), lattice.low + middle.cwiseProduct(lattice.cell())});
    });
  }
  // From the top down: what lies above a cell fills it from bottom to top.
  out.moments.resize(pieces.size());
  for (int j = 0; j < lattice.count[1]; ++j)
    for (int i = 0; i < lattice.count[0]; ++i) {
      std::array<double, 9> above{};
      for (int k = lattice.count[2] - 1; k >= 0; --k) {
        int& slot = out.slot[lattice.index({i, j, k})];
        if (slot < 0) {
          slot = std::abs(above[0]) > 2 ? EnclosedCells::full : EnclosedCells::empty;  // of 4
          continue;
        }
        CellMoments& m = out.moments[slot];
        m = pieces[slot].below;
        for (int q = 0; q < 27; ++q) m[q] += above[q % 9] * kFull[q / 9];
        for (int q = 0; q < 9; ++q) above[q] += pieces[slot].shadow[q];
      }
    }
  return out;
}

}  // namespace palp
