#include "palp/mechanics/beam_body.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "palp/math/block_tridiagonal.hpp"
#include "palp/mechanics/beam_element.hpp"
#include "palp/mechanics/material.hpp"
#include "palp/mechanics/pose.hpp"
#include "palp/mechanics/spin.hpp"

namespace palp {
namespace {

/// Stands for an infinite stiffness in dense_system.
constexpr double immense = 1e30;

struct BeamWorkspace final : BodyWorkspace {
  BlockTridiagonal A;  ///< free_motion fills and factors
  VecX held_dx;        ///< dof(): increments of held blocks, zero elsewhere
  // What constraint_force asks for, filled by free_motion when a node is held: the system before.
  BlockTridiagonal A_all;
  VecX b_all;
  // Mid-point rule: the motion without forces and the velocity it ends with, dof(). free_motion fills.
  VecX drift, drift_velocity;
  PointJacobian H;  ///< project_compliance: without what is held along some axes
};

bool valid_beam_numbers(const BeamSpec& s) {
  return valid_material(s.young_modulus_Pa, s.poisson_ratio) && std::isfinite(s.density_kg_per_m3) &&
         s.density_kg_per_m3 > 0 && std::isfinite(s.rayleigh_mass_per_s) && s.rayleigh_mass_per_s >= 0 &&
         std::isfinite(s.rayleigh_stiffness_s) && s.rayleigh_stiffness_s >= 0 &&
         std::isfinite(s.skin_radius_m) && s.skin_radius_m >= 0;
}

/// Weights of the cubic Hermite curve at ξ: end 1, tangent 1, end 2, tangent 2.
struct Hermite {
  double p1, t1, p2, t2;
  explicit Hermite(double s)
      : p1((1 + 2 * s) * (1 - s) * (1 - s)),
        t1(s * (1 - s) * (1 - s)),
        p2(s * s * (3 - 2 * s)),
        t2(s * s * (s - 1)) {}
};

}  // namespace

struct BeamBody::Impl {
  BeamSpec spec;
  VecX rest;                                        // 7 per node
  std::vector<BeamElement> elements;                // nodes − 1
  std::vector<double> node_mass;                    // nodes
  std::vector<Mat3> node_inertia;                   // nodes: of the section, in node axes
  std::vector<char> held;                           // 2 per node: the whole block
  Eigen::Array<bool, Eigen::Dynamic, 1> held_axis;  // 6 per node
  bool some_axes = false;                           // there are blocks of which some axes are held
  Skin skin;

