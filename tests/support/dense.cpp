#include "support/dense.hpp"

#include <Eigen/Dense>

namespace palp::testing {

MatX inverse(const MatX& A) { return A.inverse(); }
MatX solve(const MatX& A, const MatX& B) { return A.fullPivLu().solve(B); }
MatX solve_symmetric(const MatX& A, const MatX& B) { return A.ldlt().solve(B); }
MatX solve_positive(const MatX& A, const MatX& B) { return A.llt().solve(B); }
MatX least_squares(const MatX& A, const MatX& B) {
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
  decomposition.setThreshold(1e-10);
  return decomposition.compute(A).solve(B);
}
VecX singular_values(const MatX& A) { return Eigen::JacobiSVD<MatX>(A).singularValues(); }
VecX eigenvalues(const MatX& A) {
  return Eigen::SelfAdjointEigenSolver<MatX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace palp::testing
