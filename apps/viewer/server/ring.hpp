// A bounded queue between one writer thread and one reader thread that neither ever waits for.
#pragma once
#include <atomic>
#include <cstddef>
#include <vector>

namespace palp::view {

template <class T>
class Ring {
 public:
  explicit Ring(size_t capacity) : slots_(capacity + 1) {}

  /// Writer: false when the queue is full; the value is then lost.
  bool push(const T& value) {
    const size_t at = tail_.load(std::memory_order_relaxed), next = (at + 1) % slots_.size();
    if (next == head_.load(std::memory_order_acquire)) return false;
    slots_[at] = value;
    tail_.store(next, std::memory_order_release);
    return true;
  }

  /// Reader: false when the queue is empty.
  bool pop(T& value) {
    const size_t at = head_.load(std::memory_order_relaxed);
    if (at == tail_.load(std::memory_order_acquire)) return false;
    value = slots_[at];
    head_.store((at + 1) % slots_.size(), std::memory_order_release);
    return true;
  }

 private:
  std::vector<T> slots_;
  alignas(64) std::atomic<size_t> head_{0};
  alignas(64) std::atomic<size_t> tail_{0};
};

}  // namespace palp::view
