#include "colours.hpp"

#include <algorithm>
#include <cmath>

namespace palp::view {

Colouring::Colouring(const Scene& scene) {
  for (size_t b = 0; b < scene.model.bodies.size(); ++b) {
    const auto& body = scene.model.bodies[b].body;
    const auto volume = b < scene.meshes.size() ? scene.meshes[b].volume : nullptr;
    measures_.push_back(volume ? std::make_unique<const SkinMeasures>(body, volume) : nullptr);
  }
}

std::vector<double> Colouring::values(const ViewFrame& frame, size_t body, Colour colour) const {
  if (colour == Colour::pressure)
    return body < frame.pressure.size() ? frame.pressure[body] : std::vector<double>();
  if (colour == Colour::none || body >= frame.x.size() || body >= measures_.size() || !measures_[body])
    return {};
  return measures_[body]->at(frame.x[body],
                             colour == Colour::stress ? SkinMeasure::stress : SkinMeasure::strain);
}

/// 16 bits per vertex: a 65 535th of the body's largest value. What is no number is drawn as nothing.
void put_colours(const Colouring& colouring, const ViewFrame& frame, Colour colour, Bytes& out) {
  for (size_t b = 0; b < frame.bodies.size(); ++b) {
    const std::vector<double> values = colouring.values(frame, b, colour);
    if (values.empty() || values.size() != frame.bodies[b].x.size()) continue;
    double most = 0;
    for (double v : values)
      if (v < 1e38) most = std::max(most, v);  // what a float holds
    const size_t section = begin_section(out, tag("COLR"));
    put(out, static_cast<std::uint32_t>(b));
    put(out, static_cast<std::uint32_t>(colour));
    put(out, static_cast<std::uint32_t>(values.size()));
    put(out, static_cast<float>(most));
    for (double v : values)
      put(out, static_cast<std::uint16_t>(v > 0 && v <= most ? std::lround(65535 * (v / most)) : 0));
    end_section(out, section);
  }
}

}  // namespace palp::view
