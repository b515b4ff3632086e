// The ways to refactor A and form W = H A⁻¹ Hᵀ that bench/compliance.cpp compares. One core each.
#pragma once
#include <memory>
#include <string>

#include <Eigen/SparseCholesky>

#include "palp/math/sparse_cholesky.hpp"
#ifdef PALP_HAS_CHOLMOD
#include <cholmod.h>
#include <dlfcn.h>
#endif

namespace palp::bench {

using Sparse = Eigen::SparseMatrix<double>;

/// A way prepares once (analysis, conversions), then factors and projects again and again.
struct Way {
  virtual ~Way() = default;
  virtual bool factor() = 0;
  virtual void project(MatX& W) = 0;
  virtual double factor_flops() const { return 0; }  ///< 0 = not known
};

/// Lower triangle.
inline Sparse to_sparse(const BlockSymmetric& A) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.blocks(); ++j)
    for (int k = A.start[j]; k < A.start[j + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
          if (3 * A.row[k] + r >= 3 * j + c)
            entries.emplace_back(3 * A.row[k] + r, 3 * j + c, A.value[k](r, c));
  Sparse S(3 * A.blocks(), 3 * A.blocks());
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

/// Hᵀ, one column per contact row.
inline Sparse to_sparse(const PointJacobian& H, int blocks) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < H.points(); ++i)
    for (int k = H.start[i]; k < H.start[i + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) entries.emplace_back(3 * H.column[k] + c, 3 * i + r, H.block[k](r, c));
  Sparse Ht(3 * blocks, 3 * H.points());
  Ht.setFromTriplets(entries.begin(), entries.end());
  return Ht;
}

/// Scalar simplicial Cholesky. Full solves for every contact row: what the field does; or forward solves
/// only.
class EigenSimplicial : public Way {
 public:
  EigenSimplicial(const BlockSymmetric& A, const PointJacobian& H, bool forward_only)
      : A_(to_sparse(A)), Ht_(to_sparse(H, A.blocks())), forward_only_(forward_only) {
    llt_.analyzePattern(A_);
  }
  bool factor() override {
    llt_.factorize(A_);
    return llt_.info() == Eigen::Success;
  }
  void project(MatX& W) override {
    if (forward_only_) {
      MatX Y = llt_.permutationP() * MatX(Ht_);
      llt_.matrixL().solveInPlace(Y);
      W.setZero();
      W.selfadjointView<Eigen::Lower>().rankUpdate(Y.transpose());
      W.triangularView<Eigen::StrictlyUpper>() = W.transpose();
    } else {
      W.noalias() = Ht_.transpose() * llt_.solve(MatX(Ht_));
    }
  }

 private:
  Sparse A_, Ht_;
  bool forward_only_;
  Eigen::SimplicialLLT<Sparse> llt_;
};

class Ours : public Way {
 public:
  Ours(const BlockSymmetric& A, const PointJacobian& H, std::span<const int> candidates,
       CholeskyOptions options)
      : A_(A), H_(H) {
    cholesky_.analyze(A, candidates, options);
  }
  bool factor() override { return cholesky_.factor(A_); }
  void project(MatX& W) override {
    W.setZero();
    cholesky_.project(H_, W);
  }
  double factor_flops() const override { return cholesky_.statistics().factor_flops; }

 private:
  const BlockSymmetric& A_;
  const PointJacobian& H_;
  SparseCholesky cholesky_;
};

#ifdef PALP_HAS_CHOLMOD
extern "C" void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
                       const double*, const int*, const double*, const int*, const double*, double*,
                       const int*);

/// OpenBLAS would use every core: one is the rule here. Returns the name of the BLAS in use.
inline std::string single_threaded_blas() {
  if (auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set(1);
    auto* config = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
    return config ? config() : "OpenBLAS";
  }
  return "the system's BLAS (not OpenBLAS)";
}

/// Supernodal Cholesky on BLAS, nested dissection, forward solves only (dense right-hand sides).
class CholmodSupernodal : public Way {
 public:
  CholmodSupernodal(const BlockSymmetric& A, const PointJacobian& H)
      : A_(to_sparse(A)), Ht_(to_sparse(H, A.blocks())) {
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_METIS;
    common_.postorder = 1;
    view_.nrow = view_.ncol = A_.rows();
    view_.nzmax = A_.nonZeros();
    view_.p = A_.outerIndexPtr();
    view_.i = A_.innerIndexPtr();
    view_.x = A_.valuePtr();
    view_.stype = -1;
    view_.itype = CHOLMOD_INT;
    view_.xtype = CHOLMOD_REAL;
    view_.dtype = CHOLMOD_DOUBLE;
    view_.sorted = view_.packed = 1;
    factor_ = cholmod_analyze(&view_, &common_);
  }
  ~CholmodSupernodal() override {
    cholmod_free_dense(&X_, &common_);
    cholmod_free_dense(&Y_, &common_);
    cholmod_free_dense(&E_, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }
  CholmodSupernodal(const CholmodSupernodal&) = delete;
  CholmodSupernodal& operator=(const CholmodSupernodal&) = delete;
  bool factor() override {
    return cholmod_factorize(&view_, factor_, &common_) && factor_->minor == factor_->n;
  }
  void project(MatX& W) override {
    const auto* order = static_cast<const int*>(factor_->Perm);
    const MatX full(Ht_);
    MatX B(full.rows(), full.cols());
    for (int k = 0; k < B.rows(); ++k) B.row(k) = full.row(order[k]);
    cholmod_dense b{};
    b.nrow = b.d = B.rows();
    b.ncol = B.cols();
    b.nzmax = B.size();
    b.x = B.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_L, factor_, &b, nullptr, &X_, nullptr, &Y_, &E_, &common_);
    const int m = static_cast<int>(B.cols()), n = static_cast<int>(B.rows());
    const double one = 1, zero = 0;
    const auto* Y = static_cast<const double*>(X_->x);
    dgemm_("T", "N", &m, &m, &n, &one, Y, &n, Y, &n, &zero, W.data(), &m);
  }
  double factor_flops() const override { return common_.fl; }

 private:
  Sparse A_, Ht_;
  cholmod_common common_;
  cholmod_sparse view_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *X_ = nullptr, *Y_ = nullptr, *E_ = nullptr;
};
#endif

}  // namespace palp::bench
