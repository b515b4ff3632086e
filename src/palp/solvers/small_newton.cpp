#include "palp/solvers/small_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace palp {
namespace {

using Double4 = double __attribute__((vector_size(32), may_alias));
Double4& at(double* row, int k) { return *reinterpret_cast<Double4*>(row + k); }

constexpr double regularisation = 1e-9;
constexpr int first_sweeps = 3;     ///< before the first Newton step, to know the rate
constexpr int most_steps = 60;      ///< sweeps and Newton steps before the general method takes over
constexpr int most_idle = 4;        ///< Newton steps in a row without gain
constexpr int most_failures = 3;    ///< times that this happens before the general method takes over
constexpr int sweeps_between = 4;   ///< from one to the next
constexpr double first_rate = 2.3;  ///< of log |Δf|² per sweep, when only one has been made
constexpr double newton_gain = 18;  ///< of log |Δf|² by one Newton step
constexpr double pessimism = 1.3;   ///< sweeps get slower
constexpr int newton_work = 400;    ///< of a step besides its factorisation, in multiply-adds

/// Of a Newton step on one core, roughly: to weigh it against sweeps and against the time left.
double newton_us(int m) { return 0.15 + 0.03 * m + 0.001 * m * m * m; }

}  // namespace

bool SmallNewton::fits(const Prepared& prepared) {
  if (prepared.m > most_contacts) return false;
  for (int i = 0; i < prepared.m; ++i)
    if (prepared.bilateral(i)) return false;
  return true;
}

void SmallNewton::resize(int m) {
  m_ = m;
  rows_ = (3 * m_ + 3) / 4 * 4;
  coupled_ = true;
  for (int c = 0; c < 3 * m_; ++c) std::fill(W_[c], W_[c] + rows_, 0.0);
  for (double* v : {f_, delta_, kept_}) std::fill(v, v + rows_, 0.0);
}

void SmallNewton::set_contact(int i, double mu, double rho) {
  const double W_nn = W_[3 * i][3 * i];
  const double Lambda = 0.5 * (W_[3 * i + 1][3 * i + 1] + W_[3 * i + 2][3 * i + 2]);
  step_[i] = {W_nn > 0 ? 1 / W_nn : 0, Lambda > 0 ? 1 / Lambda : 0};
  mu_[i] = mu;
  rho_[i] = rho;
}

void SmallNewton::set(const Prepared& prepared) {
  resize(prepared.m);
  coupled_ = false;
  for_each_entry(prepared.problem->W, [this](int r, int c, double v) {
    W_[c][r] = v;
    coupled_ |= r / 3 != c / 3 && v != 0;
  });
  for (int i = 0; i < m_; ++i) set_contact(i, prepared.mu(i), prepared.rho[i]);
}

inline void SmallNewton::add_column(int i, double a, double b, double c) {
  const double *A = W_[3 * i], *B = W_[3 * i + 1], *C = W_[3 * i + 2];
  for (int r = 0; r < rows_; r += 4)
    for (int k = r; k < r + 4; ++k) delta_[k] += a * A[k] + b * B[k] + c * C[k];
}

void SmallNewton::residual() {
  std::copy(delta_free_, delta_free_ + 3 * m_, delta_);
  for (int i = 0; i < m_; ++i)
    if (f_[3 * i] != 0 || f_[3 * i + 1] != 0 || f_[3 * i + 2] != 0)
      add_column(i, f_[3 * i], f_[3 * i + 1], f_[3 * i + 2]);
}

Certificate SmallNewton::judge() const {
  return unilateral_certificate(m_, mu_, rho_, delta_free_, f_, delta_);
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
      const double limit = mu_[i] * n, length2 = t1 * t1 + t2 * t2;
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
  if (state_changes_ > 0 || (last_moved > 0 && !(moved_ < 0.5 * last_moved))) return false;
  const double sweep_ns = 16.0 * m_, newton_ns = 1e3 * newton_us(m_);
  const double rate = last_moved > 0 ? std::log(last_moved / moved_) : first_rate;
  const double missing = std::log(moved_ / enough);
  const int newton_steps = missing > newton_gain ? 2 : 1;
  return pessimism * missing * sweep_ns < rate * newton_steps * newton_ns;
}

