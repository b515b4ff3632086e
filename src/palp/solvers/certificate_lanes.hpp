// The certificate (certificate.hpp) of four contacts side by side: the sums of CertificateSum without its
// branches, for unilateral contacts. For files that hold vectors of 32 bytes in functions of their own only.
#pragma once
#include "palp/solvers/certificate.hpp"

// Vectors of 32 bytes go in and out of inlined functions only.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace palp {

struct FourContacts {
  typedef double Lanes __attribute__((vector_size(32)));
  struct Vec3x4 {
    Lanes n, t_1, t_2;
  };

  Lanes numerator{}, force{}, violation{};
  decltype(Lanes{} < Lanes{}) infeasible{};

  static Lanes root(Lanes x) {
    for (int k = 0; k < 4; ++k) x[k] = std::sqrt(x[k]);
    return x;
  }
  static double sum(Lanes x) { return (x[0] + x[1]) + (x[2] + x[3]); }

  /// A lane of zeros is a contact of nothing.
  [[gnu::always_inline]] void add(Lanes mu, Lanes rho, Lanes free_n, const Vec3x4& f, const Vec3x4& delta) {
    const Lanes zero{};
    infeasible |= (rho == zero) & (free_n < zero);
    const Lanes depth = rho * (free_n < zero ? free_n : zero);
    violation += depth * depth;

    const Lanes d_1 = delta.t_1, d_2 = delta.t_2;
    const Lanes u_n = delta.n + mu * root(d_1 * d_1 + d_2 * d_2);
    // The projection of x = f − ρû, as in project_on_cone.
    const Lanes x_n = f.n - rho * u_n, x_1 = f.t_1 - rho * d_1, x_2 = f.t_2 - rho * d_2;
    const Lanes t = root(x_1 * x_1 + x_2 * x_2);
    const Lanes on_axis = (x_n + mu * t) / (1 + mu * mu), shrink = mu * on_axis / t;
    const auto apart = mu * t <= -x_n, inside = t <= mu * x_n;
    const auto projected = [&](Lanes x, Lanes slid) { return apart ? zero : inside ? x : slid; };
    const Lanes r_n = f.n - projected(x_n, on_axis);
    const Lanes r_1 = f.t_1 - projected(x_1, shrink * x_1), r_2 = f.t_2 - projected(x_2, shrink * x_2);

    const Lanes f2 = f.n * f.n + f.t_1 * f.t_1 + f.t_2 * f.t_2, r2 = r_n * r_n + r_1 * r_1 + r_2 * r_2;
    const Lanes magnitude2 = 2 * (f2 + rho * rho * (u_n * u_n + d_1 * d_1 + d_2 * d_2));
    numerator += r2 <= certificate_rounding2 * magnitude2 ? zero : r2;
    force += f2;
  }
  Certificate result() const {
    const bool any = infeasible[0] | infeasible[1] | infeasible[2] | infeasible[3];
    return certificate_from_sums(sum(numerator), sum(force), sum(violation), any);
  }
};

}  // namespace palp
