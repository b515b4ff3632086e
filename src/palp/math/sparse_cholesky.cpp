#include "palp/math/sparse_cholesky.hpp"

#include <Eigen/SparseCholesky>

namespace palp {

struct SparseCholesky::Impl {
  Eigen::SparseMatrix<double> A;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt;

  void fill(const BlockSymmetric& M) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < M.blocks(); ++j)
      for (int k = M.start[j]; k < M.start[j + 1]; ++k)
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r)
            if (3 * M.row[k] + r >= 3 * j + c)
              entries.emplace_back(3 * M.row[k] + r, 3 * j + c, M.value[k](r, c));
    A.resize(3 * M.blocks(), 3 * M.blocks());
    A.setFromTriplets(entries.begin(), entries.end());
  }
};

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyze(const BlockSymmetric& pattern, std::span<const int>) {
  impl_->fill(pattern);
  impl_->llt.analyzePattern(impl_->A);
}

bool SparseCholesky::factor(const BlockSymmetric& A) {
  impl_->fill(A);
  impl_->llt.factorize(impl_->A);
  return impl_->llt.info() == Eigen::Success;
}

void SparseCholesky::solve(VecRef b) const { b = impl_->llt.solve(b).eval(); }

void SparseCholesky::project(const PointJacobian& H, MatRef G) const {
  MatX Ht = MatX::Zero(impl_->A.rows(), 3 * H.points());
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      Ht.block<3, 3>(3 * H.column[k], 3 * i) += H.block[k].transpose();
  G += Ht.transpose() * impl_->llt.solve(Ht);
}

}  // namespace palp
