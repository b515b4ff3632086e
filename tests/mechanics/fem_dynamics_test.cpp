#include "fem_support.hpp"

namespace palp {
namespace fem_dynamics_test {
using namespace test;

FemSpec spec_of(Kind kind, FemModel model) {
  FemSpec spec = irregular_box(kind, 2);
  spec.model = model;
  return spec;
}

Loads gravity() {
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  return loads;
}

bool on_left(const Vec3& x) { return x.x() < -0.045; }
bool on_right(const Vec3& x) { return x.x() > 0.045; }

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
Momentum momentum(const FemBody& body, const BodyState& s) {  // lumped mass
  Momentum p;
  for (int n = 0; n < body.blocks(); ++n) {
    const Vec3 mv = body.node_mass()[n] * s.v.segment<3>(3 * n);
    p.linear += mv;
    p.angular += Vec3(s.x.segment<3>(3 * n)).cross(mv);
  }
  return p;
}

TEST(FemDynamics, mass_is_density_times_volume_for_lumped_and_consistent_mass) {
  for (Kind kind : kKinds)
    for (bool lumped : {false, true}) {
      FemSpec spec = test::spec_of(kind, hex_box(3));
      spec.density_kg_per_m3 = 800;
      spec.lumped_mass = lumped;
      const auto body = make(spec);
      EXPECT_NEAR(body->mass(), 800 * 1e-3, 1e-12);
      BodyState state = body->rest_state();
      for (int n = 0; n < body->blocks(); ++n) state.v.segment<3>(3 * n) = Vec3(1, 2, -2);
      EXPECT_NEAR(body->kinetic_energy(state), 0.5 * 0.8 * 9, 1e-12);
    }
}

TEST(FemDynamics, free_fall_follows_gravity_step_by_step) {
  for (Kind kind : kKinds)
    for (bool lumped : {false, true})
      for (FemModel model : {FemModel::linear, FemModel::corotational}) {
        FemSpec spec = spec_of(kind, model);
        spec.lumped_mass = lumped;
        const auto body = make(spec);
        auto ws = body->make_workspace();
        BodyState state = body->rest_state();
        const Loads loads = gravity();
        const double h = 0.01;
        const int steps = 20;
        for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(*body, loads, h, *ws, state));
        // Implicit Euler: v_n = g n h, x_n = g h² n(n+1)/2.
        const VecX fallen = state.x - body->rest_state().x;
        for (int n = 0; n < body->blocks(); ++n) {
          EXPECT_LT((state.v.segment<3>(3 * n) - Vec3(0, 0, -9.81 * steps * h)).norm(), 1e-9);
          EXPECT_LT((fallen.segment<3>(3 * n) - Vec3(0, 0, -9.81 * h * h * steps * (steps + 1) / 2)).norm(),
                    1e-10);
        }
      }
}

TEST(FemDynamics, energy_decays_without_loads) {
  for (Kind kind : kKinds)
    for (FemModel model : {FemModel::linear, FemModel::corotational})
      for (Tangent tangent : {Tangent::rotation_frozen, Tangent::consistent}) {
        FemSpec spec = spec_of(kind, model);
        spec.tangent = tangent;
        spec.fixed_nodes = nodes_where(nodes(spec), on_left);
        spec.rayleigh_mass_per_s = 0.1;
        spec.rayleigh_stiffness_s = 1e-3;
        const auto body = make(spec);
        auto ws = body->make_workspace();
        BodyState state = body->rest_state();
        for (int n = 0; n < body->blocks(); ++n) {  // bent by a fifth of its length
          const double s = (state.x[3 * n] + 0.05) / 0.1;
          state.x[3 * n + 2] += 0.02 * s * s;
        }
        for (int n : spec.fixed_nodes) state.x.segment<3>(3 * n) = body->rest_state().x.segment<3>(3 * n);
        double energy = body->elastic_energy(state) + body->kinetic_energy(state);
        const double start = energy;
        for (int i = 0; i < 300; ++i) {
          ASSERT_TRUE(step(*body, {}, 0.002, *ws, state));
          const double now = body->elastic_energy(state) + body->kinetic_energy(state);
          EXPECT_LE(now, energy * (1 + 1e-9) + 1e-15) << name(kind) << " step " << i;
          energy = now;
        }
        EXPECT_LT(energy, 1e-2 * start);
      }
}

TEST(FemDynamics, linear_momentum_is_kept_exactly_and_angular_momentum_to_first_order_in_free_flight) {
  for (Kind kind : kKinds)
    for (Tangent tangent : {Tangent::rotation_frozen, Tangent::consistent}) {
      FemSpec spec = spec_of(kind, FemModel::corotational);
      spec.tangent = tangent;
      const auto body = make(spec);
      double drift[3];
      for (int k = 0; k < 3; ++k) {
        const double h = 5e-5 / (1 << k);
        auto ws = body->make_workspace();
        BodyState state = body->rest_state();
        state.x *= 1.03;  // it breathes while it turns
        const Vec3 spin(1, 4, -3);
        for (int n = 0; n < body->blocks(); ++n)
          state.v.segment<3>(3 * n) = Vec3(0.4, 0.1, 0.2) + spin.cross(Vec3(state.x.segment<3>(3 * n)));
        const Momentum before = momentum(*body, state);
        for (int i = 0; i < 100 << k; ++i) ASSERT_TRUE(step(*body, {}, h, *ws, state));
        const Momentum after = momentum(*body, state);
        EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm());
        drift[k] = (after.angular - before.angular).norm() / before.angular.norm();
      }
      // The integrator is of first order: halving h halves the drift, or better.
      EXPECT_LT(drift[1], 0.6 * drift[0]) << name(kind);
      EXPECT_LT(drift[2], 0.6 * drift[1]) << name(kind);
      EXPECT_LT(drift[0], 0.05);
    }
}

