// What the sweeping solvers share: a problem made ready for column-wise residual updates
//     δ ← δ + W_{:,i} Δf_i   (the column form of D06 eq. 25),
// its diagonal blocks and the constants that depend on them alone.
#pragma once
#include <vector>

#include "palp/math/growing.hpp"
#include "palp/solvers/certificate.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

struct Prepared {
  const Problem* problem = nullptr;
  int m = 0;                       ///< contacts
  GrowingVector delta_free;        ///< 3m; own copy, replaced by set_delta_free
  std::vector<Mat3> diagonal;      ///< m, W_ii
  GrowingVector rho;               ///< m, 1/λ_max(W_ii); 0 for a zero block
  std::vector<int> column_start;   ///< m + 1, sparse W only
  std::vector<int> column_row;     ///< block rows of each block column
  std::vector<Mat3> column_block;  ///< W_{row, column}

  /// Sizes must fit; allocates only when the problem is larger than any before.
  Result<void> set(const Problem& p);
  void set_delta_free(ConstVecRef free) { delta_free = free; }

  bool bilateral(int i) const { return problem->bilateral(i); }
  double mu(int i) const { return problem->mu[i]; }
  bool dense() const { return problem->W.is_dense; }

  /// δ += W_{:,i} Δf_i.
  void add_column(int i, const Vec3& df, VecRef delta) const {
    if (dense()) {
      const auto& W = problem->W.dense;
      delta.noalias() += df[0] * W.col(3 * i) + df[1] * W.col(3 * i + 1) + df[2] * W.col(3 * i + 2);
    } else {
      for (int k = column_start[i]; k < column_start[i + 1]; ++k)
        delta.segment<3>(3 * column_row[k]).noalias() += column_block[k] * df;
    }
  }

  /// Multiply-adds of add_column.
  int column_work(int i) const { return 9 * (dense() ? m : column_start[i + 1] - column_start[i]); }

  /// δ = W f + δ_free afresh: by columns, skipping contacts without force, or by rows when W is sparse.
  void residual(ConstVecRef f, VecRef delta) const;

  /// out = W f; sparse W only.
  void multiply_by_rows(const double* f, double* out) const;

  /// The certificate of f with its δ (certificate.hpp). Never allocates.
  Certificate judge(ConstVecRef f, ConstVecRef delta) const {
    return certificate(*problem, delta_free, rho, f, delta);
  }
};

}  // namespace palp
