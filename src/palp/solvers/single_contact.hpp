// One contact: steps of Algorithm 1 (D06 §4) from the first guess while the next one is bound to get there,
// as it is when the normal and the tangents are hardly coupled, else the direct solution (local.hpp). Apart
// from everything else, since it takes less time than preparing more would.
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
  /// False: not solved, f is as good as it gets.
  bool solve(const SolveOptions& options, double* f, SolveReport& report) const;

 private:
  const Prepared* P_ = nullptr;
  Mat3 W_ = Mat3::Zero();
  Vec3 free_ = Vec3::Zero();  // δ_free
  double rho_ = 0;
  LocalBlock block_;
  double inverse_Lambda_ = 0, rate_ = 0;  // 1/Λ; how much a step leaves of the error, at most
};

}  // namespace palp
