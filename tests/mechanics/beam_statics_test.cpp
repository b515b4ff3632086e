// Beams against the classical theory: small bending, torsion, the circle, the elastica.
#include "mechanics/beam_support.hpp"

namespace palp {
namespace beam_statics_test {

using namespace beams;

/// Repeats Newton steps of a quasi-static body (h only scales the damping) until they stand still.
int settle(const Body& body, const Loads& loads, BodyState& state, double h = 1, int limit = 2000) {
  auto ws = body.make_workspace();
  for (int i = 1; i <= limit; ++i) {
    checks::step(body, loads, h, *ws, state);
    if (ws->dx_free.norm() < 1e-12) return i;
  }
  ADD_FAILURE() << "does not settle: last increment " << ws->dx_free.norm();
  return limit;
}

/// A clamped straight cantilever along x, static, without damping.
BeamSpec cantilever(double length, int elements, BeamSection section) {
  BeamSpec s;
  s.curve = straight(length, elements);
  s.section = section;
  s.section_y = Vec3::UnitY();
  s.young_modulus_Pa = 2e9;
  s.poisson_ratio = 0.25;
  s.quasi_static = true;
  s.fixed_nodes = {0};
  return s;
}

TEST(Beam, end_loaded_cantilever_bends_by_PL3_over_3EI) {
  const double L = 0.4, r = 0.004, E = 2e9, I = pi / 4 * std::pow(r, 4), P = 1e-3;
  for (int elements : {1, 3, 10}) {
    auto body = make(cantilever(L, elements, BeamSection::circle(r)));
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    loads.force[6 * elements + 1] = P;
    BodyState state = body->rest_state();
    settle(*body, loads, state);
    const double w = state.x[7 * elements + 1],
                 slope = vector_from_rotation(pose_rotation(state.x, elements)).z();
    EXPECT_NEAR(w / (P * L * L * L / (3 * E * I)), 1, 1e-3) << elements;
    EXPECT_NEAR(slope / (P * L * L / (2 * E * I)), 1, 1e-3) << elements;
  }
}

TEST(Beam, shear_flexible_cantilever_adds_PL_over_kappa_GA) {
  const double L = 0.05, b = 0.02, E = 2e9, G = E / 2.5, A = b * b, I = A * b * b / 12, P = 1;
  BeamSpec spec = cantilever(L, 4, BeamSection::rectangle(b, b));
  spec.shear_flexible = true;
  auto body = make(spec);
  Loads loads;
  loads.force = VecX::Zero(body->dof());
  loads.force[6 * 4 + 2] = P;
  BodyState state = body->rest_state();
  settle(*body, loads, state);
  EXPECT_NEAR(state.x[7 * 4 + 2] / (P * L * L * L / (3 * E * I) + P * L / (5.0 / 6 * G * A)), 1, 1e-3);
}

TEST(Beam, rectangular_section_bends_by_its_own_second_moment_in_each_direction) {
  const double L = 0.3, b = 0.01, c = 0.002, E = 2e9, P = 1e-4;
  auto body = make(cantilever(L, 5, BeamSection::rectangle(b, c)));
  for (int axis : {1, 2}) {
    const double I = axis == 1 ? c * b * b * b / 12 : b * c * c * c / 12;
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    loads.force[6 * 5 + axis] = P;
    BodyState state = body->rest_state();
    settle(*body, loads, state);
    EXPECT_NEAR(state.x[7 * 5 + axis] / (P * L * L * L / (3 * E * I)), 1, 1e-3);
    EXPECT_NEAR(state.x[7 * 5 + 3 - axis], 0, 1e-12);
  }
}

TEST(Beam, twist_is_torque_times_length_over_GJ) {
  const double L = 0.3, r = 0.003, E = 2e9, G = E / 2.5, J = pi / 2 * std::pow(r, 4), M = 0.2;
  auto body = make(cantilever(L, 6, BeamSection::circle(r)));
  Loads loads;
  loads.force = VecX::Zero(body->dof());
  loads.force[6 * 6 + 3] = M;
  BodyState state = body->rest_state();
  settle(*body, loads, state);
  EXPECT_NEAR(vector_from_rotation(pose_rotation(state.x, 6)).x() / (M * L / (G * J)), 1, 1e-9);
}

TEST(Beam, torsion_constant_of_rectangles_matches_the_published_table) {
  // Timoshenko & Goodier, Theory of Elasticity, table of k1 in J = k1 (2a)³(2b), by the ratio of the sides.
  const std::pair<double, double> table[] = {{1, 0.1406}, {1.5, 0.196}, {2, 0.229},
                                             {3, 0.263},  {5, 0.291},   {10, 0.312}};
  for (auto [ratio, k1] : table)
    for (bool tall : {false, true}) {
      const double b = 0.002, a = ratio * b;
      auto p = section_properties(tall ? BeamSection::rectangle(b, a) : BeamSection::rectangle(a, b));
      ASSERT_TRUE(p);
      EXPECT_NEAR(p->J / (a * b * b * b), k1, 6e-4);
    }
}

TEST(Beam, end_moment_2piEI_over_L_closes_the_circle) {
  const double L = 0.5, r = 0.002, E = 2e9, I = pi / 4 * std::pow(r, 4);
  for (int elements : {8, 20}) {
    auto body = make(cantilever(L, elements, BeamSection::circle(r)));
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    BodyState state = body->rest_state();
    for (int k = 1; k <= 8; ++k) {  // the load grows in eighths, as in any Newton analysis of this case
      loads.force[6 * elements + 5] = 2 * pi * E * I / L * k / 8;
      settle(*body, loads, state);
    }
    EXPECT_LT(pose_position(state.x, elements).norm(), 1e-7 * L) << elements;
    EXPECT_NEAR(std::abs(pose_rotation(state.x, elements).w()), 1, 1e-9);  // a full turn
    // Half-way round the beam stands at the circle's diameter L/π; a polygon of n sides of length L/n has the
    // diameter (L/n)/sin(π/n) across its corners: second order in 1/n.
    EXPECT_NEAR(pose_position(state.x, elements / 2).norm(), L / elements / std::sin(pi / elements),
                1e-5 * L);
  }
}

/// The elastica by shooting: EI θ″ = −P cos θ, θ(0) = 0, θ′(L) = 0; returns tip (x, y) for L = 1.
Vec2 elastica_tip(double load) {
  const auto shoot = [&](double curvature, Vec2& tip) {
    const int steps = 4000;
    const double h = 1.0 / steps;
    Eigen::Vector4d s(0, curvature, 0, 0);  // θ, θ′, x, y
    const auto rate = [&](const Eigen::Vector4d& q) {
      return Eigen::Vector4d(q[1], -load * std::cos(q[0]), std::cos(q[0]), std::sin(q[0]));
    };
    for (int i = 0; i < steps; ++i) {
      const Eigen::Vector4d k1 = rate(s), k2 = rate(s + h / 2 * k1), k3 = rate(s + h / 2 * k2),
                            k4 = rate(s + h * k3);
      s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    tip = s.tail<2>();
    return s[1];
  };
  Vec2 tip;
  double low = 0, high = load;  // the root's curvature is at most P L/EI
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, tip) < 0 ? low : high) = middle;
  }
  return tip;
}

