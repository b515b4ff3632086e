// Solves, and judges the answer by the plain implementation of the certificate.
#pragma once
#include <gtest/gtest.h>

#include "palp/solvers/solver.hpp"
#include "solvers/plain.hpp"

namespace palp::testing {

inline VecX solved(Solver& solver, const Problem& p, double tolerance) {
  VecX f(3 * p.contacts());
  EXPECT_TRUE(solver.set_problem(p));
  const SolveReport r = solver.solve({.tolerance = tolerance, .max_sweeps = 300000}, f);
  EXPECT_TRUE(r.converged()) << solver.name() << " certificate " << r.certificate << " after " << r.sweeps;
  // The sums of δ are taken in another order here: some dozen roundings of terms of its size.
  EXPECT_LE(plain_certificate(p, f), tolerance * (1 + 1e-6) + 5e-14) << solver.name();
  return f;
}

/// A clock that goes by one with every look at it.
inline long looks = 0;
inline double counting_clock() { return static_cast<double>(++looks); }

}  // namespace palp::testing
