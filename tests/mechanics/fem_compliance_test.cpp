#include "fem_support.hpp"
#include "support/dense.hpp"

namespace palp {
namespace fem_compliance_test {
using namespace test;

/// A fine plate of triangles inside the box: a coarse body with a fine skin (D04 §III.B).
SkinEmbedding plate_in(const VolumeMesh& mesh) {
  const int n = 6;
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      points.push_back(Vec3(-0.04 + 0.08 * i / (n - 1), -0.04 + 0.08 * j / (n - 1), 0.03));
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j) {
      triangles.push_back({i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1});
      triangles.push_back({i * n + j, (i + 1) * n + j + 1, i * n + j + 1});
    }
  return embedded_skin(std::visit([&](const auto& m) { return embed(points, m).value(); }, mesh), triangles);
}

struct Case {
  std::string name;
  FemSpec spec;
  Loads loads = {};
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (FemModel model : {FemModel::linear, FemModel::corotational})
    for (Kind kind : kKinds)
      for (bool quasi_static : {false, true})
        for (int held = 0; held < 3; ++held) {
          // Quadratic tets have many nodes: a smaller box keeps the dense answer cheap.
          FemSpec spec = irregular_box(kind, kind == Kind::quadratic_tets ? 2 : 3);
          spec.model = model;
          spec.rayleigh_mass_per_s = 2;
          spec.rayleigh_stiffness_s = 0.002;
          spec.quasi_static = quasi_static;
          const auto left = [](const Vec3& x) { return x.x() < -0.045; };
          if (held >= 1) spec.fixed_nodes = nodes_where(nodes(spec), left);
          if (held == 2)
            spec.driven_nodes = nodes_where(nodes(spec), [](const Vec3& x) { return x.x() > 0.045; });
          spec.lumped_mass = held != 1;
          const std::string name = std::string(model == FemModel::linear ? "linear" : "corotational") + " " +
                                   test::name(kind) + (quasi_static ? " quasi-static" : "") + " held " +
                                   std::to_string(held);
          out.push_back({name, spec});
          if (held == 1) {
            spec.skin = plate_in(spec.mesh);
            out.push_back({name + " embedded skin", spec});
          }
          if (held == 1 && !quasi_static) {
            Case coupled{name + " coupling", out.back().spec};
            coupled.loads.blocks.resize(2);
            coupled.loads.blocks[0].block = 20;
            coupled.loads.blocks[0].stiffness.topLeftCorner<3, 3>() = Vec3(400, 300, 200).asDiagonal();
            coupled.loads.blocks[0].force.head<3>() = Vec3(0.1, 0.2, -0.1);
            coupled.loads.blocks[1].block = 40;
            coupled.loads.blocks[1].stiffness.topLeftCorner<3, 3>().setConstant(100);
            out.push_back(coupled);
          }
          if (model == FemModel::linear && held == 1) {
            spec.condensation_bound_bytes = 60 * 60 * sizeof(Mat3) / 8;  // columns on first touch
            out.push_back({name + " columns on demand", spec});
            spec.condensation_bound_bytes = 0;
            out.push_back({name + " not condensed", spec});
          }
        }
  return out;
}

TEST(FemCompliance, projected_compliance_equals_the_dense_inverse_and_is_symmetric_positive_semidefinite) {
  for (auto& [name, spec, loads] : cases()) {
    const auto body = make(spec);
    auto ws = body->make_workspace();
    BodyState state = body->rest_state();
    if (spec.model == FemModel::corotational)
      state.x = rotated(state.x, some_rotation(0.8)) + noise(body->dof(), 0.003);
    else
      state.x += noise(body->dof(), 0.003);
    const double h = 0.01;
    ASSERT_TRUE(body->free_motion(state, loads, h, *ws)) << name;
    const MatX A = body->dense_system(state, loads, h);
    EXPECT_LT((A - A.transpose()).norm(), 1e-13 * A.norm()) << name;
    for (int count : {1, 12, 30, 13}) {  // the set of touched nodes changes
      const PointJacobian H = contact_points(*body, state, count, 11 + count);
      const MatX J = dense(H, body->dof());
      const MatX expected = J * testing::solve_positive(A, J.transpose());
      const MatX offset = MatX::Constant(3 * count, 3 * count, expected.norm());
      MatX W = offset;  // it must be added to
      body->project_compliance(H, *ws, W);
      W -= offset;
      EXPECT_LT((W - expected).norm(), 1e-10 * expected.norm()) << name << " " << count;
      EXPECT_LT((W - W.transpose()).norm(), 1e-12 * expected.norm()) << name;
      const VecX eigenvalues = testing::eigenvalues(0.5 * (W + W.transpose()));
      EXPECT_GT(eigenvalues.minCoeff(), -1e-10 * eigenvalues.maxCoeff()) << name;
      if (count > 1) {  // the last contact repeats the first
        EXPECT_LT((W.topRows<3>() - W.bottomRows<3>()).norm(), 1e-10 * expected.norm()) << name;
      }
    }
  }
}

TEST(FemCompliance, blocks_of_h_that_are_not_multiples_of_the_identity_are_projected_too) {
  FemSpec spec{.mesh = distorted(tet_box(3), 0.004), .model = FemModel::linear};
  const auto body = make(spec);
  auto ws = body->make_workspace();
  const BodyState state = body->rest_state();
  ASSERT_TRUE(body->free_motion(state, {}, 0.01, *ws));
  PointJacobian H = contact_points(*body, state, 10);
  for (size_t k = 0; k < H.block.size(); ++k) H.block[k] = some_rotation(0.3 * k) * H.block[k];
  H.block[5] = Vec3(1, 2, 3).asDiagonal();
  const MatX J = dense(H, body->dof());
  const MatX expected = J * testing::solve_positive(body->dense_system(state, {}, 0.01), J.transpose());
  MatX W = MatX::Zero(30, 30);
  body->project_compliance(H, *ws, W);
  EXPECT_LT((W - expected).norm(), 1e-10 * expected.norm());
}

TEST(FemCompliance, an_inner_node_that_is_not_part_of_the_skin_can_be_touched) {
  FemSpec spec{.mesh = tet_box(3), .model = FemModel::linear};
  const auto body = make(spec);
  auto ws = body->make_workspace();
  const BodyState state = body->rest_state();
  ASSERT_TRUE(body->free_motion(state, {}, 0.01, *ws));
  PointJacobian H;
  for (int node : {21, 3}) {  // 21: inside the 4×4×4 nodes
    H.add(node, Mat3::Identity());
    H.end_point();
  }
  const MatX J = dense(H, body->dof());
  const MatX expected = J * testing::solve_positive(body->dense_system(state, {}, 0.01), J.transpose());
  MatX W = MatX::Zero(6, 6);
  body->project_compliance(H, *ws, W);
  EXPECT_LT((W - expected).norm(), 1e-10 * expected.norm());
}

TEST(FemCompliance, response_and_free_motion_equal_the_dense_answers) {
  for (auto& [name, spec, loads] : cases()) {
    const auto body = make(spec);
    auto ws = body->make_workspace();
    BodyState state = body->rest_state();
    state.x += noise(body->dof(), 0.003);
    state.v = noise(body->dof(), 0.1, 8);
    loads.gravity = Vec3(0, -9.81, 1);
    loads.force = noise(body->dof(), 0.01, 9);
    if (!spec.driven_nodes.empty())
      loads.prescribed.assign(spec.driven_nodes.size(), Vec3(1e-4, 2e-4, -3e-4));
    const double h = 0.01;
    ASSERT_TRUE(body->free_motion(state, loads, h, *ws)) << name;
    const MatX A = body->dense_system(state, loads, h);

    const PointJacobian H = contact_points(*body, state, 12);
    const VecX lambda = noise(36, 1, 21);
    VecX dx_c(body->dof());
    body->response(H, lambda, *ws, dx_c);
    const VecX expected = testing::solve_positive(A, dense(H, body->dof()).transpose() * lambda);
    EXPECT_LT((dx_c - expected).norm(), 1e-10 * expected.norm()) << name;

    // Free motion: nodes that are given move as told; the others balance A Δx with the forces of the step.
    FemSpec unheld = spec;
    unheld.fixed_nodes.clear();
    unheld.driven_nodes.clear();
    const auto loose = make(unheld);
    Loads loose_loads = loads;
    loose_loads.prescribed.clear();
    const MatX A_all = loose->dense_system(state, loose_loads, h);
    VecX f_int(body->dof());
    body->internal_force(state, f_int);
    VecX b = loads.force - f_int;
    for (int n = 0; n < body->blocks(); ++n) b.segment<3>(3 * n) += body->node_mass()[n] * loads.gravity;
    for (const BlockLoad& load : loads.blocks) b.segment<3>(3 * load.block) += load.force.head<3>();
    if (!spec.quasi_static) {  // M v / h, with M from the kinetic energy: M = ∂²T/∂v²
      BodyState s = state;
      for (int i = 0; i < body->dof(); ++i) {
        s.v = state.v;
        s.v[i] += 1;
        const double up = body->kinetic_energy(s);
        s.v[i] -= 2;
        b[i] += (up - body->kinetic_energy(s)) / 2 / h;
      }
    }
    const VecX residual = A_all * ws->dx_free - b;
    std::vector<char> given(body->blocks(), 0);
    for (int n : spec.fixed_nodes) given[n] = 1;
    for (int n : spec.driven_nodes) given[n] = 2;
    for (int n = 0; n < body->blocks(); ++n) {
      if (given[n] == 0) {
        EXPECT_LT(residual.segment<3>(3 * n).norm(), 1e-8 * b.norm()) << name;
      } else {
        EXPECT_EQ(ws->dx_free.segment<3>(3 * n), given[n] == 1 ? Vec3(0, 0, 0) : Vec3(1e-4, 2e-4, -3e-4))
            << name;
      }
    }
  }
}

TEST(FemCompliance, compliance_predicts_the_displacement_of_the_contact_points) {
  // G λ against the motion of skin positions under the response: ties H, skin_positions, response and G
  // together.
  for (auto& [name, spec, loads] : cases()) {
    const auto body = make(spec);
    auto ws = body->make_workspace();
    BodyState state = body->rest_state();
    ASSERT_TRUE(body->free_motion(state, loads, 0.01, *ws));
    PointJacobian H;
    const int vertices = std::min(body->skin().vertices, 20);
    for (int v = 0; v < vertices; ++v) {
      body->append_vertex(state, v, 1, H);
      H.end_point();
    }
    const VecX lambda = noise(3 * vertices, 1);
    VecX dx_c(body->dof());
    body->response(H, lambda, *ws, dx_c);
    MatX G = MatX::Zero(3 * vertices, 3 * vertices);
    body->project_compliance(H, *ws, G);
    std::vector<Vec3> before(body->skin().vertices), after(body->skin().vertices);
    body->skin_positions(state, VecX(), before);
    body->skin_positions(state, dx_c, after);
    const VecX predicted = G * lambda;
    for (int v = 0; v < vertices; ++v)
      EXPECT_LT((after[v] - before[v] - predicted.segment<3>(3 * v)).norm(), 1e-9 * predicted.norm() + 1e-16)
          << name;
  }
}

TEST(FemCompliance, an_embedded_skin_sits_where_it_was_put_and_follows_an_affine_motion) {
  for (Kind kind : kKinds) {
    FemSpec spec = irregular_box(kind, 3);
    spec.skin = plate_in(spec.mesh);
    const auto body = make(spec);
    BodyState state = body->rest_state();
    std::vector<Vec3> before(body->skin().vertices), after = before;
    body->skin_positions(state, VecX(), before);
    EXPECT_LT((before[7] - Vec3(-0.04 + 0.016, -0.04 + 0.016, 0.03)).norm(), 1e-12) << name(kind);
    const Mat3 F = some_rotation(1.2) * Vec3(1.1, 0.9, 1.3).asDiagonal();
    state.x = rotated(state.x, F);
    body->skin_positions(state, VecX(), after);
    for (size_t v = 0; v < before.size(); ++v)
      EXPECT_LT((after[v] - F * before[v]).norm(), 1e-12) << name(kind);
  }
}

TEST(FemCompliance, a_new_step_length_or_coupling_is_noticed_by_the_constant_model) {
  FemSpec spec{.mesh = tet_box(2), .model = FemModel::linear};
  const auto body = make(spec);
  auto ws = body->make_workspace();
  const BodyState state = body->rest_state();
  const PointJacobian H = contact_points(*body, state, 8);
  const MatX J = dense(H, body->dof());
  Loads coupled;
  coupled.blocks.resize(1);
  coupled.blocks[0].block = 3;
  coupled.blocks[0].stiffness.topLeftCorner<3, 3>() = 500 * Mat3::Identity();
  Loads stiffer = coupled;
  stiffer.blocks[0].stiffness *= 2;
  for (const auto& [loads, h] : std::vector<std::pair<Loads, double>>{{{}, 0.01},
                                                                      {{}, 0.02},
                                                                      {coupled, 0.02},
                                                                      {stiffer, 0.02},
                                                                      {{}, 0.02},
                                                                      {coupled, 0.01},
                                                                      {{}, 0.01}}) {
    ASSERT_TRUE(body->free_motion(state, loads, h, *ws));
    const MatX expected = J * testing::solve_positive(body->dense_system(state, loads, h), J.transpose());
    MatX W = MatX::Zero(24, 24);
    body->project_compliance(H, *ws, W);
    EXPECT_LT((W - expected).norm(), 1e-10 * expected.norm());
  }
}

}  // namespace fem_compliance_test
}  // namespace palp
