// The sweeping solvers: visit the contacts in order, solve each with the others frozen (D06 eq. 25), update δ
// by columns.
//   signorini_gs   f_n ← max(0, f_n − δ_n/W_nn), no friction (D04 §III.A)
//   coulomb_gs     Algorithm 1 of D06: W_ii replaced by diag(W_nn, Λ, Λ), Λ = mean eigenvalue of (W_ii)_tt
//   coulomb_nsgs   the exact local solve (local.hpp); when the certificate stops falling (exact local steps
//   can cycle),
//                  Algorithm 1's step takes over, and back
// All take bilateral blocks, with the step f ← f − W_ii⁻¹ δ. They stop on the certificate, never on a small
// change.
#pragma once
#include <memory>

#include "palp/solvers/solver.hpp"

namespace palp {

std::unique_ptr<Solver> make_signorini_gs();
std::unique_ptr<Solver> make_coulomb_gs();
std::unique_ptr<Solver> make_coulomb_nsgs();

}  // namespace palp
