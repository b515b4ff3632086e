// GlobalCorotationalBody::make: mass and stiffness from the linear elements, support, condensation.
#include <cmath>

#include "palp/math/rotation.hpp"
#include "palp/mechanics/global_corotational_body.hpp"

namespace palp {

struct GlobalCorotationalBody::Builder {
  GlobalCorotationalBody& b;
  size_t bound_bytes;

  void frame() {
    const double m = b.node_mass_.sum();
    b.centre_.setZero();
    for (int i = 0; i < b.nodes(); ++i) b.centre_ += b.node_mass_[i] / m * b.local_[i];
    b.inertia_.setZero();
    for (int i = 0; i < b.nodes(); ++i) {
      b.local_[i] -= b.centre_;
      const Mat3 r = cross_matrix(b.local_[i]);
      b.inertia_ -= b.node_mass_[i] * r * r;
    }
    b.rigid_mass_inverse_.setZero();
    b.rigid_mass_inverse_.topLeftCorner<3, 3>() = Mat3::Identity() / m;
    b.rigid_mass_inverse_.bottomRightCorner<3, 3>() = b.inertia_.inverse();
  }

  /// Node farthest from the line through a along `axis` (zero axis: from the point a), among `candidates`.
  int farthest(const std::vector<int>& candidates, int a, const Vec3& axis) const {
    int best = candidates[0];
    double distance = -1;
    for (int i : candidates) {
      const Vec3 r = b.local_[i] - b.local_[a];
      const double d = (r - r.dot(axis) * axis).norm();
      if (d > distance) distance = d, best = i;
    }
    return best;
  }

  /// Three nodes of `candidates` that span a plane well: the support of six rods. False: they lie in a line.
  bool tripod(const std::vector<int>& candidates, int (&abc)[3]) const {
    abc[0] = farthest(candidates, candidates[0], Vec3::Zero());
    abc[1] = farthest(candidates, abc[0], Vec3::Zero());
    const double length = (b.local_[abc[1]] - b.local_[abc[0]]).norm();
    if (!(length > 0)) return false;
    const Vec3 axis = (b.local_[abc[1]] - b.local_[abc[0]]) / length;
    abc[2] = farthest(candidates, abc[0], axis);
    return axis.cross(b.local_[abc[2]] - b.local_[abc[0]]).norm() > 1e-6 * length;
  }

  double typical_stiffness() const {
    double sum = 0;
    for (int j = 0; j < b.nodes(); ++j) sum += b.stiffness_.value[b.stiffness_.start[j]].trace();
    return sum / (3 * b.nodes());
  }

  Result<void> support() {
    std::vector<int> all(b.nodes());
    for (int i = 0; i < b.nodes(); ++i) all[i] = i;
    const double k = typical_stiffness();
    b.supported_ = b.stiffness_;
    BlockSymmetric& K = b.supported_;
    int abc[3];
    std::vector<char>& held = b.held_;
    held.assign(b.nodes(), 0);
    if (b.mean_axes()) {
      // Six rods on three nodes. Loads are balanced before they reach K, so the rods stay without force
      // whatever their stiffness, and only choose which rigid motion comes with u; remove_rigid takes it out
      // again.
      if (!tripod(all, abc)) return Error{.message = "global corotational body: all nodes lie in a line"};
      const Vec3 t = (b.local_[abc[1]] - b.local_[abc[0]]).normalized();
      const Vec3 n = t.cross(b.local_[abc[2]] - b.local_[abc[0]]).normalized();
      K.value[K.start[abc[0]]] += k * Mat3::Identity();
      K.value[K.start[abc[1]]] += k * (Mat3::Identity() - t * t.transpose());
      K.value[K.start[abc[2]]] += k * n * n.transpose();
      return {};
    }
    for (int i : b.frame_nodes_) {
      if (i < 0 || i >= b.nodes())
        return Error{
            .message = "global corotational body: frame node " + std::to_string(i) + " does not exist",
            .remedy = "nodes are 0 to " + std::to_string(b.nodes() - 1)};
      held[i] = 1;
    }
    if (!tripod(b.frame_nodes_, abc))
      return Error{.message = "global corotational body: the frame nodes lie in a line or a point",
                   .remedy = "name at least three around the grasp, or none for mean axes"};
    for (int j = 0; j < b.nodes(); ++j)
      for (int e = K.start[j]; e < K.start[j + 1]; ++e) {
        if (held[j] || held[K.row[e]]) K.value[e].setZero();
        if (held[j] && K.row[e] == j) K.value[e] = k * Mat3::Identity();
      }
    return {};
  }

  /// The units of C: vertices of the skin, where they are fewer than the nodes that carry them.
  void choose_units() {
    std::vector<char> carries(b.nodes(), 0);
    PointJacobian vertices;
    for (int v = 0; v < b.skin_nodes_.points(); ++v) {
      for (int k = b.skin_nodes_.start[v]; k < b.skin_nodes_.start[v + 1]; ++k) {
        const int node = b.skin_nodes_.column[k];
        if (b.held_[node]) continue;
        carries[node] = 1;
        vertices.add(node, b.skin_nodes_.block[k]);
      }
      vertices.end_point();
    }
    std::vector<int> touching;
    for (int i = 0; i < b.nodes(); ++i)
      if (carries[i]) touching.push_back(i);
    if (vertices.points() < static_cast<int>(touching.size()))
      b.compliance_.set_up(std::move(vertices), bound_bytes);
    else
      b.compliance_.set_up(b.nodes(), touching, bound_bytes, b.frame_nodes_);
  }

