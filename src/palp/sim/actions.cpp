#include "palp/sim/actions.hpp"

#include <cmath>
#include <utility>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

template <class Action>
bool any(const std::vector<Action>& actions, int body) {
  for (const Action& a : actions)
    if (a.body == body) return true;
  return false;
}

/// ∫ N_a f dA over every face, f a function of the area vector.
template <class OfArea>
void share_out(const SurfaceLoad& load, const std::vector<Vec3>& x, std::vector<Vec3>& out,
               const OfArea& force) {
  const std::vector<Triangle>& triangles = load.triangles;
  const auto area = [&](const Triangle& t) {
    return Vec3(0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]));
  };
  if (load.per_face == 1)
    for (const Triangle& t : triangles)
      for (int v : t) out[v] += force(area(t)) / 3;
  if (load.per_face == 2)
    for (size_t i = 0; i + 1 < triangles.size(); i += 2) {
      // Bilinear, 2 × 2 Gauss points; the halves are 0 1 2 and 0 2 3.
      const int q[4] = {triangles[i][0], triangles[i][1], triangles[i][2], triangles[i + 1][2]};
      for (double s : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)})
        for (double t : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}) {
          const double N[4] = {(1 - s) * (1 - t) / 4, (1 + s) * (1 - t) / 4, (1 + s) * (1 + t) / 4,
                               (1 - s) * (1 + t) / 4};
          const Vec3 ds = (1 - t) / 4 * (x[q[1]] - x[q[0]]) + (1 + t) / 4 * (x[q[2]] - x[q[3]]);
          const Vec3 dt = (1 - s) / 4 * (x[q[3]] - x[q[0]]) + (1 + s) / 4 * (x[q[2]] - x[q[1]]);
          const Vec3 f = force(Vec3(ds.cross(dt)));
          for (int k = 0; k < 4; ++k) out[q[k]] += N[k] * f;
        }
    }
  if (load.per_face == 4)
    for (size_t i = 0; i + 3 < triangles.size(); i += 4) {
      // ∫ N = 0 for the corners, a third of the area for the middle nodes, which the last quarter names.
      Vec3 f = Vec3::Zero();
      for (size_t k = 0; k < 4; ++k) f += force(area(triangles[i + k]));
      for (int v : triangles[i + 3]) out[v] += f / 3;
    }
}

/// Adds Hᵀ f of a vertex of the skin.
void push_vertex(const Body& body, const BodyState& state, int vertex, const Vec3& f, ActionScratch& s) {
  s.H.clear();
  body.append_vertex(state, vertex, 1, s.H);
  for (size_t k = 0; k < s.H.column.size(); ++k)
    s.loads.force.segment<3>(3 * s.H.column[k]) += s.H.block[k].transpose() * f;
}

void push_surface(const SurfaceLoad& load, const Body& body, const BodyState& state, double time_s,
                  ActionScratch& s) {
  static const VecX none;
  const auto vertices = static_cast<size_t>(body.skin().vertices);
  s.position.resize(vertices);
  s.force.assign(vertices, Vec3::Zero());
  if (!load.traction_Pa.empty()) {
    const Vec3 traction = load.traction_Pa.at(time_s);
    share_out(load, load.rest, s.force, [&](const Vec3& area) { return Vec3(area.norm() * traction); });
  }
  if (!load.pressure_Pa.empty()) {
    if (!load.at_rest) body.skin_positions(state, none, s.position);
    const double pressure = load.pressure_Pa.at(time_s);
    share_out(load, load.at_rest ? load.rest : s.position, s.force,
              [&](const Vec3& area) { return Vec3(-pressure * area); });
  }
  for (size_t v = 0; v < vertices; ++v) {
    if (!s.force[v].isZero(0)) push_vertex(body, state, static_cast<int>(v), s.force[v], s);
  }
}

void push_frame(const FrameLoad& load, const Body& body, const BodyState& state, double time_s,
                ActionScratch& s) {
  BodyFrame frame;
  if (!body.frame(state, load.frame, frame)) return;
  VecX& force = s.loads.force;
  const Vec3 f = load.force_N.empty() ? Vec3(Vec3::Zero()) : load.force_N.at(time_s);
  if (load.vertex >= 0)
    push_vertex(body, state, load.vertex, f, s);
  else
    force.segment<3>(3 * frame.block) += f;
  if (!frame.has_rotation) return;
  if (load.vertex < 0) force.segment<3>(3 * frame.block + 3) += (frame.orientation * load.lever).cross(f);
  if (!load.torque_Nm.empty()) force.segment<3>(3 * frame.block + 3) += load.torque_Nm.at(time_s);
}

/// From where the node is, not from the step before: rounding does not build up.
void move_nodes(const NodeMove& move, const Body& body, const BodyState& state, double end_s, Loads& loads) {
  for (size_t i = 0; i < move.frames.size(); ++i) {
    const int k = move.frames[i];
    const BodyFrame &from = move.rest[i], now = body.driven_frame(state, k);
    const size_t per_frame = now.has_rotation ? 2 : 1, at = per_frame * static_cast<size_t>(k);
    if (loads.prescribed.empty()) loads.prescribed.assign(per_frame * body.driven_frames(), Vec3::Zero());
    loads.prescribed[at] = from.position + move.displacement_m.at(end_s) - now.position;
    if (!now.has_rotation) continue;
    const Quat turn =
        move.rotation_rad.empty() ? Quat::Identity() : rotation_from_vector(move.rotation_rad.at(end_s));
    loads.prescribed[at + 1] = vector_from_rotation(turn * from.orientation * now.orientation.conjugate());
  }
}

}  // namespace

SurfaceLoad surface_load(const Body& body, int number, std::vector<Triangle> triangles) {
  SurfaceLoad load;
  load.body = number;
  load.triangles = std::move(triangles);
  load.rest.resize(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(body.rest_state(), VecX(), load.rest);
  return load;
}

NodeMove node_move(const Body& body, int number, std::vector<int> frames, Course<Vec3> displacement_m) {
  NodeMove move;
  move.body = number;
  const BodyState rest = body.rest_state();
  for (int k : frames) move.rest.push_back(body.driven_frame(rest, k));
  move.frames = std::move(frames);
  move.displacement_m = std::move(displacement_m);
  return move;
}

bool Actions::on(int body) const {
  return any(surfaces, body) || any(nodes, body) || any(frames, body) || any(moves, body);
}

const Loads& with_actions(const Actions& actions, int number, const Body& body, const BodyState& state,
                          const Loads& loads, double end_s, double h, ActionScratch& s) {
  if (!actions.on(number)) return loads;
  const double time_s = loads.scheme == Scheme::midpoint ? end_s - 0.5 * h : end_s;
  s.loads = loads;
  if (s.loads.force.size() != body.dof()) s.loads.force.setZero(body.dof());
  for (const SurfaceLoad& load : actions.surfaces)
    if (load.body == number) push_surface(load, body, state, time_s, s);
  for (const NodeLoad& load : actions.nodes)
    if (load.body == number)
      for (size_t i = 0; i < load.blocks.size(); ++i)
        s.loads.force.segment<3>(3 * load.blocks[i]) += load.shares[i] * load.force_N.at(time_s);
  for (const FrameLoad& load : actions.frames)
    if (load.body == number) push_frame(load, body, state, time_s, s);
  for (const NodeMove& move : actions.moves)
    if (move.body == number) move_nodes(move, body, state, end_s, s.loads);
  return s.loads;
}

}  // namespace palp
