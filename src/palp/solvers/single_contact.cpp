#include "palp/solvers/single_contact.hpp"

#include <algorithm>
#include <cmath>

#include "palp/solvers/certificate.hpp"

namespace palp {

void SingleContact::set(const Prepared& prepared) {
  W_ = prepared.diagonal[0];
  free_ = prepared.delta_free.head<3>();
  mu_ = prepared.mu(0);
  rho_ = prepared.rho[0];
  block_ = LocalBlock::of(W_);
  const double Lambda = 0.5 * (W_(1, 1) + W_(2, 2));
  inverse_Lambda_ = Lambda > 0 ? 1 / Lambda : 0;
  Mat3 rest = W_;
  rest.diagonal() -= Vec3(rest(0, 0), Lambda, Lambda);
  rate_ = rest.norm() * std::max(block_.inverse_nn, inverse_Lambda_);
}

inline SingleContact::Force SingleContact::delta(const Force& f) const {
  const auto row = [&](int r) { return free_[r] + W_(r, 0) * f.n + W_(r, 1) * f.t_1 + W_(r, 2) * f.t_2; };
  return {row(0), row(1), row(2)};
}

inline SingleContact::Force SingleContact::step(const Force& f, const Force& d) const {
  const double n = f.n - d.n * block_.inverse_nn;
  if (!(n > 0)) return {0, 0, 0};
  const double t_1 = f.t_1 - d.t_1 * inverse_Lambda_, t_2 = f.t_2 - d.t_2 * inverse_Lambda_;
  const double limit = mu_ * n, length2 = t_1 * t_1 + t_2 * t_2;
  if (!(length2 > limit * limit)) return {n, t_1, t_2};
  const double shrink = limit / std::sqrt(length2);
  return {n, shrink * t_1, shrink * t_2};
}

inline bool SingleContact::judge(const Force& f, double tolerance, double* answer,
                                 SolveReport& report) const {
  const Force d = delta(f);
  CertificateSum sum;
  sum.add(false, mu_, rho_, Vec3(f.n, f.t_1, f.t_2), Vec3(d.n, d.t_1, d.t_2), free_);
  const Certificate c = sum.result();
  answer[0] = f.n;
  answer[1] = f.t_1;
  answer[2] = f.t_2;
  ++report.sweeps;
  report.status = c.infeasible ? SolveStatus::infeasible : SolveStatus::converged;
  report.certificate = c.value;
  return c.infeasible || c.within(tolerance);
}

bool SingleContact::solve(const SolveOptions& options, double* f, SolveReport& report) const {
  const double tolerance = options.tolerance;
  if (free_[0] >= 0 && judge({0, 0, 0}, tolerance, f, report)) return true;
  Force guess{0, 0, 0}, d{free_[0], free_[1], free_[2]};
  if (options.warm_start && std::isfinite(f[0] + f[1] + f[2])) {
    guess = {f[0], f[1], f[2]};
    d = delta(guess);
  }
  if (rate_ <= tolerance && judge(step(guess, d), tolerance, f, report)) return true;
  if (report.sweeps >= options.max_sweeps) return false;
  // Of a first guess that slips, δ_t = −α f_t.
  const double alpha = -(d.t_1 * guess.t_1 + d.t_2 * guess.t_2) /
                       (guess.t_1 * guess.t_1 + guess.t_2 * guess.t_2) * block_.inverse_nn;
  const Vec3 x = solve_local(block_, free_, mu_, 0.1 * tolerance, alpha).f;
  return judge({x[0], x[1], x[2]}, tolerance, f, report);
}

}  // namespace palp
