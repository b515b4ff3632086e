// K16's two rates with GLCs: cost of a whole haptic tick (free motion of the tool, gaps, solve, force)
// against the number of GLCs, as share of its 1 ms, for a point, a rigid tip, a beam hook and a soft finger;
// and of a low-rate step against mesh and GLCs, as share of its 33 ms. A tool with friction is swiped over a
// soft sine surface (5 mm, 25 mm) that is embedded in a grid of hexahedra, refactored at every low-rate step;
// the last table is the same grid with a constant stiffness (model linear), whose compliance is a gather. K16
// reports 0.09 ms a tick on average, 0.41 ms at most, 15.2 ms a low-rate step (32.3 at most) with 50-100 GLCs
// on a mesh of unknown size.
//   bench_glc_tick [--quick]
// Processor time of the thread, so that other programs disturb little.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

#include "timing.hpp"

#include "palp/haptics/haptic_loop.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"

namespace {
using namespace palp;
constexpr double mm = 1e-3;

double height(double x) { return 5 * mm * std::sin(2 * std::numbers::pi * x / (25 * mm)); }

/// A sheet of about `per_40mm` × `per_40mm` / 2 columns and rows in 40 mm × 40 mm, carried by a grid of
/// hexahedra.
std::shared_ptr<const Body> soft_sine(int per_40mm, std::array<int, 3> cells, FemModel model, int& nodes) {
  SinePlateShape sheet;
  sheet.length_m = 0.1;
  sheet.width_m = 0.06;
  sheet.cells_along = std::max(8, per_40mm * 100 / 40);
  sheet.cells_wide = std::max(2, per_40mm * 60 / 80);
  const TriMesh surface = *sine_surface(sheet);
  BoxShape grid;
  grid.size_m = Vec3(0.1, 0.06, 0.024);
  grid.centre_m = Vec3(0.05, 0, -0.006);
  grid.cells = cells;
  HexMesh mesh = *box_hexes(grid);
  nodes = static_cast<int>(mesh.nodes.size());
  FemSpec spec;
  for (int n = 0; n < nodes; ++n)
    if (mesh.nodes[n].x() < 1e-6 || mesh.nodes[n].x() > 0.1 - 1e-6) spec.fixed_nodes.push_back(n);
  spec.skin = embedded_skin(*embed(surface.nodes, mesh), surface.triangles);
  spec.mesh = std::move(mesh);
  spec.model = model;
  spec.young_modulus_Pa = 1e5;
  spec.rayleigh_stiffness_s = 0.01;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

enum class Tool { point, rigid, beam, soft };
constexpr const char* tool_names[] = {"point", "rigid tip", "beam hook", "soft finger"};

/// Its lowest point at `at`.
std::shared_ptr<const Body> make_tool(Tool kind, const Vec3& at) {
  if (kind == Tool::point) {
    PointProxySpec spec;
    spec.position_m = at;
    return std::shared_ptr<const Body>(std::move(*PointProxy::make(spec)));
  }
  if (kind == Tool::rigid) {
    RigidSpec spec;
    spec.surface = *icosphere({.radius_m = 2 * mm, .centre_m = at + Vec3(0, 0, 2 * mm), .subdivisions = 1});
    spec.density_kg_per_m3 = 8000;
    return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
  }
  if (kind == Tool::beam) {
    BeamSpec spec;
    for (int i = 0; i <= 12; ++i) {
      const double angle = std::numbers::pi * i / 12;
      spec.curve.nodes.push_back(at + Vec3(6 * mm * std::cos(angle), 0, 6.8 * mm - 6 * mm * std::sin(angle)));
    }
    spec.section = BeamSection::circle(0.8 * mm);
    spec.young_modulus_Pa = 2e9;
    spec.density_kg_per_m3 = 2000;
    spec.rayleigh_stiffness_s = 1e-3;
    return std::shared_ptr<const Body>(std::move(*BeamBody::make(std::move(spec))));
  }
  GlobalCorotationalSpec spec;
  HexMesh mesh = *sphere_hexes({.radius_m = 5 * mm, .centre_m = at + Vec3(0, 0, 5 * mm), .cells_across = 4});
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() > at.z() + 6 * mm) spec.frame_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = 1e5;
  spec.poisson_ratio = 0.4;
  spec.rayleigh_stiffness_s = 2e-3;
  return std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec)));
}

