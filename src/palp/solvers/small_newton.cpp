#include "palp/solvers/small_newton.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace palp {
namespace {

typedef double Double4 __attribute__((vector_size(32), may_alias));
Double4& at(double* row, int k) { return *reinterpret_cast<Double4*>(row + k); }
const Double4& at(const double* row, int k) { return *reinterpret_cast<const Double4*>(row + k); }

constexpr double regularisation = 1e-9;
constexpr double slow_step = 0.8;   ///< of the error that Algorithm 1's step may leave: beyond, solve exactly
constexpr int first_sweeps = 3;     ///< before the first Newton step, to know the rate
constexpr int most_steps = 60;      ///< sweeps and Newton steps before the general method takes over
constexpr int most_idle = 4;        ///< Newton steps in a row without gain
constexpr int most_failures = 3;    ///< times that this happens before the general method takes over
constexpr int sweeps_between = 4;   ///< from one to the next
constexpr double first_rate = 0.1;  ///< of |Δf|² per sweep, when only one has been made
constexpr double newton_gain = 1e-8;  ///< of |Δf|² by one Newton step
constexpr double sweep_us = 0.04;     ///< per contact; twice what it takes, since sweeps get slower
constexpr int newton_work = 400;      ///< of a step besides its factorisation, in multiply-adds

/// Of a Newton step on one core, roughly: to weigh it against sweeps and against the time left.
double newton_us(int m) { return 0.06 + 0.03 * m + 0.0008 * m * m * m; }

}  // namespace

bool SmallNewton::fits(const Prepared& prepared) {
  if (prepared.m > most_contacts) return false;
  for (int i = 0; i < prepared.m; ++i)
    if (prepared.bilateral(i)) return false;
  return true;
}

void SmallNewton::resize(int m) {
  m_ = m;
  coupled_ = true;
  const auto choose = [this]<int... k>(std::integer_sequence<int, k...>) {
    static constexpr decltype(residual_) residuals[] = {&SmallNewton::residual_of<k>...};
    static constexpr decltype(sweep_) sweeps[] = {&SmallNewton::sweep_of<k>...};
    residual_ = residuals[m_];
    sweep_ = sweeps[m_];
  };
  choose(std::make_integer_sequence<int, most_contacts + 1>());
}

void SmallNewton::set_contact(int i, double mu, double rho) {
  const auto W = [&](int r, int c) { return W_[3 * i + c][4 * i + r]; };
  const double W_nn = W(0, 0), Lambda = 0.5 * (W(1, 1) + W(2, 2)), uneven = 0.5 * (W(1, 1) - W(2, 2));
  Step& s = step_[i];
  s = {W_nn > 0 ? 1 / W_nn : 0, Lambda > 0 ? 1 / Lambda : 0, false};
  // Of W_ii, what Algorithm 1's step leaves out: squares.
  double rest = 2 * uneven * uneven;
  for (int k = 0; k < 3; ++k) {
    const double above = W(k, (k + 1) % 3), below = W((k + 1) % 3, k);
    rest += above * above + below * below;
  }
  const double slow = coupled_ ? slow_step : 0;  // alone, a contact is solved by one exact step
  const double scale = slow / std::max(s.inverse_nn, s.inverse_Lambda);
  s.exact = mu > 0 && W_nn > 0 && rest > scale * scale;
  if (s.exact)
    block_[i] = LocalBlock::of(Eigen::Map<const Mat3, 0, Eigen::OuterStride<padded>>(&entry(3 * i, 3 * i)));
  mu_[i] = mu;
  rho_[i] = rho;
}

void SmallNewton::set(const Prepared& prepared) {
  resize(prepared.m);
  coupled_ = false;
  for (int c = 0; c < 3 * m_; ++c) std::fill(W_[c], W_[c] + 4 * m_, 0.0);
  for_each_entry(prepared.problem->W, [this](int r, int c, double v) {
    entry(r, c) = v;
    coupled_ |= r / 3 != c / 3 && v != 0;
  });
  for (int i = 0; i < m_; ++i) set_contact(i, prepared.mu(i), prepared.rho[i]);
}

