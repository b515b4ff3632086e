// Gmsh's .msh files, formats 2.2 and 4.1, text and binary (Gmsh reference manual, "MSH file format").
//     $MeshFormat  version  0 text / 1 binary  size of a real  [binary: the integer 1]  $EndMeshFormat
//     $PhysicalNames, $Entities (4.1), $Nodes, $Elements, $NodeData, $ElementData; other sections are
//     skipped.
// Physical groups become regions and, when named, cell sets; groups of points become node sets.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

/// Gmsh's element types and VTK's, with the number of nodes. Both put the corners first.
struct ElementType {
  int vtk, nodes;
};
const std::map<long long, ElementType> element_types{
    {1, {vtk_line, 2}},
    {2, {vtk_triangle, 3}},
    {3, {vtk_quad, 4}},
    {4, {vtk_tetra, 4}},
    {5, {vtk_hexahedron, 8}},
    {6, {vtk_wedge, 6}},
    {7, {vtk_pyramid, 5}},
    {8, {vtk_quadratic_edge, 3}},
    {9, {vtk_quadratic_triangle, 6}},
    {10, {vtk_biquadratic_quad, 9}},
    {11, {vtk_quadratic_tetra, 10}},
    {12, {vtk_triquadratic_hexahedron, 27}},
    {15, {vtk_vertex, 1}},
    {16, {vtk_quadratic_quad, 8}},
    {17, {vtk_quadratic_hexahedron, 20}},
};
int dimension(int vtk) {
  switch (vtk) {
    case vtk_vertex:
      return 0;
    case vtk_line:
    case vtk_quadratic_edge:
      return 1;
    case vtk_tetra:
    case vtk_hexahedron:
    case vtk_quadratic_tetra:
    case vtk_quadratic_hexahedron:
    case vtk_triquadratic_hexahedron:
      return 3;
    default:
      return 2;
  }
}

struct HashNodes {
  std::size_t operator()(const std::vector<long long>& nodes) const {
    std::size_t h = nodes.size();
    for (long long n : nodes) h = (h ^ static_cast<std::size_t>(n)) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 32;
  }
};

constexpr long long most_groups = 64;  ///< of one entity

using Key = std::pair<int, long long>;  // dimension and tag

class GmshReader {
 public:
  GmshReader(Cursor& in, MeshBuilder& to) : in_(in), to_(to) {}

