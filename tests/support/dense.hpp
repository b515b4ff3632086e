// Dense linear algebra by Eigen, the tests' second opinion. Compiled once: each of Eigen's decompositions
// costs seconds in every file that instantiates it.
#pragma once
#include "palp/math/types.hpp"

namespace palp::testing {

MatX inverse(const MatX& A);
/// A⁻¹ B by LU with full pivoting; of a symmetric A by LDLᵀ; of a positive definite A by LLᵀ, which rounds
/// least.
MatX solve(const MatX& A, const MatX& B);
MatX solve_symmetric(const MatX& A, const MatX& B);
MatX solve_positive(const MatX& A, const MatX& B);
/// The shortest X that brings A X nearest to B.
MatX least_squares(const MatX& A, const MatX& B);
/// The largest first.
VecX singular_values(const MatX& A);
/// Of a symmetric matrix (its lower half is read), the smallest first.
VecX eigenvalues(const MatX& A);

}  // namespace palp::testing