bool SmallNewton::newton() {
  int row_of[most_rows], n = 0;
  for (int i = 0; i < m_; ++i)
    if (state_[i] != State::open)
      for (int k = 0; k < 3; ++k) row_of[n++] = 3 * i + k;
  const int n_padded = (n + 1 + 3) / 4 * 4;  // the right-hand side is column n
  for (int a = 0; a < n; ++a) {  // rows of W; a slipping contact then combines its tangential rows
    // W's own columns serve as its rows: it is symmetric up to noise, and the residual is exact anyway.
    const double* W = W_[row_of[a]];
    double* A = A_[a];
    for (int b = 0; b < n; b += 3)
      for (int k = 0; k < 3; ++k) A[b + k] = W[row_of[b] + k];
    for (int b = n; b < n_padded; ++b) A[b] = 0;
  }
  for (int a = 0; a < n; a += 3) {
    const int i = row_of[a] / 3;
    const double* f = f_ + 3 * i;
    const double epsilon = regularisation / rho_[i];
    A_[a][a] += epsilon;
    for (int k = 0; k < 3; ++k) A_[a + k][n] = -delta_[3 * i + k];
    const double z1 = f[1] - rho_[i] * delta_[3 * i + 1], z2 = f[2] - rho_[i] * delta_[3 * i + 2];
    const double length = std::sqrt(z1 * z1 + z2 * z2);
    if (state_[i] == State::stick || !(length > 0)) {
      A_[a + 1][a + 1] += epsilon;
      A_[a + 2][a + 2] += epsilon;
      continue;
    }
    // Derivative of f_t − μ f_n z/|z|, over ρ for the scale of W: with Q = μ f_n/|z| (1 − e eᵀ),
    // (1 − Q) df_t/ρ + Q W_t: df − μ e df_n/ρ = −(f_t − μ f_n e)/ρ.
    const double e1 = z1 / length, e2 = z2 / length, q = std::min(mu_[i] * f[0] / length, 1.0);
    const double Q11 = q * (1 - e1 * e1), Q12 = -q * e1 * e2, Q22 = q * (1 - e2 * e2), scale = 1 / rho_[i];
    double *first = A_[a + 1], *second = A_[a + 2];
    for (int b = 0; b < n_padded; ++b) {
      const double u = first[b], v = second[b];
      first[b] = Q11 * u + Q12 * v;
      second[b] = Q12 * u + Q22 * v;
    }
    first[a] -= mu_[i] * e1 * scale;
    second[a] -= mu_[i] * e2 * scale;
    first[a + 1] += (1 - Q11) * scale;
    first[a + 2] -= Q12 * scale;
    second[a + 1] -= Q12 * scale;
    second[a + 2] += (1 - Q22) * scale;
    first[n] = -(f[1] - mu_[i] * f[0] * e1) * scale;
    second[n] = -(f[2] - mu_[i] * f[0] * e2) * scale;
  }
  if (!eliminate(n)) return false;
  for (int a = 0; a < n; ++a) f_[row_of[a]] += A_[a][n];
  residual();
  return true;
}

/// Gaussian elimination by contacts: the pivots are the 3×3 diagonal blocks. A[:, n] ends as the solution.
bool SmallNewton::eliminate(int n) {
  const int to = (n + 1 + 3) / 4 * 4;
  for (int p = 0; p < n; p += 3) {
    double* const s0 = A_[p];
    double* const s1 = A_[p + 1];
    double* const s2 = A_[p + 2];
    const double a = s0[p], b = s0[p + 1], c = s0[p + 2];
    const double d = s1[p], e = s1[p + 1], f = s1[p + 2];
    const double g = s2[p], h = s2[p + 1], i = s2[p + 2];
    const double A = e * i - f * h, B = f * g - d * i, C = d * h - e * g, det = a * A + b * B + c * C;
    const double inverse = 1 / det;
    if (!std::isfinite(inverse)) return false;
    const double i00 = A * inverse, i01 = (c * h - b * i) * inverse, i02 = (b * f - c * e) * inverse;
    const double i10 = B * inverse, i11 = (a * i - c * g) * inverse, i12 = (c * d - a * f) * inverse;
    const double i20 = C * inverse, i21 = (b * g - a * h) * inverse, i22 = (a * e - b * d) * inverse;
    const int from = p / 4 * 4;
    for (int k = from; k < to; k += 4) {  // the pivot rows times the inverse of their block
      const Double4 u = at(s0, k), v = at(s1, k), w = at(s2, k);
      at(s0, k) = i00 * u + i01 * v + i02 * w;
      at(s1, k) = i10 * u + i11 * v + i12 * w;
      at(s2, k) = i20 * u + i21 * v + i22 * w;
    }
    for (int r = p + 3; r < n; r += 3) {
      double *const t0 = A_[r], *const t1 = A_[r + 1], *const t2 = A_[r + 2];
      const double x0 = t0[p], y0 = t0[p + 1], z0 = t0[p + 2];
      const double x1 = t1[p], y1 = t1[p + 1], z1 = t1[p + 2];
      const double x2 = t2[p], y2 = t2[p + 1], z2 = t2[p + 2];
      for (int k = from; k < to; k += 4) {
        const Double4 u = at(s0, k), v = at(s1, k), w = at(s2, k);
        at(t0, k) -= x0 * u + y0 * v + z0 * w;
        at(t1, k) -= x1 * u + y1 * v + z1 * w;
        at(t2, k) -= x2 * u + y2 * v + z2 * w;
      }
    }
  }
  double size = 0;
  for (int r = n - 1; r >= 0; --r) {  // the diagonal blocks are now identities
    double sum = A_[r][n];
    for (int b = r / 3 * 3 + 3; b < n; ++b) sum -= A_[r][b] * A_[b][n];
    A_[r][n] = sum;
    size += sum * sum;
  }
  return std::isfinite(size);
}