template <int m>
void SmallNewton::residual_of() {
  Double4 sum[m + 1];
  for (int k = 0; k < m; ++k) sum[k] = at(free_, 4 * k);
  for (int i = 0; i < m; ++i) {
    const double a = f_[4 * i], b = f_[4 * i + 1], c = f_[4 * i + 2];
    if (a == 0 && b == 0 && c == 0) continue;
    const double *A = W_[3 * i], *B = W_[3 * i + 1], *C = W_[3 * i + 2];
    for (int k = 0; k < m; ++k) sum[k] = sum[k] + a * at(A, 4 * k) + b * at(B, 4 * k) + c * at(C, 4 * k);
  }
  for (int k = 0; k < m; ++k) at(delta_, 4 * k) = sum[k];
}

SmallNewton::State SmallNewton::solve_exactly(int i, double delta_n, double delta_1, double delta_2) {
  const double* f = f_ + 4 * i;
  const auto without = [&](double d, int r) {
    return d - W_[3 * i][4 * i + r] * f[0] - W_[3 * i + 1][4 * i + r] * f[1] -
           W_[3 * i + 2][4 * i + r] * f[2];
  };
  const double q_n = without(delta_n, 0), q_1 = without(delta_1, 1), q_2 = without(delta_2, 2);
  next_ = {0, 0, 0};
  if (!(q_n < 0)) return State::open;
  const LocalBlock& block = block_[i];
  const auto take = [this](const Vec3& f_i, State state) {
    next_ = {f_i[0], f_i[1], f_i[2]};
    return state;
  };
  const SlipCurve curve(block, q_n, q_1, q_2, mu_[i]);
  SlipCurve::Point p = curve.at(block.alpha_0);
  if (p.in_cone()) return take(curve.stick(p), State::stick);
  if (coupled_) {
    // α need not be exact, since the other contacts move too: with a guess from the last sweep, Newton's step
    // on it is made for the next one, and nothing waits for it.
    if (alpha_[i] > block.alpha_0) {
      p = curve.at(alpha_[i]);
    } else {
      p = curve.at(curve.newton(p));
      p = curve.at(curve.newton(p));
    }
    if (p.alpha > block.alpha_0 && p.length > 0) {
      alpha_[i] = curve.newton(p);
      return take(curve.slip(p), State::slip);
    }
  }
  const LocalSolution local = solve_local(block, {q_n, q_1, q_2}, mu_[i]);
  alpha_[i] = local.alpha;
  return take(local.f, State::slip);
}

void SmallNewton::guess_alpha() {
  for (int i = 0; i < m_; ++i) {
    if (!step_[i].exact) continue;
    const double *f = f_ + 4 * i, *delta = delta_ + 4 * i;
    alpha_[i] = state_[i] == State::slip ? -(delta[1] * f[1] + delta[2] * f[2]) /
                                               (f[1] * f[1] + f[2] * f[2]) * block_[i].inverse_nn
                                         : 0;
  }
}

