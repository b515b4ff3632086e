// W of several bodies against the dense product of the definition.
#include "palp/contact/delassus.hpp"

#include "mechanics/fem_support.hpp"
#include "mechanics/model_checks.hpp"
#include "support/dense.hpp"

#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/pose.hpp"
#include "palp/mechanics/rigid_body.hpp"

namespace palp {
namespace delassus_test {

Contact contact_between(int body1, const Body& first, int body2, const Body& second, unsigned seed) {
  std::mt19937 random(seed);
  const auto point = [&](const Body& body) {
    std::uniform_int_distribution<int> triangle(0, static_cast<int>(body.skin().triangles.size()) - 1);
    std::uniform_real_distribution<double> u(0.1, 0.4);
    const Triangle& t = body.skin().triangles[triangle(random)];
    SkinPoint p;
    p.weight << u(random), u(random), 0;
    p.weight[2] = 1 - p.weight[0] - p.weight[1];
    for (int k = 0; k < 3; ++k) p.vertex[k] = t[k];
    return p;
  };
  Contact c;
  c.id = {body1, body2, seed};
  c.P = point(first);
  c.Q = point(second);
  std::normal_distribution<double> normal;
  c.frame = contact_frame(Vec3(normal(random), normal(random), normal(random)).normalized());
  return c;
}

TEST(Delassus, is_the_sum_over_bodies_of_N_H_inverse_A_HT_NT) {
  GlobalCorotationalSpec corotational;
  corotational.mesh = test::tet_box(2);
  corotational.young_modulus_Pa = 1e5;
  RigidSpec rigid;
  rigid.surface = TriMesh{{Vec3::Zero(), 0.1 * Vec3::UnitX(), 0.1 * Vec3::UnitY(), 0.1 * Vec3::UnitZ()},
                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  rigid.density_kg_per_m3 = 1000;
  const std::unique_ptr<Body> bodies[3] = {
      std::move(*GlobalCorotationalBody::make(corotational)),
      test::make({.mesh = test::tet_box(2), .model = FemModel::linear, .young_modulus_Pa = 1e5}),
      std::move(*RigidBody::make(rigid))};
  BodyState states[3];
  std::unique_ptr<BodyWorkspace> ws[3];
  for (int b = 0; b < 3; ++b) {
    states[b] = bodies[b]->rest_state();
    ws[b] = bodies[b]->make_workspace();
  }
  advance_pose(states[0].x, 0, Vec3(0.1, 0.2, 0.3), Vec3(0.7, -1.1, 0.4));
  advance_pose(states[2].x, 0, Vec3::Zero(), Vec3(-0.3, 0.2, 1.4));
  // Body 0 takes part in every contact (once with itself), 1 and 2 in some: 7 contacts are no multiple of
  // anything.
  std::vector<Contact> contacts;
  const int partner[] = {1, 2, 1, 0, 1, 2, 2};
  for (unsigned i = 0; i < 7; ++i)
    contacts.push_back(i % 2 ? contact_between(partner[i], *bodies[partner[i]], 0, *bodies[0], i)
                             : contact_between(0, *bodies[0], partner[i], *bodies[partner[i]], i));
  MatX W = MatX::Zero(21, 21), expected = W;
  VecX f = test::noise(21, 1);
  for (int b = 0; b < 3; ++b) {
    ASSERT_TRUE(bodies[b]->free_motion(states[b], {}, 1e-2, *ws[b]));
    BodyContacts rows;
    MatX J = MatX::Zero(21, bodies[b]->dof());
    for (int i = 0; i < 7; ++i) {
      const Contact& c = contacts[i];
      if (c.id.body1 != b && c.id.body2 != b) continue;
      append_contact(*bodies[b], states[b], c, i, c.id.body1 == b, c.id.body2 == b, rows);
      PointJacobian point;
      for (int k = 0; k < 3; ++k) {
        if (c.id.body1 == b) bodies[b]->append_vertex(states[b], c.P.vertex[k], c.P.weight[k], point);
        if (c.id.body2 == b) bodies[b]->append_vertex(states[b], c.Q.vertex[k], -c.Q.weight[k], point);
      }
      point.end_point();
      J.middleRows<3>(3 * i) = c.frame * checks::dense_jacobian(point, bodies[b]->dof());
    }
    add_compliance(*bodies[b], *ws[b], contacts, rows, W);
    const MatX inverse =
        testing::inverse(bodies[b]->dense_system(states[b], {}, 1e-2)).topLeftCorner(J.cols(), J.cols());
    expected += J * inverse * J.transpose();
    VecX dx(J.cols());
    add_response(*bodies[b], *ws[b], contacts, f, rows, dx);
    const VecX expected_dx = inverse * J.transpose() * f;
    EXPECT_LT((dx - expected_dx).norm(), 1e-9 * expected_dx.norm()) << b;
  }
  EXPECT_LT((W - expected).norm(), 1e-10 * expected.norm());
  EXPECT_LT((W - W.transpose()).norm(), 1e-14 * expected.norm());
}

}  // namespace delassus_test
}  // namespace palp
