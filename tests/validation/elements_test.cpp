// Every kind of element against beam theory and exact solutions: bars two cells across, nearly incompressible
// material, orders of convergence.
#include "mechanics/fem_support.hpp"
#include "support/dense.hpp"

namespace palp {
namespace elements_test {
using namespace test;

constexpr double kPi = 3.14159265358979323846;

/// A square bar along x, clamped at x = 0.
struct Bar {
  double length_m = 0.4, side_m = 0.02, young_Pa = 1e6, poisson = 0.3, density = 1000;
  int along = 20, across = 2;
  FemModel model = FemModel::linear;

  double I() const { return std::pow(side_m, 4) / 12; }
  double A() const { return side_m * side_m; }
  double G() const { return young_Pa / (2 * (1 + poisson)); }
  /// F L³/(3EI) + F L/(κ G A) with Cowper's κ for a rectangle.
  double tip_per_force() const {
    const double kappa = 10 * (1 + poisson) / (12 + 11 * poisson);
    return std::pow(length_m, 3) / (3 * young_Pa * I()) + length_m / (kappa * G() * A());
  }
  FemSpec spec(Kind kind) const {
    const BarShape shape{.length_m = length_m,
                         .width_m = side_m,
                         .height_m = side_m,
                         .cells_along = along,
                         .cells_wide = across,
                         .cells_high = across};
    FemSpec s = spec_of(kind, bar_hexes(shape).value());
    s.model = model;
    s.young_modulus_Pa = young_Pa;
    s.poisson_ratio = poisson;
    s.density_kg_per_m3 = density;
    s.quasi_static = true;
    s.condensation_bound_bytes = 0;  // no contacts here
    s.fixed_nodes = nodes_where(nodes(s), [](const Vec3& x) { return x.x() < 1e-9; });
    return s;
  }
};

std::vector<int> tip_of(const FemSpec& spec, double length) {
  return nodes_where(nodes(spec), [&](const Vec3& x) { return x.x() > length - 1e-9; });
}

VecX solve(const FemBody& body, const VecX& force) {
  Loads loads;
  loads.force = force;
  auto ws = body.make_workspace();
  EXPECT_TRUE(body.free_motion(body.rest_state(), loads, 1, *ws));
  return ws->dx_free;
}

/// Tip deflection over beam theory's. The load: each tip node its share of the end face, through the skin.
double bending(const Bar& bar, Kind kind) {
  const FemSpec spec = bar.spec(kind);
  const auto body = make(spec);
  VecX f = VecX::Zero(body->dof());
  const std::vector<int> tip = tip_of(spec, bar.length_m);
  for (int n : tip) f[3 * n + 2] = 1.0 / static_cast<double>(tip.size());
  return solve(*body, f).dot(f) / bar.tip_per_force();
}

/// Twist of the end under a torque over Saint-Venant's T L/(G J), J = 0.140577 a⁴.
double torsion(const Bar& bar, Kind kind) {
  FemSpec spec = bar.spec(kind);
  spec.driven_nodes = tip_of(spec, bar.length_m);
  const auto body = make(spec);
  Loads loads;
  const double angle = 1e-6;
  for (int n : spec.driven_nodes) loads.prescribed.push_back(angle * Vec3::UnitX().cross(nodes(spec)[n]));
  auto ws = body->make_workspace();
  EXPECT_TRUE(body->free_motion(body->rest_state(), loads, 1, *ws));
  VecX f(body->dof());
  body->constraint_force(*ws, {}, VecX(), VecX(), f);
  double torque = 0;
  for (int n : spec.driven_nodes) torque += Vec3(nodes(spec)[n]).cross(Vec3(f.segment<3>(3 * n))).x();
  const double J = 0.140577 * std::pow(bar.side_m, 4);
  return angle * bar.G() * J / (bar.length_m * torque);
}

/// Moment over E I κ of a bar whose ends are bent to Saint-Venant's exact solution of pure bending,
///     u = κ (x z, −ν y z, (−x² + ν y² − ν z²)/2):  sections stay plane and change their shape freely.
double bending_moment(const Bar& bar, Kind kind) {
  FemSpec spec = bar.spec(kind);
  spec.fixed_nodes.clear();
  spec.driven_nodes =
      nodes_where(nodes(spec), [&](const Vec3& x) { return x.x() < 1e-9 || x.x() > bar.length_m - 1e-9; });
  const auto body = make(spec);
  const double curvature = 1e-3, nu = bar.poisson;
  Loads loads;
  for (int n : spec.driven_nodes) {
    const Vec3& p = nodes(spec)[n];
    loads.prescribed.push_back(curvature * Vec3(p.x() * p.z(), -nu * p.y() * p.z(),
                                                (-p.x() * p.x() + nu * (p.y() * p.y() - p.z() * p.z())) / 2));
  }
  auto ws = body->make_workspace();
  EXPECT_TRUE(body->free_motion(body->rest_state(), loads, 1, *ws));
  VecX f(body->dof());
  body->constraint_force(*ws, {}, VecX(), VecX(), f);
  double moment = 0;
  for (int n : tip_of(spec, bar.length_m)) moment += f[3 * n] * nodes(spec)[n].z();
  return moment / (bar.young_Pa * bar.I() * curvature);
}

TEST(Elements, pure_bending_is_exact_whatever_the_poisson_ratio_with_one_cell_or_two) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets})
    for (int across : {1, 2})
      for (double nu : {0.0, 0.3, 0.45, 0.499})
        EXPECT_NEAR(bending_moment({.poisson = nu, .across = across}, kind), 1, 1e-6)
            << name(kind) << " nu " << nu;
}

