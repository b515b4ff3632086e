#include "palp/solvers/lemke.hpp"

#include <algorithm>
#include <cmath>

namespace palp {

namespace {
// The scaled dictionary starts with entries of order one: these are absolute.
constexpr double kPivotZero = 1e-10;     // a smaller entry of the entering column is taken for rounding
constexpr double kTie = 1e-11;           // ratios closer than this are equal
constexpr double kContradiction = 1e-7;  // what is left of a free row that repeats others
constexpr int kAttempts = 4;             // covering vectors tried before rounding is blamed
}  // namespace

void Lemke::reserve(int n) {
  if (n <= M_.rows()) return;
  M_.resize(n, n);
  T_.resize(n, n + 1);
  for (VecX* v : {&q_, &D_, &E_, &qh_, &z_, &w_, &y_}) v->resize(n);
  basic_.resize(n);
  nonbasic_.resize(n + 1);
  row_of_.resize(2 * n + 1);
  column_of_.resize(2 * n + 1);
  dead_row_.resize(n);
}

// D M E with every row's and column's largest entry near one (Ruiz). The solutions are those of the original
// problem: z = q_scale E z', w = q_scale D⁻¹ w'.
void Lemke::scale(ConstMatRef M, ConstVecRef q) {
  auto S = M_.topLeftCorner(n_, n_);
  S = M;
  D_.head(n_).setOnes();
  E_.head(n_).setOnes();
  for (int sweep = 0; sweep < 6; ++sweep) {
    for (int i = 0; i < n_; ++i) {
      const double largest = S.row(i).cwiseAbs().maxCoeff();
      y_[i] = largest > 0 ? 1 / std::sqrt(largest) : 1;
    }
    for (int j = 0; j < n_; ++j) {
      const double largest = S.col(j).cwiseAbs().maxCoeff();
      z_[j] = largest > 0 ? 1 / std::sqrt(largest) : 1;
    }
    for (int j = 0; j < n_; ++j) S.col(j).array() *= y_.head(n_).array() * z_[j];
    D_.head(n_).array() *= y_.head(n_).array();
    E_.head(n_).array() *= z_.head(n_).array();
  }
  q_.head(n_) = D_.head(n_).cwiseProduct(q);
  q_scale_ = q_.head(n_).cwiseAbs().maxCoeff();
  if (!(q_scale_ > 0)) q_scale_ = 1;
  q_.head(n_) /= q_scale_;
}

LemkeStatus Lemke::solve(ConstMatRef M, ConstVecRef q, std::span<const char> free_rows,
                         const Options& options, VecRef z) {
  n_ = static_cast<int>(q.size());
  reserve(n_);
  pivots_ = 0;
  residual_ = 0;
  z.setZero();
  if (n_ == 0) return LemkeStatus::solved;
  if (!M.allFinite() || !q.allFinite()) {
    residual_ = std::numeric_limits<double>::infinity();
    return LemkeStatus::inaccurate;
  }
  scale(M, q);
  const int max_pivots = options.max_pivots > 0 ? options.max_pivots : 50 * n_ + 200;
  LemkeStatus status = LemkeStatus::inaccurate;
  for (int number = 0; number < kAttempts; ++number) {
    status = attempt(free_rows, options, max_pivots, number);
    if (status == LemkeStatus::solved) {
      refine_and_measure(free_rows);
      if (residual_ > options.accuracy) status = LemkeStatus::inaccurate;
    }
    // A ray without proof or a lost answer may be rounding's doing: another covering vector takes another
    // path.
    if (status != LemkeStatus::inaccurate && status != LemkeStatus::ray) break;
  }
  if (status == LemkeStatus::solved) z = q_scale_ * E_.head(n_).cwiseProduct(z_.head(n_));
  return status;
}

LemkeStatus Lemke::attempt(std::span<const char> free_rows, const Options& options, int max_pivots,
                           int number) {
  T_.topLeftCorner(n_, n_) = M_.topLeftCorner(n_, n_);
  qh_.head(n_) = q_.head(n_);
  for (int i = 0; i < n_; ++i) {
    basic_[i] = i;
    nonbasic_[i] = n_ + i;
    row_of_[i] = column_of_[n_ + i] = i;
    column_of_[i] = row_of_[n_ + i] = -1;
    dead_row_[i] = 0;
    // The covering vector: ones at first, then values spread over [1, 2) (golden ratio sequence).
    const double golden = 0.6180339887498949 * (i + 1) * number;
    T_(i, n_) = 1 + (golden - std::floor(golden));
  }
  nonbasic_[n_] = 2 * n_;
  column_of_[2 * n_] = n_;
  row_of_[2 * n_] = -1;
  if (!eliminate_free_rows(free_rows)) return LemkeStatus::infeasible;
  return follow_path(options, max_pivots);
}

// Brings the free z into the basis and fixes their w at zero: the rest is the Schur complement. A vanishing
// pivot means that a free row repeats others: it is dropped when they agree.
bool Lemke::eliminate_free_rows(std::span<const char> free_rows) {
  if (free_rows.empty()) return true;
  for (int i = 0; i < n_; ++i)
    if (free_rows[i]) T_(i, n_) = 0;  // no artificial variable in an equation
  for (;;) {
    int best = -1;
    for (int i = 0; i < n_; ++i)
      if (free_rows[i] && !dead_row_[i] && (best < 0 || std::abs(T_(i, i)) > std::abs(T_(best, best))))
        best = i;
    if (best < 0) return true;
    dead_row_[best] = 1;  // its z never leaves the basis, hence its w never enters
    if (std::abs(T_(best, best)) > kPivotZero)
      pivot(best, best);
    else if (std::abs(qh_[best]) > kContradiction)
      return false;
  }
}

LemkeStatus Lemke::follow_path(const Options& options, int max_pivots) {
  // First pivot: the lexicographically smallest row; among equals that is the last one.
  int row = -1;
  double smallest = 0;
  const int artificial = n_;
  for (int i = 0; i < n_; ++i) {
    if (dead_row_[i] || qh_[i] >= 0) continue;
    const double ratio = qh_[i] / T_(i, artificial);
    if (row < 0 || ratio <= smallest) {
      row = i;
      smallest = ratio;
    }
  }
  if (row < 0) return LemkeStatus::solved;  // q ≥ 0: z = 0
  int leaving = basic_[row];
  pivot(row, artificial);
  while (pivots_ < max_pivots) {
    if (options.clock_us && options.clock_us() >= options.deadline_us) return LemkeStatus::out_of_time;
    const int entering = leaving < n_ ? leaving + n_ : leaving - n_;
    const int column = column_of_[entering];
    row = leaving_row(column);
    if (row < 0) return ray_proves_infeasible(column) ? LemkeStatus::infeasible : LemkeStatus::ray;
    leaving = basic_[row];
    pivot(row, column);
    if (leaving == 2 * n_) return LemkeStatus::solved;
  }
  return LemkeStatus::pivot_limit;
}

// The ratio test. The artificial variable leaves whenever it may.
int Lemke::leaving_row(int column) const {
  const auto t = T_.col(column).head(n_);
  const double threshold = kPivotZero * std::max(1.0, t.cwiseAbs().maxCoeff());
  double smallest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_; ++i)
    if (!dead_row_[i] && t[i] < -threshold) smallest = std::min(smallest, std::max(qh_[i], 0.0) / -t[i]);
  if (!std::isfinite(smallest)) return -1;
  const double limit = smallest + kTie * std::max(1.0, smallest);
  int best = -1;
  for (int i = 0; i < n_; ++i) {
    if (dead_row_[i] || t[i] >= -threshold || std::max(qh_[i], 0.0) / -t[i] > limit) continue;
    if (basic_[i] == 2 * n_) return i;
    if (best < 0 || lexicographically_less(i, -t[i], best, -t[best])) best = i;
  }
  return best;
}

