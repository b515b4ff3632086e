#include "palp/io/mesh_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace palp::io {
namespace {

double cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// The polygon seen along its mean normal (Newell), counter-clockwise.
std::vector<Vec2> flattened(std::span<const Vec3> nodes, std::span<const int> polygon) {
  Vec3 normal = Vec3::Zero();
  const Vec3 origin = nodes[polygon[0]];
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 a = nodes[polygon[i]] - origin;
    const Vec3 b = nodes[polygon[(i + 1) % polygon.size()]] - origin;
    normal += a.cross(b);
  }
  const double length = normal.norm();
  normal = length > 0 && std::isfinite(length) ? Vec3(normal / length) : Vec3::UnitZ();
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  std::vector<Vec2> flat;
  for (int node : polygon) {
    const Vec3 p = nodes[node] - origin;
    flat.emplace_back(p.dot(u), p.dot(v));
  }
  return flat;
}

bool is_convex(const std::vector<Vec2>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    if (!(cross2(p[(i + 1) % n] - p[i], p[(i + 2) % n] - p[(i + 1) % n]) >= 0)) return false;
  return true;
}

bool inside(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  return cross2(b - a, p - a) >= 0 && cross2(c - b, p - b) >= 0 && cross2(a - c, p - c) >= 0;
}

constexpr std::size_t longest_concave_polygon = 2000;  // ear clipping is quadratic at best

}  // namespace

std::vector<Triangle> triangulate(std::span<const Vec3> nodes, std::span<const int> polygon) {
  std::vector<Triangle> out;
  const std::size_t n = polygon.size();
  if (n < 3) return out;
  const auto flat = flattened(nodes, polygon);
  if (is_convex(flat)) {
    for (std::size_t i = 1; i + 1 < n; ++i) out.push_back({polygon[0], polygon[i], polygon[i + 1]});
    return out;
  }
  if (n > longest_concave_polygon) return out;
  std::vector<std::size_t> open(n);
  for (std::size_t i = 0; i < n; ++i) open[i] = i;
  const auto is_ear = [&](std::size_t i) {
    const std::size_t a = open[(i + open.size() - 1) % open.size()], b = open[i],
                      c = open[(i + 1) % open.size()];
    if (cross2(flat[b] - flat[a], flat[c] - flat[b]) <= 0) return false;
    return std::none_of(open.begin(), open.end(), [&](std::size_t k) {
      return k != a && k != b && k != c && inside(flat[k], flat[a], flat[b], flat[c]);
    });
  };
  std::vector<char> ears(n);  // of the open corners; a cut changes those of its two neighbours only
  for (std::size_t i = 0; i < n; ++i) ears[i] = is_ear(i);
  while (open.size() > 3) {
    // When no ear is found (the polygon crosses itself) the first corner is cut off.
    const auto found = std::find(ears.begin(), ears.end(), 1);
    const std::size_t ear = found == ears.end() ? 0 : static_cast<std::size_t>(found - ears.begin());
    const std::size_t a = open[(ear + open.size() - 1) % open.size()], c = open[(ear + 1) % open.size()];
    out.push_back({polygon[a], polygon[open[ear]], polygon[c]});
    open.erase(open.begin() + static_cast<long>(ear));
    ears.erase(ears.begin() + static_cast<long>(ear));
    for (const std::size_t i : {(ear + open.size() - 1) % open.size(), ear % open.size()})
      ears[i] = is_ear(i);
  }
  out.push_back({polygon[open[0]], polygon[open[1]], polygon[open[2]]});
  return out;
}

void MeshBuilder::add_polygon(std::span<const int> corners) {
  if (corners.size() == 4) {
    mesh.quads.push_back({corners[0], corners[1], corners[2], corners[3]});
    source_[2].push_back(file_cells_);
    return;
  }
  const auto triangles = triangulate(mesh.nodes, corners);
  if (triangles.empty()) refused_ = "a concave polygon has " + std::to_string(corners.size()) + " corners";
  for (const auto& t : triangles) {
    mesh.triangles.push_back(t);
    source_[1].push_back(file_cells_);
  }
}

