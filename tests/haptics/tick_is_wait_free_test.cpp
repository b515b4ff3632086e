// The haptic tick neither allocates nor locks, once it is made. Counted where everything ends: malloc
// (support/allocation_counter.hpp) and pthread_mutex_lock.
#include "haptics/two_rate_support.hpp"
#include "support/allocation_counter.hpp"
#include "support/sanitized.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/global_corotational_body.hpp"

#if defined(__GLIBC__) && !defined(PALP_SANITIZED)
#define PALP_COUNTS_LOCKS 1
#include <dlfcn.h>
#include <pthread.h>
namespace {
thread_local long locks = 0;
}
extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static const auto real =
      reinterpret_cast<int (*)(pthread_mutex_t*)>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return real(mutex);
}
#endif

#include <mutex>

namespace palp {
namespace tick_is_wait_free_test {

using namespace two_rate_test;

struct Counts {
  long allocations = 0, locks = 0;
};

/// Both rates as the runners drive them; what the high rate's calls cost.
Counts count_in_ticks(const TwoRateModel& m, int ticks, int* most_contacts) {
  LowRate low = make_low_rate(m);
  HighRate high(m);
  TripleBuffer<Snapshot> snapshots(empty_snapshot(m));
  TripleBuffer<ToolState> tools(empty_tool_state(m));
  std::vector<Wrench> w(1);
  Counts c;
  for (int i = 0; i < ticks; ++i) {
    const DevicePose pose = Press::path((i + 1) * 1e-3);
    const long before = testing::allocations();
#ifdef PALP_COUNTS_LOCKS
    const long locks_before = locks;
#endif
    publish_tools(high, std::span(&pose, 1), m.settings.h_high_s, tools);
    snapshots.update();
    const TickReport r = tick(m, snapshots.front(), std::span(&pose, 1), high, w);
    c.allocations += testing::allocations() - before;
#ifdef PALP_COUNTS_LOCKS
    c.locks += locks - locks_before;
#endif
    EXPECT_EQ(r.status, TickStatus::ok);
    *most_contacts = std::max(*most_contacts, r.contacts);
    if (i % m.settings.low_every != 0) continue;
    tools.update();
    if (low_step(m, tools.front(), low, snapshots.back()).status == StepStatus::ok) snapshots.publish();
  }
  return c;
}

TEST(Tick, neither_allocates_nor_locks) {
  if (!testing::watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  {
    const long before = testing::allocations();
    std::vector<double> v(1000);
    v[7] = 1;
    ASSERT_GT(testing::allocations() + static_cast<long>(v[8]), before);  // the counter counts
  }
#ifdef PALP_COUNTS_LOCKS
  {
    const long before = locks;
    std::mutex mutex;
    mutex.lock();
    mutex.unlock();
    ASSERT_GT(locks, before);
  }
#endif
  int contacts = 0;
  Press press(0.3);
  press.model.solver.options.tolerance = 1e-6;
  Counts c = count_in_ticks(press.at_rates({}), 250, &contacts);
  EXPECT_EQ(c.allocations, 0);
  EXPECT_EQ(c.locks, 0);
  EXPECT_GE(contacts, 6);
  Press mass_point = point_press(0.3);
  c = count_in_ticks(mass_point.at_rates({}), 250, &contacts);
  EXPECT_EQ(c.allocations, 0);
  EXPECT_EQ(c.locks, 0);
  // A deformable block with a frame.
  Press stiff(0.3);
  BoxShape shape;
  shape.size_m = Vec3(0.02, 0.02, 0.01);
  shape.centre_m = Vec3(0.003, 0.002, 0.0061);
  shape.cells = {3, 3, 2};
  GlobalCorotationalSpec spec;
  spec.mesh = *box_tets(shape);
  spec.young_modulus_Pa = 1e6;
  spec.density_kg_per_m3 = 1000;
  stiff.model.solver.options.tolerance = 1e-6;
  stiff.model.bodies[0].body = std::shared_ptr<const Body>(std::move(*GlobalCorotationalBody::make(spec)));
  c = count_in_ticks(stiff.at_rates({}), 250, &contacts);
  EXPECT_EQ(c.allocations, 0);
  EXPECT_EQ(c.locks, 0);
  // A beam whose far end is attached to the block, lying on it.
  Press thread(0.3);
  thread.model.solver.options.tolerance = 1e-6;
  thread.model.bodies[0].body =
      beam(Vec3(-0.02, 0.001, 0.0061), Vec3(0.02, 0.002, 0.0061), 8, 0.001, 1e7, false);
  Attachment a;
  a.body1 = 0;
  a.P = {{0, 0, 0}, {1, 0, 0}};
  a.body2 = 1;
  a.Q = {{5, 5, 5}, {1, 0, 0}};
  thread.model.attachments = {a};
  thread.grips = {
      hold(thread.model, 0, 8, 0, Press::path(0), {.stiffness_N_per_m = 300, .damping_N_s_per_m = 2})};
  c = count_in_ticks(thread.at_rates({.low_every = 10}), 250, &contacts);
  EXPECT_EQ(c.allocations, 0);
  EXPECT_EQ(c.locks, 0);
}

}  // namespace tick_is_wait_free_test
}  // namespace palp
