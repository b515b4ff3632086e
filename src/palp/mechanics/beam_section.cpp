#include "palp/mechanics/beam_section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace palp {
namespace {

/// Saint-Venant's series for a rectangle a ≥ b (Timoshenko & Goodier, Theory of Elasticity, §109):
///     J = a b³/3 · (1 − 192/π⁵ · b/a · Σ_{n odd} tanh(nπa/2b)/n⁵).
double rectangle_torsion_constant(double a, double b) {
  double sum = 0;
  for (int n = 41; n >= 1; n -= 2) sum += std::tanh(n * std::numbers::pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(std::numbers::pi, 5) * b / a * sum);
}

bool positive(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

Result<SectionProperties> section_properties(const BeamSection& s) {
  SectionProperties p;
  if (s.shape == BeamSection::Shape::circular) {
    const double r = s.radius_m, ri = s.inner_radius_m;
    if (!positive(r))
      return Error{.message = "beam section: radius_m must be positive", .remedy = "give metres"};
    if (!(ri >= 0 && ri < r))
      return Error{.message = "beam section: inner_radius_m must be in [0, radius_m)"};
    p.A = std::numbers::pi * (r * r - ri * ri);
    p.Iy = p.Iz = std::numbers::pi / 4 * (std::pow(r, 4) - std::pow(ri, 4));
    p.J = p.Iy + p.Iz;
    p.kappa = 6.0 / 7.0;
    p.extent = r;
  } else {
    const double b = s.width_y_m, c = s.width_z_m;
    if (!positive(b) || !positive(c))
      return Error{.message = "beam section: width_y_m and width_z_m must be positive",
                   .remedy = "give metres"};
    p.A = b * c;
    p.Iy = b * c * c * c / 12;
    p.Iz = c * b * b * b / 12;
    p.J = rectangle_torsion_constant(std::max(b, c), std::min(b, c));
    p.kappa = 5.0 / 6.0;
    p.extent = 0.5 * std::min(b, c);
  }
  return p;
}

}  // namespace palp
