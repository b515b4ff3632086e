// Contact pressure in pascal: what the contacts of a step press on a skin, spread to its vertices by the
// weights of their points, over the share of the skin's area that each vertex has:
//     p_v = F_v / A_v,    F_v = Σ_c w_cv f_n,c,    A_v = ⅓ Σ of the triangles around v, as they are now
// so that Σ_v p_v A_v is the normal force on the skin, exactly. Where the skin is made of quads cut in two,
// as that of hexes is, A_v is the mean of both ways to cut them: the nodes of a quad bear alike, but a third
// of its triangles would be a third of it for two of them and a sixth for the others. The field is as fine as
// the skin: a force within a triangle belongs to its corners, one on a floor of two triangles to the whole
// floor.
#pragma once
#include "palp/sim/model.hpp"

namespace palp {

/// What presses on a skin: a point of it and a normal force.
struct SkinLoad {
  SkinPoint at;
  double force_N = 0;
};

/// Appends what a contact with the normal force `force_N` presses on `body`, on either side; attachments
/// hold, and press on nothing.
void add_contact_load(const Contact& c, double force_N, int body, std::vector<SkinLoad>& out);
/// The same of all contacts of the last step.
void add_contact_loads(const Workspace& ws, int body, std::vector<SkinLoad>& out);

/// A point of the skin that touches on the surface that is drawn: the same one, but for rounded shapes, whose
/// core touches.
SkinPoint on_surface(const Skin& skin, std::span<const Vec3> positions, const SkinPoint& point);

/// A_v, m².
std::vector<double> vertex_areas(std::span<const Triangle> triangles, std::span<const Vec3> positions);

/// p_v at the vertices of a skin at `positions`; empty when it has no triangles (points, beams).
std::vector<double> contact_pressure(const Skin& skin, std::span<const Vec3> positions,
                                     std::span<const SkinLoad> loads);

}  // namespace palp
