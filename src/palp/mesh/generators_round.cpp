// Sphere, icosphere, cylinder, tube.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

using std::numbers::pi;
constexpr long most_round_cells = 1000;  // per direction

/// How many of the cells on a diameter lie in the core, how many shells surround it, and the core's share of
/// the radius (measured along the axes).
struct CoreAndShells {
  int core, shells;
  double core_share;
  explicit CoreAndShells(int cells_across) {
    shells = std::max(1, cells_across / 4);
    core = cells_across - 2 * shells;
    core_share = 0.9 * core / cells_across;
  }
};

// Between a straight-sided core (bad corners outside it) and a round one (bad corners inside it). Together
// with the core's share of 0.9 the best of a coarse search over the worst element: at least 0.38 for tets at
// every resolution.
constexpr double core_roundness = 0.5;

/// Node i of n+1 on [−1, 1], spaced so that the rays to the unit square's sides make equal angles.
double equiangular(int i, int n) { return std::tan(pi / 4 * (2.0 * i / n - 1)); }

/// Maps the square [−1, 1]² to something between itself and the unit disc.
Vec2 rounded_square(const Vec2& p) {
  const Vec2 disc(p.x() * std::sqrt(1 - p.y() * p.y() / 2), p.y() * std::sqrt(1 - p.x() * p.x() / 2));
  return (1 - core_roundness) * p + core_roundness * disc;
}

/// The same for the cube and the ball.
Vec3 rounded_cube(const Vec3& p) {
  const Vec3 s = p.cwiseProduct(p);
  const auto shrink = [](double a, double b) { return std::sqrt(1 - a / 2 - b / 2 + a * b / 3); };
  const Vec3 ball(p.x() * shrink(s.y(), s.z()), p.y() * shrink(s.z(), s.x()), p.z() * shrink(s.x(), s.y()));
  return (1 - core_roundness) * p + core_roundness * ball;
}

/// A disc of radius 1: the core's (n+1)² nodes first, then ring by ring outwards.
QuadMesh unit_disc(int cells_across) {
  const CoreAndShells parts(cells_across);
  const int n = parts.core, side = n + 1;
  QuadMesh mesh;
  std::vector<Vec2> square;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      square.emplace_back(equiangular(i, n), equiangular(j, n));
      mesh.nodes.push_back(parts.core_share * rounded_square(square.back()));
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * side + i;
      mesh.quads.push_back({a, a + 1, a + side + 1, a + side});
    }
  std::vector<int> rim;  // counter-clockwise
  for (int i = 0; i < n; ++i) rim.push_back(i);
  for (int j = 0; j < n; ++j) rim.push_back(j * side + n);
  for (int i = n; i > 0; --i) rim.push_back(n * side + i);
  for (int j = n; j > 0; --j) rim.push_back(j * side);
  const int around = static_cast<int>(rim.size());
  std::vector<int> inner = rim;
  for (int ring = 1; ring <= parts.shells; ++ring) {
    std::vector<int> outer(rim.size());
    for (int k = 0; k < around; ++k) {
      outer[k] = static_cast<int>(mesh.nodes.size());
      const double t = static_cast<double>(ring) / parts.shells;
      mesh.nodes.push_back((1 - t) * mesh.nodes[rim[k]] + t * square[rim[k]].normalized());
    }
    for (int k = 0; k < around; ++k) {
      const int next = (k + 1) % around;
      mesh.quads.push_back({inner[k], outer[k], outer[next], inner[next]});
    }
    inner = std::move(outer);
  }
  return mesh;
}

}  // namespace

Result<HexMesh> sphere_hexes(const SphereShape& shape) {
  ParameterCheck check("sphere");
  check.positive("radius_m", shape.radius_m).finite("centre_m", shape.centre_m);
  check.between("cells_across", shape.cells_across, 3, most_round_cells);
  check.total_cells(std::pow(1.0 * shape.cells_across, 3));
  if (check.failed()) return check.error();

  const CoreAndShells parts(shape.cells_across);
  const int n = parts.core;
  std::vector<Vec3> cube;  // where each core node lies in [−1, 1]³
  HexMesh mesh = lattice_hexes(
      {n, n, n}, [](int, int, int) { return true; },
      [&](int i, int j, int k) -> Vec3 {
        cube.emplace_back(equiangular(i, n), equiangular(j, n), equiangular(k, n));
        return parts.core_share * rounded_cube(cube.back());
      });
  // Shells: every outer quad of the core grows outwards, every outer node along the ray to its place on the
  // sphere.
  std::vector<std::array<int, 4>> quads;
  const auto on_side = [n](int cell, int face_axis_end) { return cell == (face_axis_end ? n - 1 : 0); };
  for (size_t h = 0; h < mesh.hexes.size(); ++h) {
    const int i = static_cast<int>(h) % n, j = static_cast<int>(h) / n % n, k = static_cast<int>(h) / (n * n);
    const bool outer[6] = {on_side(k, 0), on_side(k, 1), on_side(j, 0),
                           on_side(i, 1), on_side(j, 1), on_side(i, 0)};
    for (int f = 0; f < 6; ++f) {
      if (!outer[f]) continue;
      const Hex& hex = mesh.hexes[h];
      quads.push_back(
          {hex[hex_faces[f][0]], hex[hex_faces[f][1]], hex[hex_faces[f][2]], hex[hex_faces[f][3]]});
    }
  }
  std::vector<int> rim;
  for (const auto& q : quads) rim.insert(rim.end(), q.begin(), q.end());
  std::sort(rim.begin(), rim.end());
  rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
  std::vector<int> inner(cube.size());
  for (int r : rim) inner[r] = r;
  for (int shell = 1; shell <= parts.shells; ++shell) {
    std::vector<int> outer(cube.size());
    const double t = static_cast<double>(shell) / parts.shells;
    for (int r : rim) {
      outer[r] = static_cast<int>(mesh.nodes.size());
      mesh.nodes.push_back((1 - t) * mesh.nodes[r] + t * cube[r].normalized());
    }
    for (const auto& q : quads)
      mesh.hexes.push_back({inner[q[0]], inner[q[1]], inner[q[2]], inner[q[3]],  //
                            outer[q[0]], outer[q[1]], outer[q[2]], outer[q[3]]});
    inner = std::move(outer);
  }
  for (Vec3& p : mesh.nodes) p = shape.centre_m + shape.radius_m * p;
  return mesh;
}