template <int m>
void SmallNewton::sweep_of() {
  double moved = 0, size = 0;
  int changes = 0;
  double delta_n = delta_[0], delta_1 = delta_[1], delta_2 = delta_[2];
  for (int i = 0; i < m; ++i) {
    const Step& s = step_[i];
    double *const f = f_ + 4 * i, n = 0, t_1 = 0, t_2 = 0;
    State state = State::open;
    if (s.exact && (f[0] != 0 || delta_n < 0)) {  // else it stays open, which the other branch finds sooner
      state = solve_exactly(i, delta_n, delta_1, delta_2);
      n = next_.n;
      t_1 = next_.t_1;
      t_2 = next_.t_2;
    } else if (const double pressed = f[0] - delta_n * s.inverse_nn; pressed > 0 && s.inverse_nn != 0) {
      n = pressed;
      t_1 = f[1] - delta_1 * s.inverse_Lambda;
      t_2 = f[2] - delta_2 * s.inverse_Lambda;
      const double limit = mu_[i] * n, length2 = t_1 * t_1 + t_2 * t_2;
      state = State::stick;
      if (length2 > limit * limit) {
        const double shrink = limit / std::sqrt(length2);
        t_1 *= shrink;
        t_2 *= shrink;
        state = State::slip;
      }
    }
    changes += state != state_[i];
    state_[i] = state;
    const double a = n - f[0], b = t_1 - f[1], c = t_2 - f[2], change = a * a + b * b + c * c;
    const int r = i + 1 < m ? 4 * i + 4 : 0;
    delta_n = delta_[r];
    delta_1 = delta_[r + 1];
    delta_2 = delta_[r + 2];
    if (change == 0) continue;
    moved += change;
    size += n * n + t_1 * t_1 + t_2 * t_2;
    f[0] = n;
    f[1] = t_1;
    f[2] = t_2;
    // The next contact's δ also by itself, in registers: that is all a sweep has to wait for.
    const double *A = W_[3 * i], *B = W_[3 * i + 1], *C = W_[3 * i + 2];
    delta_n = delta_n + a * A[r] + b * B[r] + c * C[r];
    delta_1 = delta_1 + a * A[r + 1] + b * B[r + 1] + c * C[r + 1];
    delta_2 = delta_2 + a * A[r + 2] + b * B[r + 2] + c * C[r + 2];
    for (int k = 0; k < 4 * m; k += 4)
      at(delta_, k) = at(delta_, k) + a * at(A, k) + b * at(B, k) + c * at(C, k);
  }
  moved_ = moved;
  size_ = size;
  state_changes_ = changes;
}

bool SmallNewton::sweeps_are_cheaper(double last_moved, double enough) const {
  if (state_changes_ > 0 || (last_moved > 0 && !(moved_ < 0.5 * last_moved))) return false;
  const double rate = last_moved > 0 ? moved_ / last_moved : first_rate;
  double us = (newton_gain * moved_ > enough ? 2 : 1) * newton_us(m_), rest = moved_;
  for (; us > 0 && rest > enough; us -= sweep_us * m_) rest *= rate;
  return rest <= enough;
}

