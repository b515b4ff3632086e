// The `mesh:` of a body: a file, or a generator with its parameters; scaled, turned and moved into place.
#pragma once
#include <map>
#include <optional>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/rounded.hpp"
#include "palp/mesh/voxels.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

using NodeSets = std::map<std::string, std::vector<int>>;

/// What a body model can be made of.
enum class MeshUse { volume, surface, curve };

/// The nodes of a body, by place, number or name.
struct SceneNodes {
  std::vector<Vec3> positions;
  NodeSets sets;
  std::vector<QuadraticTet> quadratic_tets;  ///< a middle node belongs to every selection of its corners
};

/// Where a body starts: x → R (scale · x) + t.
struct Placement {
  double scale = 1;
  Quat rotation = Quat::Identity();
  Vec3 position = Vec3::Zero();

  void apply(std::span<Vec3> nodes) const;
  void apply(RoundedShape& shape) const;
  void apply(VoxelReport& report) const;
};

struct SceneMesh {
  VolumeMesh volume;  ///< of use `volume`
  HexModes hex_modes = HexModes::inner;
  std::vector<CellFill> hex_fill;       ///< of a surface laid in a lattice of hexes: what of each is material
  std::optional<VoxelReport> lattice;   ///< of such a surface
  TriMesh surface;                      ///< of use `surface`
  std::optional<RoundedShape> rounded;  ///< of use `surface`: the exact shape that it draws
  Curve curve;                          ///< of use `curve`
  SkinEmbedding skin;                   ///< a finer surface carried by the volume; no vertices = none
  SceneNodes nodes;
  Placement placement;
  int cells = 0;         ///< tets, hexes, triangles or segments
  bool refined = false;  ///< by MeshContext::refinement; a file's mesh stays as it is
};

/// What the reading of meshes needs besides the file.
struct MeshContext {
  std::string folder;  ///< paths are relative to it
  std::vector<std::string>& warnings;
  double refinement = 1;  ///< cells per length, over what the scene says
};

/// Reads body keys `mesh`, `surface`, `position`, `rotation`. Nothing on errors, which are in the context.
std::optional<SceneMesh> read_scene_mesh(YamlMap& body, MeshUse use, const MeshContext& context);

/// Reads a selection of nodes: all | {box: [[x,y,z],[x,y,z]]} | {nodes: [...]} | {set: name}, or a list of
/// them. Sorted, none twice.
std::vector<int> read_selection(const YamlValue& value, const SceneNodes& nodes);

}  // namespace palp
