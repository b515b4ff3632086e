#include "palp/proximity/cover.hpp"

#include <algorithm>
#include <limits>

namespace palp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_offered = -1;  // kept already, or not among those to choose from

struct Cover {
  std::span<const Vec3> place;
  CoverScratch& s;

  void keep(size_t i) {
    s.kept[i] = 1;
    s.distance2[i] = not_offered;
    for (size_t j = 0; j < place.size(); ++j)
      if (s.distance2[j] >= 0) s.distance2[j] = std::min(s.distance2[j], (place[j] - place[i]).squaredNorm());
  }
  void fill(int count) {
    for (; count > 0; --count) {
      const auto furthest = std::max_element(s.distance2.begin(), s.distance2.end());
      if (furthest == s.distance2.end() || *furthest < 0) return;
      keep(static_cast<size_t>(furthest - s.distance2.begin()));
    }
  }
};

}  // namespace

void choose_cover(std::span<const Vec3> place, std::span<const char> must, int most, CoverScratch& scratch) {
  scratch.kept.assign(place.size(), 0);
  scratch.distance2.assign(place.size(), infinity);
  Cover cover{place, scratch};
  const auto musts = static_cast<int>(std::count(must.begin(), must.end(), 1));
  if (musts > most) {
    for (size_t i = 0; i < place.size(); ++i)
      if (!must[i]) scratch.distance2[i] = not_offered;
    return cover.fill(most);
  }
  for (size_t i = 0; i < must.size(); ++i)
    if (must[i]) cover.keep(i);
  cover.fill(most - musts);
}

}  // namespace palp
