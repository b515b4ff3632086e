// Symbolic analysis for the multifrontal Cholesky: elimination tree, supernodes, and where every number goes.
//
// All of it counts in nodes (3×3 blocks). A supernode is a run of `pivots` consecutive nodes of the
// elimination order that share the rows below them:
//
//        pivots | \        its front:   F = [ F11       ]   L11 L11ᵀ = F11,  L21 = F21 L11⁻ᵀ
//               |__\                        [ F21  F22  ]   U = F22 − L21 L21ᵀ  is added to the parent's
//               front
//        update |   |
//        rows   |___|
//
// Reference: Liu, The multifrontal method for sparse matrix solution, SIAM Review 34 (1992).
#pragma once
#include <span>
#include <vector>

#include "palp/math/block_symmetric.hpp"
#include "palp/math/ordering.hpp"

namespace palp {

/// Consecutive update rows of a supernode that are consecutive in its parent's front too.
struct Run {
  int from;  ///< index among the update rows
  int to;    ///< place in the parent's front: pivots first, then update rows
  int length;
};

/// A block of A that belongs to the pivot columns of a supernode.
struct Entry {
  int value;   ///< index in BlockSymmetric::value
  int column;  ///< pivot, counted from the supernode's first
  int place;   ///< row place in the front: pivots first, then update rows
  bool transposed;
};

struct Supernode {
  int first = 0;  ///< first pivot, in elimination order
  int pivots = 0;
  int parent = -1;                         ///< always a later supernode; -1 = root
  int depth = 0;                           ///< 0 = root
  int rows_begin = 0, rows_end = 0;        ///< its update rows, in Symbolic::rows
  int runs_begin = 0, runs_end = 0;        ///< in Symbolic::runs
  int entries_begin = 0, entries_end = 0;  ///< in Symbolic::entries
  int children_begin = 0, children_end = 0;

  int updates() const { return rows_end - rows_begin; }
};

struct Symbolic {
  std::vector<int> order;             ///< order[k] = node eliminated as k-th
  std::vector<int> place;             ///< its inverse
  std::vector<int> supernode_of;      ///< by place
  std::vector<Supernode> supernodes;  ///< in postorder: children before parents
  std::vector<int> rows;              ///< update rows of every supernode, places, ascending
  std::vector<Run> runs;
  std::vector<Entry> entries;
  std::vector<int> children;

  double factor_flops = 0;  ///< of the numeric factorisation, explicit zeros of merged supernodes included
  double factor_cost = 0;   ///< estimate of its time, in cycles
  long factor_blocks = 0;   ///< 3×3 blocks in L

  int nodes() const { return static_cast<int>(order.size()); }
  /// Estimated cycles of the forward solves and the product for one right-hand side block per listed node.
  double projection_cost(std::span<const int> nodes) const;
};

/// Analyses `pattern` for one elimination order.
Symbolic analyze_order(const BlockSymmetric& pattern, const NodeGraph& graph, std::vector<int> order);

}  // namespace palp
