#include "palp/solvers/lane_sweep.hpp"

#include <algorithm>
#include <cmath>

// Vectors of 32 bytes go in and out of functions of this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace palp {
namespace {

using Float4 = float __attribute__((vector_size(16), may_alias));
using Float8 = float __attribute__((vector_size(32), may_alias));
using Double4 = double __attribute__((vector_size(32), may_alias));
using Long4 = long long __attribute__((vector_size(32), may_alias));

constexpr double worth_its_lanes = 2;  ///< lanes per contact above which one at a time is faster

Float8 load8(const float* p) { return *reinterpret_cast<const Float8*>(p); }
Double4 load4(const double* p) { return *reinterpret_cast<const Double4*>(p); }

Float8 join(Float4 a, Float4 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }
Float4 low(Float8 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
Float4 high(Float8 a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }

struct Vec3x8 {
  Float8 x, y, z;
};

/// The vectors (x, y, z, ·) of eight contacts, side by side.
[[gnu::always_inline]] inline Vec3x8 gather(const float* d, const int* contact) {
  const auto at = [&](int k) { return *reinterpret_cast<const Float4*>(d + 4 * contact[k]); };
  const Float8 a = join(at(0), at(4)), b = join(at(1), at(5)), c = join(at(2), at(6)), e = join(at(3), at(7));
  const Float8 ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);  // x x y y
  const Float8 ce = __builtin_shufflevector(c, e, 0, 8, 1, 9, 4, 12, 5, 13);
  const Float8 ab_z = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);  // z z · ·
  const Float8 ce_z = __builtin_shufflevector(c, e, 2, 10, 3, 11, 6, 14, 7, 15);
  return {__builtin_shufflevector(ab, ce, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(ab, ce, 2, 3, 10, 11, 6, 7, 14, 15),
          __builtin_shufflevector(ab_z, ce_z, 0, 1, 8, 9, 4, 5, 12, 13)};
}

[[gnu::always_inline]] inline void scatter(const Vec3x8& v, float* d, const int* contact) {
  const Float8 zero{};
  const Float8 xy = __builtin_shufflevector(v.x, v.y, 0, 8, 1, 9, 4, 12, 5, 13);  // of contacts 0 1, 4 5
  const Float8 xy_2 = __builtin_shufflevector(v.x, v.y, 2, 10, 3, 11, 6, 14, 7, 15);
  const Float8 z = __builtin_shufflevector(v.z, zero, 0, 8, 1, 9, 4, 12, 5, 13);
  const Float8 z_2 = __builtin_shufflevector(v.z, zero, 2, 10, 3, 11, 6, 14, 7, 15);
  const Float8 row[4] = {__builtin_shufflevector(xy, z, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(xy, z, 2, 3, 10, 11, 6, 7, 14, 15),
                         __builtin_shufflevector(xy_2, z_2, 0, 1, 8, 9, 4, 5, 12, 13),
                         __builtin_shufflevector(xy_2, z_2, 2, 3, 10, 11, 6, 7, 14, 15)};
  for (int k = 0; k < 4; ++k) {
    *reinterpret_cast<Float4*>(d + 4 * contact[k]) = low(row[k]);
    *reinterpret_cast<Float4*>(d + 4 * contact[4 + k]) = high(row[k]);
  }
}

Double4 root(Double4 x) {
  for (int k = 0; k < 4; ++k) x[k] = std::sqrt(x[k]);
  return x;
}

}  // namespace

/// A contact's level is one above the highest of the neighbours before it: contacts of one level do not touch
/// each other, and level by level every step sees what it would see in the order of the contacts.
void LaneSweep::order_by_level() {
  const BlockSparse& S = P_->problem->W.sparse;
  order_.resize(m_);
  level_.assign(m_, 0);
  for (int i = 0; i < m_; ++i) {
    order_[i] = i;
    const auto follow = [&](int j) {
      if (j < i) level_[i] = std::max(level_[i], level_[j] + 1);
    };
    // Neighbours in W or Wᵀ: a stored pattern may hold one block of a pair only.
    for (int k = S.start[i]; k < S.start[i + 1]; ++k) follow(S.column[k]);
    for (int k = P_->column_start[i]; k < P_->column_start[i + 1]; ++k) follow(P_->column_row[k]);
  }
  // Within a level by the number of neighbours, so that the rows of a batch are of one length.
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    if (level_[a] != level_[b]) return level_[a] < level_[b];
    const int rows_a = S.start[a + 1] - S.start[a], rows_b = S.start[b + 1] - S.start[b];
    return rows_a != rows_b ? rows_a > rows_b : a < b;
  });
}

