#include "palp/mechanics/condensed_compliance.hpp"

#include <algorithm>

namespace palp {
namespace {
constexpr int panel_points = 8;  // columns of G that are mirrored together
}

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
  work_.resize(3 * blocks);
  reset();
}

void CondensedCompliance::reset() {
  std::fill(slot_.begin(), slot_.end(), -1);
  std::fill(owner_.begin(), owner_.end(), -1);
  gathered_.clear();
  columns_.reset();  // allocated on first use
}

void CondensedCompliance::fill(const MatX& C) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  columns_ = std::make_shared<std::vector<Mat3>>(static_cast<size_t>(s) * s);
  for (int b = 0; b < s; ++b) {
    slot_[b] = owner_[b] = b;
    for (int a = 0; a < s; ++a) (*columns_)[static_cast<size_t>(b) * s + a] = C.block<3, 3>(3 * a, 3 * b);
  }
}

bool CondensedCompliance::condense(const BlockSymmetric& A) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  if (s == 0 || !fits()) return true;
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
  fill(C);
  return true;
}

bool CondensedCompliance::find_touched(const PointJacobian& H) {
  touched_.clear();
  entry_.resize(H.column.size());
  reach_.resize(H.points());
  bool known = true;
  for (int j = 0; j < H.points() && known; ++j) {
    for (int k = H.start[j]; k < H.start[j + 1] && known; ++k) {
      const int a = surface_[H.column[k]];
      known = a >= 0;
      if (!known) break;
      if (local_[a] < 0) {
        local_[a] = static_cast<int>(touched_.size());
        touched_.push_back(a);
      }
      entry_[k] = local_[a];
    }
    reach_[j] = static_cast<int>(touched_.size());
  }
  for (int a : touched_) local_[a] = -1;
  return known;
}

bool CondensedCompliance::find_columns(const Solve& solve) {
  const size_t s = nodes_.size();
  if (touched_.size() > owner_.size()) return false;
  if (!columns_) columns_ = std::make_shared<std::vector<Mat3>>(owner_.size() * s);
  size_t next = 0, unused = 0;
  for (int b : touched_) local_[b] = 0;  // these must not be thrown out
  for (int b : touched_) {
    if (slot_[b] >= 0) continue;
    while (unused < owner_.size() && owner_[unused] >= 0) ++unused;
    while (owner_[next] >= 0 && local_[owner_[next]] == 0) ++next;
    const size_t place = unused < owner_.size() ? unused : next;  // throw out only when all are in use
    if (owner_[place] >= 0) slot_[owner_[place]] = -1;
    owner_[place] = b;
    slot_[b] = static_cast<int>(place);
    for (int c = 0; c < 3; ++c) {
      work_.setZero();
      work_[3 * nodes_[b] + c] = 1;
      solve(work_);
      for (size_t a = 0; a < s; ++a) (*columns_)[place * s + a].col(c) = work_.segment<3>(3 * nodes_[a]);
    }
  }
  for (int b : touched_) local_[b] = -1;
  return true;
}

