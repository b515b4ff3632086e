// The shape of single GLCs: patch of a triangle, of a sharp concave edge (see glc_builder.hpp).
#pragma once
#include <array>

#include "palp/contact/glc_builder.hpp"

namespace palp {

/// A fold between two triangles, seen from outside.
struct Fold {
  bool concave = false;
  double angle = 0;  ///< between the normals, 0 = flat
};
/// At edge `edge`; flat at a border.
Fold fold_at(const GlcSurface& surface, int edge);

/// True where the body surrounds the vertex from below, so that points inside may have it as their nearest
/// point.
bool is_pit(const GlcSurface& surface, int vertex);

/// Largest angle between two normals of triangles at the vertex.
double spread_at(const GlcSurface& surface, int vertex);

/// Depth of the GLC of a triangle.
double glc_depth(const GlcRegionSettings& settings, const GlcSurface& surface, int triangle);

/// The triangle that shares the GLC of this one: its partner while both are in one plane; −1 = none.
int flat_partner(const GlcSurface& surface, int triangle);

/// GLC and the point of the skin below its centre. False: the triangle or edge has no extent.
bool face_glc(const GlcRegionSettings& settings, const GlcSurface& surface, int triangle, double radius,
              Glc& glc, SkinPoint& Q);
bool edge_glc(const GlcRegionSettings& settings, const GlcSurface& surface, int edge, double radius, Glc& glc,
              SkinPoint& Q);
/// Takes the patch of a triangle along with its nodes, which are at `corner` now, and bears on them where the
/// proxy is, at x.
void follow_nodes(std::span<const Vec3> corner, const Vec3& x, Glc& glc);
/// A corner of the surface, named by the proxy, on the tool's triangle (glc_builder.hpp): that patch
/// mirrored.
bool corner_glc(const GlcRegionSettings& settings, const GlcSurface& tool, int triangle,
                const GlcSurface& surface, const GlcPoint& proxy, Glc& glc, SkinPoint& Q);
/// How far `x` is from the patch: off its plane; beside it, also from its centre.
inline double patch_distance(const Glc& g, const Vec3& x) {
  const Vec3 r = x - g.p;
  return std::abs(g.n.dot(r)) + (g.in_range(g.t1.dot(r), g.t2.dot(r)) ? 0 : r.norm());
}
/// The direction in which an edge of a tool leaves an edge of a surface; false when they are nearly parallel.
bool crossing_normal(const GlcSurface& tool, int tool_edge, const GlcSurface& surface, int edge, Vec3& n);
/// An edge of the tool, named by the proxy, on an edge of the surface.
bool crossing_glc(const GlcRegionSettings& settings, const GlcSurface& tool, const GlcSurface& surface,
                  int edge, const GlcPoint& proxy, double radius, Glc& glc, SkinPoint& Q);

/// Patches on a tool move with it: `own` are the corners of its triangle now, or the ends of its edge; `at`
/// the corner of the surface, or the ends of its edge; x the proxy. Crossings, as far as the edges still
/// cross.
void follow_tool(GlcKind kind, const std::array<Vec3, 3>& own, const std::array<Vec3, 3>& at, const Vec3& x,
                 Glc& glc);
/// Where they bear on the tool: weights of its corners.
Vec3 bearing_place(GlcKind kind, const std::array<Vec3, 3>& own, const std::array<Vec3, 3>& at,
                   const Glc& glc);

}  // namespace palp
