// The ticks' part.
#include "palp/haptics/live_contacts.hpp"

#include <algorithm>

#include "palp/sim/find_contacts.hpp"
#include "palp/sim/overlap.hpp"
#include "palp/sim/stages.hpp"

namespace palp {
namespace {

constexpr size_t candidates = 4096;  // of one search: room for several hundred contacts

}  // namespace

LiveContacts::LiveContacts(const TwoRateModel& m) {
  const Model& model = m.model;
  ws_.bodies.resize(model.bodies.size());
  ws_.passage = stages::make_passage(model);
  for (const auto& entry : model.bodies) seen_.bodies.push_back(entry.body->rest_state());
  row_.resize(model.rules.size());
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const TouchRule& rule = model.rules[r];
    if (!m.is_live(rule)) continue;
    rules_.push_back(static_cast<int>(r));
    for (int b : {rule.body1, rule.body2}) {
      const Body& body = *model.bodies[b].body;
      Workspace::PerBody& w = ws_.bodies[b];
      if (m.tool_of[b] < 0) row_[r].assign(body.skin().vertices, -1);
      if (w.touch) continue;
      w.touch = stages::make_touch(body);
      w.mechanics = std::make_unique<BodyWorkspace>();
      w.mechanics->dx_free.setZero(6);
      w.skin_start.resize(body.skin().vertices);
      w.skin_free.resize(body.skin().vertices);
      body.skin_positions(body.rest_state(), VecX(), w.skin_start);
      const auto touching =
          std::span(w.skin_start).first(static_cast<size_t>(body.skin().touching_vertices()));
      w.touch->update(touching, touching);
      for (int skin : {0, 1}) {
        auto& last = ws_.proximity.last_of_vertex[skin];
        last.resize(std::max(last.size(), touching.size()), -1);
      }
      ws_.proximity.over.reserve(touching.size());
    }
    static_friction_ |= rule.static_mu > rule.mu;
  }
  deepest_.assign(model.rules.size(), 0);
  way_.assign(model.bodies.size(), 0);
  const size_t most = m.most_contacts(), all = rules_.size() * candidates;
  ws_.contacts.reserve(all);
  ws_.urgency.reserve(all);
  ws_.pairs.reserve(candidates);
  ws_.came_from.reserve(2 * most);
  ws_.slip_rows.column.reserve(256);
  ws_.slip_rows.block.reserve(256);
  ProximityScratch& search = ws_.proximity;
  search.candidates.reserve(candidates);
  for (auto& previous : search.previous) previous.reserve(candidates);
  for (auto* list : {&search.order, &search.edges}) list->reserve(candidates);
  search.sunk.reserve(candidates);
  search.place.reserve(candidates);
  search.doubled.reserve(candidates);
  seen_.memory.reserve(most);
  last_.reserve(m.most_points());
  jump_.reserve(m.most_points());
  seen_.attachments.reserve(model.attachments.size());
  combination_.reserve(most);
}

void LiveContacts::begin(const TwoRateModel& m, const Snapshot& s, ConstVecRef moved) {
  for (int r : rules_) std::fill(row_[r].begin(), row_[r].end(), -1);
  for (size_t k = 0; k < s.points().size(); ++k) {
    const ContactId& id = s.points()[k].id;
    for (int r : rules_) {
      const TouchRule& rule = m.model.rules[r];
      const int tool = tool_of_point(id);
      if ((rule.body1 == id.body1 && rule.body2 == tool) || (rule.body2 == id.body1 && rule.body1 == tool))
        row_[r][id.features] = s.first_point() + static_cast<int>(k);
    }
  }
  for (size_t b = 0; b < s.skins.size(); ++b) {
    const SnapshotSkin& skin = s.skins[b];
    if (skin.start.empty() || m.tool_of[b] >= 0) continue;
    Workspace::PerBody& w = ws_.bodies[b];
    std::copy(skin.start.begin(), skin.start.end(), w.skin_start.begin());
    std::copy(skin.start.begin(), skin.start.end(), w.skin_free.begin());
    if (skin.state.v.size() > 0) seen_.bodies[b] = skin.state;
  }
  for (size_t b = 0; b < ws_.bodies.size() && b < s.skins.size(); ++b)
    if (Workspace::PerBody& w = ws_.bodies[b]; w.touch) {
      if (!w.touch->turned) w.touch->focus(s.skins[b].near);
      w.still = false;
    }
  seen_.attachments = s.attachments;
  jump_.assign(s.points().size(), Vec3::Zero());
  auto last = last_.begin();
  for (size_t k = 0; k < s.points().size(); ++k) {
    const Vec3 way = moved.segment<3>(3 * (s.first_point() + static_cast<long>(k)));
    while (last != last_.end() && last->id < s.points()[k].id) ++last;
    if (last != last_.end() && last->id == s.points()[k].id) jump_[k] = s.points()[k].at + way - last->at;
  }
  // What was not seen until now may be deep inside: as a single-rate step would look.
  std::fill(deepest_.begin(), deepest_.end(), std::numeric_limits<double>::infinity());
}

