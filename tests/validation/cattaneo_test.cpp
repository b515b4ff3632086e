// Cattaneo (1938) and Mindlin (1949): a ball pressed into a half space and drawn aside by Q < μP slides in a
// ring and sticks in a disc of radius c = a (1 − Q/(μP))^(1/3); it moves by 3μP(2−ν)/(16Ga) (1 − (c/a)²). The
// scene of V.3 (palp reproduce).
#include <cmath>

#include "scene/analytic.hpp"

namespace palp {
namespace cattaneo_test {

using testing::Ran;

TEST(Cattaneo, slow_a_ball_drawn_aside_sticks_in_a_disc_and_moves_as_published) {
  SceneResult loaded =
      load_scene(PALP_SOURCE_DIR "/scenes/v3-ball.yaml",
                 {{"bodies.block.mesh.cell", "2.5e-4"}, {"bodies.block.mesh.sectors", "16"}});
  for (const Error& e : loaded.errors) ADD_FAILURE() << e.text();
  Ran r(std::move(loaded.scene));
  ASSERT_TRUE(r);
  const double mu = 0.3, nu = 0.49, G = 1e6 / (2 * (1 + nu)), R = 0.03, depth = 3.3333333e-5,
               a = std::sqrt(R * depth);
  for (int n = 1; n <= 9; ++n) {
    ASSERT_TRUE(r.step());
    if (n < 3) continue;
    double normal_r2 = 0, unused = 0, unused_r2 = 0;
    Vec3 total = Vec3::Zero();
    const Workspace& ws = r.run->workspace();
    const int block = r.body("block");
    for (int g = 0; g < ws.group_count; ++g)
      for (size_t i = 0; i < ws.groups[g].contacts.size(); ++i) {
        const Contact& c = ws.groups[g].contacts[i];
        const Vec3 local = ws.groups[g].f.segment<3>(3 * static_cast<int>(i));
        const double r2 = (c.id.body1 == block ? c.P : c.Q)
                              .at(ws.bodies[static_cast<size_t>(block)].skin_start)
                              .head<2>()
                              .squaredNorm();
        total += c.frame.transpose() * local;
        normal_r2 += local[0] * r2;
        unused += mu * local[0] - local.tail<2>().norm();
        unused_r2 += (mu * local[0] - local.tail<2>().norm()) * r2;
      }
    // ∫ r² √(1 − r²/a²) = 2/5 a² ∫ √(1 − r²/a²) over the disc.
    const double P = std::abs(total.z()), Q = std::abs(total.x());
    const double contact = std::sqrt(2.5 * normal_r2 / P), stick = std::sqrt(2.5 * unused_r2 / unused);
    const double exact = std::cbrt(1 - Q / (mu * P)),
                 way = 3 * mu * P * (2 - nu) / (16 * G * a) * (1 - exact * exact);
    // Four cells on the contact's radius.
    EXPECT_NEAR(stick / contact, exact, 0.06) << n;
    EXPECT_NEAR(1.2e-5 / 7 * (n - 2), way, 0.06 * way) << n;
  }
}

}  // namespace cattaneo_test
}  // namespace palp
