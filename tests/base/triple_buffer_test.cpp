#include "palp/base/triple_buffer.hpp"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace palp {
namespace {

TEST(TripleBuffer, reader_sees_the_newest_value_once) {
  TripleBuffer<int> buffer(0);
  EXPECT_FALSE(buffer.update());
  buffer.back() = 1;
  buffer.publish();
  buffer.back() = 2;
  buffer.publish();
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.front(), 2);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 2);
}

TEST(TripleBuffer, values_are_never_torn_and_never_go_backwards) {
  struct Value {
    std::array<long, 64> copies{};
  };
  TripleBuffer<Value> buffer;
  constexpr long last = 200000;
  std::thread writer([&] {
    for (long i = 1; i <= last; ++i) {
      buffer.back().copies.fill(i);
      buffer.publish();
    }
  });
  long seen = 0;
  bool torn = false, backwards = false;
  while (seen < last) {
    if (!buffer.update()) continue;
    const Value& v = buffer.front();
    for (long c : v.copies) torn |= c != v.copies[0];
    backwards |= v.copies[0] <= seen;
    seen = v.copies[0];
  }
  writer.join();
  EXPECT_FALSE(torn);
  EXPECT_FALSE(backwards);
}

}  // namespace
}  // namespace palp
