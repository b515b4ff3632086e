// S6 of the low-rate step: the rows of its problem that the ticks will need, the bodies between them within
// few motions, and what the ticks find there.
#pragma once
#include "palp/haptics/low_step.hpp"

namespace palp {

/// Whether the ticks may move the bodies of a group.
bool reaches_tool(const TwoRateModel& m, const ContactGroup& group);
/// Whether limited contacts bear on them.
bool has_patches(const ContactGroup& group);
/// False: some number is not finite, and `out` must not be published.
bool write_snapshot(const TwoRateModel& m, const ToolState& tools, LowRate& low, LowReport& report,
                    Snapshot& out);

}  // namespace palp
