// Limited contacts at the low rate (K16 L2, L3): the patches of the surfaces around the points of every tool
// that touches by them become the snapshot's patches and boxes; their corners, where forces move them, are
// contacts of the step beside the others.
#pragma once
#include "palp/haptics/low_step.hpp"

namespace palp {

/// Once: the skins and what each tool may touch.
void prepare_limited(const TwoRateModel& m, LowRate& low);
/// The bounds on constraints for which there is time, when `last` of them took `tick_us` of a tick and
/// `low_us` of a low-rate step. Times of zero are not known.
GlcRegionSettings in_time(const TwoRateModel& m, int last, double tick_us, double low_us);
/// After find_contacts: finds the patches around the tools; their nodes are contacts of the step.
void find_limited(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report);
/// The snapshot's part, its rows and other contacts being known: where contacts act on the tools, patches and
/// boxes.
void write_sites(const TwoRateModel& m, const LowRate& low, Snapshot& out);

}  // namespace palp