void LaneSweep::fill(Batch& batch, const int* contact, int count) {
  const BlockSparse& S = P_->problem->W.sparse;
  Constants& constants = constants_.emplace_back();
  batch.first = static_cast<int>(slot_.size());
  batch.count = 1;
  for (int k = 0; k < lanes; ++k) {
    const int i = batch.contact[k] = contact[k < count ? k : 0];
    const Mat3& W = P_->diagonal[i];
    const double Lambda = 0.5 * (W(1, 1) + W(2, 2));  // mean of the two eigenvalues of (W_ii)_tt
    constants.inverse_nn[k] = W(0, 0) > 0 ? 1 / W(0, 0) : 0;
    constants.inverse_Lambda[k] = Lambda > 0 ? 1 / Lambda : 0;
    constants.mu[k] = P_->mu(i);
    constants.weight[k] = k < count && P_->rho[i] > 0 ? 1 / P_->rho[i] : 0;
    constants.state[k] = 0;
    constants.counts[k] = k < count ? -1 : 0;
    batch.count = std::max(batch.count, S.start[i + 1] - S.start[i] + 1);
  }
  slot_.resize(batch.first + batch.count);
  int last = 0;
  for (int k = 0; k < lanes; ++k) {
    const int i = batch.contact[k];
    int used = 1;
    for (int s = 0; s < batch.count; ++s) {
      Slot& slot = slot_[batch.first + s];
      slot.neighbour[k] = i;
      for (auto& W : slot.W) W[k] = 0;
    }
    for (int b = S.start[i]; b < S.start[i + 1]; ++b) {
      const int j = S.column[b];
      const int s = j == i ? 0 : used++;
      Slot& slot = slot_[batch.first + s];
      slot.neighbour[k] = j;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) slot.W[3 * r + c][k] += static_cast<float>(S.value[b](r, c));
    }
    last = std::max(last, used);
  }
  batch.count = last;
  slot_.resize(batch.first + batch.count);
}

bool LaneSweep::set(const Prepared& prepared) {
  P_ = &prepared;
  m_ = prepared.m;
  batch_.clear();
  slot_.clear();
  constants_.clear();
  if (prepared.dense() || !prepared.problem->kind.empty()) return false;
  order_by_level();
  const auto end_of_batch = [&](int from) {
    int to = from;
    while (to < m_ && to < from + lanes && level_[order_[to]] == level_[order_[from]]) ++to;
    return to;
  };
  int count = 0;
  for (int from = 0; from < m_; from = end_of_batch(from)) ++count;
  if (count * lanes > worth_its_lanes * m_) return false;
  // Enough for any problem with as many blocks: the longest row of a batch is at most all of its rows.
  batch_.reserve(m_);
  constants_.reserve(m_);
  slot_.reserve(prepared.column_row.size() + m_);
  for (int from = 0, to; from < m_; from = to) {
    to = end_of_batch(from);
    fill(batch_.emplace_back(), order_.data() + from, to - from);
  }
  d_.assign(4 * static_cast<std::size_t>(m_), 0);
  base_.resize(3 * m_);
  return true;
}

void LaneSweep::refresh(ConstVecRef f) {
  P_->residual(f, base_);
  for (std::size_t b = 0; b < batch_.size(); ++b)
    for (int k = 0; k < lanes; ++k)
      for (int r = 0; r < 3; ++r) constants_[b].base[r][k] = base_[3 * batch_[b].contact[k] + r];
  std::fill(d_.begin(), d_.end(), 0.0f);
}

void LaneSweep::begin() {
  state_changes_ = closed_ = 0;
  work_ = 0;
}

namespace {

/// Σ_j W_ij d_j of a batch; `own`: d of the contacts themselves, from slot 0.
template <class Slot>
[[gnu::always_inline]] inline Vec3x8 rows_times(const Slot* slot, int count, const float* d, Vec3x8& own) {
  own = gather(d, slot->neighbour);
  Vec3x8 v = own, sum{}, more{};
  for (int s = 0;;) {
    const auto& W = slot[s].W;
    sum.x += load8(W[0]) * v.x;
    more.x += load8(W[1]) * v.y;
    sum.x += load8(W[2]) * v.z;
    sum.y += load8(W[3]) * v.x;
    more.y += load8(W[4]) * v.y;
    sum.y += load8(W[5]) * v.z;
    sum.z += load8(W[6]) * v.x;
    more.z += load8(W[7]) * v.y;
    sum.z += load8(W[8]) * v.z;
    if (++s == count) break;
    v = gather(d, slot[s].neighbour);
  }
  return {sum.x + more.x, sum.y + more.y, sum.z + more.z};
}

}  // namespace

