// GLCs built from surfaces against brute force: what they must cover and what they must leave free.
#include "palp/contact/glc_builder.hpp"

#include "contact/glc_shapes.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace {

using namespace cases;
constexpr double mm = 1e-3;

struct Random {
  std::mt19937 engine{11};
  double number() { return std::uniform_real_distribution<>(-1, 1)(engine); }
  Vec3 point() { return {number(), number(), number()}; }
  int index(size_t n) { return static_cast<int>(engine() % n); }
};

/// A random point of a random triangle.
Vec3 on_surface(const TriMesh& mesh, Random& random) {
  const Triangle& t = mesh.triangles[random.index(mesh.triangles.size())];
  double u = std::abs(random.number()), v = std::abs(random.number());
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return mesh.nodes[t[0]] + u * (mesh.nodes[t[1]] - mesh.nodes[t[0]]) +
         v * (mesh.nodes[t[2]] - mesh.nodes[t[0]]);
}

bool in_cube(const Vec3& x, const Vec3& centre, double half) {
  return (x - centre).cwiseAbs().maxCoeff() <= half;
}

struct Shape {
  std::string name;
  TriMesh mesh;
};
std::vector<Shape> shapes() {
  SinePlateShape sine;
  sine.cells_along = 40;
  sine.cells_wide = 8;
  return {{"statue", statue()},
          {"sine plate", extract_surface(*sine_plate_hexes(sine)).mesh},
          {"corner block", corner_block(10 * mm)},
          {"hollow box", hollow_box(8 * mm, 14 * mm)}};
}

TEST(GlcBuilder, every_surface_point_in_the_trust_region_is_on_some_glc) {
  for (const Shape& shape : shapes()) {
    const PlacedSurface placed(shape.mesh);
    Random random;
    for (int limit : {100000, 60}) {
      int looked = 0;
      for (int round = 0; round < 8; ++round) {
        const Vec3 x = on_surface(placed.mesh, random) + 1 * mm * random.point();
        const BuiltGlcs built = build_glcs(placed, x, {.max_constraints = limit});
        ASSERT_LE(built.region.used, limit);
        ASSERT_EQ(built.region.used, static_cast<int>(built.problem.glc.size()));
        std::vector<Vec3> near;
        for (int k = 0; k < 20; ++k)
          near.push_back(nearest_point(placed.mesh, x + 2 * mm * random.point()).point);
        for (int k = 0; k < 200; ++k) {  // near x as well as anywhere
          const Vec3 at = k % 2 ? on_surface(placed.mesh, random) : near[random.index(near.size())];
          if (!in_cube(at, x, built.region.half_m)) continue;
          ++looked;
          bool covered = false;
          for (const Glc& g : built.problem.glc) {
            const Vec3 r = at - g.p;
            // Flat quadrilaterals share one: flat within a thousandth.
            covered = covered || (std::abs(g.n.dot(r)) < 1e-3 * (g.s1 + g.s2) &&
                                  std::abs(g.t1.dot(r)) <= g.s1 && std::abs(g.t2.dot(r)) <= g.s2);
          }
          ASSERT_TRUE(covered) << shape.name << " " << at.transpose();
        }
      }
      EXPECT_GT(looked, limit > 60 ? 200 : 20) << shape.name;
    }
  }
}

// The law that keeps proxies out: below the surface no point near it is without an active GLC, also below
// concave edges, saddles and pits.
TEST(GlcBuilder, every_inside_point_within_the_depth_is_in_an_active_region) {
  for (const Shape& shape : shapes()) {
    const PlacedSurface placed(shape.mesh);
    Random random;
    int looked = 0;
    for (int round = 0; round < (placed.mesh.triangles.size() > 5000 ? 10 : 60); ++round) {
      const Vec3 x = on_surface(placed.mesh, random);
      const GlcRegionSettings settings{.range_m = 6 * mm, .max_constraints = 100000};
      const BuiltGlcs built = build_glcs(placed, x, settings);
      double depth = settings.max_depth_m;
      for (const Glc& g : built.problem.glc) depth = std::min(depth, g.d);
      for (int k = 0; k < 100; ++k) {
        const Vec3 at = x + 6 * mm * random.point();
        if (!in_cube(at, x, built.region.half_m)) continue;
        const double distance = nearest_point(placed.mesh, at).distance;
        if (distance > 0.999 * depth || !inside(placed.mesh, at)) continue;
        ++looked;
        bool active = false;
        for (const Glc& g : built.problem.glc) active = active || in_active_region(g, at);
        ASSERT_TRUE(active) << shape.name << " at " << at.transpose() << " depth " << distance;
      }
    }
    EXPECT_GT(looked, 100) << shape.name;
  }
}

}  // namespace
}  // namespace palp
