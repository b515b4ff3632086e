#include "palp/math/symbolic.hpp"

#include <algorithm>
#include <numeric>

namespace palp {
namespace {

// Cycles of the numeric work, measured once on an AVX2 core; only their ratios matter, for merging and
// choosing.
constexpr double kTileStart = 25;     // load, store and call of one tile
constexpr double kTileColumn = 5;     // one column of a tile's product
constexpr double kTileDivide = 25;    // triangular solve with a 3×3 block
constexpr double kDiagonal = 120;     // factor of a 3×3 block
constexpr double kAssembleBlock = 9;  // zero a 3×3 block and add a child's to it
constexpr double kSupernode = 600;    // bookkeeping
constexpr int kStripNodes = 4;

double front_cost(double pivots, double updates) {
  const double pivot_strips = std::ceil(pivots / kStripNodes),
               update_strips = std::ceil(updates / kStripNodes);
  const double pivot_tiles = 0.5 * pivots * (pivot_strips + 1), panel_tiles = pivots * update_strips;
  const double schur_tiles = 0.5 * updates * (update_strips + 1);
  return kSupernode + kDiagonal * pivots + (pivot_tiles + panel_tiles) * (kTileStart + kTileDivide) +
         kTileColumn * (pivot_tiles * pivots + panel_tiles * 1.5 * pivots + schur_tiles * 3 * pivots) +
         schur_tiles * kTileStart +
         kAssembleBlock * (pivots * (0.5 * pivots + updates) + 0.5 * updates * (updates + 1));
}

double front_flops(double pivots, double updates) {
  const double k = 3 * pivots, u = 3 * updates;
  return k * k * k / 3 + k * k * u + k * u * (u + 1);
}

// One supernode while the partition is still being made.
struct Draft {
  std::vector<int> pivots;  // places, ascending
  std::vector<int> rows;    // update rows, places, ascending
  int parent = -1;
  std::vector<int> children;
  bool merged = false;
};

// Elimination tree with path compression (Liu), on the permuted graph.
std::vector<int> elimination_tree(const NodeGraph& graph, const std::vector<int>& order,
                                  const std::vector<int>& place) {
  const int n = graph.nodes();
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int j = 0; j < n; ++j)
    for (int k = graph.start[order[j]]; k < graph.start[order[j] + 1]; ++k)
      for (int i = place[graph.next[k]]; i >= 0 && i < j;) {
        const int up = ancestor[i];
        ancestor[i] = j;
        if (up < 0) parent[i] = j;
        if (up == j) break;
        i = up;
      }
  return parent;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> head(n, -1), sibling(n, -1), order, stack;
  for (int j = n - 1; j >= 0; --j)
    if (parent[j] >= 0) sibling[j] = head[parent[j]], head[parent[j]] = j;
  for (int root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int j = stack.back();
      if (const int child = head[j]; child >= 0) {
        head[j] = sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(j);
        stack.pop_back();
      }
    }
  }
  return order;
}

// Columns of L one by one (struct(j) = neighbours of j beyond j ∪ the children's structs), collected into
// supernodes where a column's rows are exactly its only follower's.
std::vector<Draft> fundamental_supernodes(const NodeGraph& graph, const std::vector<int>& order,
                                          const std::vector<int>& place, const std::vector<int>& parent) {
  const int n = graph.nodes();
  std::vector<std::vector<int>> below(n);
  std::vector<std::vector<int>> children(n);
  std::vector<int> mark(n, -1), draft_of(n, -1);
  std::vector<Draft> drafts;
  for (int j = 0; j < n; ++j) {
    auto& rows = below[j];
    mark[j] = j;
    const auto add = [&](int i) {
      if (i > j && mark[i] != j) mark[i] = j, rows.push_back(i);
    };
    for (int k = graph.start[order[j]]; k < graph.start[order[j] + 1]; ++k) add(place[graph.next[k]]);
    for (int c : children[j]) {
      for (int i : below[c]) add(i);
      if (draft_of[c] >= 0 && drafts[draft_of[c]].pivots.back() != c) below[c] = {};
    }
    std::sort(rows.begin(), rows.end());
    const bool follows = j > 0 && parent[j - 1] == j && below[j - 1].size() == rows.size() + 1;
    if (follows) {
      draft_of[j] = draft_of[j - 1];
    } else {
      draft_of[j] = static_cast<int>(drafts.size());
      drafts.emplace_back();
    }
    Draft& draft = drafts[draft_of[j]];
    draft.pivots.push_back(j);
    draft.rows = rows;  // of its last pivot so far: exactly the update rows
    if (parent[j] >= 0) children[parent[j]].push_back(j);
  }
  for (size_t s = 0; s < drafts.size(); ++s)
    if (const int up = parent[drafts[s].pivots.back()]; up >= 0) {
      drafts[s].parent = draft_of[up];
      drafts[draft_of[up]].children.push_back(static_cast<int>(s));
    }
  return drafts;
}

