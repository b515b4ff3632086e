// Shapes to build GLCs on, and brute-force answers about them that share no code with the builder.
#pragma once
#include <cmath>
#include <limits>
#include <random>

#include "palp/contact/glc_builder.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/implicit_surface.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/proximity/distance.hpp"

namespace palp::cases {

constexpr double mm = 1e-3;

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double number() { return std::uniform_real_distribution<>(-1, 1)(engine); }
  Vec3 point() { return {number(), number(), number()}; }
  int index(size_t n) { return static_cast<int>(engine() % n); }
};

/// A surface at rest, ready for the builder.
struct PlacedSurface {
  TriMesh mesh;
  TouchSurface touch;
  GlcSkin skin;
  GlcSurface glc;

  PlacedSurface(TriMesh m, double mu = 0, double reach = 0.01)
      : mesh(std::move(m)),
        touch(TouchTopology::make(static_cast<int>(mesh.nodes.size()), mesh.triangles, {})),
        skin(GlcSkin::make(touch.topology(), mesh.nodes, reach)) {
    touch.update(mesh.nodes, mesh.nodes);
    glc = {.body = 0, .mu = mu, .touch = &touch, .skin = &skin};
  }
  PlacedSurface(const PlacedSurface&) = delete;
};

/// GLCs of one proxy with K16's compliance (1 g, 0.8 N·s/m, 1000 N/m at 1 ms).
struct BuiltGlcs {
  GlcProblem problem;
  GlcPlaces places;
  GlcRegion region;
};
inline BuiltGlcs build_glcs(const PlacedSurface& s, const Vec3& x, const GlcRegionSettings& settings) {
  BuiltGlcs built;
  GlcBuilder builder(settings);
  const GlcPoint point{.x = x};
  built.region = builder.build(0, {&point, 1}, 0, {&s.glc, 1}, built.problem, built.places);
  built.problem.proxy[0].compliance = 1 / 2800.0;
  return built;
}
/// The same against rigid ground, ready for the solver.
inline BuiltGlcs build_problem(const PlacedSurface& s, const Vec3& x, const GlcRegionSettings& settings) {
  BuiltGlcs built = build_glcs(s, x, settings);
  set_rigid_response(built.problem);
  return built;
}

/// A step of the only proxy against rigid surfaces.
inline void move(const GlcProblem& problem, const Vec3& from, const Vec3& to, GlcMotion& motion) {
  const int m = static_cast<int>(problem.glc.size());
  motion.x_old.assign(1, from);
  motion.x_free.assign(1, to);
  motion.delta_free.resize(3 * m);
  motion.tau_start.resize(2 * m);
  for (int i = 0; i < m; ++i) {
    const Glc& g = problem.glc[i];
    motion.delta_free.segment<3>(3 * i) << g.n.dot(to - g.p), g.t1.dot(to - from), g.t2.dot(to - from);
    motion.tau_start.segment<2>(2 * i) << g.t1.dot(from - g.p), g.t2.dot(from - g.p);
  }
}

/// Nearest point of a surface by trying every triangle (but those whose box is further than the best so far).
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
};
inline Nearest nearest_point(const TriMesh& mesh, const Vec3& x) {
  Nearest best;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]];
    bool far = false;
    for (int k = 0; k < 3 && !far; ++k)
      far = std::min({a[k], b[k], c[k]}) - x[k] > best.distance ||
            x[k] - std::max({a[k], b[k], c[k]}) > best.distance;
    if (far) continue;
    const Vec3 w = closest_on_triangle(x, a, b, c), foot = w[0] * a + w[1] * b + w[2] * c;
    if ((foot - x).norm() < best.distance) best = {(foot - x).norm(), foot};
  }
  return best;
}

/// Whether x is in a closed surface: how often a ray along +z crosses it. For points that are not on it.
inline bool inside(const TriMesh& mesh, const Vec3& x) {
  int crossings = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]];
    if (std::min({a.x(), b.x(), c.x()}) > x.x() || std::max({a.x(), b.x(), c.x()}) < x.x() ||
        std::max({a.z(), b.z(), c.z()}) < x.z())
      continue;
    const auto side = [&](const Vec3& p, const Vec3& q) {
      return (q.x() - p.x()) * (x.y() - p.y()) - (q.y() - p.y()) * (x.x() - p.x());
    };
    const double u = side(b, c), v = side(c, a), w = side(a, b), area = u + v + w;
    if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
    crossings += (u * a.z() + v * b.z() + w * c.z()) / area > x.z();
  }
  return crossings % 2 == 1;
}

/// Above or below the patch of a GLC.
inline bool over_patch(const Glc& g, const Vec3& x) {
  const Vec3 r = x - g.p;
  bool over = std::abs(g.t1.dot(r)) <= g.s1 && std::abs(g.t2.dot(r)) <= g.s2;
  for (int k = 0; k < g.sides; ++k)
    over = over && (g.side[k].a1 * g.t1 + g.side[k].a2 * g.t2).dot(r) <= g.side[k].b;
  return over;
}
inline bool in_active_region(const Glc& g, const Vec3& x) {
  const double psi = g.n.dot(x - g.p);
  return psi <= 0 && psi >= -g.d && over_patch(g, x);
}

/// An L-shaped prism: a concave edge of 90° along y at the origin, floor towards +x, wall towards +z.
inline TriMesh corner_block(double size) {
  const std::array<Vec2, 6> outline{Vec2(0, 0),         Vec2(0, size),     Vec2(-size, size),
                                    Vec2(-size, -size), Vec2(size, -size), Vec2(size, 0)};
  TriMesh mesh;
  for (double y : {-size, size})
    for (const Vec2& p : outline) mesh.nodes.emplace_back(p.x(), y, p.y());
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const Triangle& t : {Triangle{0, 1, 2}, Triangle{0, 2, 3}, Triangle{0, 3, 4}, Triangle{0, 4, 5}}) {
    mesh.triangles.push_back({t[0], t[2], t[1]});
    mesh.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  if (enclosed_volume(mesh) < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// A closed box seen from outside with the room inside it hollow: all inner corners are pits.
inline TriMesh hollow_box(double inner, double outer) {
  TriMesh mesh;
  for (double half : {inner, outer}) {
    BoxShape shape;
    shape.size_m = Vec3::Constant(2 * half);
    shape.cells = {3, 3, 3};
    TriMesh box = extract_surface(*box_hexes(shape)).mesh;
    const int first = static_cast<int>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), box.nodes.begin(), box.nodes.end());
    for (Triangle t : box.triangles) {
      if (half == inner) std::swap(t[1], t[2]);
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  return mesh;
}

inline TriMesh statue(double cell = 0.002) { return *statue_surface({.height_m = 0.1, .cell_m = cell}); }

}  // namespace palp::cases
