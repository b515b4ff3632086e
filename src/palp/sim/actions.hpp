// What acts on bodies by a time course of its own, beside gravity, contact and hands: loads on surfaces,
// nodes and frames, and nodes that are moved.
//
//     pressure   −p ∫ n dA over the surface as it is (at rest, for models of small displacements)
//     traction   t ∫ dA over the surface at rest, axes of the world
// both with the shape functions of the faces, so that a uniform load makes a uniform stress. Forces are those
// at the end of the step, or in its middle for the mid-point rule; moved nodes are where their course is at
// the end.
#pragma once
#include <vector>

#include "palp/math/course.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

struct SurfaceLoad {
  int body = 0;
  std::vector<Triangle> triangles;  ///< of the skin
  /// What the triangles are made from: 1 triangles; 2 the halves of quadrilaterals, one after the other; 4
  /// the quarters of triangles with middle nodes (mesh/topology.hpp, mesh/quadratic.hpp: extract_surface).
  int per_face = 1;
  std::vector<Vec3> rest;      ///< all vertices of the skin at rest
  Course<double> pressure_Pa;  ///< positive pushes inwards; empty: none
  Course<Vec3> traction_Pa;    ///< empty: none
  bool at_rest = false;        ///< the pressure acts on the surface at rest
};

/// A force that some nodes share equally.
struct NodeLoad {
  int body = 0;
  std::vector<int> blocks;     ///< degrees of freedom of their translations
  std::vector<double> shares;  ///< of each
  Course<Vec3> force_N;
};

/// A force at a point of a frame (Body::frame) and a torque, axes of the world.
struct FrameLoad {
  int body = 0, frame = 0;
  Vec3 lever = Vec3::Zero();  ///< the point, in the axes of the frame
  int vertex = -1;            ///< instead: a vertex of the skin, of a body that deforms in its frame
  Course<Vec3> force_N, torque_Nm;
};

/// Driven frames (Body::driven_frame) that are moved from where they are at rest.
struct NodeMove {
  int body = 0;
  std::vector<int> frames;
  std::vector<BodyFrame> rest;  ///< each of them at rest
  Course<Vec3> displacement_m;
  Course<Vec3> rotation_rad;  ///< rotation vector from rest; empty: not turned
};

struct Actions {
  std::vector<SurfaceLoad> surfaces;
  std::vector<NodeLoad> nodes;
  std::vector<FrameLoad> frames;
  std::vector<NodeMove> moves;

  bool on(int body) const;
};

/// With what they know of the body at rest.
SurfaceLoad surface_load(const Body& body, int number, std::vector<Triangle> triangles);
NodeMove node_move(const Body& body, int number, std::vector<int> frames, Course<Vec3> displacement_m);

/// Scratch of one body; grows on first use.
struct ActionScratch {
  Loads loads;                 ///< the caller's, and what acts
  std::vector<Vec3> position;  ///< of the skin's vertices
  std::vector<Vec3> force;     ///< on them
  PointJacobian H;
};

/// `loads` and what acts on the body over the step that ends at `end_s`: `loads` itself when nothing does,
/// else scratch.loads.
const Loads& with_actions(const Actions& actions, int number, const Body& body, const BodyState& state,
                          const Loads& loads, double end_s, double h, ActionScratch& scratch);

}  // namespace palp
