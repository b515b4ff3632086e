#include "fem_support.hpp"

namespace palp {
namespace fem_spec_test {
using namespace test;

void expect_error(const FemSpec& spec, const std::string& word) {
  const auto body = FemBody::make(spec);
  ASSERT_FALSE(body) << word;
  EXPECT_NE(body.error().text().find(word), std::string::npos) << body.error().text();
  EXPECT_FALSE(body.error().remedy.empty()) << body.error().text();
}

TEST(FemSpec, impossible_numbers_are_refused_by_name) {
  const FemSpec good{.mesh = tet_box(1)};
  ASSERT_TRUE(FemBody::make(good));
  for (double nu : {0.5, 0.7, -1.0, std::nan("")}) {
    FemSpec spec = good;
    spec.poisson_ratio = nu;
    expect_error(spec, "Poisson");
  }
  for (double E : {0.0, -5.0, std::nan(""), HUGE_VAL}) {
    FemSpec spec = good;
    spec.young_modulus_Pa = E;
    expect_error(spec, "Young");
  }
  for (double density : {0.0, -1.0, std::nan("")}) {
    FemSpec spec = good;
    spec.density_kg_per_m3 = density;
    expect_error(spec, "density");
  }
  for (double rate : {-1.0, std::nan("")}) {
    FemSpec spec = good;
    spec.rayleigh_mass_per_s = rate;
    expect_error(spec, "Rayleigh");
    spec.rayleigh_mass_per_s = 0;
    spec.rayleigh_stiffness_s = rate;
    expect_error(spec, "Rayleigh");
  }
}

TEST(FemSpec, broken_meshes_are_refused_with_the_number_of_the_culprit) {
  expect_error({.mesh = TetMesh{}}, "no elements");
  TetMesh tets = tet_box(2);
  std::swap(tets.tets[5][0], tets.tets[5][1]);
  expect_error({.mesh = tets}, "element 5 is inverted");
  HexMesh hexes = hex_box(2);
  for (int a = 0; a < 4; ++a) std::swap(hexes.hexes[3][a], hexes.hexes[3][a + 4]);
  expect_error({.mesh = hexes}, "element 3 is inverted");
  tets = tet_box(2);
  tets.tets[7][2] = tets.tets[7][1];
  expect_error({.mesh = tets}, "element 7 is inverted or flat");
  tets = tet_box(2);
  tets.tets[2][3] = 1000;
  expect_error({.mesh = tets}, "names node 1000");
  tets.tets[2][3] = -1;
  expect_error({.mesh = tets}, "names node -1");
  tets = tet_box(2);
  tets.nodes[4].y() = std::nan("");
  expect_error({.mesh = tets}, "node 4");
  tets = tet_box(2);
  tets.nodes.push_back(Vec3(1, 1, 1));
  expect_error({.mesh = tets}, "node 27 belongs to no element");
}

TEST(FemSpec, impossible_constraints_are_refused) {
  expect_error({.mesh = tet_box(1), .fixed_nodes = {3, 8}}, "node 8");
  expect_error({.mesh = tet_box(1), .driven_nodes = {-1}}, "node -1");
  expect_error({.mesh = tet_box(1), .fixed_nodes = {3}, .driven_nodes = {3}}, "node 3");
  expect_error({.mesh = tet_box(1), .driven_nodes = {2, 2}}, "node 2");
  // A quasi-static body that can still move as a whole has no answer, unless it is damped.
  expect_error({.mesh = tet_box(2), .quasi_static = true}, "quasi-static");
  expect_error({.mesh = tet_box(2), .quasi_static = true, .fixed_nodes = {0, 1, 2}}, "not in a line");
  EXPECT_TRUE(FemBody::make({.mesh = tet_box(2), .quasi_static = true, .fixed_nodes = {0, 1, 3}}));
  EXPECT_TRUE(FemBody::make({.mesh = tet_box(2), .rayleigh_mass_per_s = 1, .quasi_static = true}));
}

TEST(FemSpec, broken_skins_are_refused) {
  FemSpec spec{.mesh = tet_box(1)};
  spec.skin.triangles = {{0, 1, 2}};
  spec.skin.start = {0, 1, 2, 3};
  spec.skin.node = {0, 1, 2};
  spec.skin.weight = {1, 1, 1};
  ASSERT_TRUE(FemBody::make(spec));
  auto broken = spec;
  broken.skin.node[1] = 99;
  expect_error(broken, "node 99");
  broken = spec;
  broken.skin.weight[2] = std::nan("");
  expect_error(broken, "skin vertex 2");
  broken = spec;
  broken.skin.weight[2] = 0.4;
  expect_error(broken, "sum to one");
  broken = spec;
  broken.skin.triangles[0][2] = 3;
  expect_error(broken, "skin triangle 0");
  broken = spec;
  broken.skin.start.back() = 7;
  expect_error(broken, "do not fit");
  broken = spec;
  broken.skin.weight.pop_back();
  expect_error(broken, "do not fit");
}

TEST(FemSpec, the_default_skin_is_the_closed_surface_of_the_mesh) {
  for (Kind kind : kKinds) {
    const auto body = make(spec_of(kind, hex_box(2, 0.1)));
    // Quadratic faces are cut in four: the corners of a grid twice as fine.
    EXPECT_EQ(body->skin().vertices, kind == Kind::quadratic_tets ? 98 : 26);
    std::vector<Vec3> x(body->skin().vertices);
    body->skin_positions(body->rest_state(), VecX(), x);
    double volume = 0;
    for (const Triangle& t : body->skin().triangles) volume += x[t[0]].cross(x[t[1]]).dot(x[t[2]]) / 6;
    EXPECT_NEAR(volume, 1e-3, 1e-15);
  }
}

TEST(FemSpec, a_quadratic_tet_with_a_curved_side_is_refused) {
  QuadraticTetMesh mesh = quadratic(tet_box(1));
  mesh.nodes.back() += Vec3(1e-3, 0, 0);
  const auto made = FemBody::make({.mesh = mesh});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().text().find("curved side"), std::string::npos) << made.error().text();
}

TEST(FemSpec, a_body_with_every_node_held_still_answers) {
  FemSpec spec{.mesh = tet_box(1), .fixed_nodes = {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto body = make(spec);
  auto ws = body->make_workspace();
  const BodyState state = body->rest_state();
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  ASSERT_TRUE(body->free_motion(state, loads, 0.01, *ws));
  EXPECT_EQ(ws->dx_free.norm(), 0);
  const PointJacobian H = contact_points(*body, state, 4);
  MatX W = MatX::Zero(12, 12);
  body->project_compliance(H, *ws, W);
  EXPECT_EQ(W.norm(), 0);
}

}  // namespace fem_spec_test
}  // namespace palp
