// The rivals of bench/solvers.cpp: Algorithm 1 of D06 as printed (textbook), the same tuned by hand (tuned),
// and Siconos when it is installed.
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
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace palp::bench {

struct Outcome {
  double us = INFINITY;  ///< infinite: did not reach the tolerance
  std::string who = {};
};

/// D06 Algorithm 1 as printed: contact by contact, δ_i = δ_free,i + Σ_j W_ij f_j over 3×3 blocks, the step,
/// and the certificate after every sweep. Plain loops in double; what the compiler makes of them is its own.
class Textbook {
 public:
  explicit Textbook(const Problem& p) : p_(p), m_(p.contacts()), rho_(m_), delta_(3 * m_) {
    start_.push_back(0);
    for (int i = 0; i < m_; ++i) {
      if (p.W.is_dense) {
        for (int j = 0; j < m_; ++j) add_block(j, p.W.dense.block<3, 3>(3 * i, 3 * j));
      } else {
        for (int k = p.W.sparse.start[i]; k < p.W.sparse.start[i + 1]; ++k)
          add_block(p.W.sparse.column[k], p.W.sparse.value[k]);
      }
      start_.push_back(static_cast<int>(column_.size()));
      const Mat3 W = diagonal_block(p.W, i);
      rho_[i] = contact_rho(W);
      W_nn_.push_back(W(0, 0));
      Lambda_.push_back(0.5 * (W(1, 1) + W(2, 2)));
    }
  }

  bool solve(const VecX& delta_free, double tolerance, double limit_us, VecX& f) {
    double begin = 0;
    for (int sweep = 1;; ++sweep) {
      for (int i = 0; i < m_; ++i) {
        double d[3];
        row(i, delta_free, f, d);
        double* f_i = &f[3 * i];
        const double f_n = W_nn_[i] > 0 ? f_i[0] - d[0] / W_nn_[i] : 0;
        if (!(f_n > 0)) {
          f_i[0] = f_i[1] = f_i[2] = 0;
          continue;
        }
        f_i[0] = f_n;
        if (Lambda_[i] > 0) {
          f_i[1] -= d[1] / Lambda_[i];
          f_i[2] -= d[2] / Lambda_[i];
        }
        const double t = std::sqrt(f_i[1] * f_i[1] + f_i[2] * f_i[2]), limit = p_.mu[i] * f_n;
        if (t > limit) {
          f_i[1] *= limit / t;
          f_i[2] *= limit / t;
        }
      }
      for (int i = 0; i < m_; ++i) row(i, delta_free, f, &delta_[3 * i]);
      CertificateSum sum;  // contact by contact, as printed
      for (int i = 0; i < m_; ++i)
        sum.add(p_.bilateral(i), p_.mu[i], rho_[i], f.segment<3>(3 * i), delta_.segment<3>(3 * i),
                delta_free.segment<3>(3 * i));
      if (sum.result().within(tolerance)) return true;
      if (sweep == 16) begin = now_us();
      if (sweep % 16 == 0 && now_us() - begin > limit_us) return false;
    }
  }

 private:
  void add_block(int j, const Mat3& W) {
    column_.push_back(j);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) value_.push_back(W(r, c));
  }
  void row(int i, const VecX& delta_free, const VecX& f, double* d) const {
    for (int r = 0; r < 3; ++r) d[r] = delta_free[3 * i + r];
    for (int k = start_[i]; k < start_[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          d[r] += value_[9 * static_cast<std::size_t>(k) + 3 * r + c] * f[3 * column_[k] + c];
  }

  const Problem& p_;
  int m_;
  VecX rho_, delta_;
  std::vector<int> start_, column_;
  std::vector<double> value_, W_nn_, Lambda_;
};

/// Algorithm 1 as someone who cares would write it: row by row in double with vectorised products; the
/// certificate only when the change of a sweep suggests convergence, and every tenth sweep.
class TunedGaussSeidel {
 public:
  explicit TunedGaussSeidel(const Problem& p) : p_(p), m_(p.contacts()), rho_(m_), delta_(3 * m_) {
    for (int i = 0; i < m_; ++i) {
      blocks_.push_back(diagonal_block(p.W, i));
      rho_[i] = contact_rho(blocks_[i]);
    }
    if (p.W.is_dense) rows_ = p.W.dense;
  }

  bool solve(const VecX& delta_free, double tolerance, double limit_us, VecX& f) {
    double begin = 0;
    for (int sweep = 1;; ++sweep) {
      double change = 0, size = 0;
      for (int i = 0; i < m_; ++i) {
        Vec3 d = delta_free.segment<3>(3 * i);
        if (p_.W.is_dense) {
          d.noalias() += rows_.middleRows<3>(3 * i) * f;
        } else {
          const BlockSparse& S = p_.W.sparse;
          for (int k = S.start[i]; k < S.start[i + 1]; ++k)
            d.noalias() += S.value[k] * f.segment<3>(3 * S.column[k]);
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
      if (certificate(p_, delta_free, rho_, f, delta_).within(tolerance)) return true;
      if (sweep >= 16 && begin == 0) begin = now_us();
      if (sweep >= 16 && now_us() - begin > limit_us) return false;
    }
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

/// Siconos' solvers on one problem, cold or warm. Its own error measure differs from the certificate, so its
/// tolerance is tightened until the certificate is met; only the last, successful run is counted. Each solver
/// runs in a process of its own: some of them crash or print without end on some problems.
class Siconos {
 public:
  explicit Siconos(const Problem& p) : p_(p), n_(3 * p.contacts()) {}

  Outcome best(const VecX& delta_free, const VecX& start, double tolerance, double limit_us) {
    struct Variant {
      const char* name;
      int solver, local;
      bool blocks;
    };
    static constexpr Variant variants[] = {
        {"NSGS", SICONOS_FRICTION_3D_NSGS, 0, true},
        {"NSGS-dense", SICONOS_FRICTION_3D_NSGS, 0, false},
        {"NSGS-quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, true},
        {"NSGS-newton", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, true},
        {"NSGS-projection", SICONOS_FRICTION_3D_NSGS,
         SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, true},
        {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 0, true},
        {"ADMM", SICONOS_FRICTION_3D_ADMM, 0, true},
    };
    Outcome out;
    for (const Variant& v : variants) {
      if (!v.blocks && !p_.W.is_dense) continue;
      const double us = in_own_process(1e-6 * 4 * limit_us, [&] {
        return run(v.solver, v.local, v.blocks, delta_free, start, tolerance, limit_us);
      });
      if (us < out.us) out = {us, v.name};
    }
    return out;
  }

 private:
  /// work() in a child; infinite when it dies or takes longer than `seconds`.
  template <class Work>
  static double in_own_process(double seconds, Work&& work) {
    int ends[2];
    if (pipe(ends) != 0) return INFINITY;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, 1);
      dup2(nowhere, 2);
      const double whole = std::floor(seconds);
      const itimerval end{
          .it_interval = {},
          .it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>(1e6 * (seconds - whole))}};
      setitimer(ITIMER_REAL, &end, nullptr);
      const double us = work();
      _exit(write(ends[1], &us, sizeof us) == sizeof us ? 0 : 1);
    }
    close(ends[1]);
    double us = INFINITY;
    if (child < 0 || read(ends[0], &us, sizeof us) != sizeof us) us = INFINITY;
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return us;
  }

  double run(int solver, int local, bool blocks, const VecX& delta_free, const VecX& start, double tolerance,
             double limit_us) const {
    numerics_set_verbose(0);
    NumericsMatrix* W = NM_create(blocks ? NM_SPARSE_BLOCK : NM_DENSE, n_, n_);
    if (blocks) {
      NumericsMatrix* triplet = NM_create(NM_SPARSE, n_, n_);
      NM_triplet_alloc(triplet, p_.W.is_dense ? p_.W.dense.size() : 9 * p_.W.sparse.column.size());
      for_each_entry(p_.W, [&](int i, int j, double v) { NM_entry(triplet, i, j, v); });
      SBM_from_csparse(3, NM_csc(triplet), W->matrix1);
    } else {
      std::copy(p_.W.dense.data(), p_.W.dense.data() + p_.W.dense.size(), W->matrix0);
    }
    Problem judged = p_;
    judged.delta_free = delta_free;
    VecX f(n_), u(n_), q = delta_free, mu = p_.mu;
    FrictionContactProblem* problem = frictionContactProblem_new();
    problem->dimension = 3;
    problem->numberOfContacts = p_.contacts();
    problem->M = W;
    problem->q = q.data();
    problem->mu = mu.data();
    for (double own = 10 * tolerance; own > 1e-4 * tolerance; own *= 0.1) {
      double least = INFINITY;
      for (int k = 0; k < 5; ++k) {
        f = start;
        u = delta_free;
        SolverOptions* options = solver_options_create(solver);
        if (local) solver_options_update_internal(options, 0, local);
        options->dparam[SICONOS_DPARAM_TOL] = own;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = solver == SICONOS_FRICTION_3D_NSN_AC ? 200 : 100000;
        const double before = now_us();
        fc3d_driver(problem, f.data(), u.data(), options);
        least = std::min(least, now_us() - before);
        if (!f.allFinite() || least > limit_us) return INFINITY;
        if (!certificate(judged, f).within(tolerance)) {
          least = INFINITY;
          break;
        }
        if (least > 3000) break;
      }
      if (least < INFINITY) return least;
    }
    return INFINITY;
  }

  const Problem& p_;
  int n_;
};
#else
inline constexpr bool have_siconos = false;
struct Siconos {
  explicit Siconos(const Problem&) {}
  Outcome best(const VecX&, const VecX&, double, double) { return {}; }
};
#endif

}  // namespace palp::bench
