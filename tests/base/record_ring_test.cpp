#include "palp/base/record_ring.hpp"

#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace palp {
namespace {

TEST(RecordRing, records_of_any_size_come_out_as_they_went_in) {
  std::mt19937 random(1);
  RecordRing ring(1000);
  std::vector<std::vector<std::byte>> inside;
  int full = 0, through = 0;
  for (int i = 0; i < 100000; ++i) {
    if (random() % 2) {
      std::vector<std::byte> record(random() % 300);
      for (auto& b : record) b = static_cast<std::byte>(random());
      auto room = ring.reserve(record.size());
      if (room.data() == nullptr) {
        ++full;
        continue;
      }
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(room.data()) % 8, 0u);
      std::copy(record.begin(), record.end(), room.begin());
      ring.commit();
      inside.push_back(record);
    } else {
      const auto front = ring.front();
      ASSERT_EQ(front.data() == nullptr, inside.empty());
      if (inside.empty()) continue;
      ASSERT_TRUE(std::equal(front.begin(), front.end(), inside[0].begin(), inside[0].end()));
      inside.erase(inside.begin());
      ring.pop();
      ++through;
    }
  }
  EXPECT_GT(full, 100);
  EXPECT_GT(through, 10000);
}

TEST(RecordRing, a_record_that_can_never_fit_is_refused) {
  RecordRing ring(64);
  EXPECT_EQ(ring.reserve(57).data(), nullptr);
  EXPECT_NE(ring.reserve(56).data(), nullptr);
}

TEST(RecordRing, an_uncommitted_record_is_not_seen) {
  RecordRing ring(256);
  ASSERT_FALSE(ring.reserve(100).empty());
  EXPECT_EQ(ring.front().data(), nullptr);
  ASSERT_FALSE(ring.reserve(8).empty());  // reserving again forgets the first
  ring.commit();
  EXPECT_EQ(ring.front().size(), 8u);
}

TEST(RecordRing, between_threads_nothing_is_torn_lost_or_reordered) {
  RecordRing ring(4096);
  constexpr std::uint64_t last = 200000;
  std::thread producer([&] {
    for (std::uint64_t i = 1; i <= last;) {
      const std::size_t words = 1 + i % 17;
      auto room = ring.reserve(8 * words);
      if (room.empty()) continue;
      for (std::size_t k = 0; k < words; ++k) std::memcpy(room.data() + 8 * k, &i, 8);
      ring.commit();
      ++i;
    }
  });
  bool wrong = false;
  for (std::uint64_t i = 1; i <= last;) {
    const auto record = ring.front();
    if (record.empty()) continue;
    wrong |= record.size() != 8 * (1 + i % 17);
    for (std::size_t k = 0; k < record.size(); k += 8) {
      std::uint64_t value;
      std::memcpy(&value, record.data() + k, 8);
      wrong |= value != i;
    }
    ring.pop();
    ++i;
  }
  producer.join();
  EXPECT_FALSE(wrong);
}

}  // namespace
}  // namespace palp