SmallNewton::Newton SmallNewton::newton() {
  // A contact in the system. Unknown are f_n and, of f_t: both components in stick; what turns it in slip,
  // since its length follows f_n; nothing without friction.
  struct Unknown {
    int contact, first, count;
    double e_1, e_2, length;  // slip: f_t = length e
  };
  Unknown unknown[most_contacts];
  const double* row[most_rows];  // of W, for every equation
  alignas(32) double across[most_contacts][padded];
  int contacts = 0, n = 0;
  for (int i = 0; i < m_; ++i) {
    if (state_[i] == State::open) continue;
    Unknown& u = unknown[contacts++];
    u = {.contact = i, .first = n, .count = 3, .e_1 = 0, .e_2 = 0, .length = 0};
    // W's own columns serve as its rows: it is symmetric up to noise, and the residual is exact anyway.
    const double *W_n = W_[3 * i], *W_1 = W_[3 * i + 1], *W_2 = W_[3 * i + 2], *f = f_ + 4 * i;
    row[n++] = W_n;
    if (state_[i] == State::stick) {
      row[n++] = W_1;
      row[n++] = W_2;
      continue;
    }
    u.count = 1;  // without friction
    u.length = std::sqrt(f[1] * f[1] + f[2] * f[2]);
    if (!(u.length > 0)) continue;
    u.count = 2;
    u.e_1 = f[1] / u.length;
    u.e_2 = f[2] / u.length;
    for (int k = 0; k < 4 * m_; k += 4) at(across[i], k) = u.e_1 * at(W_2, k) - u.e_2 * at(W_1, k);
    row[n++] = across[i];
  }
  const int system = (n + 2) / 3 * 3;  // eliminate() goes by threes: the last ones are x = 0
  for (int r = 0; r < system; ++r)
    for (int k = r < n ? n / 4 * 4 : 0; k < system + 1; k += 4) at(A_[r], k) = Double4{};
  for (int r = n; r < system; ++r) A_[r][r] = 1;
  for (int k = 0; k < contacts; ++k) {
    const Unknown& u = unknown[k];
    const double mu = mu_[u.contact];
    // What W's columns n, t_1 and t_2 give to the unknowns; slipping, f_t grows with f_n.
    Double4 by_n{1, 0, 0, 0}, by_1{0, 1, 0, 0}, by_2{0, 0, 1, 0};
    if (u.count < 3) by_1 = Double4{mu * u.e_1, -u.e_2, 0, 0}, by_2 = Double4{mu * u.e_2, u.e_1, 0, 0};
    for (int r = 0; r < n; ++r) {
      const double* w = row[r] + 4 * u.contact;
      const Double4 entries = w[0] * by_n + w[1] * by_1 + w[2] * by_2;
      std::memcpy(A_[r] + u.first, &entries, sizeof entries);  // what is too much is overwritten by the next
    }
  }
  for (int k = 0; k < contacts; ++k) {
    const Unknown& u = unknown[k];
    const double* delta = delta_ + 4 * u.contact;
    for (int c = 0; c < u.count; ++c) {
      A_[u.first + c][u.first + c] += regularisation / rho_[u.contact];
      A_[u.first + c][system] = -delta[c];
    }
    if (u.count == 2) {  // e⊥ᵀ(δ + W df) = 0, where e⊥ turns with f_t
      const double along = u.e_1 * delta[1] + u.e_2 * delta[2];
      A_[u.first + 1][u.first + 1] += std::max(-along, 0.0) / u.length;
      A_[u.first + 1][system] = u.e_2 * delta[1] - u.e_1 * delta[2];
    }
  }
  if (!eliminate(system)) return Newton::failed;
  bool states_hold = true;
  for (int k = 0; k < contacts; ++k) {
    const Unknown& u = unknown[k];
    const double mu = mu_[u.contact], x_n = A_[u.first][system];
    double* f = f_ + 4 * u.contact;
    f[0] += x_n;
    if (u.count == 3) {
      f[1] += A_[u.first + 1][system];
      f[2] += A_[u.first + 2][system];
    } else {
      const double turn = u.count == 2 ? A_[u.first + 1][system] : 0;
      f[1] += mu * x_n * u.e_1 - turn * u.e_2;
      f[2] += mu * x_n * u.e_2 + turn * u.e_1;
    }
    // Where a state does not hold, f goes on as it is: the sweep needs it to see which state follows.
    const double limit = mu * f[0], length2 = f[1] * f[1] + f[2] * f[2];
    if (!(f[0] > 0) || (u.count == 3 && length2 > limit * limit)) {
      states_hold = false;
    } else if (u.count == 2 && length2 > 0) {
      const double scale = limit / std::sqrt(length2);
      f[1] *= scale;
      f[2] *= scale;
    }
  }
  residual();
  guess_alpha();
  return states_hold ? Newton::consistent : Newton::inconsistent;
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
        at(t0, k) = at(t0, k) - x0 * u - y0 * v - z0 * w;  // fused, unlike a difference of the sum
        at(t1, k) = at(t1, k) - x1 * u - y1 * v - z1 * w;
        at(t2, k) = at(t2, k) - x2 * u - y2 * v - z2 * w;
      }
    }
  }
  for (int p = n - 3; p > 0; p -= 3) {  // the diagonal blocks are now identities
    const double x = A_[p][n], y = A_[p + 1][n], z = A_[p + 2][n];
    for (int r = 0; r < p; ++r) A_[r][n] = A_[r][n] - A_[r][p] * x - A_[r][p + 1] * y - A_[r][p + 2] * z;
  }
  double sum = 0;
  for (int r = 0; r < n; ++r) sum += A_[r][n];
  return std::isfinite(sum);
}

