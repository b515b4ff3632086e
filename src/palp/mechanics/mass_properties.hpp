// Mass, centre and inertia of a solid: what a rigid frame needs (A(q) in D06 eq. 28).
#pragma once
#include "palp/base/result.hpp"
#include "palp/mesh/meshes.hpp"
#include "palp/mesh/rounded.hpp"

namespace palp {

struct MassProperties {
  double mass_kg = 0;
  Vec3 centre_m = Vec3::Zero();
  Mat3 inertia_kg_m2 = Mat3::Zero();  ///< about the centre, axes of the mesh
};

/// Of the solid of uniform density inside a closed surface: the sum over the tetrahedra (origin, triangle),
/// exact. An open, inward-facing or flat surface is an error.
Result<MassProperties> mass_properties(const TriMesh& surface, double density_kg_per_m3);

/// Of a rounded shape, in closed form: box, slabs, quarter cylinders and eighths of a ball (Steiner's
/// formula); of turned ones by Pappus and Guldin.
Result<MassProperties> mass_properties(const RoundedShape& shape, double density_kg_per_m3);

/// Inertia of a real body: symmetric, positive definite, and no principal moment above the sum of the other
/// two.
bool valid_inertia(const Mat3& inertia);

}  // namespace palp
