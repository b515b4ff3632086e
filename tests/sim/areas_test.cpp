// Contacts that stand for an area: a `smooth` soft skin under exact shapes and smooth meshes.
#include <cmath>
#include <numeric>

#include "sim/simple_models.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace areas_test {

using testing::allocations;
using testing::watches_allocations;

constexpr double cell_m = 0.005;

std::shared_ptr<const Body> body_of(HexMesh mesh, double fixed_below, bool smooth, bool quasi_static = true) {
  FemSpec spec;
  for (size_t i = 0; i < mesh.nodes.size(); ++i)
    if (mesh.nodes[i].z() < fixed_below) spec.fixed_nodes.push_back(static_cast<int>(i));
  spec.mesh = std::move(mesh);
  spec.model = quasi_static ? FemModel::linear : FemModel::corotational;
  spec.young_modulus_Pa = quasi_static ? 1e5 : 3e4;
  spec.quasi_static = quasi_static;
  spec.condensation_bound_bytes = 0;
  spec.smooth_skin = smooth;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

/// A flat block under z = 0; `finer`: cells of 5 mm are divided by it.
std::shared_ptr<const Body> block(bool smooth, double finer = 1) {
  BoxShape shape;
  shape.size_m = Vec3(12, 12, 6) * cell_m;
  shape.centre_m = Vec3(0, 0, -3 * cell_m);
  shape.cells = {static_cast<int>(12 * finer), static_cast<int>(12 * finer), static_cast<int>(6 * finer)};
  return body_of(*box_hexes(shape), -6 * cell_m + 1e-9, smooth);
}

/// A rod along y of 30 mm radius, whose cells are 4 mm.
std::shared_ptr<const Body> rod(bool smooth) {
  CylinderShape shape;
  shape.radius_m = 0.03;
  shape.length_m = 0.05;
  shape.cells_across = 18;
  shape.cells_along = 15;
  HexMesh mesh = *cylinder_hexes(shape);
  for (Vec3& x : mesh.nodes) x = Vec3(x.x(), -x.z(), x.y());
  return body_of(std::move(mesh), -0.012, smooth);
}

enum class Ball { facets, smooth, exact };

std::shared_ptr<const Body> ball(Ball kind, double radius, const Vec3& centre) {
  ObstacleSpec spec;
  if (kind == Ball::exact)
    spec.rounded = *round_ball(radius, centre);
  else
    spec.surface = *icosphere({.radius_m = radius, .centre_m = centre, .subdivisions = 3});
  spec.smooth = kind == Ball::smooth;
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

Model pressed(std::shared_ptr<const Body> soft, std::shared_ptr<const Body> tool, double mu = 0) {
  Model model;
  model.gravity.setZero();
  model.bodies = {{"soft", std::move(soft)}, {"tool", std::move(tool)}};
  testing::add_rule(model, 0, 1, mu, 0.002);
  model.h_s = 1;
  model.solver.options.tolerance = 1e-9;
  model.solver.options.max_sweeps = 20000;
  return model;
}

Vec3 force_on_tool(const Workspace& ws) { return -testing::total_force(ws); }

/// Forces of a tool that is taken to the first place of its way in four steps, along the directions `out`.
std::vector<double> drawn(const Model& model, const std::vector<Vec3>& way, const std::vector<Vec3>& out) {
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  std::vector<double> f;
  const auto move = [&](const Vec3& by) {
    ws.bodies[1].loads.prescribed = {by, Vec3::Zero()};
    EXPECT_EQ(step(model, state, ws).status, StepStatus::ok);
  };
  for (int i = 0; i < 4; ++i) move(0.25 * way[0]);
  for (size_t i = 0; i < way.size(); ++i) {
    move(i == 0 ? Vec3(Vec3::Zero()) : Vec3(way[i] - way[i - 1]));
    f.push_back(force_on_tool(ws).dot(out[i]));
  }
  return f;
}

double mean(const std::vector<double>& f) { return std::accumulate(f.begin(), f.end(), 0.0) / f.size(); }
double ripple(const std::vector<double>& f) {
  const auto [low, high] = std::minmax_element(f.begin(), f.end());
  return (*high - *low) / mean(f);
}

/// A ball of 25 mm, 1 mm deep (one cell of contact radius), over one cell, y = 0.3 cells.
std::vector<double> over_block(Ball kind, bool smooth, double finer = 1, int bound = 1 << 20) {
  std::vector<Vec3> way;
  for (int i = 0; i < 10; ++i) way.push_back(Vec3((i - 5) * 0.1 * cell_m, 0, -0.001));
  Model model = pressed(block(smooth, finer), ball(kind, 0.025, Vec3(0, 0.3 * cell_m, 0.025)));
  model.rules[0].max_contacts = bound;
  return drawn(model, way, std::vector<Vec3>(way.size(), Vec3::UnitZ()));
}

TEST(Areas, a_ball_drawn_over_a_flat_block_ripples_five_times_less_than_one_of_facets) {
  const double facets = ripple(over_block(Ball::facets, false));
  EXPECT_LT(5 * ripple(over_block(Ball::exact, true)), facets);
  EXPECT_LT(5 * ripple(over_block(Ball::smooth, true)), facets);
}

TEST(Areas, a_ball_drawn_around_a_soft_rod_ripples_five_times_less_than_one_of_facets) {
  std::vector<Vec3> way, out;
  for (int i = 0; i < 7; ++i) {
    const double angle = -0.07 + 0.02 * i;  // a cell is 0.13
    out.push_back(Vec3(std::sin(angle), 0, std::cos(angle)));
    way.push_back(0.049 * out.back() - Vec3(0, 0, 0.05));
  }
  const auto force = [&](Ball kind, bool smooth) {
    return drawn(pressed(rod(smooth), ball(kind, 0.02, Vec3(0, 0.0011, 0.05))), way, out);
  };
  const double facets = ripple(force(Ball::facets, false));
  EXPECT_LT(5 * ripple(force(Ball::exact, true)), facets);
  EXPECT_LT(5 * ripple(force(Ball::smooth, true)), facets);
}

// With one cell per contact radius the force is nearer to that of a mesh of twice the fineness than nodal
// contact is.
TEST(Areas, slow_the_force_of_a_coarse_skin_is_that_of_a_finer_one) {
  const double fine = mean(over_block(Ball::exact, false, 2));
  EXPECT_NEAR(mean(over_block(Ball::exact, true)) / fine, 1, 0.12);
  EXPECT_NEAR(mean(over_block(Ball::exact, true, 2)) / fine, 1, 0.05);
}

// A bound spreads the areas, so that they still cover the patch: 12 instead of about 50.
TEST(Areas, a_quarter_of_the_contacts_bears_the_same_force) {
  const double all = mean(over_block(Ball::exact, true));
  for (int bound : {26, 13}) EXPECT_NEAR(mean(over_block(Ball::exact, true, 1, bound)) / all, 1, 0.02);
}

TEST(Areas, every_area_is_a_mean_over_the_skin) {
  const Model model = pressed(block(true), ball(Ball::exact, 0.025, Vec3(0.001, 0.0005, 0.0251)));
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  step(model, state, ws);
  int areas = 0;
  for (const Contact& c : ws.contacts) {
    if (c.P.area.empty()) continue;
    ++areas;
    double sum = 0, least = 1;
    for (const SkinShare& share : c.P.area) sum += share.weight, least = std::min(least, share.weight);
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_GT(least, 0);
    EXPECT_NEAR(c.P.at(ws.bodies[0].skin_start).z(), 0, 1e-12);  // the block is flat
    // The mean of a paraboloid over an area lies above its middle by its variance over the radius, and the
    // variance of (1 − r²)² is ρ²/8 along each axis.
    const Vec3 middle = c.P.at(ws.bodies[0].skin_start) - Vec3(0.001, 0.0005, 0.0251);
    const double rho2 = std::pow(1.6 * cell_m, 2);
    EXPECT_NEAR(c.gap_start, middle.norm() - 0.025 + rho2 / 8 / 0.025, 0.15 * rho2 / 8 / 0.025);
  }
  EXPECT_GT(areas, 10);
}

TEST(Areas, creases_speak_for_themselves) {
  const Vec3 over_rim(6 * cell_m, 0, 0.025);
  Model model = pressed(block(true), ball(Ball::exact, 0.025, over_rim));
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  ws.bodies[1].loads.prescribed = {Vec3(0, 0, -0.0005), Vec3::Zero()};
  for (int i = 0; i < 3; ++i)
    step(model, state, ws), ws.bodies[1].loads.prescribed = {Vec3::Zero(), Vec3::Zero()};
  std::vector<Vec3> skin(static_cast<size_t>(model.bodies[0].body->skin().vertices));
  model.bodies[0].body->skin_positions(state.bodies[0], VecX(), skin);
  const Vec3 centre = over_rim - Vec3(0, 0, 0.0005);
  for (const Vec3& x : skin)
    if (std::abs(x.x() - 6 * cell_m) < 0.3 * cell_m && x.z() > -0.5 * cell_m) {
      EXPECT_GT((x - centre).norm(), 0.025 - 1e-5) << x.transpose();
    }
}

TEST(Areas, a_soft_ball_thrown_on_round_shapes_gains_no_energy_in_any_step) {
  SphereShape shape;
  shape.radius_m = 0.03;
  shape.centre_m = Vec3(0, 0, 0.095);
  shape.cells_across = 6;
  const auto soft = body_of(*sphere_hexes(shape), -1, true, false);
  for (Ball kind : {Ball::exact, Ball::smooth})
    for (double mu : {0.0, 0.5})
      for (double aside : {0.0, 0.007}) {
        Model model = pressed(soft, ball(kind, 0.06, Vec3::Zero()), mu);
        model.h_s = 0.002;
        State state = make_state(model);
        Workspace ws = make_workspace(model);
        for (int n = 0; n < state.bodies[0].x.size() / 3; ++n) state.bodies[0].x[3 * n] += aside;
        soft->launch(Vec3(0, 0, -0.5), Vec3::Zero(), state.bodies[0]);
        const auto energy = [&] {
          return soft->kinetic_energy(state.bodies[0]) + soft->elastic_energy(state.bodies[0]);
        };
        const double given = energy();
        double before = given;
        int touching = 0;
        for (int i = 0; i < 100; ++i) {
          const StepReport report = step(model, state, ws);
          ASSERT_EQ(report.status, StepStatus::ok);
          touching += report.active_contacts > 0;
          EXPECT_LT(energy(), before + 1e-6 * given) << "step " << i << ", mu " << mu << ", aside " << aside;
          before = energy();
        }
        EXPECT_GT(touching, 10);
        EXPECT_LT(before, given);
      }
}

TEST(Areas, a_steady_step_leaves_the_heap_alone) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const Model model = pressed(block(true), ball(Ball::exact, 0.025, Vec3(0, 0, 0.025)), 0.3);
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  ws.bodies[1].loads.prescribed = {Vec3(0, 0, -0.0005), Vec3::Zero()};
  for (int i = 0; i < 3; ++i) step(model, state, ws), ws.bodies[1].loads.prescribed[0].setZero();
  const long before = allocations();
  StepReport report;
  for (int i = 0; i < 3; ++i) report = step(model, state, ws);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_GT(report.active_contacts, 0);
}

}  // namespace areas_test
}  // namespace palp
