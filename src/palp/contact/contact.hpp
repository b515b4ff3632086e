// One contact: two points P and Q on two skins, a frame, and the gap the free motion would leave (D06 §3-4).
//
//     δ_n = n·(P − Q) − thickness,        δ_t = t·[(P − Q)_end − (P − Q)_start of the step]
//
// δ_t is the slip over the step, not the offset between P and Q. An attachment is a contact with δ = P − Q in
// all three directions and no sign condition; directions that it leaves free have a zero row in its frame.
#pragma once
#include <cstdint>
#include <vector>

#include "palp/math/types.hpp"
#include "palp/proximity/pairs.hpp"

namespace palp {

/// Identity of a contact between steps: which bodies, which features.
struct ContactId {
  std::int32_t body1 = 0, body2 = 0;
  std::uint64_t features = 0;
  auto operator<=>(const ContactId&) const = default;
};

struct Contact {
  ContactId id;
  bool bilateral = false;
  SkinPoint P, Q;  ///< on body1 and body2
  Mat3 frame;      ///< rows n, t1, t2, right-handed; n points from body 2 into body 1
  double mu = 0;
  double gap_start = 0;   ///< δ_n at the start of the step: negative = geometric penetration
  double compliance = 0;  ///< of a bilateral one that gives way: a spring, m/N in each of its directions
  Vec3 delta_free = Vec3::Zero();
  bool known = false;  ///< the step before had it, too
  int instant = -1;    ///< of one made from a crossing: where its bodies were then (sim/passage.hpp)
};

/// Rows n, t1, t2. t1 is `previous_t1` turned into the new tangent plane when one is given (so that
/// tangential forces keep their meaning between steps), otherwise a choice that depends on n alone.
Mat3 contact_frame(const Vec3& n, const Vec3* previous_t1 = nullptr);

/// What a step remembers of a contact for the next one.
struct ContactMemory {
  ContactId id;
  Vec3 t1 = Vec3::Zero();
  Vec3 force_world = Vec3::Zero();  ///< on body 1
  Vec3 normal = Vec3::Zero();       ///< the side the contact was on
};

/// Sorted by id.
const ContactMemory* find(const std::vector<ContactMemory>& memory, const ContactId& id);

/// What the vertices of two bodies last met of each other, for the proximity search; sorted by skin and
/// vertex.
void recall_sides(const std::vector<ContactMemory>& memory, int body1, int body2, std::vector<CameFrom>& out);

}  // namespace palp
