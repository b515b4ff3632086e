// One contact: a step of Algorithm 1 (D06 §4) where it is as good as exact, since the normal and the tangents
// are hardly coupled, else the direct solution (local.hpp). Apart from everything else, since it takes less
// time than preparing more would.
#pragma once
#include "palp/solvers/local.hpp"
#include "palp/solvers/prepared.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

class SingleContact {
 public:
  /// A problem of one contact that is not bilateral.
  void set(const Prepared& prepared);
  void set_delta_free(const Vec3& delta_free) { free_ = delta_free; }
  /// All of the report but the time. False: not solved, f is as good as it gets.
  bool solve(const SolveOptions& options, double* f, SolveReport& report) const;

 private:
  /// Plain numbers, which stay in registers: a force or a δ.
  struct Force {
    double n, t_1, t_2;
  };
  Force delta(const Force& f) const;
  /// One step of Algorithm 1 from f with its δ.
  Force step(const Force& f, const Force& delta) const;
  bool judge(const Force& f, double tolerance, double* answer, SolveReport& report) const;

  Mat3 W_ = Mat3::Zero();
  Vec3 free_ = Vec3::Zero();  // δ_free
  double mu_ = 0, rho_ = 0;
  LocalBlock block_;
  double inverse_Lambda_ = 0, rate_ = 0;  // 1/Λ; how much a step leaves of the error, at most
};

}  // namespace palp
