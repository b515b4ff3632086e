// A rigid ball pressed into a soft block whose cells are as large as the radius of the contact. The reference
// is nodal contact on the same mesh, made here from the sphere's equation and the body's compliance: every
// node of the block's top stays outside the sphere of radius ball_m,
//     n·(x + C f n − c) ≥ ball_m,   n = (x − c)/|x − c|,   f ≥ 0,   complementary.
// Nodal contact is also the nearest to Hertz on such meshes: it lets the ball bulge through the flat facets
// between the nodes, as the true surface would.
#include <cmath>

#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace ball_on_block_test {

constexpr double cell_m = 0.005, ball_m = 0.025;

std::shared_ptr<const Body> pressed_block(bool tets) {
  BoxShape shape;
  shape.size_m = Vec3(14 * cell_m, 14 * cell_m, 7 * cell_m);
  shape.centre_m = Vec3(0, 0, -3.5 * cell_m);
  shape.cells = {14, 14, 7};
  FemSpec spec;
  const auto hold = [&](const auto& mesh) {
    for (int i = 0; i < static_cast<int>(mesh.nodes.size()); ++i)
      if (mesh.nodes[i].z() < -7 * cell_m + 1e-9) spec.fixed_nodes.push_back(i);
    spec.mesh = mesh;
  };
  if (tets)
    hold(*box_tets(shape));
  else
    hold(*box_hexes(shape));
  spec.model = FemModel::linear;
  spec.young_modulus_Pa = 1e5;
  spec.quasi_static = true;
  spec.condensation_bound_bytes = 0;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

/// Upward force on a sphere whose lowest point is `depth` under the top of the block at (x, y).
double nodal_force(const Body& body, const Vec3& centre) {
  const BodyState rest = body.rest_state();
  auto ws = body.make_workspace();
  Loads loads;
  loads.gravity.setZero();
  EXPECT_TRUE(body.free_motion(rest, loads, 1, *ws));
  std::vector<Vec3> x(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(rest, VecX(), x);
  PointJacobian H;
  std::vector<Vec3> node;
  for (int v = 0; v < body.skin().vertices; ++v)
    if (x[v].z() > -1e-9 && (x[v] - centre).head<2>().norm() < 0.8 * ball_m) {
      node.push_back(x[v]);
      body.append_vertex(rest, v, 1, H);
      H.end_point();
    }
  const int m = H.points();
  MatX C = MatX::Zero(3 * m, 3 * m);
  body.project_compliance(H, *ws, C);
  VecX f = VecX::Zero(m), u = VecX::Zero(3 * m);
  std::vector<Vec3> n(m);
  for (int round = 0; round < 60; ++round) {  // the normals follow the nodes
    for (int i = 0; i < m; ++i) n[i] = (node[i] + u.segment<3>(3 * i) - centre).normalized();
    MatX W(m, m);
    VecX gap(m);
    for (int i = 0; i < m; ++i) {
      gap[i] = n[i].dot(node[i] - centre) - ball_m;
      for (int j = 0; j < m; ++j) W(i, j) = n[i].dot(C.block<3, 3>(3 * i, 3 * j) * n[j]);
    }
    for (int sweep = 0; sweep < 400; ++sweep)
      for (int i = 0; i < m; ++i) f[i] = std::max(0.0, f[i] - (gap[i] + W.row(i).dot(f)) / W(i, i));
    VecX force(3 * m);
    for (int i = 0; i < m; ++i) force.segment<3>(3 * i) = f[i] * n[i];
    u = C * force;
  }
  double sum = 0;
  for (int i = 0; i < m; ++i) sum -= f[i] * n[i].z();
  return sum;
}

double palp_force(std::shared_ptr<const Body> block, std::shared_ptr<const Body> ball, double alarm) {
  Model model;
  model.gravity.setZero();
  model.bodies = {{"block", std::move(block)}, {"ball", std::move(ball)}};
  testing::add_rule(model, 0, 1, 0, alarm);
  model.h_s = 1;
  model.solver.options.tolerance = 1e-9;
  model.solver.options.max_sweeps = 20000;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const int down = 20;
  for (int i = 0; i < down + 10; ++i) {
    ws.bodies[1].loads.prescribed = {Vec3(0, 0, i < down ? -1.0 / down : 0) * cell_m * cell_m / ball_m,
                                     Vec3::Zero()};
    EXPECT_EQ(step(model, state, ws).status, StepStatus::ok);
  }
  return -testing::total_force(ws).z();
}

std::shared_ptr<const Body> round_or_faceted(const Vec3& centre, bool exact) {
  ObstacleSpec spec;
  if (exact) {
    spec.rounded = *round_ball(ball_m, centre);
  } else {
    IcosphereShape shape;
    shape.radius_m = ball_m;
    shape.centre_m = centre;
    shape.subdivisions = 4;
    spec.surface = *icosphere(shape);
  }
  return std::shared_ptr<const Body>(std::move(*Obstacle::make(std::move(spec))));
}

TEST(BallOnBlock, as_stiff_as_nodal_contact_with_one_cell_per_contact_radius) {
  const double depth = cell_m * cell_m / ball_m;
  for (bool tets : {false, true}) {
    const auto block = pressed_block(tets);
    for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.31, 0.17, 0)}) {
      const double reference = nodal_force(*block, at * cell_m + Vec3(0, 0, ball_m - depth));
      const Vec3 start = at * cell_m + Vec3(0, 0, ball_m);
      for (bool exact : {false, true})
        for (double alarm : {0.0002, 0.002})
          EXPECT_NEAR(palp_force(block, round_or_faceted(start, exact), alarm) / reference, 1, 0.05)
              << (tets ? "tets" : "hexes") << (exact ? ", exact ball" : ", ball of facets")
              << ", alarm distance " << alarm << ", at " << at.transpose();
    }
  }
}

}  // namespace ball_on_block_test
}  // namespace palp
