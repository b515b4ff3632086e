// The `mesh:` of a body: a file, or a generator with its parameters; scaled, turned and moved into place.
#pragma once
#include <map>
#include <optional>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/rounded.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

using NodeSets = std::map<std::string, std::vector<int>>;

/// What a body model can be made of.
enum class MeshUse { volume, surface, curve };

struct SceneMesh {
  std::variant<std::monostate, TetMesh, HexMesh> volume;
  TriMesh surface;     ///< of use `surface`
  std::optional<RoundedShape> rounded;  ///< of use `surface`: the exact shape that it draws
  Curve curve;         ///< of use `curve`
  SkinEmbedding skin;  ///< a finer surface carried by the volume; no vertices = none
  NodeSets node_sets;

  std::span<const Vec3> nodes() const;
};

/// Where a body starts: x → R (scale · x) + t.
struct Placement {
  double scale = 1;
  Quat rotation = Quat::Identity();
  Vec3 position = Vec3::Zero();

  void apply(std::vector<Vec3>& nodes) const;
  void apply(RoundedShape& shape) const;
};

/// Reads body keys `mesh`, `surface`, `position`, `rotation`. Nothing on errors, which are in the context.
std::optional<SceneMesh> read_scene_mesh(YamlMap& body, MeshUse use, const std::string& folder,
                                         std::vector<std::string>& warnings);

/// Reads a selection of nodes: all | {box: [[x,y,z],[x,y,z]]} | {nodes: [...]} | {set: name}, or a list of
/// them. Sorted, none twice.
std::vector<int> read_selection(const YamlValue& value, std::span<const Vec3> nodes, const NodeSets& sets);

}  // namespace palp
