#include "palp/haptics/limited_contacts.hpp"

#include <algorithm>

#include "palp/sim/find_contacts.hpp"

namespace palp {
namespace {

bool is_limited_pair(const TwoRateModel& m, const ContactId& id) {
  for (size_t r = 0; r < m.model.rules.size(); ++r)
    if (m.contact[r] != HapticContact::standard && m.model.rules[r].body1 == id.body1 &&
        m.model.rules[r].body2 == id.body2)
      return true;
  return false;
}

/// Until the next snapshot a point goes about as far as its hand: half of that lies on either side of the
/// region's centre.
Vec3 ahead_of(const TwoRateModel& m, int tool, const Vec3& x, const ToolState& tools) {
  const double most = 0.5 * m.settings.region.range_m;
  for (const Grip& g : m.grips)
    if (m.tool_of[g.body] == tool && tools.poses[g.device].finite()) {
      const DevicePose& pose = tools.poses[g.device];
      const Vec3 way = pose.position - g.lever - x + m.settings.h_low_s() * pose.velocity;
      return (0.5 * way).cwiseMax(-most).cwiseMin(most);
    }
  return Vec3::Zero();
}

/// A patch as a contact of the step: how near it will be stands for its gap.
void complete(const TwoRateModel& m, int body, const TouchRule& rule, const Vec3& ahead, LowRate& low,
              size_t i) {
  Contact& c = low.places.contact[i];
  Glc& g = low.patches.glc[i];
  const auto& point = low.ws.bodies[body];
  c.id.body1 = body;
  c.P = {{0, 0, 0}, {1, 0, 0}};
  c.gap_start = c.delta_free[0] = (g.p - point.skin_start[0] - ahead).norm();
  c.delta_free.tail<2>() =
      c.frame.bottomRows<2>() * (point.skin_free[0] - point.skin_start[0] - (low.places.p_free[i] - g.p));
  c.mu = g.mu = stages::friction(c, rule, m.model, low.state, low.ws.slip_rows);
}

}  // namespace

void prepare_limited(const TwoRateModel& m, LowRate& low) {
  low.skins.resize(m.model.bodies.size());
  low.surfaces.resize(m.probes.size());
  low.surface_rules.resize(m.probes.size());
  low.patches.proxy.resize(m.probes.size());
  if (!low.ws.fits) return;
  for (size_t r = 0; r < m.model.rules.size(); ++r) {
    if (m.contact[r] == HapticContact::standard) continue;
    const TouchRule& rule = m.model.rules[r];
    const bool first = m.tool_of[rule.body1] >= 0;
    const int body = first ? rule.body2 : rule.body1;
    const int probe = m.probe_of[m.tool_of[first ? rule.body1 : rule.body2]];
    const Body& b = *m.model.bodies[body].body;
    std::vector<Vec3> rest(b.skin().vertices);
    b.skin_positions(b.rest_state(), VecX(), rest);
    low.skins[body] =
        GlcSkin::make(low.ws.bodies[body].touch->topology(), rest, 2 * m.settings.region.max_depth_m);
    low.surfaces[probe].push_back({.body = body});
    low.surface_rules[probe].push_back(static_cast<int>(r));
  }
}

void find_limited(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report) {
  if (m.probes.empty()) return;
  std::erase_if(low.ws.contacts, [&](const Contact& c) { return is_limited_pair(m, c.id); });
  low.patches.glc.clear();
  low.places.clear();
  GlcBuilder builder(m.settings.region);
  report.smallest_region_m = std::numeric_limits<double>::infinity();
  int found = 0;
  for (size_t p = 0; p < m.probes.size(); ++p) {
    const int tool = m.probes[p], body = m.tools[tool], probe = static_cast<int>(p);
    const Vec3 x = low.state.bodies[body].x, ahead = ahead_of(m, tool, x, tools);
    const double radius = m.model.bodies[body].body->skin().radius;
    // Surfaces that touch in the same way share a region.
    std::vector<GlcSurface> limited, closest;
    for (size_t k = 0; k < low.surfaces[p].size(); ++k) {
      GlcSurface s = low.surfaces[p][k];
      s.touch = low.ws.bodies[s.body].touch.get();
      s.skin = &low.skins[s.body];
      (m.contact[low.surface_rules[p][k]] == HapticContact::glc ? limited : closest).push_back(s);
    }
    GlcRegion region;
    const size_t before = low.places.contact.size();
    if (!closest.empty()) {
      region = builder.build_closest(probe, x, radius, closest, low.patches, low.places);
      found += region.found - region.used;
    }
    if (!limited.empty()) {
      region = builder.build(probe, x, ahead, radius, limited, low.patches, low.places);
      found += region.found - region.used;
    }
    report.smallest_region_m = std::min(report.smallest_region_m, region.half_m);
    for (size_t i = before; i < low.places.contact.size(); ++i)
      for (size_t k = 0; k < low.surfaces[p].size(); ++k)
        if (low.surfaces[p][k].body == low.places.contact[i].id.body2)
          complete(m, body, m.model.rules[low.surface_rules[p][k]], ahead, low, i);
  }
  report.left_out += found;
  low.ws.contacts.insert(low.ws.contacts.end(), low.places.contact.begin(), low.places.contact.end());
  report.contacts = static_cast<int>(low.ws.contacts.size());
}

int patch_of(const LowRate& low, const ContactId& id, int after) {
  const std::vector<Contact>& all = low.places.contact;
  const int count = static_cast<int>(all.size());
  for (int k = 1; k <= count && is_limited(id); ++k)
    if (const int i = (after + k) % count; all[i].id == id) return i;
  return -1;
}

void begin_patches(const TwoRateModel& m, const LowRate& low, Snapshot& out) {
  out.limited = 0;
  out.patches.glc.clear();
  out.patches.other.clear();
  out.p_free.clear();
  out.patches.proxy = low.patches.proxy;
  out.point_compliance.assign(m.tools.size(), 0);
  for (size_t t = 0; t < m.tools.size(); ++t) {
    if (!m.is_point(static_cast<int>(t))) continue;
    PointJacobian at;
    Mat3 C = Mat3::Zero();
    m.tool(static_cast<int>(t)).append_vertex(low.state.bodies[m.tools[t]], 0, 1, at);
    at.end_point();
    m.tool(static_cast<int>(t)).project_compliance(at, *low.ws.bodies[m.tools[t]].mechanics, C);
    out.point_compliance[t] = C(0, 0);
    if (m.probe_of[t] >= 0) out.patches.proxy[m.probe_of[t]].compliance = C(0, 0);
  }
}

void add_patch(const TwoRateModel& m, const LowRate& low, const LowRate::Place& place,
               const SnapshotContact& contact, const Problem& problem, int number, Snapshot& out) {
  if (!out.boxed()) return;
  if (place.limited) {
    const size_t k = static_cast<size_t>(place.patch);
    Glc g = low.patches.glc[k];
    if (m.settings.hand_over == HandOver::end)
      g.p = low.places.p_free[k];  // seen there from the first tick on
    out.patches.glc.push_back(g);
    out.p_free.push_back(low.places.p_free[k]);
    ++out.limited;
    return;
  }
  OtherConstraint other{.kind = problem.kind[number], .mu = problem.mu[number]};
  const auto probe = [&](int tool) { return tool >= 0 ? m.probe_of[tool] : -1; };
  other.proxy = std::max(probe(contact.tool1), probe(contact.tool2));
  if (other.proxy >= 0) other.frame = probe(contact.tool1) >= 0 ? contact.frame : Mat3(-contact.frame);
  out.patches.other.push_back(other);
}

}  // namespace palp