SmallNewton::Outcome SmallNewton::solve(const SolveOptions& options, BudgetWatch& watch, bool warm,
                                        const double* delta_free, double* f) {
  for (int i = 0; i < m_; ++i) {
    double* const v = f_ + 4 * i;
    for (int k = 0; k < 3; ++k) {
      free_[4 * i + k] = delta_free[3 * i + k];
      v[k] = f[3 * i + k];
    }
    const double limit = mu_[i] * v[0] * (1 - 1e-6);
    state_[i] = !(v[0] > 0)                                  ? State::open
                : v[1] * v[1] + v[2] * v[2] >= limit * limit ? State::slip
                                                             : State::stick;
  }
  residual();
  guess_alpha();
  Outcome out;
  Certificate& c = out.certificate;
  const double tolerance = options.tolerance;
  const auto done = [&](SolveStatus status) {
    for (int i = 0; i < m_; ++i)
      for (int k = 0; k < 3; ++k) f[3 * i + k] = f_[4 * i + k];
    out.status = status;
    return out;
  };
  const auto solved = [&] {  // δ is fresh
    c = judge(f_, delta_);
    return c.infeasible || c.within(tolerance);
  };
  const auto keep = [&] {
    std::copy(f_, f_ + 4 * m_, kept_);
    std::copy(delta_, delta_ + 4 * m_, kept_delta_);
  };
  const int limit = std::min(options.max_sweeps, most_steps), sweep_work = 9 * m_ * m_ + 20 * m_;
  int next_newton = warm ? 2 : first_sweeps, failures = 0, idle = 0;
  bool trying = false;  // Newton steps alternate with sweeps, and kept_ is the best force so far
  double least = 0;     // its certificate; negative: not known yet
  moved_ = 0;
  while (out.sweeps < limit) {
    const double last_moved = moved_;
    sweep();
    ++out.sweeps;
    if (!std::isfinite(moved_)) {
      std::fill(f_, f_ + 4 * m_, 0.0);
      return done(SolveStatus::stalled);
    }
    if (watch.spent_after(sweep_work)) break;
    const double enough = 30 * tolerance * tolerance * size_;
    if (moved_ <= enough || !coupled_) {
      residual();
      if (solved()) return done(SolveStatus::converged);
    } else if (!trying && sweeps_are_cheaper(last_moved, enough)) {
      continue;
    }
    if (!trying && out.sweeps < next_newton) continue;
    // Newton steps, each with a sweep after it. The first ones may lead away while they sort out the states.
    if (!trying) {
      trying = true;
      idle = 0;
      least = -1;
      keep();
    } else {
      if (least < 0) least = judge(kept_, kept_delta_).value;
      c = judge(f_, delta_);
      idle = c.value < 0.5 * least ? 0 : idle + 1;
      if (c.value < least) {
        least = c.value;
        keep();
      }
    }
    if (out.sweeps >= limit || watch.too_late_for(2 * newton_us(m_))) break;
    if (idle < most_idle) {
      ++out.sweeps;
      const Newton step = newton();
      if (step == Newton::consistent && solved()) return done(SolveStatus::converged);
      if (watch.spent_after(2 * sweep_work + 9 * m_ * m_ * m_ + newton_work)) break;
      if (step != Newton::failed) continue;
    }
    trying = false;
    std::copy(kept_, kept_ + 4 * m_, f_);
    residual();
    moved_ = 0;
    if (++failures >= most_failures) break;
    next_newton = out.sweeps + sweeps_between;
  }
  if (trying) std::copy(kept_, kept_ + 4 * m_, f_);
  residual();
  return done(solved() ? SolveStatus::converged : SolveStatus::stalled);
}

}  // namespace palp
