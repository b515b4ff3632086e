// Volume models against beam theory: a bar clamped at one end.
#include <gtest/gtest.h>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/generators.hpp"

namespace palp {
namespace cantilever_test {

constexpr double kLength = 0.2, kSide = 0.02, kYoung = 1e6;

/// Tip deflection of the bar under a transverse end force spread over the end face, quasi-static.
double tip_deflection(bool hex, FemModel model, int cells_across, int cells_along, double force, int steps,
                      double* shortening = nullptr) {
  const BarShape bar{.length_m = kLength,
                     .width_m = kSide,
                     .height_m = kSide,
                     .cells_along = cells_along,
                     .cells_wide = cells_across,
                     .cells_high = cells_across};
  // ν = 0: beam theory is then free of the clamp's cross-section locking.
  FemSpec spec{.model = model, .young_modulus_Pa = kYoung, .poisson_ratio = 0, .quasi_static = true};
  spec.condensation_bound_bytes = 0;  // no contacts here
  std::vector<Vec3> nodes;
  if (hex) {
    HexMesh mesh = bar_hexes(bar).value();
    nodes = mesh.nodes;
    spec.mesh = std::move(mesh);
    spec.hex_modes = HexModes::none;  // the plain elements; elements_test.cpp has the others
  } else {
    TetMesh mesh = bar_tets(bar).value();
    nodes = mesh.nodes;
    spec.mesh = std::move(mesh);
  }
  std::vector<int> tip;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].x() < 1e-9) spec.fixed_nodes.push_back(static_cast<int>(n));
    if (nodes[n].x() > kLength - 1e-9) tip.push_back(static_cast<int>(n));
  }
  auto body = FemBody::make(spec);
  EXPECT_TRUE(body);
  auto ws = (*body)->make_workspace();
  BodyState state = (*body)->rest_state();
  Loads loads;
  loads.force = VecX::Zero((*body)->dof());
  // Trapezoidal weights: the consistent load of a uniform traction on a regular grid.
  double total = 0;
  auto weight = [&](int n) {
    const double edge = 0.5 * kSide - 1e-9;
    return (std::abs(nodes[n].y()) > edge ? 0.5 : 1.0) * (std::abs(nodes[n].z()) > edge ? 0.5 : 1.0);
  };
  for (int n : tip) total += weight(n);
  for (int i = 0; i < steps; ++i) {
    // The load grows over the first half of the steps.
    const double share = std::min(1.0, 2.0 * (i + 1) / steps);
    for (int n : tip) loads.force[3 * n + 2] = share * force * weight(n) / total;
    EXPECT_TRUE((*body)->free_motion(state, loads, 0.01, *ws));
    (*body)->commit(*ws, VecX(), state);
  }
  double w = 0, u = 0;
  for (int n : tip) {
    w += (state.x[3 * n + 2] - nodes[n].z()) * weight(n) / total;
    u += (nodes[n].x() - state.x[3 * n]) * weight(n) / total;
  }
  if (shortening) *shortening = u;
  return w;
}

/// Timoshenko: F L³/(3EI) + F L/(κ G A), κ = 5/6, G = E/2 for ν = 0.
double timoshenko(double force) {
  const double I = std::pow(kSide, 4) / 12, A = kSide * kSide;
  return force * std::pow(kLength, 3) / (3 * kYoung * I) + force * kLength / (5.0 / 6 * kYoung / 2 * A);
}

TEST(Cantilever, trilinear_hex_bar_converges_to_timoshenko_deflection_at_second_order_in_the_element_length) {
  const double force = 1e-4, theory = timoshenko(force);
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const int n = 1 << k;
    error[k] = std::abs(tip_deflection(true, FemModel::linear, 2, 20 * n, force, 2) / theory - 1);
  }
  EXPECT_GT(error[0] / error[1], 3.2);
  EXPECT_GT(error[1] / error[2], 3.2);
  EXPECT_LT(error[2], 0.01);
}

TEST(Cantilever, tet_bar_is_too_stiff_by_an_excess_that_shrinks_with_the_square_of_the_element_size) {
  const double force = 1e-4, theory = timoshenko(force);
  double excess[3];
  for (int k = 0; k < 3; ++k)
    excess[k] = theory / tip_deflection(false, FemModel::linear, 1 << k, 20 << k, force, 2) - 1;
  EXPECT_GT(excess[0] / excess[1], 3);
  EXPECT_GT(excess[1] / excess[2], 3.2);
  EXPECT_GT(excess[2], 0);
  EXPECT_LT(excess[2], 0.2);
}

TEST(Cantilever, corotational_bars_bend_as_beam_theory_says_under_small_loads) {
  const double force = 1e-4;
  for (bool hex : {false, true})
    EXPECT_NEAR(tip_deflection(hex, FemModel::corotational, 2, 20, force, 8) /
                    tip_deflection(hex, FemModel::linear, 2, 20, force, 2),
                1, 1e-3);
}

TEST(Cantilever, slow_large_end_load_follows_the_elastica_and_not_the_straight_line) {
  // Elastica with F L²/(EI) = 2: w/L = 0.49346, shortening/L = 0.16064 (Bisshopp and Drucker 1945; Mattiasson
  // 1981).
  const double I = std::pow(kSide, 4) / 12, force = 2 * kYoung * I / (kLength * kLength);
  double u = 0;
  const double w = tip_deflection(true, FemModel::corotational, 4, 60, force, 40, &u);
  EXPECT_NEAR(w / kLength, 0.49346, 0.015);  // the bar is thick (L/10): shear and stretch add a little
  EXPECT_NEAR(u / kLength, 0.16064, 0.015);
  // The linear model knows no large rotation: w/L = 2/3 and no shortening.
  EXPECT_NEAR(tip_deflection(true, FemModel::linear, 2, 60, force, 2, &u) / kLength, 2.0 / 3, 0.02);
  EXPECT_NEAR(u, 0, 1e-9);
}

}  // namespace cantilever_test
}  // namespace palp
