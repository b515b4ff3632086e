#include "palp/draw/render.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace palp::drawing {
namespace {

constexpr int samples = 3;  // per pixel and axis

/// Where a point lands: x, y in samples from the top left, z = distance along the view.
struct View {
  Vec3 right, up, forward, centre;
  double distance = 0;  ///< of the eye from the centre; 0 = parallel projection
  double scale = 1;     ///< samples per metre (parallel) or per unit of slope (perspective)
  double middle_x = 0, middle_y = 0;

  Vec3 project(const Vec3& p) const {
    const Vec3 r = p - centre;
    const double z = r.dot(forward);
    const double s = distance > 0 ? scale / (distance + z) : scale;
    return {middle_x + s * r.dot(right), middle_y - s * r.dot(up), z};
  }
  /// The ray through a sample: origin and direction.
  std::pair<Vec3, Vec3> ray(double x, double y) const {
    const double a = (x - middle_x) / scale, b = (middle_y - y) / scale;
    if (distance > 0) return {centre - distance * forward, (forward + a * right + b * up).normalized()};
    return {centre + a * right + b * up - 1e3 * forward, forward};
  }
};

/// `right_edge`: samples at the right that stay free of the scene.
View make_view(std::span<const Picture::Facet> facets, const Camera& camera, int full_width, int height,
               int right_edge) {
  const int width = full_width - right_edge;
  View v;
  v.forward = camera.from.norm() > 0 ? Vec3(-camera.from.normalized()) : Vec3(0, 1, 0);
  Vec3 right = v.forward.cross(camera.up);
  v.right = right.norm() > 1e-9 ? Vec3(right.normalized()) : v.forward.unitOrthogonal();
  v.up = v.right.cross(v.forward);
  // The middle of the scene as the camera sees it.
  Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
  for (const auto& f : facets)
    for (const auto& p : f.corner) {
      const Vec3 q(p.dot(v.right), p.dot(v.up), p.dot(v.forward));
      low = low.cwiseMin(q), high = high.cwiseMax(q);
    }
  if (facets.empty()) low.setConstant(-1), high.setConstant(1);
  const Vec3 mid = 0.5 * (low + high);
  v.centre = mid.x() * v.right + mid.y() * v.up + mid.z() * v.forward;
  v.middle_x = 0.5 * width, v.middle_y = 0.5 * height;
  const double margin = std::max(camera.margin, 1e-3);
  if (!camera.perspective) {
    const Vec3 half = (0.5 * (high - low)).cwiseMax(1e-12);
    v.scale = std::min(v.middle_x / half.x(), v.middle_y / half.y()) / margin;
    return v;
  }
  // The nearest eye from which every corner is inside the frame.
  const double slope_y =
      std::tan(0.5 * std::clamp(camera.field_of_view_deg, 1.0, 120.0) * 0.017453292519943295);
  const double slope_x = slope_y * width / height;
  v.scale = v.middle_y / slope_y;
  for (const auto& f : facets)
    for (const auto& p : f.corner) {
      const Vec3 r = p - v.centre;
      v.distance = std::max(
          v.distance, margin * std::max(std::abs(r.dot(v.right)) / slope_x, std::abs(r.dot(v.up)) / slope_y) -
                          r.dot(v.forward));
    }
  v.distance = std::max(v.distance, 1.05 * 0.5 * (high - low).z() + 1e-9);
  return v;
}

struct Buffer {
  int width, height;
  std::vector<float> depth;  ///< distance along the view; infinity = background
  std::vector<Eigen::Vector3f> color;
  Buffer(int w, int h)
      : width(w),
        height(h),
        depth(static_cast<std::size_t>(w) * h, HUGE_VALF),
        color(depth.size(), Eigen::Vector3f::Zero()) {}
};

/// A key light over the viewer's left shoulder, a weak one from the right, and a sky brighter above than
/// below.
Vec3 lit(const Vec3& albedo, Vec3 n, const Vec3& to_eye, const View& view, const Vec3& sky) {
  if (n.dot(to_eye) < 0) n = -n;
  const Vec3 key = (-0.45 * view.right + 0.75 * view.up - 0.65 * view.forward).normalized();
  const Vec3 fill = (0.9 * view.right + 0.15 * view.up - 0.5 * view.forward).normalized();
  const double wrapped = std::max(0.0, (n.dot(key) + 0.2) / 1.2);
  const double light = 0.46 + 0.15 * n.dot(sky) + 0.50 * wrapped + 0.20 * std::max(0.0, n.dot(fill));
  const double shine = 0.10 * std::pow(std::max(0.0, n.dot((key + to_eye).normalized())), 40.0);
  return light * albedo + Vec3::Constant(shine);
}

void draw(Buffer& b, const Picture::Facet& f, const View& view, const Vec3& sky) {
  const Vec3 p[3] = {view.project(f.corner[0]), view.project(f.corner[1]), view.project(f.corner[2])};
  const double area =
      (p[1].x() - p[0].x()) * (p[2].y() - p[0].y()) - (p[2].x() - p[0].x()) * (p[1].y() - p[0].y());
  if (!(std::abs(area) > 1e-12)) return;
  const auto first = [](double v) { return static_cast<int>(std::max(0.0, std::ceil(v - 0.5))); };
  const auto last = [](double v, int limit) {
    return static_cast<int>(std::min(limit - 1.0, std::floor(v - 0.5)));
  };
  const int x0 = first(std::min({p[0].x(), p[1].x(), p[2].x()})),
            x1 = last(std::max({p[0].x(), p[1].x(), p[2].x()}), b.width);
  const int y0 = first(std::min({p[0].y(), p[1].y(), p[2].y()})),
            y1 = last(std::max({p[0].y(), p[1].y(), p[2].y()}), b.height);
  double
      height[3];  // of the triangle over each edge, in samples: turns a weight into a distance from the edge
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = p[(k + 2) % 3] - p[(k + 1) % 3];
    height[k] = std::abs(area) / std::max(1e-12, std::hypot(e.x(), e.y()));
  }
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      double w[3];
      for (int k = 0; k < 3; ++k) {
        const Vec3 &s = p[(k + 1) % 3], &t = p[(k + 2) % 3];
        w[k] = ((t.x() - s.x()) * (py - s.y()) - (px - s.x()) * (t.y() - s.y())) / area;
      }
      if (w[0] < 0 || w[1] < 0 || w[2] < 0) continue;
      const double nearest = std::min({w[0] * height[0], w[1] * height[1], w[2] * height[2]});
      if (view.distance > 0) {  // weights on the screen → weights on the triangle
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += w[k] /= view.distance + p[k].z();
        for (double& v : w) v /= sum;
      }
      const auto z = static_cast<float>(w[0] * p[0].z() + w[1] * p[1].z() + w[2] * p[2].z());
      const std::size_t at = static_cast<std::size_t>(y) * b.width + x;
      if (z >= b.depth[at]) continue;
      b.depth[at] = z;
      Vec3 albedo = Vec3::Zero(), normal = Vec3::Zero(), place = Vec3::Zero();
      for (int k = 0; k < 3; ++k) {
        albedo += w[k] * Vec3(f.color[k].r, f.color[k].g, f.color[k].b);
        normal += w[k] * f.normal[k];
        place += w[k] * f.corner[k];
      }
      const Vec3 eye =
          view.distance > 0 ? Vec3(view.centre - view.distance * view.forward - place) : Vec3(-view.forward);
      Vec3 c = lit(albedo, normal.normalized(), eye.normalized(), view, sky);
      if (f.edges) c *= 1 - 0.45 * std::clamp(1.15 * samples * 0.5 - nearest, 0.0, 1.0);
      b.color[at] = c.cast<float>();
    }
}

