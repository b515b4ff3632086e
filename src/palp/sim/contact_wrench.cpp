#include "palp/sim/contact_wrench.hpp"

namespace palp {
namespace {

/// The rows of H and the forces of the group that the body belongs to; null when nothing touches it.
const BodyContacts* contacts_of(const Workspace& ws, int body) {
  for (int g = 0; g < ws.group_count; ++g)
    for (size_t k = 0; k < ws.groups[g].bodies.size(); ++k)
      if (ws.groups[g].bodies[k] == body) return &ws.groups[g].rows[k];
  return nullptr;
}

}  // namespace

void contact_wrench(const Workspace& ws, int body, const Vec3& about, Vec3& force, Vec3& torque) {
  force.setZero();
  torque.setZero();
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[g];
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      if (c.id.body1 != body && c.id.body2 != body) continue;
      const Vec3 on_first = c.frame.transpose() * group.f.segment<3>(3 * static_cast<int>(i));
      if (c.id.body1 == body) {
        force += on_first;
        torque += (c.P.at(ws.bodies[body].skin_free) - about).cross(on_first);
      }
      if (c.id.body2 == body) {
        force -= on_first;
        torque -= (c.Q.at(ws.bodies[body].skin_free) - about).cross(on_first);
      }
    }
  }
}

void constraint_force(const Model& model, const Workspace& ws, int body, VecX& out) {
  static const PointJacobian no_rows;
  static const VecX no_force;
  const Body& b = *model.bodies[body].body;
  const auto& w = ws.bodies[body];
  out.resize(b.dof());
  if (const BodyContacts* rows = contacts_of(ws, body))
    b.constraint_force(*w.mechanics, rows->H, rows->lambda.head(3 * rows->H.points()), w.dx_c, out);
  else
    b.constraint_force(*w.mechanics, no_rows, no_force, w.dx_c, out);
}

}  // namespace palp
