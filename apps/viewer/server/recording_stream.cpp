#include "recording_stream.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "messages.hpp"
#include "recording_replay.hpp"

namespace palp::view {
namespace {

constexpr size_t largest = size_t(1) << 29;  ///< what a browser's tab holds with ease

/// A recorded number as the page takes it; what is no number, or beyond a float, is left empty.
float number_of(double x) {
  return std::abs(x) <= 1e38 ? static_cast<float>(x) : std::numeric_limits<float>::quiet_NaN();
}
Vec3f place_of(const std::array<double, 3>& x) { return {number_of(x[0]), number_of(x[1]), number_of(x[2])}; }
Quatf turn_of(const std::array<double, 4>& q) {
  return {number_of(q[3]), number_of(q[0]), number_of(q[1]), number_of(q[2])};
}

void append(const Bytes& message, std::string& out) {
  const auto length = static_cast<std::uint32_t>(message.size());
  out.append(reinterpret_cast<const char*>(&length), 4);
  out.append(reinterpret_cast<const char*>(message.data()), message.size());
}

SceneText text_of(const RecordingSetup& setup, const std::string& file) {
  SceneText text;
  text.generation = 1;
  text.file = file;
  text.title = std::filesystem::path(file).stem().string();
  text.scenes = {text.title};
  text.device_names = setup.devices;
  text.description = description_of(setup.scene_text);
  for (const auto& body : setup.bodies) {
    text.body_names.push_back(body.name);
    text.movable.push_back(body.moves);
    Skin skin;
    skin.vertices = static_cast<int>(body.vertices.size());
    skin.triangles = body.triangles;
    skin.segments = body.segments;
    skin.radius = body.radius;
    text.skins.push_back(std::move(skin));
  }
  return text;
}

ViewSample sample_of(const TickRecord& t) {
  ViewSample s;
  s.time_s = number_of(t.time_s);
  for (int d = 0; d < std::min(2, t.devices); ++d)
    for (int k = 0; k < 3; ++k) s.force[3 * d + k] = number_of(t.device[d].force[k]);
  s.contacts = number_of(t.contacts);
  s.active = number_of(t.active_contacts);
  s.certificate = number_of(t.certificate);
  s.penetration_m = number_of(t.penetration_m);
  s.given_J = number_of(t.given_J);
  s.kinetic_J = s.elastic_J = std::numeric_limits<float>::quiet_NaN();  // not in the file
  for (int k = 0; k < 6; ++k) s.stage_us[k] = number_of(t.stage_us[k]);
  return s;
}

ViewHand hand_of(const TickDevice& d, int body) {
  ViewHand hand;
  hand.position = place_of(d.position);
  hand.orientation = turn_of(d.orientation);
  hand.grip_position = place_of(d.proxy_position);
  hand.grip_orientation = turn_of(d.proxy_orientation);
  hand.force = place_of(d.force);
  hand.torque = place_of(d.torque);
  hand.body = body;
  return hand;
}

/// Bodies as they were in picture number i; those that never move only once.
Result<void> read_bodies(const Recording& recording, size_t i, ViewFrame& frame) {
  const auto& bodies = recording.setup().bodies;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (i > 0 && !bodies[b].moves) continue;
    auto x = recording.read_vertices(static_cast<int>(b), bodies[b].moves ? i : 0);
    if (!x) return x.error();
    frame.bodies[b].x.resize(x->size() / 3);
    for (size_t v = 0; v < frame.bodies[b].x.size(); ++v)
      frame.bodies[b].x[v] = Vec3f((*x)[3 * v], (*x)[3 * v + 1], (*x)[3 * v + 2]);
    frame.bodies[b].version = static_cast<std::uint32_t>(i + 1);
  }
  return {};
}

/// The held point: the recording has the held frame; the grip's lever leads from it to the point.
void place_grips(const RecordingSetup& setup, ViewFrame& frame) {
  for (const Grip& grip : setup.grips) {
    if (grip.device >= static_cast<int>(frame.hands.size())) continue;
    ViewHand& hand = frame.hands[grip.device];
    hand.grip_position += hand.grip_orientation * grip.lever.cast<float>();
    hand.body = grip.body;
  }
}

}  // namespace

Result<RecordingStream> stream_recording(const std::string& file, bool compute,
                                         const std::function<void(double)>& progress) {
  auto recording = Recording::open(file);
  if (!recording) return recording.error();
  const RecordingSetup& setup = recording->setup();
  const auto& frames = recording->frames();
  if (frames.empty())
    return Error{
        .message = "the recording has no pictures of the bodies", .file = file, .remedy = "record longer"};
  const auto ticks = recording->read_ticks(0, recording->ticks());
  if (!ticks) return ticks.error();
  std::unique_ptr<RecordingReplay> again;
  if (compute) again = std::make_unique<RecordingReplay>(*recording, *ticks);

  std::string messages;
  EncodedFrame encoded;
  ViewFrame frame;
  frame.generation = 1;
  frame.bodies.resize(setup.bodies.size());
  size_t next_tick = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    frame.serial = static_cast<std::uint32_t>(i + 1);
    frame.time_s = frames[i].time_s;
    frame.step = static_cast<std::int64_t>(frames[i].tick);
    if (auto ok = read_bodies(*recording, i, frame); !ok) return ok.error();
    std::vector<ViewSample> samples;
    const auto ticks_until = [&](double time_s) {
      for (; next_tick < ticks->size() && (*ticks)[next_tick].time_s <= time_s; ++next_tick) {
        samples.push_back(sample_of((*ticks)[next_tick]));
        if (again) again->advance((*ticks)[next_tick], samples.back());
      }
    };
    ticks_until(frames[i].time_s + 1e-9);
    frame.contacts.clear();
    frame.patches.clear();
    frame.regions.clear();
    frame.delassus.contacts = frame.delassus.side = 0;
    frame.x.clear();
    frame.pressure.clear();
    if (next_tick > 0) {
      const TickRecord& last = (*ticks)[next_tick - 1];
      frame.hands.clear();
      for (int d = 0; d < last.devices; ++d) frame.hands.push_back(hand_of(last.device[d], -1));
      place_grips(setup, frame);
      auto contacts = recording->read_contacts(next_tick - 1);
      if (contacts && contacts->W.size() > 0) picture_of(contacts->W, frame.delassus);
      if (again) again->add_contacts(frame);
    }
    if (i + 1 == frames.size()) ticks_until(std::numeric_limits<double>::infinity());
    encode_frame(frame, encoded);
    Bytes message = encoded.common;
    for (const auto& part : encoded.bodies)
      if (part.version == frame.serial) put_bytes(message, part.section.data(), part.section.size());
    put_bytes(message, encoded.delassus.data(), encoded.delassus.size());
    if (again) again->put_colours(frame, message);
    if (!samples.empty()) put_samples(samples, message);
    append(message, messages);
    if (messages.size() > largest)
      return Error{
          .message = "the recording is too long for a page", .file = file, .remedy = "record less of it"};
    if (progress) progress(static_cast<double>(i + 1) / static_cast<double>(frames.size()));
  }
  RecordingStream stream{.bytes = "PALPREC1", .note = again ? again->note() : ""};
  SceneText text = text_of(setup, file);
  text.note = stream.note;
  append(encode_scene(text), stream.bytes);
  stream.bytes.append(messages);
  return stream;
}

}  // namespace palp::view
