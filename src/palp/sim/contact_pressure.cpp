#include "palp/sim/contact_pressure.hpp"

#include "palp/proximity/distance.hpp"

namespace palp {
namespace {

/// Every two triangles are halves of a quad, as extract_surface cuts those of hexes.
bool made_of_quads(std::span<const Triangle> triangles) {
  if (triangles.size() % 2 != 0) return false;
  for (size_t t = 0; t < triangles.size(); t += 2)
    if (triangles[t][0] != triangles[t + 1][0] || triangles[t][2] != triangles[t + 1][1]) return false;
  return true;
}

}  // namespace

void add_contact_load(const Contact& c, double force_N, int body, std::vector<SkinLoad>& out) {
  // With two rates a force may have come from a contact nearby, with another normal, along which it pulls.
  if (c.bilateral || !(force_N > 0)) return;
  if (c.id.body1 == body) out.push_back({c.P, force_N});
  if (c.id.body2 == body) out.push_back({c.Q, force_N});
}

void add_contact_loads(const Workspace& ws, int body, std::vector<SkinLoad>& out) {
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[g];
    if (group.f.size() != 3 * static_cast<int>(group.contacts.size())) continue;  // the step failed before
    for (size_t i = 0; i < group.contacts.size(); ++i)
      add_contact_load(group.contacts[i], group.f[3 * static_cast<int>(i)], body, out);
  }
}

SkinPoint on_surface(const Skin& skin, std::span<const Vec3> positions, const SkinPoint& point) {
  if (!skin.rounded()) return point;
  const Vec3 p = point.at(positions);
  SkinPoint nearest = point;
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& t : skin.triangles) {
    SkinPoint on{.vertex = t};
    on.weight = closest_on_triangle(p, positions[t[0]], positions[t[1]], positions[t[2]]);
    const double distance = (on.at(positions) - p).squaredNorm();
    if (distance < least) nearest = on, least = distance;
  }
  return nearest;
}

std::vector<double> vertex_areas(std::span<const Triangle> triangles, std::span<const Vec3> positions) {
  std::vector<double> area(positions.size(), 0);
  const auto add_thirds = [&](const Triangle& t, double part) {
    const Vec3 &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
    const double third = part * (b - a).cross(c - a).norm() / 6;
    for (int v : t) area[v] += third;
  };
  if (!made_of_quads(triangles)) {
    for (const Triangle& t : triangles) add_thirds(t, 1);
    return area;
  }
  for (size_t t = 0; t < triangles.size(); t += 2) {
    const auto [a, b, c] = triangles[t];
    const int d = triangles[t + 1][2];
    for (const Triangle& half : {Triangle{a, b, c}, {a, c, d}, {a, b, d}, {b, c, d}}) add_thirds(half, 0.5);
  }
  return area;
}

std::vector<double> contact_pressure(const Skin& skin, std::span<const Vec3> positions,
                                     std::span<const SkinLoad> loads) {
  if (skin.triangles.empty()) return {};
  std::vector<double> pressure(positions.size(), 0);
  if (loads.empty()) return pressure;
  for (const SkinLoad& load : loads) {
    for (const SkinShare& share : load.at.area) pressure[share.vertex] += share.weight * load.force_N;
    if (!load.at.area.empty()) continue;
    const SkinPoint at = on_surface(skin, positions, load.at);
    for (int k = 0; k < 3; ++k) pressure[at.vertex[k]] += at.weight[k] * load.force_N;
  }
  const std::vector<double> area = vertex_areas(skin.triangles, positions);
  // A weight of zero may be a rounding error below it.
  for (size_t v = 0; v < pressure.size(); ++v)
    pressure[v] = area[v] > 0 ? std::max(0.0, pressure[v]) / area[v] : 0;
  return pressure;
}

}  // namespace palp
