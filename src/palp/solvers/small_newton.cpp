#include "palp/solvers/small_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace palp {
namespace {

constexpr double regularisation = 1e-9;
constexpr int first_sweeps = 3;   ///< before the first Newton step, to know the rate
constexpr int most_steps = 60;    ///< sweeps and Newton steps before the general method takes over
constexpr int most_failures = 3;  ///< Newton steps without gain, likewise
constexpr int newton_work = 400;  ///< of a step besides its factorisation, in multiply-adds

}  // namespace

bool SmallNewton::fits(const Prepared& prepared) {
  if (prepared.m > most_contacts) return false;
  for (int i = 0; i < prepared.m; ++i)
    if (prepared.bilateral(i)) return false;
  return true;
}

void SmallNewton::set(const Prepared& prepared) {
  P_ = &prepared;
  m_ = prepared.m;
  rows_ = (3 * m_ + 7) / 8 * 8;
  for (auto& column : W_) std::fill(std::begin(column), std::end(column), 0.0);
  for_each_entry(prepared.problem->W, [this](int r, int c, double v) { W_[c][r] = v; });
  for (int i = 0; i < m_; ++i) {
    const Mat3& W = prepared.diagonal[i];
    const double Lambda = 0.5 * (W(1, 1) + W(2, 2));
    step_[i] = {W(0, 0) > 0 ? 1 / W(0, 0) : 0, Lambda > 0 ? 1 / Lambda : 0, prepared.mu(i), prepared.rho[i]};
  }
  for (double* v : {f_, delta_, kept_, x_}) std::fill(v, v + padded, 0.0);
}

inline void SmallNewton::add_column(int i, double a, double b, double c) {
  const double *A = W_[3 * i], *B = W_[3 * i + 1], *C = W_[3 * i + 2];
  for (int r = 0; r < rows_; r += 8)
    for (int k = r; k < r + 8; ++k) delta_[k] += a * A[k] + b * B[k] + c * C[k];
}

void SmallNewton::residual() {
  std::copy(P_->delta_free.data(), P_->delta_free.data() + 3 * m_, delta_);
  for (int i = 0; i < m_; ++i)
    if (f_[3 * i] != 0 || f_[3 * i + 1] != 0 || f_[3 * i + 2] != 0)
      add_column(i, f_[3 * i], f_[3 * i + 1], f_[3 * i + 2]);
}

Certificate SmallNewton::judge() const {
  return P_->judge(Eigen::Map<const VecX>(f_, 3 * m_), Eigen::Map<const VecX>(delta_, 3 * m_));
}

void SmallNewton::sweep() {
  moved_ = size_ = 0;
  state_changes_ = 0;
  for (int i = 0; i < m_; ++i) {
    const Step& s = step_[i];
    double *f = f_ + 3 * i, *delta = delta_ + 3 * i;
    double n = f[0] - delta[0] * s.inverse_nn, t1 = 0, t2 = 0;
    State state = State::open;
    if (!(n > 0) || s.inverse_nn == 0) {
      n = 0;
    } else {
      t1 = f[1] - delta[1] * s.inverse_Lambda;
      t2 = f[2] - delta[2] * s.inverse_Lambda;
      const double limit = s.mu * n, length2 = t1 * t1 + t2 * t2;
      state = State::stick;
      if (length2 > limit * limit) {
        const double shrink = limit / std::sqrt(length2);
        t1 *= shrink;
        t2 *= shrink;
        state = State::slip;
      }
    }
    state_changes_ += state != state_[i];
    state_[i] = state;
    const double a = n - f[0], b = t1 - f[1], c = t2 - f[2], change = a * a + b * b + c * c;
    if (change == 0) continue;
    moved_ += change;
    size_ += n * n + t1 * t1 + t2 * t2;
    f[0] = n;
    f[1] = t1;
    f[2] = t2;
    add_column(i, a, b, c);
  }
}

bool SmallNewton::sweeps_are_cheaper(double last_moved, double enough) const {
  if (state_changes_ > 0 || !(moved_ < 0.5 * last_moved)) return false;
  // Nanoseconds of one core, roughly: they only weigh one against the other.
  const double sweep_ns = 30.0 * m_, newton_ns = 600 + 4.0 * m_ * m_ * m_;
  return std::log(moved_ / enough) * sweep_ns < std::log(last_moved / moved_) * newton_ns;
}

