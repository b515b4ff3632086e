#include "palp/mechanics/global_corotational_body.hpp"

#include <cmath>

#include "palp/mechanics/frame_system.hpp"
#include "palp/mechanics/pose.hpp"

namespace palp {

struct GlobalCorotationalBody::Workspace final : BodyWorkspace {
  SparseCholesky K;   ///< factor of the supported stiffness, made once
  FrameSystem frame;  ///< free_motion fills
  double softening = 1;
  CondensedCompliance compliance;
  CarryingFrame carrying;  ///< free_motion fills
  PointJacobian H;         ///< the deformation's part of H (columns are nodes), without held nodes
  PointJacobian H_batch;   ///< some rows of it
  MatX U;                  ///< what they cause
  VecX f;                  ///< 3 · nodes
};

// ------------------------------------------------------------------------------------- rigid motions inside

Vec6 GlobalCorotationalBody::rigid_resultant(ConstVecRef f) const {
  Vec6 sum = Vec6::Zero();
  for (int i = 0; i < nodes(); ++i) {
    const Vec3 fi = f.segment<3>(3 * i);
    sum.head<3>() += fi;
    sum.tail<3>() += local_[i].cross(fi);
  }
  return sum;
}

void GlobalCorotationalBody::remove_rigid(VecRef u) const {
  if (!mean_axes()) return;
  Vec6 momentum = Vec6::Zero();  // ΦᵀM u
  for (int i = 0; i < nodes(); ++i) {
    const Vec3 mu = node_mass_[i] * u.segment<3>(3 * i);
    momentum.head<3>() += mu;
    momentum.tail<3>() += local_[i].cross(mu);
  }
  const Vec6 a = rigid_mass_inverse_ * momentum;
  const Vec3 linear = a.head<3>(), angular = a.tail<3>();
  for (int i = 0; i < nodes(); ++i) u.segment<3>(3 * i) -= linear + angular.cross(local_[i]);
}

/// u −= K⁻¹ MΦ a, node by node: the order in which Eigen sums one long product follows the address of u, and
/// so would the bits.
void GlobalCorotationalBody::remove_load_response(const Vec6& a, VecRef u) const {
  for (int i = 0; i < nodes(); ++i) u.segment<3>(3 * i) -= rigid_load_response_.middleRows<3>(3 * i) * a;
}

/// Mean axes: u = P K⁻¹ Pᵀ f with Pᵀ f = f − MΦ a, a the rigid acceleration that f causes. K⁻¹ MΦ a is known,
/// so that K meets f alone, which is zero but for a few nodes.
void GlobalCorotationalBody::solve(const SparseCholesky& K, VecRef f) const {
  if (!mean_axes()) {
    for (int i : frame_nodes_) f.segment<3>(3 * i).setZero();
    return K.solve(f);
  }
  const Vec6 a = rigid_mass_inverse_ * rigid_resultant(f);
  K.solve(f);
  remove_load_response(a, f);
  remove_rigid(f);
}

/// H: no entries on frame nodes.
void GlobalCorotationalBody::solve(const SparseCholesky& K, const PointJacobian& H, MatX& U) const {
  K.solve(H, U);
  if (!mean_axes()) return;
  for (int i = 0; i < H.points(); ++i)
    for (int c = 0; c < 3; ++c) {
      Vec6 resultant = Vec6::Zero();  // Φᵀ f
      for (int k = H.start[i]; k < H.start[i + 1]; ++k) {
        const Vec3 f = H.block[k].row(c).transpose();
        resultant.head<3>() += f;
        resultant.tail<3>() += local_[H.column[k]].cross(f);
      }
      auto u = U.col(3 * i + c);
      remove_load_response(rigid_mass_inverse_ * resultant, u);
      remove_rigid(u);
    }
}

// ------------------------------------------------------------------------------------------------------ skin

BodyState GlobalCorotationalBody::rest_state() const {
  BodyState state{VecX::Zero(7 + 3 * nodes()), VecX::Zero(dof())};
  set_pose(state.x, 0, centre_, Quat::Identity());
  return state;
}

Vec3 GlobalCorotationalBody::node_position(const BodyState& state, int node) const {
  return pose_position(state.x, 0) +
         pose_rotation(state.x, 0) * Vec3(local_[node] + state.x.segment<3>(7 + 3 * node));
}

void GlobalCorotationalBody::skin_positions(const BodyState& state, ConstVecRef dx,
                                            std::span<Vec3> out) const {
  Vec3 p = pose_position(state.x, 0);
  Quat q = pose_rotation(state.x, 0);
  const bool moved = dx.size() != 0;
  if (moved) {
    p += dx.segment<3>(0);
    q = rotation_from_vector(dx.segment<3>(3)) * q;
  }
  const Mat3 R = q.toRotationMatrix();
  for (int v = 0; v < skin_.vertices; ++v) {
    Vec3 r = Vec3::Zero();
    for (int k = skin_nodes_.start[v]; k < skin_nodes_.start[v + 1]; ++k) {
      const int i = skin_nodes_.column[k];
      Vec3 node = local_[i] + state.x.segment<3>(7 + 3 * i);
      if (moved) node += dx.segment<3>(6 + 3 * i);
      r += skin_nodes_.block[k](0, 0) * node;
    }
    out[v] = p + R * r;
  }
}

void GlobalCorotationalBody::append_vertex(const BodyState& state, int vertex, double weight,
                                           PointJacobian& H) const {
  const size_t first = H.column.size();
  const Mat3 R = pose_rotation(state.x, 0).toRotationMatrix();
  Vec3 r = Vec3::Zero();
  for (int k = skin_nodes_.start[vertex]; k < skin_nodes_.start[vertex + 1]; ++k) {
    const int i = skin_nodes_.column[k];
    const double w = skin_nodes_.block[k](0, 0);
    r += w * (local_[i] + state.x.segment<3>(7 + 3 * i));
    H.add(2 + i, weight * w * R);
  }
  H.add(0, weight * Mat3::Identity());
  H.add(1, -weight * cross_matrix(R * r));
  if (compliance_.by_vertex()) H.label(first, vertex);
}

// ------------------------------------------------------------------------------------------------------ step

std::unique_ptr<BodyWorkspace> GlobalCorotationalBody::make_workspace() const {
  auto ws = std::make_unique<Workspace>();
  ws->dx_free = VecX::Zero(dof());
  ws->f = VecX::Zero(3 * nodes());
  ws->K.analyze(supported_);
  ws->K.factor(supported_);  // succeeded in make()
  ws->compliance = compliance_;
  return ws;
}

/// Everything that moves the frame. Gravity acts on the deformed nodes.
bool GlobalCorotationalBody::begin_frame(const BodyState& state, const Loads& loads, double h,
                                         Workspace& ws) const {
  if (!(h > 0) || !std::isfinite(h) || state.x.size() != 7 + 3 * nodes() || state.v.size() != dof())
    return false;
  if (!state.x.allFinite() || !state.v.allFinite()) return false;
  if (loads.force.size() != 0 && loads.force.size() != dof()) return false;
  const Mat3 R = pose_rotation(state.x, 0).toRotationMatrix();
  ws.frame.begin(mass(), R * inertia_ * R.transpose(), alpha_, state.v.head<6>(), h, quasi_static_,
                 ws.scheme);
  Vec3 shift = Vec3::Zero();
  for (int i = 0; i < nodes(); ++i) shift += node_mass_[i] * state.x.segment<3>(7 + 3 * i);
  ws.frame.rhs.head<3>() += mass() * loads.gravity;
  ws.frame.rhs.tail<3>() += (R * shift).cross(loads.gravity);
  if (loads.force.size() != 0) ws.frame.rhs += loads.force.head<6>();
  for (const BlockLoad& load : loads.blocks)
    if (!ws.frame.add(load)) return false;
  return ws.frame.factor();
}

bool GlobalCorotationalBody::free_motion(const BodyState& state, const Loads& loads, double h,
                                         BodyWorkspace& workspace) const {
  auto& ws = static_cast<Workspace&>(workspace);
  ws.scheme = quasi_static_ ? Scheme::euler : loads.scheme;
  if (!begin_frame(state, loads, h, ws)) return false;
  ws.h = h;
  ws.softening = softening(h);
  ws.carrying.R = pose_rotation(state.x, 0).toRotationMatrix();
  ws.carrying.scale = ws.softening;
  ws.carrying.inverse = ws.frame.inverse;
  ws.dx_free.head<6>().noalias() = ws.frame.inverse * ws.frame.rhs;
  // Δu = (K⁻¹ f − u)/(1 + β/h): without loads inside the body the old deformation just relaxes.
  auto du = ws.dx_free.tail(3 * nodes());
  du = -state.x.tail(3 * nodes());
  if (loads.force.size() != 0 && !loads.force.tail(3 * nodes()).isZero(0)) {
    ws.f = loads.force.tail(3 * nodes());
    solve(ws.K, ws.f);
    du += ws.f;
  }
  if (!mean_axes()) {
    const Vec3 g = pose_rotation(state.x, 0).conjugate() * loads.gravity;
    du.noalias() += weight_response_ * g;
  }
  du *= ws.softening;
  return ws.dx_free.allFinite();
}

void GlobalCorotationalBody::project_compliance(const PointJacobian& H, BodyWorkspace& workspace,
                                                MatRef G) const {
  auto& ws = static_cast<Workspace&>(workspace);
  const auto columns = [this, &ws](const PointJacobian& E, MatX& U) { solve(ws.K, E, U); };
  if (ws.compliance.project(columns, H, G, &ws.carrying)) return;

  // A node inside was touched, or too many: the columns of the points themselves.
  project_frame(H, ws.frame.inverse, G);
  ws.H.clear();
  const int m = H.points();
  for (int i = 0; i < m; ++i) {
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      if (const int node = H.column[k] - 2; node >= 0 && !held_[node]) ws.H.add(node, H.block[k]);
    ws.H.end_point();
  }
  constexpr int kBatch = 32;
  for (int begin = 0; begin < m; begin += kBatch) {
    const int end = std::min(m, begin + kBatch);
    ws.H_batch.clear();
    for (int j = begin; j < end; ++j) {
      for (int k = ws.H.start[j]; k < ws.H.start[j + 1]; ++k) ws.H_batch.add(ws.H.column[k], ws.H.block[k]);
      ws.H_batch.end_point();
    }
    solve(ws.K, ws.H_batch, ws.U);
    for (int j = begin; j < end; ++j)
      for (int i = 0; i <= j; ++i) {
        Mat3 g = Mat3::Zero();
        for (int k = ws.H.start[i]; k < ws.H.start[i + 1]; ++k)
          g += ws.H.block[k] * ws.U.block<3, 3>(3 * ws.H.column[k], 3 * (j - begin));
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < (i == j ? c + 1 : 3); ++r) {
            const int row = 3 * i + r, col = 3 * j + c;
            G(row, col) += ws.softening * g(r, c);
            if (row != col) G(col, row) += ws.softening * g(r, c);
          }
      }
  }
}

