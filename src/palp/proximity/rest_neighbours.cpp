#include "palp/proximity/rest_neighbours.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace palp {
namespace {

/// Vertices that an edge joins to `from`, and those to which a way along edges is no longer than `reach`.
struct AlongSkin {
  const TouchSurface& s;
  std::vector<double> way = std::vector<double>(s.start().size(), -1);
  std::vector<int> met = {};

  void look_around(int from, double reach) {
    for (int v : met) way[v] = -1;
    met.clear();
    const TouchTopology& t = s.topology();
    using Reached = std::pair<double, int>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    const auto offer = [&](double length, int v) {
      if (way[v] >= 0 && way[v] <= length) return;
      if (way[v] < 0) met.push_back(v);
      way[v] = length;
      next.push({length, v});
    };
    offer(0, from);
    while (!next.empty()) {
      const auto [length, v] = next.top();
      next.pop();
      if (length > way[v]) continue;
      for (int k = t.neighbour_start[v]; k < t.neighbour_start[v + 1]; ++k) {
        const int w = t.neighbour[k];
        const double further = length + (s.start()[w] - s.start()[v]).norm();
        if (v == from || further <= reach) offer(further, w);
      }
    }
  }
};

/// Does going along d from vertex v lead out of the body, at one of its faces there at least?
bool leads_out(const TouchSurface& s, int v, const Vec3& d) {
  const TouchTopology& t = s.topology();
  for (int k = t.ring_start[v]; k < t.ring_start[v + 1]; ++k)
    if (s.face_normal(t.ring[k]).dot(d) > 1e-9 * d.norm()) return true;
  return t.ring_start[v] == t.ring_start[v + 1];  // no faces, no inside
}

/// Does the straight way between two vertices begin or end inside the body?
bool through_body(const TouchSurface& s, int v, int w) {
  const Vec3 d = s.start()[w] - s.start()[v];
  return !leads_out(s, v, d) || !leads_out(s, w, -d);
}

}  // namespace

RestNeighbours RestNeighbours::make(const TouchSurface& rest, double reach_m) {
  RestNeighbours out;
  const int n = rest.topology().vertices;
  const auto x = rest.start();
  std::vector<int> order(n), place(n);  // along x
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return x[a].x() != x[b].x() ? x[a].x() < x[b].x() : a < b; });
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  AlongSkin along{rest};
  out.start_.push_back(0);
  for (int v = 0; v < n; ++v) {
    along.look_around(v, reach_m);
    const size_t first = out.neighbour_.size();
    out.neighbour_.insert(out.neighbour_.end(), along.met.begin(), along.met.end());
    for (int step : {-1, 1})
      for (int i = place[v] + step; i >= 0 && i < n; i += step) {
        const int w = order[i];
        if (std::abs(x[w].x() - x[v].x()) > reach_m) break;
        if ((x[w] - x[v]).squaredNorm() <= reach_m * reach_m && through_body(rest, v, w))
          out.neighbour_.push_back(w);
      }
    const auto begin = out.neighbour_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, out.neighbour_.end());
    out.neighbour_.erase(std::unique(begin, out.neighbour_.end()), out.neighbour_.end());
    out.start_.push_back(static_cast<int>(out.neighbour_.size()));
  }
  return out;
}

bool RestNeighbours::near(int v, int w) const {
  return std::binary_search(neighbour_.begin() + start_[v], neighbour_.begin() + start_[v + 1], w);
}

}  // namespace palp
