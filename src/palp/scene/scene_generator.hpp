// The generators of a scene's meshes: each reads its parameters from the file and can make what it knows of.
#pragma once
#include <functional>

#include "palp/mesh/meshes.hpp"
#include "palp/scene/scene_mesh.hpp"

namespace palp {

/// What a generator makes; an empty function = it does not make that.
struct Generated {
  std::function<Result<HexMesh>()> hexes;
  std::function<Result<TriMesh>()> surface;
  std::function<Result<Curve>()> curve;
  std::function<Result<RoundedShape>()> rounded;  ///< the shape that `surface` is a drawing of
  std::function<NodeSets(std::span<const Vec3> nodes)> sets;
};

const std::vector<std::string>& generator_names();
/// Its own keys, beside those of every mesh.
const Keys& generator_keys(int which);
/// Reads the parameters of generator number `which`; errors are in the context. `refinement`: cells per
/// length over what the file says.
Generated read_generator(int which, YamlMap& mesh, double refinement = 1);

}  // namespace palp
