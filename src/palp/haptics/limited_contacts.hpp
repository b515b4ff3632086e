// Limited contacts at the low rate (K16 L2, L3): the patches of the surfaces around the points of every tool
// that touches by them become contacts of the step beside the others, and the snapshot's patches and boxes.
#pragma once
#include "palp/haptics/low_step.hpp"

namespace palp {

/// Once: the skins and what each tool may touch.
void prepare_limited(const TwoRateModel& m, LowRate& low);
/// After find_contacts: puts the patches around the tools in the place of the standard contacts of their
/// pairs.
void find_limited(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report);
/// The number of a limited contact among the patches of the step, looked for from `after` on; −1 of any
/// other.
int patch_of(const LowRate& low, const ContactId& id, int after);

/// The snapshot's part, its contacts being known: where they act on the tools, patches and boxes.
void write_sites(const TwoRateModel& m, const LowRate& low, Snapshot& out);

}  // namespace palp
