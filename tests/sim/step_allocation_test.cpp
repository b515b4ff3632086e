// A step in its steady state (the same contacts as the step before) leaves the heap alone.
#include "sim/simple_models.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"

namespace palp {
namespace {

using namespace testing;

void expect_steady_step_without_allocation(const Model& model, int settle) {
  ASSERT_TRUE(check(model));
  const long at_start = allocations();
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  ASSERT_GT(allocations(), at_start);  // the counter counts
  StepReport report;
  for (int i = 0; i < settle; ++i) report = step(model, state, ws);
  ASSERT_EQ(report.status, StepStatus::ok);
  ASSERT_GT(report.active_contacts, 0);
  int steady = 0;
  for (int i = 0; i < 50; ++i) {
    const int contacts = report.contacts, groups = report.groups;
    const long before = allocations();
    report = step(model, state, ws);
    const long during = allocations() - before;
    if (report.contacts != contacts || report.groups != groups) continue;  // a new size may be met
    ++steady;
    EXPECT_EQ(during, 0) << "step " << i << " with " << contacts << " contacts";
  }
  EXPECT_GT(steady, 30);
}

Model on_floor(std::shared_ptr<const Body> body, const char* solver) {
  Model model = two_bodies(std::move(body), obstacle(box_surface(Vec3(2, 2, 0.1), Vec3(0, 0, -0.05))), 0.4);
  model.solver.name = solver;
  model.solver.options.tolerance = 1e-6;
  model.solver.options.max_sweeps = 1000;
  return model;
}

TEST(StepAllocation, a_steady_step_of_every_kind_of_body_leaves_the_heap_alone) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  BoxShape shape;
  shape.size_m = Vec3::Constant(0.1);
  shape.centre_m = Vec3(0, 0, 0.0502);
  shape.cells = {4, 4, 4};
  FemSpec fem;
  fem.mesh = *box_tets(shape);
  fem.young_modulus_Pa = 5e4;
  fem.rayleigh_stiffness_s = 0.005;
  for (FemModel kind : {FemModel::corotational, FemModel::linear}) {
    SCOPED_TRACE(kind == FemModel::linear ? "linear" : "corotational");
    fem.model = kind;
    expect_steady_step_without_allocation(
        on_floor(std::shared_ptr<const Body>(std::move(*FemBody::make(fem))), "coulomb"), 100);
  }
  {
    SCOPED_TRACE("global corotational");
    GlobalCorotationalSpec spec;
    spec.mesh = *box_tets(shape);
    spec.young_modulus_Pa = 5e4;
    spec.rayleigh_stiffness_s = 0.005;
    expect_steady_step_without_allocation(
        on_floor(std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec))), "coulomb"),
        100);
  }
  {
    SCOPED_TRACE("rigid");
    expect_steady_step_without_allocation(
        on_floor(rigid(box_surface(Vec3::Constant(0.1), Vec3(0, 0, 0.0502)), 1000), "coulomb"), 100);
  }
  {
    SCOPED_TRACE("beam");
    BeamSpec spec;
    spec.curve =
        *straight_curve({.from_m = Vec3(-0.1, 0, 0.0052), .to_m = Vec3(0.1, 0, 0.0052), .segments = 10});
    spec.section = BeamSection::circle(0.005, 0);
    spec.rayleigh_mass_per_s = 10;
    expect_steady_step_without_allocation(
        on_floor(std::shared_ptr<const Body>(std::move(*BeamBody::make(spec))), "coulomb"), 100);
  }
}

TEST(StepAllocation, a_steady_step_with_any_gauss_seidel_leaves_the_heap_alone) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  for (const char* solver : {"coulomb", "coulomb_gs", "coulomb_nsgs"}) {
    SCOPED_TRACE(solver);
    expect_steady_step_without_allocation(
        on_floor(soft_box(Vec3::Constant(0.1), Vec3(0, 0, 0.0502), 5e4), solver), 100);
  }
}

}  // namespace
}  // namespace palp
