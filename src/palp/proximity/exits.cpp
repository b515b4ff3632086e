#include "palp/proximity/exits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "palp/proximity/distance.hpp"
#include "palp/proximity/rest_neighbours.hpp"

namespace palp {
namespace {

constexpr double much_nearer = 0.15;  // a side of a plate than the other, by depth

/// One vertex and all that was found near it.
struct Judge {
  std::vector<PairCandidate>& candidates;
  const std::vector<int>& previous;
  int last;
  double touching;
  std::span<const Vec3> x1, x2;

  template <class Visit>
  void each(Visit&& visit) {
    for (int i = last; i >= 0; i = previous[i]) visit(candidates[i]);
  }
  bool is_behind(const PairCandidate& c) const { return c.pair.gap < -touching; }
  static bool shares_point(const ProximityPair& a, const ProximityPair& b) {
    return a.P.vertex == b.P.vertex && a.Q.vertex == b.Q.vertex && a.P.weight == b.P.weight &&
           a.Q.weight == b.Q.weight;
  }

  /// Does the candidate's place lie behind the face that is the way out, beyond the body that the vertex is
  /// in? Not the other side of a fold.
  bool is_beyond(const PairCandidate& c, const ProximityPair& way) const {
    const Vec3 apart = c.pair.P.at(x1) - c.pair.Q.at(x2);
    return c.pair.normal.dot(way.normal) > 0.1 && way.normal.dot(apart) > way.gap + touching;
  }

  /// Does the candidate lead back to where the vertex was when it last touched?
  static bool leads_back(const PairCandidate& c, std::span<const CameFrom> history, bool touched_only) {
    return std::any_of(history.begin(), history.end(), [&](const CameFrom& h) {
      return (h.touched || !touched_only) && h.normal.dot(c.pair.normal) > 0.5;
    });
  }

  /// Would it lead out on the side opposite to where the vertex was known to be? There is no way through.
  static bool leads_through(const PairCandidate& c, std::span<const CameFrom> history) {
    return !leads_back(c, history, false) &&
           std::any_of(history.begin(), history.end(),
                       [&](const CameFrom& h) { return h.normal.dot(c.pair.normal) < -0.5; });
  }

