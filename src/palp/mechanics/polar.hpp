// Signed singular values of many 3×3 matrices at once, and with them the polar decomposition F = R S that
// every corotational element needs:
//     F = U diag(s) Vᵀ,   R = U Vᵀ a proper rotation,   S = V diag(s) Vᵀ,   s0 ≥ s1 ≥ |s2|, sign(s2) =
//     sign(det F).
// An inverted element thus gets the rotation that undoes the inversion along its shortest axis: R never
// flips.
//
// Jacobi on FᵀF in lanes: the loops over lanes have no branches and are vectorised by the compiler.
#pragma once
#include <cmath>

#include "palp/math/types.hpp"

namespace palp {

inline constexpr int kLanes = 8;
/// One number for each of kLanes matrices.
struct alignas(64) Lane {
  double v[kLanes];
  double& operator[](int l) { return v[l]; }
  double operator[](int l) const { return v[l]; }
};
/// kLanes 3×3 matrices; entry (r, c) at [r][c].
using LaneMat3 = Lane[3][3];

struct LaneSvd {
  LaneMat3 U, V;
  Lane s[3];
};

void signed_svd(const LaneMat3& F, LaneSvd& out);

/// The same for one matrix. R = U Vᵀ.
struct SignedSvd {
  Mat3 U, V;
  Vec3 s;
  Mat3 rotation() const { return U * V.transpose(); }
};
SignedSvd signed_svd(const Mat3& F);

}  // namespace palp
