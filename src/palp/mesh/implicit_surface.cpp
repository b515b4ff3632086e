#include "palp/mesh/implicit_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "palp/mesh/lattice.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

using Field = std::function<double(const Vec3&)>;

/// Where f changes sign between a (inside) and b (outside), by bisection. Kept off the ends: a vertex in a
/// corner of the grid would make its triangles shrink to nothing.
Vec3 crossing(const Field& f, const Vec3& a, const Vec3& b) {
  double inside = 0, outside = 1;
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (inside + outside);
    (f(a + middle * (b - a)) < 0 ? inside : outside) = middle;
  }
  return a + std::clamp(inside, 0.1, 0.9) * (b - a);
}

/// One side of the sign change in every tet, seen counter-clockwise from outside.
TriMesh march(const Field& f, const TetMesh& tets, const std::vector<double>& value) {
  // Even permutations, so that (a, b, c, d) has positive volume like the tet itself.
  constexpr int single[4][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}, {3, 1, 0, 2}};
  constexpr int pair[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                              {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
  TriMesh out;
  std::map<Edge, int> vertex_on;
  const auto vertex = [&](int a, int b) {
    if (!(value[a] < 0)) std::swap(a, b);
    const auto [at, is_new] = vertex_on.try_emplace({a, b}, static_cast<int>(out.nodes.size()));
    if (is_new) out.nodes.push_back(crossing(f, tets.nodes[a], tets.nodes[b]));
    return at->second;
  };
  for (const Tet& t : tets.tets) {
    const auto inside = [&](int corner) { return value[t[corner]] < 0; };
    const int count = inside(0) + inside(1) + inside(2) + inside(3);
    if (count == 1 || count == 3)
      for (const auto& [a, b, c, d] : single) {
        if (inside(a) != (count == 1)) continue;
        const Triangle cut{vertex(t[a], t[b]), vertex(t[a], t[c]), vertex(t[a], t[d])};
        out.triangles.push_back(count == 1 ? cut : Triangle{cut[0], cut[2], cut[1]});
      }
    if (count == 2)
      for (const auto& [a, b, c, d] : pair) {
        if (!inside(a) || !inside(b)) continue;
        const int q[4] = {vertex(t[a], t[c]), vertex(t[a], t[d]), vertex(t[b], t[d]), vertex(t[b], t[c])};
        const bool first =
            (out.nodes[q[2]] - out.nodes[q[0]]).norm() <= (out.nodes[q[3]] - out.nodes[q[1]]).norm();
        const int s = first ? 0 : 1;  // cut along the shorter diagonal
        out.triangles.push_back({q[s], q[s + 1], q[s + 2]});
        out.triangles.push_back({q[s], q[s + 2], q[(s + 3) % 4]});
      }
  }
  return out;
}

/// Newton's way to f = 0 along the gradient; stays where it is if that leads astray.
Vec3 onto_surface(const Field& f, const Vec3& start, double cell) {
  Vec3 p = start;
  for (int k = 0; k < 3; ++k) {
    const double step = 1e-4 * cell;
    Vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 e = step * Vec3::Unit(axis);
      gradient[axis] = (f(p + e) - f(p - e)) / (2 * step);
    }
    const double slope2 = gradient.squaredNorm();
    if (!(slope2 > 1e-6)) return start;
    p -= f(p) / slope2 * gradient;
  }
  return (p - start).norm() < cell ? p : start;
}

void relax(TriMesh& mesh, const Field& f, double cell, int times) {
  const auto edges = unique_edges(mesh.triangles);
  for (int k = 0; k < times; ++k) {
    std::vector<Vec3> sum(mesh.nodes.size(), Vec3::Zero());
    std::vector<int> count(mesh.nodes.size(), 0);
    for (const auto& [a, b] : edges) {
      sum[a] += mesh.nodes[b];
      sum[b] += mesh.nodes[a];
      ++count[a];
      ++count[b];
    }
    for (size_t n = 0; n < mesh.nodes.size(); ++n)
      mesh.nodes[n] = onto_surface(f, 0.5 * mesh.nodes[n] + 0.5 * sum[n] / count[n], cell);
  }
}

}  // namespace

