// A soft box rests on the floor: a complete program on the Palp library.
#include <cstdio>
#include <palp/mechanics/fem_body.hpp>
#include <palp/mechanics/obstacle.hpp>
#include <palp/mesh/generators.hpp>
#include <palp/mesh/topology.hpp>
#include <palp/sim/step.hpp>

int main() {
  palp::FemSpec soft;
  soft.mesh = *palp::box_tets({.size_m = {0.1, 0.1, 0.1}, .centre_m = {0, 0, 0.051}, .cells = {4, 4, 4}});
  soft.young_modulus_Pa = 5e4;
  palp::ObstacleSpec floor;
  floor.surface = palp::extract_surface(*palp::box_hexes({.size_m = {1, 1, 0.1}, .centre_m = {0, 0, -0.05}, .cells = {1, 1, 1}})).mesh;
  auto box = palp::FemBody::make(soft);
  auto ground = palp::Obstacle::make(floor);
  if (!box || !ground) return std::puts("the bodies could not be built"), 1;

  palp::Model model;
  model.bodies = {{"box", std::move(*box)}, {"floor", std::move(*ground)}};
  model.rules = {{.body1 = 0, .body2 = 1, .mu = 0.4, .alarm_distance_m = 0.005}};
  palp::State state = palp::make_state(model);
  palp::Workspace workspace = palp::make_workspace(model);
  palp::StepReport report;
  for (int i = 0; i < 100; ++i) report = palp::step(model, state, workspace);
  std::printf("%d contacts, certificate %.1e after %.2f s\n", report.contacts, report.certificate, state.time_s);
  return report.status == palp::StepStatus::ok ? 0 : 1;
}
