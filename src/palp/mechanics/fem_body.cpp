#include "palp/mechanics/fem_body.hpp"

#include <algorithm>
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/math/sparse_cholesky.hpp"
#include "palp/mechanics/condensed_compliance.hpp"

namespace palp {
namespace {

bool same_stiffness(const std::vector<BlockLoad>& a, const std::vector<BlockLoad>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].block != b[i].block || a[i].stiffness != b[i].stiffness) return false;
  return true;
}

}  // namespace

struct FemBody::Workspace : BodyWorkspace {
  BlockSymmetric A;       // all nodes; build_system fills
  BlockSymmetric A_free;  // free nodes; factor_system copies; unused when all nodes are free
  SparseCholesky factor;  // of the free part
  VecX b;                 // right-hand side, all nodes; build_system fills
  VecX f_int;             // all nodes
  VecX dx_given;          // all nodes; prescribed displacement, zero elsewhere
  VecX reduced;           // free nodes
  PointJacobian H_free;   // columns in free nodes
  CondensedCompliance condensed;
  bool is_factored = false;  // `factor` belongs to A; linear: A may be used again with …
  double factored_h = 0;     // … this h …
  Scheme factored_scheme = Scheme::euler;
  std::vector<BlockLoad> factored_loads;  // … and these couplings
  double condensed_h = 0;                 // linear: `condensed` belongs to A without couplings at this h …
  Scheme condensed_scheme = Scheme::euler;  // … with this rule
  bool use_condensed = false;               // linear: no couplings in A
};

BodyState FemBody::rest_state() const { return {rest_, VecX::Zero(dof())}; }

void FemBody::launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const {
  Vec3 centre = Vec3::Zero();
  for (int n = 0; n < blocks(); ++n) centre += node_mass_[n] * state.x.segment<3>(3 * n);
  if (mass() > 0) centre /= mass();
  state.v.setZero();
  for (size_t i = 0; i < node_of_free_.size(); ++i) {
    const int n = 3 * node_of_free_[i];
    state.v.segment<3>(n) = velocity + spin.cross(state.x.segment<3>(n) - centre);
    if (!partly_.empty() && partly_[i] >= 0)
      state.v.segment<3>(n) = (free_projector_[partly_[i]] * state.v.segment<3>(n)).eval();
  }
}

std::unique_ptr<BodyWorkspace> FemBody::make_workspace() const {
  auto ws = std::make_unique<Workspace>();
  ws->A = pattern_;
  ws->A_free = free_pattern_;
  ws->dx_free = ws->b = ws->f_int = ws->dx_given = VecX::Zero(dof());
  ws->reduced = VecX::Zero(3 * node_of_free_.size());
  if (!node_of_free_.empty()) ws->factor.analyze(free_pattern_.blocks() > 0 ? free_pattern_ : pattern_);
  if (condensed_by_vertex()) {
    PointJacobian all, free;
    for (int v = 0; v < skin_.vertices; ++v) {
      append_vertex({}, v, 1, all);
      all.end_point();
    }
    reduce(all, free);
    ws->condensed.set_up(std::move(free), condensation_bound_);
  } else if (model_ == FemModel::linear) {
    ws->condensed.set_up(static_cast<int>(node_of_free_.size()), contact_nodes_, condensation_bound_);
  }
  return ws;
}

void FemBody::skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const {
  for (int v = 0; v < skin_.vertices; ++v) {
    Vec3 p = Vec3::Zero();
    for (int k = embedding_.start[v]; k < embedding_.start[v + 1]; ++k) {
      const int n = 3 * embedding_.node[k];
      p += embedding_.weight[k] * state.x.segment<3>(n);
      if (dx.size() > 0) p += embedding_.weight[k] * dx.segment<3>(n);
    }
    out[v] = p;
  }
}

void FemBody::append_vertex(const BodyState&, int vertex, double weight, PointJacobian& H) const {
  const size_t first = H.column.size();
  for (int k = embedding_.start[vertex]; k < embedding_.start[vertex + 1]; ++k)
    H.add(embedding_.node[k], weight * embedding_.weight[k] * Mat3::Identity());
  if (condensed_by_vertex()) H.label(first, vertex);
}

