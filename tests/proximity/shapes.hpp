// Small surfaces and the slow truth about their distance, shared by the tests of the proximity search.
#pragma once
#include <map>
#include <random>

#include "palp/proximity/curved_edges.hpp"
#include "palp/proximity/distance.hpp"
#include "palp/proximity/pairs.hpp"

namespace palp::testing {

struct Shape {
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  std::vector<Edge> segments;
};

inline TouchSurface touch(const Shape& shape) {
  TouchSurface s(TouchTopology::make(static_cast<int>(shape.x.size()), shape.triangles, shape.segments));
  s.update(shape.x, shape.x);
  s.at_rest = rest_shape(s);
  return s;
}

inline void find_pairs(const TouchSurface& a, const TouchSurface& b, const ProximitySettings& settings,
                       std::vector<ProximityPair>& pairs) {
  ProximityScratch scratch;
  palp::find_pairs(a, b, settings, scratch, pairs);
}

inline Shape cube(double side, const Vec3& centre) {
  Shape s;
  for (int i = 0; i < 8; ++i)
    s.x.push_back(centre + side * Vec3((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5));
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (auto& q : quads) {
    s.triangles.push_back({q[0], q[1], q[2]});
    s.triangles.push_back({q[0], q[2], q[3]});
  }
  return s;
}

/// A closed, bumpy, sphere-like surface: an octahedron split n times, its radius changed at random.
inline Shape bumpy_sphere(int splits, double radius, const Vec3& centre, double bump, unsigned seed) {
  Shape s;
  s.x = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  s.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int k = 0; k < splits; ++k) {
    std::map<Edge, int> middle;
    const auto mid = [&](int a, int b) {
      auto [it, fresh] =
          middle.try_emplace(Edge{std::min(a, b), std::max(a, b)}, static_cast<int>(s.x.size()));
      if (fresh) s.x.push_back((s.x[a] + s.x[b]).normalized());
      return it->second;
    };
    std::vector<Triangle> finer;
    for (auto [a, b, c] : s.triangles) {
      const int ab = mid(a, b), bc = mid(b, c), ca = mid(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    s.triangles = finer;
  }
  std::mt19937 engine(seed);
  std::uniform_real_distribution<> noise(1 - bump, 1 + bump);
  for (Vec3& p : s.x) p = centre + radius * noise(engine) * p;
  return s;
}

/// True distance of two triangle surfaces by comparing every triangle with every other.
inline double brute_distance(const Shape& a, const Shape& b) {
  double best = 1e300;
  for (const auto& s : a.triangles)
    for (const auto& t : b.triangles) {
      for (int k = 0; k < 3; ++k) {
        const Vec3 w = closest_on_triangle(a.x[s[k]], b.x[t[0]], b.x[t[1]], b.x[t[2]]);
        best = std::min(best, (a.x[s[k]] - w[0] * b.x[t[0]] - w[1] * b.x[t[1]] - w[2] * b.x[t[2]]).norm());
        const Vec3 z = closest_on_triangle(b.x[t[k]], a.x[s[0]], a.x[s[1]], a.x[s[2]]);
        best = std::min(best, (b.x[t[k]] - z[0] * a.x[s[0]] - z[1] * a.x[s[1]] - z[2] * a.x[s[2]]).norm());
        for (int l = 0; l < 3; ++l) {
          const Vec3 &p = a.x[s[k]], &q = a.x[s[(k + 1) % 3]], &c = b.x[t[l]], &d = b.x[t[(l + 1) % 3]];
          const auto [u, v] = closest_between_segments(p, q, c, d);
          best = std::min(best, (p + u * (q - p) - c - v * (d - c)).norm());
        }
      }
    }
  return best;
}

}  // namespace palp::testing
