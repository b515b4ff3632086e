#include "palp/draw/picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "palp/draw/canvas.hpp"
#include "palp/draw/render.hpp"

namespace palp {
namespace {

constexpr double crease_cosine = 0.82;  // 35°: sharper edges stay sharp

/// For every corner the mean of the neighbouring normals that bend less than the crease, weighted by angle.
std::vector<std::array<Vec3, 3>> corner_normals(const TriMesh& mesh, bool flat) {
  std::vector<Vec3> face(mesh.triangles.size());
  std::vector<std::vector<std::pair<int, double>>> around(mesh.nodes.size());  // triangle and its angle there
  for (std::size_t t = 0; t < face.size(); ++t) {
    const auto& n = mesh.triangles[t];
    const Vec3 normal = (mesh.nodes[n[1]] - mesh.nodes[n[0]]).cross(mesh.nodes[n[2]] - mesh.nodes[n[0]]);
    face[t] = normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3::UnitZ();
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = mesh.nodes[n[(k + 1) % 3]] - mesh.nodes[n[k]],
                 b = mesh.nodes[n[(k + 2) % 3]] - mesh.nodes[n[k]];
      around[n[k]].emplace_back(static_cast<int>(t), std::atan2(a.cross(b).norm(), a.dot(b)));
    }
  }
  std::vector<std::array<Vec3, 3>> out(face.size());
  for (std::size_t t = 0; t < face.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      Vec3 sum = Vec3::Zero();
      if (!flat)
        for (const auto& [other, angle] : around[mesh.triangles[t][k]])
          if (face[other].dot(face[t]) > crease_cosine) sum += angle * face[other];
      out[t][k] = sum.norm() > 1e-12 ? Vec3(sum.normalized()) : face[t];
    }
  return out;
}

/// A surface of revolution around `axis` from `start`: (distance along, radius) pairs.
void add_turned(std::vector<Picture::Facet>& out, const Vec3& start, const Vec3& axis,
                const std::vector<Vec2>& profile, const Color& color) {
  constexpr int sides = 20;
  const Vec3 u = axis.unitOrthogonal(), v = axis.cross(u);
  const auto point = [&](const Vec2& p, int side) -> Vec3 {
    const double a = 2 * std::numbers::pi * side / sides;
    return start + p.x() * axis + p.y() * (std::cos(a) * u + std::sin(a) * v);
  };
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vec2 along = profile[i + 1] - profile[i];
    if (along.norm() == 0) continue;
    for (int s = 0; s < sides; ++s) {
      const auto normal = [&](int side) -> Vec3 {
        const double a = 2 * std::numbers::pi * side / sides;
        return (along.x() * (std::cos(a) * u + std::sin(a) * v) - along.y() * axis).normalized();
      };
      const Vec3 p00 = point(profile[i], s), p01 = point(profile[i], s + 1);
      const Vec3 p10 = point(profile[i + 1], s), p11 = point(profile[i + 1], s + 1);
      out.push_back({{p00, p01, p11}, {normal(s), normal(s + 1), normal(s + 1)}, {color, color, color}});
      out.push_back({{p00, p11, p10}, {normal(s), normal(s + 1), normal(s)}, {color, color, color}});
    }
  }
}

void add_ball(std::vector<Picture::Facet>& out, const Vec3& centre, double radius, const Color& color) {
  constexpr int rings = 10;
  std::vector<Vec2> profile;
  for (int i = 0; i <= rings; ++i) {
    const double a = std::numbers::pi * i / rings;
    profile.emplace_back(-radius * std::cos(a), radius * std::sin(a));
  }
  add_turned(out, centre, Vec3::UnitZ(), profile, color);
}

}  // namespace

void Picture::add(const TriMesh& mesh, const SurfaceStyle& style) {
  const bool mapped = style.values.size() == mesh.nodes.size() && !mesh.nodes.empty();
  double low = style.low, high = style.high;
  if (mapped && low == high) {
    low = HUGE_VAL, high = -HUGE_VAL;
    for (double v : style.values)
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
    if (!(high > low)) high = low + 1;
  }
  const auto color = [&](int node) {
    return mapped ? color_at(style.map, (style.values[node] - low) / (high - low)) : style.color;
  };
  const auto normals = corner_normals(mesh, style.flat);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& n = mesh.triangles[t];
    facets_.push_back({{mesh.nodes[n[0]], mesh.nodes[n[1]], mesh.nodes[n[2]]},
                       {normals[t][0], normals[t][1], normals[t][2]},
                       {color(n[0]), color(n[1]), color(n[2])},
                       style.edges});
  }
  if (mapped && !style.label.empty()) bars_.push_back({style.label, style.map, low, high});
}

