// Disjoint sets of 0 … n−1 (union-find): who hangs together with whom.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

namespace palp {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count = 0) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }
  /// The smallest member of i's set.
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  size_t size() const { return parent_.size(); }

 private:
  std::vector<int> parent_;
};

}  // namespace palp
