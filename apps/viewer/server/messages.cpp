#include "messages.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace palp::view {
namespace {

using Json = nlohmann::ordered_json;

/// By Colour.
constexpr std::string_view colour_names[] = {"none", "stress", "strain", "pressure"};

const char* slider_kind(Slider::Kind kind) {
  switch (kind) {
    case Slider::Kind::friction:
      return "friction";
    case Slider::Kind::youngs_modulus:
      return "youngsModulus";
    case Slider::Kind::coupling:
      return "coupling";
  }
  return "";
}

/// 16 bits per coordinate of the body's box: a 65 535th of its size. What is nowhere is drawn in the box's
/// corner.
void encode_body(int index, const ViewBody& body, Bytes& out) {
  out.clear();
  const size_t section = begin_section(out, tag("BODY"));
  Eigen::AlignedBox3f box;
  for (const Vec3f& x : body.x)
    if (x.allFinite()) box.extend(x);
  const Vec3f low = box.isEmpty() ? Vec3f(Vec3f::Zero()) : box.min();
  const Vec3f size = (box.isEmpty() ? Vec3f(Vec3f::Zero()) : Vec3f(box.max() - low)).cwiseMax(1e-12f);
  const Vec3f scale = 65535.f * size.cwiseInverse();
  const auto step = [](float q) {
    return static_cast<std::uint16_t>(q > 0 && q <= 65535.f ? q + 0.5f : 0.f);
  };
  put(out, static_cast<std::uint32_t>(index));
  put(out, static_cast<std::uint32_t>(body.x.size()));
  put3(out, low);
  put3(out, size);
  const size_t at = out.size();
  out.resize(at + 6 * body.x.size());
  std::uint8_t* to = out.data() + at;
  for (const Vec3f& x : body.x) {
    const Vec3f q = (x - low).cwiseProduct(scale).cwiseMin(65535.f);
    const std::uint16_t q16[3] = {step(q[0]), step(q[1]), step(q[2])};
    std::memcpy(to, q16, 6);
    to += 6;
  }
  end_section(out, section);
}

void encode_contacts(const ViewFrame& frame, Bytes& out) {
  const size_t section = begin_section(out, tag("CNTC"));
  for (const ViewContact& c : frame.contacts) {
    put3(out, c.at);
    put3(out, c.normal);
    put3(out, c.force);
    put(out, c.mu);
    put(out, static_cast<std::uint32_t>(c.touch));
    put(out, c.body1);
    put(out, c.body2);
  }
  end_section(out, section);
}

/// Nothing for scenes without patches.
void encode_patches(const ViewFrame& frame, Bytes& out) {
  if (frame.patches.empty() && frame.regions.empty()) return;
  const size_t patches = begin_section(out, tag("PTCH"));
  for (const ViewPatch& p : frame.patches) {
    put3(out, p.at);
    put3(out, p.normal);
    put(out, p.depth);
    put(out, static_cast<std::uint32_t>(p.use));
    put(out, p.proxy);
    put(out, p.corners);
    for (std::uint32_t k = 0; k < p.corners; ++k) put3(out, p.corner[k]);
  }
  end_section(out, patches);
  const size_t regions = begin_section(out, tag("REGN"));
  for (const ViewRegion& r : frame.regions) {
    put3(out, r.centre);
    put3(out, r.half);
    put(out, r.proxy);
    put(out, static_cast<std::uint32_t>(r.holds));
  }
  end_section(out, regions);
}

void encode_hands(const ViewFrame& frame, Bytes& out) {
  const size_t section = begin_section(out, tag("HAND"));
  for (const ViewHand& h : frame.hands) {
    put3(out, h.position);
    for (int k = 0; k < 4; ++k) put(out, h.orientation.coeffs()[k]);
    put3(out, h.grip_position);
    for (int k = 0; k < 4; ++k) put(out, h.grip_orientation.coeffs()[k]);
    put3(out, h.force);
    put3(out, h.torque);
    put(out, h.body);
    put(out, static_cast<std::uint32_t>(h.taken));
  }
  end_section(out, section);
}

bool read3(const Json& json, const char* key, Vec3& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_array() || it->size() != 3) return false;
  for (int k = 0; k < 3; ++k) {
    if (!(*it)[k].is_number()) return false;
    out[k] = (*it)[k].get<double>();
  }
  return out.allFinite();
}