TEST(Beam, elastica_under_large_end_load_matches_the_exact_curve) {
  // First the oracle itself, against published values (Mattiasson 1981): P L²/EI = 10.
  EXPECT_NEAR(elastica_tip(10).y(), 0.81061, 1e-5);
  EXPECT_NEAR(1 - elastica_tip(10).x(), 0.55500, 1e-5);
  const double L = 1, r = 0.001, E = 2e9, I = pi / 4 * std::pow(r, 4);
  double coarse_error = 0;
  for (int elements : {10, 20, 40}) {
    auto body = make(cantilever(L, elements, BeamSection::circle(r)));
    Loads loads;
    loads.force = VecX::Zero(body->dof());
    BodyState state = body->rest_state();
    for (double load : {0.5, 1.0, 2.0, 5.0, 10.0}) {
      loads.force[6 * elements + 1] = load * E * I / (L * L);
      settle(*body, loads, state);
      // The tangent in A is approximate here, the equilibrium is not: internal and external forces balance.
      VecX residual(body->dof());
      body->internal_force(state, residual);
      residual -= loads.force;
      // Positions are rounded to eps L, which the axial stiffness EA/l of every element turns into forces.
      const double rounding = 2.3e-16 * L * (E * pi * r * r) / (L / elements);
      EXPECT_LT(residual.tail(body->dof() - 6).norm(),
                1e-7 * loads.force.norm() + std::sqrt(elements) * rounding);
      const Vec2 error = pose_position(state.x, elements).head<2>() - elastica_tip(load);
      EXPECT_LT(error.norm(), 0.5 / (elements * elements)) << load << " " << elements;
      if (load == 10.0) {
        if (coarse_error > 0) {
          EXPECT_GT(coarse_error / error.norm(), 3.0);  // second order
        }
        coarse_error = error.norm();
      }
    }
  }
}

}  // namespace beam_statics_test
}  // namespace palp
