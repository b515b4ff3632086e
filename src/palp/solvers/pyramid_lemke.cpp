#include "palp/solvers/pyramid_lemke.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace palp {

std::unique_ptr<Solver> make_pyramid_lemke() { return std::make_unique<PyramidLemke>(); }

PyramidLemke::PyramidLemke(int sides) : name_("pyramid_lemke") {
  const int k = std::clamp(sides, 3, max_sides);
  if (k != default_sides) name_.append(":").append(std::to_string(k));
  for (int r = 0; r < k; ++r) {
    const double angle = 2 * std::numbers::pi * r / k;
    directions_.emplace_back(std::cos(angle), std::sin(angle));
  }
}

int PyramidLemke::rows_of(int contact) const {
  if (prepared_.bilateral(contact)) return 3;
  return prepared_.mu(contact) > 0 ? sides() + 2 : 1;
}

Result<void> PyramidLemke::set_problem(const Problem& problem) {
  if (auto ok = prepared_.set(problem); !ok) return ok;
  const int m = prepared_.m;
  long rows = 0;
  first_row_.resize(m + 1);
  for (int i = 0; i < m; ++i) {
    first_row_[i] = static_cast<int>(rows);
    rows += rows_of(i);
    if (rows > max_rows) {
      rows_ = -1;
      return Error{.message = std::string("the friction pyramid has too many LCP rows; the most is ")
                                  .append(std::to_string(max_rows)),
                   .remedy = "use fewer contacts or sides, or another solver"};
    }
  }
  first_row_[m] = rows_ = static_cast<int>(rows);
  if (M_.rows() < rows_) {
    M_.resize(rows_, rows_);
    q_.resize(rows_);
    z_.resize(rows_);
    free_rows_.resize(rows_);
    lemke_.reserve(rows_);
  }
  delta_.resize(3 * m);

  M_.topLeftCorner(rows_, rows_).setZero();
  std::fill(free_rows_.begin(), free_rows_.end(), char{0});
  if (problem.W.is_dense) {
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) assemble_block(i, j, problem.W.dense.block<3, 3>(3 * i, 3 * j));
  } else {
    const BlockSparse& S = problem.W.sparse;
    for (int i = 0; i < m; ++i)
      for (int b = S.start[i]; b < S.start[i + 1]; ++b) assemble_block(i, S.column[b], S.value[b]);
  }
  for (int i = 0; i < m; ++i) {
    const int a = first_row_[i], k = sides();
    if (prepared_.bilateral(i)) {
      for (int c = 0; c < 3; ++c) free_rows_[a + c] = 1;
    } else if (rows_of(i) > 1) {
      M_(a + k + 1, a) = prepared_.mu(i);
      M_.block(a + k + 1, a + 1, 1, k).setConstant(-1);
      M_.block(a + 1, a + k + 1, k, 1).setConstant(1);
    }
  }
  return {};
}

// The rows and columns of contacts i and j: normal, then the k directions (or the three axes when bilateral).
void PyramidLemke::assemble_block(int i, int j, const Mat3& W_ij) {
  const auto axis = [this](int contact, int row) -> Vec3 {
    if (prepared_.bilateral(contact)) return Vec3::Unit(row);
    if (row == 0) return Vec3::UnitX();
    return {0, directions_[row - 1].x(), directions_[row - 1].y()};
  };
  const auto force_rows = [this](int contact) {
    const int rows = rows_of(contact);
    return prepared_.bilateral(contact) || rows == 1 ? rows : rows - 1;
  };
  for (int c = 0; c < force_rows(j); ++c) {
    const Vec3 column = W_ij * axis(j, c);
    for (int r = 0; r < force_rows(i); ++r)
      M_(first_row_[i] + r, first_row_[j] + c) += axis(i, r).dot(column);
  }
}

void PyramidLemke::assemble_q() {
  for (int i = 0; i < prepared_.m; ++i) {
    const int a = first_row_[i];
    const Vec3 free = prepared_.delta_free.segment<3>(3 * i);
    q_[a] = free[0];
    if (prepared_.bilateral(i)) {
      q_.segment<3>(a) = free;
    } else if (rows_of(i) > 1) {
      for (int r = 0; r < sides(); ++r) q_[a + 1 + r] = directions_[r].dot(free.tail<2>());
      q_[a + sides() + 1] = 0;
    }
  }
}

SolveReport PyramidLemke::solve(const SolveOptions& options, VecRef f) {
  const double start_us = options.now();
  SolveReport report;
  f.setZero();
  if (rows_ < 0 || f.size() != 3 * prepared_.m) {
    report.status = SolveStatus::not_applicable;
    return report;
  }
  assemble_q();
  Lemke::Options lemke_options;
  lemke_options.max_pivots = std::max(1, std::min(options.max_sweeps, 50 * rows_ + 200));
  if (options.has_budget()) {
    lemke_options.clock_us = options.clock_us;
    lemke_options.deadline_us = start_us + options.budget_us;
  }
  auto z = z_.head(rows_);
  lcp_status_ =
      lemke_.solve(M_.topLeftCorner(rows_, rows_), q_.head(rows_),
                   std::span<const char>(free_rows_.data(), static_cast<size_t>(rows_)), lemke_options, z);
  report.sweeps = lemke_.pivots();
  if (lcp_solved()) {
    for (int i = 0; i < prepared_.m; ++i) {
      const int a = first_row_[i];
      if (prepared_.bilateral(i)) {
        f.segment<3>(3 * i) = z.segment<3>(a);
        continue;
      }
      f[3 * i] = z[a];
      if (rows_of(i) == 1) continue;
      for (int r = 0; r < sides(); ++r) f.segment<2>(3 * i + 1) += z[a + 1 + r] * directions_[r];
    }
  }
  prepared_.residual(f, delta_);
  report.certificate = prepared_.judge(f, delta_).value;
  switch (lcp_status_) {
    case LemkeStatus::infeasible:
      report.status = SolveStatus::infeasible;
      break;
    case LemkeStatus::pivot_limit:
      report.status = SolveStatus::sweep_limit;
      break;
    case LemkeStatus::out_of_time:
      report.status = SolveStatus::budget_spent;
      break;
    default:
      report.status = SolveStatus::stalled;
      break;
  }
  if (report.certificate <= options.tolerance) report.status = SolveStatus::converged;
  report.time_us = options.now() - start_us;
  return report;
}

}  // namespace palp
