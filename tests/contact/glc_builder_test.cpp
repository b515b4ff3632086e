// GLCs built from surfaces against brute force: what they must cover and what they must leave free.
#include "palp/contact/glc_builder.hpp"

#include "contact/glc_shapes.hpp"
#include <gtest/gtest.h>

#include "palp/contact/glc_features.hpp"

namespace palp {
namespace glc_builder_test {

using namespace cases;

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
    Random random(11);
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
            covered = covered || (std::abs(g.n.dot(r)) < 1e-3 * (g.s1 + g.s2) && over_patch(g, at));
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
    Random random(11);
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

// Patches do not reach over their neighbours: on a convex shape a point of a triangle, away from its edges,
// is on its own GLC alone.
TEST(GlcBuilder, patches_end_at_the_edges_of_their_triangles) {
  const PlacedSurface placed(*icosphere({.radius_m = 20 * mm, .subdivisions = 3}));
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const Vec3 x = on_surface(placed.mesh, random);
    const BuiltGlcs built = build_glcs(placed, x, {.range_m = 8 * mm, .max_constraints = 100000});
    for (const Triangle& t : placed.mesh.triangles) {
      const Vec3 &a = placed.mesh.nodes[t[0]], &b = placed.mesh.nodes[t[1]], &c = placed.mesh.nodes[t[2]];
      for (const Vec3& w : {Vec3(0.98, 0.01, 0.01), Vec3(0.49, 0.5, 0.01), Vec3(0.3, 0.3, 0.4)}) {
        const Vec3 at = w[0] * a + w[1] * b + w[2] * c;
        if (!in_cube(at, x, built.region.half_m)) continue;
        int over = 0;
        for (const Glc& g : built.problem.glc) over += over_patch(g, at) && std::abs(g.n.dot(at - g.p)) < g.d;
        ASSERT_EQ(over, 1) << at.transpose();
      }
    }
  }
}

// K16 §6: fewer constraints, a smaller region; the bound is met and nothing in the region is left out
// (above).
TEST(GlcBuilder, region_shrinks_with_the_bound_on_the_constraints) {
  const PlacedSurface placed(statue());
  Random random(11);
  for (int round = 0; round < 10; ++round) {
    const Vec3 x = on_surface(placed.mesh, random);
    double before = std::numeric_limits<double>::infinity();
    for (int bound : {100000, 400, 200, 100, 50}) {
      const GlcRegion region = build_glcs(placed, x, {.max_constraints = bound}).region;
      ASSERT_LE(region.used, bound);
      ASSERT_LE(region.half_m, before);
      if (bound == 100000) {
        ASSERT_EQ(region.half_m, 0.02);
        ASSERT_EQ(region.used, region.found);
      }
      before = region.half_m;
    }
    EXPECT_LT(before, 0.01);
  }
}

// K16 §8: the region may lie ahead of the proxy, but always around it.
TEST(GlcBuilder, proxy_is_well_inside_a_region_that_goes_ahead) {
  const PlacedSurface placed(statue());
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const Vec3 x = on_surface(placed.mesh, random), ahead = 0.01 * random.point();
    for (int bound : {40, 100, 100000}) {
      BuiltGlcs built;
      GlcBuilder builder({.max_constraints = bound});
      const GlcPoint point{.x = x, .ahead = ahead};
      builder.build(0, {&point, 1}, 0, {&placed.glc, 1}, built.problem, built.places);
      ASSERT_EQ(built.problem.proxy.size(), 1u);
      const Vec3 &centre = built.problem.proxy[0].trust_centre, half = built.problem.proxy[0].trust_half;
      // Behind it there is at least a fifth of the way ahead.
      ASSERT_LE((x - centre).cwiseAbs().maxCoeff(), half.maxCoeff() / 1.2 + 1e-12);
      if (bound == 100000) {
        ASSERT_LT((centre - x - ahead).norm(), 1e-12);
        ASSERT_NEAR(half.maxCoeff(), 0.02, 1e-12);
      }
    }
  }
}

