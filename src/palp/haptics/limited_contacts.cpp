#include "palp/haptics/limited_contacts.hpp"

#include <algorithm>

#include "palp/sim/find_contacts.hpp"

namespace palp {
namespace {

/// The tool's points. Until the next snapshot a tool goes about as far as its hand, which turns it
/// about the held frame: half of that lies on either side of a region's centre. Returns the sine of how far
/// it may turn, by its hand and by what it touches.
double points_of(const TwoRateModel& m, int tool, const ToolState& tools, double h,
                 const std::vector<Vec3>& skin, std::vector<GlcPoint>& points) {
  constexpr double by_itself = 0.15;
  const double most = 0.5 * m.settings.region.range_m;
  points.clear();
  for (int v = 0; v < static_cast<int>(skin.size()); ++v)
    points.push_back({.P = {{v, v, v}, {1, 0, 0}}, .x = skin[v], .name = v});
  BodyFrame held;
  for (const Grip& g : m.grips) {
    const DevicePose& pose = tools.poses[g.device];
    if (m.tool_of[g.body] != tool || !pose.finite() || !m.tool(tool).frame(tools.tools[tool], g.frame, held))
      continue;
    const Vec3 spin = held.has_rotation ? pose.angular_velocity : Vec3::Zero();
    const Quat target = held.has_rotation ? Quat(pose.orientation * g.turn) : held.orientation;
    for (GlcPoint& p : points) {
      const Vec3 arm = target * (held.orientation.conjugate() * (p.x - held.position) - g.lever);
      const Vec3 way = pose.position + arm - p.x + h * (pose.velocity + spin.cross(arm));
      p.ahead = (0.5 * way).cwiseMax(-most).cwiseMin(most);
    }
    return std::sin(std::min(by_itself + held.orientation.angularDistance(target) + h * spin.norm(), 1.5));
  }
  return std::sin(by_itself);
}

/// How far a newton moves a point of the tool, for whoever reads the recording.
double own_compliance(const TwoRateModel& m, int tool, const SkinPoint& P, LowRate& low) {
  PointJacobian at;
  Mat3 C = Mat3::Zero();
  append_point(m.tool(tool), low.state.bodies[m.tools[tool]], P, 1, at);
  at.end_point();
  m.tool(tool).project_compliance(at, *low.ws.bodies[m.tools[tool]].mechanics, C);
  return C.trace() / 3;
}

/// What the builder leaves open about a patch.
void complete(const TwoRateModel& m, int body, const TouchRule& rule, LowRate& low, size_t i) {
  Contact& c = low.places.contact[i];
  c.id.body1 = body;
  c.mu = low.patches.glc[i].mu = stages::friction(c, rule, m.model, low.state, low.ws.slip_rows);
}

/// Nodes as contacts of the step: how near the tools will come stands for their gap.
void add_nodes(const TwoRateModel& m, LowRate& low) {
  const size_t first = low.ws.contacts.size();
  for (const GlcNode& n : low.places.node) {
    Contact& c = low.ws.contacts.emplace_back();
    c.id = {m.tools[n.tool], n.body, limited_features(GlcKind::node, 0, n.vertex)};
    c.Q = {{n.vertex, n.vertex, n.vertex}, {1, 0, 0}};
    c.frame.setIdentity();
    c.gap_start = std::numeric_limits<double>::infinity();
  }
  for (const Glc& g : low.patches.glc)
    for (int k = 0; k < 3 && g.node[k] >= 0; ++k) {
      Contact& c = low.ws.contacts[first + static_cast<size_t>(g.node[k])];
      const GlcPoint& proxy = low.places.proxy[g.proxy];
      const double away = (c.Q.at(low.ws.bodies[c.id.body2].skin_start) - proxy.x - proxy.ahead).norm();
      if (!(away < c.gap_start)) continue;
      c.gap_start = c.delta_free[0] = away;
      c.P = proxy.P;
    }
}

}  // namespace

void prepare_limited(const TwoRateModel& m, LowRate& low) {
  low.skins.resize(m.model.bodies.size());
  low.surfaces.resize(m.tools.size());
  low.tool_skin.resize(m.tools.size());
  for (int t : m.limited_tools) low.tool_skin[t].resize(m.tool(t).skin().vertices);
  if (!low.ws.fits) return;
  for (size_t r = 0; r < m.model.rules.size(); ++r) {
    if (m.contact[r] == HapticContact::standard) continue;
    const TouchRule& rule = m.model.rules[r];
    const bool first = m.tool_of[rule.body1] >= 0;
    for (int body : {rule.body1, rule.body2}) {
      const Body& b = *m.model.bodies[body].body;
      std::vector<Vec3> rest(b.skin().vertices);
      b.skin_positions(b.rest_state(), VecX(), rest);
      low.skins[body] =
          GlcSkin::make(low.ws.bodies[body].touch->topology(), rest, 2 * m.settings.region.max_depth_m);
    }
    low.surfaces[m.tool_of[first ? rule.body1 : rule.body2]].push_back(
        {first ? rule.body2 : rule.body1, static_cast<int>(r)});
  }
}

GlcRegionSettings in_time(const TwoRateModel& m, int last, double tick_us, double low_us) {
  constexpr double few = 25;  // less than that is no surface
  GlcRegionSettings region = m.settings.region;
  double bound = std::numeric_limits<double>::infinity();
  if (m.on_clock() && last > 0) {
    const double each = last / static_cast<double>(m.limited_tools.size());
    if (tick_us > 0) bound = each * m.settings.tick_share * m.settings.solve.budget_us / tick_us;
    if (low_us > 0)
      bound = std::min(bound, each * m.settings.low_share * 1e6 * m.settings.h_low_s() / low_us);
  }
  for (int* most : {&region.max_constraints, &region.most_constraints, &region.most_still})
    *most = static_cast<int>(std::min<double>(*most, std::max(bound, few)));
  return region;
}

void find_limited(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report) {
  if (m.limited_tools.empty()) return;
  GlcBuilder builder(in_time(m, static_cast<int>(low.patches.glc.size()), tools.tick_us, low.cost_us));
  low.patches.glc.clear();
  low.patches.proxy.clear();
  low.patches.nodes = 0;
  low.places.clear();
  const double ahead_s = m.settings.h_high_s * static_cast<double>(low.ticks_ahead(m, tools));
  std::vector<GlcPoint> points;
  std::vector<GlcSurface> limited, closest;
  report.smallest_region_m = std::numeric_limits<double>::infinity();
  for (int tool : m.limited_tools) {
    const int body = m.tools[tool];
    const double radius = m.model.bodies[body].body->skin().radius;
    const double turn = points_of(m, tool, tools, ahead_s, low.ws.bodies[body].skin_start, points);
    const auto surface_of = [&](int b) {
      return GlcSurface{.body = b,
                        .touch = low.ws.bodies[b].touch.get(),
                        .skin = &low.skins[b],
                        .gives_way = m.tool_of[b] < 0 && m.model.bodies[b].body->movable()};
    };
    GlcSurface shape = surface_of(body);
    shape.turn = turn;
    shape.gives_way = is_soft(*m.model.bodies[body].body);  // no two of its triangles stay in one plane
    // Surfaces that touch in the same way share a region.
    limited.clear();
    closest.clear();
    for (const auto& [touched, rule] : low.surfaces[tool])
      (m.contact[rule] == HapticContact::glc ? limited : closest).push_back(surface_of(touched));
    const size_t before = low.places.contact.size();
    const auto count = [&](const GlcRegion& region) {
      report.left_out += region.found - region.used;
      report.smallest_region_m = std::min(report.smallest_region_m, region.half_m);
    };
    if (!closest.empty())
      count(builder.build_closest(tool, points[0].x, radius, closest, low.patches, low.places));
    if (!limited.empty())
      count(builder.build(tool, points, radius, limited, low.patches, low.places, &shape));
    for (size_t i = before; i < low.places.contact.size(); ++i)
      for (const auto& [touched, rule] : low.surfaces[tool])
        if (touched == low.places.contact[i].id.body2) complete(m, body, m.model.rules[rule], low, i);
  }
  for (size_t p = 0; p < low.patches.proxy.size(); ++p)
    low.patches.proxy[p].compliance =
        own_compliance(m, low.patches.proxy[p].tool, low.places.proxy[p].P, low);
  add_nodes(m, low);
  report.contacts = static_cast<int>(low.ws.contacts.size());
}

bool wants_step(const TwoRateModel& m, const ToolState& tools, LowRate& low) {
  const long since = tools.tick - low.tick;
  if (!m.still || m.limited_tools.empty() || low.sequence == 0 || 6 * since < m.settings.low_every)
    return false;
  for (int t : m.limited_tools) m.tool(t).skin_positions(tools.tools[t], VecX(), low.tool_skin[t]);
  for (size_t p = 0; p < low.patches.proxy.size(); ++p) {
    const GlcProxy& box = low.patches.proxy[p];
    const GlcPoint& start = low.places.proxy[p];
    const Vec3 way = start.P.at(low.tool_skin[box.tool]) - start.x;
    for (int k = 0; k < 3; ++k) {
      const double room = box.trust_half[k] + (way[k] > 0 ? 1 : -1) * (box.trust_centre[k] - start.x[k]);
      if (std::abs(way[k]) > 0.5 * room) return true;
    }
  }
  return false;
}

void write_sites(const TwoRateModel& m, const LowRate& low, Snapshot& out) {
  const int n = static_cast<int>(out.contacts.size());
  GlcProblem& patches = out.patches;
  out.sites.clear();
  out.first_site.assign(1, 0);
  out.p_start.clear();
  out.p_free.clear();
  out.touched.clear();
  patches.glc.clear();
  patches.proxy.clear();
  patches.other.clear();
  for (int i = out.limited; i < n; ++i)
    patches.other.push_back({.kind = out.problem.kind[i], .mu = out.problem.mu[i]});
  std::vector<int> site_of(low.patches.proxy.size(), -1);
  for (int t = 0; t < static_cast<int>(m.tools.size()); ++t) {
    for (size_t p = 0; p < low.patches.proxy.size(); ++p) {
      if (low.patches.proxy[p].tool != t) continue;
      site_of[p] = static_cast<int>(out.sites.size());
      out.sites.push_back({.tool = t, .at = low.places.proxy[p].P});
      patches.proxy.push_back(low.patches.proxy[p]);
    }
    for (int i = out.limited; i < n; ++i) {
      if (out.contacts[i].tool1 != t && out.contacts[i].tool2 != t) continue;
      OtherConstraint& other = patches.other[i - out.limited];
      (other.proxy < 0 ? other.proxy : other.second) = static_cast<int>(out.sites.size());
      out.sites.push_back({.tool = t, .contact = i});
      if (out.boxed) patches.proxy.push_back({.tool = t});
    }
    out.first_site.push_back(static_cast<int>(out.sites.size()));
  }
  std::vector<int> row_of;  // of each node; none beyond the bound on the contacts of a step
  for (const GlcNode& node : low.places.node) {
    const ContactId id{m.tools[node.tool], node.body, limited_features(GlcKind::node, 0, node.vertex)};
    const auto end = low.place.begin() + out.nodes;
    const auto found = std::lower_bound(low.place.begin(), end, id,
                                        [](const LowRate::Place& p, const ContactId& b) { return p.id < b; });
    row_of.push_back(found != end && found->id == id ? static_cast<int>(found - low.place.begin()) : -1);
  }
  patches.nodes = out.nodes;
  for (int i = 0; i < out.limited; ++i) {
    Glc g = low.patches.glc[i];
    const Vec3 p_free = low.places.p_free[i];
    const bool at_end = m.settings.hand_over == HandOver::end && g.node[0] < 0;
    if (at_end) g.p = p_free;  // seen there from the first tick on
    g.proxy = site_of[g.proxy];
    for (int& node : g.node)
      if (node >= 0 && (node = row_of[node]) < 0) {
        g.node.fill(-1);
        break;
      }
    patches.glc.push_back(g);
    out.p_start.push_back(g.p);
    out.p_free.push_back(p_free);
    const Contact& c = low.places.contact[i];
    const std::vector<Vec3>& skin = low.ws.bodies[c.id.body2].skin_start;
    out.touched.push_back({skin[c.Q.vertex[0]], skin[c.Q.vertex[1]]});
  }
  const long rows = 3L * static_cast<long>(patches.proxy.size());
  patches.C.setZero(rows, rows);
}

}  // namespace palp