struct Measured {
  Times tick, low;
  Times stage[5];  ///< of the low rate, on the clock: free motion with factor, GLCs, W, solve, motion
  double glcs = 0, sweeps = 0, active = 0;
  int unsettled = 0, held = 0, most_sweeps = 0, ticks = 0, nodes = 0;
};

Measured run(int bound, int per_40mm, std::array<int, 3> cells, int steps,
             FemModel fem = FemModel::corotational, Tool kind = Tool::point) {
  Measured r;
  Model model;
  model.gravity.setZero();
  const Vec3 start(30 * mm, 0.3 * mm, height(30 * mm) + 0.1 * mm);
  model.bodies = {{"surface", soft_sine(per_40mm, cells, fem, r.nodes)}, {"tool", make_tool(kind, start)}};
  TouchRule rule;
  rule.body2 = 1;
  rule.mu = 0.1;
  rule.alarm_distance_m = 0.02;
  model.rules = {rule};
  TwoRateSettings settings{.low_every = 33, .contact = HapticContact::glc};
  settings.region.max_constraints = settings.region.most_constraints = settings.region.most_still = bound;
  CouplingSettings coupling{.stiffness_N_per_m = 1000, .damping_N_s_per_m = 0.8};
  if (kind != Tool::point)
    coupling = {.stiffness_N_per_m = 1000,
                .damping_N_s_per_m = 2,
                .angular_stiffness_Nm_per_rad = 0.5,
                .angular_damping_Nm_s_per_rad = 2e-3};
  const Grip grip{.body = 1, .coupling = coupling};
  auto m = TwoRateModel::make(model, {1}, {grip}, 1, settings);
  if (!m) return r;
  LowRate low = make_low_rate(*m);
  HighRate high(*m);
  TripleBuffer<Snapshot> snapshots(empty_snapshot(*m));
  TripleBuffer<ToolState> tools(empty_tool_state(*m));
  Wrench wrench;
  BodyFrame held;
  m->tool(0).frame(high.tools[0].state, grip.frame, held);
  const Vec3 above = held.position - start;
  Vec3 input = held.position;
  for (int step = 0; step < steps; ++step) {
    const auto pose = [&](int tick) {  // 20 mm to and fro at 1 Hz, 1 mm below the surface
      const double t = 1e-3 * (33 * step + tick);
      const double x = 50 * mm - 20 * mm * std::cos(2 * std::numbers::pi * t);
      DevicePose p;
      p.position = above + Vec3(x, 0.3 * mm + 5 * mm * std::sin(2 * t), height(x) - 1 * mm);
      p.velocity = step + tick > 0 ? Vec3((p.position - input) / 1e-3) : Vec3(Vec3::Zero());
      return p;
    };
    const DevicePose first = pose(0);
    publish_tools(high, {&first, 1}, 1e-3, tools);
    tools.update();
    double begin = cpu_us();
    const LowReport report = low_step(*m, tools.front(), low, snapshots.back());
    const double low_us = cpu_us() - begin;
    if (report.status != StepStatus::ok) return r;
    snapshots.publish();
    if (step > 2) {
      r.low.us.push_back(low_us);
      const auto& t = report.times;
      const double stages[] = {t.free_motion_us, t.proximity_us, t.delassus_us, t.solve_us, t.motion_us};
      for (int k = 0; k < 5; ++k) r.stage[k].us.push_back(stages[k]);
    }
    for (int k = 0; k < 33; ++k) {
      const DevicePose p = pose(k);
      input = p.position;
      begin = cpu_us();
      publish_tools(high, {&p, 1}, 1e-3, tools);
      snapshots.update();
      const TickReport t = tick(*m, snapshots.front(), {&p, 1}, high, {&wrench, 1});
      const double us = cpu_us() - begin;
      if (step <= 2) continue;
      r.tick.us.push_back(us);
      r.glcs += t.limited;
      r.sweeps += t.sweeps;
      r.active += t.active_contacts;
      r.unsettled += !t.converged;
      r.held += t.held > 0 || t.overstep > 0;
      r.most_sweeps = std::max(r.most_sweeps, t.sweeps);
      ++r.ticks;
    }
  }
  if (r.ticks > 0) {
    r.glcs /= r.ticks;
    r.sweeps /= r.ticks;
    r.active /= r.ticks;
  }
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  const int steps = quick ? 60 : 300;
  std::printf(
      "Haptic tick on a soft sine with friction, tolerance 1e-6 (K16: mean 90, max 410 us with 50-100 "
      "GLCs)\n");
  std::printf("%-12s %6s %8s %8s %8s %8s %8s %10s %10s %7s %7s %7s %6s %9s\n", "tool", "GLCs", "mean_us",
              "p50_us", "p99_us", "p99.9_us", "max_us", "mean_%1ms", "p99.9_%1ms", "sweeps", "most", "active",
              "held", "unsettled");
  for (const Tool tool : {Tool::point, Tool::rigid, Tool::beam, Tool::soft})
    for (const auto& [bound, per_40mm] :
         {std::pair{25, 8}, {50, 12}, {100, 16}, {200, 24}, {400, 34}, {800, 48}}) {
      Measured r = run(bound, per_40mm, {20, 6, 4}, steps, FemModel::corotational, tool);
      std::printf("%-12s %6.0f %8.2f %8.2f %8.2f %8.2f %8.2f %10.2f %10.2f %7.1f %7d %7.1f %6d %9d\n",
                  tool_names[static_cast<int>(tool)], r.glcs, r.tick.mean(), r.tick.at(0.5), r.tick.at(0.99),
                  r.tick.at(0.999), r.tick.at(1), 0.1 * r.tick.mean(), 0.1 * r.tick.at(0.999), r.sweeps,
                  r.most_sweeps, r.active, r.held, r.unsettled);
    }
  using Cells = std::array<int, 3>;
  const Cells small{11, 6, 3}, middle{20, 6, 4}, large{26, 12, 5};
  const auto per_40mm = [](int bound) {
    return bound > 200 ? 34 : bound > 100 ? 24 : bound > 50 ? 16 : bound > 25 ? 12 : 8;
  };
  for (const FemModel fem : {FemModel::corotational, FemModel::linear}) {
    std::printf(
        "\nLow-rate step, hexahedra, %s; stages in %% of the clock time (K16: mean 15.2, max 32.3 ms)\n",
        fem == FemModel::linear ? "constant stiffness" : "corotational, refactored every time");
    std::printf("%6s %6s %9s %9s %9s %11s %7s %7s %7s %7s %7s\n", "nodes", "GLCs", "mean_ms", "p99_ms",
                "max_ms", "mean_%33ms", "free_%", "GLCs_%", "W_%", "solve_%", "move_%");
    for (const auto& [cells, bound] : {std::pair{small, 100},
                                       {Cells{14, 6, 3}, 100},
                                       {middle, 25},
                                       {middle, 50},
                                       {middle, 100},
                                       {middle, 200},
                                       {middle, 400},
                                       {large, 100}}) {
      Measured r = run(bound, per_40mm(bound), cells, quick ? 15 : 60, fem);
      double all = 0;
      for (const Times& stage : r.stage) all += stage.mean();
      std::printf("%6d %6.0f %9.3f %9.3f %9.3f %11.1f", r.nodes, r.glcs, 1e-3 * r.low.mean(),
                  1e-3 * r.low.at(0.99), 1e-3 * r.low.at(1), 0.1 * r.low.mean() / 33);
      for (const Times& stage : r.stage) std::printf(" %7.1f", all > 0 ? 100 * stage.mean() / all : 0.0);
      std::printf("\n");
    }
  }
  return 0;
}
