// Inside a step no body touches the heap after its first round.
#include "mechanics/fem_support.hpp"
#include "mechanics/model_checks.hpp"
#include "support/allocation_counter.hpp"

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"

namespace palp {
namespace allocation_test {

void expect_step_without_allocation(const Body& body, bool coupled = true) {
  const long before_all = testing::allocations();
  BodyState state = body.rest_state();
  auto ws = body.make_workspace();
  ASSERT_GT(testing::allocations(), before_all);  // the counter counts
  const PointJacobian H = checks::random_points(body, state, 20, 1);
  const VecX lambda = test::noise(60, 1e-3);
  MatX G = MatX::Zero(60, 60);
  VecX dx(body.dof());
  Loads loads;
  loads.gravity = Vec3(0, 0, -9.81);
  loads.force = VecX::Constant(body.dof(), 1e-6);
  BodyFrame frame;  // a mesh node has none, and takes a coupling without rotation
  BlockLoad grip{.block = 0, .has_rotation = body.frame(state, 0, frame) && frame.has_rotation};
  grip.stiffness = Mat6::Identity();
  if (coupled) loads.blocks = {grip};
  std::vector<Vec3> positions(body.skin().vertices);
  const auto round = [&] {
    const bool good = body.free_motion(state, loads, 1e-3, *ws);
    body.skin_positions(state, ws->dx_free, positions);
    body.project_compliance(H, *ws, G);
    body.response(H, lambda, *ws, dx);
    body.commit(*ws, dx, state);
    return good;
  };
  ASSERT_TRUE(round());
  const long before = testing::allocations();
  bool good = true;
  for (int i = 0; i < 10; ++i) good = round() && good;
  const long during = testing::allocations() - before;
  EXPECT_TRUE(good);
  EXPECT_EQ(during, 0);
}

TEST(Allocation, step_of_every_model_leaves_the_heap_alone_after_the_first_round) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const TetMesh mesh = test::tet_box(3);
  {
    SCOPED_TRACE("beam");
    BeamSpec spec;
    for (int i = 0; i <= 30; ++i) spec.curve.nodes.push_back(Vec3(0.01 * i, 0.001 * i * i, 0));
    spec.fixed_nodes = {30};
    spec.skin_subdivisions = 2;
    expect_step_without_allocation(**BeamBody::make(spec));
  }
  const std::size_t all = std::size_t{64} << 20, part = 56 * 56 * sizeof(Mat3) * 3 / 16;
  for (bool dirichlet : {false, true})
    for (std::size_t bound : {all, part, std::size_t{0}}) {
      SCOPED_TRACE("global corotational");
      GlobalCorotationalSpec spec;
      spec.mesh = mesh;
      spec.condensation_bound_bytes = bound;
      if (dirichlet) spec.frame_nodes = {0, 1, 4};
      expect_step_without_allocation(**GlobalCorotationalBody::make(spec));
    }
  for (FemModel model : {FemModel::linear, FemModel::corotational})
    for (bool coupled : {false, true})
      for (std::size_t bound : {all, part, std::size_t{0}}) {
        SCOPED_TRACE(model == FemModel::linear ? "linear" : "corotational");
        FemSpec spec{.mesh = mesh, .model = model, .fixed_nodes = {60, 61, 62}};
        spec.condensation_bound_bytes = bound;
        expect_step_without_allocation(*test::make(spec), coupled);
      }
  {
    SCOPED_TRACE("point proxy");
    expect_step_without_allocation(**PointProxy::make({}));
  }
  TriMesh triangle{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, {{0, 1, 2}}};
  {
    SCOPED_TRACE("rigid");
    RigidSpec spec;
    spec.surface = triangle;
    spec.given = {1, Vec3::Zero(), Mat3::Identity()};
    expect_step_without_allocation(**RigidBody::make(spec));
  }
  {
    SCOPED_TRACE("obstacle");
    expect_step_without_allocation(**Obstacle::make({.surface = triangle}));
  }
}

}  // namespace allocation_test
}  // namespace palp
