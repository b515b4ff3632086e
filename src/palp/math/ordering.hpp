// Fill-reducing elimination orders of a node graph: nested dissection (METIS) and approximate minimum degree
// (AMD).
#pragma once
#include <span>
#include <vector>

#include "palp/math/block_symmetric.hpp"

namespace palp {

/// Neighbours of every node, without the node itself: node i owns next[start[i]] … next[start[i+1]].
struct NodeGraph {
  std::vector<int> start{0};
  std::vector<int> next;
  int nodes() const { return static_cast<int>(start.size()) - 1; }
};

NodeGraph node_graph(const BlockSymmetric& pattern);

/// order[k] = the node eliminated as k-th.
std::vector<int> amd_order(const NodeGraph& graph);
/// Different seeds give different separators of about the same quality. Deterministic for a given seed; METIS
/// draws from the C library's rand(), which it seeds itself.
std::vector<int> nested_dissection_order(const NodeGraph& graph, int seed);

/// The same order with the nodes of `last` moved to the end, both parts keeping their relative order. What
/// was separated before stays separated, so the fill grows only by the rows of `last`. Repeats in `last` are
/// allowed.
std::vector<int> with_last(const std::vector<int>& order, std::span<const int> last);

}  // namespace palp
