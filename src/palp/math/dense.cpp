#include "palp/math/dense.hpp"

namespace palp {

SymmetricEigen symmetric_eigen(const Mat3& S) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(S);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

double smallest_eigenvalue(const Mat6& S) {
  return Eigen::SelfAdjointEigenSolver<MatX>(S, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

bool positive_inverse(const Mat6& A, Mat6& inverse) {
  const Eigen::LLT<Mat6> llt(A);
  if (llt.info() != Eigen::Success) return false;
  inverse = llt.solve(Mat6::Identity());
  inverse = (0.5 * (inverse + inverse.transpose())).eval();
  return inverse.allFinite();
}

VecX least_squares(const MatX& A, const VecX& b) { return A.colPivHouseholderQr().solve(b); }

}  // namespace palp
