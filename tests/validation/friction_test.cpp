// Friction against a formula and a published benchmark: the scenes of V.2 and V.4 (palp reproduce).
#include <cmath>
#include <numbers>

#include "scene/analytic.hpp"

namespace palp {
namespace friction_test {

using testing::Ran;

std::unique_ptr<Scene> shipped(const std::string& name, const std::vector<SceneOverride>& changes = {}) {
  SceneResult result = load_scene(PALP_SOURCE_DIR "/scenes/" + name, changes);
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  return std::move(result.scene);
}

TEST(Friction, a_sliding_belt_pulls_as_euler_says) {
  Ran r(shipped("v2-belt.yaml"));
  ASSERT_TRUE(r);
  r.to_the_end();
  EXPECT_NEAR(r.quantity("belt.movingForce"), std::exp(0.3 * std::numbers::pi), 0.02 * 2.57);
}

/// Code_Aster, ssnv128 (V6.04.128): where, and how far in micrometres.
void expect_published_slips(const Ran& r) {
  for (const auto& [x, slip] :
       {std::pair{0.0, 28.6}, {1.25e-3, 27.2}, {5e-3, 22.8}, {7.5e-3, 19.8}, {11.25e-3, 15.0}})
    EXPECT_NEAR(1e6 * r.moved("plate", Vec3(x, 0.000625, 0)).x(), slip, 0.03 * slip) << x;
}

TEST(Friction, a_plate_on_a_rigid_plane_slides_as_far_as_published) {
  Ran r(shipped("v4-plate.yaml"));
  ASSERT_TRUE(r);
  expect_published_slips(r.to_the_end());
}

TEST(Friction, a_plate_that_nothing_holds_distributes_its_forces_as_well) {
  // Nearly no damping: the free motion of a step is a kilometre, the plate's elasticity nanometres.
  Ran r(shipped("v4-plate.yaml", {{"bodies.plate.rayleighMass", "1"}}));
  ASSERT_TRUE(r);
  expect_published_slips(r.to_the_end());
}

}  // namespace friction_test
}  // namespace palp
