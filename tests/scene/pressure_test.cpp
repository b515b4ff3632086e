// Contact pressure and stress on the skins of a scene's bodies, against statics.
#include <numeric>

#include "scene/analytic.hpp"
#include <gtest/gtest.h>

#include "palp/scene/body_fields.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace palp {
namespace pressure_test {

using ::palp::testing::Ran;

const std::string floor_text = R"(
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [7, 9, 1], centre: [0.013, 0.007, -0.01]}
)";

/// Σ p_v A_v, N.
double pressed(const Ran& r, const std::string& name) {
  const int b = r.body(name);
  const TriMesh skin = r.run->skin(b);
  const auto pressure = body_pressure(*r.scene, *r.run, b);
  const auto area = vertex_areas(skin.triangles, skin.nodes);
  EXPECT_EQ(pressure.size(), area.size());
  return std::inner_product(pressure.begin(), pressure.end(), area.begin(), 0.0);
}

/// Rests on the floor: on both sides pressure times area is its weight.
void expect_weight(const std::string& body, double weight) {
  Ran r(
      "dt: 0.005\nseconds: 1\ncontact: {mu: 0.3, alarmDistance: 0.002}\nsolver: {tolerance: 1e-8}\nbodies:\n "
      " it:\n" +
      body + floor_text);
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(pressed(r, "it"), weight, 1e-3 * weight);
  EXPECT_NEAR(pressed(r, "floor"), pressed(r, "it"), 1e-9 * weight);
  EXPECT_GT(r.quantity("it.peakPressure"), 0);
  EXPECT_GE(r.quantity("it.peakPressure"), r.quantity("it.pressure"));
}

TEST(Pressure, what_rests_presses_its_weight_on_the_floor_whatever_its_skin_is) {
  const double g = 9.81;
  expect_weight(R"(    model: rigid
    mesh: {generator: box, size: [0.1, 0.08, 0.05], cells: [3, 3, 2]}
    position: [0, 0, 0.0251]
    density: 700
)",
                700 * g * 0.1 * 0.08 * 0.05);
  expect_weight(R"(    model: rigid
    mesh: {generator: ball, radius: 0.03}
    position: [0, 0, 0.0301]
    density: 700
)",
                700 * g * 4 * 3.14159265358979 / 3 * 27e-6);
}

TEST(Pressure, a_soft_block_presses_density_times_g_times_height) {
  const double g = 9.81, h = 0.06, rho = 1200, p = rho * g * h;
  Ran r(R"(dt: 0.01
seconds: 1.5
contact: {mu: 0, alarmDistance: 0.002}
solver: {tolerance: 1e-9}
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.12, 0.12, 0.06], cells: [6, 6, 3]}
    position: [0, 0, 0.03]
    youngModulus: 1e5
    poissonRatio: 0
    density: 1200
    rayleighStiffness: 0.02
)" + floor_text);
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(pressed(r, "block"), p * 0.12 * 0.12, 1e-3 * p * 0.12 * 0.12);
  const int b = r.body("block");
  const TriMesh skin = r.run->skin(b);
  const auto pressure = body_pressure(*r.scene, *r.run, b);
  int inside = 0;
  for (size_t v = 0; v < skin.nodes.size(); ++v) {
    const Vec3& x = skin.nodes[v];
    if (x.z() > 0.01) {
      EXPECT_EQ(pressure[v], 0);
    } else if (x.head<2>().cwiseAbs().maxCoeff() <
               0.05) {  // a vertex on the rim has a share of the walls, too
      EXPECT_NEAR(pressure[v], p, 0.01 * p) << x.transpose();
      ++inside;
    }
  }
  EXPECT_EQ(inside, 25);
  EXPECT_NEAR(r.quantity("block.pressure"), p, 0.01 * p);
  // Without walls around it nothing but the weight above squeezes the block: σ = ρ g (h − z), on the side
  // walls too.
  const SkinMeasures measures(r.scene->model.bodies[b].body, r.scene->meshes[b].volume);
  const auto stress = measures.at(r.state("block").x, SkinMeasure::stress),
             strain = measures.at(r.state("block").x, SkinMeasure::strain);
  ASSERT_EQ(stress.size(), skin.nodes.size());
  for (size_t v = 0; v < skin.nodes.size(); ++v) {
    // Uniaxial with ν = 0: von Mises' stress is |σ|, ε = σ/E, and its deviator ⅔ of it.
    EXPECT_NEAR(strain[v], 2.0 / 3 * stress[v] / 1e5, 1e-6 + 0.01 * stress[v] / 1e5);
    const double above = h - skin.nodes[v].z();
    if (above > 0.015 && above < 0.045) {
      EXPECT_NEAR(stress[v], rho * g * above, 0.02 * p) << above;
    }
  }
}

