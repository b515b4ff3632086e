#include "scene_picture.hpp"

#include <algorithm>

namespace palp {

WorldForces contact_forces(const SceneRun& run) {
  WorldForces w;
  std::vector<std::vector<Vec3>> skin(run.workspace().bodies.size());
  run.for_each_contact([&](const Contact& c, const Vec3& f, double) {
    if (f.squaredNorm() == 0) return;
    std::vector<Vec3>& nodes = skin[c.id.body1];
    if (nodes.empty()) nodes = run.skin(c.id.body1).nodes;
    w.at.push_back(c.P.at(nodes));
    w.force.push_back(c.frame.transpose() * f);
  });
  return w;
}

Picture draw_scene(const Scene& scene, const SceneRun& run, bool arrows, int hidden_body) {
  const Color grey{0.78, 0.78, 0.76};
  Picture picture;
  double size = 0;
  for (int b = 0; b < static_cast<int>(scene.model.bodies.size()); ++b) {
    const Body& body = *scene.model.bodies[b].body;
    const TriMesh mesh = run.skin(b);
    Eigen::AlignedBox3d box;
    for (const Vec3& x : mesh.nodes) box.extend(x);
    if (body.movable() && !mesh.nodes.empty()) size = std::max(size, box.diagonal().norm());
    if (b == hidden_body) continue;
    if (mesh.triangles.empty())
      picture.add_line(mesh.nodes, series_color(b), body.skin().radius);
    else
      picture.add(mesh, {.color = body.movable() ? series_color(b) : grey,
                         .edges = body.movable() && mesh.triangles.size() < 1500});
  }
  if (arrows) {
    const WorldForces w = contact_forces(run);
    double top = 0;
    for (const Vec3& f : w.force) top = std::max(top, f.norm());
    if (top > 0) picture.add_arrows(w.at, w.force, {0.80, 0.20, 0.15}, 0.3 * size / top);
  }
  return picture;
}

}  // namespace palp
