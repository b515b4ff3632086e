// The discrete Signorini-Coulomb problem (D06 eq. 18-20): given W, δ_free, μ find f with δ = W f + δ_free and
//     0 ≤ δ_n ⊥ f_n ≥ 0,   |f_t| ≤ μ f_n,   slip δ_t ≠ 0 ⇒ f_t = −μ f_n δ_t/|δ_t|.
// Three rows per contact, in the order n, t1, t2. A bilateral block (attachment) has three rows with δ = 0 and free f.
#pragma once
#include <cstdint>
#include <vector>

#include "palp/math/types.hpp"

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
  MatX dense;          ///< 3m × 3m when is_dense
  BlockSparse sparse;  ///< m block rows otherwise

  int contacts() const { return is_dense ? static_cast<int>(dense.rows() / 3) : static_cast<int>(sparse.start.size()) - 1; }
};

struct Problem {
  Delassus W;
  VecX delta_free;                 ///< 3m
  VecX mu;                         ///< m; ignored where bilateral
  std::vector<ContactKind> kind;   ///< m, or empty: all unilateral

  int contacts() const { return static_cast<int>(delta_free.size() / 3); }
  bool bilateral(int i) const { return !kind.empty() && kind[i] == ContactKind::bilateral; }
};

}  // namespace palp
