#include "palp/mechanics/condensed_compliance.hpp"

#include <algorithm>

namespace palp {

void CondensedCompliance::set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes) {
  blocks_ = blocks;
  nodes_.assign(nodes.begin(), nodes.end());
  surface_.assign(blocks, -1);
  const size_t s = nodes_.size();
  for (size_t a = 0; a < s; ++a) surface_[nodes_[a]] = static_cast<int>(a);
  const size_t held = s == 0 ? 0 : std::min(s, memory_bound_bytes / (s * sizeof(Mat3)));
  slot_.assign(s, -1);
  local_.assign(s, -1);
  owner_.assign(held, -1);
  columns_.clear();  // allocated on first use
  work_.resize(3 * blocks);
  reset();
}

void CondensedCompliance::reset() {
  std::fill(slot_.begin(), slot_.end(), -1);
  std::fill(owner_.begin(), owner_.end(), -1);
  gathered_.clear();
}

bool CondensedCompliance::condense(const BlockSymmetric& A) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  if (s == 0 || owner_.size() < nodes_.size()) return true;
  SparseCholesky surface_last;
  surface_last.analyze(A, nodes_);
  if (!surface_last.factor(A)) return false;
  PointJacobian each;
  for (int node : nodes_) {
    each.add(node, Mat3::Identity());
    each.end_point();
  }
  MatX C = MatX::Zero(3 * s, 3 * s);
  surface_last.project(each, C);
  if (!C.allFinite()) return false;
  columns_.resize(static_cast<size_t>(s) * s);
  for (int b = 0; b < s; ++b) {
    slot_[b] = owner_[b] = b;
    for (int a = 0; a < s; ++a) columns_[static_cast<size_t>(b) * s + a] = C.block<3, 3>(3 * a, 3 * b);
  }
  return true;
}

bool CondensedCompliance::find_touched(const PointJacobian& H) {
  touched_.clear();
  entry_.resize(H.column.size());
  bool known = true;
  for (size_t k = 0; k < H.column.size() && known; ++k) {
    const int a = surface_[H.column[k]];
    known = a >= 0;
    if (!known) break;
    if (local_[a] < 0) {
      local_[a] = static_cast<int>(touched_.size());
      touched_.push_back(a);
    }
    entry_[k] = local_[a];
  }
  for (int a : touched_) local_[a] = -1;
  return known;
}

bool CondensedCompliance::find_columns(const SparseCholesky& factor) {
  const size_t s = nodes_.size();
  if (touched_.size() > owner_.size()) return false;
  if (columns_.empty()) columns_.resize(owner_.size() * s);
  size_t next = 0;
  for (int b : touched_) local_[b] = 0;  // these must not be thrown out
  for (int b : touched_) {
    if (slot_[b] >= 0) continue;
    while (owner_[next] >= 0 && local_[owner_[next]] == 0) ++next;
    if (owner_[next] >= 0) slot_[owner_[next]] = -1;
    owner_[next] = b;
    slot_[b] = static_cast<int>(next);
    for (int c = 0; c < 3; ++c) {
      work_.setZero();
      work_[3 * nodes_[b] + c] = 1;
      factor.solve(work_);
      for (size_t a = 0; a < s; ++a) columns_[next * s + a].col(c) = work_.segment<3>(3 * nodes_[a]);
    }
  }
  for (int b : touched_) local_[b] = -1;
  return true;
}

void CondensedCompliance::gather() {
  const size_t t = touched_.size(), s = nodes_.size();
  C_tt_.resize(12 * t * t);
  for (size_t j = 0; j < t; ++j) {
    const Mat3* column = &columns_[slot_[touched_[j]] * s];
    double* out = &C_tt_[12 * t * j];
    for (size_t i = 0; i < t; ++i, out += 12) {
      const double* c = column[touched_[i]].data();
      for (int r = 0; r < 3; ++r)
        out[4 * r] = c[r], out[4 * r + 1] = c[3 + r], out[4 * r + 2] = c[6 + r], out[4 * r + 3] = 0;
    }
  }
  gathered_ = touched_;
}

/// G_ij for all i ≤ j when every block of H is a multiple of the identity: a mesh's usual case.
void CondensedCompliance::project_weighted_point(const PointJacobian& H, int j) {
  const size_t n = T_.size();
  double* __restrict T = T_.data();  // T = C H_jᵀ
  std::fill(T_.begin(), T_.end(), 0.0);
  for (int l = H.start[j]; l < H.start[j + 1]; ++l) {
    const double* __restrict c = &C_tt_[n * entry_[l]];
    const double w = weight_[l];
    for (size_t i = 0; i < n; ++i) T[i] += w * c[i];
  }
  for (int i = 0; i <= j; ++i) {
    double g[12] = {};
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      const double* __restrict rows = T + 12 * entry_[k];
      const double w = weight_[k];
      for (int q = 0; q < 12; ++q) g[q] += w * rows[q];
    }
    for (int q = 0; q < 12; ++q) G_[12 * i + q] = g[q];
  }
}

/// The same for any blocks.
void CondensedCompliance::project_point(const PointJacobian& H, int j) {
  const size_t n = T_.size();
  std::fill(T_.begin(), T_.end(), 0.0);
  for (int l = H.start[j]; l < H.start[j + 1]; ++l) {
    const double* c = &C_tt_[n * entry_[l]];
    const Mat3& B = H.block[l];
    for (size_t i = 0; i < n; i += 4)
      for (int k = 0; k < 3; ++k) T_[i + k] += B(k, 0) * c[i] + B(k, 1) * c[i + 1] + B(k, 2) * c[i + 2];
  }
  std::fill(G_.begin(), G_.begin() + 12 * (j + 1), 0.0);
  for (int i = 0; i <= j; ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
      const double* rows = &T_[12 * entry_[k]];
      const Mat3& B = H.block[k];
      for (int r = 0; r < 3; ++r)
        for (int d = 0; d < 3; ++d)
          for (int c = 0; c < 4; ++c) G_[12 * i + 4 * r + c] += B(r, d) * rows[4 * d + c];
    }
}

bool CondensedCompliance::project(const SparseCholesky& factor, const PointJacobian& H, MatRef G) {
  if (!find_touched(H)) return false;
  if (touched_ != gathered_) {
    if (!find_columns(factor)) return false;
    gather();
  }
  T_.resize(12 * touched_.size());
  G_.resize(12 * H.points());
  weight_.clear();
  for (const Mat3& B : H.block) {
    if (B != B(0, 0) * Mat3::Identity()) break;
    weight_.push_back(B(0, 0));
  }
  const bool weighted = weight_.size() == H.block.size();
  for (int j = 0; j < H.points(); ++j) {
    if (weighted)
      project_weighted_point(H, j);
    else
      project_point(H, j);
    for (int c = 0; c < 3; ++c) {  // above the diagonal
      double* column = &G(0, 3 * j + c);
      for (int i = 0; i < j; ++i)
        for (int r = 0; r < 3; ++r) column[3 * i + r] += G_[12 * i + 4 * r + c];
    }
    for (int i = 0; i <= j; ++i)  // on and below it
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) G(3 * j + c, 3 * i + r) += G_[12 * i + 4 * r + c];
  }
  return true;
}

}  // namespace palp