// Coefficient of ε^(j+1) in row's basic variable when q is perturbed: row of the basis inverse.
double Lemke::perturbation(int row, int j) const {
  const int column = column_of_[j];
  if (column >= 0) return -T_(row, column);
  return row_of_[j] == row ? 1 : 0;
}

bool Lemke::lexicographically_less(int a, double pivot_a, int b, double pivot_b) const {
  for (int j = 0; j < n_; ++j) {
    const double left = perturbation(a, j) / pivot_a, right = perturbation(b, j) / pivot_b;
    if (std::abs(left - right) > kTie * std::max({1.0, std::abs(left), std::abs(right)})) return left < right;
  }
  return pivot_a > pivot_b;
}

// Exchanges basic_[row] and nonbasic_[column].
void Lemke::pivot(int row, int column) {
  const double p = T_(row, column);
  auto c = y_.head(n_);  // the pivot column, zero in the pivot row
  c = T_.col(column).head(n_);
  c[row] = 0;
  for (int j = 0; j <= n_; ++j) {
    if (j == column) continue;
    const double r = -T_(row, j) / p;
    T_(row, j) = r;
    if (r != 0) T_.col(j).head(n_) += r * c;
  }
  T_.col(column).head(n_) = c / p;
  T_(row, column) = 1 / p;
  const double r = -qh_[row] / p;
  qh_[row] = r;
  qh_.head(n_) += r * c;
  std::swap(basic_[row], nonbasic_[column]);
  row_of_[basic_[row]] = row;
  column_of_[basic_[row]] = -1;
  column_of_[nonbasic_[column]] = column;
  row_of_[nonbasic_[column]] = -1;
  ++pivots_;
}

