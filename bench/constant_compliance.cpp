// Constant compliance (global corotational, D06 eq. 30) against refactoring (per-element corotational, P11)
// on the same mesh and the same 100 contacts: what W costs in a step. Then the columns of a compliance too
// large to be kept whole, which are made when a vertex of the skin is first met: the clip as a surface in a
// lattice, a solve per column against many at a time. Ratios in one run, processor time of the thread.
//   bench_constant_compliance [--quick]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>

#include "timing.hpp"

#include "palp/base/statistics.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/voxels.hpp"

namespace {
using namespace palp;

double median_us(int repeats, const std::function<void()>& work) {
  work();
  std::vector<double> us(repeats);
  for (double& t : us) {
    const double start = cpu_us();
    work();
    t = cpu_us() - start;
  }
  std::sort(us.begin(), us.end());
  return us[us.size() / 2];
}

/// One point in each of `count` triangles next to each other on the top face, after the first `skip`, in axes
/// of its own as a contact has them.
PointJacobian contacts_on_top(const Body& body, const BodyState& state, int count, int skip = 0) {
  std::vector<Vec3> x(body.skin().vertices);
  body.skin_positions(state, VecX(), x);
  PointJacobian H;
  for (const Triangle& t : body.skin().triangles) {
    if (H.points() == count) break;
    if (std::min({x[t[0]].z(), x[t[1]].z(), x[t[2]].z()}) < 0.0499) continue;
    if (skip-- > 0) continue;
    for (int k : t) body.append_vertex(state, k, 1.0 / 3, H);
    const Mat3 N = Eigen::AngleAxisd(0.37 * H.points(), Vec3(1, 2, 3).normalized()).toRotationMatrix();
    for (size_t k = H.start.back(); k < H.block.size(); ++k) H.block[k] = N * H.block[k];
    H.end_point();
  }
  return H;
}

/// Three columns of A⁻¹ for each of 32 vertices next to each other.
bool columns_on_first_touch(int cells) {
  const TriMesh surface =
      extract_surface(*clip_hexes({.outer_radius_m = 0.0175, .cells_around = 72, .cells_wide = 6})).mesh;
  const auto laid = embed_in_voxel_hexes(surface, {.wanted_cells = cells});
  if (!laid) return false;
  const auto body = FemBody::make({.mesh = laid->mesh, .hex_fill = laid->fill, .model = FemModel::linear});
  if (!body) return false;
  BlockSymmetric A = (*body)->tangent_stiffness((*body)->rest_state(), Tangent::consistent);
  double size = 0;
  for (int j = 0; j < A.blocks(); ++j) size = std::max(size, A.value[A.start[j]].trace());
  for (int j = 0; j < A.blocks(); ++j) A.value[A.start[j]] += 1e-6 * size * Mat3::Identity();
  SparseCholesky factor;
  factor.analyze(A);
  if (!factor.factor(A)) return false;
  PointJacobian vertices, nodes;
  std::vector<char> met(A.blocks(), 0);
  const Embedding& in = laid->embedding;
  for (int v = 0; v < 32; ++v) {
    for (int k = 0; k < 8; ++k) {
      const int node = in.nodes_of(v)[k];
      vertices.add(node, in.weights_of(v)[k] * Mat3::Identity());
      if (met[node]) continue;
      met[node] = 1;
      nodes.add(node, Mat3::Identity());
      nodes.end_point();
    }
    vertices.end_point();
  }
  VecX b(3 * A.blocks());
  MatX X;
  std::vector<double> alone, together, ratio, by_node;
  for (int round = 0; round < 5; ++round) {
    alone.push_back(median_us(1, [&] {
      for (int c = 0; c < 3; ++c) {
        b.setZero();
        for (int k = 0; k < 8; ++k) b[3 * in.nodes_of(0)[k] + c] = in.weights_of(0)[k];
        factor.solve(b);
      }
    }));
    together.push_back(median_us(1, [&] { factor.solve(vertices, X); }) / 32);
    by_node.push_back(alone.back() * nodes.points() / (32 * together.back()));
    ratio.push_back(alone.back() / together.back());
  }
  std::printf("%7zu %8d %9d %14.2f %14.2f %10.1f %20.1f\n", laid->mesh.hexes.size(), A.blocks(),
              in.vertices(), alone[2] / 1000, together[2] / 1000, quantile(ratio, 0.5),
              quantile(by_node, 0.5));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  std::printf("%7s %9s %14s %16s %16s %16s %16s %12s %10s %15s %14s\n", "nodes", "contacts", "set-up ms",
              "step, const us", "W, const us", "W, moved us", "response us", "refactor us", "ratio W",
              "(p10 … p90)", "ratio, moved");
  for (const std::array<int, 3>& cells :
       {std::array{8, 8, 7}, std::array{12, 12, 12}, std::array{19, 19, 19}}) {
    if (quick && cells[0] > 8) break;  // 648, 2197 and 8000 nodes
    const TetMesh mesh =
        box_tets({.size_m = Vec3::Constant(0.1), .centre_m = Vec3::Zero(), .cells = cells}).value();
    FemSpec fem;
    fem.mesh = mesh;
    fem.young_modulus_Pa = 5e4;
    auto refactoring = FemBody::make(fem);
    GlobalCorotationalSpec spec;
    spec.mesh = mesh;
    spec.young_modulus_Pa = 5e4;
    const double start = cpu_us();
    auto constant = GlobalCorotationalBody::make(spec);
    const double set_up = cpu_us() - start;
    if (!refactoring || !constant)
      return std::fprintf(stderr, "bench_constant_compliance: set-up failed\n"), 1;

    const Body& a = **constant;
    const Body& b = **refactoring;
    const BodyState sa = a.rest_state(), sb = b.rest_state();
    auto wa = a.make_workspace(), wb = b.make_workspace();
    const PointJacobian Ha = contacts_on_top(a, sa, 100), Hb = contacts_on_top(b, sb, 100);
    const int m = Ha.points();
    MatX G = MatX::Zero(3 * m, 3 * m);
    const VecX lambda = VecX::Ones(3 * m);
    VecX dx(a.dof());
    bool good = a.free_motion(sa, {}, 1e-2, *wa) && b.free_motion(sb, {}, 1e-2, *wb);
    const double free_us = median_us(500, [&] { good = a.free_motion(sa, {}, 1e-2, *wa) && good; });
    const double response_us = median_us(100, [&] { a.response(Ha, lambda, *wa, dx); });
    // Contacts that go to other nodes at every step.
    const PointJacobian moved[2] = {contacts_on_top(a, sa, 100, 10), contacts_on_top(a, sa, 100, 20)};
    for (const PointJacobian& H : moved) a.project_compliance(H, *wa, G);  // first touch
    // In turns: the machine's moods strike both.
    std::vector<double> W, W_moved, refactor, ratio, ratio_moved;
    for (int round = 0; round < (quick ? 41 : 11); ++round) {
      int turn = 0;
      W.push_back(median_us(40, [&] { a.project_compliance(Ha, *wa, G); }));
      W_moved.push_back(median_us(40, [&] { a.project_compliance(moved[turn++ % 2], *wa, G); }));
      refactor.push_back(median_us(3, [&] {
        good = b.free_motion(sb, {}, 1e-2, *wb) && good;
        b.project_compliance(Hb, *wb, G);
      }));
      ratio.push_back(refactor.back() / W.back());
      ratio_moved.push_back(refactor.back() / W_moved.back());
    }
    const double W_us = quantile(W, 0.5), moved_us = quantile(W_moved, 0.5);
    if (!good) return std::fprintf(stderr, "bench_constant_compliance: a step failed\n"), 1;
    std::printf("%7zu %9d %14.1f %16.1f %16.1f %16.1f %16.1f %12.0f %10.1f (%5.0f …%5.0f) %14.1f\n",
                mesh.nodes.size(), m, set_up / 1000, free_us + W_us + response_us, W_us, moved_us,
                response_us, quantile(refactor, 0.5), quantile(ratio, 0.5), quantile(ratio, 0.1),
                quantile(ratio, 0.9), quantile(ratio_moved, 0.5));
  }
  std::printf("\n%7s %8s %9s %14s %14s %10s %20s\n", "cells", "nodes", "vertices", "alone ms", "together ms",
              "ratio", "against every node");
  for (int lattice : {4000, 12000, 30000})
    if ((!quick || lattice < 5000) && !columns_on_first_touch(lattice))
      return std::fprintf(stderr, "bench_constant_compliance: the clip failed\n"), 1;
  return 0;
}
