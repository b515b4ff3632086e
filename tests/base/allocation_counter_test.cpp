#include "support/allocation_counter.hpp"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "palp/math/types.hpp"

namespace palp::testing {
namespace {

/// A compiler may leave out memory that nobody looks at (clang 19 does).
void look_at(const std::vector<char>& v) { asm volatile("" : : "g"(v.data()) : "memory"); }

TEST(AllocationCounter, sees_standard_containers_eigen_and_aligned_objects) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const long before = allocations();
  std::vector<double> v(100);
  EXPECT_EQ(allocations(), before + 1);
  VecX x = VecX::Zero(100);
  EXPECT_EQ(allocations(), before + 2);
  struct alignas(64) Line {
    double d[8] = {};
  };
  const auto line = std::make_unique<Line>();
  EXPECT_EQ(allocations(), before + 3);
  EXPECT_EQ(v[0] + line->d[0], x[0]);
}

TEST(AllocationCounter, counts_each_thread_for_itself) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  long before = 0, after = 0, inside = 0;
  std::thread other;
  before = allocations();
  other = std::thread([&] {
    const long start = allocations();
    for (int i = 0; i < 7; ++i) look_at(std::vector<char>(800));
    inside = allocations() - start;
  });
  other.join();
  after = allocations();
  EXPECT_EQ(inside, 7);
  EXPECT_LT(after - before, 7);  // starting a thread allocates a little here
}

TEST(AllocationCounter, peak_is_the_largest_sum_of_live_memory) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  auto older = std::make_unique<std::vector<char>>(50'000);
  const PeakMemory peak;
  older.reset();  // not taken since the start: must not count, nor be given back
  const std::vector<char> kept(10'000);
  look_at(kept);
  look_at(std::vector<char>(200'000));
  look_at(std::vector<char>(100'000));
  EXPECT_GE(peak.bytes(), 210'000u);
  EXPECT_LT(peak.bytes(), 220'000u);
}

}  // namespace
}  // namespace palp::testing