/// How much of the sky the ground under the scene loses, seen from above; blurred with the height.
class Shadow {
 public:
  Shadow(std::span<const Picture::Facet> facets, const Vec3& up) : up_(up.normalized()) {
    u_ = up_.unitOrthogonal(), v_ = up_.cross(u_);
    Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
    for (const auto& f : facets)
      for (const auto& p : f.corner) {
        const Vec3 q(p.dot(u_), p.dot(v_), p.dot(up_));
        low = low.cwiseMin(q), high = high.cwiseMax(q);
      }
    ground_ = low.z();
    const double size = std::max({high.x() - low.x(), high.y() - low.y(), high.z() - low.z(), 1e-12});
    const double pad = 0.35 * size;
    origin_ = Vec2(low.x() - pad, low.y() - pad);
    cell_ = (std::max(high.x() - low.x(), high.y() - low.y()) + 2 * pad) / n;
    // Facets nearer to the ground cast darker shadows.
    std::vector<float> dark(n * n, 0.f);
    for (const auto& f : facets) splat(f, dark, size);
    for (int pass = 0; pass < 3; ++pass) blur(dark);
    dark_ = std::move(dark);
  }
  double at(const View& view, double x, double y) const {
    const auto [origin, direction] = view.ray(x, y);
    const double fall = direction.dot(up_);
    if (fall > -1e-3) return 0;
    const Vec3 hit = origin + (ground_ - origin.dot(up_)) / fall * direction;
    const double i = (hit.dot(u_) - origin_.x()) / cell_ - 0.5, j = (hit.dot(v_) - origin_.y()) / cell_ - 0.5;
    if (!(i >= 0 && j >= 0 && i < n - 1 && j < n - 1)) return 0;
    const int a = static_cast<int>(i), b = static_cast<int>(j);
    const double s = i - a, t = j - b;
    const auto v = [&](int k, int l) {
      return static_cast<double>(dark_[static_cast<std::size_t>(l) * n + k]);
    };
    return (1 - t) * ((1 - s) * v(a, b) + s * v(a + 1, b)) +
           t * ((1 - s) * v(a, b + 1) + s * v(a + 1, b + 1));
  }

