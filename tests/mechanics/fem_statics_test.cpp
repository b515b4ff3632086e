#include "fem_support.hpp"
#include "support/dense.hpp"

namespace palp {
namespace fem_statics_test {
using namespace test;

struct StaticCase {
  std::string name;
  FemSpec spec;
};

/// Irregular elements of every kind, both models.
std::vector<StaticCase> static_cases() {
  std::vector<StaticCase> out;
  for (FemModel model : {FemModel::linear, FemModel::corotational})
    for (Kind kind : kKinds) {
      FemSpec spec = irregular_box(kind, 3);
      spec.model = model;
      out.push_back({(model == FemModel::linear ? "linear " : "corotational ") + name(kind), spec});
    }
  return out;
}

bool on_border(const Vec3& x) { return x.cwiseAbs().maxCoeff() > 0.05 - 0.005; }

TEST(Fem, patch_test_linear_boundary_displacement_gives_the_linear_field_inside) {
  for (auto& [name, spec] : static_cases()) {
    spec.quasi_static = true;
    spec.young_modulus_Pa = 1e4;
    spec.driven_nodes = nodes_where(nodes(spec), on_border);
    const auto body = make(spec);
    const BodyState rest = body->rest_state();
    ASSERT_LT(spec.driven_nodes.size(), nodes(spec).size()) << name;
    Mat3 slope;
    slope << 0.01, 0.004, -0.002, 0.003, -0.02, 0.005, 0.001, -0.006, 0.015;
    Loads loads;
    for (int n : spec.driven_nodes) loads.prescribed.push_back(slope * nodes(spec)[n]);
    auto ws = body->make_workspace();
    BodyState state = rest;
    ASSERT_TRUE(step(*body, loads, 0.01, *ws, state));
    // Corotational: Newton's method, with the boundary now in place.
    loads.prescribed.clear();
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(step(*body, loads, 0.01, *ws, state));
    double worst = 0;
    for (size_t n = 0; n < nodes(spec).size(); ++n)
      worst = std::max(worst, (state.x.segment<3>(3 * n) - nodes(spec)[n] - slope * nodes(spec)[n]).norm());
    EXPECT_LT(worst, 1e-10 * 0.1 * slope.norm()) << name;
  }
}

TEST(Fem, uniform_strain_gives_hookes_stress_on_every_boundary_node) {
  // Analytic: nodal force = ∫σ·n N_a. Checked through the total force on one face of an undistorted box.
  const double E = 3e4, nu = 0.3, strain = 1e-7, side = 0.1;
  for (int i = 0; i < 8; ++i) {
    FemSpec spec = spec_of(kKinds[i / 2], hex_box(3));
    spec.model = i % 2 ? FemModel::linear : FemModel::corotational;
    spec.young_modulus_Pa = E;
    spec.poisson_ratio = nu;
    const auto body = make(spec);
    BodyState state = body->rest_state();
    for (int k = 0; k < body->dof(); ++k)
      state.x[k] *= 1 + (k % 3 == 0 ? strain : -nu * strain);  // uniaxial stress
    VecX f(body->dof());
    body->internal_force(state, f);
    Vec3 face = Vec3::Zero();
    for (int n : nodes_where(nodes(spec), [](const Vec3& x) { return x.x() > 0.0499; }))
      face += f.segment<3>(3 * n);
    EXPECT_NEAR(face.x(), E * strain * side * side, 1e-5 * E * strain * side * side);
    EXPECT_LT(face.tail<2>().norm(), 1e-5 * face.norm());
  }
}

TEST(Fem, rigid_rotation_of_any_size_gives_no_force_in_the_corotational_models) {
  for (auto& [name, spec] : static_cases()) {
    if (spec.model != FemModel::corotational) continue;
    const auto body = make(spec);
    BodyState state = body->rest_state();
    VecX f(body->dof());
    for (double angle : {0.5, 1.57, 3.0, 3.1415926}) {
      state.x = rotated(body->rest_state().x, some_rotation(angle));
      for (int n = 0; n < body->blocks(); ++n) state.x.segment<3>(3 * n) += Vec3(0.3, -0.2, 0.1);
      body->internal_force(state, f);
      // Compared with the forces of a strain of one.
      EXPECT_LT(f.norm(), 1e-11 * spec.young_modulus_Pa * 0.1 * 0.1) << name << " " << angle;
      // And with its energy, E times the volume of 1e-3 m³: nothing but rounding.
      EXPECT_LT(body->elastic_energy(state), 1e-16 * spec.young_modulus_Pa * 1e-3) << name << " " << angle;
    }
  }
}

TEST(Fem, internal_force_turns_with_the_body) {
  for (auto& [name, spec] : static_cases()) {
    if (spec.model != FemModel::corotational) continue;
    const auto body = make(spec);
    BodyState a = body->rest_state(), b = a;
    a.x += noise(body->dof(), 0.006);
    const Mat3 R = some_rotation(2.2);
    b.x = rotated(a.x, R);
    VecX fa(body->dof()), fb(body->dof());
    body->internal_force(a, fa);
    body->internal_force(b, fb);
    EXPECT_LT((fb - rotated(fa, R)).norm(), 1e-11 * fa.norm()) << name;
  }
}

TEST(Fem, internal_force_is_the_slope_of_the_elastic_energy_and_has_no_resultant) {
  for (auto& [name, spec] : static_cases()) {
    const auto body = make(spec);
    BodyState state = body->rest_state();
    state.x =
        rotated(state.x, some_rotation(spec.model == FemModel::linear ? 0 : 1.1)) + noise(body->dof(), 0.006);
    VecX f(body->dof());
    body->internal_force(state, f);
    const VecX direction = noise(body->dof(), 1, 5);
    const double step = 1e-6;
    BodyState plus = state, minus = state;
    plus.x += step * direction;
    minus.x -= step * direction;
    const double slope = (body->elastic_energy(plus) - body->elastic_energy(minus)) / (2 * step);
    EXPECT_NEAR(slope, f.dot(direction), 1e-6 * f.norm() * direction.norm()) << name;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int n = 0; n < body->blocks(); ++n) {
      force += f.segment<3>(3 * n);
      torque += state.x.segment<3>(3 * n).cross(f.segment<3>(3 * n));
    }
    EXPECT_LT(force.norm(), 1e-11 * f.norm()) << name;
    if (spec.model == FemModel::linear) continue;
    EXPECT_LT(torque.norm(), 1e-11 * f.norm() * 0.1) << name;
  }
}

TEST(Fem, exact_tangent_matches_finite_differences_of_the_internal_force) {
  for (auto& [name, spec] : static_cases()) {
    const auto body = make(spec);
    BodyState state = body->rest_state();
    state.x =
        rotated(state.x, some_rotation(spec.model == FemModel::linear ? 0 : 1.1)) + noise(body->dof(), 0.006);
    const MatX K = body->tangent_stiffness(state, Tangent::exact).dense();
    const double step = 1e-7;
    VecX plus(body->dof()), minus(body->dof());
    double worst = 0;
    for (int i = 0; i < body->dof(); i += 5) {
      BodyState s = state;
      s.x[i] += step;
      body->internal_force(s, plus);
      s.x[i] -= 2 * step;
      body->internal_force(s, minus);
      worst = std::max(worst, ((plus - minus) / (2 * step) - K.col(i)).norm() / K.col(i).norm());
    }
    EXPECT_LT(worst, 1e-6) << name;
    EXPECT_LT((K - K.transpose()).norm(), 1e-13 * K.norm()) << name;
  }
}

TEST(Fem, consistent_tangent_is_exact_in_stretched_tets_and_never_loses_positivity) {
  const auto body = make({.mesh = distorted(tet_box(2), 0.004)});
  BodyState stretched = body->rest_state();
  stretched.x *= 1.1;
  stretched.x += noise(body->dof(), 0.0005);
  const MatX exact = body->tangent_stiffness(stretched, Tangent::exact).dense();
  EXPECT_LT((body->tangent_stiffness(stretched, Tangent::consistent).dense() - exact).norm(),
            1e-13 * exact.norm());

  for (auto& [name, spec] : static_cases()) {
    const auto any = make(spec);
    // Crushed, twisted, and partly inside out.
    for (double amount : {0.01, 0.03, 0.08}) {
      BodyState state = any->rest_state();
      state.x = 0.7 * rotated(state.x, some_rotation(1)) + noise(any->dof(), amount);
      for (Tangent kind : {Tangent::rotation_frozen, Tangent::consistent}) {
        const MatX K = any->tangent_stiffness(state, kind).dense();
        EXPECT_GT(testing::eigenvalues(K)[0], -1e-11 * K.norm()) << name;
      }
    }
  }
}

TEST(Fem, frozen_tangent_is_the_rotated_linear_stiffness) {
  for (Kind kind : kKinds) {
    FemSpec spec = irregular_box(kind, 2);
    const auto corotational = make(spec);
    spec.model = FemModel::linear;
    const auto linear = make(spec);
    const MatX K = linear->tangent_stiffness(linear->rest_state(), Tangent::exact).dense();
    BodyState state = corotational->rest_state();
    const Mat3 R = some_rotation(2);
    state.x = rotated(state.x, R);
    MatX turn = MatX::Zero(K.rows(), K.cols());
    for (int n = 0; n < corotational->blocks(); ++n) turn.block<3, 3>(3 * n, 3 * n) = R;
    for (Tangent tangent : {Tangent::rotation_frozen, Tangent::consistent, Tangent::exact})
      EXPECT_LT(
          (corotational->tangent_stiffness(state, tangent).dense() - turn * K * turn.transpose()).norm(),
          1e-11 * K.norm());
  }
}

TEST(Fem, corotational_equals_linear_for_small_displacements) {
  for (Kind kind : kKinds) {
    FemSpec spec = irregular_box(kind, 2);
    const auto corotational = make(spec);
    spec.model = FemModel::linear;
    const auto linear = make(spec);
    const VecX u = noise(linear->dof(), 1e-2);
    double error[2];
    for (int i = 0; i < 2; ++i) {
      BodyState state = linear->rest_state();
      const double scale = i == 0 ? 1e-3 : 0.5e-3;
      state.x += scale * u;
      VecX fl(linear->dof()), fc(linear->dof());
      linear->internal_force(state, fl);
      corotational->internal_force(state, fc);
      error[i] = (fl - fc).norm() / fl.norm();
    }
    EXPECT_LT(error[0], 1e-2);
    EXPECT_NEAR(error[0] / error[1], 2, 0.1);  // the difference is of second order
  }
}

}  // namespace fem_statics_test
}  // namespace palp
