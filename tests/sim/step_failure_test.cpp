// Steps that cannot be made: they say so, name the body, and leave the state as it was.
#include <cstring>
#include <limits>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/point_proxy.hpp"

namespace palp {
namespace step_failure_test {

using namespace testing;

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

TetMesh small_box() {
  BoxShape shape;
  shape.size_m = Vec3::Constant(0.1);
  shape.cells = {2, 2, 2};
  return *box_tets(shape);
}

/// One of every kind that moves.
std::vector<Model::Entry> every_body() {
  const auto shared = [](auto made) { return std::shared_ptr<const Body>(std::move(*made)); };
  FemSpec fem;
  fem.mesh = small_box();
  fem.young_modulus_Pa = 5e4;
  std::vector<Model::Entry> all;
  all.push_back({"corotational", shared(FemBody::make(fem))});
  fem.model = FemModel::linear;
  all.push_back({"linear", shared(FemBody::make(fem))});
  fem.lumped_mass = false;
  all.push_back({"consistent mass", shared(FemBody::make(fem))});
  GlobalCorotationalSpec global;
  global.mesh = small_box();
  global.young_modulus_Pa = 5e4;
  all.push_back({"global corotational", shared(GlobalCorotationalBody::make(global))});
  all.push_back({"rigid", rigid(box_surface(Vec3::Constant(0.1), Vec3::Zero()), 1000)});
  BeamSpec beam;
  beam.curve = *straight_curve({.from_m = Vec3::Zero(), .to_m = Vec3(0.1, 0, 0), .segments = 4});
  beam.section = BeamSection::circle(0.005, 0);
  all.push_back({"beam", shared(BeamBody::make(beam))});
  all.push_back({"point", shared(PointProxy::make({.mass_kg = 0.01}))});
  return all;
}

TEST(StepFailure, a_motion_of_infinite_energy_fails_for_every_body_and_changes_nothing) {
  for (const Model::Entry& entry : every_body()) {
    SCOPED_TRACE(entry.name);
    Model model;
    model.bodies = {{"still", obstacle(box_surface(Vec3::Ones(), Vec3(0, 0, -9)))}, entry};
    ASSERT_TRUE(check(model));
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
    const State before = state;
    model.gravity.z() = -1e300;  // finite, and so is the velocity; its square is not
    const StepReport report = step(model, state, ws);
    EXPECT_EQ(report.status, StepStatus::not_finite);
    EXPECT_EQ(report.body, 1);
    EXPECT_TRUE(same_bits(state.bodies[1].x, before.bodies[1].x));
    EXPECT_TRUE(same_bits(state.bodies[1].v, before.bodies[1].v));
    EXPECT_EQ(state.time_s, before.time_s);
    EXPECT_EQ(state.step, before.step);
    model.gravity.z() = -9.81;  // and nothing of it is left
    EXPECT_EQ(step(model, state, ws).status, StepStatus::ok);
    for (const VecX* v : {&state.bodies[1].x, &state.bodies[1].v}) EXPECT_TRUE(v->allFinite());
  }
}

TEST(StepFailure, a_state_that_is_no_number_or_far_beyond_all_numbers_is_not_stepped_on) {
  for (const Model::Entry& entry : every_body())
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200, -1e160}) {
      SCOPED_TRACE(entry.name + " " + std::to_string(bad));
      Model model;
      model.bodies = {entry};
      State state = make_state(model);
      Workspace ws = make_workspace(model);
      state.bodies[0].v[0] = bad;
      const StepReport report = step(model, state, ws);
      EXPECT_NE(report.status, StepStatus::ok);
      EXPECT_EQ(report.body, 0);
      EXPECT_EQ(state.step, 0);
    }
}

TEST(StepFailure, bodies_step_together_or_not_at_all) {
  Model model;
  model.bodies = {{"sound", rigid(box_surface(Vec3::Constant(0.1), Vec3(0, 0, 5)), 1000)},
                  {"broken", rigid(box_surface(Vec3::Constant(0.1), Vec3(3, 0, 5)), 1000)}};
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  state.bodies[1].v[1] = 1e200;
  const VecX x = state.bodies[0].x;
  EXPECT_EQ(step(model, state, ws).body, 1);
  EXPECT_TRUE(same_bits(state.bodies[0].x, x));
}

Model box_on_floor() {
  return two_bodies(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0502), 5e4),
                    obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
}

TEST(StepFailure, a_solver_that_does_not_exist_is_a_status_whether_or_not_the_model_was_checked) {
  Model model = box_on_floor();
  model.solver.name = "oracle";
  ASSERT_FALSE(check(model));
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  EXPECT_EQ(step(model, state, ws).status, StepStatus::bad_model);
  EXPECT_EQ(state.step, 0);
  // The name is changed after the workspace was made; nobody is asked before something touches.
  model.solver.name = "coulomb";
  ws = make_workspace(model);
  model.solver.name = "oracle";
  const StepReport report = step(model, state, ws);
  EXPECT_EQ(report.status, StepStatus::bad_model);
  EXPECT_EQ(report.body, 0);
  EXPECT_EQ(state.step, 0);
}