TEST(GlcBuilder, closest_contact_is_the_nearest_point_of_all_triangles) {
  for (const Shape& shape : shapes()) {
    const PlacedSurface placed(shape.mesh, 0.3);
    Random random(11);
    for (int round = 0; round < 40; ++round) {
      const Vec3 x = on_surface(placed.mesh, random) + 3 * mm * random.point();
      const Nearest nearest = nearest_point(placed.mesh, x);
      GlcProblem problem;
      GlcPlaces places;
      GlcBuilder builder({});
      builder.build_closest(0, x, 0, {&placed.glc, 1}, problem, places);
      ASSERT_EQ(problem.glc.size(), 1u);
      const Glc& g = problem.glc[0];
      ASSERT_LT((g.p - nearest.point).norm(), 1e-9) << shape.name;
      const double side = inside(placed.mesh, x) ? -1 : 1;
      ASSERT_NEAR(g.n.dot(x - g.p), side * nearest.distance, 1e-9) << shape.name << " " << x.transpose();
    }
  }
}

// Depths of opposite sides do not meet: half of what is between them.
TEST(GlcBuilder, depth_is_at_most_half_the_thickness) {
  for (double thickness : {0.4 * mm, 1 * mm, 3 * mm, 10 * mm}) {
    BoxShape shape;
    shape.size_m = Vec3(30 * mm, 30 * mm, thickness);
    shape.cells = {6, 6, 1};
    const PlacedSurface placed(extract_surface(*box_hexes(shape)).mesh);
    for (const Glc& g : build_glcs(placed, Vec3(1 * mm, 2 * mm, 0.5 * thickness), {}).problem.glc)
      if (std::abs(g.n.z()) > 0.9) {
        ASSERT_NEAR(g.d, std::min(2 * mm, 0.5 * thickness), 1e-12);
      }
  }
}

// The two triangles of a flat quadrilateral share a GLC; one GLC is the quadrilateral itself.
TEST(GlcBuilder, flat_quadrilaterals_have_one_glc) {
  BoxShape shape;
  shape.size_m = Vec3(12 * mm, 8 * mm, 6 * mm);
  shape.cells = {3, 2, 1};
  const PlacedSurface placed(extract_surface(*box_hexes(shape)).mesh);
  const BuiltGlcs built = build_glcs(placed, Vec3::Zero(), {.max_constraints = 1000});
  EXPECT_EQ(built.region.used, 2 * (3 * 2 + 3 * 1 + 2 * 1));
  for (const Glc& g : built.problem.glc)
    if (g.n.z() > 0.9) {
      EXPECT_NEAR(g.s1, 2 * mm, 0.02 * mm);
      EXPECT_NEAR(g.s2, 2 * mm, 0.02 * mm);
    }
}

// Where forces move the surface its triangles bend away from each other: each has its own GLC, which bears on
// its three corners. Nodes are named once.
TEST(GlcBuilder, ground_that_gives_way_has_a_glc_for_every_triangle_and_a_node_for_every_corner) {
  BoxShape shape;
  shape.size_m = Vec3(12 * mm, 8 * mm, 6 * mm);
  shape.cells = {3, 2, 1};
  PlacedSurface placed(extract_surface(*box_hexes(shape)).mesh);
  placed.glc.gives_way = true;
  const BuiltGlcs built = build_glcs(placed, Vec3::Zero(), {.max_constraints = 1000});
  EXPECT_EQ(built.region.used, 2 * 2 * (3 * 2 + 3 * 1 + 2 * 1));
  ASSERT_EQ(built.problem.nodes, static_cast<int>(placed.mesh.nodes.size()));
  for (const Glc& g : built.problem.glc) {
    EXPECT_NEAR(g.weight.sum(), 1, 1e-12);
    Vec3 at = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3& corner = placed.mesh.nodes[built.places.node[g.node[k]].vertex];
      EXPECT_NEAR(g.n.dot(corner - g.p), 0, 1e-12);
      at += g.weight[k] * corner;
    }
    EXPECT_LT((at - g.p).norm(), 1e-12);
  }
}