void GlobalCorotationalBody::response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& workspace,
                                      VecRef dx_c) const {
  auto& ws = static_cast<Workspace&>(workspace);
  dx_c.setZero();
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      dx_c.segment<3>(3 * H.column[k]).noalias() += H.block[k].transpose() * lambda.segment<3>(3 * i);
  const Vec6 wrench = dx_c.segment<6>(0);
  dx_c.segment<6>(0).noalias() = ws.frame.inverse * wrench;
  solve(ws.K, dx_c.tail(3 * nodes()));
  dx_c.tail(3 * nodes()) *= ws.softening;
}

void GlobalCorotationalBody::commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const {
  // The frame: one motion after the other, as the rigid body does (rigid_body.cpp).
  state.v = ws.dx_free;
  advance_pose(state.x, 0, ws.dx_free.segment<3>(0), ws.dx_free.segment<3>(3));
  if (dx_c.size() > 0) {
    advance_pose(state.x, 0, dx_c.segment<3>(0), dx_c.segment<3>(3));
    state.v += dx_c;
  }
  state.x.tail(3 * nodes()) += state.v.tail(3 * nodes());
  const Vec6 dq = state.v.head<6>();
  state.v /= ws.h;
  const Mat3 R = pose_rotation(state.x, 0).toRotationMatrix();
  state.v.head<6>() = static_cast<const Workspace&>(ws).frame.velocity(ws, dq, R * inertia_ * R.transpose());
}

