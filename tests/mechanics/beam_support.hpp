// Curves and construction shared by the tests of the beam model.
#pragma once
#include <cmath>
#include <numbers>

#include "mechanics/model_checks.hpp"

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/pose.hpp"

namespace palp::beams {

inline constexpr double pi = std::numbers::pi;

inline Curve straight(double length, int elements, const Vec3& direction = Vec3::UnitX()) {
  Curve c;
  for (int i = 0; i <= elements; ++i) c.nodes.push_back(length * i / elements * direction);
  return c;
}

inline Curve arc(double radius, double angle, int elements) {
  Curve c;
  for (int i = 0; i <= elements; ++i) {
    const double a = angle * i / elements;
    c.nodes.push_back(radius * Vec3(std::sin(a), 1 - std::cos(a), 0.1 * a));
  }
  return c;
}

inline std::unique_ptr<BeamBody> make(const BeamSpec& spec) {
  auto body = BeamBody::make(spec);
  EXPECT_TRUE(body) << (body ? "" : body.error().text());
  return std::move(*body);
}

}  // namespace palp::beams
