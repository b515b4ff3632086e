#include "palp/study/sobol.hpp"

#include <bit>
#include <random>

namespace palp {
namespace {

/// A polynomial xᵈ + a₁xᵈ⁻¹ + … + 1, the inner coefficients as the bits of `a`, and its first numbers.
struct Direction {
  int degree;
  std::uint32_t a;
  std::array<std::uint32_t, 7> m;
};

constexpr Direction directions[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
static_assert(std::size(directions) == SobolSequence::most_dimensions - 1);

}  // namespace

SobolSequence::SobolSequence(int dimensions, std::uint64_t seed)
    : direction_(static_cast<size_t>(dimensions)), x_(static_cast<size_t>(dimensions)) {
  std::mt19937_64 random(seed);
  for (size_t j = 0; j < direction_.size(); ++j) {
    auto& v = direction_[j];
    if (j == 0) {
      for (int i = 0; i < 32; ++i) v[static_cast<size_t>(i)] = 1u << (31 - i);
    } else {
      const Direction& d = directions[j - 1];
      for (int i = 0; i < 32; ++i) {
        auto& now = v[static_cast<size_t>(i)];
        if (i < d.degree) {
          now = d.m[static_cast<size_t>(i)] << (31 - i);
          continue;
        }
        now = v[static_cast<size_t>(i - d.degree)] ^ (v[static_cast<size_t>(i - d.degree)] >> d.degree);
        for (int k = 1; k < d.degree; ++k)
          if (d.a >> (d.degree - 1 - k) & 1u) now ^= v[static_cast<size_t>(i - k)];
      }
    }
    x_[j] = static_cast<std::uint32_t>(random() >> 32);
  }
}

std::vector<double> SobolSequence::next() {
  std::vector<double> point;
  for (const std::uint32_t x : x_) point.push_back((x + 0.5) * 0x1p-32);
  // To the next of the Gray code: the bit that changes is the lowest zero of the count.
  const auto bit = static_cast<size_t>(std::countr_one(count_++));
  for (size_t j = 0; j < x_.size() && bit < 32; ++j) x_[j] ^= direction_[j][bit];
  return point;
}

}  // namespace palp