bool SmallNewton::newton() {
  int row_of[most_rows], n = 0;
  for (int i = 0; i < m_; ++i)
    if (state_[i] != State::open)
      for (int k = 0; k < 3; ++k) row_of[n++] = 3 * i + k;
  const int n_padded = (n + 7) / 8 * 8;
  for (int a = 0; a < n; ++a) {  // rows of W; a slipping contact then combines its tangential rows
    for (int b = 0; b < n; ++b) A_[a][b] = W_[row_of[b]][row_of[a]];
    for (int b = n; b < n_padded; ++b) A_[a][b] = 0;
    x_[a] = -delta_[row_of[a]];
  }
  for (int a = 0; a < n; a += 3) {
    const int i = row_of[a] / 3;
    const Step& s = step_[i];
    const double* f = f_ + 3 * i;
    const double epsilon = regularisation / s.rho;
    A_[a][a] += epsilon;
    const double z1 = f[1] - s.rho * delta_[3 * i + 1], z2 = f[2] - s.rho * delta_[3 * i + 2];
    const double length = std::sqrt(z1 * z1 + z2 * z2);
    if (state_[i] == State::stick || !(length > 0)) {
      A_[a + 1][a + 1] += epsilon;
      A_[a + 2][a + 2] += epsilon;
      continue;
    }
    // Derivative of f_t − μ f_n z/|z|, over ρ for the scale of W: with Q = μ f_n/|z| (1 − e eᵀ),
    // (1 − Q) df_t/ρ + Q W_t: df − μ e df_n/ρ = −(f_t − μ f_n e)/ρ.
    const double e1 = z1 / length, e2 = z2 / length, q = std::min(s.mu * f[0] / length, 1.0);
    const double Q11 = q * (1 - e1 * e1), Q12 = -q * e1 * e2, Q22 = q * (1 - e2 * e2), scale = 1 / s.rho;
    double *first = A_[a + 1], *second = A_[a + 2];
    for (int b = 0; b < n_padded; ++b) {
      const double u = first[b], v = second[b];
      first[b] = Q11 * u + Q12 * v;
      second[b] = Q12 * u + Q22 * v;
    }
    first[a] -= s.mu * e1 * scale;
    second[a] -= s.mu * e2 * scale;
    first[a + 1] += (1 - Q11) * scale;
    first[a + 2] -= Q12 * scale;
    second[a + 1] -= Q12 * scale;
    second[a + 2] += (1 - Q22) * scale;
    x_[a + 1] = -(f[1] - s.mu * f[0] * e1) * scale;
    x_[a + 2] = -(f[2] - s.mu * f[0] * e2) * scale;
  }
  if (!eliminate(n)) return false;
  for (int a = 0; a < n; ++a) f_[row_of[a]] += x_[a];
  residual();
  return true;
}

bool SmallNewton::eliminate(int n) {
  double* row[most_rows];
  for (int a = 0; a < n; ++a) row[a] = A_[a];
  for (int p = 0; p < n; ++p) {
    int largest = p;
    for (int a = p + 1; a < n; ++a)
      if (std::abs(row[a][p]) > std::abs(row[largest][p])) largest = a;
    std::swap(row[p], row[largest]);
    std::swap(x_[p], x_[largest]);
    const double pivot = row[p][p];
    if (!(std::abs(pivot) > 0)) return false;
    const double inverse = 1 / pivot;
    const int from = p / 4 * 4, to = (n + 3) / 4 * 4;
    for (int a = p + 1; a < n; ++a) {
      const double l = row[a][p] * inverse;
      if (l == 0) continue;
      double* __restrict target = row[a];
      const double* __restrict source = row[p];
      for (int b = from; b < to; b += 4)
        for (int k = b; k < b + 4; ++k) target[k] -= l * source[k];
      x_[a] -= l * x_[p];
    }
  }
  double size = 0;
  for (int p = n - 1; p >= 0; --p) {
    double sum = x_[p];
    for (int b = p + 1; b < n; ++b) sum -= row[p][b] * x_[b];
    x_[p] = sum / row[p][p];
    size += x_[p] * x_[p];
  }
  return std::isfinite(size);
}

SmallNewton::Outcome SmallNewton::solve(const SolveOptions& options, BudgetWatch& watch, bool warm,
                                        VecRef f) {
  std::copy(f.data(), f.data() + 3 * m_, f_);
  std::fill(state_, state_ + m_, State::open);
  residual();
  Outcome out;
  Certificate& c = out.certificate;
  const double tolerance = options.tolerance;
  const auto done = [&](SolveStatus status) {
    std::copy(f_, f_ + 3 * m_, f.data());
    out.status = status;
    return out;
  };
  if (warm) {
    c = judge();
    if (c.infeasible || c.within(tolerance)) return done(SolveStatus::converged);
  }
  const int limit = std::min(options.max_sweeps, most_steps), sweep_work = 9 * m_ * m_ + 20 * m_;
  int next_newton = first_sweeps, pause = 2, failures = 0;
  double last_moved = 0;
  while (out.sweeps < limit) {
    last_moved = moved_;
    sweep();
    ++out.sweeps;
    if (!std::isfinite(moved_)) {
      std::fill(f_, f_ + 3 * m_, 0.0);
      return done(SolveStatus::stalled);
    }
    if (watch.spent_after(sweep_work)) break;
    const double enough = 30 * tolerance * tolerance * size_;
    const bool promising = moved_ <= enough || moved_ == 0;
    if (!promising && (out.sweeps < next_newton || sweeps_are_cheaper(last_moved, enough))) continue;
    if (promising) residual();
    c = judge();
    if (c.infeasible || (promising && c.within(tolerance))) return done(SolveStatus::converged);
    // Newton steps, each with a sweep after it, as long as they gain.
    while (out.sweeps < limit) {
      std::copy(f_, f_ + 3 * m_, kept_);
      const double before = c.value;
      ++out.sweeps;
      bool gained = newton();
      if (gained) {
        sweep();
        residual();
        c = judge();
        gained = c.value < 0.5 * before;
      }
      if (watch.spent_after(3 * sweep_work + 9 * m_ * m_ * m_ + newton_work)) {
        if (!(c.value < before)) std::copy(kept_, kept_ + 3 * m_, f_);
        residual();
        c = judge();
        return done(c.within(tolerance) ? SolveStatus::converged : SolveStatus::stalled);
      }
      if (c.within(tolerance)) return done(SolveStatus::converged);
      if (gained) continue;
      if (!(c.value < before)) {
        std::copy(kept_, kept_ + 3 * m_, f_);
        residual();
      }
      break;
    }
    if (++failures == most_failures) break;
    next_newton = out.sweeps + pause;
    pause *= 2;
  }
  residual();
  c = judge();
  return done(c.within(tolerance) ? SolveStatus::converged : SolveStatus::stalled);
}

}  // namespace palp