void LiveContacts::end(const Snapshot& s, ConstVecRef moved) {
  last_.assign(s.points().begin(), s.points().end());
  for (size_t k = 0; k < last_.size(); ++k)
    last_[k].at += moved.segment<3>(3 * (s.first_point() + static_cast<long>(k)));
  std::fill(jump_.begin(), jump_.end(), Vec3::Zero());
}

void LiveContacts::move_skins(const TwoRateModel& m, const HighRate& high, const Snapshot& s,
                              ConstVecRef start, ConstVecRef free) {
  const auto touching = [&](int b) {
    return static_cast<size_t>(m.model.bodies[b].body->skin().touching_vertices());
  };
  std::fill(way_.begin(), way_.end(), 0);
  for (size_t k = 0; k < s.points().size(); ++k) {
    const SnapshotRow& p = s.points()[k];
    Workspace::PerBody& w = ws_.bodies[p.id.body1];
    const long row = 3 * (s.first_point() + static_cast<long>(k));
    const Vec3 now = p.at + start.segment<3>(row);
    way_[p.id.body1] = std::max(way_[p.id.body1], (now - w.skin_start[p.id.features]).norm());
    w.skin_start[p.id.features] = now;
    w.skin_free[p.id.features] = p.at + free.segment<3>(row);
    w.still = false;
  }
  const double before = m.progress(high.tick - 1 - s.tick), after = m.progress(high.tick - s.tick);
  for (size_t b = 0; b < ws_.bodies.size(); ++b) {
    Workspace::PerBody& w = ws_.bodies[b];
    if (!w.touch) continue;
    const int number = static_cast<int>(b), t = m.tool_of[b];
    if (t >= 0) {
      const HighRate::Tool& tool = high.tools[t];
      way_[b] = longest_way(w.skin_start, tool.skin_start);
      w.skin_start = tool.skin_start;
      w.skin_free = tool.skin_free;
      if (m.model.bodies[b].body->skin().rounded()) w.mechanics->dx_free = tool.mechanics->dx_free;
      if (static_friction_) seen_.bodies[b] = tool.state;
    } else if (b >= s.skins.size() || s.skins[b].start.empty()) {
      continue;
    } else if (const SnapshotSkin& skin = s.skins[b]; !skin.end.empty()) {
      for (size_t v = 0; v < skin.end.size(); ++v) {
        w.skin_start[v] = skin.start[v] + before * (skin.end[v] - skin.start[v]);
        w.skin_free[v] = skin.start[v] + after * (skin.end[v] - skin.start[v]);
      }
    } else if (w.still) {
      continue;
    } else if (const SkinCarriers& rigid = m.rigid[b]; !rigid.vertex.empty()) {
      rigid.carry(w.skin_start);
      rigid.carry(w.skin_free);
      if (m.model.bodies[b].body->skin().rounded())
        w.mechanics->dx_free.tail<3>() = rigid.turn(w.skin_start, w.skin_free);
    }
    w.still = true;
    w.touch->update(std::span(w.skin_start).first(touching(number)),
                    std::span(w.skin_free).first(touching(number)));
  }
}

void LiveContacts::Combination::add(int row, double weight) {
  if (row < 0 || weight == 0) return;
  for (int k = 0; k < count; ++k)
    if (entry[k].row == row) {
      entry[k].weight += weight;
      return;
    }
  entry[count++] = {row, weight};
}

void LiveContacts::add_point(const TwoRateModel& m, int rule, int body, const SkinPoint& p, double sign,
                             Combination& out) const {
  if (m.tool_of[body] >= 0) return;
  const auto add = [&](int vertex, double weight) {
    if (weight == 0) return;
    const SkinCarriers& rigid = m.rigid[body];
    if (rigid.vertex.empty()) return out.add(row_[rule][vertex], sign * weight);
    for (size_t k = 0; k < rigid.vertex.size(); ++k)
      out.add(row_[rule][rigid.vertex[k]], sign * weight * rigid.share[vertex][static_cast<long>(k)]);
  };
  for (int k = 0; k < 3; ++k) add(p.vertex[k], p.weight[k]);
  if (p.apex >= 0) add(p.apex, p.apex_weight);
}