void GlobalCorotationalBody::apply_system(const BodyState& start, const BodyWorkspace& workspace,
                                          ConstVecRef dx, VecRef M_dx, VecRef D_dx, VecRef A_dx) const {
  const auto& ws = static_cast<const Workspace&>(workspace);
  const Mat3 R = pose_rotation(start.x, 0).toRotationMatrix();
  M_dx.setZero();
  M_dx.head<3>() = mass() * dx.head<3>();
  M_dx.segment<3>(3) = R * (inertia_ * (R.transpose() * dx.segment<3>(3)));
  A_dx.setZero();
  stiffness_.multiply_add(dx.tail(3 * nodes()), A_dx.tail(3 * nodes()));
  D_dx = beta_ * A_dx;
  D_dx.head<6>() = alpha_ * M_dx.head<6>();
  A_dx /= ws.softening;
  A_dx.head<6>().noalias() = ws.frame.A * dx.head<6>();
  if (quasi_static_) M_dx.setZero();
}

// --------------------------------------------------------------------------------------------------- reports

double GlobalCorotationalBody::kinetic_energy(const BodyState& state) const {
  if (quasi_static_) return 0;
  const Vec3 w = pose_rotation(state.x, 0).conjugate() * Vec3(state.v.segment<3>(3));
  return 0.5 * mass() * state.v.head<3>().squaredNorm() + 0.5 * w.dot(inertia_ * w);
}

