// Numeric multifrontal Cholesky in strips and tiles (tile_kernels.hpp), in double or single precision.
//
// L is stored supernode by supernode: first the strips of the pivot rows, then those of the update rows, each
// strip R × (3·pivots). Right-hand sides of a projection are strips too, rows under the matrix:
//     [ L    ]  is the factor of  [ A   · ]      so  Yᵀ = Hᵀᵀ L⁻ᵀ  falls out of the same two loops,
//     [ Yᵀ   ]                    [ H   · ]      and  H A⁻¹ Hᵀ = Yᵀ Y.
#pragma once
#include <span>
#include <vector>

#include "palp/math/aligned.hpp"
#include "palp/math/symbolic.hpp"
#include "palp/math/tile_kernels.hpp"

namespace palp {

/// Strips of right-hand sides and what each of them touches.
template <class T>
struct RhsStrips {
  int strips = 0;
  int columns = 0;                ///< scalars per row: the pivots of all supernodes in reach
  std::vector<int> offset;        ///< [supernode] first column in Y, -1 = not in reach of any strip
  std::vector<int> active_start;  ///< strips that reach supernode s: active[active_start[s]] … (ascending)
  std::vector<int> active;
  std::vector<int> first;  ///< with active: first pivot (scalar column of the supernode) that can be nonzero
  std::vector<int> mark;   ///< scratch of the reach, [supernode]
  AlignedVector<T> Y;      ///< [strip][column][R]
  AlignedVector<T> C;      ///< column-major, R·strips square
  AlignedVector<T> below;  ///< scratch of the way back: [strip][update row][R]

  T* strip(int s) { return Y.data() + static_cast<long>(s) * columns * tiles::kRows<T>; }
};

template <class T>
class Multifrontal {
 public:
  /// Allocates everything for this analysis, which must outlive the object or the next call.
  void prepare(const Symbolic& symbolic);
  /// P A Pᵀ = L Lᵀ. False: a pivot is not positive or not finite.
  bool factor(const BlockSymmetric& A);

  /// x ← L⁻¹ x, then x ← L⁻ᵀ x; x by places (elimination order), 3·nodes numbers. Supernodes on which the
  /// right-hand side is still zero are skipped, so a sparse one walks only its reach.
  void forward(std::span<T> x) const;
  void backward(std::span<T> x) const;

  /// Finds the reach of every strip and zeroes Y there. Strip i touches places[start[i]] …
  /// places[start[i+1]]. `everywhere`: Y has columns for all places, as the way back wants them.
  void plan(std::span<const int> start, std::span<const int> places, RhsStrips<T>& rhs,
            bool everywhere = false) const;
  /// Y ← Y L⁻ᵀ in every strip.
  void forward(RhsStrips<T>& rhs) const;
  /// Y ← Y L⁻¹ in every strip, of a plan with columns everywhere: with forward, A⁻¹.
  void backward(RhsStrips<T>& rhs) const;
  /// rhs.C ← −Y Yᵀ, in tiles on and below the diagonal.
  void product(RhsStrips<T>& rhs) const;

  const Symbolic& symbolic() const { return *symbolic_; }

 private:
  static constexpr int R = tiles::kRows<T>;
  static constexpr int N = tiles::kNodes<T>;
  static constexpr int kBlock =
      96;  ///< columns treated at once: two strips of that width fit the first-level cache
  struct Front {
    long L = 0;  ///< offset of the first strip in L_
    long U = 0;  ///< offset of the update matrix in its stack
    int pivot_strips = 0;
    int update_strips = 0;
    int width = 0;  ///< 3·pivots, the columns of a strip
  };
  const T* strip(const Front& f, int s) const { return L_.data() + f.L + static_cast<long>(s) * R * f.width; }
  T* strip(const Front& f, int s) { return L_.data() + f.L + static_cast<long>(s) * R * f.width; }
  /// The update matrix of a finished supernode and how its rows map to the parent's front.
  struct Update {
    const T* U;  ///< column-major, lower triangle
    long ld;
    std::span<const Run> runs;
  };
  Update update_of(int s) const {
    const Supernode& node = symbolic_->supernodes[s];
    return {stack_[node.depth % 2].data() + fronts_[s].U, static_cast<long>(R) * fronts_[s].update_strips,
            std::span(symbolic_->runs.data() + node.runs_begin, symbolic_->runs.data() + node.runs_end)};
  }
  void assemble_panel(int s, const BlockSymmetric& A, T* panel) const;
  void assemble_update(int s, T* U) const;
  bool factor_columns(const Supernode& node, const Front& f, int begin, int end, const T* panel);
  void update_panel(const Front& f, int begin, int end, T* panel) const;
  void update_trailing(const Front& f, int begin, int end, T* U, int updates) const;

  const Symbolic* symbolic_ = nullptr;
  std::vector<Front> fronts_;
  AlignedVector<T> L_;
  std::vector<tiles::Diagonal<T>> diagonal_;  ///< by place
  AlignedVector<T> panel_;
  AlignedVector<T> stack_[2];  ///< update matrices waiting for their parent, by parity of depth
};

extern template class Multifrontal<double>;
extern template class Multifrontal<float>;

}  // namespace palp
