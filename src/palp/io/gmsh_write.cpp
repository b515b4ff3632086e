// Writes Gmsh .msh, 2.2 and 4.1, text and binary. Regions and cell sets become physical groups; node sets
// become physical groups of points. 2.2 keeps one group per cell: the region, else the first set.
#include <algorithm>
#include <map>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

constexpr std::array<int, 5> gmsh_type{1, 2, 3, 4, 5};  // segment, triangle, quad, tet, hex
constexpr std::array<int, 5> dimension_of{1, 2, 2, 3, 3};

/// Text or binary numbers, as the flag says.
struct GmshOut {
  std::string& to;
  bool binary;
  void real(double v) { binary ? append_raw(to, v) : (append_number(to, v), void(to += ' ')); }
  void int32(long long v) { binary ? append_raw(to, static_cast<std::int32_t>(v)) : text(v); }
  void size(long long v) { binary ? append_raw(to, static_cast<std::uint64_t>(v)) : text(v); }
  void text(long long v) { append_number(to, v), to += ' '; }
  void end_line() {
    if (!binary) to.back() = '\n';
  }
  void end_section(const char* name) {
    if (to.back() != '\n' || binary) to += '\n';
    to += std::string("$End") + name + "\n";
  }
};

/// Physical tags of all cells and of the nodes in sets.
struct Groups {
  std::vector<std::vector<int>> of_cell;
  std::map<int, std::vector<int>> of_node;
  std::vector<std::tuple<int, int, std::string>> names;  // dimension, tag, name
  Notes lost;                                            // what 2.2 cannot keep
};

int kind_of(const std::array<int, 6>& first, int c) {
  int kind = 0;
  while (c >= first[kind + 1]) ++kind;
  return kind;
}

Groups make_groups(const MeshFile& mesh) {
  Groups g;
  const int cells = static_cast<int>(mesh.cells());
  const auto first = mesh.first_cells();
  g.of_cell.resize(cells);
  int next = 0;  // the largest tag in use
  for (int c = 0; c < cells && !mesh.region.empty(); ++c) {
    if (mesh.region[c] != 0) g.of_cell[c].push_back(mesh.region[c]);
    next = std::max(next, mesh.region[c]);
  }
  for (const auto& set : mesh.cell_sets)
    for (int dim = 1; dim <= 3; ++dim) {
      std::vector<int> items;
      for (int c : set.items)
        if (dimension_of[kind_of(first, c)] == dim) items.push_back(c);
      if (items.empty()) continue;
      // A set that is exactly the cells of one region only gives that region its name.
      const int region = mesh.region.empty() ? 0 : mesh.region[items[0]];
      std::size_t in_region = 0;
      for (int c = 0; c < cells && region != 0; ++c)
        in_region += mesh.region[c] == region && dimension_of[kind_of(first, c)] == dim;
      const bool same =
          region != 0 && in_region == items.size() &&
          std::all_of(items.begin(), items.end(), [&](int c) { return mesh.region[c] == region; }) &&
          std::none_of(g.names.begin(), g.names.end(),
                       [&](const auto& n) { return std::get<0>(n) == dim && std::get<1>(n) == region; });
      const int tag = same ? region : ++next;
      g.names.emplace_back(dim, tag, set.name);
      if (same) continue;
      for (int c : items) g.of_cell[c].push_back(tag);
      if (std::any_of(items.begin(), items.end(), [&](int c) { return g.of_cell[c][0] != tag; }))
        g.lost.push_back("Gmsh 2.2 keeps one group per cell: part of the set '" + set.name +
                         "' is lost (4.1 keeps it)");
    }
  int tag = 0;
  for (const auto& set : mesh.node_sets) {
    g.names.emplace_back(0, ++tag, set.name);
    for (int node : set.items) {
      g.of_node[node].push_back(tag);
      if (g.of_node[node].size() == 2)
        g.lost.push_back("Gmsh 2.2 keeps one group per point: part of the set '" + set.name +
                         "' is lost (4.1 keeps it)");
    }
  }
  g.lost.erase(std::unique(g.lost.begin(), g.lost.end()), g.lost.end());
  return g;
}

void write_22(GmshOut out, const MeshFile& mesh, const Groups& groups) {
  out.to += "$Nodes\n" + std::to_string(mesh.nodes.size()) + "\n";
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    out.int32(static_cast<long long>(i) + 1);
    for (double x : mesh.nodes[i]) out.real(x);
    out.end_line();
  }
  out.end_section("Nodes");
  const auto first = mesh.first_cells();
  out.to += "$Elements\n" + std::to_string(mesh.cells() + groups.of_node.size()) + "\n";
  long long id = 0;
  const auto element = [&](int type, int tag, std::span<const int> nodes) {
    // Text: number, type, 2 tags. Binary: each element is a block of its own kind's block, see below.
    out.int32(++id);
    if (!out.binary) out.text(type), out.text(2);
    out.int32(tag), out.int32(std::max(tag, 1));
    for (int n : nodes) out.int32(n + 1);
    out.end_line();
  };
  for (int kind = 0; kind < 5; ++kind) {
    const int count = first[kind + 1] - first[kind];
    if (count > 0 && out.binary) out.int32(gmsh_type[kind]), out.int32(count), out.int32(2);
    for (int c = first[kind]; c < first[kind + 1]; ++c)
      element(gmsh_type[kind], groups.of_cell[c].empty() ? 0 : groups.of_cell[c][0], mesh.cell_nodes(c));
  }
  if (!groups.of_node.empty() && out.binary)
    out.int32(15), out.int32(static_cast<long long>(groups.of_node.size())), out.int32(2);
  for (const auto& [node, tags] : groups.of_node) element(15, tags[0], std::span<const int>(&node, 1));
  out.end_section("Elements");
}

