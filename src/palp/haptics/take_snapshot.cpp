// The first tick with a new snapshot (P11 S6 → H3): what happened since its synchronisation is made up for.
#include <algorithm>

#include "palp/contact/glc_features.hpp"
#include "palp/haptics/live_contacts.hpp"

namespace palp {
namespace {

/// Where the forces of the last snapshot's rows go in `s`.
void follow_rows(const Snapshot& s, HighRate& high) {
  for (HighRate::Row& row : high.row) row.next = -1;
  follow_contacts(
      high.row, s.rows, [&](size_t old) { return high.row[old].bore; },
      [&](size_t old, size_t now) { return (s.rows[now].at - high.row[old].at).norm(); },
      [&](size_t old, size_t now) { high.row[old].next = static_cast<int>(now); });
}

/// The ticks between the synchronisation and now, for the bodies of a new snapshot: each bears again the
/// forces of its rows. Rows that the last snapshot did not know bear what they bore at the synchronisation.
/// Leaves those of the last tick in `pushed`.
void catch_up(const TwoRateModel& m, const Snapshot& s, long ticks, HighRate& high) {
  high.moved.setZero(3 * static_cast<long>(s.rows.size()));
  for (int b = 0; b < s.body_count; ++b) high.bodies[b].begin(s.bodies[b]);
  high.pushed = s.lambda;
  if (ticks > 0) follow_rows(s, high);
  for (long t = high.tick - 1 - ticks; t < high.tick - 1; ++t) {
    const std::span<const Vec3> force = high.forces_of(t);
    for (const HighRate::Row& row : high.row)
      if (row.next >= 0) high.pushed.segment<3>(3L * row.next).setZero();
    for (size_t r = 0; r < high.row.size(); ++r)
      if (const int next = high.row[r].next; next >= 0)
        high.pushed.segment<3>(3L * next) += s.row_frame(next) * force[r];
    for (int b = 0; b < s.body_count; ++b) {
      high.bodies[b].free_tick(s.bodies[b], m.settings.h_high_s, high.moved);
      high.bodies[b].end_tick(s.bodies[b], m.settings.h_high_s, high.pushed);
    }
  }
}

/// What bears a force touches. The gap that the new snapshot sees there (a surface that has bent since the
/// last one, another triangle) is let in over a low-rate step. Nodes are where they were.
void settle(const TwoRateModel& m, const Snapshot& s, HighRate& high) {
  const auto skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_start; };
  high.settle.setZero(s.frozen);
  if (m.settings.hand_over == HandOver::end) return;
  for (int i = s.limited; i < s.frozen; ++i) {
    const SnapshotContact& c = s.contacts[i];
    const long n = 3 * static_cast<long>(i), r = 3 * s.row_of(i);
    if (c.bilateral || !(high.lambda[n] > 0)) continue;
    high.settle[n / 3] = -(c.frame.row(0).dot(tool_part(c, skin)) + high.offset[n] + high.moved[r]);
  }
}

/// The forces of the patches, by name or to the patch where their point is now.
void follow_patches(const Snapshot& s, HighRate& high) {
  follow_contacts(
      high.slip, std::span(s.contacts).first(static_cast<size_t>(s.limited)),
      [&](size_t old) { return is_limited(high.slip[old].id) && !high.slip[old].force.isZero(0); },
      [&](size_t old, size_t now) {
        const SnapshotContact& c = s.contacts[now];
        const std::vector<Vec3>& skin = high.tools[c.tool1].skin_start;
        const Vec3 x = c.P.at(skin);
        return patch_distance(s.patches.glc[now], x) + (x - high.slip[old].P.at(skin)).norm();
      },
      [&](size_t old, size_t now) {
        high.lambda.segment<3>(3 * static_cast<long>(now)) += s.contacts[now].frame * high.slip[old].force;
      });
}

}  // namespace

void take_snapshot(const TwoRateModel& m, const Snapshot& s, HighRate& high) {
  if (s.sequence == high.sequence) return;
  const int n = s.frozen;
  for (size_t t = 0; t < high.tools.size(); ++t)
    m.tool(static_cast<int>(t)).skin_positions(high.tools[t].state, VecX(), high.tools[t].skin_start);
  // Before the first snapshot nothing holds the low-rate bodies: they begin when the ticks know them.
  const long ticks = high.sequence == 0 ? 0 : high.tick - 1 - s.tick;
  catch_up(m, s, ticks, high);
  high.lambda.setZero(3 * n);
  high.lambda.tail(3 * (n - s.limited)) = high.pushed.segment(3 * s.nodes, 3 * (n - s.limited));
  follow_patches(s, high);
  high.sequence = s.sequence;
  high.adopted = high.tick - 1;
  high.age = high.adopted - s.tick;
  high.offset.resize(3 * n);
  high.delta.resize(3 * n);
  high.offset = s.offset;
  high.moved = m.progress(ticks) * s.bend;
  for (int b = 0; b < s.body_count; ++b) high.bodies[b].displace(s.bodies[b], high.moved);
  high.row.clear();
  for (const SnapshotRow& r : s.rows) high.row.push_back({.id = r.id, .at = r.at});
  high.layout = s;
  if (high.live) high.live->begin(m, s, high.moved);
  std::swap(high.slip, high.old_slip);
  high.slip.clear();
  const auto skin = [&](int tool) -> const std::vector<Vec3>& { return high.tools[tool].skin_start; };
  auto old = std::find_if(high.old_slip.begin(), high.old_slip.end(),
                          [](const auto& o) { return !is_limited(o.id); });
  for (int i = 0; i < n; ++i) {
    const SnapshotContact& c = s.contacts[i];
    high.slip.push_back({.id = c.id, .total = c.slip, .P = c.P});
    if (c.limited() || c.bilateral) continue;
    while (old != high.old_slip.end() && old->id < c.id) ++old;
    const bool known = old != high.old_slip.end() && old->id == c.id;
    const Vec3 since = known ? Vec3(old->total - c.slip)
                             : Vec3(tool_part(c, skin) - c.tool_start +
                                    c.frame.transpose() * high.moved.segment<3>(3 * s.row_of(i)));
    high.slip.back().total += since;
    high.offset.segment<2>(3 * i + 1) -= c.frame.bottomRows<2>() * since;
  }
  settle(m, s, high);
  if (s.boxed) static_cast<void>(high.limited->set_problem(s.patches));  // its size is within the bounds
}

}  // namespace palp
