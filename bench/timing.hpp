// What the benchmarks measure with.
#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace palp {

/// Processor time of this thread: without what a busy machine adds.
inline double cpu_us() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// A sample of times and its percentiles.
struct Times {
  std::vector<double> us;
  double at(double q) {
    if (us.empty()) return 0;
    std::sort(us.begin(), us.end());
    return us[static_cast<size_t>(q * static_cast<double>(us.size() - 1) + 0.5)];
  }
  double mean() const {
    double sum = 0;
    for (double t : us) sum += t;
    return us.empty() ? 0 : sum / static_cast<double>(us.size());
  }
};

}  // namespace palp
