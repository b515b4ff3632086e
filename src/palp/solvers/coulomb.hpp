// The solvers to choose first.
//   coulomb         Algorithm 1's sweeps (fast_sweep.hpp) under Anderson acceleration (anderson.hpp); where
//                   the rest of them would cost more, Newton steps: on the contacts that carry a force
//                   (reduced_newton.hpp, dense W), or on the smoothed law (smoothing_newton.hpp); and sweeps
//                   again should these fail.
//   coulomb_newton  the same parts, Newton first: for answers at the limit of double precision.
// Both take bilateral blocks and stop on the certificate only.
#pragma once
#include <memory>

#include "palp/solvers/solver.hpp"

namespace palp {

std::unique_ptr<Solver> make_coulomb();
std::unique_ptr<Solver> make_coulomb_newton();

}  // namespace palp