  int nodes() const { return static_cast<int>(node_mass.size()); }
  bool any_held() const { return held_axis.any(); }
  Result<void> build();
  Result<void> place_frames();
  Result<void> mark_held();
  Mat3 world_inertia(const VecX& x, int i) const {
    const Mat3 R = pose_rotation(x, i).toRotationMatrix();
    return R * node_inertia[i] * R.transpose();
  }
  BeamPose element_pose(const VecX& x, int e) const {
    return beam_pose(elements[e], pose_position(x, e), pose_rotation(x, e), pose_position(x, e + 1),
                     pose_rotation(x, e + 1));
  }
  bool prescribe(const Loads& loads, VecX& held_dx) const;
  bool assemble(const BodyState& state, const Loads& loads, double h, BlockTridiagonal& A, VecX& r,
                BeamWorkspace* ws = nullptr) const;
  void without_held(const PointJacobian& H, PointJacobian& out) const;
  bool add_loads(const Loads& loads, BlockTridiagonal& A, VecX& r) const;
  void hold(const VecX& held_dx, double diagonal, BlockTridiagonal& A, VecX& r) const;
};

// ---------------------------------------------------------------------------------------------- construction

Result<std::unique_ptr<BeamBody>> BeamBody::make(BeamSpec spec) {
  auto impl = std::make_unique<Impl>();
  impl->spec = std::move(spec);
  if (auto built = impl->build(); !built) return built.error();
  return std::unique_ptr<BeamBody>(new BeamBody(std::move(impl)));
}

BeamBody::BeamBody(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BeamBody::~BeamBody() = default;

Result<void> BeamBody::Impl::build() {
  const auto bad = [](std::string message, std::string remedy = {}) {
    return Error{.message = "beam: " + std::move(message), .remedy = std::move(remedy)};
  };
  const std::size_t n = spec.curve.nodes.size();
  if (spec.curve.closed)
    return bad("closed curves are not supported", "cut the curve open and attach its ends");
  if (n < 2) return bad("the curve needs at least two nodes");
  for (std::size_t i = 0; i < n; ++i)
    if (!spec.curve.nodes[i].allFinite()) return bad("node " + std::to_string(i) + " is not finite");
  if (!valid_beam_numbers(spec))
    return bad(
        "young_modulus_Pa and density_kg_per_m3 must be positive, poisson_ratio in (-1, 0.5), damping not "
        "negative");
  if (spec.skin_subdivisions < 1 || spec.skin_subdivisions > 1000)
    return bad("skin_subdivisions must be 1 to 1000");
  const Result<SectionProperties> section = section_properties(spec.section);
  if (!section) return section.error();

  if (auto placed = place_frames(); !placed) return placed;
  const double E = spec.young_modulus_Pa, G = E / (2 * (1 + spec.poisson_ratio)),
               rho = spec.density_kg_per_m3;
  node_mass.assign(n, 0);
  node_inertia.assign(n, Mat3::Zero());
  for (std::size_t e = 0; e + 1 < n; ++e) {
    BeamElement& el = elements[e];
    const double L = el.L, L3 = L * L * L;
    const double shear_z =
        spec.shear_flexible ? 12 * E * section->Iz / (section->kappa * G * section->A * L * L) : 0;
    const double shear_y =
        spec.shear_flexible ? 12 * E * section->Iy / (section->kappa * G * section->A * L * L) : 0;
    el.k << E * section->A / L, 12 * E * section->Iz / (L3 * (1 + shear_z)),
        12 * E * section->Iy / (L3 * (1 + shear_y)), G * section->J / L, E * section->Iy / L,
        E * section->Iz / L;
    const Mat3 half =
        (0.5 * rho * L * Vec3(section->Iy + section->Iz, section->Iy, section->Iz)).asDiagonal();
    const Mat3 Q1 = el.Q1.toRotationMatrix(), Q2 = el.Q2.toRotationMatrix();
    node_inertia[e] += Q1 * half * Q1.transpose();
    node_inertia[e + 1] += Q2 * half * Q2.transpose();
    node_mass[e] += 0.5 * rho * section->A * L;
    node_mass[e + 1] += 0.5 * rho * section->A * L;
  }
  if (auto marked = mark_held(); !marked) return marked;

  skin.vertices = static_cast<int>(n - 1) * spec.skin_subdivisions + 1;
  for (int v = 0; v + 1 < skin.vertices; ++v) skin.segments.push_back({v, v + 1});
  skin.radius = spec.skin_radius_m > 0 ? spec.skin_radius_m : section->extent;
  return {};
}

/// Node axes: x along the mean of the neighbouring beams (at the ends: so that the end beam is a symmetric
/// arc), y and z carried along without twist. Element axes: those of its first node, turned onto the chord.
Result<void> BeamBody::Impl::place_frames() {
  const std::vector<Vec3>& p = spec.curve.nodes;
  const int n = static_cast<int>(p.size());
  elements.resize(n - 1);
  std::vector<Vec3> chord(n - 1), tangent(n);
  const double size = (p.back() - p.front()).norm() + (p[1] - p[0]).norm();
  for (int e = 0; e + 1 < n; ++e) {
    elements[e].L = (p[e + 1] - p[e]).norm();
    if (!(elements[e].L > 1e-12 * size))
      return Error{
          .message = "beam: nodes " + std::to_string(e) + " and " + std::to_string(e + 1) + " coincide",
          .remedy = "remove repeated nodes"};
    chord[e] = (p[e + 1] - p[e]) / elements[e].L;
  }
  for (int i = 1; i + 1 < n; ++i) {
    tangent[i] = chord[i - 1] + chord[i];
    if (tangent[i].norm() < 1e-3)
      return Error{.message = "beam: the curve folds back on itself at node " + std::to_string(i)};
    tangent[i].normalize();
  }
  const auto mirrored = [](const Vec3& t, const Vec3& c) { return Vec3(2 * c.dot(t) * c - t); };
  tangent[0] = n > 2 ? mirrored(tangent[1], chord[0]) : chord[0];
  tangent[n - 1] = n > 2 ? mirrored(tangent[n - 2], chord[n - 2]) : chord[0];

  Vec3 y = spec.section_y - spec.section_y.dot(tangent[0]) * tangent[0];
  if (spec.section_y.isZero()) y = tangent[0].unitOrthogonal();
  if (!(y.norm() > 1e-6 * spec.section_y.norm()) || !y.allFinite())
    return Error{.message = "beam: section_y is parallel to the curve or not finite",
                 .remedy = "give a direction across the first beam"};
  y.normalize();
  Mat3 axes;
  axes << tangent[0], y, tangent[0].cross(y);
  Quat q(axes);
  rest.resize(7 * n);
  set_pose(rest, 0, p[0], q);
  for (int i = 1; i < n; ++i) {
    const Quat element = rotation_between(tangent[i - 1], chord[i - 1]) * q;
    const Quat next = rotation_between(chord[i - 1], tangent[i]) * element;
    elements[i - 1].Q1 = q.conjugate() * element;
    elements[i - 1].Q2 = next.conjugate() * element;
    q = next.normalized();
    set_pose(rest, i, p[i], q);
  }
  return {};
}

Result<void> BeamBody::Impl::mark_held() {
  held.assign(2 * nodes(), 0);
  std::vector<char> used(nodes(), 0);
  for (const auto* set : {&spec.fixed_nodes, &spec.pinned_nodes, &spec.driven_nodes})
    for (int i : *set) {
      if (i < 0 || i >= nodes())
        return Error{.message = "beam: held node " + std::to_string(i) + " does not exist",
                     .remedy = "nodes are 0 to " + std::to_string(nodes() - 1)};
      if (used[i]++) return Error{.message = "beam: node " + std::to_string(i) + " is held twice"};
      held[2 * i] = 1;
      held[2 * i + 1] = set != &spec.pinned_nodes;
    }
  held_axis.setConstant(6 * nodes(), false);
  for (const BeamSpec::Axes& support : spec.supports) {
    const int i = support.node;
    if (i < 0 || i >= nodes())
      return Error{.message = "beam: supported node " + std::to_string(i) + " does not exist",
                   .remedy = "nodes are 0 to " + std::to_string(nodes() - 1)};
    for (int k = 0; k < 3; ++k) {
      held_axis[6 * i + k] = held_axis[6 * i + k] || support.position[k];
      held_axis[6 * i + 3 + k] = held_axis[6 * i + 3 + k] || support.rotation[k];
    }
  }
  for (int b = 0; b < 2 * nodes(); ++b) {
    if (held_axis.segment<3>(3 * b).all()) held[b] = 1;
    if (held[b]) held_axis.segment<3>(3 * b).setConstant(true);
    some_axes = some_axes || (!held[b] && held_axis.segment<3>(3 * b).any());
  }
  return {};
}

// ------------------------------------------------------------------------------------------------------ skin

int BeamBody::nodes() const { return impl_->nodes(); }
int BeamBody::blocks() const { return 2 * impl_->nodes(); }
BodyState BeamBody::rest_state() const { return {impl_->rest, VecX::Zero(dof())}; }

void BeamBody::launch(const Vec3& velocity, const Vec3& spin, BodyState& state) const {
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < nodes(); ++i) centre += impl_->node_mass[i] / mass() * pose_position(state.x, i);
  for (int i = 0; i < nodes(); ++i)
    state.v.segment<6>(6 * i) << velocity + spin.cross(pose_position(state.x, i) - centre), spin;
  for (int d = 0; d < dof(); ++d)
    if (impl_->held_axis[d]) state.v[d] = 0;
}

const Skin& BeamBody::skin() const { return impl_->skin; }

void BeamBody::skin_positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const {
  const int s = impl_->spec.skin_subdivisions;
  const auto position = [&](int i) -> Vec3 {
    const Vec3 p = pose_position(state.x, i);
    return dx.size() == 0 ? p : Vec3(p + dx.segment<3>(6 * i));
  };
  const auto tangent = [&](int i) -> Vec3 {
    const Vec3 t = pose_rotation(state.x, i) * Vec3::UnitX();
    return dx.size() == 0 ? t : rotation_from_vector(dx.segment<3>(6 * i + 3)) * t;
  };
  for (int v = 0; v < impl_->skin.vertices; ++v) {
    const int e = v / s;
    if (v % s == 0) {
      out[v] = position(e);
      continue;
    }
    const Hermite w(double(v % s) / s);
    const double L = impl_->elements[e].L;
    out[v] = w.p1 * position(e) + w.t1 * L * tangent(e) + w.p2 * position(e + 1) + w.t2 * L * tangent(e + 1);
  }
}

void BeamBody::append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const {
  const int s = impl_->spec.skin_subdivisions, e = vertex / s;
  if (vertex % s == 0) return H.add(2 * e, weight * Mat3::Identity());
  const Hermite w(double(vertex % s) / s);
  const double L = impl_->elements[e].L;
  const auto lever = [&](int i, double f) {
    return Mat3(-weight * f * L * cross_matrix(pose_rotation(state.x, i) * Vec3::UnitX()));
  };
  H.add(2 * e, weight * w.p1 * Mat3::Identity());
  H.add(2 * e + 1, lever(e, w.t1));
  H.add(2 * e + 2, weight * w.p2 * Mat3::Identity());
  H.add(2 * e + 3, lever(e + 1, w.t2));
}

// ------------------------------------------------------------------------------------------------------ step

std::unique_ptr<BodyWorkspace> BeamBody::make_workspace() const {
  auto ws = std::make_unique<BeamWorkspace>();
  ws->dx_free = VecX::Zero(dof());
  ws->held_dx = VecX::Zero(dof());
  ws->A.resize(nodes());
  ws->drift = ws->drift_velocity = VecX::Zero(dof());
  if (impl_->any_held()) {
    ws->A_all.resize(nodes());
    ws->b_all = VecX::Zero(dof());
  }
  return ws;
}

bool BeamBody::Impl::prescribe(const Loads& loads, VecX& held_dx) const {
  held_dx.setZero();
  if (loads.prescribed.empty()) return true;
  if (loads.prescribed.size() != 2 * spec.driven_nodes.size()) return false;
  for (std::size_t k = 0; k < spec.driven_nodes.size(); ++k) {
    held_dx.segment<3>(6 * spec.driven_nodes[k]) = loads.prescribed[2 * k];
    held_dx.segment<3>(6 * spec.driven_nodes[k] + 3) = loads.prescribed[2 * k + 1];
  }
  return held_dx.allFinite();
}

/// A and the right-hand side f_ext − f_int + (M/h) v, before any node is held.
bool BeamBody::Impl::assemble(const BodyState& state, const Loads& loads, double h, BlockTridiagonal& A,
                              VecX& r, BeamWorkspace* ws) const {
  if (!(h > 0) || !state.x.allFinite() || !state.v.allFinite() || state.x.size() != 7 * nodes()) return false;
  A.set_zero();
  r.setZero();
  const bool midpoint = loads.scheme == Scheme::midpoint && !spec.quasi_static;
  const double inertia = spec.quasi_static ? 0 : (midpoint ? 2 : 1) / (h * h),
               drag = spec.rayleigh_mass_per_s / h;
  for (int i = 0; i < nodes(); ++i) {
    const Mat3 J = world_inertia(state.x, i);
    A.diagonal(i).diagonal().head<3>().array() += (inertia + drag) * node_mass[i];
    A.diagonal(i).bottomRightCorner<3, 3>() += (inertia + drag) * J;
    r.segment<3>(6 * i) += node_mass[i] * loads.gravity;
    if (spec.quasi_static) continue;
    if (midpoint) {
      const TorqueFreeMotion spin = torque_free_motion(J, state.v.segment<3>(6 * i + 3), h);
      const Vec3 v = state.v.segment<3>(6 * i);
      r.segment<3>(6 * i) += inertia * node_mass[i] * h * v;
      r.segment<3>(6 * i + 3) += inertia * J * spin.turn;
      if (!ws) continue;
      ws->drift.segment<6>(6 * i) << h * v, spin.turn;
      ws->drift_velocity.segment<6>(6 * i) << v, spin.omega;
      continue;
    }
    r.segment<3>(6 * i) += node_mass[i] / h * state.v.segment<3>(6 * i);
    r.segment<3>(6 * i + 3) += J * torque_free_spin(J, state.v.segment<3>(6 * i + 3), h) / h;
  }
  Mat12 K;
  Vec12 f;
  for (int e = 0; e + 1 < nodes(); ++e) {
    const BeamPose pose = element_pose(state.x, e);
    beam_material(elements[e], pose, K, f);
    K *= (midpoint ? 0.5 : 1) + spec.rayleigh_stiffness_s / h;
    const Mat3 Kt = (midpoint ? 0.5 : 1) * beam_tension_stiffness(elements[e], pose);
    A.diagonal(e) += K.topLeftCorner<6, 6>();
    A.diagonal(e + 1) += K.bottomRightCorner<6, 6>();
    A.below(e) += K.bottomLeftCorner<6, 6>();
    A.diagonal(e).topLeftCorner<3, 3>() += Kt;
    A.diagonal(e + 1).topLeftCorner<3, 3>() += Kt;
    A.below(e).topLeftCorner<3, 3>() -= Kt;
    r.segment<12>(6 * e) -= f;
  }
  return add_loads(loads, A, r);
}

bool BeamBody::Impl::add_loads(const Loads& loads, BlockTridiagonal& A, VecX& r) const {
  if (loads.force.size() != 0) {
    if (loads.force.size() != r.size()) return false;
    r += loads.force;
  }
  for (const BlockLoad& load : loads.blocks) {
    const int i = load.block / 2, part = 3 * (load.block % 2);
    if (load.block < 0 || i >= nodes() || (load.has_rotation && part != 0)) return false;
    if (load.has_rotation) {
      A.diagonal(i) += load.stiffness;
      r.segment<6>(6 * i) += load.force;
    } else {
      A.diagonal(i).block<3, 3>(part, part) += load.stiffness.topLeftCorner<3, 3>();
      r.segment<3>(6 * i + part) += load.force.head<3>();
    }
  }
  return true;
}

/// Takes what is held out: its increments are known, so its columns go to the right-hand side.
void BeamBody::Impl::hold(const VecX& held_dx, double diagonal, BlockTridiagonal& A, VecX& r) const {
  A.subtract_product(held_dx, r);
  for (int d = 0; d < 6 * nodes(); ++d) {
    if (!held_axis[d]) continue;
    const int i = d / 6, k = d % 6;
    A.diagonal(i).row(k).setZero();
    A.diagonal(i).col(k).setZero();
    A.diagonal(i)(k, k) = diagonal;
    if (i > 0) A.below(i - 1).row(k).setZero();
    if (i + 1 < nodes()) A.below(i).col(k).setZero();
    r[d] = diagonal * held_dx[d];
  }
}

/// H without the columns that are held along some axes; whole blocks are left to the matrix.
void BeamBody::Impl::without_held(const PointJacobian& H, PointJacobian& out) const {
  out.start = H.start;
  out.column = H.column;
  out.block = H.block;
  for (size_t k = 0; k < out.column.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      if (held_axis[3 * out.column[k] + axis]) out.block[k].col(axis).setZero();
}

bool BeamBody::free_motion(const BodyState& state, const Loads& loads, double h,
                           BodyWorkspace& workspace) const {
  auto& ws = static_cast<BeamWorkspace&>(workspace);
  ws.h = h;
  ws.scheme = impl_->spec.quasi_static ? Scheme::euler : loads.scheme;
  if (!impl_->prescribe(loads, ws.held_dx)) return false;
  if (!impl_->assemble(state, loads, h, ws.A, ws.dx_free, &ws)) return false;
  if (impl_->any_held()) {
    ws.A_all.copy_entries(ws.A);
    ws.b_all = ws.dx_free;
    impl_->hold(ws.held_dx, 1.0, ws.A, ws.dx_free);
  }
  if (!ws.A.factor()) return false;
  ws.A.solve(ws.dx_free);
  return ws.dx_free.allFinite();
}

void BeamBody::project_compliance(const PointJacobian& H, BodyWorkspace& workspace, MatRef G) const {
  auto& ws = static_cast<BeamWorkspace&>(workspace);
  if (impl_->some_axes) impl_->without_held(H, ws.H);
  ws.A.project(impl_->some_axes ? ws.H : H, impl_->held, G);
}

void BeamBody::response(const PointJacobian& H, ConstVecRef lambda, BodyWorkspace& workspace,
                        VecRef dx_c) const {
  dx_c.setZero();
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      if (!impl_->held[H.column[k]])
        dx_c.segment<3>(3 * H.column[k]).noalias() += H.block[k].transpose() * lambda.segment<3>(3 * i);
  for (int d = 0; impl_->some_axes && d < dof(); ++d)
    if (impl_->held_axis[d]) dx_c[d] = 0;
  static_cast<BeamWorkspace&>(workspace).A.solve(dx_c);
}

void BeamBody::commit(const BodyWorkspace& ws, ConstVecRef dx_c, BodyState& state) const {
  // One motion after the other, as the rigid body does (rigid_body.cpp).
  const auto advance = [&](ConstVecRef dx) {
    for (int i = 0; i < nodes(); ++i)
      advance_pose(state.x, i, dx.segment<3>(6 * i), dx.segment<3>(6 * i + 3));
  };
  state.v = ws.dx_free;
  advance(ws.dx_free);
  if (dx_c.size() > 0) {
    advance(dx_c);
    state.v += dx_c;
  }
  state.v /= ws.h;
  if (!ws.reflects()) return;
  const auto& own = static_cast<const BeamWorkspace&>(ws);
  for (int d = 0; d < dof(); ++d)
    if (!impl_->held_axis[d]) state.v[d] = own.drift_velocity[d] + 2 * (state.v[d] - own.drift[d] / ws.h);
}

void BeamBody::apply_system(const BodyState& start, const BodyWorkspace& workspace, ConstVecRef dx,
                            VecRef M_dx, VecRef D_dx, VecRef A_dx) const {
  const auto& ws = static_cast<const BeamWorkspace&>(workspace);
  for (int i = 0; i < nodes(); ++i) {
    M_dx.segment<3>(6 * i) = impl_->node_mass[i] * dx.segment<3>(6 * i);
    M_dx.segment<3>(6 * i + 3) = impl_->world_inertia(start.x, i) * dx.segment<3>(6 * i + 3);
  }
  D_dx = impl_->spec.rayleigh_mass_per_s * M_dx;
  if (impl_->spec.quasi_static) M_dx.setZero();
  Mat12 K;
  Vec12 f;
  for (int e = 0; e + 1 < nodes(); ++e) {
    beam_material(impl_->elements[e], impl_->element_pose(start.x, e), K, f);
    D_dx.segment<12>(6 * e).noalias() += impl_->spec.rayleigh_stiffness_s * (K * dx.segment<12>(6 * e));
  }
  A_dx.setZero();
  (impl_->any_held() ? ws.A_all : ws.A).subtract_product(dx, A_dx);
  A_dx = -A_dx;
}

double BeamBody::relaxation_s() const { return impl_->spec.rayleigh_stiffness_s; }

MatX BeamBody::rigid_motions(const BodyState& state) const {
  if (impl_->any_held()) return MatX(dof(), 0);
  Vec3 centre = Vec3::Zero();
  for (int i = 0; i < nodes(); ++i) centre += pose_position(state.x, i) / nodes();
  MatX motions = MatX::Zero(dof(), 6);
  for (int i = 0; i < nodes(); ++i) {
    motions.block<3, 3>(6 * i, 0).setIdentity();
    motions.block<3, 3>(6 * i, 3) = -cross_matrix(pose_position(state.x, i) - centre);
    motions.block<3, 3>(6 * i + 3, 3).setIdentity();
  }
  return motions;
}

// --------------------------------------------------------------------------------------------------- reports

double BeamBody::mass() const {
  double sum = 0;
  for (double m : impl_->node_mass) sum += m;
  return sum;
}

double BeamBody::kinetic_energy(const BodyState& state) const {
  if (impl_->spec.quasi_static) return 0;
  double T = 0;
  for (int i = 0; i < nodes(); ++i) {
    const Vec3 v = state.v.segment<3>(6 * i), w = state.v.segment<3>(6 * i + 3);
    T += 0.5 * impl_->node_mass[i] * v.squaredNorm() + 0.5 * w.dot(impl_->world_inertia(state.x, i) * w);
  }
  return T;
}

double BeamBody::elastic_energy(const BodyState& state) const {
  double U = 0;
  for (int e = 0; e + 1 < nodes(); ++e) U += beam_energy(impl_->elements[e], impl_->element_pose(state.x, e));
  return U;
}

void BeamBody::internal_force(const BodyState& state, VecRef f) const {
  f.setZero();
  Mat12 K;
  Vec12 fe;
  for (int e = 0; e + 1 < nodes(); ++e) {
    beam_material(impl_->elements[e], impl_->element_pose(state.x, e), K, fe);
    f.segment<12>(6 * e) += fe;
  }
}

MatX BeamBody::dense_system(const BodyState& state, const Loads& loads, double h) const {
  BlockTridiagonal A;
  A.resize(nodes());
  VecX r(dof());
  impl_->assemble(state, loads, h, A, r);
  impl_->hold(VecX::Zero(dof()), immense, A, r);
  return A.dense();
}

bool BeamBody::frame(const BodyState& state, int index, BodyFrame& out) const {
  if (index < 0 || index >= nodes()) return false;
  out = pose_frame(state, index);
  return true;
}

int BeamBody::driven_frames() const { return static_cast<int>(impl_->spec.driven_nodes.size()); }

BodyFrame BeamBody::driven_frame(const BodyState& state, int k) const {
  return pose_frame(state, impl_->spec.driven_nodes[k]);
}

void BeamBody::constraint_force(const BodyWorkspace& workspace, const PointJacobian& H, ConstVecRef lambda,
                                ConstVecRef dx_c, VecRef out) const {
  const auto& ws = static_cast<const BeamWorkspace&>(workspace);
  out.setZero();
  if (!impl_->any_held()) return;
  out = ws.b_all;
  ws.A_all.subtract_product(ws.dx_free, out);
  if (dx_c.size() > 0) ws.A_all.subtract_product(dx_c, out);
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      out.segment<3>(3 * H.column[k]) += H.block[k].transpose() * lambda.segment<3>(3 * i);
  out = -out;
  for (int d = 0; d < dof(); ++d)
    if (!impl_->held_axis[d]) out[d] = 0;
}

}  // namespace palp
