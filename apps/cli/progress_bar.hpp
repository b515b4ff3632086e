// "[########          ]  20 %" on a terminal, for work that takes longer than a second; it ends with its
// line.
#pragma once
#include <cstdio>

#include <unistd.h>

#include "palp/base/clock.hpp"

namespace palp::cli {

class ProgressBar {
 public:
  ProgressBar() = default;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() {
    if (drawn_) std::fprintf(stderr, "\n");
  }
  void show(double share) {
    if (now_us() - begin_ < 1e6 || now_us() - shown_ < 1e5 || !isatty(STDERR_FILENO)) return;
    shown_ = now_us();
    drawn_ = true;
    std::fprintf(stderr, "\r[%-40.*s] %3.0f %%", static_cast<int>(40 * share),
                 "########################################", 100 * share);
  }

 private:
  double begin_ = now_us(), shown_ = begin_;
  bool drawn_ = false;
};

}  // namespace palp::cli
