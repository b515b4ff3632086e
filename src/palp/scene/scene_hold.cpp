#include "palp/scene/scene_hold.hpp"

#include <algorithm>

#include "palp/scene/scene_joints.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp {
namespace {

struct HoldReader {
  YamlMap& m;
  int device;
  int held;
  const SceneBody& made;
  Scene& scene;
  const SceneNodes& nodes = made.nodes;
  Switch when = {};

  const Body& body() const { return *scene.model.bodies[held].body; }
  DevicePose pose() const { return scene.devices[device].device->read(0).pose; }

  CouplingSettings read_coupling() {
    CouplingSettings c;
    c.stiffness_N_per_m = m.get("stiffness").number();
    c.angular_stiffness_Nm_per_rad = m.get("angularStiffness").number();
    const YamlValue damping = m.get("damping"), angular = m.get("angularDamping");
    c.damping_N_s_per_m = damping.number(critical_damping(c.stiffness_N_per_m, body().mass()));
    // Without inertia at hand the angular damping takes the translation's time constant.
    c.angular_damping_Nm_s_per_rad =
        angular.number(c.angular_stiffness_Nm_per_rad * c.damping_N_s_per_m / c.stiffness_N_per_m);
    return c;
  }

  /// The driven frames that the selection names; all when there is none.
  std::vector<int> driven(const YamlValue& selection) {
    std::vector<int> frames;
    const std::vector<int> wanted = read_selection(selection, nodes);
    const BodyState rest = body().rest_state();
    for (int k = 0; k < made.graspable; ++k) {
      const BodyFrame frame = body().driven_frame(rest, k);
      const int node = frame.block / (frame.has_rotation ? 2 : 1);
      if (!selection.exists() || std::find(wanted.begin(), wanted.end(), node) != wanted.end())
        frames.push_back(k);
    }
    if (frames.empty())
      m.value().fail("the device carries no node of '" + scene.model.bodies[held].name + "'",
                     "its nodes must be in the body's grasp: grasp: {box: …}");
    for (const Grasp& other : scene.grasps)
      if (other.body == held && other.rigid && std::any_of(frames.begin(), frames.end(), [&](int k) {
            return std::find(other.frames.begin(), other.frames.end(), k) != other.frames.end();
          }))
        m.value().fail("two devices carry the same part of '" + scene.model.bodies[held].name + "'",
                       "give each its own nodes: nodes: {box: …}");
    return frames;
  }

  void add_grasp(std::vector<int> frames, const CouplingSettings* coupling) {
    if (!m.value().context().errors.empty()) return;
    auto grasp =
        grasp_here(scene.model, make_state(scene.model), held, std::move(frames), device, pose(), coupling);
    if (grasp) {
      grasp->when = when;
      scene.grasps.push_back(std::move(*grasp));
    } else {
      m.value().fail(grasp.error().message, grasp.error().remedy);
    }
  }

  void read() {
    const YamlValue frame = m.get("frame"), selection = m.get("nodes"), stiffness = m.get("stiffness");
    const bool can_be_carried = made.graspable > 0;
    when = read_switch(m, {}, device);
    const bool rigid = m.get("rigid").boolean(can_be_carried && !stiffness.exists() && !frame.exists());
    if (rigid) {
      for (const char* key : {"stiffness", "damping", "angularStiffness", "angularDamping", "frame"})
        if (m.has(key))
          m.get(key).fail(std::string("a rigid hold has no '") + key + "'", "rigid: false makes it a spring");
      if (!when.always() && body().movable())
        m.value().fail("a rigid hold is there all the time: its nodes are driven",
                       "a spring can be taken and let go");
      add_grasp(driven(selection), nullptr);
      return;
    }
    if (!body().movable()) {
      m.value().fail("'" + scene.model.bodies[held].name + "' is an obstacle: no spring moves it",
                     "rigid: true carries it, or choose model: rigid");
      return;
    }
    const CouplingSettings coupling = read_coupling();
    if (selection.exists()) {
      if (nodes.positions.empty())
        m.value().fail("'" + scene.model.bodies[held].name + "' has one frame, no nodes to hold",
                       "leave 'nodes' out");
      else
        add_grasp(read_selection(selection, nodes), &coupling);
      return;
    }
    BodyFrame found;
    const bool has_rotation = body().frame(body().rest_state(), 0, found) && found.has_rotation;
    if (!frame.exists() && !nodes.positions.empty() && !has_rotation) {
      m.value().fail(
          "body '" + scene.model.bodies[held].name + "' has no frame of its own to hold",
          "hold some of its nodes by springs (nodes: {box: …}) or rigidly (grasp: {box: …} in the body); "
          "rigid, globalCorotational, beam and point bodies have frames");
      return;
    }
    auto grip =
        grip_here(scene.model, make_state(scene.model), held, frame.integer(), device, pose(), coupling);
    if (!grip) return m.value().fail(grip.error().message, grip.error().remedy);
    grip->when = when;
    scene.grips.push_back(*grip);
  }
};

}  // namespace

void read_scene_holds(const YamlValue& value, int device, const std::vector<SceneBody>& bodies,
                      const std::vector<std::string>& body_names, Scene& scene) {
  if (!value.exists()) return;
  if (value.is_list()) {
    for (const YamlValue& item : value.list()) read_scene_holds(item, device, bodies, body_names, scene);
    return;
  }
  YamlMap m(value, scene_keys::hold());
  const int held = m.need("body").choice(-1, body_names);
  if (held < 0 || !scene.devices[device].device || !value.context().errors.empty()) {
    m.judge_no_more();  // the body or the device is not there to ask
    return;
  }
  HoldReader{m, device, held, bodies[held], scene}.read();
}

}  // namespace palp
