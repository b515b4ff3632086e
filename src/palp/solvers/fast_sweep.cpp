#include "palp/solvers/fast_sweep.hpp"

#include <cmath>

#include "palp/solvers/local.hpp"

namespace palp {
namespace {

typedef float Float4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float Float8 __attribute__((vector_size(32), aligned(4), may_alias));

constexpr int step_work = 90;  ///< a local step, counted in multiply-adds

/// c += a A + b B + d D over n floats, n a multiple of 16.
void add_three_columns(float* c, const float* A, const float* B, const float* D, float a, float b, float d,
                       int n) {
  for (int r = 0; r < n; r += 16) {
    Float8& x = *reinterpret_cast<Float8*>(c + r);
    Float8& y = *reinterpret_cast<Float8*>(c + r + 8);
    const auto at = [r](const float* p, int o) { return *reinterpret_cast<const Float8*>(p + r + o); };
    x = x + a * at(A, 0) + b * at(B, 0) + d * at(D, 0);
    y = y + a * at(A, 8) + b * at(B, 8) + d * at(D, 8);
  }
}

}  // namespace

void FastSweep::set(const Prepared& prepared) {
  P_ = &prepared;
  m_ = prepared.m;
  by_lanes_ = lanes_.set(prepared);
  if (by_lanes_) return;
  const bool dense = prepared.dense();
  stride_ = dense ? 3 : 4;
  padded_ = dense ? (3 * m_ + 15) / 16 * 16 : 4 * m_;
  correction_.assign(padded_, 0);
  for (GrowingVector* v : {&f_, &base_, &delta_}) v->resize(3 * m_);
  f_.setZero();
  state_.assign(m_, 0);
  step_.resize(m_);
  bilateral_.resize(prepared.problem->kind.empty() ? 0 : m_);
  for (int i = 0; i < m_; ++i) {
    const Mat3& W = prepared.diagonal[i];
    const double Lambda = 0.5 * (W(1, 1) + W(2, 2));  // mean of the two eigenvalues of (W_ii)_tt
    const bool bilateral = prepared.bilateral(i);
    step_[i] = {W(0, 0) > 0 ? 1 / W(0, 0) : 0, Lambda > 0 ? 1 / Lambda : 0, bilateral ? 0 : prepared.mu(i),
                prepared.rho[i] > 0 ? 1 / prepared.rho[i] : 0, bilateral};
    if (bilateral) bilateral_[i] = bilateral_inverse(W);
  }
  if (dense) {
    W_.resize(static_cast<std::size_t>(3) * m_ * padded_);
    for (int c = 0; c < 3 * m_; ++c) {
      float* to = W_.data() + static_cast<std::size_t>(c) * padded_;
      const double* from = prepared.problem->W.dense.data() + static_cast<std::size_t>(c) * 3 * m_;
      for (int r = 0; r < 3 * m_; ++r) to[r] = static_cast<float>(from[r]);
      for (int r = 3 * m_; r < padded_; ++r) to[r] = 0;
    }
  } else {
    W_.resize(12 * prepared.column_block.size());
    for (std::size_t k = 0; k < prepared.column_block.size(); ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 4; ++r)
          W_[12 * k + 4 * c + r] = r < 3 ? static_cast<float>(prepared.column_block[k](r, c)) : 0;
  }
}

inline void FastSweep::add_column(int i, const Vec3& df) {
  const float a = static_cast<float>(df[0]), b = static_cast<float>(df[1]), d = static_cast<float>(df[2]);
  if (stride_ == 3) {
    const float* column = W_.data() + static_cast<std::size_t>(3 * i) * padded_;
    add_three_columns(correction_.data(), column, column + padded_, column + 2 * padded_, a, b, d, padded_);
    work_ += 3 * padded_;
    return;
  }
  const int begin = P_->column_start[i], end = P_->column_start[i + 1];
  for (int k = begin; k < end; ++k) {
    Float4& c = *reinterpret_cast<Float4*>(correction_.data() + 4 * P_->column_row[k]);
    const Float4* block = reinterpret_cast<const Float4*>(W_.data() + 12 * k);
    c = c + a * block[0] + b * block[1] + d * block[2];
  }
  work_ += 12 * (end - begin);
}

void FastSweep::refresh(ConstVecRef f) {
  if (by_lanes_) return lanes_.refresh(f);
  f_ = f;
  P_->residual(f, base_);
  std::fill(correction_.begin(), correction_.end(), 0.0f);
}

void FastSweep::store(VecRef f) const {
  if (by_lanes_) return lanes_.store(f);
  f = f_;
}

Certificate FastSweep::judge() {
  if (by_lanes_) return lanes_.judge();
  for (int i = 0; i < m_; ++i)
    for (int k = 0; k < 3; ++k) delta_[3 * i + k] = base_[3 * i + k] + correction_[stride_ * i + k];
  return P_->judge(f_, delta_);
}

void FastSweep::weights(VecRef out) const {
  const auto of_contact = [&](int i) { return P_->rho[i] > 0 ? 1 / std::sqrt(P_->rho[i]) : 0; };
  if (by_lanes_) return lanes_.spread(of_contact, out);
  for (int i = 0; i < m_; ++i) out.segment<3>(3 * i).setConstant(of_contact(i));
}

void FastSweep::begin() {
  if (by_lanes_) return lanes_.begin();
  state_changes_ = closed_ = 0;
  work_ = 4 * m_;
}

double FastSweep::sweep(double settled, int from, int to) {
  if (by_lanes_) return lanes_.sweep(from, to);
  double moved = 0;
  const double negligible = settled * settled;
  for (int i = from; i < to; ++i) {
    const Step& s = step_[i];
    const double* base = base_.data() + 3 * i;
    const float* c = correction_.data() + stride_ * i;
    double* f_i = f_.data() + 3 * i;
    const double delta_n = base[0] + c[0];
    Vec3 df;
    unsigned char state = 1;
    if (s.bilateral) {
      df = -(bilateral_[i] * Vec3(delta_n, base[1] + c[1], base[2] + c[2]));
    } else {
      const double f_n = f_i[0] - delta_n * s.inverse_nn;
      if (!(f_n > 0)) {
        if (f_i[0] == 0 && f_i[1] == 0 && f_i[2] == 0) {
          state_changes_ += state_[i] != 0;
          state_[i] = 0;
          continue;
        }
        df = Vec3(-f_i[0], -f_i[1], -f_i[2]);
        state = 0;
      } else {
        double t1 = f_i[1] - (base[1] + c[1]) * s.inverse_Lambda;
        double t2 = f_i[2] - (base[2] + c[2]) * s.inverse_Lambda;
        const double limit = s.mu * f_n, length2 = t1 * t1 + t2 * t2;
        if (length2 > limit * limit) {
          const double shrink = limit / std::sqrt(length2);
          t1 *= shrink;
          t2 *= shrink;
          state = 2;
        }
        df = Vec3(f_n - f_i[0], t1 - f_i[1], t2 - f_i[2]);
      }
    }
    closed_ += state != 0;
    work_ += state != 0 ? step_work : 0;
    state_changes_ += state_[i] != state;
    state_[i] = state;
    const double size = s.weight * df.squaredNorm();
    moved += size;
    if (size <= negligible && state != 0) continue;
    f_i[0] += df[0];
    f_i[1] += df[1];
    f_i[2] += df[2];
    if (state == 0) f_i[0] = f_i[1] = f_i[2] = 0;
    add_column(i, df);
  }
  return moved;
}

}  // namespace palp
