// Wavefront OBJ: v, f (v, v/vt, v/vt/vn, v//vn; negative numbers count back from the last vertex), l, g and
// o. Groups become cell sets; quads are kept, larger polygons are cut into triangles; texture and normals are
// ignored.
#include <algorithm>
#include <unordered_map>

#include "palp/io/formats.hpp"

namespace palp::io {
namespace {

constexpr std::size_t most_groups_of_a_face = 64;  ///< of one face

/// One line, with lines joined that end in a backslash. `joined` owns the text in that case.
std::string_view logical_line(Cursor& in, std::string& joined) {
  std::string_view line = in.line();
  if (line.empty() || line.back() != '\\') return line;
  joined.clear();
  while (!line.empty() && line.back() == '\\') {
    joined.append(line.substr(0, line.size() - 1)) += ' ';
    line = in.line();
  }
  joined += line;
  return joined;
}

std::string_view next_word(std::string_view& line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return line = {}, std::string_view{};
  const auto end = std::min(line.find_first_of(" \t", begin), line.size());
  const auto word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

void read_obj(Cursor& in, MeshBuilder& to) {
  std::string joined;
  // First the vertices: faces may name vertices that follow them.
  const auto start = in.pos();
  bool extra = false;
  while (in.left() > 0 && in.ok()) {
    std::string_view line = logical_line(in, joined);
    if (next_word(line) != "v") continue;
    Vec3 p;
    for (int k = 0; k < 3; ++k) {
      const auto value = parse_double(next_word(line));
      if (!value) return in.fail("a vertex needs three numbers", "correct this line");
      p[k] = in.finite(*value, "a vertex's coordinate");
    }
    extra |= !next_word(line).empty();
    to.mesh.nodes.push_back(p);
  }
  if (extra) to.mesh.notes.push_back("weights or colours of vertices were left out");
  in.seek(start);

  std::vector<std::size_t> groups;  // the sets that the next faces belong to
  std::unordered_map<std::string, std::size_t> set_of;
  long long vertices = 0;
  std::vector<long long> nodes;
  while (in.left() > 0 && in.ok()) {
    std::string_view line = logical_line(in, joined);
    const std::string_view key = next_word(line);
    if (key == "v") {
      ++vertices;
    } else if (key == "f" || key == "l") {
      nodes.clear();
      for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
        if (word[0] == '#') break;
        const auto number = parse_integer(word.substr(0, word.find('/')));
        if (!number || *number == 0)
          return in.fail("a vertex number should stand here, counted from 1", "correct this line");
        const long long node = *number > 0 ? *number - 1 : vertices + *number;
        if (node < 0 || node >= static_cast<long long>(to.mesh.nodes.size()))
          return in.fail("vertex " + std::to_string(*number) + " does not exist: the file has " +
                             std::to_string(to.mesh.nodes.size()) + " vertices",
                         "index out of range: export the mesh again");
        nodes.push_back(node);
      }
      const int cell = to.file_cells();
      const auto wrong = to.add_cell(key == "f" ? vtk_polygon : vtk_poly_line, nodes);
      if (!wrong.empty()) return in.fail(wrong, "correct or remove this line");
      for (auto g : groups) to.cell_sets[g].items.push_back(cell);
    } else if (key == "g" || key == "o") {
      groups.clear();
      for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
        if (word == "default" || word == "off" || word[0] == '#') break;
        const auto [same, fresh] = set_of.try_emplace(std::string(word), to.cell_sets.size());
        if (fresh) to.cell_sets.push_back({std::string(word), {}});
        groups.push_back(same->second);
        if (groups.size() > most_groups_of_a_face)  // each face joins them all
          return in.fail("more than " + std::to_string(most_groups_of_a_face) + " groups at once",
                         "name fewer in this line");
      }
    }
  }
  std::erase_if(to.cell_sets, [](const NamedSet& set) { return set.items.empty(); });
  if (in.ok() && to.mesh.nodes.empty()) in.fail_file("there are no vertices", "is this an OBJ file?");
}

void write_obj(std::string& out, const MeshFile& mesh) {
  out += "# written by Palp\n";
  for (const auto& p : mesh.nodes) {
    out += 'v';
    for (double x : p) out += ' ', append_number(out, x);
    out += '\n';
  }
  std::vector<std::vector<int>> sets_of(mesh.cells());
  for (std::size_t s = 0; s < mesh.cell_sets.size(); ++s)
    for (int c : mesh.cell_sets[s].items) sets_of[c].push_back(static_cast<int>(s));
  const auto first = mesh.first_cells();
  std::vector<int> current;
  for (int c = 0; c < first[3]; ++c) {
    if (sets_of[c] != current) {
      current = sets_of[c];
      out += 'g';
      for (int s : current) {
        std::string name = mesh.cell_sets[s].name;
        std::replace_if(
            name.begin(), name.end(), [](char ch) { return ch <= ' '; }, '_');
        out += ' ' + name;
      }
      if (current.empty()) out += " default";
      out += '\n';
    }
    out += c < first[1] ? 'l' : 'f';
    for (int n : mesh.cell_nodes(c)) out += ' ', append_number(out, static_cast<long long>(n) + 1);
    out += '\n';
  }
}

}  // namespace palp::io
