#include "palp/haptics/two_rate_model.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

Result<void> check(const TwoRateSettings& s) {
  if (!(s.h_high_s > 0) || !std::isfinite(s.h_high_s))
    return Error{.message = "the haptic rate is not a positive number", .remedy = "rate: 1000 is usual"};
  if (s.low_every < 1)
    return Error{.message = "the low rate is above the haptic rate", .remedy = "lowRate: 25 to 50 is usual"};
  if (s.delay_ticks < 0 || s.delay_ticks >= s.low_every)
    return Error{.message = "a delay of " + std::to_string(s.delay_ticks) +
                            " ticks does not fit between two low-rate steps",
                 .remedy = "0 to " + std::to_string(s.low_every - 1)};
  if (s.max_contacts < 1 || s.max_contacts > 2000)
    return Error{.message = "the bound on the contacts of a tick is out of range", .remedy = "1 to 2000"};
  if (!(s.solve.tolerance > 0) || s.solve.max_sweeps < 1 || !(s.solve.budget_us > 0))
    return Error{
        .message = "the tick's solver has a tolerance, a number of sweeps or a budget that is not positive",
        .remedy = "1e-6, 200 and 5e-4 s are usual"};
  const GlcRegionSettings& region = s.region;
  if (!(region.range_m > 0) || !(region.max_depth_m > 0) ||
      !std::isfinite(region.range_m + region.max_depth_m) || region.max_constraints < 1)
    return Error{
        .message = "the region of limited constraints has a range, depth or number that is not positive",
        .remedy = "0.02 m, 0.002 m and 100 are usual"};
  return {};
}

/// Which pairs touch by limited constraints: a tool and a low-rate body with triangles.
Result<void> choose_contacts(const std::vector<std::optional<HapticContact>>& pairs, TwoRateModel& m) {
  const Model& model = m.model;
  m.contact.assign(model.rules.size(), HapticContact::standard);
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const bool said = r < pairs.size() && pairs[r];
    const HapticContact wanted = said ? *pairs[r] : m.settings.contact;
    if (wanted == HapticContact::standard) continue;
    const TouchRule& rule = model.rules[r];
    const int t1 = m.tool_of[rule.body1], t2 = m.tool_of[rule.body2];
    const int tool = std::max(t1, t2), body = t1 >= 0 ? rule.body2 : rule.body1;
    const bool tool_on_body = tool >= 0 && std::min(t1, t2) < 0;
    for (int b : {rule.body1, rule.body2})
      if (tool_on_body && model.bodies[b].body->skin().rounded())
        return Error{.message = "limited constraints know triangles only, and '" + model.bodies[b].name +
                                "' is a rounded shape",
                     .remedy = "give it a mesh of triangles, e.g. {generator: icosphere}"};
    const bool one_plane =
        wanted == HapticContact::closest && tool_on_body && m.tool(tool).skin().vertices > 1;
    if (!tool_on_body || one_plane || model.bodies[body].body->skin().triangles.empty()) {
      if (!said) continue;
      return Error{.message = "'" + model.bodies[rule.body1].name + "' and '" +
                              model.bodies[rule.body2].name +
                              "' cannot touch by limited constraints: these are for a body at the high rate "
                              "on a surface at the low rate; closest is for points",
                   .remedy = "contact: standard takes any two bodies"};
    }
    m.contact[r] = wanted;
    m.limited_tools.push_back(tool);
  }
  std::sort(m.limited_tools.begin(), m.limited_tools.end());
  m.limited_tools.erase(std::unique(m.limited_tools.begin(), m.limited_tools.end()), m.limited_tools.end());
  m.on_soft_ground.assign(m.limited_tools.size(), 0);
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    const auto tool = std::find(m.limited_tools.begin(), m.limited_tools.end(),
                                std::max(m.tool_of[rule.body1], m.tool_of[rule.body2]));
    if (m.contact[r] == HapticContact::standard || tool == m.limited_tools.end()) continue;
    const int touched = m.tool_of[rule.body1] >= 0 ? rule.body2 : rule.body1;
    m.on_soft_ground[tool - m.limited_tools.begin()] |= model.bodies[touched].body->movable();
  }
  if (m.limited_tools.empty() && m.settings.contact != HapticContact::standard)
    return Error{.message = "no pair of bodies touches by limited constraints",
                 .remedy =
                     "contact: glc is for tools on surfaces at the low rate, closest for points on them; "
                     "standard takes any tool"};
  for (size_t i = 0; i < model.attachments.size(); ++i)
    for (int b : {model.attachments[i].body1, model.attachments[i].body2})
      if (b >= 0 && std::count(m.limited_tools.begin(), m.limited_tools.end(), m.tool_of[b]) > 0)
        return Error{.message = "attachment " + std::to_string(i) +
                                " holds a tool that touches by limited constraints",
                     .remedy = "let the hand hold it"};
  return {};
}

}  // namespace

