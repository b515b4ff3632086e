// A tree of axis-aligned boxes over the primitives of one surface. Built once on the rest shape, refitted at
// every step: the topology of a deforming body does not change, so its neighbours stay neighbours.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

/// Single precision, rounded outwards: half the memory traffic, and never too small.
struct Box {
  float lo[3];
  float hi[3];

  static Box empty() {
    constexpr float inf = std::numeric_limits<float>::infinity();
    return {{inf, inf, inf}, {-inf, -inf, -inf}};
  }
  void grow(const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
      // One unit in the last place outwards: the conversion may have rounded inwards.
      const float x = static_cast<float>(p[k]);
      const float slack =
          std::abs(x) * std::numeric_limits<float>::epsilon() + std::numeric_limits<float>::min();
      lo[k] = std::min(lo[k], x - slack);
      hi[k] = std::max(hi[k], x + slack);
    }
  }
  void grow(const Box& other) {
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], other.lo[k]);
      hi[k] = std::max(hi[k], other.hi[k]);
    }
  }
  bool near(const Box& other, float margin) const {
    return lo[0] <= other.hi[0] + margin && other.lo[0] <= hi[0] + margin &&  //
           lo[1] <= other.hi[1] + margin && other.lo[1] <= hi[1] + margin &&  //
           lo[2] <= other.hi[2] + margin && other.lo[2] <= hi[2] + margin;
  }
  /// Squared distance of a point, 0 inside.
  double distance2(const Vec3& p) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = std::max({0.0, lo[k] - p[k], p[k] - hi[k]});
      sum += d * d;
    }
    return sum;
  }
  float extent() const { return (hi[0] - lo[0]) + (hi[1] - lo[1]) + (hi[2] - lo[2]); }
};

class BoxTree {
 public:
  /// Sorts the primitives by their boxes' centres.
  void build(std::span<const Box> boxes);
  /// Of some of the primitives. Allocates only beyond the largest tree so far.
  void build(std::span<const Box> boxes, std::span<const int> primitives);
  /// New boxes, same tree. Cost: one pass over its primitives, one over the nodes.
  void refit(std::span<const Box> boxes);

  bool empty() const { return node_.empty(); }
  const Box& bounds() const { return node_.front().box; }

  /// Calls visit(primitive of a, primitive of b) for every pair whose boxes come within `margin`,
  /// in an order that depends on the trees alone.
  template <class Visit>
  static void for_each_near_pair(const BoxTree& a, const BoxTree& b, float margin, Visit&& visit);
  /// Calls visit(primitive) for every primitive whose box comes within `margin` of `box`.
  template <class Visit>
  void for_each_near(const Box& box, float margin, Visit&& visit) const;
  /// The search for what is nearest: calls distance = visit(primitive, distance) for primitives whose boxes
  /// are not further from `x` than `distance`, the nearer of two branches first.
  template <class Visit>
  void for_nearest(const Vec3& x, double distance, Visit&& visit) const;

 private:
  static constexpr int leaf_size = 4;
  struct Node {
    Box box;
    std::int32_t
        first;  ///< leaf: first primitive in order_; inner: the right child (the left one follows the node)
    std::int32_t count;  ///< leaf: number of primitives; inner: 0
  };
  int build_node(std::span<const Box> boxes, int first, int count);

  std::vector<Node> node_;           // depth first: a node's children come after it
  std::vector<std::int32_t> order_;  // primitives in leaf order
  std::vector<Box> leaf_box_;        // boxes in leaf order
};

template <class Visit>
void BoxTree::for_each_near_pair(const BoxTree& a, const BoxTree& b, float margin, Visit&& visit) {
  if (a.empty() || b.empty()) return;
  struct Pair {
    std::int32_t a, b;
  };
  Pair stack[256];  // each step pushes at most two: deep enough for trees of 2^60 primitives
  int size = 0;
  stack[size++] = {0, 0};
  while (size > 0) {
    const Pair pair = stack[--size];
    const Node& na = a.node_[pair.a];
    const Node& nb = b.node_[pair.b];
    if (!na.box.near(nb.box, margin)) continue;
    if (na.count && nb.count) {
      for (int i = na.first; i < na.first + na.count; ++i) {
        if (!a.leaf_box_[i].near(nb.box, margin)) continue;
        for (int j = nb.first; j < nb.first + nb.count; ++j)
          if (a.leaf_box_[i].near(b.leaf_box_[j], margin)) visit(a.order_[i], b.order_[j]);
      }
    } else if (nb.count || (!na.count && na.box.extent() > nb.box.extent())) {
      stack[size++] = {na.first, pair.b};
      stack[size++] = {pair.a + 1, pair.b};
    } else {
      stack[size++] = {pair.a, nb.first};
      stack[size++] = {pair.a, pair.b + 1};
    }
  }
}

template <class Visit>
void BoxTree::for_each_near(const Box& box, float margin, Visit&& visit) const {
  if (empty()) return;
  std::int32_t stack[128];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::int32_t n = stack[--size];
    const Node& node = node_[n];
    if (!node.box.near(box, margin)) continue;
    if (node.count) {
      for (int i = node.first; i < node.first + node.count; ++i)
        if (leaf_box_[i].near(box, margin)) visit(order_[i]);
    } else {
      stack[size++] = node.first;
      stack[size++] = n + 1;
    }
  }
}

template <class Visit>
void BoxTree::for_nearest(const Vec3& x, double distance, Visit&& visit) const {
  if (empty()) return;
  struct Branch {
    double distance2;
    std::int32_t node;
  };
  Branch stack[128];
  int size = 0;
  stack[size++] = {node_[0].box.distance2(x), 0};
  while (size > 0) {
    const Branch branch = stack[--size];
    if (branch.distance2 > distance * distance) continue;
    const Node& node = node_[branch.node];
    if (node.count) {
      for (int i = node.first; i < node.first + node.count; ++i)
        if (leaf_box_[i].distance2(x) <= distance * distance) distance = visit(order_[i], distance);
    } else {
      Branch near{node_[branch.node + 1].box.distance2(x), branch.node + 1},
          far{node_[node.first].box.distance2(x), node.first};
      if (far.distance2 < near.distance2) std::swap(near, far);
      stack[size++] = far;
      stack[size++] = near;
    }
  }
}

}  // namespace palp
