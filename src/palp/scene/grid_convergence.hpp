// What a sequence of ever finer computations says about the exact answer (Richardson 1911; Roache 1994,
// 1998).
//
// With values f₁, f₂, f₃ at steps h₁ < h₂ < h₃ and an error C hᵖ:
//     (f₃ − f₂)/(f₂ − f₁) = (h₃ᵖ − h₂ᵖ)/(h₂ᵖ − h₁ᵖ)      gives the observed order p,
//     f = f₁ + (f₁ − f₂)/((h₂/h₁)ᵖ − 1)                   the extrapolated value,
//     1.25 |f − f₁|                                       its error bar, the grid convergence index of f₁.
// An order above `formal_order` is luck: it is told, but f is computed with the formal one, and the bar is
// that of two grids, 3 |f − f₁|.
//
// A sequence that swings among its four finest values, or whose steps do not grow smaller, has no order. It
// is not converged: the value is then the finest and the error bar the spread of the three finest.
#pragma once
#include <optional>
#include <span>

namespace palp {

struct GridConvergence {
  bool converged = false;
  std::optional<double> order = {};  ///< none: not converged, or the values are the same
  double value = 0;
  double error = 0;  ///< value ± error
};

/// At least one value, from coarse to fine: h falling. Fewer than three are never converged.
GridConvergence grid_convergence(std::span<const double> h, std::span<const double> f,
                                 double formal_order = 2);

}  // namespace palp
