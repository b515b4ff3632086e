// A surface that moves as one with a pose: what the rigid body and the obstacle have in common. Blocks: 0
// translation of the reference point, 1 rotation about it; state x = that point, quaternion x y z w.
#pragma once
#include <string>

#include "palp/base/result.hpp"
#include "palp/mechanics/pose.hpp"
#include "palp/mesh/rounded.hpp"

namespace palp {

class RigidSkin {
 public:
  /// `owner` names the body in error messages.
  static Result<RigidSkin> make(TriMesh surface, const Vec3& reference, const std::string& owner) {
    for (const Triangle& t : surface.triangles)
      for (int i : t)
        if (i < 0 || i >= static_cast<int>(surface.nodes.size()))
          return Error{.message = owner + ": a triangle refers to a node that does not exist"};
    RigidSkin out;
    out.reference_ = reference;
    for (const Vec3& p : surface.nodes) {
      if (!p.allFinite()) return Error{.message = owner + ": a node of the surface is not finite"};
      out.local_.push_back(p - reference);
    }
    out.skin_.vertices = static_cast<int>(surface.nodes.size());
    out.skin_.triangles = std::move(surface.triangles);
    return out;
  }

  static Result<RigidSkin> make(const RoundedShape& shape, const Vec3& reference, const std::string& owner) {
    auto out = make(drawn_surface(shape), reference, owner);
    if (!out) return out;
    RoundedCore core = core_of(shape);
    Skin& skin = out->skin_;
    std::vector<Vec3> local;
    for (const Vec3& x : core.nodes) local.push_back(x - reference);
    local.push_back(Vec3::Zero());
    for (int axis = 0; axis < 3; ++axis) local.push_back(shape.radius_m * Vec3::Unit(axis));
    const int before = static_cast<int>(local.size());
    local.insert(local.end(), out->local_.begin(), out->local_.end());
    out->local_ = std::move(local);
    for (Triangle& t : skin.triangles)
      for (int& i : t) i += before;
    skin.vertices += before;
    skin.radius = shape.radius_m;
    skin.core = {static_cast<int>(core.nodes.size()), std::move(core.triangles), std::move(core.segments),
                 shape.turned};
    return out;
  }

  const Skin& skin() const { return skin_; }
  void set_smooth(bool smooth) { skin_.smooth = smooth && !skin_.rounded(); }

  BodyState rest_state() const {
    BodyState state{VecX(7), VecX::Zero(6)};
    set_pose(state.x, 0, reference_, Quat::Identity());
    return state;
  }
  void positions(const BodyState& state, ConstVecRef dx, std::span<Vec3> out) const {
    Vec3 p = pose_position(state.x, 0);
    Quat q = pose_rotation(state.x, 0);
    if (dx.size() != 0) {
      p += dx.head<3>();
      q = rotation_from_vector(dx.segment<3>(3)) * q;
    }
    const Mat3 R = q.toRotationMatrix();
    for (std::size_t i = 0; i < local_.size(); ++i) out[i] = p + R * local_[i];
  }
  void append_vertex(const BodyState& state, int vertex, double weight, PointJacobian& H) const {
    H.add(0, weight * Mat3::Identity());
    H.add(1, -weight * cross_matrix(pose_rotation(state.x, 0) * local_[vertex]));
  }

 private:
  Vec3 reference_ = Vec3::Zero();
  std::vector<Vec3> local_;  ///< vertices from the reference point, body axes
  Skin skin_;
};

}  // namespace palp
