#include "frame.hpp"

#include <algorithm>
#include <cmath>

#include "palp/devices/visitor.hpp"
#include "palp/scene/body_fields.hpp"

namespace palp::view {
namespace {

constexpr int largest_side = 96;        ///< of the Delassus picture
constexpr double largest_entry = 1e38;  ///< of W that a float holds

Touch touch_of(bool bilateral, double mu, const Vec3& f) {
  if (bilateral) return Touch::joint;
  if (!(f[0] > 0)) return Touch::open;
  // On the cone within a thousandth: the force cannot grow, so the contact slides or is about to.
  return f.tail<2>().norm() >= 0.999 * mu * f[0] ? Touch::slip : Touch::stick;
}

/// A contact with its force in its own frame.
ViewContact view_of(const Contact& c, double mu, const Vec3& f, const std::vector<ViewBody>& bodies) {
  ViewContact view;
  // On the skin as it is drawn, at the end of the step.
  const auto& x = bodies[c.id.body1].x;
  view.at.setZero();
  for (int k = 0; k < 3; ++k) view.at += static_cast<float>(c.P.weight[k]) * x[c.P.vertex[k]];
  if (c.P.apex >= 0) view.at += static_cast<float>(c.P.apex_weight) * x[c.P.apex];
  view.normal = c.frame.row(0).transpose().cast<float>();
  view.force = (c.frame.transpose() * f).cast<float>();
  view.mu = static_cast<float>(mu);
  view.touch = touch_of(c.bilateral, mu, f);
  view.body1 = c.id.body1;
  view.body2 = c.id.body2;
  return view;
}

std::uint8_t shade(float value, float largest) {
  if (!(value > 0)) return 0;
  const float decades =
      std::log10(std::min(value / largest, 1.f));  // ≤ 0; largest is finite and not below value
  return static_cast<std::uint8_t>(std::clamp(255 * (1 + decades / 3), 1.f, 255.f));
}

}  // namespace

ViewSample sample_of(const StepRecord& r) {
  ViewSample s;
  s.time_s = static_cast<float>(r.time_s);
  for (size_t d = 0; d < std::min<size_t>(2, r.hands.size()); ++d)
    for (int k = 0; k < 3; ++k) s.force[3 * d + k] = static_cast<float>(r.hands[d].wrench.force[k]);
  s.contacts = static_cast<float>(r.report.contacts);
  s.active = static_cast<float>(r.report.active_contacts);
  s.certificate = static_cast<float>(r.report.certificate);
  s.penetration_m = static_cast<float>(r.report.penetration_m);
  s.kinetic_J = static_cast<float>(r.kinetic_J);
  s.elastic_J = static_cast<float>(r.elastic_J);
  s.given_J = static_cast<float>(r.given_J);
  const auto& t = r.report.times;
  const double stages[6] = {t.free_motion_us, t.proximity_us, t.contacts_us,
                            t.delassus_us,    t.solve_us,     t.motion_us};
  for (int k = 0; k < 6; ++k) s.stage_us[k] = static_cast<float>(stages[k]);
  return s;
}

void picture_of(ConstMatRef W, ViewDelassus& out) {
  const int n = static_cast<int>(W.rows());
  if (n == 0 || W.cols() != n) return;
  const int side = std::min(n, largest_side);
  std::vector<float>& cells = out.largest;
  cells.assign(static_cast<size_t>(side) * side, 0.f);
  float top = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      float& cell = cells[static_cast<size_t>(1L * i * side / n) * side + 1L * j * side / n];
      const double entry = std::abs(W(i, j));
      cell = std::max(cell, entry <= largest_entry ? static_cast<float>(entry) : 0.f);  // not finite: empty
      top = std::max(top, cell);
    }
  out.contacts = n / 3;
  out.side = side;
  out.cell.resize(cells.size());
  for (size_t k = 0; k < cells.size(); ++k) out.cell[k] = shade(cells[k], top);
}

Capture::Capture(const Scene& scene, std::uint32_t after)
    : scene_(scene), seen_(scene.model.bodies.size()), version_(scene.model.bodies.size(), after) {}

std::uint32_t Capture::newest() const {
  return version_.empty() ? 0 : *std::max_element(version_.begin(), version_.end());
}

