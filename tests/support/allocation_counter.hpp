// Watches malloc on the calling thread, to prove that a hot path never allocates and that a reader never
// takes more memory than its file deserves. Part of every test program.
//
// Counted below everything: operator new, Eigen and C libraries all end in malloc.
#pragma once
#include <cstddef>

namespace palp::testing {

/// False where malloc cannot be watched (sanitizers have their own, other C libraries): then nothing is
/// counted.
bool watches_allocations();

/// Calls of malloc and its like on this thread so far.
long allocations();

/// The memory that is taken on this thread while the object lives: its largest sum at any moment. One at a
/// time.
class PeakMemory {
 public:
  PeakMemory();
  ~PeakMemory();
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;
  std::size_t bytes() const;
};

}  // namespace palp::testing
