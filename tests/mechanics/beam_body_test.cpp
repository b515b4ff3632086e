// Beams as bodies: energy, force, tangent, skin, compliance, momentum, refusals.
#include "mechanics/beam_support.hpp"

namespace palp {
namespace beam_body_test {

using namespace beams;

/// Any stressed state: random increments on the rest shape.
BodyState shaken(const Body& body, double size, unsigned seed = 1) {
  BodyState state = body.rest_state();
  std::mt19937 rng(seed);
  std::normal_distribution<double> normal;
  for (int i = 0; i < body.blocks() / 2; ++i) {
    const Vec3 dp(normal(rng), normal(rng), normal(rng)), w(normal(rng), normal(rng), normal(rng));
    advance_pose(state.x, i, 0.01 * size * dp, size * w);
  }
  for (double& v : state.v) v = normal(rng);
  return state;
}

void move_rigidly(BodyState& state, const Vec3& shift, const Vec3& rotation) {
  const Quat q = rotation_from_vector(rotation);
  for (int i = 0; i < state.x.size() / 7; ++i)
    set_pose(state.x, i, q * pose_position(state.x, i) + shift, q * pose_rotation(state.x, i));
}

BeamSpec curved() {
  BeamSpec s;
  s.curve = arc(0.05, 4.0, 9);
  s.section = BeamSection::rectangle(0.004, 0.002);
  s.young_modulus_Pa = 1e7;
  s.skin_subdivisions = 3;
  return s;
}

TEST(Beam, rigid_motion_of_any_rest_shape_gives_no_internal_force) {
  auto body = make(curved());
  BodyState state = body->rest_state();
  VecX f(body->dof());
  body->internal_force(state, f);
  const double unit = 1e7 * 0.004 * 0.002;  // EA
  EXPECT_LT(f.norm(), 1e-12 * unit);
  move_rigidly(state, Vec3(1, -2, 0.5), Vec3(1.2, -2.0, 1.4));
  body->internal_force(state, f);
  EXPECT_LT(f.norm(), 1e-12 * unit);
  EXPECT_LT(body->elastic_energy(state), 1e-20 * unit);
}

TEST(Beam, internal_force_is_the_gradient_of_the_elastic_energy_and_balances_itself) {
  auto body = make(curved());
  const BodyState state = shaken(*body, 0.15);
  VecX f(body->dof());
  body->internal_force(state, f);
  const double eps = 1e-6;
  for (int d = 0; d < body->dof(); ++d) {
    double U[2];
    for (int side : {0, 1}) {
      BodyState moved = state;
      Vec6 dx = Vec6::Zero();
      dx[d % 6] = side ? eps : -eps;
      if (d % 6 < 3) dx *= 0.01;
      advance_pose(moved.x, d / 6, dx.head<3>(), dx.tail<3>());
      U[side] = body->elastic_energy(moved);
    }
    const double step = d % 6 < 3 ? 0.02 * eps : 2 * eps;
    EXPECT_NEAR((U[1] - U[0]) / step, f[d], 2e-6 * f.norm()) << d;
  }
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int i = 0; i < body->nodes(); ++i) {
    force += f.segment<3>(6 * i);
    moment += f.segment<3>(6 * i + 3) + pose_position(state.x, i).cross(Vec3(f.segment<3>(6 * i)));
  }
  EXPECT_LT(force.norm(), 1e-12 * f.norm());
  EXPECT_LT(moment.norm(), 1e-12 * f.norm());
}

/// Jacobian of the internal force by central differences.
MatX finite_difference_tangent(const BeamBody& body, const BodyState& state) {
  MatX K(body.dof(), body.dof());
  VecX plus(body.dof()), minus(body.dof());
  for (int d = 0; d < body.dof(); ++d) {
    Vec6 dx = Vec6::Zero();
    dx[d % 6] = d % 6 < 3 ? 1e-8 : 1e-6;
    BodyState moved = state;
    advance_pose(moved.x, d / 6, dx.head<3>(), dx.tail<3>());
    body.internal_force(moved, plus);
    moved = state;
    advance_pose(moved.x, d / 6, -dx.head<3>(), -dx.tail<3>());
    body.internal_force(moved, minus);
    K.col(d) = (plus - minus) / (2 * dx[d % 6]);
  }
  return K;
}

TEST(Beam, tangent_is_exact_without_stress_and_in_pure_tension_and_off_in_proportion_to_stress) {
  BeamSpec spec = curved();
  spec.quasi_static = true;  // A = K
  auto body = make(spec);
  BodyState state = body->rest_state();
  move_rigidly(state, Vec3(1, 0, 2), Vec3(0.3, 2, -1));
  MatX K = body->dense_system(state, {}, 1);
  EXPECT_LT((K - finite_difference_tangent(*body, state)).norm(), 1e-6 * K.norm());

  BeamSpec line = spec;
  line.curve = straight(0.2, 5, Vec3(1, 2, -1).normalized());
  auto thread = make(line);
  BodyState stretched = thread->rest_state();
  for (int i = 0; i < 6; ++i) stretched.x.segment<3>(7 * i) *= 1.2;
  K = thread->dense_system(stretched, {}, 1);
  EXPECT_LT((K - finite_difference_tangent(*thread, stretched)).norm(), 1e-6 * K.norm());

  const auto mismatch = [&](double size) {
    const BodyState bent = shaken(*body, size, 4);
    const MatX exact = finite_difference_tangent(*body, bent);
    return (body->dense_system(bent, {}, 1) - exact).norm() / exact.norm();
  };
  EXPECT_LT(mismatch(0.02), 0.05);
  EXPECT_NEAR(mismatch(0.02) / mismatch(0.01), 2, 0.4);
}

TEST(Beam, system_matrix_is_positive_definite_however_crushed_the_beam_is) {
  BeamSpec spec = curved();
  spec.rayleigh_mass_per_s = 1;
  auto body = make(spec);
  auto ws = body->make_workspace();
  for (unsigned seed = 0; seed < 50; ++seed)
    for (double size : {0.3, 1.0, 3.0})
      EXPECT_TRUE(body->free_motion(shaken(*body, size, seed), {}, 1e-3, *ws));
}

TEST(Beam, skin_jacobian_is_the_derivative_of_skin_positions) {
  auto body = make(curved());
  checks::expect_jacobian_is_derivative_of_positions(*body, shaken(*body, 0.2));
}

TEST(Beam, skin_of_an_arc_lies_on_the_arc) {
  BeamSpec spec = curved();
  spec.curve.nodes.clear();
  const double R = 0.05;
  for (int i = 0; i <= 16; ++i)
    spec.curve.nodes.push_back(R * Vec3(std::cos(i * pi / 16), std::sin(i * pi / 16), 0));
  auto body = make(spec);
  std::vector<Vec3> out(body->skin().vertices);
  body->skin_positions(body->rest_state(), VecX(), out);
  EXPECT_EQ(out.size(), 49u);
  // Hermite with chord-length tangents: much closer than the chord, whose sagitta is R(1 − cos(π/32))
  // = 4.8e-3 R.
  for (const Vec3& p : out) EXPECT_NEAR(p.norm(), R, 5e-5 * R);
}

TEST(Beam, compliance_is_the_dense_inverse_for_free_held_driven_and_coupled_chains) {
  for (bool quasi_static : {false, true}) {
    BeamSpec spec = curved();
    spec.quasi_static = quasi_static;
    spec.rayleigh_mass_per_s = 20;
    spec.rayleigh_stiffness_s = 1e-3;
    auto check = [&](const Loads& loads) {
      auto body = make(spec);
      checks::expect_compliance_is_dense_inverse(*body, shaken(*body, 0.1), loads, 1e-3);
    };
    check({});
    spec.fixed_nodes = {0};
    spec.pinned_nodes = {4};
    spec.driven_nodes = {9};
    check({});
    Loads coupled;
    BlockLoad six{.block = 6, .has_rotation = true};
    six.stiffness.diagonal() << 100, 100, 200, 0.1, 0.1, 0.3;
    six.stiffness(0, 4) = six.stiffness(4, 0) = 0.5;
    coupled.blocks = {six, BlockLoad{.block = 4, .stiffness = 50 * Mat6::Identity()}};
    check(coupled);
  }
}

TEST(Beam, free_motion_solves_the_dense_system_with_loads_and_prescribed_motion) {
  BeamSpec spec = curved();
  spec.driven_nodes = {9, 0};
  auto body = make(spec);
  auto free_body = make(curved());
  BodyState state = shaken(*body, 0.1);
  state.v.setZero();  // the gyroscopic term has its own tests
  for (int i = 0; i < body->nodes(); ++i) state.v.segment<3>(6 * i) = Vec3(0.1 * i, -0.2, 0.05 * i);
  const double h = 2e-3;
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  loads.force = VecX::LinSpaced(body->dof(), -1e-2, 2e-2);
  loads.prescribed = {Vec3(1e-3, 2e-3, -1e-3), Vec3(0.01, 0.02, 0.03), Vec3(-1e-3, 0, 1e-3),
                      Vec3(0, -0.02, 0)};
  BlockLoad load{.block = 8, .has_rotation = true};
  load.stiffness = 3 * Mat6::Identity();
  load.force << 1, 2, 3, 0.01, 0.02, 0.03;
  loads.blocks = {load};
  auto ws = body->make_workspace();
  ASSERT_TRUE(body->free_motion(state, loads, h, *ws));

  for (int end : {0, 9})
    for (int part : {0, 1})
      EXPECT_LT(
          (ws->dx_free.segment<3>(6 * end + 3 * part) - loads.prescribed[(end == 9 ? 0 : 2) + part]).norm(),
          1e-15);
  // Rows of the inner nodes of the unconstrained system: A Δx = f_ext − f_int + M v/h.
  VecX r(body->dof());
  body->internal_force(state, r);
  r = loads.force - r;
  r.segment<6>(6 * 4) += load.force;
  const MatX A = free_body->dense_system(state, loads, h);
  MatX A_slow = free_body->dense_system(state, loads, 2 * h);
  const MatX M = (A - A_slow) * (h * h / 0.75);  // A(h) − A(2h) = M (1 − 1/4)/h²
  r += M * state.v / h;
  VecX g = VecX::Zero(body->dof());
  for (int i = 0; i < body->nodes(); ++i) g.segment<3>(6 * i) = loads.gravity;
  r += M * g;
  EXPECT_LT((A * ws->dx_free - r).segment(6, body->dof() - 12).norm(), 1e-8 * r.norm());
}

TEST(Beam, free_flight_keeps_momentum_exactly_and_angular_momentum_to_the_order_of_the_step) {
  BeamSpec spec = curved();
  auto body = make(spec);
  BodyState start = body->rest_state();
  Vec3 centre = Vec3::Zero();
  VecX node_mass(body->nodes());
  {
    const MatX A1 = body->dense_system(start, {}, 1e-3), A2 = body->dense_system(start, {}, 2e-3);
    for (int i = 0; i < body->nodes(); ++i) node_mass[i] = (A1 - A2)(6 * i, 6 * i) * 1e-6 / 0.75;
  }
  EXPECT_NEAR(node_mass.sum() / body->mass(), 1, 1e-9);
  for (int i = 0; i < body->nodes(); ++i) centre += node_mass[i] / body->mass() * pose_position(start.x, i);
  const Vec3 spin(3, -5, 20), drift(0.3, 0.1, -0.2);
  for (int i = 0; i < body->nodes(); ++i) {
    const Vec3 lever = pose_position(start.x, i) - centre;
    start.v.segment<3>(6 * i) = drift + spin.cross(lever);
    start.v.segment<3>(6 * i + 3) = spin;
  }
  const auto momenta = [&](const BodyState& s) {
    Vec6 p = Vec6::Zero();
    const MatX A1 = body->dense_system(s, {}, 1e-3), A2 = body->dense_system(s, {}, 2e-3);
    const VecX Mv = (A1 - A2) * (1e-6 / 0.75) * s.v;
    for (int i = 0; i < body->nodes(); ++i) {
      p.head<3>() += Mv.segment<3>(6 * i);
      p.tail<3>() += pose_position(s.x, i).cross(Vec3(Mv.segment<3>(6 * i))) + Mv.segment<3>(6 * i + 3);
    }
    return p;
  };
  const Vec6 p0 = momenta(start);
  const double energy0 = body->kinetic_energy(start);
  double drift_of[2], k = 0;
  for (int steps : {100, 200}) {
    BodyState state = start;
    auto ws = body->make_workspace();
    for (int i = 0; i < steps; ++i) checks::step(*body, {}, 0.02 / steps, *ws, state);
    EXPECT_LT((momenta(state) - p0).head<3>().norm(), 1e-8 * p0.head<3>().norm());
    EXPECT_LE(body->kinetic_energy(state) + body->elastic_energy(state), energy0 * (1 + 1e-9));
    drift_of[int(k++)] = (momenta(state) - p0).tail<3>().norm() / p0.tail<3>().norm();
  }
  EXPECT_LT(drift_of[1], 0.01);
  EXPECT_LT(drift_of[1], 0.6 * drift_of[0] + 1e-12);
}

TEST(Beam, free_fall_is_uniform_and_free_of_stress) {
  auto body = make(curved());
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  Loads loads;
  loads.gravity = Vec3(0, -9.81, 0);
  const int steps = 50;
  const double h = 1e-3;
  for (int i = 0; i < steps; ++i) checks::step(*body, loads, h, *ws, state);
  for (int i = 0; i < body->nodes(); ++i) {
    EXPECT_NEAR(state.v[6 * i + 1], -9.81 * steps * h, 1e-9);
    EXPECT_NEAR(state.x[7 * i + 1] - body->rest_state().x[7 * i + 1], -9.81 * h * h * steps * (steps + 1) / 2,
                1e-9);
  }
}

TEST(Beam, taut_thread_vibrates_stably_and_loses_energy) {
  BeamSpec spec;
  spec.curve = straight(0.2, 20);
  spec.section = BeamSection::circle(0.0005);
  spec.young_modulus_Pa = 1e7;
  spec.fixed_nodes = {0};
  spec.driven_nodes = {20};
  auto body = make(spec);
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  Loads pull;
  pull.prescribed = {Vec3(2e-4, 0, 0), Vec3::Zero()};
  for (int i = 0; i < 100; ++i) checks::step(*body, pull, 1e-3, *ws, state);  // 10 % longer
  for (int i = 0; i < 50; ++i) checks::step(*body, {}, 1e-3, *ws, state);
  for (int i = 1; i < 20; ++i) state.v[6 * i + 1] += std::sin(pi * i / 20);  // plucked
  double energy = body->kinetic_energy(state) + body->elastic_energy(state);
  for (int i = 0; i < 500; ++i) {
    checks::step(*body, {}, 1e-3, *ws, state);
    const double now = body->kinetic_energy(state) + body->elastic_energy(state);
    ASSERT_LT(now, energy * (1 + 1e-6)) << i;
    energy = now;
  }
}

TEST(Beam, bad_specifications_are_refused_with_a_reason) {
  const auto refused = [](auto change) {
    BeamSpec spec = curved();
    change(spec);
    auto body = BeamBody::make(spec);
    EXPECT_FALSE(body);
    if (!body) {
      EXPECT_GT(body.error().message.size(), 10u);
    }
  };
  refused([](BeamSpec& s) { s.curve.closed = true; });
  refused([](BeamSpec& s) { s.curve.nodes.resize(1); });
  refused([](BeamSpec& s) { s.curve.nodes.clear(); });
  refused([](BeamSpec& s) { s.curve.nodes[3] = s.curve.nodes[4]; });
  refused([](BeamSpec& s) { s.curve.nodes[3].x() = std::numeric_limits<double>::quiet_NaN(); });
  refused([](BeamSpec& s) { s.curve.nodes[2] = s.curve.nodes[0]; });
  refused([](BeamSpec& s) { s.section = BeamSection::circle(-1); });
  refused([](BeamSpec& s) { s.section = BeamSection::circle(1e-3, 2e-3); });
  refused([](BeamSpec& s) { s.section = BeamSection::rectangle(0, 1); });
  refused([](BeamSpec& s) { s.young_modulus_Pa = 0; });
  refused([](BeamSpec& s) { s.poisson_ratio = 0.5; });
  refused([](BeamSpec& s) { s.density_kg_per_m3 = -1; });
  refused([](BeamSpec& s) { s.rayleigh_stiffness_s = -1; });
  refused([](BeamSpec& s) { s.skin_subdivisions = 0; });
  refused([](BeamSpec& s) { s.fixed_nodes = {10}; });
  refused([](BeamSpec& s) { s.fixed_nodes = {1}, s.driven_nodes = {1}; });
  refused([](BeamSpec& s) { s.section_y = s.curve.nodes[1] * std::numeric_limits<double>::infinity(); });
}

TEST(Beam, states_and_loads_that_make_no_sense_stop_the_step) {
  auto body = make(curved());
  checks::expect_nan_is_refused(*body, body->rest_state());
  auto ws = body->make_workspace();
  const auto refused = [&](const Loads& loads) {
    EXPECT_FALSE(body->free_motion(body->rest_state(), loads, 1e-3, *ws));
  };
  Loads loads;
  loads.force = VecX::Zero(3);
  refused(loads);
  loads = {};
  loads.blocks = {BlockLoad{.block = body->blocks()}};
  refused(loads);
  loads.blocks = {BlockLoad{.block = 1, .has_rotation = true}};
  refused(loads);
  loads = {};
  loads.prescribed = {Vec3::Zero()};
  refused(loads);
  loads = {};
  loads.gravity.x() = std::numeric_limits<double>::quiet_NaN();
  refused(loads);
  BodyState collapsed = body->rest_state();
  collapsed.x.segment<3>(7) = collapsed.x.segment<3>(0);
  EXPECT_FALSE(body->free_motion(collapsed, {}, 1e-3, *ws));
}

}  // namespace beam_body_test
}  // namespace palp
