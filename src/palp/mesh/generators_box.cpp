// Box and bar: one block of cells each.
#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"

namespace palp {

constexpr long most_cells = 10000;  // per direction

Result<HexMesh> box_hexes(const BoxShape& shape) {
  // By name: a lambda may not capture structured bindings before clang 16.
  const Vec3 &size = shape.size_m, &centre = shape.centre_m;
  const auto& cells = shape.cells;
  ParameterCheck check("box");
  check.positive("size_m[0]", size.x()).positive("size_m[1]", size.y()).positive("size_m[2]", size.z());
  check.finite("centre_m", centre);
  for (int n : cells) check.between("cells", n, 1, most_cells);
  check.total_cells(1.0 * cells[0] * cells[1] * cells[2]);
  if (check.failed()) return check.error();
  return lattice_hexes(
      cells, [](int, int, int) { return true; },
      [&](int i, int j, int k) -> Vec3 {
        const Vec3 unit(1.0 * i / cells[0], 1.0 * j / cells[1], 1.0 * k / cells[2]);
        return centre + size.cwiseProduct(unit - Vec3::Constant(0.5));
      });
}

Result<TetMesh> box_tets(const BoxShape& shape) { return split_hexes(box_hexes(shape)); }

Result<HexMesh> bar_hexes(const BarShape& shape) {
  ParameterCheck check("bar");
  check.positive("length_m", shape.length_m)
      .positive("width_m", shape.width_m)
      .positive("height_m", shape.height_m);
  check.between("cells_along", shape.cells_along, 1, most_cells);
  check.between("cells_wide", shape.cells_wide, 1, most_cells);
  check.between("cells_high", shape.cells_high, 1, most_cells);
  if (check.failed()) return check.error();
  return box_hexes({.size_m = {shape.length_m, shape.width_m, shape.height_m},
                    .centre_m = {0.5 * shape.length_m, 0, 0},
                    .cells = {shape.cells_along, shape.cells_wide, shape.cells_high}});
}

Result<TetMesh> bar_tets(const BarShape& shape) { return split_hexes(bar_hexes(shape)); }

}  // namespace palp