void CondensedCompliance::gather() {
  const size_t t = touched_.size(), s = nodes_.size();
  C_tt_.resize(12 * t * t);
  for (size_t j = 0; j < t; ++j) {
    const Mat3* column = &(*columns_)[slot_[touched_[j]] * s];
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

/// Whether every block of H is a multiple of Q, to rounding; then weight_ holds the factors.
bool CondensedCompliance::find_weights(const PointJacobian& H, const Mat3& Q) {
  weight_.resize(H.block.size());
  for (size_t k = 0; k < H.block.size(); ++k) {
    const double w = H.block[k].cwiseProduct(Q).sum() / 3;
    if (!((H.block[k] - w * Q).squaredNorm() <= 1e-28 * w * w)) return false;
    weight_[k] = w;
  }
  return true;
}

/// T = C H_jᵀ with weights only; the leading part that points up to j need.
void CondensedCompliance::carry_weights(const PointJacobian& H, int j) {
  const size_t third = 4 * touched_.size(), n = 4 * static_cast<size_t>(reach_[j]);
  for (size_t c = 0; c < 3; ++c) {
    double* __restrict T = &T_[third * c];
    const double* C = &C_tt_[third * c];
    int l = H.start[j];
    const int end = H.start[j + 1];
    bool begun = false;
    for (; l + 2 < end; l += 3) {  // three at a time: a triangle's corners in one pass
      const double *p = C + 3 * third * entry_[l], *q = C + 3 * third * entry_[l + 1],
                   *r = C + 3 * third * entry_[l + 2];
      const double wp = weight_[l], wq = weight_[l + 1], wr = weight_[l + 2];
      if (begun)
        for (size_t i = 0; i < n; ++i) T[i] += wp * p[i] + wq * q[i] + wr * r[i];
      else
        for (size_t i = 0; i < n; ++i) T[i] = wp * p[i] + wq * q[i] + wr * r[i];
      begun = true;
    }
    if (!begun) std::fill(T, T + n, 0.0);
    for (; l < end; ++l) {
      const double* p = C + 3 * third * entry_[l];
      const double w = weight_[l];
      for (size_t i = 0; i < n; ++i) T[i] += w * p[i];
    }
  }
}

/// The same for any blocks.
void CondensedCompliance::carry_blocks(const PointJacobian& H, int j) {
  const size_t third = 4 * touched_.size(), n = 4 * static_cast<size_t>(reach_[j]);
  for (size_t c = 0; c < 3; ++c) std::fill_n(&T_[third * c], n, 0.0);
  for (int l = H.start[j]; l < H.start[j + 1]; ++l) {
    const double* C = &C_tt_[3 * third * entry_[l]];
    for (size_t c = 0; c < 3; ++c) {
      const double b0 = H.block[l](c, 0), b1 = H.block[l](c, 1), b2 = H.block[l](c, 2);
      double* __restrict T = &T_[third * c];
      for (size_t i = 0; i < n; ++i) T[i] += b0 * C[i] + b1 * C[third + i] + b2 * C[2 * third + i];
    }
  }
}

namespace {

using Rows = Eigen::Vector4d;

/// T ← scale · R T Rᵀ, block by block.
void turn(const Mat3& R, double scale, size_t third, int nodes, double* T) {
  Rows axis[3];
  for (int k = 0; k < 3; ++k) axis[k] << scale * R.col(k), 0;
  const Mat3 Q = R;
  for (int i = 0; i < nodes; ++i) {
    double* t = T + 4 * i;
    Rows turned[3];
    for (int k = 0; k < 3; ++k) {
      const double* column = t + third * k;
      turned[k] = axis[0] * column[0] + axis[1] * column[1] + axis[2] * column[2];
    }
    for (int c = 0; c < 3; ++c)
      Eigen::Map<Rows>(t + third * c) = Q(c, 0) * turned[0] + Q(c, 1) * turned[1] + Q(c, 2) * turned[2];
  }
}

/// Rows of the first `points` points in the three columns H T. Four rows are written at once: the padding is
/// overwritten by the next point, or falls into the extra place at the end.
void land_weights(const PointJacobian& H, int points, const int* entry, const double* weight, const double* T,
                  size_t third, int length, double* column) {
  const int* start = H.start.data();
  for (int i = 0; i < points; ++i) {
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

void land_blocks(const PointJacobian& H, int points, const int* entry, double scale, const double* T,
                 size_t third, int length, double* column) {
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < points; ++i) {
      Vec3 g = Vec3::Zero();
      for (int k = H.start[i]; k < H.start[i + 1]; ++k)
        g += H.block[k] * Eigen::Map<const Vec3>(T + third * c + 4 * entry[k]);
      Eigen::Map<Vec3>(column + length * c + 3 * i) = scale * g;
    }
}

/// The three columns J_c A_c⁻¹ J_cᵀ of point j, down to its own rows.
void add_frame(const CarryingFrame& frame, int j, int length, double* column) {
  const int n = 3 * (j + 1);
  const double *J0 = frame.J.data(), *J1 = J0 + frame.J.rows(), *J2 = J1 + frame.J.rows(),
               *J3 = J2 + frame.J.rows(), *J4 = J3 + frame.J.rows(), *J5 = J4 + frame.J.rows();
  for (int c = 0; c < 3; ++c) {
    const Vec6 y = frame.inverse * frame.J.row(3 * j + c).transpose();
    const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], y4 = y[4], y5 = y[5];
    double* __restrict out = column + length * c;
    for (int i = 0; i < n; ++i)
      out[i] += J0[i] * y0 + J1[i] * y1 + J2[i] * y2 + J3[i] * y3 + J4[i] * y4 + J5[i] * y5;
  }
}

}  // namespace

/// Adds the columns of points first … last, and their mirror image, to G.
void CondensedCompliance::add_panel(int first, int last, MatRef G) const {
  const int length = static_cast<int>(G.rows()) + 1, corner = 3 * first, columns = 3 * (last - first);
  for (int c = 0; c < columns; ++c) {
    const double* __restrict column = &panel_[static_cast<size_t>(length) * c];
    double* __restrict out = &G(0, corner + c);
    for (int r = 0; r <= corner + c; ++r) out[r] += column[r];
  }
  for (int r = 0; r < corner; ++r) {
    const double* __restrict row = &panel_[r];
    double* __restrict out = &G(corner, r);
    for (int c = 0; c < columns; ++c) out[c] += row[static_cast<size_t>(length) * c];
  }
  for (int c = 0; c < columns; ++c)  // the two halves of the diagonal blocks agree only to rounding
    for (int r = 0; r < c; ++r)
      G(corner + c, corner + r) += panel_[static_cast<size_t>(length) * c + corner + r];
}

bool CondensedCompliance::project(const Solve& solve, const PointJacobian& H, MatRef G,
                                  const CarryingFrame* frame) {
  if (!find_touched(H)) return false;
  if (touched_ != gathered_) {
    if (!find_columns(solve)) return false;
    gather();
  }
  const int m = H.points(), length = 3 * m + 1;
  const size_t third = 4 * touched_.size();
  T_.resize(3 * third);
  panel_.resize(static_cast<size_t>(3 * panel_points) * length);
  const bool weighted = find_weights(H, frame ? frame->R : Mat3::Identity());
  for (int first = 0; first < m; first += panel_points) {
    const int last = std::min(first + panel_points, m);
    for (int j = first; j < last; ++j) {
      double* column = &panel_[static_cast<size_t>(3 * (j - first)) * length];
      if (weighted) {
        carry_weights(H, j);
        if (frame) turn(frame->R, frame->scale, third, reach_[j], T_.data());
        land_weights(H, j + 1, entry_.data(), weight_.data(), T_.data(), third, length, column);
      } else {
        carry_blocks(H, j);
        land_blocks(H, j + 1, entry_.data(), frame ? frame->scale : 1, T_.data(), third, length, column);
      }
      if (frame) add_frame(*frame, j, length, column);
    }
    add_panel(first, last, G);
  }
  return true;
}

}  // namespace palp
