#include "palp/proximity/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace palp {

void BoxTree::build(std::span<const Box> boxes) {
  std::vector<int> all(boxes.size());
  std::iota(all.begin(), all.end(), 0);
  build(boxes, all);
}

void BoxTree::build(std::span<const Box> boxes, std::span<const int> primitives) {
  node_.clear();
  order_.assign(primitives.begin(), primitives.end());
  leaf_box_.resize(order_.size());
  if (order_.empty()) return;
  node_.reserve(2 * order_.size());
  build_node(boxes, 0, static_cast<int>(order_.size()));
  refit(boxes);
}

int BoxTree::build_node(std::span<const Box> boxes, int first, int count) {
  const int node = static_cast<int>(node_.size());
  node_.push_back({Box::empty(), first, count});
  if (count <= leaf_size) return node;
  const auto centre = [&](int primitive, int axis) {
    return boxes[primitive].lo[axis] + boxes[primitive].hi[axis];
  };
  float lo[3], hi[3];
  for (int axis = 0; axis < 3; ++axis) {
    lo[axis] = hi[axis] = centre(order_[first], axis);
    for (int i = first; i < first + count; ++i) {
      lo[axis] = std::min(lo[axis], centre(order_[i], axis));
      hi[axis] = std::max(hi[axis], centre(order_[i], axis));
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (hi[k] - lo[k] > hi[axis] - lo[axis]) axis = k;
  const int half = count / 2;
  // Ties are broken by the primitive's number, so that the tree is the same on every run.
  std::nth_element(order_.begin() + first, order_.begin() + first + half, order_.begin() + first + count,
                   [&](int i, int j) {
                     const float ci = centre(i, axis), cj = centre(j, axis);
                     return ci < cj || (ci == cj && i < j);
                   });
  build_node(boxes, first, half);
  const int right = build_node(boxes, first + half, count - half);
  node_[node].first = right;
  node_[node].count = 0;
  return node;
}

void BoxTree::refit(std::span<const Box> boxes) {
  for (size_t i = 0; i < order_.size(); ++i) leaf_box_[i] = boxes[order_[i]];
  for (int n = static_cast<int>(node_.size()) - 1; n >= 0; --n) {
    Node& node = node_[n];
    if (node.count) {
      node.box = leaf_box_[node.first];
      for (int i = 1; i < node.count; ++i) node.box.grow(leaf_box_[node.first + i]);
    } else {
      node.box = node_[n + 1].box;
      node.box.grow(node_[node.first].box);
    }
  }
}

}  // namespace palp
