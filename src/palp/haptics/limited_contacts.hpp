// Limited contacts at the low rate (K16 L2, L3): the patches of the surfaces around every point that touches
// by them become contacts of the step beside the others, and the snapshot's patches and boxes.
#pragma once
#include "palp/haptics/low_step.hpp"

namespace palp {

/// Once: the skins and what each probe may touch.
void prepare_limited(const TwoRateModel& m, LowRate& low);
/// After find_contacts: puts the patches around the probes in the place of the standard contacts of their
/// pairs.
void find_limited(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report);
/// The number of a limited contact among the patches of the step, looked for from `after` on; −1 of any
/// other.
int patch_of(const LowRate& low, const ContactId& id, int after);

/// The snapshot's part: boxes and compliances first, then contact by contact.
void begin_patches(const TwoRateModel& m, const LowRate& low, Snapshot& out);
void add_patch(const TwoRateModel& m, const LowRate& low, const LowRate::Place& place,
               const SnapshotContact& contact, const Problem& problem, int number, Snapshot& out);

}  // namespace palp
