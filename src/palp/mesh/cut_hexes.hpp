// Elements of a part laid in a lattice: every cell counts with what of it is material, and a cell that holds
// pieces of material which are not connected in it becomes one element per piece (Nesme et al. 2009), so that
// fingers and gear teeth do not fuse.
//
// What is connected is decided by what is there, never by how much of it: in a cell the triangles that meet
// at an edge inside it, the triangles where a line goes in and out of the material, and the stretches of
// lines that cross. Neighbours share the nodes of their common face when a stretch of material or a triangle
// passes through it. A wall thinner than a cell thus stays one part at any tilt, and parts that only touch
// along an edge of the lattice are none.
#pragma once
#include "palp/mesh/cell_moments.hpp"

namespace palp {

struct CutHexes {
  HexMesh mesh;
  std::vector<CellFill> fill;  ///< [hexes]; empty: full
  std::vector<int> home;  ///< [nodes of the surface]: the hex whose material it bounds; −1: unused node
  int doubled = 0;        ///< cells that became several elements
  bool overlaps = false;  ///< some material is enclosed more than once, or from the wrong side
};

/// `surface`: closed, enclosing a positive volume.
CutHexes cut_hexes(const TriMesh& surface, const BoxLattice& lattice, const EnclosedCells& enclosed);

}  // namespace palp
