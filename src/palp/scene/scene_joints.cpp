#include "palp/scene/scene_joints.hpp"

#include <algorithm>
#include <map>

#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp {
namespace {

using Keeps = Attachment::Keeps;

struct JointReader {
  const std::vector<std::string>& body_names;
  const std::vector<std::string>& devices;
  Scene& scene;

  const Body& body(int b) const { return *scene.model.bodies[static_cast<size_t>(b)].body; }
  const std::string& name(int b) const { return scene.model.bodies[static_cast<size_t>(b)].name; }

  /// One name or two into body1 and body2. False, with the error, when they cannot be joined.
  bool read_bodies(YamlMap& m, Attachment& a) const {
    const YamlValue names = m.need("bodies");
    const auto list = names.is_list() ? names.list() : std::vector<YamlValue>{};
    if (list.empty() || list.size() > 2) {
      if (names.exists())
        names.fail("an attachment joins one body to the world or two bodies", "bodies: [a] or [a, b]");
      return false;
    }
    a.body1 = list[0].choice(-1, body_names);
    a.body2 = list.size() == 2 ? list[1].choice(-1, body_names) : -1;
    if (a.body1 < 0 || (list.size() == 2 && a.body2 < 0) || !names.context().errors.empty()) return false;
    if (a.body1 == a.body2) {
      names.fail("a body cannot be attached to itself", "name two different bodies");
      return false;
    }
    const bool moves = body(a.body1).movable() || (a.body2 >= 0 && body(a.body2).movable());
    if (!moves) names.fail("nothing moves these bodies: there is nothing to join", "join a body that moves");
    return moves;
  }

  bool rigid(int b) const {
    return dynamic_cast<const RigidBody*>(&body(b)) != nullptr ||
           dynamic_cast<const Obstacle*>(&body(b)) != nullptr;
  }

  /// The point of a body that is at `at`: exactly for a rigid one, the nearest vertex of the skin for the
  /// others.
  SkinPoint point(int b, const Vec3& at) const {
    std::vector<Vec3> skin(static_cast<size_t>(body(b).skin().vertices));
    body(b).skin_positions(body(b).rest_state(), VecX(), skin);
    SkinPoint out;
    if (rigid(b) && rigid_point(skin, at, out)) return out;
    const int v = nearest_vertex(body(b), at);
    return {{v, v, v}, {1, 0, 0}};
  }

  double size(int b) const {
    std::vector<Vec3> skin(static_cast<size_t>(body(b).skin().vertices));
    body(b).skin_positions(body(b).rest_state(), VecX(), skin);
    Vec3 lo = skin[0], hi = skin[0];
    for (const Vec3& x : skin) lo = lo.cwiseMin(x), hi = hi.cwiseMax(x);
    return (hi - lo).norm();
  }

  void read_attachments(const YamlValue& value) {
    // Which points are already held together: a tree of joined points, each an earlier one's child. −1 = the
    // world.
    std::map<std::pair<int, int>, std::pair<int, int>> parent;
    const std::pair<int, int> world{-1, 0};
    const auto root = [&](std::pair<int, int> point) {
      for (auto it = parent.find(point); it != parent.end(); it = parent.find(point)) point = it->second;
      return point;
    };
    for (const YamlValue& item : value.list()) {
      YamlMap m(item, scene_keys::attachment());
      Attachment a;
      const Vec3 at = m.need("at").vec3();
      a.when = read_switch(m, devices);
      if (!read_bodies(m, a)) continue;
      const int v1 = nearest_vertex(body(a.body1), at),
                v2 = a.body2 >= 0 ? nearest_vertex(body(a.body2), at) : 0;
      a.P = {{v1, v1, v1}, {1, 0, 0}};
      a.Q = {{v2, v2, v2}, {1, 0, 0}};
      a.anchor = at;
      const auto first = root({a.body1, v1});
      const auto second = a.body2 >= 0 ? root({a.body2, v2}) : world;
      if (first == second) {
        item.fail("the attachments go in a circle: these points are already held together by earlier ones",
                  "remove this attachment, or give another point 'at'");
        continue;
      }
      if (first == world)
        parent[second] = first;
      else
        parent[first] = second;
      scene.model.attachments.push_back(a);
    }
  }

