// No way through: what add_crossings remembers between the passes of a step.
#pragma once
#include <algorithm>

#include "palp/proximity/crossings.hpp"
#include "palp/sim/model.hpp"

namespace palp {

struct Passage {
  /// Scratch of ease_overlaps (gently.hpp).
  struct Motion {
    VecX dx, change, M_dx, D_dx, A_dx;
  };
  struct PerBody {
    VecX way;                                        ///< Δx of the pass; a rigid body turns the shortest way
    double turn = 0;                                 ///< by this angle
    std::vector<Vec3> end;                           ///< skin after `respond`, when a contact pushes the body
    Vec3 least = Vec3::Zero(), most = Vec3::Zero();  ///< of the ways of its vertices
    bool way_known = false;                          ///< in this pass
    Sweep sweep;
    bool swept = false;  ///< in this pass
    VecX swept_x;        ///< where an obstacle at rest was swept
    Sweep piece;         ///< of the way of a body that turns
    std::vector<Vec3> piece_start, piece_end;
    BodyState there;         ///< at an end of a piece
    std::vector<Vec3> skin;  ///< of a rounded body where it would cross
    VecX dx_free, dx_c;      ///< kept while only a part of the motion is made
    bool open = false;       ///< make_workspace: a sheet, which has no inside
    double size = 0;         ///< make_workspace: length, width and height at rest together
    double first_time = 1;   ///< of its crossings in this pass
    int first_rule = -1;     ///< the rule of that crossing
    double part = 1;         ///< of the motion that is made in the end
    bool loose = false;      ///< make_workspace: soft, and nothing holds it
    double lately_J = 0;     ///< ease_overlaps: kinetic energy; of a loose body the last steps' in contact
    Motion motion;
  };
  /// A contact made from a crossing belongs to the instant of the crossing: its lever arms are those that the
  /// bodies have there, not after a motion that will never be made.
  struct Instant {
    BodyState body1, body2;
  };
  struct Known {
    ContactId id;
    int contact = 0;  ///< in Workspace::contacts
    bool operator<(const Known& other) const { return id < other.id; }
  };
  struct Found {
    int rule = 0;
    Crossing crossing;
  };
  std::vector<PerBody> bodies;
  std::vector<double> undone;     ///< per group: part of its overlaps
  std::vector<char> fast;         ///< per rule
  std::vector<char> skip;         ///< per rule: not looked at here, cut_crossings
  std::vector<char> watched;      ///< per rule, find_contacts: look along the way, however slow
  std::vector<Instant> instants;  ///< Contact::instant; the first `instant_count` are in use
  std::vector<Known> known;       ///< contacts before a pass adds some, sorted
  int instant_count = 0;
  int shortened = 0;  ///< cut_crossings
  std::vector<Found> found;
  std::vector<Crossing> crossings;  ///< of one rule
  std::vector<CameFrom> came_from;  ///< of one rule
  CrossingScratch scratch;
  /// What ends on the other side, but less deep than the tolerance: the next step must know its side.
  std::vector<ContactMemory> left;

  /// Whether some contact of the group was made from a crossing.
  static bool crosses(const ContactGroup& group) {
    return std::ranges::any_of(group.contacts, [](const Contact& c) { return c.instant >= 0; });
  }
  /// The state of a body that belongs to the contact; `free` unless the contact is a crossing.
  const BodyState& instant_of(const Contact& c, int body, const BodyState& free) const {
    if (c.instant < 0) return free;
    return c.id.body1 == body ? instants[c.instant].body1 : instants[c.instant].body2;
  }
};

}  // namespace palp
