// What a new user does: a part from a CAD program, an STL in millimetres, is laid on a pipe with default
// settings. The same clip in hexes that follow its walls (scenes/snap-in.yaml, whose force is known to 2 %,
// docs/accuracy.md) is the judge.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "scene/analytic.hpp"

#include "palp/io/mesh_file.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/scene/quantities.hpp"

namespace palp {
namespace stl_on_pipe_test {

const char* const text = R"(dt: 0.003
seconds: 1.5
gravity: [0, 0, 0]
contact: {mu: 0.2, alarmDistance: 0.001}
bodies:
  clip:
    model: globalCorotational
    mesh: {file: clip.stl}
    scale: 0.001
    position: [0, 0.035, 0]
    youngModulus: 7e8
    poissonRatio: 0.35
    density: 950
    rayleighStiffness: 0.002
    grasp: {box: [[-0.01, 0.0615, -0.02], [0.01, 0.1, 0.02]]}
  pipe:
    model: obstacle
    mesh: {generator: capsule, radius: 0.015, length: 0.09}
devices:
  hand:
    type: hand
    stiffness: 4000
    damping: 60
    path: [{time: 0, position: [0, 0.06, 0]}, {time: 2.5, position: [0, 0.02, 0]}]
    holds: {body: clip, stiffness: 10000, angularStiffness: 20}
)";

double peak_force(SceneResult loaded) {
  for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
  if (!loaded.scene) return 0;
  const auto measured = measure_run(*loaded.scene, 1.5);
  if (!measured) return ADD_FAILURE() << measured.error().text(), 0;
  for (const Quantity& q : *measured)
    if (q.name == "hand.peakForce") return q.value;
  return 0;
}

TEST(StlOnPipe, slow_a_clip_in_millimetres_takes_the_force_of_the_meshed_one_with_default_settings) {
  const auto folder = std::filesystem::temp_directory_path() / "palp_stl_on_pipe_test";
  std::filesystem::create_directories(folder);
  TriMesh skin =
      extract_surface(*clip_hexes({.outer_radius_m = 0.0175, .cells_around = 72, .cells_wide = 6})).mesh;
  for (Vec3& x : skin.nodes) x *= 1000;
  ASSERT_TRUE(write_mesh((folder / "clip.stl").string(), mesh_file(skin)));
  std::ofstream(folder / "clip.yaml") << text;
  SceneResult loaded = load_scene((folder / "clip.yaml").string());
  for (const std::string& doubt : loaded.warnings) ADD_FAILURE() << doubt;  // nothing here is doubtful
  const double stl = peak_force(std::move(loaded));
  const double meshed = peak_force(load_scene(PALP_SOURCE_DIR "/scenes/snap-in.yaml"));
  EXPECT_NEAR(stl / meshed, 1, 0.1);

  std::string huge = text;  // the scale forgotten
  huge.erase(huge.find("    scale: 0.001\n"), 17);
  std::ofstream(folder / "huge.yaml") << huge;
  const SceneResult forgotten = load_scene((folder / "huge.yaml").string());
  std::string told;
  for (const std::string& doubt : forgotten.warnings) told += doubt + "\n";
  for (const Error& e : forgotten.errors) told += e.text() + "\n";
  EXPECT_NE(told.find("0.001"), std::string::npos) << told;
  std::filesystem::remove_all(folder);
}

}  // namespace stl_on_pipe_test
}  // namespace palp
