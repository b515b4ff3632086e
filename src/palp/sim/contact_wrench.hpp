// The sum of the contact forces on one body, and what holds its nodes, for reports and for whoever drives a
// body that nothing can push.
#pragma once
#include "palp/sim/model.hpp"

namespace palp {

/// Force and torque about `about`, world axes, of all contacts and attachments of the last step on `body`.
/// By Newton's third law the sums over two bodies that touch only each other are opposite.
void contact_wrench(const Workspace& ws, int body, const Vec3& about, Vec3& force, Vec3& torque);

/// Body::constraint_force of the last step, dof() entries.
void constraint_force(const Model& model, const Workspace& ws, int body, VecX& out);

}  // namespace palp