// However the nodes move, the patch is the triangle between them, and every one of its points is on exactly
// the patches that have it, neighbours included: the surface stays closed.
TEST(GlcBuilder, patches_stay_closed_when_their_nodes_move) {
  BoxShape shape;
  shape.size_m = Vec3(12 * mm, 8 * mm, 6 * mm);
  shape.cells = {3, 2, 1};
  PlacedSurface placed(extract_surface(*box_hexes(shape)).mesh);
  placed.glc.gives_way = true;
  BuiltGlcs built = build_glcs(placed, Vec3::Zero(), {.max_constraints = 1000});
  Random random(19);
  std::vector<Vec3> node;
  for (const GlcNode& n : built.places.node)
    node.push_back(placed.mesh.nodes[n.vertex] + 0.5 * mm * random.point());
  for (Glc& g : built.problem.glc) {
    const std::array<Vec3, 3> corner{node[g.node[0]], node[g.node[1]], node[g.node[2]]};
    for (const Vec3& w : {Vec3(0.2, 0.3, 0.5), Vec3(0.5, 0.5, 0), Vec3(1, 0, 0)}) {
      const Vec3 x = w[0] * corner[0] + w[1] * corner[1] + w[2] * corner[2];
      follow_nodes(corner, x, g);
      EXPECT_LT((g.weight - w).norm(), 1e-9);
      EXPECT_NEAR(g.n.dot(x - g.p), 0, 1e-12);
      EXPECT_TRUE(over_patch(g, x));
    }
    const Vec3 beyond = 0.55 * corner[0] + 0.55 * corner[1] - 0.1 * corner[2];
    EXPECT_FALSE(over_patch(g, beyond));
  }
}

// The patch of a concave edge holds the edge between its nodes, as the triangles beside it do.
TEST(GlcBuilder, the_patch_of_a_concave_edge_keeps_its_edge_when_the_nodes_move) {
  PlacedSurface placed(corner_block(10 * mm));
  placed.glc.gives_way = true;
  BuiltGlcs built = build_glcs(placed, Vec3(3, 0.2, 2) * mm, {.max_constraints = 1000});
  Random random(23);
  std::vector<Vec3> node;
  for (const GlcNode& n : built.places.node)
    node.push_back(placed.mesh.nodes[n.vertex] + 0.5 * mm * random.point());
  int edges = 0;
  for (size_t i = 0; i < built.problem.glc.size(); ++i) {
    if (limited_kind(built.places.contact[i].id) != GlcKind::edge) continue;
    Glc& g = built.problem.glc[i];
    const Vec3 before = g.n;
    const std::array<Vec3, 2> end{node[g.node[0]], node[g.node[1]]};
    const Vec3 x = 0.3 * end[0] + 0.7 * end[1];
    follow_nodes(end, x, g);
    EXPECT_LT((g.weight - Vec3(0.3, 0.7, 0)).norm(), 1e-9);
    for (const Vec3& p : end) EXPECT_NEAR(g.n.dot(p - g.p), 0, 1e-12);
    EXPECT_LT((frame_of(g) * frame_of(g).transpose() - Mat3::Identity()).norm(), 1e-12);
    EXPECT_GT(g.n.dot(before), 0.9);
    EXPECT_TRUE(over_patch(g, x));
    ++edges;
  }
  EXPECT_GT(edges, 0);
}

// A ball rolls on the surface moved outwards by its radius.
TEST(GlcBuilder, radius_moves_the_planes_outwards) {
  const PlacedSurface placed(corner_block(10 * mm));
  const Vec3 x(4 * mm, 0, 3 * mm);
  GlcProblem with, without;
  GlcPlaces a, b;
  const GlcPoint point{.x = x};
  GlcBuilder builder({});
  builder.build(0, {&point, 1}, 1 * mm, {&placed.glc, 1}, with, a);
  builder.build(0, {&point, 1}, 0, {&placed.glc, 1}, without, b);
  ASSERT_EQ(with.glc.size(), without.glc.size());
  for (size_t i = 0; i < with.glc.size(); ++i) {
    const bool edge = a.contact[i].id.features >> 58 == limited_features(GlcKind::edge, 0, 0) >> 58;
    const double moved = with.glc[i].n.dot(with.glc[i].p - without.glc[i].p);
    EXPECT_NEAR(moved, edge ? std::sqrt(2) * mm : 1 * mm, 1e-9);
  }
}

}  // namespace glc_builder_test
}  // namespace palp