Result<TwoRateModel> TwoRateModel::make(Model model, std::vector<int> tools, std::vector<Grip> grips,
                                        int devices, const TwoRateSettings& settings,
                                        const std::vector<std::optional<HapticContact>>& pairs) {
  if (auto ok = check(settings); !ok) return ok.error();
  TwoRateModel m;
  m.tool_of.assign(model.bodies.size(), -1);
  model.h_s = settings.h_low_s();
  for (auto& entry : model.bodies) entry.h_s = 0;
  std::sort(tools.begin(), tools.end());
  tools.erase(std::unique(tools.begin(), tools.end()), tools.end());
  for (size_t t = 0; t < tools.size(); ++t) {
    if (tools[t] < 0 || tools[t] >= static_cast<int>(model.bodies.size()))
      return Error{.message = "a tool is not among the bodies"};
    auto& entry = model.bodies[tools[t]];
    if (!entry.body || !entry.body->movable())
      return Error{.message = "'" + entry.name + "' cannot be a tool: nothing moves it",
                   .remedy = "leave its rate low; obstacles are seen by the ticks anyway"};
    entry.h_s = settings.h_high_s;
    m.tool_of[tools[t]] = static_cast<int>(t);
  }
  if (auto ok = palp::check(model); !ok) return ok.error();
  if (static_cast<int>(model.attachments.size()) > settings.max_contacts)
    return Error{.message = std::to_string(model.attachments.size()) + " attachments are more than the " +
                            std::to_string(settings.max_contacts) + " contacts of a tick",
                 .remedy = "raise haptics.maxContacts or attach at fewer points"};
  for (const Grip& grip : grips) {
    if (grip.body < 0 || grip.body >= static_cast<int>(model.bodies.size()) || grip.device < 0 ||
        grip.device >= devices)
      return Error{.message = "a grip names a body or a device that does not exist"};
    if (m.tool_of[grip.body] < 0)
      return Error{
          .message = "a device holds '" + model.bodies[grip.body].name + "', which is not at the high rate",
          .remedy = "give the body rate: high"};
    if (settings.force == ForceSource::contact && std::any_of(grips.begin(), grips.end(), [&](const Grip& g) {
          return &g != &grip && g.body == grip.body;
        }))
      return Error{.message = "two devices hold '" + model.bodies[grip.body].name +
                              "': its contact force cannot be shared out",
                   .remedy = "force: coupling"};
  }
  m.model = std::move(model);
  m.tools = std::move(tools);
  m.grips = std::move(grips);
  m.devices = devices;
  m.settings = settings;
  if (auto ok = choose_contacts(pairs, m); !ok) return ok.error();
  m.model.max_contacts = std::max(m.model.max_contacts, m.most_rows());
  for (size_t b = 0; b < m.model.bodies.size(); ++b) {
    m.rigid.push_back(carriers_of(*m.model.bodies[b].body));
    m.still &= m.tool_of[b] >= 0 || !m.model.bodies[b].body->movable();
  }
  for (size_t r = 0; r < m.model.rules.size(); ++r) {
    const TouchRule& rule = m.model.rules[r];
    m.found_elsewhere.push_back(m.contact[r] != HapticContact::standard || m.is_live(rule));
    if (m.tool_of[rule.body1] < 0 && m.tool_of[rule.body2] < 0) m.low_rules.push_back(static_cast<int>(r));
  }
  return m;
}

}  // namespace palp
