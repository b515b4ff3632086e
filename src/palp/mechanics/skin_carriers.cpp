#include "palp/mechanics/skin_carriers.hpp"

#include <array>

#include "palp/math/dense.hpp"

namespace palp {

SkinCarriers carriers_of(const Body& body) {
  SkinCarriers out;
  if (!body.movable() || is_soft(body)) return out;
  const Skin& skin = body.skin();
  std::vector<Vec3> x(skin.vertices);
  body.skin_positions(body.rest_state(), VecX(), x);
  if (skin.rounded()) {
    for (int k = 0; k < 4; ++k) out.vertex.push_back(skin.core.vertices + k);
  } else {
    MatX span(3, 0);  // orthonormal
    double size = 0;
    for (int k = 0; k < 4; ++k) {
      int best = 0;
      double furthest = -1;
      for (int v = 0; v < skin.vertices; ++v) {
        Vec3 d = x[v] - x[out.vertex.empty() ? 0 : out.vertex[0]];
        d -= span * (span.transpose() * d);
        if (d.norm() > furthest) best = v, furthest = d.norm();
      }
      if (k == 0) best = 0;
      if (k == 1) size = furthest;
      if (k > 0 && !(furthest > 1e-6 * size)) break;
      if (k > 0) {
        Vec3 d = x[best] - x[out.vertex[0]];
        d -= span * (span.transpose() * d);
        span.conservativeResize(3, k);
        span.col(k - 1) = d.normalized();
      }
      out.vertex.push_back(best);
    }
  }
  const int n = static_cast<int>(out.vertex.size());
  MatX edges(3, n - 1);
  for (int k = 1; k < n; ++k) edges.col(k - 1) = x[out.vertex[k]] - x[out.vertex[0]];
  for (const Vec3& at : x) {
    Eigen::Vector4d share = Eigen::Vector4d::Zero();
    if (n > 1) share.segment(1, n - 1) = least_squares(edges, at - x[out.vertex[0]]);
    share[0] = 1 - share.tail<3>().sum();
    out.share.push_back(share);
  }
  return out;
}

void SkinCarriers::carry(std::vector<Vec3>& x) const {
  std::array<Vec3, 4> at;
  for (size_t k = 0; k < vertex.size(); ++k) at[k] = x[vertex[k]];
  for (size_t v = 0; v < x.size(); ++v) {
    x[v].setZero();
    for (size_t k = 0; k < vertex.size(); ++k) x[v] += share[v][static_cast<long>(k)] * at[k];
  }
}

Vec3 SkinCarriers::turn(const std::vector<Vec3>& from, const std::vector<Vec3>& to) const {
  Mat3 before, after;
  for (int k = 0; k < 3; ++k) {
    before.col(k) = from[vertex[k + 1]] - from[vertex[0]];
    after.col(k) = to[vertex[k + 1]] - to[vertex[0]];
  }
  const Eigen::AngleAxisd spin(Quat(Mat3(after * before.inverse())).normalized());
  return spin.angle() * spin.axis();
}

}  // namespace palp
