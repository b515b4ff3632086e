// A body of the low rate that touches itself, alone and under a tool.
#include <cmath>
#include <numbers>

#include "haptics/two_rate_support.hpp"
#include <gtest/gtest.h>

#include "palp/hands/single_rate.hpp"

namespace palp {
namespace two_rate_self_contact_test {

using namespace two_rate_test;

/// A strip bent to a U that lies on its side, its lower leg held: the upper one sinks on it, over x up to
/// about 5 cm.
std::shared_ptr<const Body> folded_strip(double young) {
  constexpr double thickness = 0.004, length = 0.12, slit = 0.003, radius = 0.5 * (slit + thickness);
  constexpr double leg = 0.5 * (length - std::numbers::pi * radius);
  BoxShape shape;
  shape.size_m = Vec3(length, 0.012, thickness);
  shape.centre_m = Vec3(0.5 * length, 0, 0);
  shape.cells = {24, 2, 1};
  HexMesh mesh = *box_hexes(shape);
  FemSpec spec;
  for (size_t i = 0; i < mesh.nodes.size(); ++i) {
    Vec3& x = mesh.nodes[i];
    if (x.z() < 0 && x.x() < 0.4 * length) spec.fixed_nodes.push_back(static_cast<int>(i));
    if (x.x() <= leg) continue;
    const double angle = std::min((x.x() - leg) / radius, std::numbers::pi);
    const double beyond = std::max(0.0, x.x() - leg - std::numbers::pi * radius), r = radius - x.z();
    x = Vec3(leg + r * std::sin(angle) - beyond, x.y(), radius - r * std::cos(angle));
  }
  spec.mesh = mesh;
  spec.model = FemModel::corotational;
  spec.young_modulus_Pa = young;
  spec.poisson_ratio = 0.3;
  spec.rayleigh_stiffness_s = 0.002;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

/// A rigid block over the upper leg, and the strip.
struct Fold {
  Model model;
  std::vector<Grip> grips;
  static constexpr double h = 0.005;

  explicit Fold(double young, double height = 0.0145) {
    const Vec3 start(0.02, 0, height);
    model.bodies = {{"tool", rigid_box(Vec3(0.01, 0.016, 0.01), start)}, {"strip", folded_strip(young)}};
    model.rules = {rule(0, 1, 0, 0.002), rule(1, 1, 0, 0.002)};
    model.solver.options.tolerance = 1e-11;
    model.solver.options.max_sweeps = 100000;
    model.h_s = h;
    model.continuous = Continuous::off;
    grips = {hold(model, 0, 0, 0, at(start),
                  {.stiffness_N_per_m = 300,
                   .damping_N_s_per_m = 3,
                   .angular_stiffness_Nm_per_rad = 2,
                   .angular_damping_Nm_s_per_rad = 0.01})};
  }
  HapticLoop loop(int low_every) const {
    TwoRateSettings settings{.h_high_s = h / low_every, .low_every = low_every};
    settings.solve.tolerance = 1e-11;
    settings.solve.max_sweeps = 100000;
    return HapticLoop(*TwoRateModel::make(model, {0}, grips, 1, settings));
  }
};

TEST(TwoRateSelfContact, a_fold_that_no_tool_touches_sinks_on_itself_as_at_one_rate) {
  const Fold fold(3e4, 0.2);
  const DevicePose pose = at(Vec3(0.02, 0, 0.2));
  State state = make_state(fold.model);
  Workspace ws = make_workspace(fold.model);
  HapticLoop loop = fold.loop(5);
  Wrench one, two;
  int touching = 0;
  std::vector<VecX> way;
  for (int i = 0; i < 120; ++i) {
    const StepReport report =
        haptic_step(fold.model, fold.grips, std::span(&pose, 1), state, ws, std::span(&one, 1));
    ASSERT_EQ(report.status, StepStatus::ok);
    touching += report.active_contacts > 0;
    way.push_back(state.bodies[1].x);
    for (int k = 0; k < 5; ++k)
      ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&two, 1)).status, TickStatus::ok);
    // The low rate finishes a step when the next one begins.
    const VecX& now = loop.state(1).x;
    const double same = (now - way[i]).cwiseAbs().maxCoeff(),
                 before = i > 0 ? (now - way[i - 1]).cwiseAbs().maxCoeff() : same;
    ASSERT_LT(std::min(same, before), 1e-8) << i;
  }
  EXPECT_GT(touching, 40);
}

/// The hand presses the upper leg on the lower one.
TEST(TwoRateSelfContact, a_tool_presses_a_fold_as_at_one_rate) {
  const Fold fold(3e4);
  State state = make_state(fold.model);
  Workspace ws = make_workspace(fold.model);
  HapticLoop loop = fold.loop(1);
  Wrench one, two;
  for (int i = 0; i < 100; ++i) {
    const double down = std::min(i / 60.0, 1.0) * 0.012;
    const DevicePose pose = at(Vec3(0.02, 0, 0.0145 - down));
    const StepReport r1 =
        haptic_step(fold.model, fold.grips, std::span(&pose, 1), state, ws, std::span(&one, 1));
    ASSERT_EQ(r1.status, StepStatus::ok);
    ASSERT_EQ(loop.advance(std::span(&pose, 1), std::span(&two, 1)).status, TickStatus::ok);
    ASSERT_LT((state.bodies[1].x - loop.state(1).x).cwiseAbs().maxCoeff(), 1e-7) << i;
    ASSERT_LT((one.force - two.force).norm(), 1e-4) << i;
  }
  double within = 0;
  for (const ContactMemory& m : state.memory)
    if (m.id.body1 == 1 && m.id.body2 == 1) within += m.force_world.norm();
  EXPECT_GT(one.force.z(), 0.3);
  EXPECT_GT(within, 0.01);  // the legs bear on each other
}

}  // namespace two_rate_self_contact_test
}  // namespace palp
