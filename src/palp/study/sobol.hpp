// Sobol's sequence: points that fill a cube evenly, however many are taken (I. M. Sobol 1967). Among the
// first 2ᵏ points every interval [i 2⁻ᵏ, (i+1) 2⁻ᵏ) of every coordinate holds exactly one.
//
// Coordinate j of point n is the exclusive or of the direction numbers v_{j,b} of the bits b of the Gray code
// of n. They follow from a primitive polynomial over GF(2) and odd first numbers m_i < 2ⁱ, here those of S.
// Joe and F. Y. Kuo (2008).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace palp {

class SobolSequence {
 public:
  static constexpr int most_dimensions = 21;

  /// `seed`: a random digital shift, which keeps the points even and moves them off the origin.
  SobolSequence(int dimensions, std::uint64_t seed);
  /// The next point, coordinates in (0, 1).
  std::vector<double> next();

 private:
  std::vector<std::array<std::uint32_t, 32>> direction_;
  std::vector<std::uint32_t> x_;
  std::uint32_t count_ = 0;
};

}  // namespace palp