 private:
  static constexpr int n = 320;

  void splat(const Picture::Facet& f, std::vector<float>& dark, double size) const {
    Vec2 p[3];
    double height = 0;
    for (int k = 0; k < 3; ++k) {
      p[k] = (Vec2(f.corner[k].dot(u_), f.corner[k].dot(v_)) - origin_) / cell_;
      height += (f.corner[k].dot(up_) - ground_) / 3;
    }
    const auto strength = static_cast<float>(0.62 * std::exp(-3.5 * height / size));
    const double area = (p[1] - p[0]).x() * (p[2] - p[0]).y() - (p[1] - p[0]).y() * (p[2] - p[0]).x();
    const auto range = [](double a, double b, double c) {
      return std::pair(std::clamp(static_cast<int>(std::min({a, b, c})), 0, n - 1),
                       std::clamp(static_cast<int>(std::max({a, b, c})), 0, n - 1));
    };
    const auto [x0, x1] = range(p[0].x(), p[1].x(), p[2].x());
    const auto [y0, y1] = range(p[0].y(), p[1].y(), p[2].y());
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const Vec2 q(x + 0.5, y + 0.5);
        bool inside = std::abs(area) > 1e-9;
        for (int k = 0; k < 3 && inside; ++k) {
          const Vec2 e = p[(k + 1) % 3] - p[k], d = q - p[k];
          inside = (e.x() * d.y() - e.y() * d.x()) * area >= 0;
        }
        float& cell = dark[static_cast<std::size_t>(y) * n + x];
        if (inside) cell = std::max(cell, strength);
      }
  }

  static void blur(std::vector<float>& map) {
    constexpr int r = 5;
    std::vector<float> out(map.size());
    for (const bool rows : {true, false}) {
      for (int a = 0; a < n; ++a)
        for (int c = 0; c < n; ++c) {
          float sum = 0;
          for (int k = -r; k <= r; ++k) {
            const int d = std::clamp(c + k, 0, n - 1);
            sum += rows ? map[static_cast<std::size_t>(a) * n + d] : map[static_cast<std::size_t>(d) * n + a];
          }
          out[rows ? static_cast<std::size_t>(a) * n + c : static_cast<std::size_t>(c) * n + a] =
              sum / (2 * r + 1);
        }
      map = out;
    }
  }

  Vec3 up_, u_, v_;
  Vec2 origin_;
  double ground_ = 0, cell_ = 1;
  std::vector<float> dark_;
};

