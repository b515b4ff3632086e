// Structured pieces that the generators are made of: a block of cells with a mask and a map, a planar quad
// mesh swept into hexahedra, and the split of any conforming hex mesh into tets.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

using Cells = std::array<int, 3>;

/// The hexes of an nx×ny×nz block for which keep(i,j,k) is true; node (i,j,k), 0 ≤ i ≤ nx …, lies at
/// position(i,j,k). Only nodes of kept cells are made. The map must keep the right-handed order of the axes,
/// so that volumes are positive.
HexMesh lattice_hexes(const Cells& cells, const std::function<bool(int, int, int)>& keep,
                      const std::function<Vec3(int, int, int)>& position);

/// A planar mesh of quadrilaterals, counter-clockwise.
struct QuadMesh {
  std::vector<Vec2> nodes;
  std::vector<std::array<int, 4>> quads;
};

/// Sweeps a planar mesh along z from z_low to z_high in `layers` layers; node n of layer l gets index l·N +
/// n.
HexMesh sweep(const QuadMesh& section, double z_low, double z_high, int layers);

/// Six tets per hex: the cone from the hex's smallest node over the three faces that do not contain it, each
/// of these cut by the diagonal through its own smallest node. Neighbours thus agree on every shared face,
/// for any conforming hex mesh. In a lattice numbered axis by axis this is the Kuhn (Freudenthal) split.
TetMesh split_hexes(const HexMesh& mesh);
/// Passes an error on.
Result<TetMesh> split_hexes(const Result<HexMesh>& mesh);

/// Node order of the six faces of a Hex, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 4>, 6> hex_faces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

/// Gathers the impossible values of a generator's parameters in one readable error.
class ParameterCheck {
 public:
  explicit ParameterCheck(std::string generator) : generator_(std::move(generator)) {}
  ParameterCheck& positive(const char* name, double value);
  ParameterCheck& finite(const char* name, const Vec3& value);
  /// An integer in [low, high].
  ParameterCheck& between(const char* name, long value, long low, long high);
  /// A real number in [low, high].
  ParameterCheck& within(const char* name, double value, double low, double high);
  ParameterCheck& require(bool holds, const std::string& otherwise);
  /// Refuses products of cell counts that would fill the memory.
  ParameterCheck& total_cells(double count);
  bool failed() const { return !message_.empty(); }
  Error error() const;

 private:
  std::string generator_, message_;
};

}  // namespace palp
