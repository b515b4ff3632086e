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
    for (size_t i = 0; i < t; ++i) {
      const Mat3& block = column[touched_[i]];
      for (size_t c = 0; c < 3; ++c) {
        double* out = &C_tt_[12 * t * j + 4 * (t * c + i)];
        for (int r = 0; r < 3; ++r) out[r] = block(r, c);
        out[3] = 0;
      }
    }
  }
  gathered_ = touched_;
}

/// T = C H_jᵀ when the blocks of H are multiples of the identity: the usual case of a mesh.
void CondensedCompliance::carry_weights(const PointJacobian& H, int j) {
  const size_t n = T_.size();
  double* __restrict T = T_.data();
  std::fill(T_.begin(), T_.end(), 0.0);
  int l = H.start[j];
  const int end = H.start[j + 1];
  for (; l + 2 < end; l += 3) {  // three at a time: a triangle's corners in one pass
    const double *a = &C_tt_[n * entry_[l]], *b = &C_tt_[n * entry_[l + 1]], *c = &C_tt_[n * entry_[l + 2]];
    const double wa = weight_[l], wb = weight_[l + 1], wc = weight_[l + 2];
    for (size_t i = 0; i < n; ++i) T[i] += wa * a[i] + wb * b[i] + wc * c[i];
  }
  for (; l < end; ++l) {
    const double* a = &C_tt_[n * entry_[l]];
    const double w = weight_[l];
    for (size_t i = 0; i < n; ++i) T[i] += w * a[i];
  }
}

/// The same for any blocks.
void CondensedCompliance::carry_blocks(const PointJacobian& H, int j) {
  const size_t n = T_.size(), third = n / 3;
  std::fill(T_.begin(), T_.end(), 0.0);
  for (int l = H.start[j]; l < H.start[j + 1]; ++l) {
    const double* C = &C_tt_[n * entry_[l]];
    for (size_t c = 0; c < 3; ++c) {
      const double b0 = H.block[l](c, 0), b1 = H.block[l](c, 1), b2 = H.block[l](c, 2);
      double* __restrict T = &T_[third * c];
      for (size_t i = 0; i < third; ++i) T[i] += b0 * C[i] + b1 * C[third + i] + b2 * C[2 * third + i];
    }
  }
}

namespace {

/// The three columns H T, each 3 · points long. Four rows are written at once: the padding is overwritten by
/// the next point, or falls into the extra place at the end.
void land_weights(const PointJacobian& H, const int* entry, const double* weight, const double* T,
                  size_t third, double* column) {
  using Rows = Eigen::Vector4d;
  const int m = H.points(), length = 3 * m + 1;
  const int* start = H.start.data();
  for (int i = 0; i < m; ++i) {
    Rows g0 = Rows::Zero(), g1 = g0, g2 = g0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double w = weight[k];
      const double* t = T + 4 * entry[k];
      g0 += w * Eigen::Map<const Rows>(t);
      g1 += w * Eigen::Map<const Rows>(t + third);
      g2 += w * Eigen::Map<const Rows>(t + 2 * third);
    }
    Eigen::Map<Rows>(column + 3 * i) = g0;
    Eigen::Map<Rows>(column + length + 3 * i) = g1;
    Eigen::Map<Rows>(column + 2 * length + 3 * i) = g2;
  }
}

void land_blocks(const PointJacobian& H, const int* entry, const double* T, size_t third, double* column) {
  const int m = H.points(), length = 3 * m + 1;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < m; ++i) {
      Vec3 g = Vec3::Zero();
      for (int k = H.start[i]; k < H.start[i + 1]; ++k)
        g += H.block[k] * Eigen::Map<const Vec3>(T + third * c + 4 * entry[k]);
      Eigen::Map<Vec3>(column + length * c + 3 * i) = g;
    }
}

}  // namespace

bool CondensedCompliance::project(const SparseCholesky& factor, const PointJacobian& H, MatRef G) {
  if (!find_touched(H)) return false;
  if (touched_ != gathered_) {
    if (!find_columns(factor)) return false;
    gather();
  }
  const int m = H.points();
  const size_t third = 4 * touched_.size();
  T_.resize(3 * third);
  column_.resize(3 * (3 * m + 1));
  weight_.clear();
  for (const Mat3& B : H.block) {
    if (B != B(0, 0) * Mat3::Identity()) break;
    weight_.push_back(B(0, 0));
  }
  const bool weighted = weight_.size() == H.block.size();
  for (int j = 0; j < m; ++j) {
    if (weighted)
      carry_weights(H, j);
    else
      carry_blocks(H, j);
    if (weighted)
      land_weights(H, entry_.data(), weight_.data(), T_.data(), third, column_.data());
    else
      land_blocks(H, entry_.data(), T_.data(), third, column_.data());
    for (int c = 0; c < 3; ++c) {
      const double* __restrict column = &column_[c * (3 * m + 1)];
      double* __restrict out = &G(0, 3 * j + c);
      for (int i = 0; i < 3 * m; ++i) out[i] += column[i];
    }
  }
  return true;
}

}  // namespace palp