TEST(FemDynamics, prescribed_motion_is_followed_exactly_and_carries_the_body) {
  for (Kind kind : kKinds)
    for (FemModel model : {FemModel::linear, FemModel::corotational}) {
      FemSpec spec = spec_of(kind, model);
      spec.driven_nodes = nodes_where(nodes(spec), on_right);
      spec.fixed_nodes = nodes_where(nodes(spec), on_left);
      spec.rayleigh_stiffness_s = 0.01;
      const auto body = make(spec);
      auto ws = body->make_workspace();
      BodyState state = body->rest_state();
      Loads loads;
      loads.prescribed.assign(spec.driven_nodes.size(), Vec3(2e-4, 1e-4, 0));
      for (int i = 0; i < 10; ++i) ASSERT_TRUE(step(*body, loads, 0.005, *ws, state));
      const VecX u = state.x - body->rest_state().x;
      for (int n : spec.driven_nodes) {
        EXPECT_LT((u.segment<3>(3 * n) - Vec3(2e-3, 1e-3, 0)).norm(), 1e-15);
        EXPECT_LT((state.v.segment<3>(3 * n) - Vec3(0.04, 0.02, 0)).norm(), 1e-12);
      }
      for (int n : spec.fixed_nodes) EXPECT_EQ(u.segment<3>(3 * n).norm(), 0);
    }
}

TEST(FemDynamics, a_grasp_feels_the_weight_it_carries_and_the_contact_force) {
  for (Kind kind : kKinds)
    for (FemModel model : {FemModel::linear, FemModel::corotational}) {
      FemSpec spec = spec_of(kind, model);
      spec.driven_nodes = nodes_where(nodes(spec), on_left);
      spec.quasi_static = true;
      const auto body = make(spec);
      auto ws = body->make_workspace();
      BodyState state = body->rest_state();
      const Loads loads = gravity();
      PointJacobian H = contact_points(*body, state, 3);
      VecX push(9), dx_c(body->dof()), hold(body->dof());
      push << 0.1, 0.2, 0.3, -0.1, 0, 0.2, 0, 0, 0.4;
      for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(body->free_motion(state, loads, 0.01, *ws));
        body->response(H, push, *ws, dx_c);
        body->constraint_force(*ws, H, push, dx_c, hold);
        body->commit(*ws, dx_c, state);
      }
      Vec3 total = Vec3::Zero();
      for (int n : body->driven_nodes()) total += hold.segment<3>(3 * n);
      const Vec3 contact(0, 0.2, 0.9);
      EXPECT_LT((total + contact + body->mass() * loads.gravity).norm(), 1e-7 * total.norm());
    }
}