  void read_springs(const YamlValue& value) {
    for (const YamlValue& item : value.list()) {
      YamlMap m(item, scene_keys::spring());
      Attachment a;
      const YamlValue at = m.need("at"), length = m.get("length");
      const auto ends = at.is_list() ? at.list() : std::vector<YamlValue>{};
      a.stiffness_N_per_m = m.get("stiffness").number();
      a.damping_N_s_per_m = m.get("damping").number();
      a.when = read_switch(m, devices);
      const bool bodies = read_bodies(m, a);
      if (ends.size() != 2) {
        if (at.exists())
          at.fail("a spring has two ends", "at: [[x, y, z], [x, y, z]], the first on the first body");
        continue;
      }
      const Vec3 p = ends[0].vec3(), q = ends[1].vec3();
      if (!(a.stiffness_N_per_m + a.damping_N_s_per_m > 0))
        item.fail("a spring has a stiffness, a damping, or both", "e.g. stiffness: 100");
      if (!bodies || !item.context().errors.empty()) continue;
      a.P = point(a.body1, p);
      if (a.body2 >= 0) a.Q = point(a.body2, q);
      a.anchor = q;
      // Where the ends really are: on soft bodies the nearest vertices.
      const auto where = [&](int b, const SkinPoint& on) {
        std::vector<Vec3> skin(static_cast<size_t>(body(b).skin().vertices));
        body(b).skin_positions(body(b).rest_state(), VecX(), skin);
        return on.at(skin);
      };
      const double apart = (where(a.body1, a.P) - (a.body2 < 0 ? q : where(a.body2, a.Q))).norm();
      a.length_m = length.number(apart);
      // Without a length there is no direction where the ends meet: such a spring pulls along all three.
      a.keeps = a.length_m > 0 ? Keeps::distance : Keeps::point;
      if (a.keeps == Keeps::distance && !(apart > 1e-9)) {
        at.fail("the ends of the spring are at the same place: it has no direction",
                "length: 0, or move one end");
        continue;
      }
      scene.model.attachments.push_back(a);
    }
  }

  /// Adds one part of a joint: at a point, along an axis through it.
  void part(Attachment a, Keeps keeps, const Vec3& at, const Vec3& axis) {
    a.keeps = keeps;
    a.P = point(a.body1, at);
    a.anchor = at;
    a.anchor2 = at + axis;
    if (a.body2 >= 0) {
      a.Q = point(a.body2, at);
      a.Q2 = point(a.body2, at + axis);
    }
    scene.model.attachments.push_back(a);
  }

  void read_joints(const YamlValue& value) {
    for (const YamlValue& item : value.list()) {
      YamlMap m(item, scene_keys::joint());
      Attachment a;
      const YamlValue kind = m.need("type");
      const int type = kind.choice();
      const Vec3 at = m.need("at").vec3();
      const YamlValue axis = type >= 1 && type <= 3 ? m.need("axis") : m.get("axis");
      const Vec3 direction = axis.vec3();
      const bool touching = m.get("contact").boolean();
      a.when = read_switch(m, devices);
      if (!(direction.norm() > 1e-9)) axis.fail("'" + axis.path() + "' has no direction", "e.g. [0, 0, 1]");
      if (axis.exists() && (type == 0 || type == 4))
        axis.fail("a " + kind.text() + " has no axis", "leave it out");
      if (m.has("from") || m.has("button"))
        item.fail("a joint is there from the start: it cannot be taken later",
                  "until and breakForce let it go");
      if (!read_bodies(m, a) || type < 0 || !item.context().errors.empty()) continue;
      for (int b : {a.body1, a.body2})
        if (b >= 0 && !rigid(b))
          item.fail("'" + name(b) + "' is no rigid body: only those have joints",
                    "attachments and springs hold on to the skin of any body");
      if (!item.context().errors.empty()) continue;
      const Vec3 n = direction.normalized(), u = n.unitOrthogonal();
      const double arm = 0.5 * size(body(a.body1).movable() ? a.body1 : a.body2);
      a.joint = static_cast<int>(scene.model.attachments.size());
      const bool slides = type == 2 || type == 3;
      part(a, slides ? Keeps::line : Keeps::point, at, arm * n);
      if (type != 0) part(a, Keeps::line, at + arm * n, arm * n);
      if (type == 2 || type == 4) part(a, Keeps::plane, at + arm * u, arm * n.cross(u));
      if (!touching)
        std::erase_if(scene.model.rules, [&](const TouchRule& rule) {
          return std::minmax(rule.body1, rule.body2) == std::minmax(a.body1, a.body2);
        });
    }
  }
};

}  // namespace

Switch read_switch(YamlMap& m, const std::vector<std::string>& devices, int holder) {
  Switch s;
  const YamlValue from = m.get("from"), until = m.get("until"), force = m.get("breakForce"),
                  button = m.get("button");
  if (from.exists()) s.from_s = from.number();
  if (until.exists()) s.until_s = until.number();
  if (force.exists()) s.break_N = force.number(1);
  if (s.until_s <= s.from_s) until.fail("'until' is not after 'from'", "it is there between the two times");
  if (!button.exists()) return s;
  int number = 1;
  if (holder >= 0) {
    s.device = holder;
    number = button.integer();
  } else {
    YamlMap b(button, scene_keys::button());
    s.device = b.need("device").choice(-1, devices);
    number = b.get("number").integer();
  }
  s.button = 1u << (number - 1);
  return s;
}

void read_scene_joints(YamlMap& m, const std::vector<std::string>& body_names,
                       const std::vector<std::string>& devices, Scene& scene) {
  JointReader reader{body_names, devices, scene};
  reader.read_attachments(m.get("attachments"));
  reader.read_springs(m.get("springs"));
  reader.read_joints(m.get("joints"));
}

}  // namespace palp
