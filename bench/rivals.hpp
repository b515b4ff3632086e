// The rivals of bench/solvers.cpp: Algorithm 1 of D06 as a textbook would write it, and Siconos when it is installed.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "palp/base/clock.hpp"
#include "palp/solvers/certificate.hpp"

#ifdef PALP_BENCH_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <NumericsVerbose.h>
#endif

namespace palp::bench {

struct Outcome {
  double us = INFINITY;  ///< infinite: did not reach the tolerance
  std::string who = {};
};

/// Row by row, double precision, residual of every contact afresh. The certificate is only evaluated when the change
/// of a sweep suggests convergence, and every tenth sweep.
class TextbookGaussSeidel {
 public:
  explicit TextbookGaussSeidel(const Problem& p) : p_(p), m_(p.contacts()), rho_(m_), delta_(3 * m_) {
    for (int i = 0; i < m_; ++i) {
      blocks_.push_back(diagonal_block(p.W, i));
      rho_[i] = contact_rho(blocks_[i]);
    }
    if (p.W.is_dense) rows_ = p.W.dense;
  }

  double solve(const VecX& delta_free, double tolerance, int max_sweeps, double limit_us, VecX& f) {
    const double start = now_us();
    for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
      double change = 0, size = 0;
      for (int i = 0; i < m_; ++i) {
        Vec3 d = delta_free.segment<3>(3 * i);
        if (p_.W.is_dense) {
          d.noalias() += rows_.middleRows<3>(3 * i) * f;
        } else {
          const BlockSparse& S = p_.W.sparse;
          for (int k = S.start[i]; k < S.start[i + 1]; ++k) d.noalias() += S.value[k] * f.segment<3>(3 * S.column[k]);
        }
        const Mat3& W = blocks_[i];
        const Vec3 old = f.segment<3>(3 * i);
        Vec3 next = Vec3::Zero();
        if (W(0, 0) > 0 && old[0] - d[0] / W(0, 0) > 0) {
          next[0] = old[0] - d[0] / W(0, 0);
          const double Lambda = 0.5 * (W(1, 1) + W(2, 2));
          if (Lambda > 0) next.tail<2>() = old.tail<2>() - d.tail<2>() / Lambda;
          const double t = next.tail<2>().norm(), limit = p_.mu[i] * next[0];
          if (t > limit) next.tail<2>() *= limit / t;
        }
        f.segment<3>(3 * i) = next;
        change += (next - old).squaredNorm();
        size += next.squaredNorm();
      }
      if (change > 100 * tolerance * tolerance * size && sweep % 10 != 0) continue;
      if (p_.W.is_dense) {
        delta_.noalias() = rows_ * f;
      } else {
        multiply(p_, f, delta_);
        delta_ -= p_.delta_free;
      }
      delta_ += delta_free;
      if (certificate(p_, delta_free, rho_, f, delta_).within(tolerance)) return now_us() - start;
      if (now_us() - start > limit_us) break;
    }
    return INFINITY;
  }

 private:
  const Problem& p_;
  int m_;
  VecX rho_, delta_;
  std::vector<Mat3> blocks_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;
};

#ifdef PALP_BENCH_SICONOS
inline constexpr bool have_siconos = true;

/// Siconos' solvers on one problem. Its own error measure differs from the certificate, so its tolerance is tightened
/// until the certificate is met; only the last, successful run is counted.
class Siconos {
 public:
  explicit Siconos(const Problem& p) : p_(p), n_(3 * p.contacts()), mu_(p.mu), q_(p.delta_free) {
    numerics_set_verbose(0);
    if (p.W.is_dense) {
      W_ = NM_create(NM_DENSE, n_, n_);
      std::copy(p.W.dense.data(), p.W.dense.data() + p.W.dense.size(), W_->matrix0);
    } else {
      triplet_ = NM_create(NM_SPARSE, n_, n_);
      NM_triplet_alloc(triplet_, 9 * p.W.sparse.column.size());
      for_each_entry(p.W, [&](int i, int j, double v) { NM_entry(triplet_, i, j, v); });
      W_ = NM_create(NM_SPARSE_BLOCK, n_, n_);
      SBM_from_csparse(3, NM_csc(triplet_), W_->matrix1);
    }
    problem_ = frictionContactProblem_new();
    problem_->dimension = 3;
    problem_->numberOfContacts = p.contacts();
    problem_->M = W_;
    problem_->q = q_.data();
    problem_->mu = mu_.data();
  }
  ~Siconos() {
    free(problem_);
    NM_clear(W_);
    free(W_);
    if (triplet_) {
      NM_clear(triplet_);
      free(triplet_);
    }
  }
  Siconos(const Siconos&) = delete;

  Outcome best(const VecX& delta_free, const VecX& start, double tolerance, double limit_us) {
    struct Variant {
      const char* name;
      int solver, local;
    };
    static constexpr Variant variants[] = {
        {"NSGS", SICONOS_FRICTION_3D_NSGS, 0},
        {"NSGS-quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC},
        {"NSGS-newton", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN},
        {"NSGS-projection", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration},
        {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0},
        {"ADMM", SICONOS_FRICTION_3D_ADMM, 0},
    };
    q_ = delta_free;
    Problem judged = p_;
    judged.delta_free = delta_free;
    Outcome out;
    VecX f(n_), u(n_);
    for (const Variant& v : variants)
      for (double own = 10 * tolerance; own > 1e-3 * tolerance; own *= 0.1) {
        double least = INFINITY;
        bool reached = false;
        for (int run = 0; run < 5; ++run) {
          f = start;
          u.setZero();
          SolverOptions* options = solver_options_create(v.solver);
          if (v.local) solver_options_update_internal(options, 0, v.local);
          options->dparam[SICONOS_DPARAM_TOL] = own;
          options->iparam[SICONOS_IPARAM_MAX_ITER] = v.solver == SICONOS_FRICTION_3D_NSN_AC ? 200 : 20000;
          const double before = now_us();
          fc3d_driver(problem_, f.data(), u.data(), options);
          least = std::min(least, now_us() - before);
          solver_options_delete(options);
          free(options);
          if (run == 0) reached = f.allFinite() && certificate(judged, f).within(tolerance);
          if (!reached || least > 2000 || least > 3 * out.us) break;
        }
        if (reached && least < out.us) out = {least, v.name};
        if (reached || least > limit_us || least > 5 * out.us) break;
      }
    return out;
  }

 private:
  const Problem& p_;
  int n_;
  VecX mu_, q_;
  NumericsMatrix *W_ = nullptr, *triplet_ = nullptr;
  FrictionContactProblem* problem_ = nullptr;
};
#else
inline constexpr bool have_siconos = false;
struct Siconos {
  explicit Siconos(const Problem&) {}
  Outcome best(const VecX&, const VecX&, double, double) { return {}; }
};
#endif

}  // namespace palp::bench
