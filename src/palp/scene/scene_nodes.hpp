// What is done to parts of a body: supports along some axes, nodes that are moved, loads, other materials.
//
//     supports:  [{on: SELECTION, axes: [x]}, {on: SELECTION, normal: [1, 1, 0]}]
//     moves:     [{on: SELECTION, displacement: COURSE, rotation: COURSE, axes: [z]}]
//     loads:     [{on: SELECTION, pressure | traction | force | perLength: COURSE},
//                 {at: [x, y, z], force: COURSE}, {torque: COURSE, on: SELECTION}]
//     materials: [{on: SELECTION, youngModulus, poissonRatio, density}]
#pragma once
#include "palp/mechanics/beam_body.hpp"
#include "palp/scene/scene_body.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp {

/// Of a volume: what is held beside `fixed`.
std::vector<NodeSupport> read_supports(const YamlValue& value, const SceneNodes& nodes);
/// Of a beam; axes rx, ry, rz are rotations.
std::vector<BeamSpec::Axes> read_beam_supports(const YamlValue& value, const SceneNodes& nodes);

/// Moved nodes: which, along which directions, and how.
struct SceneMove {
  std::vector<int> nodes;
  Mat3 directions = Mat3::Identity();
  Course<Vec3> displacement_m, rotation_rad;
};
std::vector<SceneMove> read_moves(const YamlValue& value, const SceneNodes& nodes,
                                  scene_keys::BodyModel model);

/// Which elements are made of what else than the body's own material.
MaterialParts read_materials(const YamlValue& value, const SceneMesh& mesh, const Material& own);

/// What surface loads act on.
struct SurfaceSort {
  bool linear = false;         ///< of a model of small displacements
  int triangles_per_face = 1;  ///< SurfaceLoad::per_face
};

/// Loads on a finished body, number `number`, whose mesh nodes are `nodes` (none: it is one frame).
void read_loads(const YamlValue& value, const Body& body, int number, const SceneNodes& nodes,
                SurfaceSort sort, Actions& out);

}  // namespace palp