// Merges a child into its parent wherever the estimated time falls: a few explicit zeros cost less than the
// bookkeeping and assembly of a small front.
void merge_supernodes(std::vector<Draft>& drafts) {
  const auto cost = [](const Draft& d) {
    return front_cost(static_cast<double>(d.pivots.size()), static_cast<double>(d.rows.size()));
  };
  for (size_t s = 0; s < drafts.size(); ++s) {
    Draft& parent = drafts[s];
    for (;;) {
      int best = -1;
      double best_gain = 0;
      for (int c : parent.children) {
        const Draft& child = drafts[c];
        const double together = front_cost(static_cast<double>(child.pivots.size() + parent.pivots.size()),
                                           static_cast<double>(parent.rows.size()));
        const double gain = cost(child) + cost(parent) - together;
        if (gain > best_gain) best = c, best_gain = gain;
      }
      if (best < 0) break;
      Draft& child = drafts[best];
      child.merged = true;
      child.pivots.insert(child.pivots.end(), parent.pivots.begin(), parent.pivots.end());
      parent.pivots = std::move(child.pivots);
      parent.children.erase(std::find(parent.children.begin(), parent.children.end(), best));
      for (int c : child.children) drafts[c].parent = static_cast<int>(s), parent.children.push_back(c);
      child.children.clear();
    }
  }
}

}  // namespace

double Symbolic::projection_cost(std::span<const int> nodes) const {
  // Strips of right-hand sides in elimination order; each enters a supernode at its own place or at the first
  // update row of a child, and works from there on (as Multifrontal::plan does).
  std::vector<int> places;
  for (int node : nodes) places.push_back(place[node]);
  std::sort(places.begin(), places.end());
  std::vector<int> mark(supernodes.size(), -1), strips(supernodes.size(), 0);
  double cycles = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const int strip = static_cast<int>(i) / kStripNodes;
    int at = places[i];
    for (int s = supernode_of[at]; s >= 0 && mark[s] != strip; s = supernodes[s].parent) {
      const Supernode& node = supernodes[s];
      mark[s] = strip;
      const double k = node.first + node.pivots - at, u = node.updates(),
                   partners = kStripNodes * ++strips[s];
      cycles += k * (kTileStart + kTileDivide + kTileColumn * 1.5 * k) +
                (u + partners) * (kTileStart + kTileColumn * 3 * k);
      if (u > 0) at = rows[node.rows_begin];
    }
  }
  return cycles;
}