  void decide(std::span<const CameFrom> history) {
    // The nearest way out, first among those that lead back to the side the vertex came from.
    const PairCandidate* exit = nullptr;
    bool exit_back = false;
    each([&](const PairCandidate& c) {
      // What came in here goes back here, whatever has become of its own skin since.
      const bool back = leads_back(c, history, false);
      if (!is_behind(c) || !(c.faces || back) || leads_through(c, history)) return;
      if (!exit || (back != exit_back ? back : c.distance2 < exit->distance2)) exit = &c, exit_back = back;
    });
    // Much nearer to the other side of a plate, it has come in there, even if it looks away from it, as
    // the back of a thin body does.
    if (exit && !exit_back) {
      const ProximityPair way = exit->pair;
      each([&](const PairCandidate& c) {
        const bool opposite = c.pair.normal.dot(way.normal) < -0.5 && !shares_point(c.pair, way);
        if (is_behind(c) && c.pair.gap > much_nearer * way.gap && opposite) exit = nullptr;
      });
    }
    // In front of something nearer: it is outside, unless it touched the other side a step ago.
    if (exit && !leads_back(*exit, history, true)) {
      // A fold that the way out ends at is as near, whatever the rounding.
      const double depth = std::sqrt(exit->distance2) - 0.1 * touching, depth2 = depth * depth;
      const Vec3 way_normal = exit->pair.normal;
      each([&](const PairCandidate& c) {
        if (!(c.distance2 < depth2)) return;
        const bool before =
            c.faces ? c.pair.gap >= -touching : c.pair.gap >= 0 && c.distance2 > touching * touching;
        // On one side of a plate: the way out would be through it.
        const bool on_plate = c.pair.gap >= -touching && c.pair.normal.dot(way_normal) < -0.5;
        if (before || on_plate) exit = nullptr;
      });
    }
    const ProximityPair way = exit ? exit->pair : ProximityPair{};
    each([&](PairCandidate& c) {
      if (is_behind(c)) {
        // The faces of a fold share the point on it: all of them stay.
        c.faces = exit && shares_point(c.pair, way) && (c.faces || leads_back(c, history, false));
      } else if (exit && c.pair.gap > touching && is_beyond(c, way)) {
        c.faces = false;
      }
    });
  }
};

}  // namespace

bool is_way_out(const TouchSurface& s, int edge, const Vec3& p, double depth, const BesideEdge& beside) {
  // Inside a wedge its faces are nearer than its edge, by the cosine of half the fan: they do not count.
  const double clearly = 0.7 * depth;
  const Edge& e = s.topology().edges[edge];
  Box box = Box::empty();
  box.grow(p);
  NearestFace nearest{depth};
  bool elsewhere = false;
  s.tree().for_each_near(box, static_cast<float>(depth) * 1.0001f, [&](int i) {
    const int f = s.topology().primitives[i].triangle;
    if (f < 0) return;
    const Triangle& t = s.topology().triangles[f];
    if (beside.self && !beside.self->apart(beside.edge, t)) return;
    const SkinPoint foot{t, closest_on_triangle(p, s.start()[t[0]], s.start()[t[1]], s.start()[t[2]])};
    const Vec3 d = p - foot.at(s.start());
    const double distance = d.norm(), height = s.face_normal(f).dot(d);
    const bool at_edge = std::any_of(t.begin(), t.end(), [&](int v) { return v == e[0] || v == e[1]; });
    elsewhere |= distance < clearly && !at_edge;
    nearest.offer(distance, height);
  });
  return nearest.height <= 0 && !elsewhere;
}

void choose_exits(const TouchSurface& s1, const TouchSurface& s2, std::span<const CameFrom> came_from,
                  double touching, ProximityScratch& scratch) {
  auto& candidates = scratch.candidates;
  const int n = static_cast<int>(candidates.size());
  for (int skin = 0; skin < 2; ++skin) {
    auto &last = scratch.last_of_vertex[skin], &previous = scratch.previous[skin];
    const auto vertices = static_cast<size_t>((skin == 0 ? s1 : s2).topology().vertices);
    if (last.size() < vertices) last.resize(vertices, -1);
    previous.resize(n);
    for (int i = 0; i < n; ++i) {
      const int v = candidates[i].pair.vertex(skin);
      if (v >= 0) previous[i] = std::exchange(last[v], i);
    }
    // Each vertex once, from its last candidate; the lists are empty again afterwards.
    for (int i = n - 1; i >= 0; --i) {
      const int v = candidates[i].pair.vertex(skin);
      if (v < 0 || last[v] < 0) continue;
      Judge judge{candidates, previous, std::exchange(last[v], -1), touching, s1.start(), s2.start()};
      bool behind = false;
      judge.each([&](const PairCandidate& c) { behind |= judge.is_behind(c); });
      if (!behind) continue;
      const auto history = std::equal_range(came_from.begin(), came_from.end(), CameFrom{skin, v},
                                            [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
      judge.decide({history.first, history.second});
    }
  }
}

void merge_doubles(const TouchSurface& s1, const TouchSurface& s2, double touching, ProximityScratch& scratch,
                   std::vector<ProximityPair>& pairs) {
  constexpr double same_direction = 1 - 1e-6;
  if (pairs.size() < 2) return;
  // Smallest features first: of several reports of one place, the one that names it most narrowly.
  const auto rank = [](const ProximityPair& p) {
    switch (p.kind) {
      case PairKind::vertex_vertex:
        return 0;
      case PairKind::vertex_edge:
      case PairKind::edge_vertex:
        return 1;
      case PairKind::edge_edge:
        return 2;
      default:
        return 3;
    }
  };
  auto& order = scratch.order;
  auto& place = scratch.place;
  place.resize(pairs.size());
  order.resize(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i)
    place[i] = pairs[i].P.at(s1.start()), order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return place[a].x() != place[b].x() ? place[a].x() < place[b].x() : a < b; });
  auto& doubled = scratch.doubled;
  doubled.assign(pairs.size(), 0);
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      const int a = order[i], b = order[j];
      if (place[b].x() - place[a].x() > touching) break;
      if ((place[b] - place[a]).squaredNorm() > touching * touching) continue;
      const ProximityPair &p = pairs[a], &q = pairs[b];
      if (p.normal.dot(q.normal) < same_direction) continue;
      if ((p.Q.at(s2.start()) - q.Q.at(s2.start())).squaredNorm() > touching * touching) continue;
      const bool first = rank(p) != rank(q) ? rank(p) < rank(q) : p.key() < q.key();
      doubled[first ? b : a] = 1;
    }
  size_t kept = 0;
  for (size_t i = 0; i < pairs.size(); ++i)
    if (!doubled[i]) pairs[kept++] = pairs[i];
  pairs.resize(kept);
}

}  // namespace palp
