#include "palp/base/result.hpp"

#include <gtest/gtest.h>

namespace palp {
namespace {

Result<int> half(int n) {
  if (n % 2)
    return Error{.message = "odd", .file = "a.txt", .line = 3, .column = 7, .remedy = "give an even number"};
  return n / 2;
}

TEST(Result, holds_a_value_or_an_error) {
  EXPECT_EQ(*half(4), 2);
  EXPECT_FALSE(half(3));
  EXPECT_EQ(half(3).error().text(), "a.txt:3:7: odd (give an even number)");
}

TEST(Result, of_void_is_success_unless_an_error_is_given) {
  EXPECT_TRUE(Result<void>());
  EXPECT_FALSE(Result<void>(Error{.message = "no"}));
}

}  // namespace
}  // namespace palp
