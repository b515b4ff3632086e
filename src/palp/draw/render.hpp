// The rasteriser behind Picture: facets in, pixels out.
#pragma once
#include <span>
#include <vector>

#include "palp/draw/picture.hpp"

namespace palp::drawing {

/// Pixels, top row first, three bytes each; style.width × style.height of them. The scene
/// keeps clear of `right_margin` pixels.
std::vector<unsigned char> render(std::span<const Picture::Facet> facets, const Camera& camera,
                                  const PictureStyle& style, int right_margin);

}  // namespace palp::drawing
