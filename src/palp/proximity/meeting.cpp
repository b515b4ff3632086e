#include "palp/proximity/meeting.hpp"

#include <algorithm>

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

using Corners = std::array<Vec3, 3>;

/// Weights, in a feature, of its point nearest to x.
Vec3 nearest_to(const Vec3& x, const Corners& corner, int corners) {
  if (corners == 1) return Vec3::UnitX();
  if (corners == 3) return closest_on_triangle(x, corner[0], corner[1], corner[2]);
  const double t = closest_on_segment(x, corner[0], corner[1]);
  return {1 - t, t, 0};
}

/// Two features on their way, seen from their common motion, which brings them no nearer.
struct Pair {
  const MovingFeature& a;
  const MovingFeature& b;
  Corners at_a{}, at_b{};

  double approach() const {
    Vec3 mean = Vec3::Zero();
    for (int k = 0; k < a.corners; ++k) mean += a.way[k] / (2.0 * a.corners);
    for (int k = 0; k < b.corners; ++k) mean += b.way[k] / (2.0 * b.corners);
    const auto longest = [&](const MovingFeature& f) {
      double most = 0;
      for (int k = 0; k < f.corners; ++k) most = std::max(most, (f.way[k] - mean).squaredNorm());
      return std::sqrt(most);
    };
    return longest(a) + longest(b);
  }

  /// The same along a direction that separates the two.
  double approach_along(const Vec3& n) const {
    double first = 1e300, second = -1e300;
    for (int k = 0; k < a.corners; ++k) first = std::min(first, n.dot(a.way[k]));
    for (int k = 0; k < b.corners; ++k) second = std::max(second, n.dot(b.way[k]));
    return second - first;
  }

  void place(double time, Meeting& m) {
    for (int k = 0; k < a.corners; ++k) at_a[k] = a.start[k] + time * a.way[k];
    for (int k = 0; k < b.corners; ++k) at_b[k] = b.start[k] + time * b.way[k];
    if (a.corners == 1) {
      m.weight1 = Vec3::UnitX();
      m.weight2 = nearest_to(at_a[0], at_b, b.corners);
    } else if (b.corners == 1) {
      m.weight2 = Vec3::UnitX();
      m.weight1 = nearest_to(at_b[0], at_a, a.corners);
    } else {
      const auto [s, t] = closest_between_segments(at_a[0], at_a[1], at_b[0], at_b[1]);
      m.weight1 = {1 - s, s, 0};
      m.weight2 = {1 - t, t, 0};
    }
    m.time = time;
    m.apart = a.at(m.weight1, time) - b.at(m.weight2, time);
  }
};

}  // namespace

bool meet(const MovingFeature& first, const MovingFeature& second, double within, double exact,
          double touching, Meeting& out) {
  constexpr int most_advances = 200;  // a way that grazes comes near but slowly
  Pair pair{first, second};
  pair.place(0, out);
  const double start = out.start_distance = out.apart.norm();
  if (start <= within + touching) return true;
  const double approach = pair.approach();
  double distance = start, time = 0;
  for (int i = 0; i < most_advances; ++i) {
    const double speed = std::min(approach, pair.approach_along(out.apart / distance));
    // Written so that a motion that is no number meets nothing.
    if (!(distance - within < speed * (1 - time))) return false;
    time += (distance - within) / speed;
    pair.place(std::min(time, 1.0), out);
    distance = out.apart.norm();
    if (distance <= within + exact) return true;
  }
  return distance - within <= 1e-3 * (start - within);
}

}  // namespace palp
