#include "palp/mechanics/mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/Eigenvalues>

namespace palp {

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
  const double volume =
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
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(J, Eigen::EigenvaluesOnly);
  const Vec3 d = eigen.eigenvalues();
  return d[0] > 1e-12 * d[2] && d[0] + d[1] >= d[2] * (1 - 1e-9);
}

}  // namespace palp
