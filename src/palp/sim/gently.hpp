// Overlaps that a step finds are undone no faster than it has energy to spare.
#pragma once
#include "palp/sim/model.hpp"

namespace palp::stages {

/// Call after `respond`, with round 0, 1, ... as long as it tells to solve again. A contact that is pushed
/// out by d under the force f does the work f d; the implicit step itself takes
///     D = ½ (Δx/h − v)ᵀ M (Δx/h − v) + Δxᵀ D Δx / h + ½ Δxᵀ K Δx
/// away. Where a soft body in motion would be pushed out with more than that, its overlaps are let be but for
/// the part that D pays for, or a hundredth: their δ_free is raised in the problem. True: solve again. Bodies
/// at rest (loose ones: for some steps) that cross nothing are held by somebody, who pays: they are pushed out
/// at once.
bool ease_overlaps(const Model& model, const State& state, Workspace& ws, int round);

}  // namespace palp::stages
