#include "palp/math/dense.hpp"

namespace palp {

SymmetricEigen symmetric_eigen(const Mat3& S) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(S);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

double smallest_eigenvalue(const Mat6& S) {
  return Eigen::SelfAdjointEigenSolver<MatX>(S, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

VecX least_squares(const MatX& A, const VecX& b) { return A.colPivHouseholderQr().solve(b); }

}  // namespace palp