void Capture::take(const SceneRun& run, unsigned wishes, ViewFrame& out) {
  out.time_s = run.state().time_s;
  out.step = run.state().step;
  out.h_s = run.step_s();
  bodies(run.state(), out);
  out.two_rates = scene_.two_rate.has_value();
  out.contacts.clear();
  out.patches.clear();
  out.regions.clear();
  if (run.loop())
    tick_contacts(*run.loop(), out);
  else
    contacts(run.workspace(), out);
  hands(run, out);
  out.x.clear();
  if (wishes & wish_positions)
    for (const BodyState& body : run.state().bodies) out.x.push_back(body.x);
  out.pressure.clear();
  if (wishes & wish_pressure)
    for (size_t b = 0; b < scene_.model.bodies.size(); ++b)
      out.pressure.push_back(body_pressure(scene_, run, static_cast<int>(b)));
  out.delassus.contacts = out.delassus.side = 0;
  if (!(wishes & wish_delassus)) return;
  if (run.loop())
    return picture_of(tick_problem(run.loop()->snapshot(), run.loop()->high()).W.dense, out.delassus);
  const Workspace& ws = run.workspace();
  const ContactGroup* largest = nullptr;
  for (int g = 0; g < ws.group_count; ++g)
    if (!largest || ws.groups[g].contacts.size() > largest->contacts.size()) largest = &ws.groups[g];
  if (largest) picture_of(largest->problem.W.dense, out.delassus);
}

void Capture::bodies(const State& state, ViewFrame& out) {
  out.bodies.resize(scene_.model.bodies.size());
  for (size_t b = 0; b < out.bodies.size(); ++b) {
    const VecX& x = state.bodies[b].x;
    if (seen_[b].size() != x.size() || seen_[b] != x || version_[b] == 0) {
      seen_[b] = x;
      ++version_[b];
    }
    ViewBody& view = out.bodies[b];
    if (view.version == version_[b]) continue;
    const Body& body = *scene_.model.bodies[b].body;
    scratch_.resize(body.skin().vertices);
    body.skin_positions(state.bodies[b], VecX(), scratch_);
    view.x.resize(scratch_.size());
    for (size_t i = 0; i < scratch_.size(); ++i) view.x[i] = scratch_[i].cast<float>();
    view.version = version_[b];
  }
}

void Capture::contacts(const Workspace& ws, ViewFrame& out) {
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[g];
    if (group.f.size() != 3 * static_cast<int>(group.contacts.size())) continue;  // the step failed before
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      out.contacts.push_back(view_of(c, c.mu, group.f.segment<3>(3 * static_cast<int>(i)), out.bodies));
    }
  }
}

/// The corners of a patch: the rectangle of its extents, cut by its sides one after the other. A straight cut
/// adds at most one corner to a convex outline.
void outline(const Glc& glc, ViewPatch& out) {
  using Vec2 = Eigen::Vector2d;
  constexpr int most = 4 + Glc::most_sides;
  std::array<Vec2, most + 1> now{Vec2(-glc.s1, -glc.s2), Vec2(glc.s1, -glc.s2), Vec2(glc.s1, glc.s2),
                                 Vec2(-glc.s1, glc.s2)};
  int count = 4;
  for (int k = 0; k < glc.sides; ++k) {
    const auto outside = [&](const Vec2& x) {
      return glc.side[k].a1 * x[0] + glc.side[k].a2 * x[1] - glc.side[k].b;
    };
    std::array<Vec2, most + 1> kept;
    int n = 0;
    for (int i = 0; i < count && n + 2 <= static_cast<int>(kept.size()); ++i) {
      const Vec2 &a = now[i], &b = now[(i + 1) % count];
      const double da = outside(a), db = outside(b);
      if (da <= 0) kept[n++] = a;
      if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept[n++] = a + da / (da - db) * (b - a);
    }
    now = kept;
    count = n;
  }
  count = std::min(count, most);
  out.corners = static_cast<std::uint32_t>(count);
  for (int i = 0; i < count; ++i)
    out.corner[i] = (glc.p + now[i][0] * glc.t1 + now[i][1] * glc.t2).cast<float>();
}

