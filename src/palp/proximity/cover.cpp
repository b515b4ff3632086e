#include "palp/proximity/cover.hpp"

#include <algorithm>
#include <limits>

namespace palp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double done = -1;       // kept already
constexpr double faithful = 1.5;  // squared distances of what was kept before count that much more

struct Cover {
  std::span<const CoverPlace> place;
  CoverScratch& s;

  void keep(size_t i) {
    s.kept[i] = 1;
    for (size_t j = 0; j < place.size(); ++j)
      if (s.distance2[j] >= 0 && place[j].part == place[i].part)
        s.distance2[j] = std::min(s.distance2[j], (place[j].at - place[i].at).squaredNorm());
    s.distance2[i] = done;
  }

  /// The one to be kept next; the size of `place` when there is none.
  size_t next(bool needed) const {
    size_t best = place.size();
    double best_reach = -1, best_depth = 0;
    for (size_t i = 0; i < place.size(); ++i) {
      if (s.distance2[i] < 0 || place[i].needed != needed) continue;
      const double reach = s.distance2[i] * (place[i].known ? faithful : 1);
      const double depth = place[i].depth * (place[i].known && place[i].depth > 0 ? faithful : 1);
      // A part of which nothing is kept yet begins with its deepest place.
      if (reach > best_reach || (reach == infinity && best_reach == infinity && depth > best_depth))
        best = i, best_reach = reach, best_depth = depth;
    }
    return best;
  }
};

}  // namespace

void choose_cover(std::span<const CoverPlace> place, int most, CoverScratch& scratch) {
  scratch.kept.assign(place.size(), 0);
  scratch.distance2.assign(place.size(), infinity);
  Cover cover{place, scratch};
  for (bool needed : {true, false})
    for (; most > 0; --most) {
      const size_t i = cover.next(needed);
      if (i == place.size()) break;
      cover.keep(i);
    }
}

}  // namespace palp
