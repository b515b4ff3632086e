// Messages between server and page (apps/viewer/README.md): binary ones to the page, JSON commands from it.
#pragma once
#include <optional>
#include <string_view>

#include "bytes.hpp"
#include "simulation.hpp"

namespace palp::view {

/// Names, topology, sliders: sent before the first frame of a generation.
Bytes encode_scene(const SceneText& scene);

/// The sliders' values, when another viewer has turned one.
std::string encode_sliders(const SceneText& scene);

/// A frame in parts, so that a viewer is sent only the bodies that it has not seen.
struct EncodedFrame {
  std::uint32_t generation = 0;
  struct Part {
    std::uint32_t version = 0;
    Bytes section;
  };
  std::vector<Part> bodies;
  Bytes common;                  ///< header and the sections that every viewer gets
  Bytes delassus;                ///< for those who asked
  std::array<Bytes, 4> colours;  ///< by Colour, for those who asked
};

/// Reuses `out`: a body whose version it already has is not encoded again.
void encode_frame(const ViewFrame& frame, EncodedFrame& out);

/// Section of samples.
void put_samples(std::span<const ViewSample> samples, Bytes& out);

/// A short JSON text for the page.
std::string notice(std::string_view kind, std::string_view text);

/// What a page may ask for.
struct Request {
  enum class Kind { command, hold, let_go, delassus, colour, keyframe } kind = Kind::command;
  Command command;
  int device = 0;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  unsigned buttons = 0;
  bool on = false;
  Colour colour = Colour::none;
};

/// Nothing when the text is not a command with the right fields.
std::optional<Request> parse_request(std::string_view text);

}  // namespace palp::view