void FemBody::add_elements(Tangent kind, double stiffness_factor, ConstVecRef x, VecRef f,
                           BlockSymmetric* K) const {
  const CorotationalParameters p{kind, stiffness_factor};
  add_corotational(tets_, p, x, f, K);
  add_corotational(hexes_, p, x, f, K);
  add_corotational(quadratic_tets_, p, x, f, K);
}

void FemBody::add_mass(double factor, BlockSymmetric& A) const {
  if (lumped_)
    for (int j = 0; j < A.blocks(); ++j) A.value[A.start[j]].diagonal().array() += factor * node_mass_[j];
  else
    for (size_t k = 0; k < mass_.size(); ++k) A.value[k].diagonal().array() += factor * mass_[k];
}

void FemBody::multiply_mass(double factor, ConstVecRef v, VecRef out) const {
  if (lumped_) {
    for (int j = 0; j < blocks(); ++j) out.segment<3>(3 * j) += factor * node_mass_[j] * v.segment<3>(3 * j);
    return;
  }
  for (int j = 0; j < blocks(); ++j)
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) {
      const int i = pattern_.row[k];
      out.segment<3>(3 * i) += factor * mass_[k] * v.segment<3>(3 * j);
      if (i != j) out.segment<3>(3 * j) += factor * mass_[k] * v.segment<3>(3 * i);
    }
}

/// Fills ws.A (unless it is constant and known), ws.b and ws.dx_given.
bool FemBody::build_system(const BodyState& state, const Loads& loads, double h, Workspace& ws) const {
  if (!(h > 0) || !std::isfinite(h) || state.x.size() != dof() || state.v.size() != dof()) return false;
  if (!state.x.allFinite() || !state.v.allFinite()) return false;
  if (loads.force.size() != 0 && loads.force.size() != dof()) return false;
  if (!loads.prescribed.empty() && loads.prescribed.size() != driven_.size()) return false;
  for (const BlockLoad& load : loads.blocks)  // a mesh node has no rotation
    if (load.block < 0 || load.block >= blocks() || load.has_rotation || !load.stiffness.allFinite())
      return false;

  ws.scheme = quasi_static_ ? Scheme::euler : loads.scheme;
  const double second = ws.scheme == Scheme::midpoint ? 2 : 1;
  const double mass_factor = (quasi_static_ ? 0 : second / (h * h)) + alpha_ / h;
  const double stiffness_factor = 1 / second + beta_ / h;
  ws.f_int.setZero();
  ws.is_factored = ws.is_factored && model_ == FemModel::linear && ws.factored_h == h &&
                   ws.factored_scheme == ws.scheme && same_stiffness(loads.blocks, ws.factored_loads);
  if (model_ == FemModel::corotational) {
    for (Mat3& block : ws.A.value) block.setZero();
    add_elements(tangent_, stiffness_factor, state.x, ws.f_int, &ws.A);
  } else {
    ws.b = state.x - rest_;
    pattern_.multiply_add(ws.b, ws.f_int);
    if (!ws.is_factored)
      for (size_t k = 0; k < pattern_.value.size(); ++k) ws.A.value[k] = stiffness_factor * pattern_.value[k];
  }
  if (!ws.is_factored) {
    add_mass(mass_factor, ws.A);
    for (const BlockLoad& load : loads.blocks)
      ws.A.value[ws.A.start[load.block]] += load.stiffness.topLeftCorner<3, 3>();
  }

  ws.b = -ws.f_int;
  for (int j = 0; j < blocks(); ++j) ws.b.segment<3>(3 * j) += node_mass_[j] * loads.gravity;
  if (!quasi_static_) multiply_mass(second / h, state.v, ws.b);
  if (loads.force.size() > 0) ws.b += loads.force;
  for (const BlockLoad& load : loads.blocks) ws.b.segment<3>(3 * load.block) += load.force.head<3>();
  for (int n : driven_) ws.dx_given.segment<3>(3 * n).setZero();
  for (size_t i = 0; i < loads.prescribed.size(); ++i)
    ws.dx_given.segment<3>(3 * driven_[i]) += driven_directions_[i] * loads.prescribed[i];
  return ws.b.allFinite() && ws.dx_given.allFinite();
}

