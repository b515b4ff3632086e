// Colours of bodies: stress, strain or contact pressure at the vertices of their skins, for those who ask.
// Taking a frame spreads contact forces over skins and copies positions; strain and stress, which cost more,
// are computed by the network's thread.
#pragma once
#include <memory>

#include "bytes.hpp"
#include "frame.hpp"

#include "palp/scene/body_fields.hpp"

namespace palp::view {

/// The bodies of a scene as far as stress and strain are asked of them. Constant, shared between threads.
class Colouring {
 public:
  explicit Colouring(const Scene& scene);
  /// At the vertices of a body's skin; empty: it has no such value, or the frame does not hold it.
  std::vector<double> values(const ViewFrame& frame, size_t body, Colour colour) const;

 private:
  std::vector<std::unique_ptr<const SkinMeasures>> measures_;  ///< null: not a deformable volume
};

/// A section for every body that has values.
void put_colours(const Colouring& colouring, const ViewFrame& frame, Colour colour, Bytes& out);

}  // namespace palp::view
