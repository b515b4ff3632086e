// The combined response matrix against dense algebra.
#include "palp/contact/glc_response.hpp"

#include "contact/glc_shapes.hpp"
#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/fem_body.hpp"

namespace palp {
namespace glc_response_test {

using namespace cases;

TEST(GlcResponse, is_the_bodies_compliance_between_all_proxies_plus_each_proxys_own) {
  BoxShape shape;
  shape.size_m = Vec3(30, 20, 10) * mm;
  shape.cells = {4, 3, 2};
  FemSpec spec;
  const HexMesh mesh = *box_hexes(shape);
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n)
    if (mesh.nodes[n].x() < -14.9 * mm) spec.fixed_nodes.push_back(n);
  spec.mesh = mesh;
  auto made = FemBody::make(spec);
  ASSERT_TRUE(made);
  const Body& body = **made;
  const BodyState state = body.rest_state();
  auto ws = body.make_workspace();
  constexpr double h = 0.033;
  ASSERT_TRUE(body.free_motion(state, {}, h, *ws));

  std::vector<Vec3> rest(body.skin().vertices);
  body.skin_positions(state, VecX(), rest);
  const PlacedSurface placed({rest, body.skin().triangles}, 0.2);
  GlcSurface surface = placed.glc;
  surface.body = 5;
  GlcProblem problem;
  problem.proxy = {{.compliance = 4e-4}, {.compliance = 7e-4}};
  GlcPlaces places;
  GlcBuilder builder({.range_m = 5 * mm});
  builder.build(0, Vec3(5, 2, 5.2) * mm, Vec3::Zero(), 0, {&surface, 1}, problem, places);
  builder.build(1, Vec3(2, -3, -5.1) * mm, Vec3::Zero(), 0, {&surface, 1}, problem, places);
  const int m = problem.size();
  ASSERT_GT(m, 8);
  const GlcBody low{.number = 5, .body = &body, .state = &state, .ws = ws.get()};
  std::vector<BodyContacts> rows;
  assemble_glc_response({&low, 1}, places.contact, problem, rows);
  ASSERT_TRUE(validate(problem));

  const MatX A = body.dense_system(state, {}, h);
  MatX H = MatX::Zero(3 * m, body.dof());
  for (int i = 0; i < m; ++i) {
    PointJacobian point;
    const SkinPoint& Q = places.contact[i].Q;
    for (int k = 0; k < 3; ++k) body.append_vertex(state, Q.vertex[k], Q.weight[k], point);
    point.end_point();
    for (size_t k = 0; k < point.column.size(); ++k)
      H.block<3, 3>(3 * i, 3 * point.column[k]) += places.contact[i].frame * point.block[k];
  }
  MatX expected = H * testing::solve_symmetric(A, H.transpose());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const Glc &a = problem.glc[i], &b = problem.glc[j];
      if (a.proxy != b.proxy) continue;
      Mat3 Ra, Rb;
      Ra << a.n.transpose(), a.t1.transpose(), a.t2.transpose();
      Rb << b.n.transpose(), b.t1.transpose(), b.t2.transpose();
      expected.block<3, 3>(3 * i, 3 * j) += problem.proxy[a.proxy].compliance * Ra * Rb.transpose();
    }
  EXPECT_LT((problem.W - expected).norm(), 1e-8 * expected.norm());
  // The proxies are coupled: what one pushes, the other feels.
  double coupling = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      if (problem.glc[i].proxy != problem.glc[j].proxy)
        coupling = std::max(coupling, std::abs(problem.W(3 * i, 3 * j)));
  EXPECT_GT(coupling, 0.01 * expected.cwiseAbs().maxCoeff());
}

}  // namespace glc_response_test
}  // namespace palp