/// Factors the free part of ws.A; linear: and condenses it, when no coupling is part of it.
bool FemBody::factor_system(const Loads& loads, double h, Workspace& ws) const {
  const bool all_free = free_pattern_.blocks() == 0;
  if (!all_free) {
    size_t next = 0;
    for (int j = 0; j < pattern_.blocks(); ++j) {
      if (free_of_node_[j] < 0) continue;
      for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k)
        if (free_of_node_[pattern_.row[k]] >= 0) ws.A_free.value[next++] = ws.A.value[k];
    }
    restrict(ws.A_free);
  }
  const BlockSymmetric& A = all_free ? ws.A : ws.A_free;
  if (!ws.factor.factor(A)) return false;
  if (model_ == FemModel::linear) {
    const bool coupled = std::any_of(loads.blocks.begin(), loads.blocks.end(),
                                     [](const BlockLoad& load) { return !load.stiffness.isZero(0); });
    if (!coupled && (ws.condensed_h != h || ws.condensed_scheme != ws.scheme)) {
      if (!ws.condensed.condense(A)) return false;
      ws.condensed_h = h;
      ws.condensed_scheme = ws.scheme;
    }
    ws.use_condensed = !coupled;
    ws.factored_h = h;
    ws.factored_scheme = ws.scheme;
    ws.factored_loads = loads.blocks;
  }
  ws.is_factored = true;
  return true;
}

bool FemBody::assemble(const BodyState& state, const Loads& loads, double h, BodyWorkspace& base) const {
  auto& ws = static_cast<Workspace&>(base);
  const bool built = build_system(state, loads, h, ws);
  ws.is_factored = ws.is_factored && model_ == FemModel::linear && built;
  return built;
}

bool FemBody::free_motion(const BodyState& state, const Loads& loads, double h, BodyWorkspace& base) const {
  auto& ws = static_cast<Workspace&>(base);
  if (!build_system(state, loads, h, ws)) return false;
  ws.dx_free = ws.dx_given;
  ws.h = h;
  if (node_of_free_.empty()) return true;
  if (!ws.is_factored && !factor_system(loads, h, ws)) return false;

  // A_ff Δx_f = b_f − A_fc Δx_c
  if (!driven_.empty() && !loads.prescribed.empty()) {
    ws.f_int.setZero();
    ws.A.multiply_add(ws.dx_given, ws.f_int);
    ws.f_int = ws.b - ws.f_int;
    gather_free(ws.f_int, ws.reduced);
  } else {
    gather_free(ws.b, ws.reduced);
  }
  restrict(ws.reduced);
  ws.factor.solve(ws.reduced);
  for (size_t i = 0; i < node_of_free_.size(); ++i)
    ws.dx_free.segment<3>(3 * node_of_free_[i]) += ws.reduced.segment<3>(3 * i);
  return ws.dx_free.allFinite();
}

void FemBody::gather_free(ConstVecRef full, VecRef free) const {
  for (size_t i = 0; i < node_of_free_.size(); ++i)
    free.segment<3>(3 * i) = full.segment<3>(3 * node_of_free_[i]);
}

/// Right-hand sides: P b.
void FemBody::restrict(VecRef free) const {
  for (size_t k = 0; k < partly_free_.size(); ++k)
    free.segment<3>(3 * partly_free_[k]) = (free_projector_[k] * free.segment<3>(3 * partly_free_[k])).eval();
}

/// The matrix: P A P + s (I − P).
void FemBody::restrict(BlockSymmetric& A) const {
  if (partly_free_.empty()) return;
  for (int j = 0; j < A.blocks(); ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k) {
      const int i = A.row[k];
      if (partly_[i] < 0 && partly_[j] < 0) continue;
      const double size = A.value[k].trace() / 3;
      if (partly_[i] >= 0) A.value[k] = (free_projector_[partly_[i]] * A.value[k]).eval();
      if (partly_[j] >= 0) A.value[k] = (A.value[k] * free_projector_[partly_[j]]).eval();
      if (i == j) A.value[k] += size * (Mat3::Identity() - free_projector_[partly_[i]]);
    }
}

/// H with columns in free nodes; given nodes drop out, since no force moves them. Each node once per point:
/// the corners of an embedded triangle mostly lie in one element and share its nodes.
void FemBody::reduce(const PointJacobian& H, PointJacobian& free) const {
  free.clear();
  for (int i = 0; i < H.points(); ++i) {
    const auto first = static_cast<long>(free.column.size());
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      const int node = free_of_node_[H.column[k]];
      if (node < 0) continue;
      const Mat3 block = partly_.empty() || partly_[node] < 0
                             ? H.block[k]
                             : Mat3(H.block[k] * free_projector_[partly_[node]]);
      const auto same = std::find(free.column.begin() + first, free.column.end(), node);
      if (same == free.column.end())
        free.add(node, block);
      else
        free.block[same - free.column.begin()] += block;
    }
    free.end_point();
  }
}