bool read_number(const Json& json, const char* key, double& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_number()) return false;
  out = it->get<double>();
  return std::isfinite(out);
}

bool read_index(const Json& json, const char* key, int& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_number_integer()) return false;
  const auto value = it->get<std::int64_t>();
  if (value < 0 || value > 1000) return false;
  out = static_cast<int>(value);
  return true;
}

}  // namespace

Bytes encode_scene(const SceneText& s) {
  Json json{{"generation", s.generation},
            {"title", s.title},
            {"scene", s.scene},
            {"scenes", s.scenes},
            {"devices", s.device_names},
            {"kinds", s.device_kinds},
            {"note", s.note},
            {"description", s.description}};
  json["gravity"] = {s.gravity.x(), s.gravity.y(), s.gravity.z()};
  json["samples"] = {"time",        "force0x",      "force0y",  "force0z", "force1x",
                     "force1y",     "force1z",      "contacts", "active",  "certificate",
                     "penetration", "kinetic",      "elastic",  "given",   "freeMotion",
                     "proximity",   "contactSetup", "delassus", "solve",   "motion"};
  Json bodies = Json::array(), sliders = Json::array();
  for (size_t b = 0; b < s.skins.size(); ++b)
    bodies.push_back({{"name", s.body_names[b]},
                      {"movable", static_cast<bool>(s.movable[b])},
                      {"vertices", s.skins[b].vertices},
                      {"triangles", s.skins[b].triangles.size()},
                      {"segments", s.skins[b].segments.size()},
                      {"radius", s.skins[b].radius}});
  for (const Slider& v : s.sliders)
    sliders.push_back({{"kind", slider_kind(v.kind)},
                       {"label", v.label},
                       {"unit", v.unit},
                       {"value", v.value},
                       {"least", v.least},
                       {"most", v.most},
                       {"logarithmic", v.logarithmic},
                       {"heavy", v.heavy}});
  json["bodies"] = std::move(bodies);
  json["sliders"] = std::move(sliders);
  // A name in a scene file may be any bytes: what is not UTF-8 is replaced, never thrown at.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  Bytes out;
  put(out, tag("SCEN"));
  put(out, static_cast<std::uint32_t>(text.size()));
  put_bytes(out, text.data(), text.size());
  pad(out);
  for (const Skin& skin : s.skins) {
    for (const Triangle& t : skin.triangles)
      for (int v : t) put(out, static_cast<std::uint32_t>(v));
    for (const Edge& e : skin.segments)
      for (int v : e) put(out, static_cast<std::uint32_t>(v));
  }
  return out;
}

std::string encode_sliders(const SceneText& scene) {
  Json values = Json::array();
  for (const Slider& s : scene.sliders) values.push_back(s.value);
  return Json{{"notice", "sliders"}, {"values", values}}.dump();
}