TEST(Pressure, a_fine_surface_in_a_coarse_lattice_presses_its_weight) {
  auto loaded = build_scene({std::string(PALP_SOURCE_DIR) + "/scenes/pressure.yaml", R"(dt: 0.005
seconds: 1
contact: {mu: 0.3, alarmDistance: 0.002}
bodies:
  it:
    model: corotational
    mesh: {file: c2-bar.obj, cells: 60}
    scale: 0.001
    position: [0, 0, 0.0001]
    youngModulus: 1e6
    density: 2000
    rayleighStiffness: 0.01
)" + floor_text});
  for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
  ASSERT_TRUE(loaded.scene);
  Ran r(std::move(loaded.scene));
  const double weight = 9.81 * r.scene->model.bodies[0].body->mass();
  r.to_the_end();
  EXPECT_NEAR(pressed(r, "it"), weight, 2e-3 * weight);
  EXPECT_NEAR(pressed(r, "floor"), pressed(r, "it"), 1e-9 * weight);
}

TEST(Pressure, at_two_rates_it_is_the_force_that_the_hand_feels) {
  Ran r(R"(seconds: 1
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50}
contact: {mu: 0.3, alarmDistance: 0.0008}
bodies:
  block:
    model: corotational
    mesh: {generator: box, size: [0.06, 0.06, 0.03], centre: [0, 0, -0.015], cells: [4, 4, 2]}
    youngModulus: 3e4
    rayleighStiffness: 0.005
    fixed: {box: [[-1, -1, -1], [1, 1, -0.029]]}
  tool:
    model: rigid
    rate: high
    mesh: {generator: icosphere, radius: 0.006, subdivisions: 1}
    position: [0.003, 0.002, 0.0065]
devices:
  hand:
    type: script
    path: [{time: 0, position: [0.003, 0.002, 0.0065]}, {time: 0.3, position: [0.003, 0.002, 0.002]}]
    holds: {body: tool, stiffness: 800, damping: 1}
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  const double felt = r.run->record().hands[0].wrench.force.norm();
  ASSERT_GT(felt, 0.1);
  EXPECT_NEAR(pressed(r, "tool"), pressed(r, "block"), 1e-9 * felt);
  // |Σ f| ≤ Σ |f| ≤ Σ f_n √(1 + μ²): friction bears its part. Normals of a ball in a block are not quite
  // parallel: they press more than their sum.
  EXPECT_GT(pressed(r, "block"), 0.999 * felt / std::sqrt(1 + 0.3 * 0.3));
  EXPECT_LT(pressed(r, "block"), 1.3 * felt);
}

TEST(Pressure, points_and_threads_have_none_and_what_they_press_on_has) {
  Ran r(R"(seconds: 1
gravity: [0, 0, 0]
haptics: {rate: 1000, lowRate: 50, contact: glc, range: 0.015}
contact: {mu: 0.2}
bodies:
  bar:
    model: corotational
    mesh: {generator: box, size: [0.12, 0.03, 0.02], cells: [8, 3, 2]}
    youngModulus: 5e4
    rayleighStiffness: 0.02
    fixed: [{box: [[-0.061, -1, -1], [-0.059, 1, 1]]}, {box: [[0.059, -1, -1], [0.061, 1, 1]]}]
  above: {model: point, rate: high, mass: 0.001, position: [0, 0.001, 0.0102]}
devices:
  hand:
    type: script
    path: [{time: 0, position: [0, 0.001, 0.0102]}, {time: 0.1, position: [0, 0.001, 0.007]}]
    holds: {body: above, stiffness: 800, damping: 0.8}
)");
  ASSERT_TRUE(r);
  r.to_the_end();
  const double felt = r.run->record().hands[0].wrench.force.norm();
  ASSERT_GT(felt, 0.1);
  EXPECT_NEAR(pressed(r, "bar"), felt, 0.02 * felt);
  for (const Quantity& q : r.quantities->list()) EXPECT_NE(q.name, "above.pressure");
}

}  // namespace pressure_test
}  // namespace palp