void FemBody::project_compliance(const PointJacobian& H, BodyWorkspace& base, MatRef G) const {
  auto& ws = static_cast<Workspace&>(base);
  if (node_of_free_.empty()) return;
  reduce(H, ws.H_free);
  const auto solve = [&ws](const PointJacobian& E, MatX& X) { ws.factor.solve(E, X); };
  if (ws.use_condensed && ws.condensed.project(solve, ws.condensed.by_vertex() ? H : ws.H_free, G)) return;
  ws.factor.project(ws.H_free, G);
}

void FemBody::response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& base, VecRef dx_c) const {
  auto& ws = static_cast<Workspace&>(base);
  dx_c.setZero();
  if (node_of_free_.empty()) return;
  ws.reduced.setZero();
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      if (const int node = free_of_node_[H.column[k]]; node >= 0)
        ws.reduced.segment<3>(3 * node).noalias() += H.block[k].transpose() * lambda.segment<3>(3 * i);
  restrict(ws.reduced);
  ws.factor.solve(ws.reduced);
  for (size_t i = 0; i < node_of_free_.size(); ++i)
    dx_c.segment<3>(3 * node_of_free_[i]) = ws.reduced.segment<3>(3 * i);
}

void FemBody::commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const {
  if (!ws.reflects()) {
    state.v = ws.dx_free;
    if (dx_c.size() > 0) state.v += dx_c;
    state.x += state.v;
    state.v /= ws.h;
    return;
  }
  // v ← 2 Δx/h − v; what is driven has the velocity it is driven with.
  const auto& own = static_cast<const Workspace&>(ws);
  for (int n = 0; n < blocks(); ++n) {
    Vec3 dx = ws.dx_free.segment<3>(3 * n);
    if (dx_c.size() > 0) dx += dx_c.segment<3>(3 * n);
    state.x.segment<3>(3 * n) += dx;
    state.v.segment<3>(3 * n) =
        free_of_node_[n] < 0 ? Vec3(dx / ws.h) : Vec3(2 / ws.h * dx - state.v.segment<3>(3 * n));
  }
  for (size_t k = 0; k < partly_free_.size(); ++k) {
    const int n = node_of_free_[partly_free_[k]];
    state.v.segment<3>(3 * n) =
        (free_projector_[k] * state.v.segment<3>(3 * n) + own.dx_given.segment<3>(3 * n) / ws.h).eval();
  }
}

void FemBody::apply_system(const BodyState&, const BodyWorkspace& base, ConstVecRef dx, VecRef M_dx,
                           VecRef D_dx, VecRef A_dx) const {
  const auto& ws = static_cast<const Workspace&>(base);
  const double h = ws.h, mass_factor = (quasi_static_ ? 0 : 1 / (h * h)) + alpha_ / h;
  M_dx.setZero();
  multiply_mass(1, dx, M_dx);
  A_dx.setZero();
  ws.A.multiply_add(dx, A_dx);
  // K dx = (A − (1/h² + α/h) M) dx / (1 + β/h)
  const double beta = beta_ / (1 + beta_ / h);
  D_dx = beta * A_dx + (alpha_ - beta * mass_factor) * M_dx;
  if (quasi_static_) M_dx.setZero();
}

MatX FemBody::rigid_motions(const BodyState& state) const {
  if (free_pattern_.blocks() > 0 || node_of_free_.empty()) return MatX(dof(), 0);
  Vec3 centre = Vec3::Zero();
  for (int j = 0; j < blocks(); ++j) centre += state.x.segment<3>(3 * j) / blocks();
  MatX motions = MatX::Zero(dof(), 6);
  for (int j = 0; j < blocks(); ++j) {
    motions.block<3, 3>(3 * j, 0).setIdentity();
    motions.block<3, 3>(3 * j, 3) = -cross_matrix(state.x.segment<3>(3 * j) - centre);
  }
  return motions;
}

