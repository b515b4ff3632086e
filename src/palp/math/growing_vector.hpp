// A vector that keeps its memory when it shrinks. Eigen's own vectors return theirs at every change of size,
// which a hot path with a changing number of contacts cannot afford.
#pragma once
#include <algorithm>
#include <new>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

class GrowingVector : public Eigen::Map<VecX> {
 public:
  GrowingVector() : Map(nullptr, 0) {}
  GrowingVector(const GrowingVector&) = delete;
  GrowingVector& operator=(const GrowingVector&) = delete;
  using Map::operator=;

  /// Allocates only beyond the largest size so far. New entries are unspecified.
  void resize(Eigen::Index size) {
    if (static_cast<size_t>(size) > store_.size()) store_.resize(static_cast<size_t>(size));
    new (static_cast<Map*>(this)) Map(store_.data(), size);  // how Eigen documents re-seating a Map
  }

  /// Makes room for later sizes.
  void reserve(Eigen::Index size) {
    const Eigen::Index now = this->size();
    resize(std::max(size, now));
    resize(now);
  }

 private:
  std::vector<double> store_;
};

}  // namespace palp
