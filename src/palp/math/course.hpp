// A quantity over time, the one form in which scenes give histories: pairs (t, value), linear between them,
// held before the first and after the last. Two pairs at the same time are a jump; the second holds from then
// on.
#pragma once
#include <algorithm>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

template <class T>
struct Course {
  struct Point {
    double time_s = 0;
    T value{};
  };
  std::vector<Point> points;  ///< times ascending; none: there is no such quantity

  Course() = default;
  explicit Course(const T& constant) : points{{0, constant}} {}

  bool empty() const { return points.empty(); }
  bool constant() const { return points.size() < 2; }
  /// For a course that is not empty.
  T at(double time_s) const {
    const auto after = std::upper_bound(points.begin(), points.end(), time_s,
                                        [](double t, const Point& p) { return t < p.time_s; });
    if (after == points.begin()) return points.front().value;
    if (after == points.end()) return points.back().value;
    const Point &a = *(after - 1), &b = *after;
    const double s = (time_s - a.time_s) / (b.time_s - a.time_s);
    return T((1 - s) * a.value + s * b.value);
  }
};

}  // namespace palp