// Along the ray the basic variables grow with the entering column. y = the z-part of that direction.
bool Lemke::ray_proves_infeasible(int column) {
  auto y = y_.head(n_);
  y.setZero();
  if (nonbasic_[column] >= n_ && nonbasic_[column] < 2 * n_) y[nonbasic_[column] - n_] = 1;
  for (int i = 0; i < n_; ++i)
    if (basic_[i] >= n_ && basic_[i] < 2 * n_) y[basic_[i] - n_] = T_(i, column);
  const double size = y.cwiseAbs().maxCoeff();
  if (!(size > 0)) return false;
  y /= size;
  w_.head(n_).noalias() = M_.topLeftCorner(n_, n_).transpose() * y;
  for (int i = 0; i < n_; ++i) {
    const bool is_free = dead_row_[i] != 0;
    if (!is_free && y[i] < -1e-8) return false;
    if ((is_free ? std::abs(w_[i]) : w_[i]) > 1e-8) return false;
  }
  return q_.head(n_).dot(y) < -1e-9;
}

// Two steps of iterative refinement with the basis inverse that the dictionary holds, then the natural
// residual.
void Lemke::refine_and_measure(std::span<const char> free_rows) {
  auto z = z_.head(n_);
  auto w = w_.head(n_);
  const auto M = M_.topLeftCorner(n_, n_);
  for (int step = 0;; ++step) {
    z.setZero();
    for (int i = 0; i < n_; ++i)
      if (basic_[i] >= n_ && basic_[i] < 2 * n_) z[basic_[i] - n_] = qh_[i];
    w = q_.head(n_);
    w.noalias() += M * z;
    if (step == 2) break;
    for (int i = 0; i < n_; ++i) {
      if (basic_[i] < n_) w[basic_[i]] -= qh_[i];
      y_[i] = w[i];  // what the equations lack; zero in exact arithmetic
    }
    for (int j = 0; j < n_; ++j) {
      const double lack = y_[j];
      if (lack == 0) continue;
      const int column = column_of_[j];
      if (column < 0)
        qh_[row_of_[j]] += lack;
      else
        qh_.head(n_) -= lack * T_.col(column).head(n_);
    }
  }
  double worst = 0;
  for (int i = 0; i < n_; ++i) {
    const bool is_free = !free_rows.empty() && free_rows[i];
    if (!is_free && z[i] < 0 && z[i] > -kPivotZero) z[i] = 0;
    worst = std::max(worst, std::abs(is_free ? w[i] : std::min(w[i], z[i])));
  }
  residual_ = worst / std::max(1.0, z.cwiseAbs().maxCoeff());
  if (!(residual_ >= 0)) residual_ = std::numeric_limits<double>::infinity();
}

}  // namespace palp
