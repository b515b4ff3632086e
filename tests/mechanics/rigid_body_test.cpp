#include "palp/mechanics/rigid_body.hpp"

#include <cmath>
#include <numbers>

#include "mechanics/model_checks.hpp"

#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/pose.hpp"
#include "palp/mechanics/skin_carriers.hpp"

namespace palp {
namespace rigid_body_test {

TriMesh box(const Vec3& size, const Vec3& centre) {
  TriMesh m;
  for (int k = 0; k < 8; ++k)
    m.nodes.push_back(centre + 0.5 * size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

/// Octahedron, subdivided and pushed to the unit sphere.
TriMesh sphere(int levels) {
  TriMesh m;
  m.nodes = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  m.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::vector<Triangle> finer;
    std::vector<std::pair<Edge, int>> made;
    const auto middle = [&](int a, int b) {
      const Edge e{std::min(a, b), std::max(a, b)};
      for (auto& [edge, node] : made)
        if (edge == e) return node;
      m.nodes.push_back((m.nodes[a] + m.nodes[b]).normalized());
      made.push_back({e, static_cast<int>(m.nodes.size()) - 1});
      return made.back().second;
    };
    for (auto [a, b, c] : m.triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    m.triangles = finer;
  }
  return m;
}

std::unique_ptr<RigidBody> brick() {
  RigidSpec spec;
  spec.surface = box(Vec3(0.1, 0.2, 0.4), Vec3(1, -2, 3));
  spec.density_kg_per_m3 = 500;
  auto body = RigidBody::make(spec);
  EXPECT_TRUE(body);
  return std::move(*body);
}

BodyState spinning(const RigidBody& body, const Vec3& omega) {
  BodyState state = body.rest_state();
  advance_pose(state.x, 0, Vec3(0.3, 0, -0.1), Vec3(0.4, -0.7, 0.2));
  state.v.head<3>() = Vec3(1, 2, -0.5);
  state.v.tail<3>() = omega;
  return state;
}

Vec3 angular_momentum(const RigidBody& body, const BodyState& state) {
  const Quat q = pose_rotation(state.x, 0);
  const Vec3 local = q.conjugate() * Vec3(state.v.tail<3>());
  return q * (body.mass_properties().inertia_kg_m2 * local);
}

TEST(RigidBody, box_and_sphere_have_the_textbook_mass_and_inertia) {
  const Vec3 size(0.1, 0.2, 0.4);
  const auto p = mass_properties(box(size, Vec3(1, -2, 3)), 500);
  ASSERT_TRUE(p);
  const double m = 500 * size.prod();
  EXPECT_NEAR(p->mass_kg, m, 1e-12 * m);
  EXPECT_LT((p->centre_m - Vec3(1, -2, 3)).norm(), 1e-13);
  const Vec3 squares = size.cwiseAbs2();
  const Vec3 expected =
      m / 12 * Vec3(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  EXPECT_LT((p->inertia_kg_m2 - Mat3(expected.asDiagonal())).norm(), 1e-12 * expected.norm());

  double coarse = 0;
  for (int level : {3, 4}) {
    const auto s = mass_properties(sphere(level), 1);
    ASSERT_TRUE(s);
    const double volume = 4.0 / 3 * std::numbers::pi;
    const double error = (s->inertia_kg_m2 - 0.4 * volume * Mat3::Identity()).norm();
    EXPECT_LT(std::abs(s->mass_kg - volume), 0.05 * volume);
    if (coarse > 0) {
      EXPECT_NEAR(coarse / error, 4, 0.3);  // the facets approach the sphere quadratically
    }
    coarse = error;
  }
}

TEST(RigidBody, free_fall_follows_the_parabola_of_implicit_euler) {
  auto body = brick();
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  const double h = 2e-3;
  const int n = 100;
  for (int i = 0; i < n; ++i) checks::step(*body, loads, h, *ws, state);
  EXPECT_NEAR(state.v[2], -9.81 * n * h, 1e-11);
  EXPECT_NEAR(state.x[2], 3 - 9.81 * h * h * n * (n + 1) / 2, 1e-11);
  EXPECT_LT(state.v.tail<3>().norm(), 1e-15);
}

TEST(RigidBody, torque_free_precession_keeps_angular_momentum_exactly_and_energy_to_first_order) {
  auto body = brick();
  const BodyState start = spinning(*body, Vec3(2, 5, -3));
  const Vec3 L0 = angular_momentum(*body, start);
  const double E0 = body->kinetic_energy(start);
  double loss[3];
  int k = 0;
  for (int steps : {500, 1000, 2000}) {
    BodyState state = start;
    auto ws = body->make_workspace();
    double energy = E0;
    for (int i = 0; i < steps; ++i) {
      checks::step(*body, {}, 1.0 / steps, *ws, state);
      ASSERT_LE(body->kinetic_energy(state), energy * (1 + 1e-12));
      energy = body->kinetic_energy(state);
    }
    EXPECT_LT((angular_momentum(*body, state) - L0).norm(), 1e-10 * L0.norm());
    loss[k++] = (E0 - energy) / E0;
  }
  EXPECT_LT(loss[2], 0.02);
  EXPECT_NEAR(loss[0] / loss[1], 2, 0.15);
  EXPECT_NEAR(loss[1] / loss[2], 2, 0.1);
}

TEST(RigidBody, precession_converges_to_euler_equations) {
  auto body = brick();
  const BodyState start = spinning(*body, Vec3(2, 5, -3));
  // Euler's equations in body axes by Runge-Kutta of fourth order: the independent answer.
  const Mat3 J = body->mass_properties().inertia_kg_m2;
  const Quat q0 = pose_rotation(start.x, 0);
  Vec3 w = q0.conjugate() * Vec3(start.v.tail<3>());
  const auto rate = [&](const Vec3& o) { return Vec3(J.inverse() * (J * o).cross(o)); };
  const int fine = 20000;
  const double dt = 0.5 / fine;
  for (int i = 0; i < fine; ++i) {
    const Vec3 a = rate(w), b = rate(w + dt / 2 * a), c = rate(w + dt / 2 * b), d = rate(w + dt * c);
    w += dt / 6 * (a + 2 * b + 2 * c + d);
  }
  double error[2];
  int k = 0;
  for (int steps : {1000, 2000}) {
    BodyState state = start;
    auto ws = body->make_workspace();
    for (int i = 0; i < steps; ++i) checks::step(*body, {}, 0.5 / steps, *ws, state);
    error[k++] = (pose_rotation(state.x, 0).conjugate() * Vec3(state.v.tail<3>()) - w).norm();
  }
  EXPECT_LT(error[1], 0.02 * w.norm());
  EXPECT_NEAR(error[0] / error[1], 2, 0.1);
}

TEST(RigidBody, violent_spin_at_a_huge_step_never_gains_energy) {
  auto body = brick();
  for (double speed : {1e2, 1e3, 1e4}) {
    BodyState state = spinning(*body, speed * Vec3(0.1, 1, 0.05));
    auto ws = body->make_workspace();
    const double E0 = body->kinetic_energy(state);
    for (int i = 0; i < 200; ++i) checks::step(*body, {}, 1e-2, *ws, state);
    EXPECT_LE(body->kinetic_energy(state), 1.01 * E0) << speed;
  }
}

TEST(RigidBody, torque_gives_the_angular_acceleration_of_its_axis) {
  auto body = brick();
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  Loads loads;
  loads.force = VecX::Zero(6);
  loads.force[5] = 0.3;
  for (int i = 0; i < 10; ++i) checks::step(*body, loads, 1e-3, *ws, state);
  EXPECT_NEAR(state.v[5], 0.3 * 0.01 / body->mass_properties().inertia_kg_m2(2, 2), 1e-10);
}

TEST(RigidBody, skin_jacobian_and_compliance_match_their_independent_answers) {
  auto body = brick();
  const BodyState state = spinning(*body, Vec3(1, 2, 3));
  checks::expect_jacobian_is_derivative_of_positions(*body, state);
  checks::expect_compliance_is_dense_inverse(*body, state, {}, 1e-3);
  Loads coupled;
  BlockLoad load{.block = 0, .has_rotation = true};
  load.stiffness.diagonal() << 1e3, 2e3, 1e3, 1, 2, 3;
  load.stiffness(1, 3) = load.stiffness(3, 1) = 10;
  coupled.blocks = {load, BlockLoad{.block = 1, .stiffness = Mat6::Identity()}};
  checks::expect_compliance_is_dense_inverse(*body, state, coupled, 1e-3);
  checks::expect_nan_is_refused(*body, state);
}

TEST(RigidBody, coupling_pulls_the_body_as_an_implicit_spring_damper) {
  auto body = brick();
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  const double k = 200, d = 5, h = 1e-3, m = body->mass(), target = 0.1;
  double x = 0, v = 0;  // scalar implicit Euler by hand
  for (int i = 0; i < 100; ++i) {
    BlockLoad load{.block = 0, .has_rotation = true};
    load.stiffness.diagonal().setConstant(k + d / h);
    load.force[0] = k * (target - (state.x[0] - 1));
    Loads loads;
    loads.blocks = {load};
    checks::step(*body, loads, h, *ws, state);
    v = (m * v + h * k * (target - x)) / (m + h * d + h * h * k);
    x += h * v;
  }
  EXPECT_NEAR(state.x[0] - 1, x, 1e-12);
}

TEST(RigidBody, bad_specifications_are_refused_with_a_reason) {
  const auto refused = [](auto change) {
    RigidSpec spec;
    spec.surface = box(Vec3(0.1, 0.2, 0.4), Vec3::Zero());
    spec.density_kg_per_m3 = 500;
    change(spec);
    EXPECT_FALSE(RigidBody::make(spec));
  };
  refused([](RigidSpec& s) { s.density_kg_per_m3 = -1; });
  refused([](RigidSpec& s) { s.density_kg_per_m3 = 0; });  // and nothing given
  refused([](RigidSpec& s) { s.surface.triangles.pop_back(); });
  refused([](RigidSpec& s) { std::swap(s.surface.triangles[0][0], s.surface.triangles[0][1]); });
  refused([](RigidSpec& s) {
    for (Triangle& t : s.surface.triangles) std::swap(t[0], t[1]);
  });
  refused([](RigidSpec& s) { s.surface.triangles[3][1] = 77; });
  refused([](RigidSpec& s) { s.surface.nodes[3].x() = std::numeric_limits<double>::quiet_NaN(); });
  refused([](RigidSpec& s) { s.rayleigh_mass_per_s = -1; });
  refused([](RigidSpec& s) {
    s.density_kg_per_m3 = 0;
    s.given.mass_kg = 1;
    s.given.inertia_kg_m2 = Vec3(1, 1, 3).asDiagonal();  // 3 > 1 + 1: no solid has it
  });
}

TEST(Obstacle, has_no_compliance_and_follows_its_prescribed_motion) {
  ObstacleSpec spec;
  spec.surface = box(Vec3(1, 1, 0.1), Vec3(0, 0, -1));
  spec.surface.triangles.pop_back();  // open is fine
  spec.reference_m = Vec3(0.5, 0, 0);
  auto made = Obstacle::make(spec);
  ASSERT_TRUE(made);
  const Obstacle& body = **made;
  BodyState state = body.rest_state();
  checks::expect_jacobian_is_derivative_of_positions(body, state);
  checks::expect_compliance_is_dense_inverse(body, state, {}, 1e-3);
  checks::expect_nan_is_refused(body, state);
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  loads.force = VecX::Ones(6);
  loads.prescribed = {Vec3(0.1, 0, 0), Vec3(0, 0, std::numbers::pi / 2)};
  auto ws = body.make_workspace();
  ASSERT_TRUE(body.free_motion(state, loads, 0.5, *ws));
  body.commit(*ws, VecX::Ones(6), state);
  std::vector<Vec3> out(8);
  body.skin_positions(state, VecX(), out);
  // Vertex 3 = (0.5, 0.5, −1.05): turned by 90° about (0.5, 0, ·), then shifted.
  EXPECT_LT((out[3] - Vec3(0.1, 0, -1.05)).norm(), 1e-12);
  EXPECT_NEAR(state.v[0], 0.2, 1e-12);
  EXPECT_NEAR(state.v[5], std::numbers::pi, 1e-12);
}

TEST(SkinCarriers, bring_a_rigid_skin_where_its_pose_does) {
  RigidSpec spec;
  spec.density_kg_per_m3 = 500;
  for (int kind = 0; kind < 2; ++kind) {
    if (kind == 0) spec.surface = sphere(2);
    if (kind == 1) spec.rounded = *round_box(Vec3(0.1, 0.2, 0.4), 0.02, Vec3(1, -2, 3));
    const auto body = *RigidBody::make(spec);
    const SkinCarriers carriers = carriers_of(*body);
    ASSERT_EQ(carriers.vertex.size(), 4u);
    const Vec3 turn(0.4, -0.7, 0.2);
    BodyState state = body->rest_state();
    std::vector<Vec3> from(body->skin().vertices), to(from), carried(from);
    body->skin_positions(state, VecX(), from);
    advance_pose(state.x, 0, Vec3(0.3, 0, -0.1), turn);
    body->skin_positions(state, VecX(), to);
    for (int v : carriers.vertex) carried[v] = to[v];
    carriers.carry(carried);
    for (size_t v = 0; v < to.size(); ++v) EXPECT_LT((carried[v] - to[v]).norm(), 1e-13) << v;
    if (kind == 1) {
      EXPECT_LT((carriers.turn(from, to) - turn).norm(), 1e-12);
    }
    spec = {.density_kg_per_m3 = 500};
  }
}

TEST(SkinCarriers, a_flat_skin_has_three_and_an_obstacle_none) {
  RigidSpec spec;
  spec.surface.nodes = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)};
  spec.surface.triangles = {{0, 1, 2}, {1, 3, 2}};
  spec.given = {.mass_kg = 1, .inertia_kg_m2 = Mat3::Identity()};
  EXPECT_EQ(carriers_of(**RigidBody::make(spec)).vertex.size(), 3u);
  EXPECT_TRUE(carriers_of(**Obstacle::make({.surface = sphere(1)})).vertex.empty());
}

}  // namespace rigid_body_test
}  // namespace palp