std::string MeshBuilder::add_cell(long long type, std::span<const long long> given) {
  std::vector<int> n;
  n.reserve(given.size());
  for (long long node : given) {
    if (node < 0 || node >= static_cast<long long>(mesh.nodes.size()))
      return "a cell uses node " + std::to_string(node) + " (counted from 0), but there are only " +
             std::to_string(mesh.nodes.size()) + " nodes";
    n.push_back(static_cast<int>(node));
  }
  // Needs at least (or exactly) so many nodes.
  const auto wants = [&](std::size_t least, bool exactly = true) -> std::string {
    if (exactly ? n.size() == least : n.size() >= least) return {};
    return "a cell of type " + std::to_string(type) + " needs " + std::to_string(least) + " nodes and has " +
           std::to_string(n.size());
  };
  const auto second_order = [&](std::size_t corners) {
    ++reduced_;
    middle_.resize(mesh.nodes.size());
    for (std::size_t i = corners; i < n.size(); ++i) middle_[n[i]] = 1;
  };
  const auto add_segment = [&](int a, int b) {
    mesh.segments.push_back({a, b});
    source_[0].push_back(file_cells_);
  };
  const auto add_triangle = [&](int a, int b, int c) {
    mesh.triangles.push_back({a, b, c});
    source_[1].push_back(file_cells_);
  };
  const auto add_tet = [&] {
    mesh.tets.push_back({n[0], n[1], n[2], n[3]});
    source_[3].push_back(file_cells_);
  };
  const auto add_hex = [&] {
    mesh.hexes.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
    source_[4].push_back(file_cells_);
  };
  std::string wrong;
  const auto add = [&](std::size_t count, std::size_t corners, auto&& put) {
    wrong = wants(count);
    if (!wrong.empty()) return;
    if (count != corners) second_order(corners);
    put();
  };
  const auto quad = [&] { add_polygon(std::span<const int>(n).first(4)); };
  switch (type) {
    case vtk_vertex:
    case vtk_poly_vertex:
      break;
    case vtk_line:
      add(2, 2, [&] { add_segment(n[0], n[1]); });
      break;
    case vtk_poly_line:
      wrong = wants(2, false);
      for (std::size_t i = 0; wrong.empty() && i + 1 < n.size(); ++i) add_segment(n[i], n[i + 1]);
      break;
    case vtk_triangle:
      add(3, 3, [&] { add_triangle(n[0], n[1], n[2]); });
      break;
    case vtk_triangle_strip:
      wrong = wants(3, false);
      for (std::size_t i = 0; wrong.empty() && i + 2 < n.size(); ++i)
        i % 2 == 0 ? add_triangle(n[i], n[i + 1], n[i + 2]) : add_triangle(n[i + 1], n[i], n[i + 2]);
      break;
    case vtk_polygon:
      wrong = wants(3, false);
      if (wrong.empty()) add_polygon(n);
      wrong += refused_;
      break;
    case vtk_pixel:
      add(4, 4, [&] {
        std::swap(n[2], n[3]);
        quad();
      });
      break;
    case vtk_quad:
      add(4, 4, quad);
      break;
    case vtk_tetra:
      add(4, 4, add_tet);
      break;
    case vtk_voxel:
      add(8, 8, [&] {
        std::swap(n[2], n[3]);
        std::swap(n[6], n[7]);
        add_hex();
      });
      break;
    case vtk_hexahedron:
      add(8, 8, add_hex);
      break;
    case vtk_quadratic_edge:
      add(3, 2, [&] { add_segment(n[0], n[1]); });
      break;
    case vtk_quadratic_triangle:
      add(6, 3, [&] { add_triangle(n[0], n[1], n[2]); });
      break;
    case vtk_quadratic_quad:
      add(8, 4, quad);
      break;
    case vtk_biquadratic_quad:
      add(9, 4, quad);
      break;
    case vtk_quadratic_tetra:
      add(10, 4, add_tet);
      break;
    case vtk_quadratic_hexahedron:
      add(20, 8, add_hex);
      break;
    case vtk_triquadratic_hexahedron:
      add(27, 8, add_hex);
      break;
    case vtk_wedge:
      return "prisms (wedges) are not supported";
    case vtk_pyramid:
      return "pyramids are not supported";
    default:
      return "cells of type " + std::to_string(type) + " are not supported";
  }
  ++file_cells_;
  return wrong;
}