void encode_frame(const ViewFrame& frame, EncodedFrame& out) {
  if (out.generation != frame.generation) out.bodies.clear();
  out.generation = frame.generation;
  out.bodies.resize(frame.bodies.size());
  for (size_t b = 0; b < frame.bodies.size(); ++b) {
    if (out.bodies[b].version == frame.bodies[b].version) continue;
    encode_body(static_cast<int>(b), frame.bodies[b], out.bodies[b].section);
    out.bodies[b].version = frame.bodies[b].version;
  }
  Bytes& c = out.common;
  c.clear();
  put(c, tag("FRAM"));
  put(c, frame.generation);
  put(c, frame.serial);
  put(c, static_cast<std::uint32_t>(frame.playing) | static_cast<std::uint32_t>(frame.failed) << 1);
  put(c, frame.time_s);
  put(c, static_cast<double>(frame.step));
  put(c, frame.speed);
  put(c, frame.rate);
  encode_contacts(frame, c);
  encode_hands(frame, c);
  encode_patches(frame, c);
  out.delassus.clear();
  if (frame.delassus.side > 0) {
    const size_t section = begin_section(out.delassus, tag("DELA"));
    put(out.delassus, frame.delassus.contacts);
    put(out.delassus, frame.delassus.side);
    put_bytes(out.delassus, frame.delassus.cell.data(), frame.delassus.cell.size());
    end_section(out.delassus, section);
  }
}

void put_samples(std::span<const ViewSample> samples, Bytes& out) {
  const size_t section = begin_section(out, tag("SAMP"));
  put_bytes(out, samples.data(), samples.size_bytes());
  end_section(out, section);
}

std::string notice(std::string_view kind, std::string_view text) {
  return Json{{"notice", kind}, {"text", text}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Request> parse_request(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto it = json.find("cmd");
  if (it == json.end() || !it->is_string()) return std::nullopt;
  const auto& cmd = it->get_ref<const std::string&>();
  Request r;
  using Kind = Request::Kind;
  const auto command = [&](Command::Kind kind, bool ok = true) -> std::optional<Request> {
    r.command.kind = kind;
    return ok ? std::optional(r) : std::nullopt;
  };
  if (cmd == "play") return command(Command::Kind::play);
  if (cmd == "pause") return command(Command::Kind::pause);
  if (cmd == "step") return command(Command::Kind::step);
  if (cmd == "reset") return command(Command::Kind::reset);
  if (cmd == "speed") return command(Command::Kind::speed, read_number(json, "value", r.command.value));
  if (cmd == "scene") return command(Command::Kind::scene, read_index(json, "index", r.command.index));
  if (cmd == "slider")
    return command(Command::Kind::slider,
                   read_index(json, "index", r.command.index) && read_number(json, "value", r.command.value));
  if (cmd == "delassus" || cmd == "keyframe") {
    r.kind = cmd == "delassus" ? Kind::delassus : Kind::keyframe;
    const auto on = json.find("on");
    r.on = on != json.end() && on->is_boolean() && on->get<bool>();
    return r;
  }
  if (cmd == "colour") {
    r.kind = Kind::colour;
    const auto of = json.find("of");
    if (of == json.end() || !of->is_string()) return std::nullopt;
    const auto name = std::ranges::find(colour_names, of->get_ref<const std::string&>());
    r.colour = static_cast<Colour>(name - std::begin(colour_names));
    return name != std::end(colour_names) ? std::optional(r) : std::nullopt;
  }
  if (cmd == "hold" || cmd == "release") {
    if (!read_index(json, "device", r.device)) return std::nullopt;
    r.kind = cmd == "hold" ? Kind::hold : Kind::let_go;
    if (r.kind == Kind::let_go) return r;
    const auto q = json.find("q");
    if (!read3(json, "p", r.position) || q == json.end() || !q->is_array() || q->size() != 4)
      return std::nullopt;
    for (int k = 0; k < 4; ++k) {
      if (!(*q)[k].is_number()) return std::nullopt;
      r.orientation.coeffs()[k] = (*q)[k].get<double>();
    }
    if (json.contains("b")) {
      int buttons = 0;
      if (!read_index(json, "b", buttons)) return std::nullopt;
      r.buttons = static_cast<unsigned>(buttons);
    }
    // Nobody's hand is further away than this, and a quaternion's length says nothing.
    const bool near = r.position.cwiseAbs().maxCoeff() <= 1e6;
    const bool turn = std::isfinite(r.orientation.squaredNorm()) && r.orientation.squaredNorm() > 1e-12;
    return near && turn ? std::optional(r) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace palp::view
