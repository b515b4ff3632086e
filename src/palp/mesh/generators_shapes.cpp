// Table, sine plate: blocks with a mask and a map.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"

namespace palp {
namespace {

/// An axis cut into sections, each with its own number of equal cells.
struct Axis {
  std::vector<double> node;  ///< coordinates of the nodes
  std::vector<int> section;  ///< section of each cell
  Axis(const std::vector<double>& breaks, double cell) {
    node.push_back(breaks[0]);
    for (size_t s = 0; s + 1 < breaks.size(); ++s) {
      const double length = breaks[s + 1] - breaks[s];
      const int cells = std::max(1, static_cast<int>(std::lround(length / cell)));
      for (int c = 1; c <= cells; ++c) {
        node.push_back(breaks[s] + length * c / cells);
        section.push_back(static_cast<int>(s));
      }
    }
  }
  int cells() const { return static_cast<int>(section.size()); }
};

}  // namespace

Result<HexMesh> table_hexes(const TableShape& s) {
  ParameterCheck check("table");
  check.positive("length_m", s.length_m)
      .positive("width_m", s.width_m)
      .positive("top_thickness_m", s.top_thickness_m);
  check.positive("leg_length_m", s.leg_length_m).positive("leg_thickness_m", s.leg_thickness_m);
  check.positive("cell_m", s.cell_m);
  check.require(2 * s.leg_thickness_m < std::min(s.length_m, s.width_m),
                "the legs must leave room between them");
  const bool bars = s.reinforced_along_x || s.reinforced_along_y;
  if (bars) {
    check.positive("bar_height_m", s.bar_height_m).positive("bar_thickness_m", s.bar_thickness_m);
    check.require(s.bar_height_m + s.bar_thickness_m < s.leg_length_m, "the bars must end below the top");
  }
  if (!check.failed())
    check.total_cells((s.length_m / s.cell_m + 3) * (s.width_m / s.cell_m + 3) *
                      ((s.leg_length_m + s.top_thickness_m) / s.cell_m + 4));
  if (check.failed()) return check.error();

  // Sections along x and y: leg, gap, leg. Along z: leg, bar, leg, top (without bars: leg, top).
  const double x = s.length_m / 2, y = s.width_m / 2, leg = s.leg_thickness_m;
  const Axis along_x({-x, -x + leg, x - leg, x}, s.cell_m);
  const Axis along_y({-y, -y + leg, y - leg, y}, s.cell_m);
  const double top = s.leg_length_m + s.top_thickness_m;
  const Axis along_z(
      bars ? std::vector{0.0, s.bar_height_m, s.bar_height_m + s.bar_thickness_m, s.leg_length_m, top}
           : std::vector{0.0, s.leg_length_m, top},
      s.cell_m);
  const int top_section = bars ? 3 : 1, bar_section = bars ? 1 : -1;
  return lattice_hexes(
      {along_x.cells(), along_y.cells(), along_z.cells()},
      [&](int i, int j, int k) {
        const bool leg_x = along_x.section[i] != 1, leg_y = along_y.section[j] != 1;
        if (along_z.section[k] == top_section) return true;
        if (leg_x && leg_y) return true;
        if (along_z.section[k] != bar_section) return false;
        return (s.reinforced_along_x && leg_y) || (s.reinforced_along_y && leg_x);
      },
      [&](int i, int j, int k) { return Vec3(along_x.node[i], along_y.node[j], along_z.node[k]); });
}

Result<TetMesh> table_tets(const TableShape& shape) { return split_hexes(table_hexes(shape)); }

namespace {

ParameterCheck check_sine(const SinePlateShape& s) {
  ParameterCheck check("sine plate");
  check.positive("amplitude_m", s.amplitude_m).positive("wavelength_m", s.wavelength_m);
  check.positive("length_m", s.length_m).positive("width_m", s.width_m).positive("depth_m", s.depth_m);
  check.between("cells_along", s.cells_along, 1, 10000).between("cells_wide", s.cells_wide, 1, 10000);
  check.between("cells_deep", s.cells_deep, 1, 10000);
  check.require(!(s.depth_m <= s.amplitude_m), "depth_m must exceed amplitude_m");
  check.require(!(s.cells_along * s.wavelength_m < 4 * s.length_m),
                "cells_along must give four cells a wave or more");
  check.total_cells(1.0 * s.cells_along * s.cells_wide * s.cells_deep);
  return check;
}

double sine_height(const SinePlateShape& s, double x) {
  return s.amplitude_m * std::sin(2 * std::numbers::pi * x / s.wavelength_m);
}

}  // namespace

Result<HexMesh> sine_plate_hexes(const SinePlateShape& s) {
  const ParameterCheck check = check_sine(s);
  if (check.failed()) return check.error();
  return lattice_hexes(
      {s.cells_along, s.cells_wide, s.cells_deep}, [](int, int, int) { return true; },
      [&](int i, int j, int k) {
        const double x = s.length_m * i / s.cells_along, y = s.width_m * (1.0 * j / s.cells_wide - 0.5);
        return Vec3(x, y, -s.depth_m + (s.depth_m + sine_height(s, x)) * k / s.cells_deep);
      });
}

Result<TetMesh> sine_plate_tets(const SinePlateShape& shape) { return split_hexes(sine_plate_hexes(shape)); }

Result<TriMesh> sine_surface(const SinePlateShape& s) {
  const ParameterCheck check = check_sine(s);
  if (check.failed()) return check.error();
  TriMesh mesh;
  const int row = s.cells_along + 1;
  for (int j = 0; j <= s.cells_wide; ++j)
    for (int i = 0; i <= s.cells_along; ++i) {
      const double x = s.length_m * i / s.cells_along;
      mesh.nodes.emplace_back(x, s.width_m * (1.0 * j / s.cells_wide - 0.5), sine_height(s, x));
    }
  for (int j = 0; j < s.cells_wide; ++j)
    for (int i = 0; i < s.cells_along; ++i) {
      const int a = j * row + i;
      mesh.triangles.push_back({a, a + 1, a + row + 1});
      mesh.triangles.push_back({a, a + row + 1, a + row});
    }
  return mesh;
}

}  // namespace palp
