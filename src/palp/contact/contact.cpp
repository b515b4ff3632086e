#include "palp/contact/contact.hpp"

#include <algorithm>

namespace palp {

Mat3 contact_frame(const Vec3& n, const Vec3* previous_t1) {
  Vec3 t1 = Vec3::Zero();
  if (previous_t1) t1 = *previous_t1 - n.dot(*previous_t1) * n;
  if (t1.squaredNorm() < 0.01) {
    // The world axis that is furthest from n: two axes never tie badly, and equal normals give equal frames.
    int axis = 0;
    n.cwiseAbs().minCoeff(&axis);
    t1 = Vec3::Unit(axis) - n[axis] * n;
  }
  t1.normalize();
  Mat3 frame;
  frame.row(0) = n;
  frame.row(1) = t1;
  frame.row(2) = n.cross(t1);
  return frame;
}

const ContactMemory* find(const std::vector<ContactMemory>& memory, const ContactId& id) {
  const auto it =
      std::lower_bound(memory.begin(), memory.end(), id,
                       [](const ContactMemory& m, const ContactId& wanted) { return m.id < wanted; });
  return it != memory.end() && it->id == id ? &*it : nullptr;
}

void recall_sides(const std::vector<ContactMemory>& memory, int body1, int body2,
                  std::vector<CameFrom>& out) {
  out.clear();
  auto m = std::lower_bound(memory.begin(), memory.end(), ContactId{body1, body2, 0},
                            [](const ContactMemory& a, const ContactId& wanted) { return a.id < wanted; });
  for (; m != memory.end() && m->id.body1 == body1 && m->id.body2 == body2; ++m) {
    const ProximityPair pair = ProximityPair::from_key(m->id.features);
    const bool touched = m->force_world.squaredNorm() > 0;
    for (int skin = 0; skin < 2; ++skin)
      if (const int v = pair.vertex(skin); v >= 0) out.push_back({skin, v, m->normal, touched});
  }
  std::sort(out.begin(), out.end(), [](const CameFrom& a, const CameFrom& b) { return a.before(b); });
}

}  // namespace palp