Result<TriMesh> implicit_surface(const std::function<double(const Vec3&)>& f, const ImplicitGrid& grid) {
  const Vec3 size = grid.high_m - grid.low_m;
  ParameterCheck check("implicit surface");
  check.finite("low_m", grid.low_m).finite("high_m", grid.high_m).positive("cell_m", grid.cell_m);
  check.require((size.array() > 0).all(), "high_m must exceed low_m");
  check.between("relaxations", grid.relaxations, 0, 100);
  if (!check.failed()) check.total_cells((size / grid.cell_m).array().max(1.0).prod());
  if (check.failed()) return check.error();

  Cells cells;
  for (int k = 0; k < 3; ++k) cells[k] = std::max(1, static_cast<int>(std::ceil(size[k] / grid.cell_m)));
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  const auto at = [&](int i, int j, int k) -> Vec3 {
    return grid.low_m + Vec3(size.x() * i / nx, size.y() * j / ny, size.z() * k / nz);
  };
  const auto index = [&](int i, int j, int k) {
    return (static_cast<size_t>(k) * (ny + 1) + j) * (nx + 1) + i;
  };
  std::vector<double> value(index(nx, ny, nz) + 1);
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        const double v = value[index(i, j, k)] = f(at(i, j, k));
        if (!std::isfinite(v))
          return Error{.message = "implicit surface: the function is not finite in the grid"};
        const bool border = i == 0 || j == 0 || k == 0 || i == nx || j == ny || k == nz;
        if (border && v < 0)
          return Error{.message = "implicit surface: the shape reaches the border of the grid",
                       .remedy = "enlarge it"};
      }

  // Only the cells that the surface crosses.
  std::vector<double> band_value;
  const HexMesh band = lattice_hexes(
      cells,
      [&](int i, int j, int k) {
        int inside = 0;
        for (int c = 0; c < 8; ++c) inside += value[index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] < 0;
        return inside > 0 && inside < 8;
      },
      [&](int i, int j, int k) {
        band_value.push_back(value[index(i, j, k)]);
        return at(i, j, k);
      });
  if (band.hexes.empty())
    return Error{.message = "implicit surface: the shape is empty at this resolution",
                 .remedy = "choose a smaller cell_m"};
  TriMesh mesh = march(f, split_hexes(band), band_value);
  relax(mesh, f, grid.cell_m, grid.relaxations);
  return mesh;
}

namespace {

double box_distance(const Vec3& p, const Vec3& centre, const Vec3& half) {
  const Vec3 d = (p - centre).cwiseAbs() - half;
  return d.cwiseMax(0.0).norm() + std::min(d.maxCoeff(), 0.0);
}

/// A torus around an axis along y.
double ring_distance(const Vec3& p, const Vec3& centre, double radius, double thickness) {
  const Vec3 d = p - centre;
  return std::hypot(std::hypot(d.x(), d.z()) - radius, d.y()) - thickness;
}

double capsule_distance(const Vec3& p, const Vec3& a, const Vec3& b, double radius) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - t * (b - a)).norm() - radius;
}

/// Union of two shapes with a fillet of about `width` between them.
double blend(double a, double b, double width) {
  const double h = std::max(width - std::abs(a - b), 0.0) / width;
  return std::min(a, b) - h * h * width / 4;
}

/// The statue at unit height of 0.1 m.
double statue(const Vec3& p) {
  constexpr double fillet = 0.003;
  double d = blend(ring_distance(p, {0, 0, 0.036}, 0.022, 0.006),
                   ring_distance(p, {0, 0, 0.08}, 0.0145, 0.0055), fillet);
  for (double side : {-1.0, 1.0}) {
    // The elbow leads the arm around the lower ring.
    const Vec3 shoulder(0.018 * side, 0, 0.082), elbow(0.036 * side, 0.012 * side, 0.06),
        hand(0.036 * side, 0.018 * side, 0.01);
    const double arm =
        std::min(capsule_distance(p, shoulder, elbow, 0.0025), capsule_distance(p, elbow, hand, 0.0025));
    d = blend(d, arm, fillet);
  }
  return blend(d, box_distance(p, {0, 0, 0.006}, {0.042, 0.026, 0.006}), fillet);
}

}  // namespace

Result<TriMesh> statue_surface(const StatueShape& shape) {
  ParameterCheck check("statue");
  check.positive("height_m", shape.height_m).positive("cell_m", shape.cell_m);
  check.require(!(shape.cell_m > shape.height_m / 50), "cell_m must be at most a fiftieth of height_m");
  if (check.failed()) return check.error();
  const double scale = shape.height_m / 0.1;
  return implicit_surface([&](const Vec3& p) { return scale * statue(p / scale); },
                          {.low_m = scale * Vec3(-0.046, -0.03, -0.004),
                           .high_m = scale * Vec3(0.046, 0.03, 0.104),
                           .cell_m = shape.cell_m});
}

}  // namespace palp
