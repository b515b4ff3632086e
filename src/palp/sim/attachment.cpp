#include "palp/sim/attachment.hpp"

#include <array>
#include <cmath>

namespace palp {
namespace {

constexpr std::uint64_t attachment_key = std::uint64_t(7) << 61;

/// The point of a rigid skin that is now at `at`: on the vertices of `on`, which span space (rigid_point).
SkinPoint carried(const SkinPoint& on, std::span<const Vec3> skin, const Vec3& at) {
  SkinPoint out = on;
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = skin[on.vertex[k]] - skin[on.apex];
  out.weight = edges.inverse() * (at - skin[on.apex]);
  out.apex_weight = 1 - out.weight.sum();
  return out;
}

}  // namespace

bool Switch::always() const {
  return std::isinf(from_s) && std::isinf(until_s) && std::isinf(break_N) && device < 0;
}

bool Switch::on(double end_s, const std::vector<unsigned>& buttons) const {
  constexpr double rounding_s = 1e-9;
  if (!(end_s > from_s + rounding_s) || !(end_s <= until_s + rounding_s)) return false;
  return device < 0 || (static_cast<size_t>(device) < buttons.size() && (buttons[device] & button) != 0);
}

bool is_attachment(const ContactId& id) { return (id.features >> 61) == 7; }
size_t attachment_index(const ContactId& id) { return static_cast<size_t>(id.features & ~attachment_key); }

Contact contact_from_attachment(const Attachment& a, int index, const Vec3& apart,
                                std::span<const Vec3> start1, std::span<const Vec3> start2,
                                std::span<const Vec3> free1, std::span<const Vec3> free2, double h,
                                double theta) {
  using Keeps = Attachment::Keeps;
  Contact c;
  c.bilateral = true;
  c.id = {a.body1, a.body2, attachment_key | std::uint64_t(index)};
  c.P = a.P;
  c.Q = a.Q;
  c.frame = Mat3::Identity();
  const Vec3 P = a.P.at(free1);
  const Vec3 Q = a.body2 < 0 ? a.anchor : a.Q.at(free2);
  if (a.keeps == Keeps::line || a.keeps == Keeps::plane) {
    const Vec3 axis = ((a.body2 < 0 ? a.anchor2 : a.Q2.at(free2)) - Q).normalized();
    const Vec3 along = axis.dot(P - Q) * axis;
    const bool line = a.keeps == Keeps::line;
    c.frame = contact_frame(axis);
    if (line)
      c.frame.row(0).setZero();
    else
      c.frame.bottomRows<2>().setZero();
    c.delta_free = c.frame * (P - Q);
    // Where P would be if it were kept: there the bodies meet, however far P has slid.
    if (a.body2 >= 0) c.Q = carried(a.Q, free2, line ? Vec3(Q + along) : Vec3(P - along));
    return c;
  }
  if (a.keeps == Keeps::distance) {
    const double length = (P - Q).norm();
    c.frame.setZero();
    c.frame.row(0) = length > 0 ? Vec3((P - Q) / length) : Vec3(Vec3::UnitZ());
    c.delta_free = Vec3(length - a.length_m, 0, 0);
  } else {
    c.delta_free = P - Q - apart;
  }
  if (!a.spring()) return c;
  const double k = a.stiffness_N_per_m, d_h = a.damping_N_s_per_m / h;
  const Vec3 P0 = a.P.at(start1), Q0 = a.body2 < 0 ? a.anchor : a.Q.at(start2);
  const Vec3 before =
      a.keeps == Keeps::distance ? Vec3((P0 - Q0).norm() - a.length_m, 0, 0) : Vec3(P0 - Q0 - apart);
  c.compliance = 1 / (theta * k + d_h);
  c.delta_free += ((1 - theta) * k - d_h) * c.compliance * before;
  return c;
}

bool rigid_point(std::span<const Vec3> skin, const Vec3& at, SkinPoint& out) {
  // The first vertex, the one furthest from it, from their line, from their plane.
  std::array<int, 4> corner{};
  const auto furthest = [&](auto distance) {
    int best = 0;
    for (int v = 0; v < static_cast<int>(skin.size()); ++v)
      if (distance(skin[v]) > distance(skin[best])) best = v;
    return best;
  };
  const Vec3& origin = skin[0];
  corner[1] = furthest([&](const Vec3& x) { return (x - origin).norm(); });
  const Vec3 a = skin[corner[1]] - origin;
  corner[2] = furthest([&](const Vec3& x) { return a.cross(x - origin).norm(); });
  const Vec3 n = a.cross(skin[corner[2]] - origin);
  corner[3] = furthest([&](const Vec3& x) { return std::abs(n.dot(x - origin)); });
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = skin[corner[k + 1]] - origin;
  const double size = a.norm();
  if (!(std::abs(edges.determinant()) > 1e-6 * size * size * size)) return false;
  const Vec3 weight = edges.inverse() * (at - origin);
  out = {{corner[1], corner[2], corner[3]}, weight, corner[0], 1 - weight.sum()};
  return true;
}

}  // namespace palp
