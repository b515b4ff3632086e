#include "palp/proximity/self_touch.hpp"

#include <algorithm>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

/// More room: longer lists, made less often (bench_contact_search). Enough for some steps as fast as this
/// one.
constexpr double room_per_margin = 0.25, room_per_step = 2;

double distance(const TouchSurface& s, int v, const TouchTopology::Primitive& p) {
  const Vec3 &x = s.start()[v], &a = s.start()[p.vertex[0]];
  if (p.triangle >= 0) {
    const Vec3 &b = s.start()[p.vertex[1]], &c = s.start()[p.vertex[2]];
    const Vec3 w = closest_on_triangle(x, a, b, c);
    return (x - w[0] * a - w[1] * b - w[2] * c).norm();
  }
  if (p.edge < 0) return (x - a).norm();
  const Vec3& b = s.start()[p.vertex[1]];
  return (x - a - closest_on_segment(x, a, b) * (b - a)).norm();
}

double distance(const TouchSurface& s, const Edge& e, const Edge& f) {
  const Vec3 &a = s.start()[e[0]], &b = s.start()[e[1]], &c = s.start()[f[0]], &d = s.start()[f[1]];
  const auto [u, v] = closest_between_segments(a, b, c, d);
  return (a + u * (b - a) - c - v * (d - c)).norm();
}

/// May a feature of p that is no further than `reach` touch one of q? As in the search: vertices of p against
/// all of q, edges against edges; never those of primitives that hang together.
bool may_touch(const RestNeighbours& neighbours, const TouchSurface& s, const TouchTopology::Primitive& p,
               const TouchTopology::Primitive& q, double reach) {
  const TouchTopology& t = s.topology();
  for (int v : p.vertex)
    if (v >= 0 && std::find(q.vertex.begin(), q.vertex.end(), v) != q.vertex.end()) return false;
  for (int v : p.owned_vertex)
    if (v >= 0 && neighbours.apart({&v, 1}, q.vertex) && distance(s, v, q) <= reach) return true;
  for (int e : p.owned_edge)
    for (int f : q.owned_edge)
      if (e >= 0 && f > e && neighbours.apart(t.edges[e], t.edges[f]) &&
          distance(s, t.edges[e], t.edges[f]) <= reach)
        return true;
  return false;
}

/// How far two vertices of the skin have moved against each other at most.
double shear(std::span<const Vec3> then, std::span<const Vec3> now) {
  Vec3 least = Vec3::Constant(1e300), most = -least;
  for (size_t v = 0; v < then.size(); ++v) {
    const Vec3 way = now[v] - then[v];
    least = least.cwiseMin(way);
    most = most.cwiseMax(way);
  }
  return (most - least).norm();
}

}  // namespace

bool SelfTouch::holds(const TouchSurface& skin, float margin) const {
  return margin <= margin_ && then_.size() == skin.start().size() && shear(then_, skin.start()) <= room_ &&
         shear(then_, skin.free()) <= room_;
}

std::span<const std::pair<int, int>> SelfTouch::near(const TouchSurface& skin, float margin) {
  if (holds(skin, margin)) return near_;
  then_.assign(skin.start().begin(), skin.start().end());
  margin_ = margin;
  // A gap differs from the distance that its features have now by what they move against each other until
  // the step starts, and then by what they do in it.
  room_ = room_per_margin * margin + room_per_step * shear(skin.start(), skin.free());
  const double reach = margin + 3 * room_;
  near_.clear();
  BoxTree::for_each_near_pair(skin.tree(), skin.tree(), static_cast<float>(reach) * 1.0001f,
                              [&](int i, int j) {
                                const auto& primitives = skin.topology().primitives;
                                if (may_touch(neighbours, skin, primitives[i], primitives[j], 1.0001 * reach))
                                  near_.emplace_back(i, j);
                              });
  std::sort(near_.begin(), near_.end());
  return near_;
}

}  // namespace palp
