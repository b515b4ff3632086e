// The discrete Signorini-Coulomb problem (D06 eq. 18-20): given W, δ_free, μ find f with δ = W f + δ_free and
//     0 ≤ δ_n ⊥ f_n ≥ 0,   |f_t| ≤ μ f_n,   slip δ_t ≠ 0 ⇒ f_t = −μ f_n δ_t/|δ_t|.
// Three rows per contact, in the order n, t1, t2. A bilateral block (attachment) has three rows with δ = 0
// and free f.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/math/growing.hpp"

namespace palp {

enum class ContactKind : std::uint8_t { unilateral, bilateral };

/// 3×3 blocks by rows; not necessarily symmetric (stored test problems are off by up to 2.5e-3).
struct BlockSparse {
  std::vector<int> start{0};
  std::vector<int> column;
  std::vector<Mat3> value;
};

/// W, either dense or block-sparse.
struct Delassus {
  bool is_dense = true;
  GrowingMatrix dense;  ///< 3m × 3m when is_dense
  BlockSparse sparse;   ///< m block rows otherwise

  int contacts() const {
    return is_dense ? static_cast<int>(dense.rows() / 3) : static_cast<int>(sparse.start.size()) - 1;
  }
};

struct Problem {
  Delassus W;
  GrowingVector delta_free;       ///< 3m
  GrowingVector mu;               ///< m; ignored where bilateral
  std::vector<ContactKind> kind;  ///< m, or empty: all unilateral

  int contacts() const { return static_cast<int>(delta_free.size() / 3); }
  bool bilateral(int i) const { return !kind.empty() && kind[i] == ContactKind::bilateral; }
};

/// Whether some force moves contact i of a dense W. W is positive semi-definite: no force does when the
/// diagonal is zero.
inline bool gives_way(const Delassus& W, int i) {
  return !W.dense.diagonal().segment<3>(3 * i).isZero(0);
}

/// W from scalar entries v at (i, j); repeated entries add up. Dense when at least a quarter of the blocks
/// are there.
Result<Delassus> delassus_from_entries(int contacts, std::span<const int> i, std::span<const int> j,
                                       std::span<const double> v);

/// Calls visit(row, column, value) for every stored scalar of W.
template <class Visit>
void for_each_entry(const Delassus& W, Visit&& visit) {
  if (W.is_dense) {
    for (int c = 0; c < W.dense.cols(); ++c)
      for (int r = 0; r < W.dense.rows(); ++r) visit(r, c, W.dense(r, c));
    return;
  }
  for (int b = 0; b < W.contacts(); ++b)
    for (int k = W.sparse.start[b]; k < W.sparse.start[b + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) visit(3 * b + r, 3 * W.sparse.column[k] + c, W.sparse.value[k](r, c));
}

/// δ = W f + δ_free.
void multiply(const Problem& problem, ConstVecRef f, VecRef delta);

/// The same problem in other units: compliance × `compliance`, lengths × `length`; forces × length /
/// compliance.
Problem scaled(const Problem& problem, double compliance, double length);

/// What validation found out.
struct ProblemInfo {
  double asymmetry = 0;  ///< max |W − Wᵀ| / max |W|
};

/// Border control, for problems that come from outside; not meant for every tick. Refuses wrong sizes, values
/// that are not finite, μ < 0, W asymmetric by more than 1 % and indefinite W (Cholesky of the symmetric part
/// with a small shift).
Result<ProblemInfo> validate(const Problem& problem);

}  // namespace palp
