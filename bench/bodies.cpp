// What a step of each volume model costs, and how much cheaper a constant compliance is than refactoring.
// Tet blocks of about 600, 2000 and 8000 nodes, 100 contacts on the top face. Ratios come from one run,
// medians with the 10th and 90th percentile of the repeated measurement; times are given for orientation
// only.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>

#include "timing.hpp"

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/generators.hpp"

namespace {
using namespace palp;

struct Spread {
  double p10 = 0, p50 = 0, p90 = 0;  // microseconds
};

/// Runs `work` until it has taken `seconds` in total, at least five times.
Spread measure(double seconds, const std::function<void()>& work) {
  std::vector<double> us;
  double total = 0;
  while (us.size() < 5 || (total < seconds * 1e6 && us.size() < 2000)) {
    const double start = cpu_us();
    work();
    us.push_back(cpu_us() - start);
    total += us.back();
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double q) { return us[static_cast<size_t>(q * (us.size() - 1))]; };
  return {at(0.1), at(0.5), at(0.9)};
}

void require(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "bench_bodies: %s failed\n", what);
  std::exit(1);
}

FemSpec block(int n, bool hex, FemModel model) {
  const BoxShape shape{.size_m = Vec3::Constant(0.1), .centre_m = Vec3::Zero(), .cells = {n, n, n}};
  FemSpec spec{.model = model, .young_modulus_Pa = 5e4, .poisson_ratio = 0.4};
  std::vector<Vec3> nodes;
  if (hex) {
    HexMesh mesh = box_hexes(shape).value();
    nodes = mesh.nodes;
    spec.mesh = std::move(mesh);
  } else {
    TetMesh mesh = box_tets(shape).value();
    nodes = mesh.nodes;
    spec.mesh = std::move(mesh);
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].z() < -0.0499) spec.fixed_nodes.push_back(static_cast<int>(i));
  return spec;
}

/// Contacts inside triangles of the top face, as a tool pressed on it would give.
PointJacobian contacts_on_top(const FemBody& body, int count) {
  const BodyState state = body.rest_state();
  std::vector<Vec3> x(body.skin().vertices);
  body.skin_positions(state, VecX(), x);
  std::vector<Triangle> top;
  for (const Triangle& t : body.skin().triangles)
    if (x[t[0]].z() > 0.0499 && x[t[1]].z() > 0.0499 && x[t[2]].z() > 0.0499) top.push_back(t);
  std::sort(top.begin(), top.end(),
            [&](const Triangle& a, const Triangle& b) {  // nearest to the centre first
              return (x[a[0]] + x[a[1]] + x[a[2]]).head<2>().norm() <
                     (x[b[0]] + x[b[1]] + x[b[2]]).head<2>().norm();
            });
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(0.1, 0.4);
  PointJacobian H;
  for (int i = 0; i < count; ++i) {
    const Triangle& t = top[i % top.size()];
    const double a = u(random), b = u(random);
    body.append_vertex(state, t[0], a, H);
    body.append_vertex(state, t[1], b, H);
    body.append_vertex(state, t[2], 1 - a - b, H);
    H.end_point();
  }
  return H;
}

struct StepCost {
  int nodes = 0;
  Spread assembly, free_motion, project;
};

StepCost cost(const FemSpec& spec, int contacts, double seconds) {
  const auto made = FemBody::make(spec);
  require(static_cast<bool>(made), "building the body");
  const FemBody& body = **made;
  auto ws = body.make_workspace();
  BodyState state = body.rest_state();
  for (int i = 2; i < body.dof(); i += 3) state.x[i] *= 0.97;
  for (int n : spec.fixed_nodes) state.x.segment<3>(3 * n) = body.rest_state().x.segment<3>(3 * n);
  const Loads loads;
  const PointJacobian H = contacts_on_top(body, contacts);
  MatX G = MatX::Zero(3 * contacts, 3 * contacts);
  StepCost c;
  c.nodes = body.blocks();
  require(body.free_motion(state, loads, 0.02, *ws), "free motion");  // set-up: first factor, condensation
  body.project_compliance(H, *ws, G);
  c.assembly = measure(seconds, [&] { require(body.assemble(state, loads, 0.02, *ws), "assembly"); });
  c.free_motion =
      measure(seconds, [&] { require(body.free_motion(state, loads, 0.02, *ws), "free motion"); });
  c.project = measure(seconds, [&] { body.project_compliance(H, *ws, G); });
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int contacts = 100;
  const double seconds = quick ? 0.1 : 1.0;
  std::printf(
      "Volume models, %d contacts; processor times in us for orientation, shares and ratios are the "
      "result\n\n",
      contacts);
  std::printf("%-22s %7s %12s %12s %12s | %8s %8s %8s\n", "model", "nodes", "assembly", "free motion",
              "compliance", "assembly", "factor", "compl.");
  struct Row {
    StepCost linear, corotational;
  };
  std::vector<Row> rows;
  for (int n : quick ? std::vector<int>{7, 12} : std::vector<int>{7, 12, 19}) {
    Row row;
    row.corotational = cost(block(n, false, FemModel::corotational), contacts, seconds);
    row.linear = cost(block(n, false, FemModel::linear), contacts, seconds);
    const StepCost hex = cost(block(n, true, FemModel::corotational), contacts, seconds);
    const auto print = [](const char* name, const StepCost& c) {
      const double total = c.free_motion.p50 + c.project.p50;
      std::printf("%-22s %7d %12.0f %12.0f %12.0f | %7.0f%% %7.0f%% %7.0f%%\n", name, c.nodes, c.assembly.p50,
                  c.free_motion.p50, c.project.p50, 100 * c.assembly.p50 / total,
                  100 * (c.free_motion.p50 - c.assembly.p50) / total, 100 * c.project.p50 / total);
    };
    print("corotational tet", row.corotational);
    print("corotational hex", hex);
    print("linear tet", row.linear);
    rows.push_back(row);
  }
  std::printf(
      "\nConstant compliance: refactor + W of the corotational tet model, over the gather of W (linear), "
      "same mesh\n");
  std::printf("%7s %10s %22s\n", "nodes", "ratio", "p10 / p90 of the ratio");
  for (const Row& r : rows) {
    const auto refactor = [&](double Spread::*q) {
      return r.corotational.free_motion.*q + r.corotational.project.*q;
    };
    std::printf("%7d %10.0f %14.0f / %.0f\n", r.linear.nodes, refactor(&Spread::p50) / r.linear.project.p50,
                refactor(&Spread::p10) / r.linear.project.p90, refactor(&Spread::p90) / r.linear.project.p10);
  }
}