void Picture::add_line(std::span<const Vec3> points, const Color& color, double radius_m) {
  strokes_.push_back({{points.begin(), points.end()}, color, radius_m, 'l'});
}

void Picture::add_points(std::span<const Vec3> points, const Color& color, double radius_m) {
  strokes_.push_back({{points.begin(), points.end()}, color, radius_m, 'p'});
}

void Picture::add_arrows(std::span<const Vec3> at, std::span<const Vec3> vector, const Color& color,
                         double scale, double radius_m) {
  for (std::size_t i = 0; i < std::min(at.size(), vector.size()); ++i)
    strokes_.push_back({{at[i], at[i] + scale * vector[i]}, color, radius_m, 'a'});
}

Result<void> Picture::write_png(const std::string& path, const Camera& camera,
                                const PictureStyle& style) const {
  if (style.width < 16 || style.height < 16 || style.width > 4096 || style.height > 4096)
    return Error{"a picture must have 16 to 4096 pixels each way", path, 0, 0, "choose another size"};
  std::vector<Facet> facets = facets_;
  Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
  const auto extend = [&](const Vec3& p) {
    if (p.allFinite()) low = low.cwiseMin(p), high = high.cwiseMax(p);
  };
  for (const auto& f : facets)
    for (const auto& p : f.corner) extend(p);
  for (const auto& s : strokes_)
    for (const auto& p : s.points) extend(p);
  const double size = low.x() <= high.x() ? (high - low).norm() : 1;
  for (const auto& s : strokes_) {
    const double r = s.radius > 0 ? s.radius : (s.kind == 'p' ? 0.009 : 0.0045) * size;
    for (std::size_t i = 0; i + 1 < s.points.size() && s.kind != 'p'; ++i) {
      const Vec3 along = s.points[i + 1] - s.points[i];
      const double length = along.norm();
      if (!(length > 1e-9 * size) || !std::isfinite(length)) continue;
      const double head = std::min(6 * r, 0.6 * length);
      if (s.kind == 'a')
        add_turned(facets, s.points[i], along / length,
                   {{0, 0}, {0, r}, {length - head, r}, {length - head, 0.42 * head}, {length, 0}}, s.color);
      else
        add_turned(facets, s.points[i], along / length, {{0, r}, {length, r}}, s.color);
    }
    for (const auto& p : s.points)
      if (s.kind != 'a' && p.allFinite()) add_ball(facets, p, r, s.color);
  }
  std::erase_if(facets, [](const Facet& f) {
    return !f.corner[0].allFinite() || !f.corner[1].allFinite() || !f.corner[2].allFinite();
  });

  const double unit = style.height / 800.0;
  const int right_margin =
      std::min(static_cast<int>(130 * unit * static_cast<double>(bars_.size())), style.width / 2);
  const auto pixels = drawing::render(facets, camera, style, right_margin);
  drawing::Canvas canvas(style.width, style.height, 1, pixels);
  const Color ink{0.18, 0.20, 0.24};
  canvas.color(ink);
  if (!style.title.empty())
    canvas.text(style.title, 0.5 * style.width, 34 * unit, 21 * unit, drawing::Align::centre, true);
  double right = style.width - 96 * unit;
  for (const auto& bar : bars_) {
    const double w = 16 * unit, h = 0.42 * style.height, x = right, y = 0.5 * (style.height - h);
    for (int i = 0; i < static_cast<int>(h); ++i) {
      canvas.color(color_at(bar.map, 1 - (i + 0.5) / h));
      canvas.fill_box(x, y + i, w, 1.5);
    }
    canvas.color(ink);
    const auto ticks = drawing::round_ticks(bar.low, bar.high, 5);
    for (double t : ticks) {
      const double at = y + h * (1 - (t - bar.low) / (bar.high - bar.low));
      canvas.line(x + w, at, x + w + 5 * unit, at, unit);
      canvas.text(drawing::tick_text(t, ticks.size() > 1 ? ticks[1] - ticks[0] : 1), x + w + 9 * unit, at,
                  15 * unit, drawing::Align::left);
    }
    canvas.text(bar.label, x - 14 * unit, 0.5 * style.height, 16 * unit, drawing::Align::centre, false, true);
    right -= 130 * unit;
  }
  return canvas.write(path);
}

}  // namespace palp
