#include "recording_replay.hpp"

#include <cstdio>

namespace palp::view {
namespace {

/// Bodies of the run may be off by this share of the size of all that moves: a recording on the real clock is
/// repeated with other moments of exchange between its two rates.
constexpr float largest_share = 0.01f;

std::string at(double time_s) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f s", time_s);
  return text;
}

}  // namespace

RecordingReplay::RecordingReplay(const Recording& recording, std::span<const TickRecord> ticks)
    : recording_(recording) {
  auto built = RecordedScene::build(recording.setup(), ticks);
  if (!built) {
    note_ = "No contacts and energies: " + built.error().message;
    return;
  }
  scene_ = std::make_unique<RecordedScene>(std::move(*built));
  run_ = std::make_unique<SceneRun>(scene_->scene());
  capture_ = std::make_unique<Capture>(scene_->scene());
  colouring_ = std::make_unique<Colouring>(scene_->scene());
}

void RecordingReplay::stop(double time_s, const std::string& why) {
  run_ = nullptr;
  note_ = "No contacts and energies from " + at(time_s) + " on: " + why;
}

void RecordingReplay::advance(const TickRecord& tick, ViewSample& sample) {
  if (!run_) return;
  if (tick.sequence != next_++) return stop(tick.time_s, "the recorder dropped ticks.");
  if (!run_->advance(clock_.since_last_s(tick.clock_us)))
    return stop(tick.time_s, "computed again, " + explain(scene_->scene(), run_->record().report) + ".");
  if (same_)
    if (const auto difference = first_difference(tick, run_->tick_record(), recording_.setup().devices)) {
      same_ = false;
      note_ = "Computed again, it differs from " + at(difference->time_s) + " on (" + difference->quantity +
              "): contacts and energies are approximate.";
    }
  sample.kinetic_J = static_cast<float>(run_->record().kinetic_J);
  sample.elastic_J = static_cast<float>(run_->record().elastic_J);
}

void RecordingReplay::add_contacts(ViewFrame& frame) {
  if (!run_) return;
  capture_->take(*run_, wish_delassus | wish_positions | wish_pressure, again_);
  Eigen::AlignedBox3f box;
  float off = 0;
  for (size_t b = 0; b < frame.bodies.size(); ++b) {
    const auto &recorded = frame.bodies[b].x, &computed = again_.bodies[b].x;
    if (recorded.size() != computed.size()) return stop(frame.time_s, "the bodies have other vertices now.");
    if (!scene_->scene().model.bodies[b].body->movable()) continue;
    for (size_t v = 0; v < recorded.size(); ++v) {
      box.extend(recorded[v]);
      off = std::max(off, (recorded[v] - computed[v]).norm());
    }
  }
  if (!box.isEmpty() && !(off <= largest_share * box.diagonal().norm()))
    return stop(frame.time_s, "computed again, the bodies are elsewhere.");
  frame.contacts = again_.contacts;
  frame.patches = again_.patches;
  frame.regions = again_.regions;
  frame.delassus = again_.delassus;
  frame.x = again_.x;
  frame.pressure = again_.pressure;
}

void RecordingReplay::put_colours(const ViewFrame& frame, Bytes& out) const {
  if (!run_) return;
  for (Colour colour : {Colour::stress, Colour::strain, Colour::pressure})
    view::put_colours(*colouring_, frame, colour, out);
}

}  // namespace palp::view
