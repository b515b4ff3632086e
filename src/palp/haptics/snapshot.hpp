// What crosses between the two rates, each way in a wait-free triple buffer (base/triple_buffer.hpp):
//     low → high   Snapshot    the contact problem as the low-rate bodies shape it   (P11 S6)
//     high → low   ToolState   where the tools are and what the contacts did         (P11 H2, H6)
//
// Contacts of tools are found by the ticks, from points of the low-rate skins around them: rows of the
// snapshot like its own contacts, but in world axes and without a gap (live_contacts.hpp). What follows is
// for the snapshot's own: between low-rate bodies, attachments, limited ones, all with HandOver::end.
//
// The tick completes the low rate's problem with the tools as they are now, and moves the low-rate bodies
// along within few motions (reduced_body.hpp), from where they were at the synchronisation. In contact
// coordinates (frame N), with the tools' part of P − Q at their free positions called p_tool and s the
// displacements of the low-rate bodies,
//     δ_free(t) = N p_tool(t) + s_free(t) + offset + τ bend,      τ = the part of the low-rate step that is
//     over  (P11 H3) W(t)      = W_low + N C(t) Nᵀ,  C of the tools at the sites of the contacts (P11 H4)
// `bend` is what N H Δx_free does not show of the low rate's own free motion: turning bodies, obstacles on
// rails. Where a contact bears a force when a new snapshot comes, the gap that this one sees there is let in
// over a low-rate step (`settle`): no force jumps because the surface was drawn anew. Friction counts slip.
// δ_t is the slip since the synchronisation; every tick takes the slip it found out of the offset, so that a
// sticking contact keeps its anchor and a sliding one never pulls back. `slip` totals follow a contact by
// name from one snapshot to the next: what the ticks did while the low rate was computing is not counted
// twice. A contact without a past starts where its tool is when it arrives.
//
// Limited contacts (K16; solvers/glc.hpp) carry a patch, within which they act. The low rate knows nothing of
// patches, only of their corners: nodes, vertices of the low-rate bodies, with a row of W_low each, whose δ
// is how far the node has gone since the synchronisation, backwards. Every tick sees the patches where their
// nodes are at its start, and bears on the nodes as the point of the tool lies between them: a surface stays
// closed while it moves, and an edge is crossed without a jump. Slip is counted tick by tick. The points of
// the tools have boxes that the patches describe, and many patches share a site.
#pragma once
#include <span>
#include <vector>

#include "palp/contact/follow_contacts.hpp"
#include "palp/contact/glc_builder.hpp"
#include "palp/mechanics/reduced_body.hpp"
#include "palp/safety/hand.hpp"
#include "palp/sim/attachment.hpp"
#include "palp/solvers/glc.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

struct SnapshotContact : Contact {
  int tool1 = -1, tool2 = -1;      ///< number of the tool on either side; −1 = the low rate's, or the world
  Vec3 slip = Vec3::Zero();        ///< the contact's total slip (world) at the synchronisation
  Vec3 tool_start = Vec3::Zero();  ///< the tools' part of P − Q at the synchronisation

  bool limited() const { return is_limited(id); }
};

/// A vertex of a low-rate skin near a tool, from which the ticks make contacts (live_contacts.hpp). In names
/// the tool's body stands for the second one.
inline ContactId point_id(int body, int tool_body, int vertex) {
  return {body, -2 - tool_body, static_cast<std::uint64_t>(vertex)};
}
inline bool is_point(const ContactId& id) { return id.body2 <= -2; }
inline int tool_of_point(const ContactId& id) { return -2 - id.body2; }

/// What the low rate is pushed at: a node or a point, in world axes, or a contact, in its own.
struct SnapshotRow {
  ContactId id;
  Vec3 at = Vec3::Zero();  ///< the node or point, or P (world), at the synchronisation
};

/// How rows and contacts lie in a snapshot:
///     rows      nodes, the corners of patches | contacts of the low rate | points
///     contacts  patches                       | the same                 | what the tick finds
/// each part sorted by name.
struct SnapshotLayout {
  enum class Kind { node, contact, point };
  int nodes = 0;    ///< so many rows are nodes
  int limited = 0;  ///< so many contacts are patches
  int frozen = 0;   ///< so many contacts are the low rate's, patches among them

