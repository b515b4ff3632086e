// Error against time of every kind of element: a bar that bends (against Timoshenko's beam), the same bar
// twisted (Saint-Venant), and a block under pressure on a quarter of its top (against the finest mesh of
// quadratic tets), for ν = 0.3, 0.45 and 0.499. Time is the processor time of one corotational step without
// contact (assembly, factor, solve), given as a ratio to the cheapest row. The last table is what decides the
// defaults of scenes: the time that a mesh within 5 % takes, linear tets = 1.    [--quick]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include "timing.hpp"

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/quadratic.hpp"

namespace {
using namespace palp;

constexpr double kNu[3] = {0.3, 0.45, 0.499};
const char* const kKinds[4] = {"tets", "quadraticTets", "trilinearHexes", "hexes"};
const char* const kCases[3] = {"bending", "torsion", "indentation"};

const std::vector<Vec3>& nodes(const FemSpec& spec) {
  return std::visit([](const auto& m) -> const std::vector<Vec3>& { return m.nodes; }, spec.mesh);
}

FemSpec spec_of(int kind, const HexMesh& hexes, double nu) {
  FemSpec spec{.young_modulus_Pa = 1e6, .poisson_ratio = nu, .quasi_static = true};
  if (kind == 0) spec.mesh = split_hexes(hexes);
  if (kind == 1) spec.mesh = quadratic(split_hexes(hexes));
  if (kind >= 2) spec.mesh = hexes;
  spec.hex_modes = kind == 2 ? HexModes::none : HexModes::inner;
  return spec;
}

struct Answer {
  int nodes = 0;
  double value = 0;  ///< displacement per load
  double step_us = 0;
};

/// Δx of a small load or of prescribed displacements, and the time of the step.
Answer solve(const FemSpec& spec, const Loads& loads,
             const std::function<double(const FemBody&, BodyWorkspace&)>& read) {
  const auto body = FemBody::make(spec);
  if (!body) std::fprintf(stderr, "bench_elements: %s\n", body.error().text().c_str()), std::exit(1);
  auto ws = (*body)->make_workspace();
  const BodyState state = (*body)->rest_state();
  Times times;
  double total = 0;
  while (times.us.size() < 3 || (total < 2e5 && times.us.size() < 50)) {
    const double start = cpu_us();
    if (!(*body)->free_motion(state, loads, 1, *ws)) std::exit(1);
    times.us.push_back(cpu_us() - start);
    total += times.us.back();
  }
  return {(*body)->blocks(), read(**body, *ws), times.at(0.5)};
}

constexpr double kLength = 0.2, kSide = 0.02;

/// A square bar clamped at x = 0, n cells across; cells twice as long as wide.
FemSpec bar(int kind, int n, double nu) {
  const BarShape shape{.length_m = kLength,
                       .width_m = kSide,
                       .height_m = kSide,
                       .cells_along = 5 * n,
                       .cells_wide = n,
                       .cells_high = n};
  FemSpec spec = spec_of(kind, bar_hexes(shape).value(), nu);
  for (size_t i = 0; i < nodes(spec).size(); ++i)
    if (nodes(spec)[i].x() < 1e-9) spec.fixed_nodes.push_back(static_cast<int>(i));
  return spec;
}

std::vector<int> tip(const FemSpec& spec) {
  std::vector<int> out;
  for (size_t i = 0; i < nodes(spec).size(); ++i)
    if (nodes(spec)[i].x() > kLength - 1e-9) out.push_back(static_cast<int>(i));
  return out;
}

Answer bending(int kind, int n, double nu) {
  const FemSpec spec = bar(kind, n, nu);
  const std::vector<int> end = tip(spec);
  Loads loads;
  loads.force = VecX::Zero(3 * static_cast<long>(nodes(spec).size()));
  for (int i : end) loads.force[3 * i + 2] = 1e-6 / static_cast<double>(end.size());
  Answer a = solve(spec, loads,
                   [&](const FemBody&, BodyWorkspace& ws) { return ws.dx_free.dot(loads.force) / 1e-12; });
  const double E = 1e6, I = std::pow(kSide, 4) / 12, G = E / (2 * (1 + nu)),
               kappa = 10 * (1 + nu) / (12 + 11 * nu);
  a.value /= std::pow(kLength, 3) / (3 * E * I) + kLength / (kappa * G * kSide * kSide);
  return a;
}

Answer torsion(int kind, int n, double nu) {
  FemSpec spec = bar(kind, n, nu);
  spec.driven_nodes = tip(spec);
  const double angle = 1e-6;
  Loads loads;
  for (int i : spec.driven_nodes) loads.prescribed.push_back(angle * Vec3::UnitX().cross(nodes(spec)[i]));
  Answer a = solve(spec, loads, [&](const FemBody& body, BodyWorkspace& ws) {
    VecX f(body.dof());
    body.constraint_force(ws, {}, VecX(), VecX(), f);
    double torque = 0;
    for (int i : spec.driven_nodes) torque += nodes(spec)[i].cross(Vec3(f.segment<3>(3 * i))).x();
    return angle / torque;
  });
  const double G = 1e6 / (2 * (1 + nu)), J = 0.140577 * std::pow(kSide, 4);
  a.value *= G * J / kLength;
  return a;
}

/// Mean displacement under the pressure per force; its reference comes from the finest mesh.
Answer indentation(int kind, int n, double nu) {
  const int cells = 4 * n;
  const BoxShape shape{
      .size_m = Vec3::Constant(0.1), .centre_m = Vec3(0, 0, -0.05), .cells = {cells, cells, cells}};
  FemSpec spec = spec_of(kind, box_hexes(shape).value(), nu);
  for (size_t i = 0; i < nodes(spec).size(); ++i)
    if (nodes(spec)[i].z() < -0.0999) spec.fixed_nodes.push_back(static_cast<int>(i));
  Loads loads;
  const auto made = FemBody::make(spec);
  if (!made) std::exit(1);
  const FemBody& body = **made;
  loads.force = VecX::Zero(body.dof());
  std::vector<Vec3> x(body.skin().vertices);
  body.skin_positions(body.rest_state(), VecX(), x);
  PointJacobian H;
  std::vector<double> area;
  for (const Triangle& t : body.skin().triangles) {
    const Vec3 middle = (x[t[0]] + x[t[1]] + x[t[2]]) / 3;
    if (middle.z() < -1e-9 || middle.head<2>().cwiseAbs().maxCoeff() > 0.025) continue;
    area.push_back(0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm());
    for (int k = 0; k < 3; ++k) body.append_vertex(body.rest_state(), t[k], 1.0 / 3, H);
    H.end_point();
  }
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      loads.force.segment<3>(3 * H.column[k]) -= 1e-6 * area[i] / 0.0025 * H.block[k].transpose().col(2);
  return solve(spec, loads,
               [&](const FemBody&, BodyWorkspace& ws) { return ws.dx_free.dot(loads.force) / 1e-12; });
}

struct Row {
  int kind, n, nodes;
  double us, error[3];
};

/// The time at which the worst error over ν falls below `goal`, interpolated between meshes in logarithms.
std::optional<double> time_at(const std::vector<Row>& rows, int kind, double goal) {
  const Row* before = nullptr;
  for (const Row& r : rows) {
    if (r.kind != kind) continue;
    const double worst =
        *std::max_element(r.error, r.error + 3, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double now = std::abs(worst);
    if (now <= goal) {
      if (!before) return r.us;
      double past = 0;
      for (double e : before->error) past = std::max(past, std::abs(e));
      const double s = std::log(past / goal) / std::log(past / now);
      return std::exp(std::log(before->us) + s * std::log(r.us / before->us));
    }
    before = &r;
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  std::printf("Displacement over the reference minus one; time of a step over that of the cheapest row\n");
  std::optional<double> at_goal[3][4];
  for (int c = 0; c < 3; ++c) {
    std::vector<Row> rows;
    double reference[3] = {1, 1, 1};
    if (c == 2)
      for (int v = 0; v < 3; ++v) {  // Richardson on the two finest meshes of quadratic tets
        const double coarse = indentation(1, 1, kNu[v]).value,
                     fine = indentation(1, quick ? 2 : 3, kNu[v]).value;
        const double ratio = quick ? 4 : 9;
        reference[v] = fine + (fine - coarse) / (ratio - 1);
      }
    for (int kind = 0; kind < 4; ++kind) {
      std::vector<int> sizes{1, 2, 4, 8};
      if (c == 2) sizes = {1, 2, 3, 4};
      if (kind == 1) sizes = c == 2 ? std::vector<int>{1, 2} : std::vector<int>{1, 2, 3, 4};
      if (quick) sizes.resize(2);
      for (int n : sizes) {
        Row row{kind, n, 0, 0, {}};
        for (int v = 0; v < 3; ++v) {
          const Answer a = c == 0   ? bending(kind, n, kNu[v])
                           : c == 1 ? torsion(kind, n, kNu[v])
                                    : indentation(kind, n, kNu[v]);
          row.error[v] = a.value / reference[v] - 1;
          row.nodes = a.nodes;
          row.us = v == 0 ? a.step_us : std::min(row.us, a.step_us);
        }
        rows.push_back(row);
      }
    }
    double cheapest = rows[0].us;
    for (const Row& r : rows) cheapest = std::min(cheapest, r.us);
    std::printf("\n%s\n%-15s %6s %7s %9s %9s %9s %9s\n", kCases[c], "elements", c == 2 ? "cells" : "across",
                "nodes", "time", "nu 0.3", "0.45", "0.499");
    for (const Row& r : rows)
      std::printf("%-15s %6d %7d %9.1f %8.1f%% %8.1f%% %8.1f%%\n", kKinds[r.kind], c == 2 ? 4 * r.n : r.n,
                  r.nodes, r.us / cheapest, 100 * r.error[0], 100 * r.error[1], 100 * r.error[2]);
    for (int kind = 0; kind < 4; ++kind) at_goal[c][kind] = time_at(rows, kind, 0.05);
  }
  std::printf("\nTime of a mesh within 5 %% for every nu, over that of hexes (-: no mesh above is)\n%-15s",
              "");
  for (const char* name : kCases) std::printf(" %12s", name);
  for (int kind = 0; kind < 4; ++kind) {
    std::printf("\n%-15s", kKinds[kind]);
    for (int c = 0; c < 3; ++c) {
      if (at_goal[c][kind] && at_goal[c][3])
        std::printf(" %12.2f", *at_goal[c][kind] / *at_goal[c][3]);
      else
        std::printf(" %12s", at_goal[c][kind] ? "yes" : "-");
    }
  }
  std::printf("\n");
}
