// Mesh files as arrays.
#include "common.hpp"

#include "palp/io/mesh_file.hpp"

namespace palp::python {
namespace {

template <size_t n>
void fill(std::vector<std::array<int, n>>& cells, const py::object& given, const char* what) {
  if (given.is_none()) return;
  const auto array = given.cast<Ints>();
  if (array.size() == 0) return;
  if (array.ndim() != 2 || array.shape(1) != static_cast<py::ssize_t>(n))
    throw py::value_error(std::string(what) + " is (n, " + std::to_string(n) + ")");
  cells.resize(static_cast<size_t>(array.shape(0)));
  std::copy(array.data(), array.data() + array.size(), cells[0].data());
}

std::shared_ptr<MeshFile> make(const Doubles& nodes, const py::object& triangles, const py::object& tets,
                               const py::object& hexes, const py::object& segments, const py::object& quads) {
  auto mesh = std::make_shared<MeshFile>();
  if (nodes.ndim() != 2 || nodes.shape(1) != 3) throw py::value_error("nodes is (n, 3), m");
  for (py::ssize_t i = 0; i < nodes.shape(0); ++i)
    mesh->nodes.emplace_back(nodes.at(i, 0), nodes.at(i, 1), nodes.at(i, 2));
  fill(mesh->triangles, triangles, "triangles");
  fill(mesh->tets, tets, "tets");
  fill(mesh->hexes, hexes, "hexes");
  fill(mesh->segments, segments, "segments");
  fill(mesh->quads, quads, "quads");
  check(palp::check(*mesh));
  return mesh;
}

template <auto cells>
py::array cells_view(const py::object& self) {
  return indices_view(self.cast<const MeshFile&>().*cells, self);
}

}  // namespace

void add_mesh(py::module_& m) {
  py::class_<MeshFile, std::shared_ptr<MeshFile>>(
      m, "Mesh", "A mesh, in metres. Its arrays are views that cannot be written.")
      .def(py::init(&make), "nodes"_a, "triangles"_a = py::none(), "tets"_a = py::none(),
           "hexes"_a = py::none(), "segments"_a = py::none(), "quads"_a = py::none())
      .def_property_readonly(
          "nodes",
          [](const py::object& self) { return points_view(self.cast<const MeshFile&>().nodes, self); },
          "(n, 3), m.")
      .def_property_readonly("triangles", &cells_view<&MeshFile::triangles>,
                             "(n, 3), counter-clockwise from outside.")
      .def_property_readonly("quads", &cells_view<&MeshFile::quads>, "(n, 4).")
      .def_property_readonly("tets", &cells_view<&MeshFile::tets>, "(n, 4), of positive volume.")
      .def_property_readonly("hexes", &cells_view<&MeshFile::hexes>, "(n, 8), in VTK's order.")
      .def_property_readonly("segments", &cells_view<&MeshFile::segments>, "(n, 2).")
      .def_property_readonly(
          "node_sets",
          [](const MeshFile& mesh) {
            py::dict out;
            for (const NamedSet& set : mesh.node_sets)
              out[py::str(set.name)] =
                  owned(std::vector<int>(set.items), {static_cast<py::ssize_t>(set.items.size())});
            return out;
          },
          "Named groups of nodes.")
      .def_readonly("notes", &MeshFile::notes, "What the reader had to change or leave out.")
      .def(
          "write",
          [](const MeshFile& mesh, const py::object& path) {
            Result<Notes> written = Notes{};
            const auto text = py::str(path).cast<std::string>();
            {
              py::gil_scoped_release unlocked;
              written = write_mesh(text, mesh);
            }
            return value(std::move(written));
          },
          "path"_a,
          "Writes Gmsh, VTK, OBJ, STL or PLY, by the extension. Returns what the format could not keep.")
      .def("__repr__", [](const MeshFile& mesh) {
        return "<palp.Mesh: " + std::to_string(mesh.nodes.size()) + " nodes, " +
               std::to_string(mesh.cells()) + " cells>";
      });
  m.def(
      "read_mesh",
      [](const py::object& path, double weld_distance_m) {
        const auto text = py::str(path).cast<std::string>();
        Result<MeshFile> read = Error{};
        {
          py::gil_scoped_release unlocked;
          read = read_mesh(text, {.weld_distance_m = weld_distance_m});
        }
        return std::make_shared<MeshFile>(value(std::move(read)));
      },
      "path"_a, "weld_distance_m"_a = 0,
      "Reads Gmsh, VTK, OBJ, STL or PLY. weld_distance_m: corners of an STL closer than "
      "this become one node.");
}

}  // namespace palp::python
