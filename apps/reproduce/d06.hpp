// The experiments of D06, one function each.
#pragma once
#include "experiment.hpp"

namespace palp::reproduce {

// d06_table.cpp, d06_legs.cpp: a deformable table on a floor (§5)
/// Which leg of the table a point is on: 0 to 3 by the signs of x and y.
inline int leg_of(const Vec3& point) { return (point.x() > 0) + 2 * (point.y() > 0); }
Result<Outcome> pyramid_gap(Context& context);
Result<Outcome> pyramid_time(Context& context);
Result<Outcome> delassus_of_the_table(Context& context);
Result<Outcome> leg_spread(Context& context);

// d06_rigid.cpp: the limit of great stiffness (§6)
Result<Outcome> shuffled_contacts(Context& context);
Result<Outcome> stiff_and_light(Context& context);

// d06_snap.cpp: the snap-in task (§7)
Result<Outcome> snap_in(Context& context);
Result<Outcome> soft_pipes(Context& context);
Result<Outcome> step_times(Context& context);

}  // namespace palp::reproduce
