#include "palp/proximity/self_touch.hpp"

#include <algorithm>

namespace palp {
namespace {

/// More room: longer lists, made less often (bench_contact_search).
constexpr float room_per_margin = 1;

/// May a feature of p touch one of q? As in the search: vertices of p against all of q, edges against edges;
/// never those of primitives that hang together.
bool may_touch(const RestNeighbours& neighbours, const TouchTopology& t, const TouchTopology::Primitive& p,
               const TouchTopology::Primitive& q) {
  for (int v : p.vertex)
    if (v >= 0 && std::find(q.vertex.begin(), q.vertex.end(), v) != q.vertex.end()) return false;
  for (int v : p.owned_vertex)
    if (v >= 0 && neighbours.apart({&v, 1}, q.vertex)) return true;
  for (int e : p.owned_edge)
    for (int f : q.owned_edge)
      if (e >= 0 && f > e && neighbours.apart(t.edges[e], t.edges[f])) return true;
  return false;
}

}  // namespace

bool SelfTouch::holds(const TouchSurface& skin, float margin) const {
  if (margin > margin_ || then_.size() != skin.start().size()) return false;
  Vec3 least = Vec3::Constant(1e300), most = -least;
  for (size_t v = 0; v < then_.size(); ++v) {
    const Vec3 start = skin.start()[v] - then_[v], free = skin.free()[v] - then_[v];
    least = least.cwiseMin(start).cwiseMin(free);
    most = most.cwiseMax(start).cwiseMax(free);
  }
  return (most - least).maxCoeff() <= room_;
}

std::span<const std::pair<int, int>> SelfTouch::near(const TouchSurface& skin, float margin) {
  if (holds(skin, margin)) return near_;
  then_.assign(skin.start().begin(), skin.start().end());
  margin_ = margin;
  room_ = room_per_margin * margin;
  near_.clear();
  const TouchTopology& t = skin.topology();
  BoxTree::for_each_near_pair(skin.tree(), skin.tree(), (margin_ + room_) * 1.0001f, [&](int i, int j) {
    if (may_touch(neighbours, t, t.primitives[i], t.primitives[j])) near_.emplace_back(i, j);
  });
  std::sort(near_.begin(), near_.end());
  return near_;
}

}  // namespace palp
