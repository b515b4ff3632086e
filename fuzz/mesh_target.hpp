// The law that no mesh file may break: reading gives a sound mesh or an error with a file, a message and a
// remedy; and what was read can be written and comes back the same.
#pragma once
#include "target.hpp"

#include "palp/io/mesh_file.hpp"

namespace palp::fuzz {

/// Which part of the law `bytes`, read as the file `name`, breaks; nothing when it holds.
inline std::string broken_law(std::string_view bytes, const std::string& name) {
  const auto mesh = parse_mesh(bytes, name);
  if (!mesh) return useless(mesh.error(), name);
  if (const auto sound = check(*mesh); !sound) return "an unsound mesh: " + sound.error().text();
  std::string again;
  if (const auto notes = format_mesh(again, "again.vtu", *mesh); !notes)
    return "cannot be written: " + notes.error().text();
  const auto second = parse_mesh(again, "again.vtu");
  if (!second) return "cannot be read back: " + second.error().text();
  if (second->nodes != mesh->nodes || second->segments != mesh->segments ||
      second->triangles != mesh->triangles || second->quads != mesh->quads || second->tets != mesh->tets ||
      second->hexes != mesh->hexes)
    return "comes back different";
  return {};
}

inline const Target msh{"msh", [](std::string_view b) { return broken_law(b, "fuzz.msh"); }};
inline const Target vtk{"vtk", [](std::string_view b) { return broken_law(b, "fuzz.vtk"); }};
inline const Target vtu{"vtu", [](std::string_view b) { return broken_law(b, "fuzz.vtu"); }};
inline const Target obj{"obj", [](std::string_view b) { return broken_law(b, "fuzz.obj"); }};
inline const Target stl{"stl", [](std::string_view b) { return broken_law(b, "fuzz.stl"); }};
inline const Target ply{"ply", [](std::string_view b) { return broken_law(b, "fuzz.ply"); }};

}  // namespace palp::fuzz
