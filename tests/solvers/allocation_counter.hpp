// Counts the calls of malloc on this thread, to prove that a hot path never allocates.
#pragma once

namespace palp::testing {

/// On this thread so far. Always 0 where malloc cannot be watched (sanitizers, other C libraries).
long allocations();
bool watches_allocations();

}  // namespace palp::testing