TEST(Elements, the_plain_elements_lock) {
  for (double nu : {0.3, 0.499}) {
    EXPECT_GT(bending_moment({.poisson = nu}, Kind::tets), 1.3) << nu;
    EXPECT_GT(bending_moment({.poisson = nu}, Kind::trilinear_hexes), 1.2) << nu;
  }
  EXPECT_GT(bending_moment({.poisson = 0.499}, Kind::trilinear_hexes), 1.5);
}

TEST(Elements, a_clamped_bar_two_cells_across_bends_as_beam_theory_says) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets})
    for (double nu : {0.0, 0.3})
      EXPECT_NEAR(bending({.poisson = nu, .along = 40}, kind), 1, 0.01) << name(kind) << " nu " << nu;
}

TEST(Elements, one_cell_through_the_height_is_enough_to_bend) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets})
    EXPECT_NEAR(bending({.across = 1}, kind), 1, 0.02) << name(kind);
}

TEST(Elements, skewed_hexes_still_bend) {
  // Every other section is slanted: trapezoids, the worst case of MacNeal's slender beam.
  const Bar bar{.along = 20, .across = 1};
  FemSpec spec = bar.spec(Kind::hexes);
  auto& mesh = std::get<HexMesh>(spec.mesh);
  const double cell = bar.length_m / bar.along;
  for (Vec3& x : mesh.nodes) {
    const int section = static_cast<int>(std::lround(x.x() / cell));
    if (section > 0 && section < bar.along) x.x() += (section % 2 ? 0.25 : -0.25) * cell * x.z() / bar.side_m;
  }
  const auto body = make(spec);
  VecX f = VecX::Zero(body->dof());
  for (int n : tip_of(spec, bar.length_m)) f[3 * n + 2] = 0.25;
  const double ratio = solve(*body, f).dot(f) / bar.tip_per_force();
  EXPECT_GT(ratio, 0.7);
  EXPECT_LT(ratio, 1.01);
}

TEST(Elements, twist_converges_to_saint_venants) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets}) {
    double error[2];
    for (int k = 0; k < 2; ++k)
      error[k] = std::abs(torsion({.length_m = 0.2, .along = 10 << k, .across = 2 << k}, kind) - 1);
    EXPECT_GT(error[0] / error[1], 2.7) << name(kind);  // the clamped ends keep a little
    EXPECT_LT(error[1], kind == Kind::hexes ? 0.06 : 0.015) << name(kind);
  }
}

TEST(Elements, the_first_frequency_of_a_cantilever_is_that_of_beam_theory) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets})
    for (bool lumped : {true, false}) {
      const Bar bar{.along = kind == Kind::hexes ? 20 : 10};
      FemSpec spec = bar.spec(kind);
      const auto body = make(spec);
      spec.quasi_static = false;
      spec.lumped_mass = lumped;
      // A = M/h² + K in the dynamic body, K in the quasi-static one.
      const double h = 1e-3;
      MatX M =
          make(spec)->dense_system(body->rest_state(), {}, h) - body->dense_system(body->rest_state(), {}, h);
      M *= h * h;
      for (int n : spec.fixed_nodes) M.middleRows<3>(3 * n).setZero();
      // Inverse iteration φ ← K⁻¹ M φ. Rayleigh's quotient: ω² = φᵀKφ/φᵀMφ.
      VecX phi = VecX::Zero(body->dof());
      for (int n : tip_of(spec, bar.length_m)) phi[3 * n + 2] = 1;
      double omega2 = 0;
      for (int i = 0; i < 10; ++i) {
        const VecX load = M * phi;
        phi = solve(*body, load);
        omega2 = phi.dot(load) / phi.dot(M * phi);
        phi.normalize();
      }
      const double theory = std::pow(1.8751040687 / bar.length_m, 2) *
                            std::sqrt(bar.young_Pa * bar.I() / (bar.density * bar.A()));
      EXPECT_NEAR(std::sqrt(omega2) / theory, 1, 0.01) << name(kind) << (lumped ? " lumped" : " consistent");
    }
}

