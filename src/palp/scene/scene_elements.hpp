// Which finite elements the volume of a body is made of: the one place that knows what can be made of what,
// and what is taken when the scene does not say.
//
//     made from                   tets    quadraticTets   hexes   trilinearHexes
//     generator, file of hexes    split   split           ★       yes
//     surface in a lattice        split   split           ★       yes
//     file of tets                ★       yes             no      no                ★ default
//
// bench/elements.cpp decides: for the same error in bending and torsion hexes (with inner modes) cost least.
// A file's tets stay linear: middle nodes multiply the unknowns by five to seven and the time of a step by
// ten to thirty, more than a loop in real time can bear unasked. They bend too little, and the user is told
// so.
#pragma once
#include "palp/mechanics/fem_body.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

enum class ElementKind { tets, quadratic_tets, hexes, trilinear_hexes };
inline constexpr bool made_of_hexes(ElementKind kind) { return kind >= ElementKind::hexes; }

/// The words of `elements:`, in the order of ElementKind.
const std::vector<std::string>& element_names();

/// What a volume can be made from.
enum class VolumeSource { hexes, tets, surface };

/// The kind that `wanted` names, or the default. Nothing, and an error, when it cannot be made.
std::optional<ElementKind> choose_elements(const YamlValue& wanted, VolumeSource source);

/// For bodies of tets that nobody asked for; empty: nothing to say.
std::string warn_of_elements(const YamlValue& mesh, const YamlValue& wanted, ElementKind kind);

using LinearMesh = std::variant<TetMesh, HexMesh>;

/// A mesh as elements of the kind that was chosen for it.
struct VolumeElements {
  VolumeMesh mesh;
  HexModes hex_modes = HexModes::inner;
};
VolumeElements make_elements(LinearMesh mesh, ElementKind kind);

}  // namespace palp
