#include "palp/math/ordering.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include <amd.h>
#include <metis.h>

namespace palp {

NodeGraph node_graph(const BlockSymmetric& pattern) {
  const int n = pattern.blocks();
  NodeGraph graph;
  graph.start.assign(n + 1, 0);
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (pattern.row[k] != j) ++graph.start[j + 1], ++graph.start[pattern.row[k] + 1];
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.next.resize(graph.start[n]);
  std::vector<int> fill(graph.start.begin(), graph.start.end() - 1);
  for (int j = 0; j < n; ++j)
    for (int k = pattern.start[j]; k < pattern.start[j + 1]; ++k)
      if (const int i = pattern.row[k]; i != j) graph.next[fill[i]++] = j, graph.next[fill[j]++] = i;
  return graph;
}

namespace {

std::vector<int> natural_order(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::vector<int> amd_order(const NodeGraph& graph) {
  std::vector<int> order = natural_order(graph.nodes());
  if (graph.next.empty()) return order;
  const int status =
      ::amd_order(graph.nodes(), graph.start.data(), graph.next.data(), order.data(), nullptr, nullptr);
  return status == AMD_OK || status == AMD_OK_BUT_JUMBLED ? order : natural_order(graph.nodes());
}

std::vector<int> nested_dissection_order(const NodeGraph& graph, int seed) {
  static_assert(sizeof(idx_t) == sizeof(int), "METIS with 32-bit indices");
  std::vector<int> order = natural_order(graph.nodes());
  if (graph.next.empty()) return order;  // METIS does not like a graph without edges
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = seed;
  options[METIS_OPTION_NSEPS] = 2;
  options[METIS_OPTION_COMPRESS] = 0;
  idx_t n = graph.nodes();
  // METIS takes its input by pointers to non-const but only reads it.
  std::vector<int> start = graph.start, next = graph.next, place(n);
  // METIS draws from the C library's one sequence of random numbers, which it starts itself: two threads at
  // once would disturb each other's orders, and the bits of everything that follows.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (METIS_NodeND(&n, start.data(), next.data(), nullptr, options, order.data(), place.data()) != METIS_OK)
    return amd_order(graph);
  return order;
}

std::vector<int> with_last(const std::vector<int>& order, std::span<const int> last) {
  std::vector<char> at_end(order.size(), 0);
  for (int node : last) at_end[node] = 1;
  std::vector<int> moved = order;
  std::stable_partition(moved.begin(), moved.end(), [&](int node) { return !at_end[node]; });
  return moved;
}

}  // namespace palp
