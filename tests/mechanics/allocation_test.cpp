// Inside a step no body touches the heap after its first round. Counted below everything: malloc itself, so
// that Eigen's vectors count as well as operator new. (A sanitizer has its own malloc: nothing is counted
// there.)
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "mechanics/fem_support.hpp"
#include "mechanics/model_checks.hpp"

#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PALP_COUNTS_MALLOC 1
namespace {
std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++allocations;
  return __libc_realloc(p, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
#endif

namespace palp {
namespace {

#ifdef PALP_COUNTS_MALLOC
void expect_step_without_allocation(const Body& body, bool coupled = true) {
  const long before_all = allocations;
  BodyState state = body.rest_state();
  auto ws = body.make_workspace();
  ASSERT_GT(allocations, before_all);  // the counter counts
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
  const long before = allocations;
  bool good = true;
  for (int i = 0; i < 10; ++i) good = round() && good;
  const long during = allocations - before;
  EXPECT_TRUE(good);
  EXPECT_EQ(during, 0);
}

TEST(Allocation, step_of_every_model_leaves_the_heap_alone_after_the_first_round) {
  const TetMesh mesh = test::tet_box(3);
  {
    SCOPED_TRACE("beam");
    BeamSpec spec;
    for (int i = 0; i <= 30; ++i) spec.curve.nodes.push_back(Vec3(0.01 * i, 0.001 * i * i, 0));
    spec.fixed_nodes = {30};
    spec.skin_subdivisions = 2;
    expect_step_without_allocation(**BeamBody::make(spec));
  }
  const std::size_t all = std::size_t{64} << 20, part = 56 * 56 * sizeof(Mat3) * 3 / 4;
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
#endif

}  // namespace
}  // namespace palp
