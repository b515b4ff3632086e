// A tick, numbers that are none, and random ones: what the tests of the safety chain share.
#pragma once
#include <limits>
#include <random>

#include "palp/math/types.hpp"

namespace palp::chance {

constexpr double tick_s = 0.001;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

struct Dice {
  std::mt19937_64 engine;
  explicit Dice(unsigned seed) : engine(seed) {}
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); }
  bool chance(double p) { return uniform(0, 1) < p; }
  Vec3 vec(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
};

}  // namespace palp::chance