  Result<void> condense() {
    choose_units();
    const PointJacobian& units = b.compliance_.units();
    const bool all = b.compliance_.fits() && units.points() > 0;
    SparseCholesky K;
    if (all)
      K.analyze(b.supported_, units.column);
    else
      K.analyze(b.supported_);
    if (!K.factor(b.supported_))
      return Error{
          .message = "global corotational body: the stiffness is not positive definite",
          .remedy = "check the mesh: parts that hang together by less than a face, or inverted elements"};
    if (b.mean_axes()) {
      b.rigid_load_response_ = rigid_loads();
      for (int c = 0; c < 6; ++c) K.solve(b.rigid_load_response_.col(c));
    } else {
      b.weight_response_.setZero(3 * b.nodes(), 3);
      for (int axis = 0; axis < 3; ++axis) {
        VecX f = VecX::Zero(3 * b.nodes());
        for (int i = 0; i < b.nodes(); ++i) f[3 * i + axis] = b.node_mass_[i];
        b.solve(K, f);
        b.weight_response_.col(axis) = f;
      }
    }
    if (!all) {
      // Forward and back through L for three columns.
      const double flops = 3 * 4 * 9 * static_cast<double>(K.statistics().factor_blocks);
      b.compliance_.make_columns([&](const PointJacobian& E, MatX& U) { b.solve(K, E, U); }, flops);
      return {};
    }
    MatX C = MatX::Zero(3 * units.points(), 3 * units.points());
    K.project(units, C);
    if (b.mean_axes()) project_out_rigid_motions(units, C);
    if (!C.allFinite()) return Error{.message = "global corotational body: the compliance is not finite"};
    b.compliance_.fill(C);
    return {};
  }

  /// MΦ: the loads of the six rigid accelerations.
  MatX rigid_loads() const {
    MatX M_Phi(3 * b.nodes(), 6);
    for (int i = 0; i < b.nodes(); ++i) {
      M_Phi.block<3, 3>(3 * i, 0) = b.node_mass_[i] * Mat3::Identity();
      M_Phi.block<3, 3>(3 * i, 3) = -b.node_mass_[i] * cross_matrix(b.local_[i]);
    }
    return M_Phi;
  }

  /// C ← E P K⁻¹ Pᵀ Eᵀ from C = E K⁻¹ Eᵀ, with E the rows of the units:
  ///     C − Y B − Bᵀ Yᵀ + Bᵀ (ΦᵀM K⁻¹ MΦ) B,    Y = E K⁻¹ MΦ,   B = (ΦᵀMΦ)⁻¹ Φᵀ Eᵀ.
  void project_out_rigid_motions(const PointJacobian& E, MatX& C) const {
    const int s = E.points();
    const MatX M_Phi = rigid_loads();
    const auto& X = b.rigid_load_response_;
    MatX Phi_s = MatX::Zero(3 * s, 6), Y = MatX::Zero(3 * s, 6);
    for (int a = 0; a < s; ++a)
      for (int k = E.start[a]; k < E.start[a + 1]; ++k) {
        const int node = E.column[k];
        Y.middleRows<3>(3 * a) += E.block[k] * X.middleRows<3>(3 * node);
        Phi_s.middleRows<3>(3 * a) += E.block[k] * M_Phi.middleRows<3>(3 * node) / b.node_mass_[node];
      }
    const MatX B = b.rigid_mass_inverse_ * Phi_s.transpose();
    const MatX YB = Y * B;
    C += -YB - YB.transpose() + B.transpose() * (M_Phi.transpose() * X) * B;
    C = (0.5 * (C + C.transpose())).eval();
  }
};

Result<std::unique_ptr<GlobalCorotationalBody>> GlobalCorotationalBody::make(
    const GlobalCorotationalSpec& spec) {
  FemSpec linear;
  linear.mesh = spec.mesh;
  linear.hex_modes = spec.hex_modes;
  linear.hex_fill = spec.hex_fill;
  linear.model = FemModel::linear;
  linear.young_modulus_Pa = spec.young_modulus_Pa;
  linear.poisson_ratio = spec.poisson_ratio;
  linear.density_kg_per_m3 = spec.density_kg_per_m3;
  linear.parts = spec.parts;
  linear.rayleigh_mass_per_s = spec.rayleigh_mass_per_s;
  linear.rayleigh_stiffness_s = spec.rayleigh_stiffness_s;
  linear.skin = spec.skin;
  linear.smooth_skin = spec.smooth_skin;
  auto fem = FemBody::make(linear);
  if (!fem) return fem.error();

  std::unique_ptr<GlobalCorotationalBody> body(new GlobalCorotationalBody);
  const BodyState rest = (*fem)->rest_state();
  for (int i = 0; i < (*fem)->blocks(); ++i) body->local_.push_back(rest.x.segment<3>(3 * i));
  body->node_mass_ = (*fem)->node_mass();
  body->stiffness_ = (*fem)->tangent_stiffness(rest, Tangent::consistent);
  body->alpha_ = spec.rayleigh_mass_per_s;
  body->beta_ = spec.rayleigh_stiffness_s;
  body->quasi_static_ = spec.quasi_static;
  body->frame_nodes_ = spec.frame_nodes;
  body->skin_ = (*fem)->skin();
  for (int v = 0; v < body->skin_.vertices; ++v) {
    (*fem)->append_vertex(rest, v, 1, body->skin_nodes_);
    body->skin_nodes_.end_point();
  }
  Builder builder{*body, spec.condensation_bound_bytes};
  builder.frame();
  if (auto done = builder.support(); !done) return done.error();
  if (auto done = builder.condense(); !done) return done.error();
  return body;
}

}  // namespace palp