void LiveContacts::find(const TwoRateModel& m, HighRate& high, Snapshot& s, ConstVecRef start,
                        ConstVecRef free, TickReport& report) {
  move_skins(m, high, s, start, free);
  seen_.time_s = high.time_s - m.model.h_s;
  StepReport found;
  ws_.contacts.clear();
  ws_.left_out_pairs = 0;
  s.contacts.resize(s.frozen);
  combination_.clear();
  for (int r : rules_) {
    const TouchRule& rule = m.model.rules[r];
    const auto known = [&](int b) {
      return m.tool_of[b] >= 0 || (b < static_cast<int>(s.skins.size()) && !s.skins[b].start.empty());
    };
    if (!known(rule.body1) || !known(rule.body2)) continue;
    // The alarm distance is for a low-rate step, a tick needs its share; inwards, what was there before or
    // has come in since.
    const TouchSurface &touch1 = *ws_.bodies[rule.body1].touch, &touch2 = *ws_.bodies[rule.body2].touch;
    const double look = rule.alarm_distance_m / m.settings.low_every,
                 depth = std::min(kept_depth(rule, touch1, touch2),
                                  look + deepest_[r] + way_[rule.body1] + way_[rule.body2]);
    const size_t before = ws_.contacts.size();
    stages::find_pairs_of(m.model, r, {look, depth, candidates}, seen_, ws_, found);
    deepest_[r] = 0;
    for (size_t i = before; i < ws_.contacts.size(); ++i)
      deepest_[r] = std::max(deepest_[r], -ws_.contacts[i].gap_start);
  }
  if (m.model.continuous != Continuous::off) stages::leave_near_misses(m.model, rules_, ws_);
  report.penetration_m = found.penetration_m;
  report.left_out = ws_.left_out_pairs;
  stages::keep_closest(m.settings.max_contacts, ws_.contacts, ws_.urgency, report.left_out);
  const int n = s.frozen + static_cast<int>(ws_.contacts.size());
  s.problem.mu.resize(n);
  s.problem.kind.resize(n, ContactKind::unilateral);
  high.lambda.resize(3 * n);
  s.problem.delta_free.resize(3 * n);
  for (const Contact& c : ws_.contacts) {
    const long i = static_cast<long>(s.contacts.size());
    s.contacts.push_back({c, m.tool_of[c.id.body1], m.tool_of[c.id.body2]});
    s.problem.mu[i] = c.mu;
    s.problem.kind[i] = ContactKind::unilateral;
    s.problem.delta_free.segment<3>(3 * i) = c.delta_free;
    const ContactMemory* before = palp::find(seen_.memory, c.id);
    high.lambda.segment<3>(3 * i) = before ? Vec3(c.frame * before->force_world) : Vec3(Vec3::Zero());
    Combination& at = combination_.emplace_back();
    for (int r : rules_)
      if (m.model.rules[r].body1 == c.id.body1 && m.model.rules[r].body2 == c.id.body2) {
        add_point(m, r, c.id.body1, c.P, 1, at);
        add_point(m, r, c.id.body2, c.Q, -1, at);
        break;
      }
    Vec3 jump = Vec3::Zero();
    for (int k = 0; k < at.count; ++k) jump += at.entry[k].weight * jump_[at.entry[k].row - s.first_point()];
    s.problem.delta_free.segment<2>(3 * i + 1) += c.frame.bottomRows<2>() * jump;
  }
  s.sites.clear();
  s.first_site.assign(1, 0);
  for (int t = 0; t < static_cast<int>(m.tools.size()); ++t) {
    for (int i = 0; i < n; ++i)
      if (s.contacts[i].tool1 == t || s.contacts[i].tool2 == t) s.sites.push_back({.tool = t, .contact = i});
    s.first_site.push_back(static_cast<int>(s.sites.size()));
  }
}

void LiveContacts::compliance(Snapshot& s) const {
  const long F = s.frozen, n = static_cast<long>(s.contacts.size());
  auto& W = s.problem.W.dense;
  W.resize(3 * n, 3 * n);
  W.topLeftCorner(3 * F, 3 * F) = s.W_low.topLeftCorner(3 * F, 3 * F);
  for (long j = F; j < n; ++j) {
    const Combination& cj = combination_[j - F];
    for (long i = 0; i <= j; ++i) {
      Mat3 G = Mat3::Zero();
      for (int b = 0; b < cj.count; ++b) {
        const Entry& eb = cj.entry[b];
        if (i < F) {
          G += eb.weight * s.W_low.block<3, 3>(3 * i, 3 * eb.row);
        } else {
          const Combination& ci = combination_[i - F];
          for (int a = 0; a < ci.count; ++a)
            G += ci.entry[a].weight * eb.weight * s.W_low.block<3, 3>(3 * ci.entry[a].row, 3 * eb.row);
        }
      }
      if (i >= F) G = (s.contacts[i].frame * G).eval();
      G = (G * s.contacts[j].frame.transpose()).eval();
      W.block<3, 3>(3 * i, 3 * j) = G;
      if (i < j) W.block<3, 3>(3 * j, 3 * i) = G.transpose();
    }
  }
}

void LiveContacts::commit(const Snapshot& s, ConstVecRef lambda, VecRef row_force) {
  seen_.memory.clear();
  row_force.setZero();
  row_force.head(3 * s.frozen) = lambda.head(3 * s.frozen);
  for (size_t i = static_cast<size_t>(s.frozen); i < s.contacts.size(); ++i) {
    const SnapshotContact& c = s.contacts[i];
    const Vec3 force = c.frame.transpose() * lambda.segment<3>(3 * static_cast<long>(i));
    seen_.memory.push_back({c.id, c.frame.row(1), force, c.frame.row(0)});
    const Combination& at = combination_[i - s.frozen];
    for (int k = 0; k < at.count; ++k)
      row_force.segment<3>(3 * at.entry[k].row) += at.entry[k].weight * force;
  }
  std::sort(seen_.memory.begin(), seen_.memory.end(),
            [](const ContactMemory& a, const ContactMemory& b) { return a.id < b.id; });
}

}  // namespace palp
