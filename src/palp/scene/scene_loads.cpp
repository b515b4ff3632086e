// `loads:` of a body (scene_nodes.hpp).
#include <algorithm>
#include <numeric>

#include "palp/scene/scene_course.hpp"
#include "palp/scene/scene_nodes.hpp"

namespace palp {
namespace {

struct LoadReader {
  const Body& body;
  int number;
  const SceneNodes& nodes;
  SurfaceSort sort;
  Actions& out;

  bool is_beam() const {
    BodyFrame frame;
    return !nodes.positions.empty() && body.frame(body.rest_state(), 0, frame) && frame.has_rotation;
  }

  /// Which vertices of the skin a selection names. Where every vertex is a node, nodes and sets are those of
  /// the mesh; otherwise (an embedded surface, a rigid body) the skin itself is asked.
  std::vector<char> selected_vertices(const YamlValue& on) const {
    const int vertices = body.skin().vertices;
    std::vector<char> selected(static_cast<size_t>(vertices), on.exists() ? 0 : 1);
    if (!on.exists()) return selected;
    const BodyState rest = body.rest_state();
    PointJacobian H;
    for (int v = 0; v < vertices; ++v) {
      body.append_vertex(rest, v, 1, H);
      H.end_point();
    }
    const bool own = !nodes.positions.empty() && body.blocks() == static_cast<int>(nodes.positions.size()) &&
                     static_cast<int>(H.column.size()) == vertices;
    if (own) {
      const std::vector<int> chosen = read_selection(on, nodes);
      for (int v = 0; v < vertices; ++v)
        selected[static_cast<size_t>(v)] =
            std::binary_search(chosen.begin(), chosen.end(), H.column[static_cast<size_t>(v)]);
      return selected;
    }
    SceneNodes skin;
    skin.positions.resize(static_cast<size_t>(vertices));
    body.skin_positions(rest, VecX(), skin.positions);
    for (int v : read_selection(on, skin)) selected[static_cast<size_t>(v)] = 1;
    return selected;
  }

  void surface(YamlMap& m, const YamlValue& on, const YamlValue& pressure, const YamlValue& traction) {
    const std::vector<char> selected = selected_vertices(on);
    std::vector<Triangle> triangles;
    const auto& all = body.skin().triangles;
    const auto chosen = [&](const Triangle& t) {
      return std::all_of(t.begin(), t.end(), [&](int v) { return selected[static_cast<size_t>(v)] != 0; });
    };
    for (auto face = all.begin(); face != all.end(); face += sort.triangles_per_face)  // whole faces
      if (std::all_of(face, face + sort.triangles_per_face, chosen))
        triangles.insert(triangles.end(), face, face + sort.triangles_per_face);
    if (triangles.empty() && m.value().context().errors.empty())
      m.value().fail("the load lies on no triangle of the surface",
                     "a face is loaded when all its nodes are selected: take a larger box");
    SurfaceLoad load = surface_load(body, number, std::move(triangles));
    load.pressure_Pa = read_course(pressure);
    load.traction_Pa = read_vector_course(traction);
    load.at_rest = sort.linear;
    load.per_face = sort.triangles_per_face;
    out.surfaces.push_back(std::move(load));
  }

  /// Shared equally by nodes; by vertices of the skin for a body with one frame.
  void on_nodes(const YamlValue& on, const Course<Vec3>& force, const Course<Vec3>& torque) {
    const std::vector<int> chosen = read_selection(on, nodes);
    if (chosen.empty()) return;
    const double share = 1 / static_cast<double>(chosen.size());
    const int per_node = is_beam() ? 2 : 1;
    for (int part = 0; part < per_node; ++part) {
      const Course<Vec3>& course = part == 0 ? force : torque;
      if (course.empty()) continue;
      NodeLoad load{number, {}, std::vector<double>(chosen.size(), share), course};
      for (int node : chosen) load.blocks.push_back(per_node * node + part);
      out.nodes.push_back(std::move(load));
    }
  }