/// Corners and creases get less light: the share of near samples that lie in front, on the finished depths.
double occlusion(const Buffer& b, int x, int y, double radius, double reach) {
  const float z = b.depth[static_cast<std::size_t>(y) * b.width + x];
  double hidden = 0;
  constexpr int around = 12;
  for (int ring = 1; ring <= 2; ++ring)
    for (int k = 0; k < around; ++k) {
      const double a = 0.5235987755982988 * (k + 0.5 * ring);
      const int dx = static_cast<int>(std::lround(radius * 0.5 * ring * std::cos(a)));
      const int dy = static_cast<int>(std::lround(radius * 0.5 * ring * std::sin(a)));
      // A plane is not its own occluder: look at opposite samples together.
      const int xa = std::clamp(x + dx, 0, b.width - 1), ya = std::clamp(y + dy, 0, b.height - 1);
      const int xb = std::clamp(x - dx, 0, b.width - 1), yb = std::clamp(y - dy, 0, b.height - 1);
      const double za = b.depth[static_cast<std::size_t>(ya) * b.width + xa],
                   zb = b.depth[static_cast<std::size_t>(yb) * b.width + xb];
      // What is far in front is another body: it must not draw a halo on this one.
      if (z - za > reach || z - zb > reach) continue;
      const double front = z - 0.5 * (std::min<double>(za, z + reach) + std::min<double>(zb, z + reach));
      hidden += std::clamp(front / (0.35 * reach), 0.0, 1.0);
    }
  return hidden / (2 * around);
}

}  // namespace

std::vector<unsigned char> render(std::span<const Picture::Facet> facets, const Camera& camera,
                                  const PictureStyle& style, int right_margin) {
  Buffer b(style.width * samples, style.height * samples);
  const View view = make_view(facets, camera, b.width, b.height, right_margin * samples);
  const Vec3 sky = camera.up.norm() > 0 ? Vec3(camera.up.normalized()) : view.up;
  for (const auto& f : facets) draw(b, f, view, sky);

  double near = HUGE_VAL, far = -HUGE_VAL;
  for (float z : b.depth)
    if (std::isfinite(z)) near = std::min<double>(near, z), far = std::max<double>(far, z);
  const bool with_shadow = style.shadow && !facets.empty() && view.forward.dot(sky) < -0.05;
  const auto shadow = with_shadow ? std::make_unique<Shadow>(facets, sky) : nullptr;
  const double reach = 0.08 * std::max(far - near, 1e-12), radius = 0.022 * b.height;
  std::vector<unsigned char> out(static_cast<std::size_t>(style.width) * style.height * 3);
  for (int y = 0; y < style.height; ++y)
    for (int x = 0; x < style.width; ++x) {
      Vec3 sum = Vec3::Zero();
      const double mid_x = (x + 0.5) * samples, mid_y = (y + 0.5) * samples;
      const double t = static_cast<double>(y) / style.height;
      const Vec3 paper = (1 - t) * Vec3(1, 1, 1) + t * Vec3(0.945, 0.952, 0.962);
      const double dark = shadow ? shadow->at(view, mid_x, mid_y) : 0;
      const int cx = x * samples + samples / 2, cy = y * samples + samples / 2;
      const bool solid = std::isfinite(b.depth[static_cast<std::size_t>(cy) * b.width + cx]);
      const double light = solid ? 1 - 0.55 * occlusion(b, cx, cy, radius, reach) : 1;
      for (int i = 0; i < samples; ++i)
        for (int j = 0; j < samples; ++j) {
          const std::size_t at = static_cast<std::size_t>(y * samples + i) * b.width + x * samples + j;
          sum += std::isfinite(b.depth[at]) ? Vec3(light * b.color[at].cast<double>())
                                            : Vec3((1 - 0.6 * dark) * paper);
        }
      sum /= samples * samples;
      for (int k = 0; k < 3; ++k)
        out[3 * (static_cast<std::size_t>(y) * style.width + x) + k] =
            static_cast<unsigned char>(std::lround(255 * std::clamp(sum[k], 0.0, 1.0)));
    }
  return out;
}

}  // namespace palp::drawing