Symbolic analyze_order(const BlockSymmetric& pattern, const NodeGraph& graph, std::vector<int> order) {
  const int n = graph.nodes();
  std::vector<int> place(n);
  const auto invert = [&] {
    for (int k = 0; k < n; ++k) place[order[k]] = k;
  };
  invert();

  // Renumber by a postorder of the elimination tree: same fill, and subtrees become contiguous.
  std::vector<int> parent = elimination_tree(graph, order, place);
  {
    const std::vector<int> post = postorder(parent);
    std::vector<int> new_place(n), new_parent(n, -1), new_order(n);
    for (int k = 0; k < n; ++k) new_place[post[k]] = k, new_order[k] = order[post[k]];
    for (int k = 0; k < n; ++k)
      if (parent[k] >= 0) new_parent[new_place[k]] = new_place[parent[k]];
    order = std::move(new_order);
    parent = std::move(new_parent);
    invert();
  }

  std::vector<Draft> drafts = fundamental_supernodes(graph, order, place, parent);
  merge_supernodes(drafts);

  // Final numbering: postorder of the merged tree.
  Symbolic S;
  std::vector<int> tree(drafts.size(), -1), final_of(drafts.size(), -1), moved(n), kept;
  for (size_t s = 0; s < drafts.size(); ++s) tree[s] = drafts[s].parent;
  for (int s : postorder(tree))
    if (!drafts[s].merged) kept.push_back(s);
  int next = 0;
  S.order.resize(n);
  S.supernode_of.resize(n);
  for (int s : kept) {
    final_of[s] = static_cast<int>(S.supernodes.size());
    Supernode node;
    node.first = next;
    node.pivots = static_cast<int>(drafts[s].pivots.size());
    for (int j : drafts[s].pivots) {
      S.supernode_of[next] = final_of[s];
      S.order[next] = order[j];
      moved[j] = next++;
    }
    S.supernodes.push_back(node);
  }
  order = S.order;
  invert();
  S.place = place;

  for (int s : kept) {
    Supernode& node = S.supernodes[final_of[s]];
    node.rows_begin = static_cast<int>(S.rows.size());
    for (int i : drafts[s].rows) S.rows.push_back(moved[i]);
    node.rows_end = static_cast<int>(S.rows.size());
    std::sort(S.rows.begin() + node.rows_begin, S.rows.end());
    if (node.updates() > 0) node.parent = S.supernode_of[S.rows[node.rows_begin]];
    const double k = node.pivots, u = node.updates();
    S.factor_flops += front_flops(k, u);
    S.factor_cost += front_cost(k, u);
    S.factor_blocks += static_cast<long>(node.pivots) * (node.pivots + 1) / 2 +
                       static_cast<long>(node.pivots) * node.updates();
  }
  const int count = static_cast<int>(S.supernodes.size());
  for (int s = count - 1; s >= 0; --s)
    if (const int up = S.supernodes[s].parent; up >= 0) S.supernodes[s].depth = S.supernodes[up].depth + 1;

  // Where a node stands in a supernode's front: pivots first, then update rows.
  const auto place_in_front = [&](const Supernode& front, int node) {
    if (node < front.first + front.pivots) return node - front.first;
    const auto begin = S.rows.begin() + front.rows_begin, end = S.rows.begin() + front.rows_end;
    return front.pivots + static_cast<int>(std::lower_bound(begin, end, node) - begin);
  };
  std::vector<std::vector<int>> children(count);
  for (int s = 0; s < count; ++s) {
    Supernode& node = S.supernodes[s];
    node.children_begin = static_cast<int>(S.children.size());
    S.children.insert(S.children.end(), children[s].begin(), children[s].end());
    node.children_end = static_cast<int>(S.children.size());
    node.runs_begin = static_cast<int>(S.runs.size());
    if (node.parent >= 0) {
      children[node.parent].push_back(s);
      const Supernode& up = S.supernodes[node.parent];
      for (int i = 0; i < node.updates(); ++i) {
        const int to = place_in_front(up, S.rows[node.rows_begin + i]);
        const bool first = static_cast<int>(S.runs.size()) == node.runs_begin;
        if (!first && to == S.runs.back().to + S.runs.back().length && to != up.pivots)
          ++S.runs.back().length;
        else
          S.runs.push_back({i, to, 1});
      }
    }
    node.runs_end = static_cast<int>(S.runs.size());
  }

  // Blocks of A go to the supernode that eliminates the earlier of their two nodes.
  std::vector<int> owner_start(count + 1, 0), owner;
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      owner.push_back(S.supernode_of[std::min(place[j], place[pattern.row[k]])]);
      ++owner_start[owner.back() + 1];
    }
  std::partial_sum(owner_start.begin(), owner_start.end(), owner_start.begin());
  for (int s = 0; s < count; ++s)
    S.supernodes[s].entries_begin = owner_start[s], S.supernodes[s].entries_end = owner_start[s + 1];
  S.entries.resize(owner.size());
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k) {
      const int a = place[pattern.row[k]], b = place[j];
      const Supernode& front = S.supernodes[owner[k]];
      S.entries[owner_start[owner[k]]++] = {k, std::min(a, b) - front.first,
                                            place_in_front(front, std::max(a, b)), a < b};
    }
  return S;
}

}  // namespace palp
