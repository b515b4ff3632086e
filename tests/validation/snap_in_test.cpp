// The force of the shipped snap-in: the same on a finer mesh, and without teeth from facets.
#include <algorithm>
#include <cmath>

#include "scene/analytic.hpp"

namespace palp {
namespace snap_in_test {

using testing::Ran;

/// Force on the hand during the push.
std::vector<double> push(const std::vector<SceneOverride>& changes) {
  SceneResult result = load_scene(PALP_SOURCE_DIR "/scenes/snap-in.yaml", changes);
  for (const Error& e : result.errors) ADD_FAILURE() << e.text();
  std::vector<double> force;
  if (!result.scene) return force;
  SceneRun run(*result.scene);
  for (int i = 0; i < 460; ++i) {
    if (!run.advance()) ADD_FAILURE() << "step " << i;
    force.push_back(run.record().hands[0].wrench.force.y());
  }
  return force;
}

TEST(SnapIn, the_push_rises_and_falls_once_and_is_the_same_on_a_finer_mesh) {
  const std::vector<double> shipped = push({}), fine = push({{"bodies.clip.mesh.cellsAround", "48"},
                                                             {"bodies.clip.mesh.cellsThrough", "4"},
                                                             {"bodies.clip.mesh.cellsWide", "5"}});
  const auto peak = std::max_element(shipped.begin(), shipped.end());
  EXPECT_NEAR(*peak / *std::max_element(fine.begin(), fine.end()), 1, 0.05);
  for (auto f = shipped.begin(); f < peak; ++f)
    EXPECT_GT(*(f + 1) - *f, -0.01 * *peak) << f - shipped.begin();
}

}  // namespace snap_in_test
}  // namespace palp
