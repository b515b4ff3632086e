// The quasi-static global corotational body: no inertia; drag and couplings say where the frame is.
#include <cmath>

#include "mechanics/corotational_bar.hpp"
#include "mechanics/fem_support.hpp"
#include "mechanics/model_checks.hpp"
#include "support/dense.hpp"

#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/pose.hpp"

namespace palp {
namespace global_corotational_quasi_static_test {

using test::made;

GlobalCorotationalSpec still_bar(bool dirichlet, double alpha) {
  GlobalCorotationalSpec spec = test::corotational_bar(dirichlet);
  spec.rayleigh_mass_per_s = alpha;
  spec.quasi_static = true;
  return spec;
}

BlockLoad spring(double k, double k_turn) {
  BlockLoad grip{.block = 0, .has_rotation = true};
  grip.stiffness.diagonal() << k, k, k, k_turn, k_turn, k_turn;
  return grip;
}

TEST(GlobalCorotationalQuasiStatic, compliance_is_the_dense_inverse_of_the_full_system) {
  Loads coupled;
  coupled.blocks = {spring(500, 0.5)};
  for (bool dirichlet : {true, false})
    for (const auto& [alpha, loads] : {std::pair{3.0, Loads{}}, {3.0, coupled}, {0.0, coupled}}) {
      GlobalCorotationalSpec spec = still_bar(dirichlet, alpha);
      spec.rayleigh_stiffness_s = 2e-3;
      auto body = made(spec);
      BodyState state = body->rest_state();
      advance_pose(state.x, 0, Vec3(0.1, -0.2, 0.05), Vec3(0.7, -1.1, 0.4));
      const MatX A = body->dense_system(state, loads, 3e-3);
      checks::expect_compliance_is(testing::inverse(A).topLeftCorner(body->dof(), body->dof()), *body, state,
                                   loads, 3e-3);
    }
}

TEST(GlobalCorotationalQuasiStatic, without_drag_or_coupling_the_free_body_is_refused) {
  auto body = made(still_bar(false, 0));
  auto ws = body->make_workspace();
  EXPECT_FALSE(body->free_motion(body->rest_state(), {}, 1e-2, *ws));
  Loads held;
  held.blocks = {spring(1, 1)};
  EXPECT_TRUE(body->free_motion(body->rest_state(), held, 1e-2, *ws));
}

TEST(GlobalCorotationalQuasiStatic, velocity_is_forgotten) {
  auto body = made(still_bar(false, 3));
  BodyState still = body->rest_state(), moving = still;
  moving.v.head<6>() << 0.3, -0.1, 0.2, 1.5, -2.0, 4.0;
  auto a = body->make_workspace(), b = body->make_workspace();
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  ASSERT_TRUE(body->free_motion(still, loads, 1e-2, *a));
  ASSERT_TRUE(body->free_motion(moving, loads, 1e-2, *b));
  EXPECT_EQ(a->dx_free, b->dx_free);
  EXPECT_EQ(body->kinetic_energy(moving), 0);
  EXPECT_NEAR(a->dx_free[2], -9.81 * 1e-2 / 3, 1e-15);  // drag α m v balances the weight
}

TEST(GlobalCorotationalQuasiStatic, small_motion_is_that_of_the_linear_quasi_static_body) {
  // (αM/h + K)⁻¹ of the linear body splits into h/α (rigid) + C + O(α/(h K²)): the error falls with α.
  double error[2];
  int k = 0;
  for (double alpha : {2e3, 1e3}) {
    const GlobalCorotationalSpec spec = still_bar(false, alpha);
    auto body = made(spec);
    auto linear = test::make({.mesh = spec.mesh,
                              .model = FemModel::linear,
                              .young_modulus_Pa = spec.young_modulus_Pa,
                              .poisson_ratio = spec.poisson_ratio,
                              .density_kg_per_m3 = spec.density_kg_per_m3,
                              .rayleigh_mass_per_s = alpha,
                              .quasi_static = true});
    const BodyState state = body->rest_state(), state_linear = linear->rest_state();
    const PointJacobian H = checks::random_points(*body, state, 10, 3);
    const PointJacobian H_linear = checks::random_points(*linear, state_linear, 10, 3);
    auto ws = body->make_workspace(), ws_linear = linear->make_workspace();
    ASSERT_TRUE(body->free_motion(state, {}, 0.5, *ws));
    ASSERT_TRUE(linear->free_motion(state_linear, {}, 0.5, *ws_linear));
    MatX W = MatX::Zero(30, 30), W_linear = W, elastic = W;
    body->project_compliance(H, *ws, W);
    linear->project_compliance(H_linear, *ws_linear, W_linear);
    Loads stiff;  // a frame that cannot move leaves the elastic part alone
    stiff.blocks = {spring(1e15, 1e15)};
    ASSERT_TRUE(body->free_motion(state, stiff, 0.5, *ws));
    body->project_compliance(H, *ws, elastic);
    error[k++] = (W - W_linear).norm() / elastic.norm();
  }
  EXPECT_LT(error[1], 0.1);
  EXPECT_NEAR(error[0] / error[1], 2, 0.3);
}

TEST(GlobalCorotationalQuasiStatic, rotation_by_the_grasp_gives_no_force) {
  for (bool dirichlet : {true, false}) {
    auto body = made(still_bar(dirichlet, 0.1));
    BodyState state = body->rest_state();
    auto ws = body->make_workspace();
    const Vec3 turn(0.9, -1.2, 2.0);  // 2.5 rad in all
    VecX f(body->dof());
    Vec6 pull = Vec6::Zero();
    for (int step = 1; step <= 60; ++step) {
      const Quat target = rotation_from_vector(std::min(step, 40) / 40.0 * turn);
      Loads loads;
      BlockLoad grip = spring(2000, 2);
      pull.head<3>() = 2000 * (body->centre() - pose_position(state.x, 0));
      pull.tail<3>() = 2 * vector_from_rotation(target * pose_rotation(state.x, 0).conjugate());
      grip.force = pull;
      loads.blocks = {grip};
      ASSERT_TRUE(body->free_motion(state, loads, 1e-2, *ws));
      body->commit(*ws, VecX(), state);
      body->internal_force(state, f);
      EXPECT_EQ(f.norm(), 0) << step;
      EXPECT_EQ(body->elastic_energy(state), 0);
    }
    EXPECT_LT(pose_rotation(state.x, 0).angularDistance(rotation_from_vector(turn)), 1e-9);
    EXPECT_LT(pull.norm(), 1e-9);  // the hand feels nothing at the end
  }
}

}  // namespace global_corotational_quasi_static_test
}  // namespace palp