void write_41(GmshOut out, const MeshFile& mesh, const Groups& groups) {
  const auto first = mesh.first_cells();
  // An entity per dimension and combination of groups; its elements, by kind.
  std::map<std::pair<int, std::vector<int>>, std::map<int, std::vector<int>>> entities;
  for (int kind = 0; kind < 5; ++kind)
    for (int c = first[kind]; c < first[kind + 1]; ++c)
      entities[{dimension_of[kind], groups.of_cell[c]}][kind].push_back(c);
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (!mesh.nodes.empty()) low = high = mesh.nodes[0];
  for (const auto& p : mesh.nodes) low = low.cwiseMin(p), high = high.cwiseMax(p);
  long long count[4] = {static_cast<long long>(groups.of_node.size()), 0, 0, 0};
  int top = 0;  // the nodes are written as belonging to one entity of the highest dimension
  for (const auto& [key, blocks] : entities) ++count[key.first], top = key.first;
  if (top == 0) top = 3, count[3] = 1;

  out.to += "$Entities\n";
  for (long long c : count) out.size(c);
  out.end_line();
  int tag = 0;
  for (const auto& [node, tags] : groups.of_node) {
    out.int32(++tag);
    for (double x : mesh.nodes[node]) out.real(x);
    out.size(static_cast<long long>(tags.size()));
    for (int t : tags) out.int32(t);
    out.end_line();
  }
  const auto entity = [&](int number, const std::vector<int>& tags) {
    out.int32(number);
    for (double x : low) out.real(x);
    for (double x : high) out.real(x);
    out.size(static_cast<long long>(tags.size()));
    for (int t : tags) out.int32(t);
    out.size(0);
    out.end_line();
  };
  int number[4] = {0, 0, 0, 0};
  for (const auto& [key, blocks] : entities) entity(++number[key.first], key.second);
  if (entities.empty()) entity(1, {});
  out.end_section("Entities");

  const auto nodes = static_cast<long long>(mesh.nodes.size());
  out.to += "$Nodes\n";
  out.size(nodes > 0), out.size(nodes), out.size(nodes > 0), out.size(nodes);
  out.end_line();
  if (nodes > 0) {
    out.int32(top), out.int32(1), out.int32(0), out.size(nodes);
    out.end_line();
    for (long long i = 1; i <= nodes; ++i) out.size(i), out.end_line();
    for (const auto& p : mesh.nodes) {
      for (double x : p) out.real(x);
      out.end_line();
    }
  }
  out.end_section("Nodes");

  const auto cells = static_cast<long long>(mesh.cells() + groups.of_node.size());
  long long blocks = count[0];
  for (const auto& [key, kinds] : entities) blocks += static_cast<long long>(kinds.size());
  out.to += "$Elements\n";
  out.size(blocks), out.size(cells), out.size(cells > 0), out.size(cells);
  out.end_line();
  std::fill(number, number + 4, 0);
  for (const auto& [key, kinds] : entities) {
    ++number[key.first];
    for (const auto& [kind, items] : kinds) {
      out.int32(key.first), out.int32(number[key.first]), out.int32(gmsh_type[kind]);
      out.size(static_cast<long long>(items.size()));
      out.end_line();
      for (int c : items) {
        out.size(c + 1);  // the mesh's own cell number, so that data finds it
        for (int n : mesh.cell_nodes(c)) out.size(n + 1);
        out.end_line();
      }
    }
  }
  tag = 0;
  for (const auto& [node, tags] : groups.of_node) {
    out.int32(0), out.int32(++tag), out.int32(15), out.size(1);
    out.end_line();
    out.size(static_cast<long long>(mesh.cells()) + tag), out.size(node + 1);
    out.end_line();
  }
  out.end_section("Elements");
}

void write_data(GmshOut out, const char* section, const DataArray& array) {
  std::string name = array.name;
  std::replace(name.begin(), name.end(), '"', '\'');
  const auto entries = array.values.size() / array.components;
  out.to += std::string("$") + section + "\n1\n\"" + name + "\"\n1\n0\n3\n0\n" +
            std::to_string(array.components) + "\n" + std::to_string(entries) + "\n";
  for (std::size_t i = 0; i < entries; ++i) {
    out.int32(static_cast<long long>(i) + 1);
    for (int k = 0; k < array.components; ++k) out.real(array.values[i * array.components + k]);
    out.end_line();
  }
  out.end_section(section);
}

}  // namespace

void write_gmsh(std::string& to, const MeshFile& mesh, const WriteOptions& options, Notes& notes) {
  GmshOut out{to, !options.ascii};
  const bool v4 = options.gmsh_version != 22;
  to += std::string("$MeshFormat\n") + (v4 ? "4.1 " : "2.2 ") + (out.binary ? "1 8\n" : "0 8\n");
  if (out.binary) append_raw(to, std::int32_t{1}), to += '\n';
  to += "$EndMeshFormat\n";
  const Groups groups = make_groups(mesh);
  if (!groups.names.empty()) {
    to += "$PhysicalNames\n" + std::to_string(groups.names.size()) + "\n";
    for (auto [dim, tag, name] : groups.names) {
      std::replace(name.begin(), name.end(), '"', '\'');
      to += std::to_string(dim) + " " + std::to_string(tag) + " \"" + name + "\"\n";
    }
    to += "$EndPhysicalNames\n";
  }
  v4 ? write_41(out, mesh, groups) : write_22(out, mesh, groups);
  for (const auto& array : mesh.point_data) write_data(out, "NodeData", array);
  for (const auto& array : mesh.cell_data) write_data(out, "ElementData", array);
  if (!v4) notes.insert(notes.end(), groups.lost.begin(), groups.lost.end());
}

}  // namespace palp::io
