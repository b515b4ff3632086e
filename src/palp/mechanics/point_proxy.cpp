#include "palp/mechanics/point_proxy.hpp"

#include <cmath>

#include <Eigen/Cholesky>

namespace palp {
namespace {

struct PointWorkspace final : BodyWorkspace {
  Mat3 A = Mat3::Zero(), inverse = Mat3::Zero();  ///< free_motion fills
};

Mat3 row_block(const PointJacobian& H, int i) {
  Mat3 J = Mat3::Zero();
  for (int k = H.start[i]; k < H.start[i + 1]; ++k) J += H.block[k];
  return J;
}

}  // namespace

BlockLoad proxy_coupling(const BodyState& proxy, double k, double d, const Vec3& x_device,
                         const Vec3& v_device, double h) {
  BlockLoad load;
  load.stiffness.topLeftCorner<3, 3>() = (k + d / h) * Mat3::Identity();
  load.force.head<3>() = k * (x_device - proxy.x) + d * v_device;
  return load;
}

PointProxy::PointProxy(const PointProxySpec& spec) : spec_(spec) {
  skin_.vertices = 1;
  skin_.radius = spec.radius_m;
}

Result<std::unique_ptr<PointProxy>> PointProxy::make(const PointProxySpec& spec) {
  const auto not_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!spec.position_m.allFinite()) return Error{.message = "point proxy: position_m is not finite"};
  if (!not_negative(spec.mass_kg) || spec.mass_kg == 0)
    return Error{.message = "point proxy: mass_kg must be positive", .remedy = "1e-3 is usual"};
  if (!not_negative(spec.damping_N_s_per_m) || !not_negative(spec.radius_m))
    return Error{.message = "point proxy: damping_N_s_per_m and radius_m must not be negative"};
  return std::unique_ptr<PointProxy>(new PointProxy(spec));
}

std::unique_ptr<BodyWorkspace> PointProxy::make_workspace() const {
  auto ws = std::make_unique<PointWorkspace>();
  ws->dx_free = VecX::Zero(3);
  return ws;
}

void PointProxy::skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const {
  out[0] = dx.size() == 0 ? Vec3(state.x) : Vec3(state.x + dx);
}

void PointProxy::append_vertex(const BodyState&, int, double weight, PointJacobian& H) const {
  H.add(0, weight * Mat3::Identity());
}

bool PointProxy::free_motion(const BodyState& state, const Loads& loads, double h,
                             BodyWorkspace& workspace) const {
  auto& ws = static_cast<PointWorkspace&>(workspace);
  ws.h = h;
  ws.scheme = loads.scheme;
  const double second = loads.scheme == Scheme::midpoint ? 2 : 1;
  if (!(h > 0) || state.x.size() != 3 || !state.x.allFinite() || !state.v.allFinite()) return false;
  if (loads.force.size() != 0 && loads.force.size() != 3) return false;
  Mat3& A = ws.A;
  A = (second * spec_.mass_kg / (h * h) + spec_.damping_N_s_per_m / h) * Mat3::Identity();
  Vec3 r = spec_.mass_kg * (loads.gravity + second / h * state.v);
  if (loads.force.size() == 3) r += loads.force;
  for (const BlockLoad& load : loads.blocks) {
    if (load.block != 0 || load.has_rotation) return false;
    A += load.stiffness.topLeftCorner<3, 3>();
    r += load.force.head<3>();
  }
  const Eigen::LLT<Mat3> llt(A);
  if (llt.info() != Eigen::Success) return false;
  ws.inverse = llt.solve(Mat3::Identity());
  ws.dx_free.head<3>().noalias() = ws.inverse * r;
  return ws.inverse.allFinite() && ws.dx_free.allFinite();
}

void PointProxy::project_compliance(const PointJacobian& H, BodyWorkspace& workspace, MatRef G) const {
  const Mat3& C = static_cast<PointWorkspace&>(workspace).inverse;
  for (int q = 0; q < H.points(); ++q) {
    const Mat3 Y = C * row_block(H, q).transpose();
    for (int p = 0; p < H.points(); ++p) G.block<3, 3>(3 * p, 3 * q) += row_block(H, p) * Y;
  }
}

void PointProxy::response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& workspace,
                          VecRef dx_c) const {
  Vec3 f = Vec3::Zero();
  for (int i = 0; i < H.points(); ++i) f += row_block(H, i).transpose() * lambda.segment<3>(3 * i);
  dx_c.head<3>().noalias() = static_cast<PointWorkspace&>(workspace).inverse * f;
}

void PointProxy::commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const {
  Vec3 dx = ws.dx_free;
  if (dx_c.size() > 0) dx += dx_c;
  state.x += dx;
  state.v = ws.reflects() ? Vec3(2 / ws.h * dx - state.v) : Vec3(dx / ws.h);
}

void PointProxy::apply_system(const BodyState&, const BodyWorkspace& ws, ConstVecRef dx, VecRef M_dx,
                              VecRef D_dx, VecRef A_dx) const {
  M_dx = spec_.mass_kg * dx;
  D_dx = spec_.damping_N_s_per_m * dx;
  A_dx.noalias() = static_cast<const PointWorkspace&>(ws).A * dx;
}

MatX PointProxy::dense_system(const BodyState&, const Loads& loads, double h) const {
  MatX A = (spec_.mass_kg / (h * h) + spec_.damping_N_s_per_m / h) * MatX::Identity(3, 3);
  for (const BlockLoad& load : loads.blocks) A += load.stiffness.topLeftCorner<3, 3>();
  return A;
}

bool PointProxy::frame(const BodyState& state, int index, BodyFrame& out) const {
  if (index != 0) return false;
  out = BodyFrame{};
  out.position = state.x;
  out.velocity = state.v;
  return true;
}

}  // namespace palp
