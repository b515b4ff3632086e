#include "palp/scene/grid_convergence.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

constexpr double kSafety = 1.25;     // Roache's factor for three grids and more
constexpr double kSafetyOfTwo = 3;   // and for two
constexpr double kMostOrder = 20;    // anything above is noise
constexpr double kSameValue = 1e-9;  // relative: rounding

/// p of (h3^p − h2^p)/(h2^p − h1^p) = ratio, which grows with p from ln(h3/h2)/ln(h2/h1) at p = 0.
std::optional<double> observed_order(double h1, double h2, double h3, double ratio) {
  const double r21 = h2 / h1, r32 = h3 / h2;
  const auto at = [&](double p) {
    return std::pow(r21, p) * std::expm1(p * std::log(r32)) / std::expm1(p * std::log(r21));
  };
  double low = 1e-6, high = kMostOrder;
  if (!(ratio > at(low)) || !(ratio < at(high))) return std::nullopt;
  for (int i = 0; i < 100; ++i) (at(0.5 * (low + high)) < ratio ? low : high) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

}  // namespace

GridConvergence grid_convergence(std::span<const double> h, std::span<const double> f, double formal_order) {
  GridConvergence out;
  const size_t n = f.size();
  out.value = f[n - 1];
  const auto last = f.last(std::min<size_t>(n, 3));
  const auto [least, most] = std::minmax_element(last.begin(), last.end());
  out.error = *most - *least;
  if (n < 3) return out;
  if (out.error <= kSameValue * std::max(std::abs(*least), std::abs(*most))) {
    out.converged = true;
    return out;
  }
  const double coarse = f[n - 3] - f[n - 2], fine = f[n - 2] - f[n - 1];
  if (fine == 0 || (n > 3 && (f[n - 4] - f[n - 3]) * fine < 0)) return out;
  out.order = observed_order(h[n - 1], h[n - 2], h[n - 3], coarse / fine);
  if (!out.order) return out;
  out.converged = true;
  const bool lucky = *out.order > 1.1 * formal_order;
  const double order = std::min(*out.order, formal_order);
  const double beyond = -fine / std::expm1(order * std::log(h[n - 2] / h[n - 1]));
  out.value += beyond;
  out.error = (lucky ? kSafetyOfTwo : kSafety) * std::abs(beyond);
  return out;
}

}  // namespace palp
