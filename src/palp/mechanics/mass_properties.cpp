#include "palp/mechanics/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "palp/math/dense.hpp"

namespace palp {
namespace {

/// Volume and ∫ x², ∫ y², ∫ z² of what a profile in the plane of distance ρ from the axis and height z
/// sweeps: 2π ∫ ρ dA, π ∫ ρ³ dA twice, 2π ∫ ρ z² dA.
struct Swept {
  double volume = 0;
  Vec3 second = Vec3::Zero();

  void add(double rho, double rho3, double rho_z2) {
    constexpr double pi = std::numbers::pi;
    volume += 2 * pi * rho;
    second += pi * Vec3(rho3, rho3, 2 * rho_z2);
  }
  /// ρ from a to b, z from c to d.
  void rectangle(double a, double b, double c, double d) {
    const double rho = (b * b - a * a) / 2;
    add(rho * (d - c), (std::pow(b, 4) - std::pow(a, 4)) / 4 * (d - c),
        rho * (std::pow(d, 3) - std::pow(c, 3)) / 3);
  }
  /// Quarters of a disc of radius r at (ρ, ±h), outwards along z and along `side` (±1) of ρ.
  void quarters(double c, double h, double side, double r) {
    const double r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
    // ∫ u^p v^q over the quarter, by the powers.
    const double m00 = std::numbers::pi * r2 / 4, m1 = r3 / 3, m2 = std::numbers::pi * r4 / 16, m11 = r4 / 8,
                 m30 = 2 * r5 / 15, m12 = r5 / 15;
    add(2 * (c * m00 + side * m1), 2 * (c * c * c * m00 + 3 * c * c * side * m1 + 3 * c * m2 + side * m30),
        2 * (c * (h * h * m00 + 2 * h * m1 + m2) + side * (h * h * m1 + 2 * h * m11 + m12)));
  }
};

Swept swept(const TurnedCore& core, double r) {
  const double a = core.inner_m, b = core.outer_m, h = core.half_length_m;
  Swept s;
  s.rectangle(core.hollow() ? a - r : 0, b + r, -h, h);
  s.rectangle(a, b, h, h + r);
  s.rectangle(a, b, -h - r, -h);
  s.quarters(b, h, 1, r);
  if (core.hollow()) s.quarters(a, h, -1, r);
  return s;
}

}  // namespace

Result<MassProperties> mass_properties(const TriMesh& surface, double density) {
  if (!(density > 0) || !std::isfinite(density))
    return Error{.message = "density_kg_per_m3 must be positive"};
  if (surface.triangles.empty()) return Error{.message = "the surface has no triangles"};
  for (const Triangle& t : surface.triangles)
    for (int i : t)
      if (i < 0 || i >= static_cast<int>(surface.nodes.size()) || !surface.nodes[i].allFinite())
        return Error{.message = "a triangle refers to node " + std::to_string(i) +
                                ", which is missing or not finite"};

  // Closed: every directed edge has its opposite exactly once.
  std::vector<std::pair<int, int>> forward, backward;
  for (const Triangle& t : surface.triangles)
    for (int k = 0; k < 3; ++k) {
      forward.emplace_back(t[k], t[(k + 1) % 3]);
      backward.emplace_back(t[(k + 1) % 3], t[k]);
    }
  std::sort(forward.begin(), forward.end());
  std::sort(backward.begin(), backward.end());
  if (forward != backward)
    return Error{.message = "the surface is open or its triangles do not face the same way",
                 .remedy = "close and orient it, or give mass and inertia by hand"};

  // About a point of the surface first, so that a body far from the origin keeps its digits.
  const Vec3 origin = surface.nodes[surface.triangles[0][0]];
  double volume = 0;
  Vec3 first = Vec3::Zero();   // ∫ r dV
  Mat3 second = Mat3::Zero();  // ∫ r rᵀ dV
  for (const Triangle& t : surface.triangles) {
    const Vec3 a = surface.nodes[t[0]] - origin, b = surface.nodes[t[1]] - origin,
               c = surface.nodes[t[2]] - origin;
    const double V = a.dot(b.cross(c)) / 6;
    const Vec3 s = a + b + c;
    volume += V;
    first += V / 4 * s;
    second += V / 20 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (!(volume > 0))
    return Error{.message = "the surface encloses no positive volume",
                 .remedy = "turn its triangles outwards"};
  MassProperties p;
  p.mass_kg = density * volume;
  const Vec3 centre = first / volume;
  second -= volume * centre * centre.transpose();
  p.centre_m = origin + centre;
  p.inertia_kg_m2 = density * (second.trace() * Mat3::Identity() - second);
  if (!valid_inertia(p.inertia_kg_m2)) return Error{.message = "the surface is too thin for an inertia"};
  return p;
}

Result<MassProperties> mass_properties(const RoundedShape& shape, double density_kg_per_m3) {
  if (!(density_kg_per_m3 > 0) || !std::isfinite(density_kg_per_m3))
    return Error{.message = "the density must be positive"};
  constexpr double pi = std::numbers::pi;
  const double r = shape.radius_m, r2 = r * r, r3 = r2 * r, r4 = r3 * r, r5 = r4 * r;
  const Vec3& h = shape.half_core_m;
  const double disk = pi * r2, ball = 4 * pi / 3 * r3;
  double volume =
      8 * h.prod() + 8 * r * (h[0] * h[1] + h[1] * h[2] + h[2] * h[0]) + 2 * disk * h.sum() + ball;
  // ∫ x_i² over the parts, with a, b, c = the core's half extents along i and the two other axes.
  Vec3 second;
  for (int i = 0; i < 3; ++i) {
    const double a = h[i], b = h[(i + 1) % 3], c = h[(i + 2) % 3], a2 = a * a;
    const double flat = (8 * a * b * c + 8 * r * a * (b + c) + 2 * disk * a) * a2 / 3;  // reach from −a to a
    const double slabs = 8 * b * c * (std::pow(a + r, 3) - a * a2) / 3;
    const double edges = 2 * (b + c) * (disk * a2 + 2 * a * 4 * r3 / 3 + pi * r4 / 4);
    const double corners = ball * a2 + a * pi * r4 + 4 * pi * r5 / 15;
    second[i] = flat + slabs + edges + corners;
  }
  if (shape.turned) {
    const Swept s = swept(*shape.turned, r);
    volume = s.volume;
    second = s.second;
  }
  MassProperties out;
  out.mass_kg = density_kg_per_m3 * volume;
  out.centre_m = shape.centre_m;
  const Mat3 R = shape.rotation.toRotationMatrix();
  const Vec3 principal = density_kg_per_m3 * (Vec3::Constant(second.sum()) - second);
  out.inertia_kg_m2 = R * principal.asDiagonal() * R.transpose();
  return out;
}

bool valid_inertia(const Mat3& J) {
  if (!J.allFinite() || (J - J.transpose()).norm() > 1e-9 * J.norm()) return false;
  const Vec3 d = symmetric_eigen(J).values;
  return d[0] > 1e-12 * d[2] && d[0] + d[1] >= d[2] * (1 - 1e-9);
}

}  // namespace palp