  void read() {
    read_format();
    while (in_.ok()) {
      in_.binary(false);
      const std::string section(in_.word());
      in_.binary(binary_, big_endian_);
      if (section.empty()) break;
      if (section[0] != '$') {
        in_.binary(false);
        return in_.fail("a section such as $Nodes should begin here",
                        "is the count of the section before it right?");
      }
      if (!in_place(section)) return;
      if (section == "$Comments") {
      } else if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities" && version_ == 4) {
        read_entities();
      } else if (section == "$Nodes") {
        version_ == 4 ? read_nodes_4() : read_nodes_2();
      } else if (section == "$Elements") {
        version_ == 4 ? read_elements_4() : read_elements_2();
      } else if (section == "$NodeData" || section == "$ElementData") {
        read_data(section == "$ElementData");
      } else if (section == "$ElementNodeData") {
        to_.mesh.notes.push_back("a $ElementNodeData section was left out");
      }
      if (!in_.ok()) return;
      in_.binary(false);
      const std::string end = "$End" + section.substr(1);
      if (!skippable(section) && in_.peek_word() != end) {
        in_.word();
        return in_.fail(end + " should follow here",
                        "the count of the section is wrong, or the file is cut short");
      }
      if (!in_.skip_to_next(end))
        return in_.fail(section + " is not closed by " + end, "the file is cut short: save it again");
    }
    const bool nodes = seen_.contains("$Nodes");
    if (in_.ok() && !(nodes && seen_.contains("$Elements")))
      in_.fail_file(nodes ? "there is no $Elements section" : "there is no $Nodes section",
                    "the file is cut short: save it again");
    if (in_.ok()) make_sets();
  }

 private:
  bool skippable(const std::string& section) const {
    return !(section == "$PhysicalNames" || section == "$Nodes" || section == "$Elements" ||
             section == "$NodeData" || section == "$ElementData" ||
             (section == "$Entities" && version_ == 4));
  }

  /// Fields may come often, everything else once, and what is referred to before what refers to it.
  bool in_place(const std::string& section) {
    const bool of_nodes = section == "$NodeData", of_elements = section == "$ElementData";
    const bool fresh = seen_.insert(section).second;
    const char* const needed = section == "$Elements" || of_nodes ? "$Nodes" : of_elements ? "$Elements" : "";
    in_.binary(false);  // the place is a line, also in a binary file
    if (!fresh && !of_nodes && !of_elements && !skippable(section))
      in_.fail("a second " + section + " section", "join the meshes in Gmsh first");
    else if (*needed && !seen_.contains(needed))
      in_.fail(section + " comes before " + needed, "save the mesh again with Gmsh");
    else if (section == "$Entities" && seen_.contains("$Elements"))
      in_.fail("$Entities comes after $Elements", "save the mesh again with Gmsh");
    in_.binary(binary_, big_endian_);
    return in_.ok();
  }

  void read_format() {
    if (in_.word() != "$MeshFormat") return in_.fail("$MeshFormat should come first", "is this a Gmsh file?");
    const double version = in_.number("the format's version");
    const long long kind = in_.integer("the file type (0 text, 1 binary)");
    const long long real = in_.integer("the size of a real");
    if (!in_.ok()) return;
    version_ = version == 4.1 ? 4 : version >= 2 && version < 3 ? 2 : 0;
    if (version_ == 0)
      return in_.fail("this version of the .msh format is not read",
                      "save as 4.1 or 2.2: gmsh old.msh -save -format msh41 -o new.msh");
    if (kind != 0 && kind != 1)
      return in_.fail("the file type must be 0 (text) or 1 (binary)", "correct this line");
    if (real != 8)
      return in_.fail("reals of " + std::to_string(real) + " bytes are not read", "save with 8-byte reals");
    binary_ = kind == 1;
    if (binary_) {
      in_.line();
      in_.binary(true);
      const auto one = in_.raw<std::int32_t>();
      big_endian_ = one == 0x01000000;
      if (in_.ok() && one != 1 && !big_endian_)
        return in_.fail("the byte-order mark should be 1", "the file is damaged: save it again");
    }
    in_.binary(false);
    if (in_.ok() && in_.word() != "$EndMeshFormat")
      in_.fail("$EndMeshFormat should follow here", "the file is damaged: save it again");
  }

  void read_names() {
    in_.binary(false);  // also in binary files
    const long long count = in_.integer("the number of physical names");
    if (!in_.fits(count, 6, "physical names")) return;
    for (long long i = 0; i < count && in_.ok(); ++i) {
      const long long dim = in_.integer("a dimension"), tag = in_.integer("a physical tag");
      const std::string name = in_.quoted("a physical name");
      if (in_.ok() && (dim < 0 || dim > 3))
        return in_.fail("a dimension must be 0 to 3", "correct this line");
      names_[{static_cast<int>(dim), tag}] = name;
    }
  }

  /// 4.1: which physical groups each entity belongs to.
  void read_entities() {
    if (binary_) in_.line();
    long long counts[4];
    for (auto& c : counts) c = in_.integer_as<std::uint64_t>("a number of entities");
    for (int dim = 0; dim < 4 && in_.ok(); ++dim) {
      if (!in_.fits(counts[dim], 8, "entities")) return;
      for (long long i = 0; i < counts[dim] && in_.ok(); ++i) {
        const long long tag = in_.integer_as<std::int32_t>("an entity's tag");
        for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) in_.coordinate_as_double("an entity's bounding box");
        const long long physicals = in_.integer_as<std::uint64_t>("a number of physical tags");
        if (!in_.fits(physicals, 2, "physical tags")) return;
        if (physicals > most_groups)  // each element of the entity joins them all
          return in_.fail("an entity belongs to " + std::to_string(physicals) + " physical groups",
                          "at most " + std::to_string(most_groups) + " are read: name fewer");
        auto& groups = entity_groups_[{dim, tag}];
        for (long long k = 0; k < physicals && in_.ok(); ++k) {
          const long long group = in_.integer_as<std::int32_t>("a physical tag");
          groups.push_back(
              std::abs(std::clamp(group, -2147483647LL, 2147483647LL)));  // the sign is a direction
        }
        if (dim == 0) continue;
        const long long bounds = in_.integer_as<std::uint64_t>("a number of bounding entities");
        if (!in_.fits(bounds, 2, "bounding entities")) return;
        for (long long k = 0; k < bounds && in_.ok(); ++k) in_.integer_as<std::int32_t>("a bounding entity");
      }
    }
  }

  void read_nodes_2() {
    in_.binary(false);
    const long long count = in_.integer("the number of nodes");
    if (binary_) in_.line();
    in_.binary(binary_, big_endian_);
    if (!in_.fits(count, binary_ ? 28 : 8, "nodes")) return;
    reserve_nodes(count);
    for (long long i = 0; i < count && in_.ok(); ++i) {
      add_node(in_.integer_as<std::int32_t>("a node's number"));
      read_position(i);
    }
  }

  void read_nodes_4() {
    if (binary_) in_.line();
    const long long blocks = in_.integer_as<std::uint64_t>("the number of node blocks");
    const long long total = in_.integer_as<std::uint64_t>("the number of nodes");
    for (int k = 0; k < 2; ++k) in_.integer_as<std::uint64_t>("a range of node tags");
    if (!in_.fits(blocks, 8, "node blocks") || !in_.fits(total, binary_ ? 32 : 8, "nodes")) return;
    reserve_nodes(total);
    long long seen = 0;
    for (long long b = 0; b < blocks && in_.ok(); ++b) {
      const long long dim = in_.integer_as<std::int32_t>("an entity's dimension");
      in_.integer_as<std::int32_t>("an entity's tag");
      const long long parametric = in_.integer_as<std::int32_t>("the parametric flag");
      const long long count = in_.integer_as<std::uint64_t>("a number of nodes");
      if (in_.ok() && (dim < 0 || dim > 3))
        return in_.fail("a dimension must be 0 to 3", "save the mesh again");
      if (!in_.fits(count, binary_ ? 32 : 8, "nodes")) return;
      if (count > total - seen)
        return in_.fail("the blocks hold more nodes than the header's " + std::to_string(total),
                        "save the mesh again");
      for (long long i = 0; i < count && in_.ok(); ++i)
        add_node(in_.integer_as<std::uint64_t>("a node's number"));
      for (long long i = 0; i < count && in_.ok(); ++i) {
        read_position(seen + i);
        for (long long k = 0; parametric && k < dim; ++k) in_.coordinate_as_double("a parametric coordinate");
      }
      seen += count;
    }
    if (in_.ok() && seen != total)
      in_.fail("the blocks hold " + std::to_string(seen) + " nodes, the header says " + std::to_string(total),
               "save the mesh again");
  }

  void reserve_nodes(long long count) {
    to_.mesh.nodes.reserve(count);
    node_of_.reserve(count);
  }
  void add_node(long long tag) {
    if (!in_.ok()) return;
    if (!node_of_.emplace(tag, static_cast<int>(node_of_.size())).second)
      in_.fail("node " + std::to_string(tag) + " is given twice",
               "renumber the nodes in the program that wrote them");
  }
  void read_position(long long i) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = in_.coordinate_as_double("a node's coordinate");
    if (in_.ok() && static_cast<long long>(to_.mesh.nodes.size()) == i) to_.mesh.nodes.push_back(p);
  }

  void read_elements_2() {
    in_.binary(false);
    const long long count = in_.integer("the number of elements");
    if (binary_) in_.line();
    in_.binary(binary_, big_endian_);
    if (!in_.fits(count, binary_ ? 8 : 6, "elements")) return;
    long long seen = 0;
    while (seen < count && in_.ok()) {
      // Text: one element a line. Binary: blocks of elements of one type.
      long long id = binary_ ? 0 : in_.integer("an element's number");
      const long long type = in_.integer_as<std::int32_t>("an element's type");
      const long long block = binary_ ? in_.raw<std::int32_t>() : 1;
      const long long tags = in_.integer_as<std::int32_t>("a number of tags");
      if (!in_.ok()) return;
      if (block < 1 || block > count - seen)
        return in_.fail("a block of " + std::to_string(block) + " elements does not fit the count " +
                            std::to_string(count),
                        "save the mesh again");
      if (!in_.fits(tags, binary_ ? 4 : 2, "tags")) return;
      const auto known = known_type(type);
      for (long long i = 0; i < block && in_.ok(); ++i) {
        if (binary_) id = in_.raw<std::int32_t>();
        long long physical = 0;
        for (long long k = 0; k < tags && in_.ok(); ++k) {
          const long long tag = in_.integer_as<std::int32_t>("a tag");
          if (k == 0) physical = tag;
        }
        groups_.assign(physical == 0 ? 0 : 1, physical);
        read_element<std::int32_t>(known, id);
      }
      seen += block;
    }
  }

  void read_elements_4() {
    if (binary_) in_.line();
    const long long blocks = in_.integer_as<std::uint64_t>("the number of element blocks");
    const long long total = in_.integer_as<std::uint64_t>("the number of elements");
    for (int k = 0; k < 2; ++k) in_.integer_as<std::uint64_t>("a range of element tags");
    if (!in_.fits(blocks, 8, "element blocks") || !in_.fits(total, binary_ ? 16 : 4, "elements")) return;
    long long seen = 0;
    for (long long b = 0; b < blocks && in_.ok(); ++b) {
      const long long dim = in_.integer_as<std::int32_t>("an entity's dimension");
      const long long entity = in_.integer_as<std::int32_t>("an entity's tag");
      const long long type = in_.integer_as<std::int32_t>("an element's type");
      const long long count = in_.integer_as<std::uint64_t>("a number of elements");
      const auto known = known_type(type);
      if (!in_.fits(count, binary_ ? 16 : 4, "elements")) return;
      const auto groups = entity_groups_.find({static_cast<int>(dim), entity});
      groups_ = groups == entity_groups_.end() ? std::vector<long long>{} : groups->second;
      for (long long i = 0; i < count && in_.ok(); ++i) {
        const long long id = in_.integer_as<std::uint64_t>("an element's number");
        read_element<std::uint64_t>(known, id);
      }
      seen += count;
    }
    if (in_.ok() && seen != total)
      in_.fail(
          "the blocks hold " + std::to_string(seen) + " elements, the header says " + std::to_string(total),
          "save the mesh again");
  }

  ElementType known_type(long long type) {
    const auto found = element_types.find(type);
    if (found != element_types.end()) return found->second;
    in_.fail("Gmsh's element type " + std::to_string(type) + " is not supported",
             "use first- or second-order lines, triangles, quads, tets or hexes");
    return {};
  }

  /// The nodes of one element; `groups_` holds its physical groups.
  template <class Tag>
  void read_element(ElementType type, long long id) {
    nodes_.clear();
    for (int k = 0; k < type.nodes && in_.ok(); ++k) {
      const long long tag = in_.integer_as<Tag>("an element's node");
      if (!in_.ok()) return;
      const auto node = node_of_.find(tag);
      if (node == node_of_.end())
        return in_.fail("element " + std::to_string(id) + " uses node " + std::to_string(tag) +
                            ", which is not in $Nodes",
                        "index out of range: save the mesh again");
      nodes_.push_back(node->second);
    }
    if (!in_.ok()) return;
    const int cell = to_.file_cells();
    const int dim = dimension(type.vtk);
    if (version_ == 2 && dim > 0 && !groups_.empty()) {
      // 2.2 repeats an element for every further group it belongs to: one cell, several groups.
      const auto [first, fresh] = first_of_.try_emplace(nodes_, std::pair(cell, groups_[0]));
      if (!fresh && first->second.second != groups_[0]) {
        members_[{dim, groups_[0]}].push_back(first->second.first);
        cell_of_.emplace(id, first->second.first);
        return;
      }
    }
    const std::string wrong = to_.add_cell(type.vtk, nodes_);
    if (!wrong.empty()) return in_.fail(wrong, cell_remedy);
    cell_of_.emplace(id, cell);
    to_.region.push_back(groups_.empty() || dim == 0 ? 0 : static_cast<int>(groups_[0]));
    for (long long group : groups_)
      members_[{dim, group}].push_back(dim == 0 ? static_cast<int>(nodes_[0]) : cell);
  }

  void read_data(bool of_elements) {
    in_.binary(false);
    const long long strings = in_.integer("the number of string tags");
    if (!in_.fits(strings, 3, "string tags")) return;
    DataArray array;
    for (long long i = 0; i < strings && in_.ok(); ++i) {
      const std::string s = in_.quoted("a string tag");
      if (i == 0) array.name = s;
    }
    const long long reals = in_.integer("the number of real tags");
    if (!in_.fits(reals, 2, "real tags")) return;
    for (long long i = 0; i < reals && in_.ok(); ++i) in_.number("a real tag");
    const long long integers = in_.integer("the number of integer tags");
    if (!in_.fits(integers, 2, "integer tags")) return;
    long long components = 1, entries = 0;
    for (long long i = 0; i < integers && in_.ok(); ++i) {
      const long long value = in_.integer("an integer tag");
      if (i == 1) components = value;
      if (i == 2) entries = value;
    }
    if (in_.ok() && (components < 1 || components > 9))
      return in_.fail("a field must have 1 to 9 components", "correct this line");
    if (binary_) in_.line();
    in_.binary(binary_, big_endian_);
    if (!in_.fits(entries, (binary_ ? 4 + 8 * components : 2 + 2 * components), "values")) return;
    array.components = static_cast<int>(components);
    const auto& numbers = of_elements ? cell_of_ : node_of_;
    // What is not listed keeps zero; a field that lists next to nothing is not worth its memory.
    const std::size_t size = of_elements ? to_.file_cells() : to_.mesh.nodes.size();
    const bool keep = static_cast<std::size_t>(entries) >= size / 16;
    if (keep) array.values.assign(size * components, 0.0);
    for (long long i = 0; i < entries && in_.ok(); ++i) {
      const long long tag =
          in_.integer_as<std::int32_t>(of_elements ? "an element's number" : "a node's number");
      const auto at = numbers.find(tag);
      if (in_.ok() && at == numbers.end())
        return in_.fail("the field '" + array.name + "' has a value for number " + std::to_string(tag) +
                            ", which does not exist",
                        "save the mesh together with its data");
      for (long long k = 0; k < components && in_.ok(); ++k) {
        const double value = binary_ ? in_.raw<double>() : in_.number("a value");
        if (in_.ok() && keep) array.values[at->second * components + k] = value;
      }
    }
    if (in_.ok()) to_.add_data(of_elements, std::move(array));
  }

  void make_sets() {
    for (auto& [key, items] : members_) {
      const auto name = names_.find(key);
      // Unnamed groups of cells live on in `region`; unnamed groups of points would be lost.
      if (name == names_.end() && key.first > 0) continue;
      const std::string called = name != names_.end() ? name->second : "points " + std::to_string(key.second);
      auto& sets = key.first == 0 ? to_.mesh.node_sets : to_.cell_sets;
      auto same = std::find_if(sets.begin(), sets.end(), [&](const NamedSet& s) { return s.name == called; });
      if (same == sets.end()) same = sets.insert(sets.end(), NamedSet{called, {}});
      same->items.insert(same->items.end(), items.begin(), items.end());
    }
  }

  Cursor& in_;
  MeshBuilder& to_;
  int version_ = 0;
  bool binary_ = false, big_endian_ = false;
  std::set<std::string> seen_;  ///< sections
  std::map<Key, std::string> names_;
  std::map<Key, std::vector<long long>> entity_groups_;
  std::map<Key, std::vector<int>> members_;  ///< cells, or nodes for dimension 0, of every physical group
  std::unordered_map<long long, int> node_of_, cell_of_;
  std::vector<long long> groups_, nodes_;
  std::unordered_map<std::vector<long long>, std::pair<int, long long>, HashNodes>
      first_of_;  ///< nodes → cell, group
};

}  // namespace

void read_gmsh(Cursor& in, MeshBuilder& to) { GmshReader(in, to).read(); }

}  // namespace palp::io
