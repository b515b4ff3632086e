// The low rate's part: the skins around the tools.
#include <algorithm>

#include "palp/haptics/live_contacts.hpp"
#include "palp/proximity/overlap.hpp"
#include "palp/sim/find_contacts.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

/// How far each skin goes until the next snapshot is there: as far as since the last one, and half of that
/// more.
void look_ahead(const TwoRateModel& m, const ToolState& tools, LowRate& low) {
  const double since = std::max<double>(m.settings.low_every, static_cast<double>(tools.tick - low.tick));
  const double steps = 0.5 + static_cast<double>(low.ticks_ahead(m, tools)) / since;
  low.travel.assign(low.ws.bodies.size(), 0);
  low.last_skin.resize(low.ws.bodies.size());
  for (size_t b = 0; b < low.ws.bodies.size(); ++b) {
    const std::vector<Vec3>& skin = low.ws.bodies[b].skin_start;
    if (low.last_skin[b].size() == skin.size()) low.travel[b] = steps * longest_way(low.last_skin[b], skin);
    low.last_skin[b] = skin;
  }
}

Contact point_contact(int body, int tool_body, int vertex, double gap) {
  Contact c;
  c.id = point_id(body, tool_body, vertex);
  c.P = {{vertex, vertex, vertex}, {1, 0, 0}};
  c.frame = Mat3::Identity();
  c.gap_start = c.delta_free[0] = gap;
  return c;
}

}  // namespace

void find_points(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                 Snapshot& out) {
  out.skins.resize(m.model.bodies.size());
  for (SnapshotSkin& skin : out.skins) skin.near.clear();
  look_ahead(m, tools, low);
  std::vector<Contact> points;
  std::vector<char> near;
  for (const TouchRule& rule : m.model.rules) {
    if (!m.is_live(rule)) continue;
    const bool first = m.tool_of[rule.body1] >= 0;
    const int tool_body = first ? rule.body1 : rule.body2, body = first ? rule.body2 : rule.body1;
    const TouchSurface &tool = *low.ws.bodies[tool_body].touch, &skin = *low.ws.bodies[body].touch;
    const double reach = rule.alarm_distance_m + stages::thickness_of(rule, m.model) + low.travel[tool_body] +
                         low.travel[body];
    near.assign(m.model.bodies[body].body->skin().vertices, 0);
    BoxTree::for_each_near_pair(tool.tree(), skin.tree(), static_cast<float>(reach), [&](int i, int j) {
      out.skins[tool_body].near.push_back(i);
      out.skins[body].near.push_back(j);
      for (int v : skin.topology().primitives[j].vertex)
        if (v >= 0) near[v] = 1;
    });
    for (int b : {tool_body, body}) {
      std::vector<int>& all = out.skins[b].near;
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    if (m.tool_of[body] >= 0 || !m.model.bodies[body].body->movable() ||
        std::count(near.begin(), near.end(), 1) == 0)
      continue;
    if (const SkinCarriers& rigid = m.rigid[body]; !rigid.vertex.empty()) {
      for (int v : rigid.vertex) points.push_back(point_contact(body, tool_body, v, 0));
      continue;
    }
    for (int v = 0; v < static_cast<int>(near.size()); ++v)
      if (near[v])
        points.push_back(point_contact(body, tool_body, v, distance(tool, skin.start()[v], 2 * reach)));
  }
  if (const auto most = static_cast<size_t>(m.most_points()); points.size() > most) {
    report.left_out += static_cast<int>(points.size() - most);
    std::nth_element(points.begin(), points.begin() + m.most_points(), points.end(),
                     [](const Contact& a, const Contact& b) {
                       return a.gap_start != b.gap_start ? a.gap_start < b.gap_start : a.id < b.id;
                     });
    points.resize(most);
  }
  low.ws.contacts.insert(low.ws.contacts.end(), points.begin(), points.end());
}

void write_skins(const TwoRateModel& m, const LowRate& low, Snapshot& out) {
  for (const TouchRule& rule : m.model.rules) {
    if (!m.is_live(rule)) continue;
    for (int b : {rule.body1, rule.body2}) {
      if (m.tool_of[b] >= 0) continue;
      SnapshotSkin& skin = out.skins[b];
      skin.start = low.ws.bodies[b].skin_start;
      skin.end.clear();
      if (!m.model.bodies[b].body->movable() && !low.ws.bodies[b].still)
        skin.end = low.ws.bodies[b].skin_free;
      if (rule.static_mu > rule.mu) skin.state = low.state.bodies[b];
    }
  }
  out.attachments = low.ws.attachments;
}

}  // namespace palp