TEST(Elements, a_column_loses_its_stiffness_at_eulers_load) {
  for (Kind kind : {Kind::hexes, Kind::quadratic_tets}) {
    const Bar bar{.along = kind == Kind::hexes ? 20 : 14, .model = FemModel::corotational};
    const FemSpec spec = bar.spec(kind);
    const auto body = make(spec);
    const double euler = kPi * kPi * bar.young_Pa * bar.I() / (4 * bar.length_m * bar.length_m);
    const std::vector<int> tip = tip_of(spec, bar.length_m);
    std::vector<char> fixed(body->blocks(), 0);
    for (int n : spec.fixed_nodes) fixed[n] = 1;
    double load[2] = {0.9 * euler, 0.97 * euler}, stiffness[2];
    for (int k = 0; k < 2; ++k) {
      BodyState state = body->rest_state();
      auto ws = body->make_workspace();
      Loads loads;
      loads.force = VecX::Zero(body->dof());
      for (int n : tip) loads.force[3 * n] = -load[k] / static_cast<double>(tip.size());
      for (int i = 0; i < 8; ++i) ASSERT_TRUE(step(*body, loads, 1, *ws, state));
      // Sideways stiffness of the tip in the compressed state, by the exact tangent.
      MatX K = body->tangent_stiffness(state, Tangent::exact).dense();
      for (int n = 0; n < body->blocks(); ++n)
        if (fixed[n]) {
          K.middleRows<3>(3 * n).setZero();
          K.middleCols<3>(3 * n).setZero();
          K.block<3, 3>(3 * n, 3 * n).setIdentity();
        }
      VecX side = VecX::Zero(body->dof());
      for (int n : tip) side[3 * n + 2] = 1.0 / static_cast<double>(tip.size());
      stiffness[k] = 1 / side.dot(VecX(testing::solve_positive(K, side)));
    }
    EXPECT_GT(stiffness[1], 0) << name(kind);
    const double critical = load[0] + (load[1] - load[0]) * stiffness[0] / (stiffness[0] - stiffness[1]);
    EXPECT_NEAR(critical / euler, 1, 0.01) << name(kind);
  }
}

/// Gradients of harmonic functions have no divergence and solve the equations of elasticity for every ν.
Vec3 exact_field(const Vec3& x) {
  const auto quartic = [](double a, double b) {
    return Vec3(4 * a * (a * a - 3 * b * b), 4 * b * (b * b - 3 * a * a), 0);
  };
  const Vec3 xy = quartic(x.x(), x.y()), yz = quartic(x.y(), x.z());
  return 1e-3 * (xy + Vec3(0, yz.x(), yz.y()));
}

/// Largest error of a node when the border is given, over the largest displacement.
double field_error(Kind kind, int n, double nu) {
  const double side = 2;
  HexMesh mesh =
      box_hexes({.size_m = Vec3::Constant(side), .centre_m = Vec3::Zero(), .cells = {n, n, n}}).value();
  // A smooth distortion: the elements stay skew on every level.
  for (Vec3& x : mesh.nodes)
    x += 0.08 * std::cos(0.5 * kPi * x.x()) * std::cos(0.5 * kPi * x.y()) * std::cos(0.5 * kPi * x.z()) *
         Vec3(1, -1, 0.5);
  FemSpec spec = spec_of(kind, mesh);
  spec.model = FemModel::linear;
  spec.quasi_static = true;
  spec.poisson_ratio = nu;
  spec.condensation_bound_bytes = 0;
  spec.driven_nodes =
      nodes_where(nodes(spec), [](const Vec3& x) { return x.cwiseAbs().maxCoeff() > 1 - 1e-9; });
  const auto body = make(spec);
  Loads loads;
  for (int k : spec.driven_nodes) loads.prescribed.push_back(exact_field(nodes(spec)[k]));
  auto ws = body->make_workspace();
  EXPECT_TRUE(body->free_motion(body->rest_state(), loads, 1, *ws));
  double worst = 0, size = 0;
  for (int k = 0; k < body->blocks(); ++k) {
    const Vec3 u = exact_field(nodes(spec)[k]);
    worst = std::max(worst, (ws->dx_free.segment<3>(3 * k) - u).norm());
    size = std::max(size, u.norm());
  }
  return worst / size;
}

TEST(Elements, errors_shrink_with_the_order_of_the_element) {
  for (double nu : {0.3, 0.499}) {
    const double hex[2] = {field_error(Kind::hexes, 4, nu), field_error(Kind::hexes, 8, nu)};
    EXPECT_GT(hex[0] / hex[1], 3.2) << "second order, nu " << nu;
    EXPECT_LT(hex[1], 0.02) << nu;
  }
  const double tet[2] = {field_error(Kind::quadratic_tets, 2, 0.3),
                         field_error(Kind::quadratic_tets, 4, 0.3)};
  EXPECT_GT(tet[0] / tet[1], 6) << "third order";
  // Near incompressibility quadratic tets lose an order, not more.
  const double stiff[2] = {field_error(Kind::quadratic_tets, 3, 0.499),
                           field_error(Kind::quadratic_tets, 6, 0.499)};
  EXPECT_GT(stiff[0] / stiff[1], 3) << "second order";
  EXPECT_LT(stiff[1], 0.02);
}

}  // namespace elements_test
}  // namespace palp
