// Which contact of a new list takes over the force of an old one.
#pragma once
#include <cstddef>
#include <limits>

namespace palp {

/// Forces follow their contact or node by name; one whose contact is gone goes to the nearest between the
/// same bodies: what slides from one triangle to the next keeps its force. `bears(old)`: whether there is
/// anything to move; `distance(old, new)`: between contacts of the same bodies; `move(old, new)`. All by
/// number.
template <class Old, class New, class Bears, class Distance, class Move>
void follow_contacts(const Old& old, const New& now, Bears&& bears, Distance&& distance, Move&& move) {
  for (size_t i = 0; i < old.size(); ++i) {
    if (!bears(i)) continue;
    size_t best = now.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t k = 0; k < now.size(); ++k) {
      if (now[k].id.body1 != old[i].id.body1 || now[k].id.body2 != old[i].id.body2) continue;
      const bool same = now[k].id == old[i].id;
      const double away = same ? -1 : distance(i, k);
      if (away < nearest) best = k, nearest = away;
      if (same) break;
    }
    if (best < now.size()) move(i, best);
  }
}

}  // namespace palp