void LaneSweep::delta(VecRef out) const {
  out = base_;
  for (const Batch& batch : batch_) {
    Vec3x8 own;
    const Vec3x8 c = rows_times(slot_.data() + batch.first, batch.count, d_.data(), own);
    for (int k = 0; k < lanes; ++k) {
      const int i = 3 * batch.contact[k];  // base again: a lane that repeats another must not add twice
      out[i] = base_[i] + c.x[k];
      out[i + 1] = base_[i + 1] + c.y[k];
      out[i + 2] = base_[i + 2] + c.z[k];
    }
  }
}

double LaneSweep::sweep(VecRef f, int from, int to) {
  const Double4 zero{};
  const Long4 stick{1, 1, 1, 1}, slipping{2, 2, 2, 2}, none{};
  Double4 moved{};
  Long4 changes{}, closed{};
  double* const force = f.data();
  for (int b = from; b < to; ++b) {
    const Batch& batch = batch_[b];
    Constants& constants = constants_[b];
    Vec3x8 own;
    const Vec3x8 c = rows_times(slot_.data() + batch.first, batch.count, d_.data(), own);
    Float4 df[3][2];
    Double4 g[3][2];
    for (int half = 0; half < 2; ++half) {
      const int o = 4 * half;
      const int* contact = batch.contact + o;
      const double* const p[4] = {force + 3 * contact[0], force + 3 * contact[1], force + 3 * contact[2],
                                  force + 3 * contact[3]};
      const auto row = [&](int r) { return Double4{p[0][r], p[1][r], p[2][r], p[3][r]}; };
      const auto current = [&](const Float8& v, int r) {
        return load4(constants.base[r] + o) + __builtin_convertvector(half ? high(v) : low(v), Double4);
      };
      const Double4 f_n = row(0), f_1 = row(1), f_2 = row(2);
      const Double4 inverse_Lambda = load4(constants.inverse_Lambda + o);
      const Double4 n = f_n - current(c.x, 0) * load4(constants.inverse_nn + o);
      const Double4 t_1 = f_1 - current(c.y, 1) * inverse_Lambda;
      const Double4 t_2 = f_2 - current(c.z, 2) * inverse_Lambda;
      const Double4 limit = load4(constants.mu + o) * n, length2 = t_1 * t_1 + t_2 * t_2;
      const Long4 touching = n > zero, slip = length2 > limit * limit;
      const Double4 shrink = slip ? limit / root(length2) : zero + 1;
      const Double4 g_n = touching ? n : zero;
      const Double4 g_1 = touching ? shrink * t_1 : zero, g_2 = touching ? shrink * t_2 : zero;
      const Double4 d_n = g_n - f_n, d_1 = g_1 - f_1, d_2 = g_2 - f_2;
      moved += load4(constants.weight + o) * (d_n * d_n + d_1 * d_1 + d_2 * d_2);
      const Long4 state = touching ? (slip ? slipping : stick) : none;
      Long4& old = *reinterpret_cast<Long4*>(constants.state + o);
      const Long4 counts = *reinterpret_cast<const Long4*>(constants.counts + o);
      changes -= (state != old) & counts;
      closed -= touching & counts;
      old = state;
      g[0][half] = g_n;
      g[1][half] = g_1;
      g[2][half] = g_2;
      df[0][half] = __builtin_convertvector(d_n, Float4);
      df[1][half] = __builtin_convertvector(d_1, Float4);
      df[2][half] = __builtin_convertvector(d_2, Float4);
    }
    for (int k = 0; k < lanes; ++k)  // only now: a lane that repeats another has to start where that did
      for (int r = 0; r < 3; ++r) force[3 * batch.contact[k] + r] = g[r][k / 4][k % 4];
    scatter({own.x + join(df[0][0], df[0][1]), own.y + join(df[1][0], df[1][1]),
             own.z + join(df[2][0], df[2][1])},
            d_.data(), batch.contact);
    work_ += 60 * batch.count + 120;
  }
  for (int k = 0; k < 4; ++k) {
    state_changes_ += static_cast<int>(changes[k]);
    closed_ += static_cast<int>(closed[k]);
  }
  return (moved[0] + moved[1]) + (moved[2] + moved[3]);
}

}  // namespace palp
