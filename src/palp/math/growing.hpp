// Vectors and matrices that keep their memory when they shrink. Eigen's own return theirs at every change of
// size, which a hot path with a changing number of contacts cannot afford. The memory starts on a cache line,
// so that sums are taken in the same order wherever it lies.
#pragma once
#include <algorithm>
#include <new>

#include "palp/math/aligned.hpp"
#include "palp/math/types.hpp"

namespace palp {

/// In everything but its memory a `Plain` (VecX, MatX): assignment takes over the size. Take it as `auto&`,
/// or as a Ref; `const Plain&` would be a copy.
template <class Plain>
class Growing : public Eigen::Map<Plain> {
 public:
  using Map = Eigen::Map<Plain>;
  using Index = Eigen::Index;

  Growing() : Map(nullptr, 0, Plain::ColsAtCompileTime == 1 ? 1 : 0) {}
  Growing(const Growing& other) : Growing() { *this = other; }
  Growing(Growing&& other) noexcept : Growing() { swap(other); }
  template <class Other>
  Growing(const Eigen::DenseBase<Other>& other) : Growing() {
    *this = other;
  }
  Growing& operator=(const Growing& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Growing& operator=(Growing&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class Other>
  Growing& operator=(const Eigen::DenseBase<Other>& other) {
    assign(other.derived());
    return *this;
  }

  /// Allocates only beyond the largest size so far. New entries are unspecified.
  void resize(Index rows, Index cols) {
    const auto size = static_cast<size_t>(rows * cols);
    if (size > store_.size()) store_.resize(size);
    seat(rows, cols);
  }
  void resize(Index size) { resize(size, 1); }

  using Map::setZero;
  void setZero(Index size) {
    resize(size);
    Map::setZero();
  }
  void setZero(Index rows, Index cols) {
    resize(rows, cols);
    Map::setZero();
  }

  /// Makes room for later sizes.
  void reserve(Index size) {
    const Index rows = this->rows(), cols = this->cols();
    if (static_cast<size_t>(size) > store_.size()) store_.resize(static_cast<size_t>(size));
    seat(rows, cols);
  }

  void swap(Growing& other) noexcept {
    const Index rows = this->rows(), cols = this->cols(), other_rows = other.rows(),
                other_cols = other.cols();
    store_.swap(other.store_);
    seat(other_rows, other_cols);
    other.seat(rows, cols);
  }

 private:
  template <class Other>
  void assign(const Other& other) {
    resize(other.rows(), other.cols());
    Map::operator=(other);
  }
  /// How Eigen documents re-seating a Map.
  void seat(Index rows, Index cols) { new (static_cast<Map*>(this)) Map(store_.data(), rows, cols); }

  AlignedVector<double> store_;
};

using GrowingVector = Growing<VecX>;
using GrowingMatrix = Growing<MatX>;

}  // namespace palp