TEST(StepFailure, a_model_without_bodies_where_it_names_some_is_a_status) {
  Model model = box_on_floor();
  model.bodies[1].body = nullptr;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  EXPECT_EQ(step(model, state, ws).status, StepStatus::bad_model);
  model = box_on_floor();
  model.rules[0].body2 = 7;
  state = make_state(model);
  ws = make_workspace(model);
  EXPECT_EQ(step(model, state, ws).status, StepStatus::bad_model);
}

/// A soft box whose nodes below `held_below` are fixed, 1 mm in the floor.
Model sunk_box(double held_below, const char* solver) {
  BoxShape shape;
  shape.size_m = Vec3::Constant(0.1);
  shape.centre_m = Vec3(0, 0, 0.049);
  shape.cells = {3, 3, 3};
  FemSpec spec;
  TetMesh mesh = *box_tets(shape);
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() < held_below) spec.fixed_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = 5e4;
  Model model = two_bodies(std::shared_ptr<const Body>(std::move(*FemBody::make(spec))),
                           obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.4);
  model.solver.name = solver;
  return model;
}

TEST(FixedBodies, a_body_with_every_node_fixed_has_no_law_left_to_break) {
  for (std::string_view solver : solver_names())
    for (const double held_below : {1.0, 0.0}) {  // all of it, and its bottom alone
      if (solver == "signorini_gs") continue;     // has no friction
      SCOPED_TRACE(std::string(solver) + " " + std::to_string(held_below));
      const Model model = sunk_box(held_below, std::string(solver).c_str());
      State state = make_state(model);
      Workspace ws = make_workspace(model);
      for (int i = 0; i < 5; ++i) {
        const StepReport report = step(model, state, ws);
        ASSERT_EQ(report.status, StepStatus::ok);
        EXPECT_GT(report.contacts, 0);
        EXPECT_EQ(report.certificate, 0);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.active_contacts, 0);
        EXPECT_NEAR(report.violation_m, 0.001, 1e-9);  // it stays and is told
        EXPECT_NEAR(report.penetration_m, 0.001, 1e-9);
      }
    }
}

TEST(FixedBodies, what_lies_on_a_fixed_body_is_carried_as_by_an_obstacle) {
  Model fixed = sunk_box(1.0, "coulomb");
  fixed.bodies.push_back({"load", rigid(box_surface(Vec3::Constant(0.04), Vec3(0, 0, 0.1192)), 1000)});
  TouchRule rule = fixed.rules[0];
  rule.body1 = 2;
  rule.body2 = 0;
  fixed.rules.push_back(rule);
  State state = make_state(fixed);
  Workspace ws = make_workspace(fixed);
  StepReport report;
  for (int i = 0; i < 200; ++i) report = step(fixed, state, ws);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.certificate, 1e-6);
  EXPECT_NEAR(total_force(ws).norm(), 9.81 * fixed.bodies[2].body->mass(), 1e-3);
}

TEST(ContactBound, beyond_it_some_are_left_out_and_counted) {
  Model model = box_on_floor();
  State state = make_state(model), bounded = state;
  Workspace ws = make_workspace(model);
  const StepReport all = step(model, state, ws);
  ASSERT_EQ(all.left_out_contacts, 0);
  ASSERT_GT(all.contacts, 12);
  for (const int bound : {1, 7, all.contacts - 1, all.contacts, all.contacts + 1}) {
    model.max_contacts = bound;
    State again = bounded;
    Workspace other = make_workspace(model);
    const StepReport report = step(model, again, other);
    const int kept = std::min(bound, all.contacts);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_EQ(report.contacts, kept);
    EXPECT_EQ(report.left_out_contacts, all.contacts - kept);
    EXPECT_EQ(other.groups[0].problem.contacts(), kept);
  }
}

TEST(ContactBound, attachments_are_never_left_out) {
  Model model = box_on_floor();
  for (int v : {0, 1, 2, 3}) {
    Attachment a;
    a.P = {{v, v, v}, {1, 0, 0}};
    std::vector<Vec3> x(model.bodies[0].body->skin().vertices);
    model.bodies[0].body->skin_positions(model.bodies[0].body->rest_state(), VecX(), x);
    a.anchor = x[v];
    model.attachments.push_back(a);
  }
  model.max_contacts = 5;
  ASSERT_TRUE(check(model));
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const StepReport report = step(model, state, ws);
  ASSERT_EQ(report.status, StepStatus::ok);
  EXPECT_EQ(report.contacts, 5);
  EXPECT_GT(report.left_out_contacts, 0);
  int bilateral = 0;
  for (const Contact& c : ws.groups[0].contacts) bilateral += c.bilateral;
  EXPECT_EQ(bilateral, 4);
  model.max_contacts = 3;
  ASSERT_FALSE(check(model));
  EXPECT_NE(check(model).error().text().find("4 attachments"), std::string::npos);
  model.max_contacts = Model::most_contacts + 1;
  EXPECT_FALSE(check(model));
  model.max_contacts = 0;
  EXPECT_FALSE(check(model));
}

}  // namespace step_failure_test
}  // namespace palp
