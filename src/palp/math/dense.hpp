// Decompositions of small dense matrices, by Eigen. Compiled once: each of them costs seconds in every file that
// instantiates it. For set-up and for what happens once a step; hot paths have their own closed forms.
#pragma once
#include "palp/math/types.hpp"

namespace palp {

/// S = V diag(values) Vᵀ of a symmetric S; the smallest value first.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen symmetric_eigen(const Mat3& S);
double smallest_eigenvalue(const Mat6& S);
/// The inverse of a symmetric positive definite A, symmetric to the last bit; false when A is not.
bool positive_inverse(const Mat6& A, Mat6& inverse);
/// The x that brings A x nearest to b.
VecX least_squares(const MatX& A, const VecX& b);

}  // namespace palp
