// A wait-free triple buffer: one writer and one reader exchange the newest value with one atomic exchange
// each. Neither ever waits, and the reader never sees a half-written value. The values are made once and
// reused.
//
//     writer owns `back`    fills it, publish(): back ⇄ middle, marks it fresh
//     reader owns `front`   update(): if middle is fresh, front ⇄ middle
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace palp {

template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;
  /// All three slots start as copies of `prototype`, so that whatever it has reserved is there from the
  /// start.
  explicit TripleBuffer(const T& prototype) : slot_{prototype, prototype, prototype} {}

  /// Writer: the slot to fill. Its old content is whatever was left there.
  T& back() { return slot_[back_]; }
  /// Writer: hands the filled slot over.
  void publish() { back_ = middle_.exchange(back_ | fresh_bit, std::memory_order_acq_rel) & index_bits; }

  /// Reader: takes the newest published slot if there is one since the last call.
  bool update() {
    if (!(middle_.load(std::memory_order_relaxed) & fresh_bit)) return false;
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & index_bits;
    return true;
  }
  /// Reader: the newest value taken. The slot is the reader's alone until the next update, so that it may also
  /// hold scratch whose size the writer chose.
  const T& front() const { return slot_[front_]; }
  T& front() { return slot_[front_]; }

 private:
  static constexpr std::uint32_t fresh_bit = 4, index_bits = 3;
  std::array<T, 3> slot_{};
  alignas(64) std::uint32_t back_ = 0;                // writer's
  alignas(64) std::atomic<std::uint32_t> middle_{1};  // shared
  alignas(64) std::uint32_t front_ = 2;               // reader's
};

}  // namespace palp
