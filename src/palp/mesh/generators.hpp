// Meshes of simple shapes, so that a scene or a test needs no file. Every shape is a struct of parameters
// (units in the names, sensible defaults); an impossible value is an error that names it. Solids come as
// hexahedra (`…_hexes`) or as tets (`…_tets`: the same nodes, every hex split in six).
#pragma once
#include <span>

#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"

namespace palp {

/// An axis-aligned box around `centre_m`.
struct BoxShape {
  Vec3 size_m = Vec3::Constant(0.1);
  Vec3 centre_m = Vec3::Zero();
  std::array<int, 3> cells{4, 4, 4};  ///< along x, y, z
};
Result<HexMesh> box_hexes(const BoxShape& shape);
Result<TetMesh> box_tets(const BoxShape& shape);

/// A bar from x = 0 to x = length, centred on the x axis: the cantilever of the books.
struct BarShape {
  double length_m = 0.1, width_m = 0.02, height_m = 0.02;  ///< along x, y, z
  int cells_along = 20, cells_wide = 4, cells_high = 4;
};
Result<HexMesh> bar_hexes(const BarShape& shape);
Result<TetMesh> bar_tets(const BarShape& shape);

/// A ball: a core cube with rounded sides and shells around it, so that no element is flattened at the cube's
/// edges.
struct SphereShape {
  double radius_m = 0.05;
  Vec3 centre_m = Vec3::Zero();
  int cells_across = 6;  ///< on a diameter; 3 or more
};
Result<HexMesh> sphere_hexes(const SphereShape& shape);
Result<TetMesh> sphere_tets(const SphereShape& shape);

/// A triangulated sphere: an icosahedron whose triangles are cut in four `subdivisions` times; 20·4^s
/// triangles.
struct IcosphereShape {
  double radius_m = 0.05;
  Vec3 centre_m = Vec3::Zero();
  int subdivisions = 3;
};
Result<TriMesh> icosphere(const IcosphereShape& shape);

/// A solid cylinder around the z axis, from z = −length/2 to length/2.
struct CylinderShape {
  double radius_m = 0.02, length_m = 0.1;
  int cells_across = 6;  ///< on a diameter; 3 or more
  int cells_along = 10;
};
Result<HexMesh> cylinder_hexes(const CylinderShape& shape);
Result<TetMesh> cylinder_tets(const CylinderShape& shape);

/// A round block under the plane z = 0 whose cells are small around the origin and grow away from it: for what is
/// pressed into it there.
struct GradedShape {
  double radius_m = 0.1, height_m = 0.1;
  double cell_m = 2.5e-4;  ///< side of the smallest cells
  double even_m = 1.5e-3;  ///< up to here from the origin they do not grow
  double growth = 1.3;     ///< of a cell over the one before it, further away
  int sectors = 24;        ///< around; a multiple of 8
};
Result<HexMesh> graded_hexes(const GradedShape& shape);

/// A pipe around the z axis, from z = −length/2 to length/2.
struct TubeShape {
  double inner_radius_m = 0.012, outer_radius_m = 0.015, length_m = 0.1;
  int cells_around = 24, cells_through = 1, cells_along = 10;
};
Result<HexMesh> tube_hexes(const TubeShape& shape);
Result<TetMesh> tube_tets(const TubeShape& shape);
Result<TriMesh> tube_surface(const TubeShape& shape);  ///< closed: inner and outer wall and both rims

/// A snap-in clip (D06 §7.2): an open ring around the z axis with its opening towards −y, lips that curve
/// outwards to lead the pipe in, and a handle on top. With the defaults and polyethylene (950 kg/m³) it
/// weighs the 15 g of D06; the papers give no measures.
///          ┌──┐  handle, along +y
///         ╭┴──┴╮
///        (      )  ring
///         ╲_  _╱   lips
struct ClipShape {
  double inner_radius_m = 0.015, outer_radius_m = 0.019;
  double width_m = 0.025;             ///< along z
  double opening_angle_rad = 1.5;     ///< of the gap between the ring's ends, seen from the axis
  double lip_angle_rad = 1.3;         ///< by which each lip bends outwards; 0 = no lips
  double lip_radius_m = 0.004;        ///< of the lip's middle line; more than half the ring's thickness
  double handle_length_m = 0.018;     ///< from the top of the ring
  double handle_thickness_m = 0.014;  ///< along x
  int cells_around = 24, cells_through = 2, cells_wide = 5;
};
Result<HexMesh> clip_hexes(const ClipShape& shape);
Result<TetMesh> clip_tets(const ClipShape& shape);
/// Where a hand or a device holds the clip: the nodes in the outer half of the handle. Ascending.
std::vector<int> clip_grasp_nodes(const ClipShape& shape, std::span<const Vec3> nodes);

/// A four-legged table (D06 figures 6 and 10) standing on z = 0, centred on the z axis, legs at the corners
/// of the top, with or without bars that join legs along x or along y. The papers give no measures.
struct TableShape {
  double length_m = 0.12, width_m = 0.08;  ///< of the top, along x and y
  double top_thickness_m = 0.01;
  double leg_length_m = 0.06, leg_thickness_m = 0.01;
  bool reinforced_along_x = false, reinforced_along_y = false;
  double bar_height_m = 0.02;  ///< of the lower side of the bars
  double bar_thickness_m = 0.01;
  double cell_m = 0.005;  ///< wanted edge length
};
Result<HexMesh> table_hexes(const TableShape& shape);
Result<TetMesh> table_tets(const TableShape& shape);

/// A plate from x = 0 to length whose upper side is z = amplitude · sin(2π x / wavelength) (K16 §7), centred
/// on y = 0, with a flat lower side at z = −depth.
struct SinePlateShape {
  double amplitude_m = 0.005, wavelength_m = 0.025;
  double length_m = 0.1, width_m = 0.04;
  double depth_m = 0.015;  ///< more than the amplitude
  int cells_along = 80, cells_wide = 16, cells_deep = 4;
};
Result<HexMesh> sine_plate_hexes(const SinePlateShape& shape);
Result<TetMesh> sine_plate_tets(const SinePlateShape& shape);
Result<TriMesh> sine_surface(
    const SinePlateShape& shape);  ///< the upper side only: an open sheet, normals upwards

/// Chains of beams with segments of equal length.
struct StraightShape {
  Vec3 from_m = Vec3::Zero(), to_m = {0.1, 0, 0};
  int segments = 10;
};
Result<Curve> straight_curve(const StraightShape& shape);

/// Starts at the origin along +x and bends towards +y; a full turn gives a closed curve.
struct ArcShape {
  double radius_m = 0.05, angle_rad = 1.5707963267948966;
  int segments = 20;
};
Result<Curve> arc_curve(const ArcShape& shape);

/// The middle line of a clip without its handle (P11 figure 4): opening towards −y, the middle node on top.
struct ClipCurveShape {
  double radius_m = 0.017;
  double opening_angle_rad = 1.5;
  double lip_angle_rad = 1.3, lip_radius_m = 0.004;
  int segments = 20;
};
Result<Curve> clip_curve(const ClipCurveShape& shape);

}  // namespace palp
