#include "palp/solvers/single_contact.hpp"

#include <algorithm>
#include <cmath>

#include "palp/solvers/certificate.hpp"

namespace palp {

void SingleContact::set(const Prepared& prepared) {
  P_ = &prepared;
  W_ = prepared.diagonal[0];
  free_ = prepared.delta_free.head<3>();
  rho_ = prepared.rho[0];
  block_ = LocalBlock::of(W_);
  const double Lambda = 0.5 * (W_(1, 1) + W_(2, 2));
  inverse_Lambda_ = Lambda > 0 ? 1 / Lambda : 0;
  Mat3 rest = W_;
  rest.diagonal() -= Vec3(rest(0, 0), Lambda, Lambda);
  rate_ = rest.norm() * std::max(block_.inverse_nn, inverse_Lambda_);
}

bool SingleContact::solve(const SolveOptions& options, double* f, SolveReport& report) const {
  const double start_us = options.now(), tolerance = options.tolerance, mu = P_->mu(0);
  const auto delta = [&](double n, double t_1, double t_2) {
    return Vec3(free_[0] + W_(0, 0) * n + W_(0, 1) * t_1 + W_(0, 2) * t_2,
                free_[1] + W_(1, 0) * n + W_(1, 1) * t_1 + W_(1, 2) * t_2,
                free_[2] + W_(2, 0) * n + W_(2, 1) * t_1 + W_(2, 2) * t_2);
  };
  double n = 0, t_1 = 0, t_2 = 0;
  Vec3 d = free_;
  if (options.warm_start && std::isfinite(f[0] + f[1] + f[2])) {
    n = f[0];
    t_1 = f[1];
    t_2 = f[2];
    d = delta(n, t_1, t_2);
  }
  for (bool direct = false;;) {
    if (direct) {
      const double alpha = -(d[1] * t_1 + d[2] * t_2) / (t_1 * t_1 + t_2 * t_2);
      const Vec3 x = solve_local(block_, free_, mu, 0.1 * tolerance, alpha).f;
      n = x[0];
      t_1 = x[1];
      t_2 = x[2];
    } else {
      n -= d[0] * block_.inverse_nn;
      if (n > 0) {
        t_1 -= d[1] * inverse_Lambda_;
        t_2 -= d[2] * inverse_Lambda_;
        const double limit = mu * n, length2 = t_1 * t_1 + t_2 * t_2;
        if (length2 > limit * limit) {
          const double shrink = limit / std::sqrt(length2);
          t_1 *= shrink;
          t_2 *= shrink;
        }
      } else {
        n = t_1 = t_2 = 0;
      }
    }
    d = delta(n, t_1, t_2);
    CertificateSum sum;
    sum.add(false, mu, rho_, Vec3(n, t_1, t_2), d, free_);
    const Certificate c = sum.result();
    ++report.sweeps;
    const bool done = c.infeasible || c.within(tolerance);
    if (!done && !direct && report.sweeps < options.max_sweeps) {
      direct = !(0.5 * rate_ * c.value <= tolerance);
      continue;
    }
    f[0] = n;
    f[1] = t_1;
    f[2] = t_2;
    report.status = c.infeasible ? SolveStatus::infeasible : SolveStatus::converged;
    report.certificate = c.value;
    report.time_us = options.now() - start_us;
    return done;
  }
}

}  // namespace palp
