#include "palp/scene/scene_nodes.hpp"

#include <algorithm>
#include <numbers>

#include "palp/scene/scene_course.hpp"

namespace palp {
namespace {

using scene_keys::BodyModel;

const std::vector<std::string> axis_names{"x", "y", "z", "rx", "ry", "rz"};

/// Numbers of the axes in a list of names, the first `count` of axis_names; all three positions when it is
/// not there.
std::vector<int> read_axes(const YamlValue& value, int count) {
  if (!value.exists()) return {0, 1, 2};
  std::vector<int> axes;
  const std::vector<std::string> names(axis_names.begin(), axis_names.begin() + count);
  for (const YamlValue& item : value.list())
    if (const int axis = item.choice(-1, names); axis >= 0) axes.push_back(axis);
  if (value.list().empty()) value.fail("'" + value.path() + "' names no axis", "e.g. axes: [x, z]");
  return axes;
}

/// The projector that `axes` or `normal` describe.
Mat3 read_directions(YamlMap& m) {
  const YamlValue axes = m.get("axes"), normal = m.get("normal");
  Mat3 out = Mat3::Zero();
  if (!normal.exists()) {
    for (int axis : read_axes(axes, 3)) out(axis, axis) = 1;
    return out;
  }
  if (axes.exists()) normal.fail("'axes' and 'normal' exclude each other", "give one of them");
  const Vec3 n = normal.vec3();
  if (!(n.norm() > 1e-9)) {
    normal.fail("'" + normal.path() + "' has no direction", "e.g. [1, 0, 0]");
    return out;
  }
  return n.normalized() * n.normalized().transpose();
}

std::vector<int> read_on(YamlMap& m, const SceneNodes& nodes) { return read_selection(m.need("on"), nodes); }

}  // namespace

std::vector<NodeSupport> read_supports(const YamlValue& value, const SceneNodes& nodes) {
  std::vector<NodeSupport> out;
  for (const YamlValue& item : value.list()) {
    YamlMap m(item, scene_keys::support(BodyModel::linear));
    const std::vector<int> on = read_on(m, nodes);
    const Mat3 held = read_directions(m);
    for (int node : on) out.push_back({node, held});
  }
  return out;
}

std::vector<BeamSpec::Axes> read_beam_supports(const YamlValue& value, const SceneNodes& nodes) {
  std::vector<BeamSpec::Axes> out;
  for (const YamlValue& item : value.list()) {
    YamlMap m(item, scene_keys::support(BodyModel::beam));
    const std::vector<int> on = read_on(m, nodes), axes = read_axes(m.get("axes"), 6);
    for (int node : on) {
      BeamSpec::Axes& held = out.emplace_back();
      held.node = node;
      for (int axis : axes) (axis < 3 ? held.position : held.rotation)[static_cast<size_t>(axis % 3)] = true;
    }
  }
  return out;
}

std::vector<SceneMove> read_moves(const YamlValue& value, const SceneNodes& nodes, BodyModel model) {
  std::vector<SceneMove> out;
  const bool turns = model == BodyModel::beam || model == BodyModel::obstacle;
  for (const YamlValue& item : value.list()) {
    YamlMap m(item, scene_keys::move(model));
    SceneMove move;
    if (model != BodyModel::obstacle) move.nodes = read_on(m, nodes);
    if (!turns) move.directions = read_directions(m);
    move.displacement_m = read_vector_course(m.need("displacement"));
    if (turns) move.rotation_rad = read_vector_course(m.get("rotation"));
    for (auto& point : move.rotation_rad.points) point.value *= std::numbers::pi / 180;
    if (move.displacement_m.empty()) move.displacement_m = Course<Vec3>(Vec3::Zero());
    out.push_back(std::move(move));
  }
  return out;
}

MaterialParts read_materials(const YamlValue& value, const SceneMesh& mesh, const Material& own) {
  MaterialParts out;
  if (!value.exists()) return out;
  // Elements are selected by their centre, or by a set of nodes that holds all of theirs.
  SceneNodes centres;
  std::visit(
      [&](const auto& volume) {
        const auto& elements = [&]() -> const auto& {
          if constexpr (requires { volume.hexes; })
            return volume.hexes;
          else
            return volume.tets;
        }
        ();
        for (const auto& e : elements) {
          Vec3 centre = Vec3::Zero();
          for (int n : e) centre += volume.nodes[static_cast<size_t>(n)] / static_cast<double>(e.size());
          centres.positions.push_back(centre);
        }
        for (const auto& [name, members] : mesh.nodes.sets) {
          std::vector<char> in(volume.nodes.size(), 0);
          for (int n : mesh.nodes.quadratic_tets.empty()
                           ? members
                           : with_middle_nodes(members, mesh.nodes.quadratic_tets, volume.nodes.size()))
            in[static_cast<size_t>(n)] = 1;
          for (size_t e = 0; e < elements.size(); ++e)
            if (std::all_of(elements[e].begin(), elements[e].end(),
                            [&](int n) { return in[static_cast<size_t>(n)]; }))
              centres.sets[name].push_back(static_cast<int>(e));
        }
      },
      mesh.volume);
  out.of_element.assign(centres.positions.size(), 0);
  for (const YamlValue& item : value.list()) {
    YamlMap m(item, scene_keys::material());
    const YamlValue on = m.need("on");
    if (on.is_map() && on.node()["nodes"].IsDefined()) {
      on.fail("a part of a body is chosen by a box or a set, not by nodes",
              "on: {box: …} takes the cells whose middle is inside");
      continue;
    }
    const std::vector<int> cells = read_selection(on, centres);
    out.materials.push_back({.young_modulus_Pa = m.get("youngModulus").number(own.young_modulus_Pa),
                             .poisson_ratio = m.get("poissonRatio").number(own.poisson_ratio),
                             .density_kg_per_m3 = m.get("density").number(own.density_kg_per_m3)});
    for (int cell : cells) out.of_element[static_cast<size_t>(cell)] = static_cast<int>(out.materials.size());
  }
  return out;
}

}  // namespace palp
