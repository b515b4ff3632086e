// Where a body would be after a step, before its state is written: so that a step which leaves the numbers
// behind fails with everything as it was.
#pragma once
#include <cmath>

#include "palp/mechanics/body.hpp"

namespace palp {

/// Whether a state is made of numbers that can be gone on with: finite, its kinetic energy finite, and no
/// coordinate so large (10¹⁰⁰) that the elastic energy, a square of it, is not. Written so that NaN is no
/// such number. No body allocates to tell its kinetic energy: this is part of every step.
inline bool is_finite(const Body& body, const BodyState& state) {
  constexpr double most = 1e100;
  return state.x.squaredNorm() < most * most && state.v.squaredNorm() < most * most &&
         std::isfinite(body.kinetic_energy(state));
}

/// next = state ⊕ (dx_free + dx_c). False: it is not finite.
inline bool next_state(const Body& body, const BodyWorkspace& ws, ConstVecRef dx_c, const BodyState& state,
                       BodyState& next) {
  next = state;
  body.commit(ws, dx_c, next);
  return is_finite(body, next);
}

}  // namespace palp