Result<TetMesh> sphere_tets(const SphereShape& shape) { return split_hexes(sphere_hexes(shape)); }

Result<TriMesh> icosphere(const IcosphereShape& shape) {
  ParameterCheck check("icosphere");
  check.positive("radius_m", shape.radius_m).finite("centre_m", shape.centre_m);
  check.between("subdivisions", shape.subdivisions, 0, 8);
  if (check.failed()) return check.error();

  const double g = std::numbers::phi;
  TriMesh mesh{{{-1, g, 0},
                {1, g, 0},
                {-1, -g, 0},
                {1, -g, 0},
                {0, -1, g},
                {0, 1, g},
                {0, -1, -g},
                {0, 1, -g},
                {g, 0, -1},
                {g, 0, 1},
                {-g, 0, -1},
                {-g, 0, 1}},
               {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  for (Vec3& p : mesh.nodes) p.normalize();
  for (int s = 0; s < shape.subdivisions; ++s) {
    std::map<Edge, int> middle;
    const auto halve = [&](int a, int b) {
      const auto [at, is_new] =
          middle.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.nodes.size()));
      if (is_new) mesh.nodes.push_back((mesh.nodes[a] + mesh.nodes[b]).normalized());
      return at->second;
    };
    std::vector<Triangle> finer;
    finer.reserve(4 * mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles) {
      const int ab = halve(a, b), bc = halve(b, c), ca = halve(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  for (Vec3& p : mesh.nodes) p = shape.centre_m + shape.radius_m * p;
  return mesh;
}

Result<HexMesh> cylinder_hexes(const CylinderShape& shape) {
  ParameterCheck check("cylinder");
  check.positive("radius_m", shape.radius_m).positive("length_m", shape.length_m);
  check.between("cells_across", shape.cells_across, 3, most_round_cells)
      .between("cells_along", shape.cells_along, 1, 10000);
  check.total_cells(1.0 * shape.cells_across * shape.cells_across * shape.cells_along);
  if (check.failed()) return check.error();
  QuadMesh disc = unit_disc(shape.cells_across);
  for (Vec2& p : disc.nodes) p *= shape.radius_m;
  return sweep(disc, -shape.length_m / 2, shape.length_m / 2, shape.cells_along);
}

Result<TetMesh> cylinder_tets(const CylinderShape& shape) { return split_hexes(cylinder_hexes(shape)); }

Result<HexMesh> tube_hexes(const TubeShape& shape) {
  ParameterCheck check("tube");
  check.positive("inner_radius_m", shape.inner_radius_m).positive("outer_radius_m", shape.outer_radius_m);
  check.positive("length_m", shape.length_m);
  check.require(shape.inner_radius_m < shape.outer_radius_m, "inner_radius_m must be below outer_radius_m");
  check.between("cells_around", shape.cells_around, 3, 10000)
      .between("cells_through", shape.cells_through, 1, most_round_cells);
  check.between("cells_along", shape.cells_along, 1, 10000);
  check.total_cells(1.0 * shape.cells_around * shape.cells_through * shape.cells_along);
  if (check.failed()) return check.error();
  QuadMesh annulus;
  const int around = shape.cells_around, through = shape.cells_through;
  for (int r = 0; r <= through; ++r)
    for (int k = 0; k < around; ++k) {
      const double radius =
          shape.inner_radius_m + (shape.outer_radius_m - shape.inner_radius_m) * r / through;
      annulus.nodes.emplace_back(radius * std::cos(2 * pi * k / around),
                                 radius * std::sin(2 * pi * k / around));
    }
  for (int r = 0; r < through; ++r)
    for (int k = 0; k < around; ++k) {
      const int a = r * around + k, b = r * around + (k + 1) % around;
      annulus.quads.push_back({a, a + around, b + around, b});
    }
  return sweep(annulus, -shape.length_m / 2, shape.length_m / 2, shape.cells_along);
}

Result<TetMesh> tube_tets(const TubeShape& shape) { return split_hexes(tube_hexes(shape)); }

Result<TriMesh> tube_surface(const TubeShape& shape) {
  auto hexes = tube_hexes(shape);
  if (!hexes) return hexes.error();
  return extract_surface(*hexes).mesh;
}

}  // namespace palp