/// Two rates: the contacts of the newest snapshot with the forces of the newest tick. Patches (K16) are drawn
/// at the start of their low-rate step; one that carries is a contact besides.
void Capture::tick_contacts(const HapticLoop& loop, ViewFrame& out) {
  const Snapshot& s = loop.snapshot();
  const auto& lambda = loop.high().lambda;
  if (lambda.size() < 3 * static_cast<Eigen::Index>(s.contacts.size())) return;
  for (size_t i = 0; i < s.contacts.size(); ++i) {
    const Vec3 force = lambda.segment<3>(3 * static_cast<Eigen::Index>(i));
    if (s.contacts[i].limited()) {
      const Glc& glc = s.patches.glc[i];
      ViewPatch& patch = out.patches.emplace_back();
      patch.at = glc.p.cast<float>();
      patch.normal = glc.n.cast<float>();
      patch.depth = static_cast<float>(glc.d);
      patch.use = force[0] > 0 ? ViewPatch::Use::carries : ViewPatch::Use::idle;
      patch.proxy = static_cast<std::uint32_t>(glc.proxy);
      outline(glc, patch);
      if (!(force[0] > 0)) continue;
    }
    out.contacts.push_back(
        view_of(s.contacts[i], s.problem.mu[static_cast<Eigen::Index>(i)], force, out.bodies));
    if (!s.contacts[i].limited()) continue;
    const double radius = scene_.model.bodies[s.contacts[i].id.body1].body->skin().radius;
    out.contacts.back().at -= static_cast<float>(radius) * out.contacts.back().normal;
  }
  if (!s.boxed) return;
  for (const int carrier : loop.high().limited->carriers()) {
    ViewPatch::Use& use = out.patches[static_cast<size_t>(carrier)].use;
    if (use == ViewPatch::Use::idle) use = ViewPatch::Use::chosen;
  }
  std::erase_if(out.patches, [](const ViewPatch& p) { return p.depth > 1; });  // endless planes
  for (size_t p = 0; p < s.patches.proxy.size(); ++p) {
    const GlcProxy& proxy = s.patches.proxy[p];
    if (proxy.trust_half.allFinite())
      out.regions.push_back({.centre = proxy.trust_centre.cast<float>(),
                             .half = proxy.trust_half.cast<float>(),
                             .proxy = static_cast<std::uint32_t>(p),
                             .holds = loop.high().limited->trust_force(static_cast<int>(p)).norm() > 0});
  }
}

void Capture::hands(const SceneRun& run, ViewFrame& out) {
  const auto& hands = run.record().hands;
  out.hands.resize(hands.size());
  for (size_t d = 0; d < hands.size(); ++d) {
    ViewHand& view = out.hands[d];
    const DevicePose pose =
        run.state().step > 0 ? hands[d].pose : scene_.devices[d].device->read(run.state().time_s).pose;
    view.position = view.grip_position = pose.position.cast<float>();
    view.orientation = view.grip_orientation = pose.orientation.cast<float>();
    view.force = hands[d].wrench.force.cast<float>();
    view.torque = hands[d].wrench.torque.cast<float>();
    view.body = -1;
    const auto* visitor = dynamic_cast<const VisitorDevice*>(scene_.devices[d].device.get());
    view.taken = visitor && visitor->taken();
  }
  BodyFrame held;
  for (const Grip& grip : scene_.grips) {
    if (!scene_.model.bodies[grip.body].body->frame(run.state().bodies[grip.body], grip.frame, held))
      continue;
    ViewHand& view = out.hands[grip.device];
    view.grip_position = (held.position + held.orientation * grip.lever).cast<float>();
    view.grip_orientation = (held.orientation * grip.turn.conjugate()).cast<float>();
    view.body = grip.body;
  }
  // A grasp holds several nodes: their mean place stands for the held point.
  for (const Grasp& grasp : scene_.grasps) {
    ViewHand& view = out.hands[grasp.device];
    view.body = grasp.body;
    Vec3 place = Vec3::Zero(), lever = Vec3::Zero();
    int found = 0;
    for (size_t i = 0; i < grasp.frames.size() && !grasp.rigid; ++i)
      if (scene_.model.bodies[grasp.body].body->frame(run.state().bodies[grasp.body], grasp.frames[i],
                                                      held)) {
        place += held.position;
        lever += grasp.lever[i];
        ++found;
      }
    if (found > 0)
      view.grip_position = (place / found).cast<float>() - view.orientation * (lever / found).cast<float>();
  }
}

}  // namespace palp::view
