#include "palp/mesh/part_axes.hpp"

#include <algorithm>
#include <cmath>

#include "palp/math/dense.hpp"

namespace palp {
namespace {

struct Face {
  Vec3 normal;
  double area;
};

double parallel(const std::vector<Face>& faces, const Mat3& axes) {
  double sum = 0, area = 0;
  for (const Face& f : faces) {
    sum += f.area * (axes.transpose() * f.normal).array().square().square().sum();
    area += f.area;
  }
  return sum / area;
}

/// The directions of most area, opposite ones together.
std::vector<Vec3> large_faces(std::vector<Face> faces) {
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.area > b.area; });
  std::vector<Face> bins;
  for (const Face& f : faces) {
    const auto bin = std::find_if(bins.begin(), bins.end(),
                                  [&](const Face& b) { return std::abs(b.normal.dot(f.normal)) > 0.9999; });
    if (bin != bins.end())
      bin->area += f.area;
    else if (bins.size() < 40)
      bins.push_back(f);
  }
  std::stable_sort(bins.begin(), bins.end(), [](const Face& a, const Face& b) { return a.area > b.area; });
  std::vector<Vec3> out;
  for (size_t i = 0; i < bins.size() && i < 6; ++i) out.push_back(bins[i].normal);
  return out;
}

Mat3 frame_of(const Vec3& x, const Vec3& near_y) {
  Mat3 axes;
  axes.col(0) = x;
  axes.col(2) = x.cross(near_y).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

/// The same axes, named so that each is nearest to the world's of that name.
Mat3 like_the_world(const Mat3& axes) {
  Mat3 out;
  int x = 0, y = 1;
  axes.row(0).cwiseAbs().maxCoeff(&x);
  y = (x + 1) % 3;
  if (std::abs(axes(1, (x + 2) % 3)) > std::abs(axes(1, y))) y = (x + 2) % 3;
  out.col(0) = axes(0, x) < 0 ? Vec3(-axes.col(x)) : Vec3(axes.col(x));
  out.col(1) = axes(1, y) < 0 ? Vec3(-axes.col(y)) : Vec3(axes.col(y));
  out.col(2) = out.col(0).cross(out.col(1));
  return out;
}

}  // namespace

Mat3 part_axes(const TriMesh& surface) {
  std::vector<Face> faces;
  Vec3 middle = Vec3::Zero();
  double area = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 n = (surface.nodes[b] - surface.nodes[a]).cross(surface.nodes[c] - surface.nodes[a]);
    const double size = n.norm();
    if (!(size > 0)) continue;
    faces.push_back({n / size, 0.5 * size});
    middle += size * (surface.nodes[a] + surface.nodes[b] + surface.nodes[c]) / 3;
    area += size;
  }
  if (faces.empty()) return Mat3::Identity();
  middle /= area;
  Mat3 spread = Mat3::Zero();
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 x = surface.nodes[a] - middle, y = surface.nodes[b] - middle, z = surface.nodes[c] - middle;
    spread +=
        (y - x).cross(z - x).norm() / area *
        (x * x.transpose() + y * y.transpose() + z * z.transpose() + (x + y + z) * (x + y + z).transpose());
  }
  const Mat3 own = symmetric_eigen(spread).vectors;
  std::vector<Mat3> candidates{frame_of(own.col(2), own.col(1))};
  const std::vector<Vec3> large = large_faces(faces);
  for (size_t i = 0; i < large.size(); ++i)
    for (size_t j = 0; j < large.size(); ++j)
      if (i != j && large[i].cross(large[j]).norm() > 0.1) candidates.push_back(frame_of(large[i], large[j]));
  Mat3 best = Mat3::Identity();
  const double world = parallel(faces, best);
  double most = std::min(1.02 * world, std::max(world + 1e-6, 0.5 * (1 + world)));
  for (const Mat3& axes : candidates)
    if (const double p = parallel(faces, axes); axes.allFinite() && p > most) {
      best = like_the_world(axes);
      most = p;
    }
  return best;
}

}  // namespace palp
