// Cross-sections of beams: areas and second moments, in the section's own axes y and z (x runs along the
// beam).
#pragma once
#include "palp/base/result.hpp"

namespace palp {

/// A solid disc, a tube, or a solid rectangle.
struct BeamSection {
  enum class Shape { circular, rectangular };
  Shape shape = Shape::circular;
  double radius_m = 0.001;
  double inner_radius_m = 0;  ///< circular only; 0 = solid
  double width_y_m = 0.002;   ///< rectangular only: extent along the section's y axis
  double width_z_m = 0.002;   ///< rectangular only: extent along the section's z axis

  static BeamSection circle(double radius_m, double inner_radius_m = 0) {
    return {Shape::circular, radius_m, inner_radius_m, 0, 0};
  }
  static BeamSection rectangle(double width_y_m, double width_z_m) {
    return {Shape::rectangular, 0, 0, width_y_m, width_z_m};
  }
};

struct SectionProperties {
  double A = 0;       ///< area, m²
  double Iy = 0;      ///< ∫ z² dA: bending about y, m⁴
  double Iz = 0;      ///< ∫ y² dA: bending about z, m⁴
  double J = 0;       ///< Saint-Venant's torsion constant, m⁴ (= Iy + Iz only for circular sections)
  double kappa = 1;   ///< shear correction factor (Timoshenko beam; 6/7 thick wall and disc, 5/6 rectangle)
  double extent = 0;  ///< smallest half-width: the default radius of the skin, m
};

Result<SectionProperties> section_properties(const BeamSection& section);

}  // namespace palp
