#include "recording_stream.hpp"

#include <algorithm>
#include <filesystem>

#include "messages.hpp"

namespace palp::view {
namespace {

constexpr size_t largest = size_t(1) << 29;  ///< what a browser's tab holds with ease

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
  s.time_s = static_cast<float>(t.time_s);
  for (int d = 0; d < std::min(2, t.devices); ++d)
    for (int k = 0; k < 3; ++k) s.force[3 * d + k] = static_cast<float>(t.device[d].force[k]);
  s.contacts = static_cast<float>(t.contacts);
  s.active = static_cast<float>(t.active_contacts);
  s.certificate = static_cast<float>(t.certificate);
  s.penetration_m = static_cast<float>(t.penetration_m);
  s.given_J = static_cast<float>(t.given_J);
  for (int k = 0; k < 6; ++k) s.stage_us[k] = static_cast<float>(t.stage_us[k]);
  return s;
}

ViewHand hand_of(const TickDevice& d, int body) {
  ViewHand hand;
  hand.position = vec3(d.position).cast<float>();
  hand.orientation = quat(d.orientation).cast<float>();
  hand.grip_position = vec3(d.proxy_position).cast<float>();
  hand.grip_orientation = quat(d.proxy_orientation).cast<float>();
  hand.force = vec3(d.force).cast<float>();
  hand.torque = vec3(d.torque).cast<float>();
  hand.body = body;
  return hand;
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

Result<std::string> stream_recording(const std::string& file) {
  auto recording = Recording::open(file);
  if (!recording) return recording.error();
  const RecordingSetup& setup = recording->setup();
  const auto& frames = recording->frames();
  if (frames.empty())
    return Error{
        .message = "the recording has no pictures of the bodies", .file = file, .remedy = "record longer"};
  std::string out = "PALPREC1";
  append(encode_scene(text_of(setup, file)), out);

  EncodedFrame encoded;
  ViewFrame frame;
  frame.generation = 1;
  frame.bodies.resize(setup.bodies.size());
  size_t next_tick = 0;
  TickRecord last;
  for (size_t i = 0; i < frames.size(); ++i) {
    frame.serial = static_cast<std::uint32_t>(i + 1);
    frame.time_s = frames[i].time_s;
    frame.step = static_cast<std::int64_t>(frames[i].tick);
    for (size_t b = 0; b < setup.bodies.size(); ++b) {
      if (i > 0 && !setup.bodies[b].moves) continue;
      auto x = recording->read_vertices(static_cast<int>(b), setup.bodies[b].moves ? i : 0);
      if (!x) return x.error();
      frame.bodies[b].x.resize(x->size() / 3);
      for (size_t v = 0; v < frame.bodies[b].x.size(); ++v)
        frame.bodies[b].x[v] = Vec3f((*x)[3 * v], (*x)[3 * v + 1], (*x)[3 * v + 2]);
      frame.bodies[b].version = static_cast<std::uint32_t>(i + 1);
    }
    std::vector<ViewSample> samples;
    size_t row = next_tick;
    for (bool more = true; more && next_tick < recording->ticks();) {
      auto part = recording->read_ticks(next_tick, std::min<size_t>(256, recording->ticks() - next_tick));
      if (!part) return part.error();
      for (const TickRecord& t : *part) {
        more = t.time_s <= frames[i].time_s + 1e-9;
        if (!more) break;
        samples.push_back(sample_of(t));
        last = t;
        row = next_tick++;
      }
    }
    frame.hands.clear();
    for (int d = 0; d < last.devices; ++d) frame.hands.push_back(hand_of(last.device[d], -1));
    place_grips(setup, frame);
    frame.delassus.contacts = frame.delassus.side = 0;
    if (!samples.empty()) {
      auto contacts = recording->read_contacts(row);
      if (contacts && contacts->W.size() > 0) picture_of(contacts->W, frame.delassus);
    }
    encode_frame(frame, encoded);
    Bytes message = encoded.common;
    for (const auto& part : encoded.bodies)
      if (part.version == frame.serial) put_bytes(message, part.section.data(), part.section.size());
    put_bytes(message, encoded.delassus.data(), encoded.delassus.size());
    if (!samples.empty()) put_samples(samples, message);
    append(message, out);
    if (out.size() > largest)
      return Error{
          .message = "the recording is too long for a page", .file = file, .remedy = "record less of it"};
  }
  return out;
}

}  // namespace palp::view