SmallNewton::Outcome SmallNewton::solve(const SolveOptions& options, BudgetWatch& watch, bool warm,
                                        const double* delta_free, double* f) {
  delta_free_ = delta_free;
  std::copy(f, f + 3 * m_, f_);
  for (int i = 0; i < m_; ++i) {
    const double *const v = f_ + 3 * i, limit = mu_[i] * v[0] * (1 - 1e-6);
    state_[i] = !(v[0] > 0)                                  ? State::open
                : v[1] * v[1] + v[2] * v[2] >= limit * limit ? State::slip
                                                             : State::stick;
  }
  residual();
  Outcome out;
  Certificate& c = out.certificate;
  const double tolerance = options.tolerance;
  const auto done = [&](SolveStatus status) {
    std::copy(f_, f_ + 3 * m_, f);
    out.status = status;
    return out;
  };
  const int limit = std::min(options.max_sweeps, most_steps), sweep_work = 9 * m_ * m_ + 20 * m_;
  int next_newton = warm ? 2 : first_sweeps, failures = 0;
  moved_ = 0;
  while (out.sweeps < limit) {
    const double last_moved = moved_;
    sweep();
    ++out.sweeps;
    if (!std::isfinite(moved_)) {
      std::fill(f_, f_ + 3 * m_, 0.0);
      return done(SolveStatus::stalled);
    }
    if (watch.spent_after(sweep_work)) break;
    const double enough = 30 * tolerance * tolerance * size_;
    const bool promising = moved_ <= enough || moved_ == 0 || !coupled_;
    if (!promising && (out.sweeps < next_newton || sweeps_are_cheaper(last_moved, enough))) continue;
    if (promising) residual();
    c = judge();
    if (c.infeasible || (promising && c.within(tolerance))) return done(SolveStatus::converged);
    if (out.sweeps < next_newton) continue;
    // Newton steps, each with a sweep after it. The first ones may lead away while they sort out the states.
    double least = c.value;
    std::copy(f_, f_ + 3 * m_, kept_);
    for (int idle = 0; idle < most_idle && out.sweeps < limit;) {
      if (watch.too_late_for(2 * newton_us(m_))) {
        failures = most_failures;
        break;
      }
      ++out.sweeps;
      if (!newton()) break;
      sweep();
      c = judge();
      if (c.within(tolerance)) {
        residual();
        c = judge();
        if (c.within(tolerance)) return done(SolveStatus::converged);
      }
      idle = c.value < 0.5 * least ? 0 : idle + 1;
      if (c.value < least) {
        least = c.value;
        std::copy(f_, f_ + 3 * m_, kept_);
      }
      if (watch.spent_after(3 * sweep_work + 9 * m_ * m_ * m_ + newton_work)) {
        failures = most_failures;
        break;
      }
    }
    std::copy(kept_, kept_ + 3 * m_, f_);
    residual();
    if (++failures >= most_failures) break;
    next_newton = out.sweeps + sweeps_between;
  }
  residual();
  c = judge();
  return done(c.within(tolerance) ? SolveStatus::converged : SolveStatus::stalled);
}

}  // namespace palp
