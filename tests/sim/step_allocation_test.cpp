// A step leaves the heap alone once its workspace has met the largest size, however the contacts change.
#include "sim/simple_models.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"

namespace palp {
namespace step_allocation_test {

using namespace testing;

/// The same motion twice with one workspace: what the first run did not need, the second does not either. It
/// begins 2 cm above the floor, so that contacts come, change and are many, and a push lets it rock and
/// slide.
void expect_no_allocation_the_second_time(const Model& model, int steps) {
  ASSERT_TRUE(check(model));
  const long at_start = allocations();
  State start = make_state(model);
  Workspace ws = make_workspace(model);
  ASSERT_GT(allocations(), at_start);  // the counter counts
  for (Eigen::Index k = 0; k + 2 < start.bodies[0].v.size(); k += 3)
    start.bodies[0].v.segment<3>(k) += Vec3(0.3, 0.1 * static_cast<double>(k % 2), -0.5);
  State state;
  for (const bool again : {false, true}) {
    state.bodies = start.bodies;
    state.time_s = 0;
    state.step = 0;
    state.memory.clear();
    int changes = 0, touching = 0, contacts = -1;
    for (int i = 0; i < steps; ++i) {
      const long before = allocations();
      const StepReport report = step(model, state, ws);
      const long during = allocations() - before;
      ASSERT_EQ(report.status, StepStatus::ok);
      if (again) {
        EXPECT_EQ(during, 0) << "step " << i << " with " << report.contacts << " contacts";
      }
      changes += contacts >= 0 && report.contacts != contacts;
      contacts = report.contacts;
      touching += report.active_contacts > 0;
    }
    EXPECT_GE(changes, 2);
    EXPECT_GT(touching, steps / 4);
  }
}

/// On a slope: the body meets it with a corner, falls on an edge and a face, and slides.
Model on_floor(std::shared_ptr<const Body> body, const char* solver) {
  const Mat3 tilt = Eigen::AngleAxisd(0.25, Vec3(1, 0.4, 0).normalized()).toRotationMatrix();
  Model model = two_bodies(std::move(body),
                           obstacle(box_surface(Vec3(2, 2, 0.1), tilt * Vec3(0, 0, -0.05), tilt)), 0.4);
  model.solver.name = solver;
  model.solver.options.tolerance = 1e-6;
  model.solver.options.max_sweeps = 1000;
  return model;
}

TEST(StepAllocation, a_step_of_every_kind_of_body_leaves_the_heap_alone_while_contacts_come_and_go) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  BoxShape shape;
  shape.size_m = Vec3::Constant(0.1);
  shape.centre_m = Vec3(0, 0, 0.0702);
  shape.cells = {4, 4, 4};
  FemSpec fem;
  fem.mesh = *box_tets(shape);
  fem.young_modulus_Pa = 5e4;
  fem.rayleigh_stiffness_s = 0.005;
  for (FemModel kind : {FemModel::corotational, FemModel::linear}) {
    SCOPED_TRACE(kind == FemModel::linear ? "linear" : "corotational");
    fem.model = kind;
    expect_no_allocation_the_second_time(
        on_floor(std::shared_ptr<const Body>(std::move(*FemBody::make(fem))), "coulomb"), 200);
  }
  {
    SCOPED_TRACE("global corotational");
    GlobalCorotationalSpec spec;
    spec.mesh = *box_tets(shape);
    spec.young_modulus_Pa = 5e4;
    spec.rayleigh_stiffness_s = 0.005;
    expect_no_allocation_the_second_time(
        on_floor(std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec))), "coulomb"),
        200);
  }
  {
    SCOPED_TRACE("rigid");
    expect_no_allocation_the_second_time(
        on_floor(rigid(box_surface(Vec3::Constant(0.1), Vec3(0, 0, 0.0702)), 1000), "coulomb"), 200);
  }
  {
    SCOPED_TRACE("beam");
    BeamSpec spec;
    spec.curve =
        *straight_curve({.from_m = Vec3(-0.1, 0, 0.0252), .to_m = Vec3(0.1, 0, 0.0252), .segments = 10});
    spec.section = BeamSection::circle(0.005, 0);
    spec.rayleigh_mass_per_s = 10;
    expect_no_allocation_the_second_time(
        on_floor(std::shared_ptr<const Body>(std::move(*BeamBody::make(spec))), "coulomb"), 200);
  }
}

TEST(StepAllocation, a_step_with_any_gauss_seidel_leaves_the_heap_alone_while_contacts_come_and_go) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  for (const char* solver : {"coulomb", "coulomb_gs", "coulomb_nsgs"}) {
    SCOPED_TRACE(solver);
    expect_no_allocation_the_second_time(
        on_floor(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0702), 5e4), solver), 200);
  }
}

}  // namespace step_allocation_test
}  // namespace palp
