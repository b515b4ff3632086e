#include "palp/scene/live.hpp"

#include <cmath>

#include "palp/contact/glc_builder.hpp"

namespace palp {
namespace {

LiveView room_for(const Scene& scene) {
  LiveView view;
  for (const Model::Entry& entry : scene.model.bodies) {
    auto& skin = view.skins.emplace_back(static_cast<size_t>(entry.body->skin().vertices));
    view.x.push_back(entry.body->rest_state().x);
    entry.body->skin_positions(entry.body->rest_state(), VecX(), skin);
  }
  view.contacts.reserve(LiveView::most_contacts);
  return view;
}

/// The low rate's rules: with two rates the model has been copied into TwoRateModel.
std::vector<TouchRule>& rules(Scene& scene) {
  return scene.two_rate ? scene.two_rate->model.rules : scene.model.rules;
}

}  // namespace

LiveScene::LiveScene(Scene& scene)
    : scene_(scene),
      mu_(std::make_unique<std::atomic<double>[]>(rules(scene).size())),
      views_(room_for(scene)) {
  for (size_t r = 0; r < rules(scene).size(); ++r) mu_[r] = rules(scene)[r].mu;
}

Result<std::unique_ptr<LiveScene>> LiveScene::start(Scene& scene, const RealTimeOptions& options,
                                                    Recorder* recorder) {
  std::unique_ptr<LiveScene> live(new LiveScene(scene));
  live->thread_ = std::thread([&self = *live, options = RealTimeOptions(options), recorder]() mutable {
    options.stop = &self.stop_;
    self.report_ = run_scene_realtime(self.scene_, options, recorder, nullptr, &self);
    self.over_.store(true, std::memory_order_release);
  });
  return live;
}

LiveScene::~LiveScene() { (void)stop(); }

const LiveView& LiveScene::view() {
  views_.update();
  return views_.front();
}

bool LiveScene::set_friction(const std::string& body1, const std::string& body2, double mu) {
  if (!std::isfinite(mu) || mu < 0) return false;
  bool found = false;
  const auto& bodies = scene_.model.bodies;
  for (size_t r = 0; r < scene_.model.rules.size(); ++r) {
    const std::string &a = bodies[static_cast<size_t>(scene_.model.rules[r].body1)].name,
                      &b = bodies[static_cast<size_t>(scene_.model.rules[r].body2)].name;
    if ((a != body1 || b != body2) && (a != body2 || b != body1)) continue;
    mu_[r].store(mu, std::memory_order_relaxed);
    found = true;
  }
  return found;
}

Result<RealTimeReport> LiveScene::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  return report_;
}

void LiveScene::before_low_step() {
  auto& all = rules(scene_);
  for (size_t r = 0; r < all.size(); ++r) all[r].mu = mu_[r].load(std::memory_order_relaxed);
}

void LiveScene::after_low_step(const State& state, const Workspace& ws, double time_s) {
  static const VecX none;
  LiveView& view = views_.back();
  view.time_s = time_s;
  for (size_t b = 0; b < view.skins.size(); ++b) {
    view.x[b] = state.bodies[b].x;
    scene_.model.bodies[b].body->skin_positions(state.bodies[b], none, view.skins[b]);
  }
  view.contacts.clear();
  view.certificate = 0;
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[static_cast<size_t>(g)];
    view.certificate = std::max(view.certificate, group.report.certificate);
    for (size_t i = 0; i < group.contacts.size() && view.contacts.size() < LiveView::most_contacts; ++i) {
      const Contact& c = group.contacts[i];
      const Vec3 force = c.frame.transpose() * group.f.segment<3>(3 * static_cast<int>(i));
      if (is_idle_patch(c, force)) continue;
      // Nodes and points have no direction of their own: that of their force.
      const bool own = SnapshotLayout::kind(c.id) == SnapshotLayout::Kind::contact;
      view.contacts.push_back({c.id.body1, is_point(c.id) ? tool_of_point(c.id) : c.id.body2,
                               c.P.at(view.skins[static_cast<size_t>(c.id.body1)]),
                               own ? Vec3(c.frame.row(0)) : Vec3(force.normalized()), force, c.P.middle(),
                               c.Q.middle(), c.bilateral});
    }
  }
  views_.publish();
}

}  // namespace palp