  /// Newtons per metre of a beam: each segment gives half to either end.
  void along(const YamlValue& on, const YamlValue& per_length) {
    std::vector<int> chosen(nodes.positions.size());
    std::iota(chosen.begin(), chosen.end(), 0);
    if (on.exists()) chosen = read_selection(on, nodes);
    NodeLoad load{number, {}, {}, read_vector_course(per_length)};
    std::vector<double> length(nodes.positions.size(), 0);
    for (size_t i = 0; i + 1 < nodes.positions.size(); ++i) {
      if (!std::binary_search(chosen.begin(), chosen.end(), static_cast<int>(i)) ||
          !std::binary_search(chosen.begin(), chosen.end(), static_cast<int>(i + 1)))
        continue;
      const double half = 0.5 * (nodes.positions[i + 1] - nodes.positions[i]).norm();
      length[i] += half;
      length[i + 1] += half;
    }
    for (size_t i = 0; i < length.size(); ++i)
      if (length[i] > 0) {
        load.blocks.push_back(2 * static_cast<int>(i));
        load.shares.push_back(length[i]);
      }
    if (load.blocks.empty() && on.exists())
      on.fail("the load lies on no segment of the beam", "select both ends of a segment");
    out.nodes.push_back(std::move(load));
  }

  void read(const YamlValue& item) {
    YamlMap m(item, scene_keys::load());
    const YamlValue on = m.get("on"), at = m.get("at"), pressure = m.get("pressure"),
                    traction = m.get("traction"), force = m.get("force"), torque = m.get("torque"),
                    per_length = m.get("perLength");
    const int kinds =
        (pressure.exists() || traction.exists()) + (force.exists() || torque.exists()) + per_length.exists();
    if (kinds != 1) {
      item.fail("a load is one of pressure, traction, force, torque and perLength",
                "e.g. {on: {box: …}, traction: [0, 0, -1000]}");
      return;
    }
    const bool one_frame = nodes.positions.empty();
    if (at.exists() && (!one_frame || !force.exists())) {
      at.fail("'at' is where a force acts on a body with one frame (rigid, globalCorotational)",
              "select nodes: on: {box: …}");
      return;
    }
    if (torque.exists() && !one_frame && !is_beam()) {
      torque.fail("nodes of a solid have no rotation: no torque turns them", "give forces, or a traction");
      return;
    }
    if (per_length.exists()) {
      if (!is_beam())
        per_length.fail("only beams have a length to load", "give a traction or a force");
      else
        along(on, per_length);
      return;
    }
    if (pressure.exists() || traction.exists()) {
      if (body.skin().triangles.empty())
        item.fail("the body has no surface to press on",
                  is_beam() ? "give perLength or forces on nodes" : "give a force");
      else
        surface(m, on, pressure, traction);
      return;
    }
    const Course<Vec3> f = read_vector_course(force), t = read_vector_course(torque);
    if (!one_frame) {
      if (!on.exists())
        item.fail("which nodes share the force?", "on: {box: …}, or on: all");
      else
        on_nodes(on, f, t);
      return;
    }
    if (on.exists()) {
      on.fail("a body with one frame takes a force at a point", "at: [x, y, z], where the body starts");
      return;
    }
    BodyFrame frame;
    if (!body.frame(body.rest_state(), 0, frame)) {
      item.fail("nothing pushes an obstacle", "choose model: rigid");
      return;
    }
    if (torque.exists() && !frame.has_rotation) torque.fail("a point does not turn", "give a force");
    const Vec3 where = at.vec3(frame.position);
    out.frames.push_back({number, 0, frame.orientation.conjugate() * (where - frame.position),
                          at.exists() && body.blocks() > 2 ? nearest_vertex(body, where) : -1, f, t});
  }
};

}  // namespace

void read_loads(const YamlValue& value, const Body& body, int number, const SceneNodes& nodes,
                SurfaceSort sort, Actions& out) {
  for (const YamlValue& item : value.list()) LoadReader{body, number, nodes, sort, out}.read(item);
}

}  // namespace palp
