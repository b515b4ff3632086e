// Semi-smooth Newton steps on the contacts that carry a force: the tail of `coulomb` for dense W. With the
// states as they are, the unknowns are
//     stick:  δ = 0                                            f, three numbers
//     slip:   δ_n = 0,  δ_t parallel to f_t,  |f_t| = μ f_n    f_n, and how far f_t turns
//     open:   f = 0                                            nothing
// so that a few contacts that press cost little among many that do not. When the states are right one or two
// steps arrive, however badly W is conditioned. Redundant contacts make W singular: a term ε (f_new − f)/ρ
// picks the nearest of the solutions. Where the states are wrong, a step is cut where the first contact
// leaves its cone; that contact opens or slips, and the next step goes on from there (an active-set method).
//
// small_newton.hpp does the same for up to ten contacts without any bookkeeping.
#pragma once
#include <vector>

#include "palp/solvers/block_lu.hpp"
#include "palp/solvers/prepared.hpp"

namespace palp {

class ReducedNewton {
 public:
  /// Dense W only. Allocates only when the problem is larger than any before.
  void set(const Prepared& prepared);

  /// The states that f has.
  void classify(ConstVecRef f);
  /// Solves for the step from f, whose δ is given, in the present states. False: it cannot be solved.
  bool direction(ConstVecRef f, ConstVecRef delta);
  /// Takes the whole step. Where a state does not hold, f leaves its cone: the next sweep sees what follows.
  void advance(VecRef f) const { advance(f, 1); }
  /// Takes the step up to where the first contact leaves its cone, which changes state. True: that was all.
  bool advance_in_cones(VecRef f);

  /// Arithmetic of a step when so many contacts carry a force.
  static double flops(int closed) { return DenseLu::flops(3 * closed) + 20.0 * 9 * closed * closed; }

 private:
  enum class State : unsigned char { open, stick, slip };
  /// A contact in the system.
  struct Unknown {
    int contact, first, count;  // count: 3 stick, 2 slip, 1 without friction
    double e_1, e_2, length;    // slip: f_t = length e
  };
  void advance(VecRef f, double t) const;

  const Prepared* P_ = nullptr;
  std::vector<State> state_;
  std::vector<Unknown> unknown_;
  DenseLu lu_;
  std::vector<double> x_;  // the step
};

}  // namespace palp
