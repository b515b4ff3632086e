// The two-rate scheme: cost of a haptic tick against the number of contacts, as share of its 1 ms, with the
// ticks that overran their budget; what the flight recorder adds to a tick; and the cost of a low-rate step
// against mesh and contacts, as share of its 33 ms. K16 reports 0.09 ms a tick on average, 0.41 ms at most,
// and 15 ms a low-rate step with 50-100 constraints.
//   bench_two_rate [--quick] [--json]
// Processor time of the thread, budgets too, so that other programs disturb little.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "timing.hpp"
#include <nlohmann/json.hpp>

#include "palp/haptics/haptic_loop.hpp"
#include "palp/io/recorder.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace {
using namespace palp;
using Json = nlohmann::ordered_json;

constexpr double budget_us = 500;  // as on the clock: half a tick

std::shared_ptr<const Body> soft_block(int cells, int layers) {
  BoxShape shape;
  shape.size_m = Vec3(0.1, 0.1, 0.1 * layers / cells);
  shape.centre_m = Vec3(0, 0, -0.5 * shape.size_m.z());
  shape.cells = {cells, cells, layers};
  FemSpec spec;
  TetMesh mesh = *box_tets(shape);
  for (size_t n = 0; n < mesh.nodes.size(); ++n)
    if (mesh.nodes[n].z() < -shape.size_m.z() + 1e-9) spec.fixed_nodes.push_back(static_cast<int>(n));
  spec.mesh = std::move(mesh);
  spec.young_modulus_Pa = 2e4;
  spec.rayleigh_stiffness_s = 0.005;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

/// A rigid plate with n × n vertices below.
std::shared_ptr<const Body> plate(int n) {
  BoxShape shape;
  shape.size_m = Vec3(0.06, 0.06, 0.01);
  shape.centre_m = Vec3(0.0013, 0.0017, 0.0052);
  shape.cells = {n - 1, n - 1, 1};
  RigidSpec spec;
  spec.surface = extract_surface(*box_hexes(shape)).mesh;
  spec.density_kg_per_m3 = 500;
  return std::shared_ptr<const Body>(std::move(*RigidBody::make(std::move(spec))));
}

std::shared_ptr<const Body> lying_beam(int elements) {
  BeamSpec spec;
  for (int i = 0; i <= elements; ++i)
    spec.curve.nodes.push_back(Vec3(-0.03 + 0.06 * i / elements, 0.0017 + 0.0005 * std::sin(i), 0.0012));
  spec.section = BeamSection::circle(0.001);
  spec.young_modulus_Pa = 1e8;
  spec.quasi_static = true;
  spec.rayleigh_mass_per_s = 20;
  return std::shared_ptr<const Body>(std::move(*BeamBody::make(std::move(spec))));
}

TwoRateModel scene(std::shared_ptr<const Body> tool, int frame, std::shared_ptr<const Body> soft,
                   int contacts, double mu) {
  Model m;
  m.gravity.setZero();
  m.bodies = {{"tool", std::move(tool)}, {"soft", std::move(soft)}};
  TouchRule rule;
  rule.body1 = 0;
  rule.body2 = 1;
  rule.mu = mu;
  rule.alarm_distance_m = 0.004;
  rule.max_contacts = contacts;
  m.rules = {rule};
  m.solver.options.tolerance = 1e-4;
  BodyFrame held;
  m.bodies[0].body->frame(m.bodies[0].body->rest_state(), frame, held);
  DevicePose start;
  start.position = held.position;
  const CouplingSettings c{.stiffness_N_per_m = 1000,
                           .damping_N_s_per_m = 3,
                           .angular_stiffness_Nm_per_rad = 2,
                           .angular_damping_Nm_s_per_rad = 0.01};
  const Grip grip = *grip_here(m, make_state(m), 0, frame, 0, start, c);
  TwoRateSettings s{.low_every = 33, .max_contacts = contacts};
  s.solve.tolerance = 1e-4;
  s.solve.budget_us = budget_us;
  s.solve.clock_us = cpu_us;
  return *TwoRateModel::make(std::move(m), {0}, {grip}, 1, s);
}

struct Series {
  Times tick, low, record;  ///< record: the recorder's part of a tick
  Times hand_over;                 ///< its part of a low-rate step
  Times low_stage[6], tick_stage[4];
  double contacts = 0, active = 0, sweeps = 0, certificate = 0;
  long ticks = 0, unconverged = 0, over_budget = 0, over_tick = 0;
};

/// A recorder for the scenes of this program, into a file that is removed at the end.
struct TickRecorder {
  std::string path = (std::filesystem::temp_directory_path() / "palp-bench-two-rate.h5").string();
  std::unique_ptr<Recorder> recorder;
  TickRecord record;

  TickRecorder() {
    RecordingSetup setup;
    setup.devices = {"hand"};
    record.devices = 1;
    if (auto made = Recorder::create(path, setup)) recorder = std::move(*made);
  }
  ~TickRecorder() {
    recorder.reset();
    std::filesystem::remove(path);
  }
  void add(const TickReport& report, const Snapshot& snapshot, const HighRate& high, const DevicePose& pose,
           const Wrench& wrench) {
    fill(report, 1e-3, record);
    set_pose(record.device[0], pose);
    record.device[0].force = plain(wrench.force);
    recorder->tick(record, tick_contacts(snapshot, high));
  }
};

/// Presses the tool in by 3 mm and swings it sideways.
Series run(const TwoRateModel& m, int ticks, TickRecorder* recorder = nullptr) {
  LowRate low = make_low_rate(m);
  HighRate high(m);
  TripleBuffer<Snapshot> snapshots(empty_snapshot(m));
  TripleBuffer<ToolState> tools(empty_tool_state(m));
  BodyFrame held;
  m.tool(0).frame(high.tools[0].state, m.grips[0].frame, held);
  Wrench w;
  Series r;
  for (int i = 0; i < ticks; ++i) {
    DevicePose pose;
    const double t = 1e-3 * i;
    pose.position = held.position +
                    Vec3(0.004 * std::sin(6 * t), 0.002 * std::sin(9 * t), -0.003 * std::min(1.0, 10 * t));
    const double begin = cpu_us();
    publish_tools(high, std::span(&pose, 1), 1e-3, tools);
    snapshots.update();
    const TickReport report = tick(m, snapshots.front(), std::span(&pose, 1), high, std::span(&w, 1));
    const double ticked = cpu_us();
    if (recorder) recorder->add(report, snapshots.front(), high, pose, w);
    const double end = cpu_us(), cost = end - begin;
    if (i >= 200) {
      r.tick.us.push_back(cost);
      r.record.us.push_back(end - ticked);
      r.over_budget += cost > 1.1 * budget_us;  // what follows the solve is short
      r.over_tick += cost > 1000;
      const auto& s = report.times;
      const double stage[4] = {s.violations_us, s.compliance_us, s.solve_us, s.motion_us};
      for (int k = 0; k < 4; ++k) r.tick_stage[k].us.push_back(stage[k]);
      r.contacts += report.contacts;
      r.active += report.active_contacts;
      r.sweeps += report.sweeps;
      r.unconverged += !report.converged;
      r.certificate = std::max(r.certificate, report.certificate);
      ++r.ticks;
    }
    if (i % m.settings.low_every != 0) continue;
    tools.update();
    const double low_begin = cpu_us();
    const LowReport l = low_step(m, tools.front(), low, snapshots.back());
    if (l.status == StepStatus::ok) snapshots.publish();
    if (i < 100) continue;
    r.low.us.push_back(cpu_us() - low_begin);
    r.hand_over.us.push_back(l.reduce_us);
    const auto& s = l.times;
    const double stage[6] = {s.free_motion_us, s.proximity_us, s.contacts_us,
                             s.delassus_us,    s.solve_us,     s.motion_us};
    for (int k = 0; k < 6; ++k) r.low_stage[k].us.push_back(stage[k]);
  }
  return r;
}

Json tick_row(const char* what, Series& r) {
  const double n = static_cast<double>(std::max(r.ticks, 1L));
  return {{"tool", what},
          {"contacts", r.contacts / n},
          {"active", r.active / n},
          {"sweeps", r.sweeps / n},
          {"p50_us", r.tick.at(0.5)},
          {"p99_us", r.tick.at(0.99)},
          {"p999_us", r.tick.at(0.999)},
          {"max_us", r.tick.at(1)},
          {"share_of_1ms", r.tick.at(0.5) / 1000},
          {"contacts_p50_us", r.tick_stage[0].at(0.5)},
          {"compliance_p50_us", r.tick_stage[1].at(0.5)},
          {"solve_p50_us", r.tick_stage[2].at(0.5)},
          {"motion_p50_us", r.tick_stage[3].at(0.5)},
          {"over_budget_share", static_cast<double>(r.over_budget) / n},
          {"over_1ms_share", static_cast<double>(r.over_tick) / n},
          {"unconverged_share", static_cast<double>(r.unconverged) / n},
          {"worst_certificate", r.certificate}};
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false, json = false;
  for (int i = 1; i < argc; ++i) {
    quick = quick || !std::strcmp(argv[i], "--quick");
    json = json || !std::strcmp(argv[i], "--json");
  }
  const int ticks = quick ? 700 : 3000;
  Json out{{"ticks", Json::array()}, {"recorder", Json::array()}, {"low_rate", Json::array()}};

  if (!json)
    std::printf(
        "haptic tick (certificate 1e-4, mu 0.3) of 1000 µs; its solve has to end after 500\n%-12s %8s %7s "
        "%7s "
        "%8s %8s %8s %8s %7s %9s %9s %9s %8s %6s %6s %6s\n",
        "tool", "contacts", "active", "sweeps", "p50", "p99", "p99.9", "max µs", "share", ">550 µs", ">1 ms",
        "above tol", "contacts", "W", "solve", "motion");
  const auto show_tick = [&](const char* what, Series r) {
    const Json row = tick_row(what, r);
    out["ticks"].push_back(row);
    if (!json)
      std::printf("%-12s %8.1f %7.1f %7.1f %8.1f %8.1f %8.1f %8.1f %6.1f%% %8.2f%% %8.2f%% %8.1f%% %8.0f %6.0f %6.0f %6.0f\n", what,
                  row["contacts"].get<double>(), row["active"].get<double>(), row["sweeps"].get<double>(),
                  r.tick.at(0.5), r.tick.at(0.99), r.tick.at(0.999), r.tick.at(1), 0.1 * r.tick.at(0.5),
                  100 * row["over_budget_share"].get<double>(), 100 * row["over_1ms_share"].get<double>(),
                  100 * row["unconverged_share"].get<double>(), r.tick_stage[0].at(0.5),
                  r.tick_stage[1].at(0.5), r.tick_stage[2].at(0.5), r.tick_stage[3].at(0.5));
  };
  const auto soft = soft_block(10, 5);
  show_tick("20 beams", run(scene(lying_beam(20), 10, soft, 20, 0.3), ticks));
  for (int contacts : {10, 25, 50, 100, 200})
    if (!quick || contacts <= 100)
      show_tick("rigid plate", run(scene(plate(15), 0, soft, contacts, 0.3), quick ? 400 : 1500));

  // With the recorder and without, turn by turn.
  if (!json)
    std::printf("\nflight recorder, its part of a tick\n%-12s %8s %8s %8s %8s %8s  %s\n", "tool", "contacts",
                "p50 µs", "p99", "p99.9", "dropped", "tick with it / without (p50, p99)");
  for (int contacts : {10, 16, 50, 100}) {
    const TwoRateModel m = scene(plate(15), 0, soft, contacts, 0.3);
    Series with, without;
    TickRecorder recorder;
    if (!recorder.recorder) break;
    for (int round = 0; round < 3; ++round)
      for (const bool recorded : {false, true}) {
        Series r = run(m, quick ? 400 : 1000, recorded ? &recorder : nullptr);
        Series& all = recorded ? with : without;
        all.tick.us.insert(all.tick.us.end(), r.tick.us.begin(), r.tick.us.end());
        all.record.us.insert(all.record.us.end(), r.record.us.begin(), r.record.us.end());
      }
    const Json row{{"contacts", contacts},
                   {"p50_us", with.record.at(0.5)},
                   {"p99_us", with.record.at(0.99)},
                   {"p999_us", with.record.at(0.999)},
                   {"dropped", recorder.recorder->status().dropped_ticks},
                   {"tick_ratio_p50", with.tick.at(0.5) / without.tick.at(0.5)},
                   {"tick_ratio_p99", with.tick.at(0.99) / without.tick.at(0.99)}};
    out["recorder"].push_back(row);
    if (!json)
      std::printf("%-12s %8d %8.2f %8.2f %8.2f %8ld  %.3f  %.3f\n", "rigid plate", contacts,
                  with.record.at(0.5), with.record.at(0.99), with.record.at(0.999),
                  row["dropped"].get<long>(), row["tick_ratio_p50"].get<double>(),
                  row["tick_ratio_p99"].get<double>());
  }

  const char* stages[6] = {"free", "proximity", "contacts", "delassus", "solve", "motion"};
  if (!json) {
    std::printf(
        "\nlow-rate step, corotational block refactored at every step, of 33 333 µs\n%-8s %-8s %9s %9s %9s "
        "%7s %6s ",
        "nodes", "tets", "contacts", "p50 µs", "max µs", "share", "Hz");
    for (const char* s : stages) std::printf(" %9s", s);
    std::printf(" %9s\n", "hand-over");  // over everything else
  }
  struct Mesh {
    int cells, layers;
  };
  for (Mesh mesh : {Mesh{8, 6}, Mesh{13, 9}, Mesh{16, 16}}) {
    if (quick && mesh.cells > 13) continue;
    const auto body = soft_block(mesh.cells, mesh.layers);
    const int nodes = (mesh.cells + 1) * (mesh.cells + 1) * (mesh.layers + 1);
    BoxShape shape;
    shape.cells = {mesh.cells, mesh.cells, mesh.layers};
    const int tets = static_cast<int>(box_tets(shape)->tets.size());
    for (int contacts : {20, 50, 100}) {
      Series r = run(scene(plate(15), 0, body, contacts, 0.3), quick ? 500 : 1000);
      const double per = r.contacts / static_cast<double>(std::max(r.ticks, 1L));
      Json row{{"nodes", nodes},          {"tets", tets},          {"contacts", per},
               {"p50_us", r.low.at(0.5)}, {"max_us", r.low.at(1)}, {"share_of_33ms", r.low.at(0.5) / 33333},
               {"Hz", 1e6 / r.low.at(1)}};
      for (int k = 0; k < 6; ++k) row[stages[k]] = r.low_stage[k].at(0.5);
      row["hand_over_ratio"] = r.hand_over.at(0.5) / (r.low.at(0.5) - r.hand_over.at(0.5));
      out["low_rate"].push_back(row);
      if (json) continue;
      std::printf("%-8d %-8d %9.1f %9.0f %9.0f %6.1f%% %6.0f ", nodes, tets, per, r.low.at(0.5), r.low.at(1),
                  r.low.at(0.5) / 333.33, 1e6 / r.low.at(1));
      for (int k = 0; k < 6; ++k) std::printf(" %9.0f", r.low_stage[k].at(0.5));
      std::printf(" %9.2f\n", row["hand_over_ratio"].get<double>());
    }
  }
  if (json) std::printf("%s\n", out.dump(2).c_str());
  return 0;
}