  static Kind kind(const ContactId& id) {
    return is_point(id) ? Kind::point : is_limited(id) ? Kind::node : Kind::contact;
  }
  static bool before(const ContactId& a, const ContactId& b) {
    return kind(a) != kind(b) ? kind(a) < kind(b) : a < b;
  }
  int row_of(int contact) const { return contact - limited + nodes; }  ///< of a frozen one, not limited
  int first_point() const { return row_of(frozen); }
  /// The contact that a row belongs to; −1: it is a node or a point.
  int contact_of(int row) const { return row < nodes || row >= first_point() ? -1 : row - nodes + limited; }
};

/// A skin as the ticks find it.
struct SnapshotSkin {
  std::vector<int> near;    ///< primitives (proximity/touch_surface.hpp) that tools may touch; of tools too
  std::vector<Vec3> start;  ///< at the synchronisation; of tools nothing
  std::vector<Vec3> end;    ///< of an obstacle on rails, at the end of the step; empty: as `start`
  BodyState state;          ///< for static friction; empty: it is not needed
};

/// Where forces act on a tool: at a vertex that touches by limited contacts; or along the axes of one
/// standard contact, at its points on the tool.
struct SnapshotSite {
  int tool = 0;
  int contact = -1;    ///< the standard contact, −1: none
  SkinPoint at = {};   ///< otherwise; of a corner or edge of the surface, where the tool is nearest to it
  double nearest = 0;  ///< the ticks: how near
  Vec3 moved = Vec3::Zero();  ///< the ticks: along the tool, in this tick
};

struct Snapshot : SnapshotLayout {
  long sequence = 0;                      ///< 0: none yet
  long tick = 0;                          ///< of the tool state it was made from: the synchronisation
  double time_s = 0;                      ///< of that tick
  std::vector<SnapshotContact> contacts;  ///< m
  std::vector<SnapshotRow> rows;          ///< r
  std::vector<SnapshotSkin> skins;        ///< per body: of those that tools may touch
  std::vector<AttachmentState> attachments;
  std::vector<SnapshotSite> sites;  ///< tool by tool
  std::vector<int> first_site;      ///< per tool, and one more
  GrowingMatrix W_low;              ///< 3r × 3r: what forces of one tick do within the low-rate bodies
  GrowingVector offset;             ///< 3 for each frozen contact; nothing for limited ones
  GrowingVector bend;               ///< 3r
  GrowingVector lambda;             ///< 3r: the forces there at the synchronisation
  std::vector<ReducedBody> bodies;  ///< the first `body_count` are in use
  int body_count = 0;
  /// The tick's problem: sizes, μ and kinds from the low rate, W and δ_free from every tick.
  Problem problem;
  bool boxed = false;  ///< tools touch by limited contacts: `patches` holds W_low and the problem
  GlcProblem patches;  ///< then: patches, the others; a proxy per site; places and C from every tick
  std::vector<Vec3> p_start, p_free;         ///< of the patches' centres, and after the body's free motion
  std::vector<std::array<Vec3, 2>> touched;  ///< of patches on a tool: the corner or edge of the surface

  std::span<const SnapshotRow> points() const {
    return std::span(rows).subspan(static_cast<size_t>(first_point()));
  }
  Mat3 row_frame(int row) const {
    return contact_of(row) < 0 ? Mat3(Mat3::Identity()) : contacts[contact_of(row)].frame;
  }
};

struct ToolState {
  long tick = 0;                      ///< that is about to be made
  double time_s = 0;                  ///< at its end
  std::vector<BodyState> tools;       ///< at its start
  std::vector<DevicePose> poses;      ///< of the devices, at its end
  long sequence = 0;                  ///< of the snapshot that `lambda` and `slip` belong to
  long age = 0;                       ///< ticks that it came after its synchronisation
  double tick_us = 0;                 ///< HighRate::cost_us
  VecX lambda;                        ///< 3r used: forces of the last tick; as long as the bound on the rows
  std::vector<Vec3> slip;             ///< r: total slips (world)
  std::vector<ReducedMotion> bodies;  ///< of the snapshot's, in its order
};

/// The tools' part of P − Q; skins by tool.
template <class Skins>
Vec3 tool_part(const SnapshotContact& c, const Skins& skin_of) {
  Vec3 p = Vec3::Zero();
  if (c.tool1 >= 0) p += c.P.at(skin_of(c.tool1));
  if (c.tool2 >= 0) p -= c.Q.at(skin_of(c.tool2));
  return p;
}

}  // namespace palp
