#include "palp/scene/scene_doubts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "palp/devices/simulated.hpp"

namespace palp {
namespace {

std::string metres(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g m", length);
  return text;
}

/// Diagonal of the box around the skin where the body starts.
double extent(const Body& body) {
  std::vector<Vec3> x(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(body.rest_state(), VecX(), x);
  if (x.empty()) return 0;
  Vec3 lo = x[0], hi = x[0];
  for (const Vec3& p : x) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
  return (hi - lo).norm();
}

/// A part in millimetres is a thousand times too large: against the other bodies, against the distance at
/// which it is to feel them, and against how far it falls while the scene lasts.
void warn_of_millimetres(const Scene& scene, YamlMap& root, std::vector<std::string>& warnings) {
  const auto& bodies = scene.model.bodies;
  std::vector<double> size;
  for (const auto& entry : bodies) size.push_back(extent(*entry.body));
  for (size_t b = 0; b < bodies.size(); ++b) {
    const YamlValue at(root.get("bodies").node()[bodies[b].name], "bodies." + bodies[b].name,
                       root.value().context());
    const bool scaled = at.is_map() && at.node()["scale"].IsDefined();
    const bool meshed = at.is_map() && at.node()["mesh"].IsDefined() && at.node()["mesh"].IsMap();
    const bool file = meshed && at.node()["mesh"]["file"].IsDefined();
    if (scaled || !(size[b] > 0) || (!file && !bodies[b].body->movable())) continue;
    std::vector<double> others;
    for (size_t k = 0; k < size.size(); ++k)
      if (k != b && size[k] > 0) others.push_back(size[k]);
    double alarm = 0;
    for (const TouchRule& rule : scene.model.rules)
      if (rule.body1 == static_cast<int>(b) || rule.body2 == static_cast<int>(b))
        alarm = std::max(alarm, rule.alarm_distance_m);
    const double largest = others.empty() ? 0 : *std::max_element(others.begin(), others.end());
    const double fall = 0.5 * scene.model.gravity.norm() * scene.seconds * scene.seconds;
    std::string why;
    if (largest > 0 && size[b] > 100 * largest)
      why = "every other body is smaller than " + metres(largest);
    else if (alarm > 0 && size[b] > 2 && size[b] > 1000 * alarm)
      why = "it feels others at " + metres(alarm) + " only (alarmDistance)";
    else if (size[b] > 20 && fall > 0 && size[b] > fall)
      why = "in " + std::to_string(scene.seconds).substr(0, 5) + " s it falls " + metres(fall) + " only";
    if (why.empty()) continue;
    warnings.push_back(
        at.located("'" + at.path() + "' is " + metres(size[b]) + " large, and " + why,
                   file ? "a file in millimetres needs scale: 0.001" : "lengths are in metres"));
  }
}

/// The arm takes the force explicitly, as a real one does: without a spring in between it meets the body's
/// whole stiffness and mass.
void warn_of_hands(const Scene& scene, YamlMap& root, std::vector<std::string>& warnings) {
  for (const Grasp& grasp : scene.grasps) {
    const SceneDevice& device = scene.devices[static_cast<size_t>(grasp.device)];
    if (!grasp.rigid || !dynamic_cast<const HandDevice*>(device.device.get())) continue;
    const YamlValue at(root.get("devices").node()[device.name], "devices." + device.name,
                       root.value().context());
    warnings.push_back(
        at.located("'" + at.path() + "' is a hand that carries '" +
                       scene.model.bodies[static_cast<size_t>(grasp.body)].name +
                       "' without a spring: with a stiff or heavy body the loop becomes unstable",
                   "give the hold a stiffness, or make the device a script"));
  }
}

/// Contact pushes out of a closed surface along its normals: where they point inwards it pulls in. Meshes of
/// rigid bodies and obstacles are refused; this finds skins that soft bodies carry.
void warn_of_inside_out(const Scene& scene, YamlMap& root, std::vector<std::string>& warnings) {
  for (const auto& entry : scene.model.bodies) {
    const Skin& skin = entry.body->skin();
    std::map<Edge, int> sides;  // +1 one way, −1 the other: a closed surface has none left
    for (const Triangle& t : skin.triangles)
      for (int k = 0; k < 3; ++k) {
        const int a = t[static_cast<size_t>(k)], b = t[static_cast<size_t>((k + 1) % 3)];
        sides[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
      }
    if (sides.empty() || std::any_of(sides.begin(), sides.end(), [](const auto& s) { return s.second != 0; }))
      continue;
    std::vector<Vec3> x(static_cast<size_t>(skin.vertices));
    entry.body->skin_positions(entry.body->rest_state(), VecX(), x);
    double volume = 0;
    const Vec3 origin = x[static_cast<size_t>(skin.triangles[0][0])];
    for (const Triangle& t : skin.triangles)
      volume +=
          (x[static_cast<size_t>(t[0])] - origin)
              .dot((x[static_cast<size_t>(t[1])] - origin).cross(x[static_cast<size_t>(t[2])] - origin));
    if (!(volume < 0)) continue;
    const YamlValue at(root.get("bodies").node()[entry.name], "bodies." + entry.name, root.value().context());
    warnings.push_back(
        at.located("'" + at.path() + "': its surface is inside out, contact would pull instead of push",
                   "flip its triangles"));
  }
}

void warn_of_walls(const Scene& scene, const std::vector<SceneBody>& bodies, YamlMap& root,
                   std::vector<std::string>& warnings) {
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].hardens || bodies[b].one_cell < 0.5) continue;
    const std::string& name = scene.model.bodies[b].name;
    const YamlValue at(root.get("bodies").node()[name], "bodies." + name, root.value().context());
    warnings.push_back(
        at.located("'" + at.path() + "': " + std::to_string(std::lround(100 * bodies[b].one_cell)) +
                       " % of its elements reach from one side to the other: it bends far too little",
                   "more cells through its walls, or elements: hexes or quadraticTets"));
  }
}

}  // namespace

void warn_of_doubts(const Scene& scene, const std::vector<SceneBody>& bodies, YamlMap& root,
                    std::vector<std::string>& warnings) {
  warn_of_millimetres(scene, root, warnings);
  warn_of_inside_out(scene, root, warnings);
  warn_of_hands(scene, root, warnings);
  warn_of_walls(scene, bodies, root, warnings);
}

}  // namespace palp
