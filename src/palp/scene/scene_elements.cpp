#include "palp/scene/scene_elements.hpp"

#include "palp/mesh/lattice.hpp"

namespace palp {

const std::vector<std::string>& element_names() {
  static const std::vector<std::string> names{"tets", "quadraticTets", "hexes", "trilinearHexes"};
  return names;
}

std::optional<ElementKind> choose_elements(const YamlValue& wanted, VolumeSource source) {
  const bool of_tets = source == VolumeSource::tets;
  const int chosen = wanted.choice(wanted.exists() ? -1 : 0, element_names());
  if (chosen < 0) return std::nullopt;
  if (!wanted.exists()) return of_tets ? ElementKind::tets : ElementKind::hexes;
  const auto kind = static_cast<ElementKind>(chosen);
  if (of_tets && made_of_hexes(kind)) {
    wanted.fail("'" + wanted.path() + "': the file is made of tets, of which no hexes can be made",
                "elements: quadraticTets bends as well; or give a file of hexes, or a closed surface (OBJ, "
                "STL), which is laid in a lattice of hexes");
    return std::nullopt;
  }
  return kind;
}

std::string warn_of_elements(const YamlValue& mesh, const YamlValue& wanted, ElementKind kind) {
  if (wanted.exists() || kind != ElementKind::tets) return {};
  return mesh.located(
      "'" + mesh.path() + "': linear tets bend too little, thin parts by far",
      "elements: quadraticTets bends right and takes longer; elements: tets says that you know");
}

VolumeElements make_elements(LinearMesh mesh, ElementKind kind) {
  VolumeElements out;
  out.hex_modes = kind == ElementKind::trilinear_hexes ? HexModes::none : HexModes::inner;
  if (auto* hexes = std::get_if<HexMesh>(&mesh)) {
    if (made_of_hexes(kind)) {
      out.mesh = std::move(*hexes);
      return out;
    }
    mesh = split_hexes(*hexes);
  }
  TetMesh& tets = std::get<TetMesh>(mesh);
  if (kind == ElementKind::quadratic_tets)
    out.mesh = quadratic(tets);
  else
    out.mesh = std::move(tets);
  return out;
}

}  // namespace palp
