// `elements:` of a scene: every kind from every source is the body that the same specification makes in C++,
// bends as beam theory says, and what cannot be made is refused.
#include "scene/scene_text.hpp"
#include <gtest/gtest.h>

#include "palp/io/mesh_file.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/voxels.hpp"
#include "palp/scene/run.hpp"
#include "palp/scene/scene_elements.hpp"

namespace palp {
namespace elements_test {

using testing::TextFile;

const BarShape kShape{
    .length_m = 0.1, .width_m = 0.02, .height_m = 0.02, .cells_along = 5, .cells_wide = 1, .cells_high = 1};
const char* const kGenerator =
    "generator: bar, length: 0.1, width: 0.02, height: 0.02, cellsAlong: 5, cellsWide: 1, cellsHigh: 1";

SceneResult load(const std::string& text) {
  const TextFile file(text);
  return load_scene(file.path);
}

/// A bar clamped at x = 0.
std::string scene_of(const std::string& mesh, const std::string& model = "corotational",
                     const std::string& holds = "fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}") {
  return "bodies:\n  bar:\n    model: " + model + "\n    mesh: {" + mesh +
         "}\n    youngModulus: 1e6\n    poissonRatio: 0.3\n    " + holds + "\n";
}

std::string all_errors(const SceneResult& r) {
  std::string all;
  for (const Error& e : r.errors) all += e.text() + "\n";
  return all;
}

/// The same in C++: hexes as elements of kind number k.
template <class Spec>
Spec spec_of(int k, const HexMesh& hexes) {
  Spec spec;
  if (k == 0) spec.mesh = split_hexes(hexes);
  if (k == 1) spec.mesh = quadratic(split_hexes(hexes));
  if (k >= 2) spec.mesh = hexes;
  spec.hex_modes = k == 3 ? HexModes::none : HexModes::inner;
  spec.young_modulus_Pa = 1e6;
  return spec;
}

template <class Spec>
std::vector<int> clamped(const Spec& spec) {
  const auto& nodes =
      std::visit([](const auto& m) -> const std::vector<Vec3>& { return m.nodes; }, spec.mesh);
  return nodes_in_box(nodes, Vec3(-1, -1, -1), Vec3(1e-6, 1, 1));
}

void expect_same(const Body& scene, const Body& ours) {
  ASSERT_EQ(scene.dof(), ours.dof());
  EXPECT_DOUBLE_EQ(scene.mass(), ours.mass());
  const MatX A = scene.dense_system(scene.rest_state(), {}, 0.01),
             B = ours.dense_system(ours.rest_state(), {}, 0.01);
  // Fixed nodes are immense on the diagonal: entry by entry.
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j)
      ASSERT_NEAR(A(i, j), B(i, j), 1e-9 * (1 + std::sqrt(std::abs(B(i, i) * B(j, j))))) << i << ' ' << j;
}

class SceneElements : public ::testing::TestWithParam<int> {
 protected:
  std::string word() const { return ", elements: " + element_names()[GetParam()]; }
};

TEST_P(SceneElements, a_generator_makes_the_body_of_the_same_specification) {
  for (const FemModel model : {FemModel::linear, FemModel::corotational}) {
    const SceneResult r =
        load(scene_of(kGenerator + word(), model == FemModel::linear ? "linear" : "corotational"));
    ASSERT_TRUE(r.scene) << all_errors(r);
    FemSpec spec = spec_of<FemSpec>(GetParam(), *bar_hexes(kShape));
    spec.model = model;
    spec.fixed_nodes = clamped(spec);
    expect_same(*r.scene->model.bodies[0].body, **FemBody::make(spec));
    for (const std::string& w : r.warnings)  // elements that lock, one cell thick
      EXPECT_NE(w.find("from one side to the other"), std::string::npos) << w;
  }
}

TEST_P(SceneElements, so_does_it_in_the_global_corotational_model) {
  const SceneResult r =
      load(scene_of(kGenerator + word(), "globalCorotational", "grasp: {box: [[-1, -1, -1], [1e-6, 1, 1]]}"));
  ASSERT_TRUE(r.scene) << all_errors(r);
  auto spec = spec_of<GlobalCorotationalSpec>(GetParam(), *bar_hexes(kShape));
  spec.frame_nodes = clamped(spec);
  expect_same(*r.scene->model.bodies[0].body, **GlobalCorotationalBody::make(spec));
}

TEST_P(SceneElements, a_file_of_hexes_can_be_all_of_them) {
  const TextFile mesh("", ".vtu");
  ASSERT_TRUE(write_mesh(mesh.path, mesh_file(*bar_hexes(kShape))));
  const SceneResult r = load(scene_of("file: " + mesh.path + word()));
  ASSERT_TRUE(r.scene) << all_errors(r);
  FemSpec spec = spec_of<FemSpec>(GetParam(), *bar_hexes(kShape));
  spec.fixed_nodes = clamped(spec);
  expect_same(*r.scene->model.bodies[0].body, **FemBody::make(spec));
}

TEST_P(SceneElements, a_file_of_tets_can_be_tets_of_both_kinds_and_no_hexes) {
  const TextFile mesh("", ".vtu");
  ASSERT_TRUE(write_mesh(mesh.path, mesh_file(*bar_tets(kShape))));
  const SceneResult r = load(scene_of("file: " + mesh.path + word()));
  if (GetParam() >= 2) {
    ASSERT_FALSE(r.scene);
    EXPECT_EQ(r.errors.size(), 1u);
    EXPECT_EQ(r.errors[0].line, 4);
    EXPECT_NE(r.errors[0].message.find("made of tets"), std::string::npos) << r.errors[0].text();
    EXPECT_NE(r.errors[0].remedy.find("elements: quadraticTets"), std::string::npos) << r.errors[0].text();
    return;
  }
  ASSERT_TRUE(r.scene) << all_errors(r);
  FemSpec spec = spec_of<FemSpec>(GetParam(), *bar_hexes(kShape));
  spec.fixed_nodes = clamped(spec);
  expect_same(*r.scene->model.bodies[0].body, **FemBody::make(spec));
}

TEST_P(SceneElements, a_surface_laid_in_a_lattice_is_carried_by_all_of_them) {
  const TextFile mesh("", ".obj");
  const TriMesh surface = icosphere({.radius_m = 0.03, .subdivisions = 1}).value();
  ASSERT_TRUE(write_mesh(mesh.path, mesh_file(surface)));
  const SceneResult r = load(scene_of("file: " + mesh.path + ", cells: 30" + word(), "linear", ""));
  ASSERT_TRUE(r.scene) << all_errors(r);
  const Body& body = *r.scene->model.bodies[0].body;
  const auto laid = embed_in_voxel_hexes(surface, {.wanted_cells = 30});
  FemSpec spec = spec_of<FemSpec>(GetParam(), laid->mesh);
  if (GetParam() >= 2) spec.hex_fill = laid->fill;
  spec.model = FemModel::linear;
  const auto ours = FemBody::make(spec);
  expect_same(body, **ours);
  // The skin is the surface, and follows a homogeneous strain of the nodes exactly.
  ASSERT_EQ(body.skin().vertices, static_cast<int>(surface.nodes.size()));
  Mat3 F;
  F << 1.1, 0.2, 0, -0.1, 0.9, 0.3, 0, 0.05, 1.2;
  BodyState state = body.rest_state();
  for (int n = 0; n < body.blocks(); ++n) state.x.segment<3>(3 * n) = F * Vec3(state.x.segment<3>(3 * n));
  std::vector<Vec3> skin(surface.nodes.size());
  body.skin_positions(state, VecX(), skin);
  for (size_t v = 0; v < skin.size(); ++v) EXPECT_NEAR((skin[v] - F * surface.nodes[v]).norm(), 0, 1e-12);
}

TEST_P(SceneElements, a_finer_skin_is_carried_by_all_of_them) {
  const SceneResult r = load(scene_of(
      kGenerator + word(), "linear",
      "fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}\n    surface: {generator: bar, length: 0.1, width: 0.02, "
      "height: 0.02, cellsAlong: 20, cellsWide: 3, cellsHigh: 3}"));
  ASSERT_TRUE(r.scene) << all_errors(r);
  const Body& body = *r.scene->model.bodies[0].body;
  std::vector<Vec3> skin(body.skin().vertices);
  EXPECT_EQ(skin.size(), 21 * 16 - 19 * 4u);  // 4 × 4 nodes in 21 sections, without the 2 × 2 inside
  body.skin_positions(body.rest_state(), VecX(), skin);
  for (const Vec3& x : skin) {
    EXPECT_GT(x.x(), -1e-12);
    EXPECT_LT(x.x(), 0.1 + 1e-12);
  }
}

TEST_P(SceneElements, nodes_chosen_by_number_bring_the_middles_between_them) {
  const SceneResult by_number =
      load(scene_of(kGenerator + word(), "linear", "fixed: {nodes: [0, 6, 12, 18]}"));
  const SceneResult by_place = load(scene_of(kGenerator + word(), "linear"));
  ASSERT_TRUE(by_number.scene && by_place.scene) << all_errors(by_number);
  const auto blocks = [](const Scene& scene) {
    std::vector<int> out;
    for (const BodyMesh::Held& held : scene.meshes[0].supports) out.push_back(held.block);
    return out;
  };
  EXPECT_EQ(blocks(*by_number.scene), blocks(*by_place.scene));
}

/// Force on a device that carries the far end of a bar sideways, over that of Timoshenko's beam between two
/// clamps, 12 E I d / (L³ (1 + φ)).
double sideways(const std::string& elements) {
  const double L = 0.2, a = 0.02, E = 1e6, nu = 0.3, d = 1e-4;
  SceneResult r = load(
      "gravity: [0, 0, 0]\n" +
      scene_of(
          "generator: bar, length: 0.2, width: 0.02, height: 0.02, cellsAlong: 20, cellsWide: 2, "
          "cellsHigh: 2" +
              elements,
          "linear",
          "quasiStatic: true\n    fixed: {box: [[-1, -1, -1], [1e-6, 1, 1]]}\n    grasp: {box: [[0.1999, "
          "-1, -1], [1, 1, 1]]}") +
      "devices: {arm: {type: script, holds: {body: bar}, path: [{time: 0, position: [0.2, 0, 0]}, {time: "
      "0.1, "
      "position: [0.2, 0, 1e-4]}]}}\n");
  EXPECT_TRUE(r.scene) << all_errors(r);
  if (!r.scene) return 0;
  SceneRun run(*r.scene);
  while (run.state().time_s < 0.2) EXPECT_TRUE(run.advance());
  const double I = std::pow(a, 4) / 12, G = E / (2 * (1 + nu)), kappa = 10 * (1 + nu) / (12 + 11 * nu);
  const double phi = 12 * E * I / (kappa * G * a * a * L * L);
  return -run.record().hands[0].wrench.force.z() / (12 * E * I * d / (L * L * L * (1 + phi)));
}

TEST(SceneElementsOfABar, bend_as_beam_theory_says_but_for_linear_tets_and_trilinear_hexes) {
  EXPECT_NEAR(sideways(""), 1, 0.05);  // hexes
  EXPECT_NEAR(sideways(", elements: hexes"), 1, 0.05);
  EXPECT_NEAR(sideways(", elements: quadraticTets"), 1, 0.05);
  EXPECT_GT(sideways(", elements: trilinearHexes"), 1.1);
  EXPECT_GT(sideways(", elements: tets"), 1.5);
}

TEST(SceneElementsUnsaid, are_hexes_where_there_are_hexes) {
  const TextFile hexes("", ".vtu"), surface("", ".obj");
  ASSERT_TRUE(write_mesh(hexes.path, mesh_file(*bar_hexes(kShape))));
  ASSERT_TRUE(write_mesh(surface.path, mesh_file(extract_surface(*bar_hexes(kShape)).mesh)));
  for (const std::string& mesh : {std::string(kGenerator), "file: " + hexes.path, "file: " + surface.path}) {
    const SceneResult unsaid = load(scene_of(mesh)), said = load(scene_of(mesh + ", elements: hexes"));
    ASSERT_TRUE(unsaid.scene && said.scene) << all_errors(unsaid);
    expect_same(*unsaid.scene->model.bodies[0].body, *said.scene->model.bodies[0].body);
  }
}

TEST(SceneElementsUnsaid, of_a_file_of_tets_stay_tets_and_the_user_is_told_what_bends) {
  const TextFile mesh("", ".vtu");
  ASSERT_TRUE(write_mesh(mesh.path, mesh_file(*bar_tets(kShape))));
  const SceneResult unsaid = load(scene_of("file: " + mesh.path)),
                    said = load(scene_of("file: " + mesh.path + ", elements: tets"));
  ASSERT_TRUE(unsaid.scene && said.scene);
  expect_same(*unsaid.scene->model.bodies[0].body, *said.scene->model.bodies[0].body);
  ASSERT_EQ(unsaid.warnings.size(), 2u);  // and that its walls are one cell thick
  EXPECT_NE(unsaid.warnings[0].find(":4:11: 'bodies.bar.mesh': linear tets bend too little"),
            std::string::npos)
      << unsaid.warnings[0];
  EXPECT_NE(unsaid.warnings[0].find("elements: quadraticTets"), std::string::npos);
  EXPECT_EQ(said.warnings.size(), 1u);
}

TEST(SceneElementsRefused, unknown_words_and_bodies_without_a_volume) {
  const SceneResult word = load(scene_of(std::string(kGenerator) + ", elements: hexs"));
  EXPECT_FALSE(word.scene);
  EXPECT_NE(all_errors(word).find("hexes"), std::string::npos) << all_errors(word);
  for (const char* body : {"{model: rigid, mesh: {generator: box, elements: hexes}}",
                           "{model: obstacle, mesh: {generator: box, elements: tets}}"}) {
    const SceneResult r = load(std::string("bodies:\n  a: ") + body + "\n");
    ASSERT_EQ(r.errors.size(), 1u) << body;
    EXPECT_EQ(r.errors[0].line, 2);
    EXPECT_NE(r.errors[0].message.find("only the volume of a soft body"), std::string::npos);
    EXPECT_EQ(r.errors[0].remedy, "leave it out");
  }
  const SceneResult curve = load(scene_of("generator: straight, elements: hexes"));
  EXPECT_FALSE(curve.scene);
  EXPECT_NE(all_errors(curve).find("makes no volume"), std::string::npos) << all_errors(curve);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, SceneElements, ::testing::Range(0, 4),
                         [](const auto& kind) { return element_names()[kind.param]; });

}  // namespace elements_test
}  // namespace palp