TEST(FemDynamics, dynamic_motion_settles_where_the_quasi_static_one_does_and_forces_balance) {
  for (Kind kind : kKinds)
    for (FemModel model : {FemModel::linear, FemModel::corotational}) {
      FemSpec spec = spec_of(kind, model);
      spec.young_modulus_Pa = 2e4;
      spec.fixed_nodes = nodes_where(nodes(spec), on_left);
      const Loads loads = gravity();
      spec.quasi_static = true;
      const auto slow = make(spec);
      auto ws = slow->make_workspace();
      BodyState settled = slow->rest_state();
      for (int i = 0; i < 30; ++i) ASSERT_TRUE(step(*slow, loads, 0.01, *ws, settled));
      // Static equilibrium: f_int = M g at every free node.
      VecX f(slow->dof());
      slow->internal_force(settled, f);
      double worst = 0;
      for (int n = 0; n < slow->blocks(); ++n)
        if (nodes(spec)[n].x() > -0.045)
          worst = std::max(worst, (f.segment<3>(3 * n) - slow->node_mass()[n] * loads.gravity).norm());
      EXPECT_LT(worst, 1e-9 * slow->mass() * 9.81);

      spec.quasi_static = false;
      spec.rayleigh_stiffness_s = 0.1;
      const auto moving = make(spec);
      auto ws2 = moving->make_workspace();
      BodyState state = moving->rest_state();
      for (int i = 0; i < 400; ++i) ASSERT_TRUE(step(*moving, loads, 0.02, *ws2, state));
      EXPECT_LT((state.x - settled.x).norm(), 1e-6 * (settled.x - slow->rest_state().x).norm());
      EXPECT_GT((settled.x - slow->rest_state().x).norm(), 1e-3);  // it does sag
    }
}

TEST(FemDynamics, a_quasi_static_body_without_fixed_nodes_drifts_at_force_over_damping) {
  // αM ẋ = f: the centre of mass moves with velocity f/(α m), whatever the shape (P11's damping).
  for (FemModel model : {FemModel::linear, FemModel::corotational}) {
    FemSpec spec = spec_of(Kind::tets, model);
    spec.quasi_static = true;
    spec.rayleigh_mass_per_s = 5;
    const auto body = make(spec);
    auto ws = body->make_workspace();
    BodyState state = body->rest_state();
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    loads.force.segment<3>(0) = Vec3(0.01, 0.02, -0.03);
    const double h = 0.002;
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(step(*body, loads, h, *ws, state));
    Vec3 moved = Vec3::Zero();
    for (int n = 0; n < body->blocks(); ++n)
      moved += body->node_mass()[n] * (state.x - body->rest_state().x).segment<3>(3 * n) / body->mass();
    EXPECT_LT((moved - 10 * h * Vec3(0.01, 0.02, -0.03) / (5 * body->mass())).norm(), 1e-9 * moved.norm());
  }
}

TEST(FemDynamics, a_failed_free_motion_says_so_and_the_next_good_one_is_unharmed) {
  for (FemModel model : {FemModel::linear, FemModel::corotational}) {
    const auto body = make(spec_of(Kind::tets, model));
    auto ws = body->make_workspace();
    const BodyState good = body->rest_state();
    const Loads weight = gravity();
    ASSERT_TRUE(body->free_motion(good, weight, 0.01, *ws));
    const VecX expected = ws->dx_free;
    for (double poison : {std::nan(""), HUGE_VAL}) {
      BodyState bad = good;
      bad.x[4] = poison;
      EXPECT_FALSE(body->free_motion(bad, weight, 0.01, *ws));
      bad = good;
      bad.v[7] = poison;
      EXPECT_FALSE(body->free_motion(bad, weight, 0.01, *ws));
      Loads loads = weight;
      loads.gravity.x() = poison;
      EXPECT_FALSE(body->free_motion(good, loads, 0.01, *ws));
      EXPECT_FALSE(body->free_motion(good, weight, poison, *ws));
      loads = weight;
      loads.blocks.resize(1);
      loads.blocks[0].stiffness(0, 0) = poison;
      EXPECT_FALSE(body->free_motion(good, loads, 0.01, *ws));
    }
    EXPECT_FALSE(body->free_motion(good, weight, 0, *ws));
    EXPECT_FALSE(body->free_motion(good, weight, -0.01, *ws));
    Loads wrong = weight;
    wrong.force = VecX::Zero(3);
    EXPECT_FALSE(body->free_motion(good, wrong, 0.01, *ws));
    ASSERT_TRUE(body->free_motion(good, weight, 0.01, *ws));
    EXPECT_EQ((ws->dx_free - expected).norm(), 0);
  }
}

}  // namespace fem_dynamics_test
}  // namespace palp