void MeshBuilder::add_data(bool of_cells, DataArray array) {
  const std::size_t count = of_cells ? static_cast<std::size_t>(file_cells_) : mesh.nodes.size();
  const auto leave_out = [&](const std::string& why) {
    mesh.notes.push_back("the array '" + array.name + "' was left out: " + why);
  };
  if (array.components != 1 && array.components != 3)
    return leave_out("it has " + std::to_string(array.components) + " components, not 1 or 3");
  if (array.values.size() != count * array.components)
    return leave_out("it has " + std::to_string(array.values.size()) + " values for " +
                     std::to_string(count) + (of_cells ? " cells" : " nodes"));
  if (!std::all_of(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); }))
    return leave_out("some of its values are NaN or infinite");
  (of_cells ? cell_data : mesh.point_data).push_back(std::move(array));
}

void MeshBuilder::adopt_regions_and_sets() {
  const auto adopt_sets = [](std::vector<DataArray>& data, std::vector<NamedSet>& sets) {
    std::erase_if(data, [&](const DataArray& array) {
      if (set_name(array.name).empty() || array.components != 1) return false;
      NamedSet set{std::string(set_name(array.name)), {}};
      for (std::size_t i = 0; i < array.values.size(); ++i)
        if (array.values[i] != 0) set.items.push_back(static_cast<int>(i));
      sets.push_back(std::move(set));
      return true;
    });
  };
  adopt_sets(mesh.point_data, mesh.node_sets);
  adopt_sets(cell_data, cell_sets);
  std::erase_if(cell_data, [&](const DataArray& array) {
    const bool known = array.name == "region" || array.name == "gmsh:physical";
    const bool whole = std::all_of(array.values.begin(), array.values.end(),
                                   [](double v) { return std::abs(v) < 2e9 && v == std::trunc(v); });
    if (!known || !whole || array.components != 1 || !region.empty()) return false;
    for (double v : array.values) region.push_back(static_cast<int>(v));
    return true;
  });
}

void MeshBuilder::drop_middle_nodes() {
  const auto keep_corners = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (int node : cell) middle_[node] = 0;
  };
  middle_.resize(mesh.nodes.size());
  keep_corners(mesh.segments);
  keep_corners(mesh.triangles);
  keep_corners(mesh.quads);
  keep_corners(mesh.tets);
  keep_corners(mesh.hexes);
  std::vector<int> number(mesh.nodes.size(), -1);
  int kept = 0;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    if (!middle_[i]) {
      mesh.nodes[kept] = mesh.nodes[i];
      for (auto& array : mesh.point_data)
        for (int c = 0; c < array.components; ++c)
          array.values[std::size_t(kept) * array.components + c] = array.values[i * array.components + c];
      number[i] = kept++;
    }
  mesh.nodes.resize(static_cast<std::size_t>(kept));
  for (auto& array : mesh.point_data) array.values.resize(std::size_t(kept) * array.components);
  const auto renumber = [&](auto& cells) {
    for (auto& cell : cells)
      for (int& node : cell) node = number[node];
  };
  renumber(mesh.segments);
  renumber(mesh.triangles);
  renumber(mesh.quads);
  renumber(mesh.tets);
  renumber(mesh.hexes);
  for (auto& set : mesh.node_sets) {
    std::erase_if(set.items, [&](int node) { return number[node] < 0; });
    for (int& node : set.items) node = number[node];
  }
  mesh.notes.push_back(std::to_string(reduced_) + " second-order cells were reduced to first order");
}

