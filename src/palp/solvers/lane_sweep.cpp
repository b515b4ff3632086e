#include "palp/solvers/lane_sweep.hpp"

#include <algorithm>
#include <cmath>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "palp/solvers/certificate_lanes.hpp"

namespace palp {
namespace {

typedef float Float4 __attribute__((vector_size(16), may_alias));
typedef float Float8 __attribute__((vector_size(32), may_alias));
typedef double Double4 __attribute__((vector_size(32), may_alias));
typedef double Unaligned4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long Long4 __attribute__((vector_size(32), may_alias));

Float8 load8(const float* p) { return *reinterpret_cast<const Float8*>(p); }
Double4 load4(const double* p) { return *reinterpret_cast<const Unaligned4*>(p); }
Unaligned4& store4(double* p) { return *reinterpret_cast<Unaligned4*>(p); }

Float8 join(Float4 a, Float4 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }
Float4 low(Float8 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
Float4 high(Float8 a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }

struct Vec3x8 {
  Float8 x, y, z;
};

/// The vectors (x, y, z, ·) of eight contacts, side by side. where(k): the place of each.
[[gnu::always_inline]] inline Vec3x8 gather(const float* d, auto&& where) {
  const auto at = [&](int k) { return *reinterpret_cast<const Float4*>(d + where(k)); };
  const Float8 a = join(at(0), at(4)), b = join(at(1), at(5)), c = join(at(2), at(6)), e = join(at(3), at(7));
  const Float8 ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);  // x x y y
  const Float8 ce = __builtin_shufflevector(c, e, 0, 8, 1, 9, 4, 12, 5, 13);
  const Float8 ab_z = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);  // z z · ·
  const Float8 ce_z = __builtin_shufflevector(c, e, 2, 10, 3, 11, 6, 14, 7, 15);
  return {__builtin_shufflevector(ab, ce, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(ab, ce, 2, 3, 10, 11, 6, 7, 14, 15),
          __builtin_shufflevector(ab_z, ce_z, 0, 1, 8, 9, 4, 5, 12, 13)};
}

/// The other way round, to eight vectors that follow each other.
[[gnu::always_inline]] inline void scatter(const Vec3x8& v, float* d) {
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
    *reinterpret_cast<Float4*>(d + 4 * k) = low(row[k]);
    *reinterpret_cast<Float4*>(d + 4 * (4 + k)) = high(row[k]);
  }
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
  const int lane_0 = lanes * static_cast<int>(&batch - batch_.data());
  batch = Batch{};
  batch.first = static_cast<int>(slot_.size());
  batch.count = 1;
  for (int k = 0; k < lanes; ++k) {
    batch.contact[k] = k < count ? contact[k] : -1;
    if (k >= count) continue;
    const int i = contact[k];
    const Mat3& W = P_->diagonal[i];
    const double Lambda = 0.5 * (W(1, 1) + W(2, 2));  // mean of the two eigenvalues of (W_ii)_tt
    batch.inverse_nn[k] = W(0, 0) > 0 ? 1 / W(0, 0) : 0;
    batch.inverse_Lambda[k] = Lambda > 0 ? 1 / Lambda : 0;
    batch.mu[k] = P_->mu(i);
    batch.rho[k] = P_->rho[i];
    batch.weight[k] = P_->rho[i] > 0 ? 1 / P_->rho[i] : 0;
    batch.count = std::max(batch.count, S.start[i + 1] - S.start[i] + 1);
  }
  slot_.resize(batch.first + batch.count);
  int last = 1;
  for (int k = 0; k < lanes; ++k) {
    for (int s = 0; s < batch.count; ++s) {
      Slot& slot = slot_[batch.first + s];
      slot.neighbour[k] = 4 * (lane_0 + k);
      for (auto& W : slot.W) W[k] = 0;
    }
    if (k >= count) continue;
    const int i = contact[k];
    int used = 1;
    for (int b = S.start[i]; b < S.start[i + 1]; ++b) {
      const int j = S.column[b];
      Slot& slot = slot_[batch.first + (j == i ? 0 : used++)];
      slot.neighbour[k] = 4 * place_[j];
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
  if (prepared.dense() || !prepared.problem->kind.empty()) return false;
  order_by_level();
  const auto end_of_batch = [&](int from) {
    int to = from;
    while (to < m_ && to < from + lanes && level_[order_[to]] == level_[order_[from]]) ++to;
    return to;
  };
  int count = 0;
  place_.resize(m_);
  for (int from = 0, to; from < m_; from = to, ++count) {
    to = end_of_batch(from);
    for (int k = from; k < to; ++k) place_[order_[k]] = lanes * count + k - from;
  }
  if (count * lanes > most_lanes(m_)) return false;
  // Enough for any problem with as many contacts and blocks: the longest row of a batch is at most all of its
  // rows.
  const int most = most_lanes(m_);
  batch_.reserve(most / lanes);
  slot_.reserve(prepared.column_row.size() + m_);
  d_.reserve(4 * static_cast<std::size_t>(most));
  for (GrowingVector* v : {&f_, &f_base_}) v->reserve(3 * most);
  batch_.resize(count);
  for (int from = 0, to, b = 0; from < m_; from = to, ++b) {
    to = end_of_batch(from);
    fill(batch_[b], order_.data() + from, to - from);
  }
  d_.assign(4 * static_cast<std::size_t>(lanes) * count, 0);
  f_.resize(3 * lanes * count);
  f_base_.resize(3 * lanes * count);
  f_.setZero();
  base_.resize(3 * m_);
  return true;
}

/// f, δ_base and δ_free in the order of the lanes.
void LaneSweep::take_over(ConstVecRef f) {
  for (int b = 0; b < batches(); ++b) {
    Batch& batch = batch_[b];
    double* force = f_.data() + 3 * lanes * b;
    for (int k = 0; k < lanes && batch.contact[k] >= 0; ++k) {
      const int i = batch.contact[k];
      for (int r = 0; r < 3; ++r) {
        force[r * lanes + k] = f[3 * i + r];
        batch.base[r][k] = base_[3 * i + r];
      }
      batch.free_n[k] = P_->delta_free[3 * i];
    }
  }
}

void LaneSweep::start(ConstVecRef f) {
  base_ = P_->delta_free.head(3 * m_);
  take_over(f);
  f_base_.setZero();
  changed();
}

void LaneSweep::refresh(ConstVecRef f) {
  P_->residual(f, base_);
  take_over(f);
  f_base_.noalias() = f_;
  std::fill(d_.begin(), d_.end(), 0.0f);
  fresh_ = true;
}

void LaneSweep::store(VecRef f) const {
  for (int i = 0; i < m_; ++i) {
    const double* from = f_.data() + 3 * lanes * (place_[i] / lanes) + place_[i] % lanes;
    for (int r = 0; r < 3; ++r) f[3 * i + r] = from[r * lanes];
  }
}

void LaneSweep::begin() {
  closed_ = 0;
  work_ = 0;
}

namespace {

/// Σ_j W_ij d_j of a batch; `own`: d of the contacts themselves, from slot 0.
template <class Slot>
[[gnu::always_inline]] inline Vec3x8 rows_times(const Slot* slot, int count, const float* d, int b,
                                                Vec3x8& own) {
  own = gather(d + 32 * b, [](int k) { return 4 * k; });
  // A sum per column of the blocks: one sum alone would wait for itself.
  Vec3x8 v = own, by_x{}, by_y{}, by_z{};
  for (int s = 0;;) {
    const auto& W = slot[s].W;
    by_x.x += load8(W[0]) * v.x;
    by_y.x += load8(W[1]) * v.y;
    by_z.x += load8(W[2]) * v.z;
    by_x.y += load8(W[3]) * v.x;
    by_y.y += load8(W[4]) * v.y;
    by_z.y += load8(W[5]) * v.z;
    by_x.z += load8(W[6]) * v.x;
    by_y.z += load8(W[7]) * v.y;
    by_z.z += load8(W[8]) * v.z;
    if (++s == count) break;
    v = gather(d, [&](int k) { return slot[s].neighbour[k]; });
  }
  return {by_x.x + by_y.x + by_z.x, by_x.y + by_y.y + by_z.y, by_x.z + by_y.z + by_z.z};
}

[[gnu::always_inline]] inline Double4 half_of(const Float8& v, int half) {
#ifdef __AVX__  // __builtin_convertvector goes through memory here
  return half ? _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)) : _mm256_cvtps_pd(_mm256_castps256_ps128(v));
#else
  return __builtin_convertvector(half ? high(v) : low(v), Double4);
#endif
}

}  // namespace

Certificate LaneSweep::judge() const {
  FourContacts sums;
  for (int b = 0; b < batches(); ++b) {
    const Batch& batch = batch_[b];
    const double* force = f_.data() + 3 * lanes * b;
    Vec3x8 own, c{};
    if (!fresh_) c = rows_times(slot_.data() + batch.first, batch.count, d_.data(), b, own);
    for (int half = 0; half < 2; ++half) {
      const int o = 4 * half;
      sums.add(load4(batch.mu + o), load4(batch.rho + o), load4(batch.free_n + o),
               {load4(force + o), load4(force + lanes + o), load4(force + 2 * lanes + o)},
               {load4(batch.base[0] + o) + half_of(c.x, half), load4(batch.base[1] + o) + half_of(c.y, half),
                load4(batch.base[2] + o) + half_of(c.z, half)});
    }
  }
  return sums.result();
}

namespace {

struct Pulled {
  Double4 n, t_1, t_2;
  Long4 touching;
};

/// Algorithm 1's end of a step: no force when n ≤ 0, else |t| ≤ μ n.
[[gnu::always_inline]] inline Pulled pull_back(Double4 n, Double4 t_1, Double4 t_2, Double4 mu) {
  const Double4 zero{}, limit = mu * n, length2 = t_1 * t_1 + t_2 * t_2;
  const Long4 touching = n > zero, slip = length2 > limit * limit;
  const Double4 shrink = slip ? limit / FourContacts::root(length2) : zero + 1;
  return {touching ? n : zero, touching ? shrink * t_1 : zero, touching ? shrink * t_2 : zero, touching};
}

}  // namespace

double LaneSweep::sweep(int from, int to) {
  fresh_ = false;
  Double4 moved{};
  Long4 closed{};
  for (int b = from; b < to; ++b) {
    const Batch& batch = batch_[b];
    double* force = f_.data() + 3 * lanes * b;
    Vec3x8 own;
    const Vec3x8 c = rows_times(slot_.data() + batch.first, batch.count, d_.data(), b, own);
    Float4 df[3][2];
    for (int half = 0; half < 2; ++half) {
      const int o = 4 * half;
      Unaligned4 &f_n = store4(force + o), &f_1 = store4(force + lanes + o),
                 &f_2 = store4(force + 2 * lanes + o);
      const Double4 delta_n = load4(batch.base[0] + o) + half_of(c.x, half);
      const Double4 delta_1 = load4(batch.base[1] + o) + half_of(c.y, half);
      const Double4 delta_2 = load4(batch.base[2] + o) + half_of(c.z, half);
      const Double4 inverse_Lambda = load4(batch.inverse_Lambda + o);
      const Pulled g = pull_back(f_n - delta_n * load4(batch.inverse_nn + o), f_1 - delta_1 * inverse_Lambda,
                                 f_2 - delta_2 * inverse_Lambda, load4(batch.mu + o));
      const Double4 d_n = g.n - f_n, d_1 = g.t_1 - f_1, d_2 = g.t_2 - f_2;
      f_n = g.n;
      f_1 = g.t_1;
      f_2 = g.t_2;
      moved += load4(batch.weight + o) * (d_n * d_n + d_1 * d_1 + d_2 * d_2);
      closed -= g.touching;
      df[0][half] = __builtin_convertvector(d_n, Float4);
      df[1][half] = __builtin_convertvector(d_1, Float4);
      df[2][half] = __builtin_convertvector(d_2, Float4);
    }
    scatter({own.x + join(df[0][0], df[0][1]), own.y + join(df[1][0], df[1][1]),
             own.z + join(df[2][0], df[2][1])},
            d_.data() + 4 * lanes * b);
    work_ += 55 * batch.count + 110;
  }
  for (int k = 0; k < 4; ++k) closed_ += static_cast<int>(closed[k]);
  return (moved[0] + moved[1]) + (moved[2] + moved[3]);
}

void LaneSweep::changed() {
  fresh_ = false;
  for (int b = 0; b < batches(); ++b) {
    double *force = f_.data() + 3 * lanes * b, *old = f_base_.data() + 3 * lanes * b;
    Float4 d[3][2];
    for (int half = 0; half < 2; ++half) {
      const int o = 4 * half;
      Unaligned4 &f_n = store4(force + o), &f_1 = store4(force + lanes + o),
                 &f_2 = store4(force + 2 * lanes + o);
      const Pulled g = pull_back(f_n, f_1, f_2, load4(batch_[b].mu + o));
      f_n = g.n;
      f_1 = g.t_1;
      f_2 = g.t_2;
      d[0][half] = __builtin_convertvector(g.n - load4(old + o), Float4);
      d[1][half] = __builtin_convertvector(g.t_1 - load4(old + lanes + o), Float4);
      d[2][half] = __builtin_convertvector(g.t_2 - load4(old + 2 * lanes + o), Float4);
    }
    scatter({join(d[0][0], d[0][1]), join(d[1][0], d[1][1]), join(d[2][0], d[2][1])},
            d_.data() + 4 * lanes * b);
  }
}

}  // namespace palp