double FemBody::kinetic_energy(const BodyState& state) const {
  if (quasi_static_) return 0;
  double sum = 0;
  if (lumped_) {
    for (int j = 0; j < blocks(); ++j) sum += node_mass_[j] * state.v.segment<3>(3 * j).squaredNorm();
    return 0.5 * sum;
  }
  for (int j = 0; j < blocks(); ++j)
    for (int k = pattern_.start[j]; k < pattern_.start[j + 1]; ++k) {
      const int i = pattern_.row[k];
      sum += (i == j ? 1 : 2) * mass_[k] * state.v.segment<3>(3 * i).dot(state.v.segment<3>(3 * j));
    }
  return 0.5 * sum;
}

double FemBody::elastic_energy(const BodyState& state) const {
  if (model_ == FemModel::corotational)
    return corotational_energy(tets_, state.x) + corotational_energy(hexes_, state.x) +
           corotational_energy(quadratic_tets_, state.x);
  const VecX u = state.x - rest_;
  VecX f = VecX::Zero(dof());
  pattern_.multiply_add(u, f);
  return 0.5 * u.dot(f);
}

void FemBody::internal_force(const BodyState& state, VecRef f) const {
  f.setZero();
  if (model_ == FemModel::corotational)
    add_elements(tangent_, 1, state.x, f, nullptr);
  else
    pattern_.multiply_add(state.x - rest_, f);
}

BlockSymmetric FemBody::tangent_stiffness(const BodyState& state, Tangent kind) const {
  BlockSymmetric K = pattern_;
  if (model_ == FemModel::linear) return K;
  for (Mat3& block : K.value) block.setZero();
  VecX f = VecX::Zero(dof());
  add_elements(kind, 1, state.x, f, &K);
  return K;
}

MatX FemBody::dense_system(const BodyState& state, const Loads& loads, double h) const {
  Workspace ws;
  ws.A = pattern_;
  ws.b = ws.f_int = ws.dx_given = VecX::Zero(dof());
  if (!build_system(state, loads, h, ws)) return MatX::Constant(dof(), dof(), std::nan(""));
  MatX A = ws.A.dense();
  const double stiff = 1e20 * A.diagonal().maxCoeff();
  for (int n = 0; n < blocks(); ++n) {
    if (free_of_node_[n] >= 0) continue;
    A.middleRows<3>(3 * n).setZero();
    A.middleCols<3>(3 * n).setZero();
    A.block<3, 3>(3 * n, 3 * n) = stiff * Mat3::Identity();
  }
  for (size_t k = 0; k < partly_free_.size(); ++k) {
    const int n = node_of_free_[partly_free_[k]];
    A.middleRows<3>(3 * n) = (free_projector_[k] * A.middleRows<3>(3 * n)).eval();
    A.middleCols<3>(3 * n) = (A.middleCols<3>(3 * n) * free_projector_[k]).eval();
    A.block<3, 3>(3 * n, 3 * n) += stiff * (Mat3::Identity() - free_projector_[k]);
  }
  return A;
}

bool FemBody::frame(const BodyState& state, int index, BodyFrame& out) const {
  if (index < 0 || index >= blocks()) return false;
  out = {};
  out.position = state.x.segment<3>(3 * index);
  out.velocity = state.v.segment<3>(3 * index);
  out.block = index;
  return true;
}

BodyFrame FemBody::driven_frame(const BodyState& state, int k) const {
  BodyFrame node;
  frame(state, driven_[k], node);
  return node;
}

void FemBody::constraint_force(const BodyWorkspace& base, const PointJacobian& H, ConstVecRef lambda,
                               ConstVecRef dx_c, VecRef out) const {
  const auto& ws = static_cast<const Workspace&>(base);
  out = -ws.b;
  ws.A.multiply_add(ws.dx_free, out);
  if (dx_c.size() > 0) ws.A.multiply_add(dx_c, out);
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      out.segment<3>(3 * H.column[k]) -= H.block[k].transpose() * lambda.segment<3>(3 * i);
  for (size_t i = 0; i < node_of_free_.size(); ++i) {
    const auto at = out.segment<3>(3 * node_of_free_[i]);
    if (partly_.empty() || partly_[i] < 0)
      out.segment<3>(3 * node_of_free_[i]).setZero();
    else
      out.segment<3>(3 * node_of_free_[i]) = (at - free_projector_[partly_[i]] * at).eval();
  }
}

}  // namespace palp
