#include "palp/sim/contact_wrench.hpp"

namespace palp {

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

}  // namespace palp
