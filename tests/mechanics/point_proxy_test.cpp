#include "palp/mechanics/point_proxy.hpp"

#include <cmath>

#include "mechanics/model_checks.hpp"

namespace palp {
namespace point_proxy_test {

// The numbers of K16: 1 g, 1000 N/m, 0.8 N·s/m, 1 ms.
constexpr double mass = 1e-3, stiffness = 1000, damping = 0.8, tick = 1e-3;

std::unique_ptr<PointProxy> make_proxy() {
  PointProxySpec spec;
  spec.position_m = Vec3(0.01, 0, 0);
  auto body = PointProxy::make(spec);
  EXPECT_TRUE(body);
  return std::move(*body);
}

TEST(PointProxy, step_is_the_implicit_euler_step_of_a_spring_mass_damper) {
  auto body = make_proxy();
  BodyState state = body->rest_state();
  auto ws = body->make_workspace();
  double x = 0.01, v = 0;
  for (int i = 0; i < 50; ++i) {
    const double device = 0.02 * std::sin(0.1 * (i + 1)), speed = 0.02 * 100 * std::cos(0.1 * (i + 1));
    Loads loads;
    loads.blocks = {proxy_coupling(state, stiffness, damping, Vec3(device, 0, 0), Vec3(speed, 0, 0), tick)};
    checks::step(*body, loads, tick, *ws, state);
    // m (v⁺ − v)/h = k (device − x − h v⁺) + d (speed − v⁺), solved for v⁺ by hand.
    v = (mass * v / tick + stiffness * (device - x) + damping * speed) /
        (mass / tick + stiffness * tick + damping);
    x += tick * v;
    ASSERT_NEAR(state.x[0], x, 1e-14);
    ASSERT_NEAR(state.v[0], v, 1e-11);
  }
  EXPECT_EQ(state.x[1], 0);
}

TEST(PointProxy, compliance_is_one_over_m_h2_plus_d_h_plus_k) {
  auto body = make_proxy();
  const BodyState state = body->rest_state();
  Loads loads;
  loads.blocks = {proxy_coupling(state, stiffness, damping, Vec3::Zero(), Vec3::Zero(), tick)};
  auto ws = body->make_workspace();
  ASSERT_TRUE(body->free_motion(state, loads, tick, *ws));
  PointJacobian H;
  body->append_vertex(state, 0, 1, H);
  H.end_point();
  MatX G = MatX::Zero(3, 3);
  body->project_compliance(H, *ws, G);
  EXPECT_LT((G - Mat3::Identity() / (mass / (tick * tick) + damping / tick + stiffness)).norm(), 1e-18);
  checks::expect_compliance_is_dense_inverse(*body, state, loads, tick);
  checks::expect_jacobian_is_derivative_of_positions(*body, state);
  checks::expect_nan_is_refused(*body, state);
  EXPECT_EQ(body->skin().vertices, 1);
}

TEST(PointProxy, bad_specifications_and_loads_are_refused) {
  const auto refused = [](auto change) {
    PointProxySpec spec;
    change(spec);
    EXPECT_FALSE(PointProxy::make(spec));
  };
  refused([](PointProxySpec& s) { s.mass_kg = 0; });
  refused([](PointProxySpec& s) { s.mass_kg = std::numeric_limits<double>::quiet_NaN(); });
  refused([](PointProxySpec& s) { s.radius_m = -1; });
  refused([](PointProxySpec& s) { s.position_m.x() = std::numeric_limits<double>::infinity(); });
  auto body = make_proxy();
  auto ws = body->make_workspace();
  Loads loads;
  loads.blocks = {BlockLoad{.block = 0, .has_rotation = true}};
  EXPECT_FALSE(body->free_motion(body->rest_state(), loads, tick, *ws));
  loads.blocks = {BlockLoad{.block = 1}};
  EXPECT_FALSE(body->free_motion(body->rest_state(), loads, tick, *ws));
}

}  // namespace point_proxy_test
}  // namespace palp
