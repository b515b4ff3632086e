// What the reduced model of a body is made of, against the bodies' dense matrices.
#include "palp/mechanics/reduced_body.hpp"

#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/global_corotational_body.hpp"

namespace palp::reduced_body_test {
namespace reduced_body_test {

using namespace two_rate_test;

std::shared_ptr<const Body> global_corotational() {
  BoxShape shape;
  shape.size_m = Vec3(0.06, 0.03, 0.02);
  shape.cells = {3, 2, 2};
  GlobalCorotationalSpec spec;
  spec.mesh = *box_tets(shape);
  spec.rayleigh_stiffness_s = 0.01;
  spec.rayleigh_mass_per_s = 2;
  return std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec)));
}

/// A(h) of any step from M, D and A of one: against the dense matrix of another.
TEST(ReducedBody, mass_damping_and_system_make_the_matrix_of_every_step) {
  const std::vector<std::shared_ptr<const Body>> bodies{
      rigid_box(Vec3(0.02, 0.03, 0.04), Vec3(0.1, 0, 0)),
      point(Vec3::Zero()),
      soft_block(Vec3(0.06, 0.06, 0.03), {2, 2, 2}, 3e4, false),
      soft_block(Vec3(0.06, 0.06, 0.03), {2, 2, 2}, 3e4, true),
      beam(Vec3::Zero(), Vec3(0.1, 0, 0), 4, 0.002, 1e7, false),
      global_corotational()};
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = *bodies[i];
    const BodyState state = body.rest_state();
    auto ws = body.make_workspace();
    const double H = 0.02, h = 0.001;
    ASSERT_TRUE(body.free_motion(state, {}, H, *ws));
    const int n = body.dof();
    const MatX coarse = body.dense_system(state, {}, H).topLeftCorner(n, n),
               fine = body.dense_system(state, {}, h).topLeftCorner(n, n);
    VecX dx = VecX::Random(n), M(n), D(n), A(n);
    for (int k = 0; k < n; ++k)  // held nodes stay
      if (coarse(k, k) > 1e15 * coarse.diagonal().minCoeff()) dx[k] = 0;
    body.apply_system(state, *ws, dx, M, D, A);
    const VecX other = A - M / (H * H) - D / H + M / (h * h) + D / h;
    for (int k = 0; k < n; ++k)
      if (coarse(k, k) > 1e15 * coarse.diagonal().minCoeff()) A[k] = 0;
    VecX expected_A = coarse * dx, expected = fine * dx, got = other;
    for (int k = 0; k < n; ++k)
      if (coarse(k, k) > 1e15 * coarse.diagonal().minCoeff()) expected_A[k] = expected[k] = got[k] = 0;
    EXPECT_LT((A - expected_A).norm(), 1e-9 * expected_A.norm()) << i;
    EXPECT_LT((got - expected).norm(), 1e-9 * expected.norm()) << i;
  }
}

TEST(ReducedBody, rigid_motions_do_not_deform) {
  for (const auto& body : {beam(Vec3::Zero(), Vec3(0.1, 0, 0), 4, 0.002, 1e7, false),
                           std::shared_ptr<const Body>(global_corotational())}) {
    const BodyState state = body->rest_state();
    auto ws = body->make_workspace();
    ASSERT_TRUE(body->free_motion(state, {}, 0.01, *ws));
    const MatX motions = body->rigid_motions(state);
    ASSERT_EQ(motions.cols(), 6);
    VecX M(body->dof()), D(M), A(M);
    for (int j = 0; j < 6; ++j) {
      body->apply_system(state, *ws, motions.col(j), M, D, A);
      const double K = motions.col(j).dot(A - M / 1e-4 - D / 0.01);
      EXPECT_LT(std::abs(K), 1e-9 * motions.col(j).dot(A)) << j;
    }
  }
  // What a support holds has none.
  const auto held = soft_block(Vec3(0.06, 0.06, 0.03), {2, 2, 2}, 3e4, false);
  EXPECT_EQ(held->rigid_motions(held->rest_state()).cols(), 0);
}

}  // namespace reduced_body_test
}  // namespace palp::reduced_body_test