/// What a reader left that may not be used as an index or a number; empty when all is well.
std::string MeshBuilder::unsound() const {
  const auto nodes = static_cast<int>(mesh.nodes.size());
  const auto finite = [](double v) { return std::isfinite(v); };
  const auto inside = [&](const auto& cells) {
    return std::all_of(cells.begin(), cells.end(), [&](const auto& cell) {
      return std::all_of(cell.begin(), cell.end(), [&](int n) { return n >= 0 && n < nodes; });
    });
  };
  for (int i = 0; i < nodes; ++i)
    if (!mesh.nodes[i].allFinite()) return "the coordinates of node " + std::to_string(i) + " are not finite";
  if (!inside(mesh.segments) || !inside(mesh.triangles) || !inside(mesh.quads) || !inside(mesh.tets) ||
      !inside(mesh.hexes))
    return "a cell uses a node that does not exist";
  if (!region.empty() && region.size() != static_cast<std::size_t>(file_cells_))
    return "there are " + std::to_string(region.size()) + " regions for " + std::to_string(file_cells_) +
           " cells";
  for (const bool of_cells : {false, true}) {
    const int count = of_cells ? file_cells_ : nodes;
    for (const auto& array : of_cells ? cell_data : mesh.point_data)
      if ((array.components != 1 && array.components != 3) ||
          array.values.size() != static_cast<std::size_t>(count) * array.components ||
          !std::all_of(array.values.begin(), array.values.end(), finite))
        return "the array '" + array.name + "' does not fit the " + std::to_string(count) +
               (of_cells ? " cells" : " nodes");
    for (const auto& set : of_cells ? cell_sets : mesh.node_sets)
      for (int item : set.items)
        if (item < 0 || item >= count)
          return "the set '" + set.name + "' holds " + std::to_string(item) + ", which does not exist";
  }
  return {};
}

Result<MeshFile> MeshBuilder::finish() && {
  if (const std::string wrong = unsound(); !wrong.empty())
    return Error{.message = wrong, .remedy = "the file contradicts itself: export the mesh again"};
  const auto ordered = [](NamedSet& set) {
    std::sort(set.items.begin(), set.items.end());
    set.items.erase(std::unique(set.items.begin(), set.items.end()), set.items.end());
  };
  for (auto& set : mesh.node_sets) ordered(set);
  if (reduced_ > 0) drop_middle_nodes();

  std::vector<int> source;  // file cell of every cell of the result
  for (const auto& kind : source_) source.insert(source.end(), kind.begin(), kind.end());
  const std::size_t cells = source.size();
  if (std::any_of(region.begin(), region.end(), [](int r) { return r != 0; })) {
    mesh.region.resize(cells);
    for (std::size_t c = 0; c < cells; ++c) mesh.region[c] = region[source[c]];
  }
  for (auto& array : cell_data) {
    DataArray moved{std::move(array.name), array.components, {}};
    moved.values.reserve(cells * array.components);
    for (int from : source)
      for (int k = 0; k < array.components; ++k)
        moved.values.push_back(array.values[std::size_t(from) * array.components + k]);
    mesh.cell_data.push_back(std::move(moved));
  }
  // The cells that each file cell became: [start[f], start[f + 1]) of `made`.
  std::vector<int> start(static_cast<std::size_t>(file_cells_) + 1), made(cells);
  for (int from : source) ++start[from + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next(start);
  for (std::size_t c = 0; c < cells; ++c) made[next[source[c]]++] = static_cast<int>(c);
  for (auto& set : cell_sets) {
    NamedSet moved{std::move(set.name), {}};
    for (int item : set.items)
      moved.items.insert(moved.items.end(), made.begin() + start[item], made.begin() + start[item + 1]);
    ordered(moved);
    mesh.cell_sets.push_back(std::move(moved));
  }
  return std::move(mesh);
}

}  // namespace palp::io