double GlobalCorotationalBody::elastic_energy(const BodyState& state) const {
  const VecX u = state.x.tail(3 * nodes());
  VecX f = VecX::Zero(3 * nodes());
  stiffness_.multiply_add(u, f);
  return 0.5 * u.dot(f);
}

void GlobalCorotationalBody::internal_force(const BodyState& state, VecRef f) const {
  f.setZero();
  stiffness_.multiply_add(state.x.tail(3 * nodes()), f.tail(3 * nodes()));
}

MatX GlobalCorotationalBody::dense_system(const BodyState& state, const Loads& loads, double h) const {
  const int n = 3 * nodes(), border = mean_axes() ? 6 : 0;
  Workspace ws;
  if (!begin_frame(state, loads, h, ws)) return MatX::Constant(dof() + border, dof() + border, std::nan(""));
  MatX A = MatX::Zero(dof() + border, dof() + border);
  A.topLeftCorner<6, 6>() = ws.frame.A;
  A.block(6, 6, n, n) = stiffness_.dense() / softening(h);
  const double size = A.block(6, 6, n, n).diagonal().mean();
  for (int i : frame_nodes_) {
    A.middleRows<3>(6 + 3 * i).setZero();
    A.middleCols<3>(6 + 3 * i).setZero();
    A.block<3, 3>(6 + 3 * i, 6 + 3 * i) = 1e20 * size * Mat3::Identity();
  }
  if (!mean_axes()) return A;
  MatX rows =
      MatX::Zero(6, n);  // ΦᵀM; each row scaled to the size of the stiffness, which changes nothing else
  for (int i = 0; i < nodes(); ++i) {
    rows.block<3, 3>(0, 3 * i) = node_mass_[i] * Mat3::Identity();
    rows.block<3, 3>(3, 3 * i) = node_mass_[i] * cross_matrix(local_[i]);
  }
  for (int r = 0; r < 6; ++r) rows.row(r) *= size / rows.row(r).norm();
  A.block(6 + n, 6, 6, n) = rows;
  A.block(6, 6 + n, n, 6) = rows.transpose();
  return A;
}

bool GlobalCorotationalBody::frame(const BodyState& state, int index, BodyFrame& out) const {
  if (index < 0 || index >= 1) return false;
  out = pose_frame(state, index);
  return true;
}

}  // namespace palp
