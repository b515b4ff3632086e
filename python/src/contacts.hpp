// Contacts as arrays.
#pragma once
#include "common.hpp"

#include "palp/scene/live.hpp"
#include "palp/scene/run.hpp"

namespace palp::python {

/// The contacts of a step, on the skins as they are now.
inline void gather(const SceneRun& run, const std::vector<std::vector<Vec3>>& skins,
                   std::vector<LiveView::Contact>& out) {
  run.for_each_contact([&](const Contact& c, const Vec3& f, double) {
    out.push_back({c.id.body1, c.id.body2, c.P.at(skins[static_cast<size_t>(c.id.body1)]), c.frame.row(0),
                   c.frame.transpose() * f});
  });
}

inline py::dict contact_arrays(const Scene& scene, const std::vector<LiveView::Contact>& contacts) {
  std::vector<Vec3> position, normal, force;
  py::list body1, body2;
  for (const LiveView::Contact& c : contacts) {
    position.push_back(c.position);
    normal.push_back(c.normal);
    force.push_back(c.force_N);
    body1.append(scene.model.bodies[static_cast<size_t>(c.body1)].name);
    body2.append(c.body2 < 0 ? py::object(py::none())
                             : py::object(py::str(scene.model.bodies[static_cast<size_t>(c.body2)].name)));
  }
  return py::dict("body1"_a = body1, "body2"_a = body2, "position"_a = copied_points(position),
                  "normal"_a = copied_points(normal), "force"_a = copied_points(force));
}

}  // namespace palp::python
