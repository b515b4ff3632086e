// Few contacts that stand for many: what a bound on the contacts of a pair of bodies does to their forces.
#include <cmath>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace contact_cover_test {

using namespace testing;

constexpr int no_bound = 1 << 20;

TriMesh fine_box(const Vec3& size, const Vec3& centre, int cells, const Mat3& turn) {
  BoxShape shape;
  shape.size_m = size;
  shape.cells = {cells, cells, 1};
  TriMesh mesh = extract_surface(*box_hexes(shape)).mesh;
  for (Vec3& x : mesh.nodes) x = turn * x + centre;
  return mesh;
}

struct Push {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< on the upper body, about the origin
  int contacts = 0, left_out = 0;
};

Push push_of(const Workspace& ws, const StepReport& report) {
  Push out;
  for (int g = 0; g < ws.group_count; ++g)
    for (size_t i = 0; i < ws.groups[g].contacts.size(); ++i) {
      const Contact& c = ws.groups[g].contacts[i];
      const Vec3 f = c.frame.transpose() * ws.groups[g].f.segment<3>(3 * static_cast<int>(i));
      out.force += f;
      out.torque += c.P.at(ws.bodies[c.id.body1].skin_free).cross(f);
    }
  out.contacts = report.contacts;
  out.left_out = report.left_out_contacts;
  return out;
}

/// A plate with 10 x 10 squares below falls tilted on a floor, rocks and comes to rest.
struct Rocking {
  std::vector<Vec3> middle;
  Push last;
};
Rocking rock(int bound) {
  const Mat3 turn = Eigen::AngleAxisd(0.05, Vec3(1, 0.4, 0).normalized()).toRotationMatrix();
  Model model = two_bodies(rigid(fine_box(Vec3(0.12, 0.12, 0.02), Vec3(0, 0, 0.016), 10, turn), 1000),
                           obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.5);
  model.rules[0].max_contacts = bound;
  model.rules[0].alarm_distance_m = 0.004;
  model.solver.name = "coulomb";
  model.h_s = 0.002;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  Rocking out;
  for (int i = 0; i < 120; ++i) {
    const StepReport report = step(model, state, ws);
    EXPECT_EQ(report.status, StepStatus::ok);
    EXPECT_LE(report.contacts, bound);
    out.middle.push_back(state.bodies[0].x.head<3>());
    out.last = push_of(ws, report);
  }
  return out;
}

TEST(ContactCover, a_rigid_plate_rocks_to_rest_the_same_way_on_a_few_contacts) {
  const Rocking all = rock(no_bound);
  EXPECT_GT(all.last.contacts, 120);
  EXPECT_EQ(all.last.left_out, 0);
  const double weight = 9.81 * 1000 * 0.12 * 0.12 * 0.02;
  for (int bound : {16, 64}) {
    SCOPED_TRACE(bound);
    const Rocking few = rock(bound);
    EXPECT_EQ(few.last.contacts, bound);
    EXPECT_EQ(few.last.contacts + few.last.left_out, all.last.contacts);
    EXPECT_NEAR(few.last.force.z(), weight, 1e-4 * weight);
    EXPECT_LT((few.last.torque - all.last.torque).norm(), 0.01 * weight * 0.06);
    for (size_t i = 0; i < all.middle.size(); ++i)
      ASSERT_LT((few.middle[i] - all.middle[i]).norm(), 2e-4) << i;
  }
}

/// A rigid stamp goes into a soft pad, tilted, by a tenth of a millimetre a step: the push at the end.
Push stamp(int bound) {
  const Mat3 turn = Eigen::AngleAxisd(0.02, Vec3::UnitY()).toRotationMatrix();
  BoxShape pad;
  pad.size_m = Vec3(0.12, 0.12, 0.04);
  pad.centre_m = Vec3(0, 0, -0.02);
  pad.cells = {12, 12, 3};
  FemSpec spec;
  const HexMesh mesh = *box_hexes(pad);
  for (size_t i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i].z() < -0.0399) spec.fixed_nodes.push_back(static_cast<int>(i));
  spec.mesh = mesh;
  spec.model = FemModel::linear;
  spec.young_modulus_Pa = 1e5;
  spec.quasi_static = true;
  Model model = two_bodies(obstacle(box_surface(Vec3(0.08, 0.08, 0.02), Vec3(0, 0, 0.011), turn)),
                           std::shared_ptr<const Body>(std::move(*FemBody::make(spec))), 0.2);
  model.rules[0].max_contacts = bound;
  model.rules[0].alarm_distance_m = 0.003;
  model.solver.name = "coulomb";
  model.h_s = 0.01;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  Push out;
  for (int i = 0; i < 40; ++i) {
    ws.bodies[0].loads.prescribed = {Vec3(0, 0, -1e-4), Vec3::Zero()};
    const StepReport report = step(model, state, ws);
    EXPECT_EQ(report.status, StepStatus::ok);
    out = push_of(ws, report);
  }
  return out;
}

// A soft skin bulges between the contacts that are kept: each that is left out makes it softer, never
// stiffer. (How much: docs/contact.md.) Where it would bulge through the stamp, crossings become contacts
// beyond the bound.
TEST(ContactCover, a_soft_pad_is_softer_the_fewer_contacts_are_kept) {
  double force = stamp(no_bound).force.z();
  for (int bound : {64, 32, 16}) {
    const Push few = stamp(bound);
    EXPECT_GE(few.contacts, bound);
    EXPECT_LT(few.contacts, 2 * bound);
    EXPECT_GT(few.left_out, 0);
    EXPECT_LT(few.force.z(), force);
    EXPECT_GT(few.force.z(), 0);
    force = few.force.z();
  }
}

}  // namespace contact_cover_test
}  // namespace palp
