// Factor, solve and project run inside a real-time step: after a warm-up they must not touch the heap.
#include <atomic>
#include <cstdlib>
#include <new>

#include "math/elastic_block.hpp"
#include <gtest/gtest.h>

#include "palp/math/sparse_cholesky.hpp"

namespace {
std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(size == 0 ? 1 : size);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new[](std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace palp {
namespace {

TEST(CholeskyAllocation, factor_solve_and_project_do_not_allocate_after_the_first_round) {
  using namespace testing_support;
  const auto block = elastic_block(7, 6, 6);
  const PointJacobian few = top_contacts(block, 20), many = top_contacts(block, 70);
  MatX small = MatX::Zero(60, 60), large = MatX::Zero(210, 210);
  VecX b = VecX::Random(3 * block.blocks());
  using Options = CholeskyOptions;
  for (const Options& options :
       {Options{.order = Options::Order::plain}, Options{.order = Options::Order::last_last},
        Options{.precision = Options::Precision::single}}) {
    SparseCholesky cholesky;
    cholesky.analyze(block.A, touched_blocks(few), options);
    const auto round = [&] {
      const bool good = cholesky.factor(block.A);
      cholesky.solve(b);
      cholesky.project(few, small);
      cholesky.project(many, large);
      return good;
    };
    ASSERT_TRUE(round());
    const long before = allocations;
    ASSERT_TRUE(round());
    EXPECT_EQ(allocations - before, 0);
    { std::vector<double> counted_vector(10); }
    EXPECT_EQ(allocations - before, 1) << "the counter itself must count";
  }
}

}  // namespace
}  // namespace palp
