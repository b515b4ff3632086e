// A wait-free ring for records of varying size between one producer and one consumer. The producer writes
// straight into the ring; when there is no room it is told so and goes on. Neither ever waits for the other.
//
//     producer   reserve(n) → n bytes in one piece, or nothing     commit() hands them over
//     consumer   front() → the oldest record, or nothing           pop() gives its room back
//
// A record that does not fit before the end of the memory starts at the beginning again; the rest is skipped.
// So a record of up to half the ring always finds room in an empty one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace palp {

class RecordRing {
 public:
  explicit RecordRing(std::size_t bytes)
      : size_(round_up(bytes)), memory_(new (std::align_val_t{64}) std::byte[size_]) {
    std::memset(memory_.get(), 0, size_);  // every page is there before the first tick
  }

  /// A record up to this size finds room in an empty ring; a larger one may never.
  std::size_t largest() const { return size_ / 2 - header; }

  /// Producer: room for a record, 8-byte aligned; empty when the ring is full. Nothing is visible until
  /// commit.
  std::span<std::byte> reserve(std::size_t bytes) {
    const std::size_t need = header + round_up(bytes);
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    const std::size_t at = head % size_, left = size_ - at;
    const std::size_t skip = need > left ? left : 0;
    if (skip + need > size_ - (head - tail_.load(std::memory_order_acquire))) return {};
    if (skip) put_size(at, skipped);
    put_size((at + skip) % size_, bytes);
    next_ = head + skip + need;
    return {memory_.get() + (at + skip) % size_ + header, bytes};
  }
  void commit() { head_.store(next_, std::memory_order_release); }

  /// Consumer: the oldest record; empty when there is none.
  std::span<const std::byte> front() {
    std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return {};
    std::size_t at = tail % size_;
    std::uint64_t bytes = get_size(at);
    if (bytes == skipped) {
      tail += size_ - at;
      at = 0;
      bytes = get_size(0);
    }
    after_ = tail + header + round_up(bytes);
    return {memory_.get() + at + header, bytes};
  }
  void pop() { tail_.store(after_, std::memory_order_release); }

 private:
  static constexpr std::size_t header = 8;
  static constexpr std::uint64_t skipped = ~std::uint64_t(0);
  static std::size_t round_up(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
  void put_size(std::size_t at, std::uint64_t bytes) { std::memcpy(memory_.get() + at, &bytes, header); }
  std::uint64_t get_size(std::size_t at) const {
    std::uint64_t bytes;
    std::memcpy(&bytes, memory_.get() + at, header);
    return bytes;
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };

  std::size_t size_;
  std::unique_ptr<std::byte[], Free> memory_;
  alignas(64) std::atomic<std::uint64_t> head_{0};  ///< bytes ever handed over; producer's
  std::uint64_t next_ = 0;                          ///< producer's
  alignas(64) std::atomic<std::uint64_t> tail_{0};  ///< bytes ever given back; consumer's
  std::uint64_t after_ = 0;                         ///< consumer's
};

}  // namespace palp
