#include "palp/scene/run_series.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace palp {
namespace {

constexpr const char* step_columns[] = {
    "time_s",        "contacts",    "active",      "sweeps",    "certificate", "converged",
    "penetration_m", "violation_m", "kinetic_J",   "elastic_J", "given_J",     "free_motion_us",
    "proximity_us",  "contacts_us", "delassus_us", "solve_us",  "motion_us"};
constexpr const char* device_columns[] = {
    "x_m",        "y_m",        "z_m",        "qx",           "qy",           "qz",           "qw",
    "vx_m_per_s", "vy_m_per_s", "vz_m_per_s", "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s", "fx_N",
    "fy_N",       "fz_N",       "tx_Nm",      "ty_Nm",        "tz_Nm"};

/// Bodies that move as a whole: one frame with a rotation.
bool has_pose(const Body& body, const BodyState& state, BodyFrame& frame) {
  BodyFrame second;
  return body.frame(state, 0, frame) && frame.has_rotation && !body.frame(state, 1, second);
}

/// Centre of mass of finite elements, middle of the skin of anything else.
Vec3 middle(const Body& body, const BodyState& state, const SceneRun& run, int b) {
  Vec3 sum = Vec3::Zero();
  if (const auto* fem = dynamic_cast<const FemBody*>(&body)) {
    for (int n = 0; n < fem->blocks(); ++n) sum += fem->node_mass()[n] * state.x.segment<3>(3 * n);
    return sum / fem->mass();
  }
  const std::vector<Vec3> skin = run.skin(b).nodes;
  for (const Vec3& p : skin) sum += p / static_cast<double>(skin.size());
  return sum;
}

/// The force on the first body of every pair that touches.
std::map<std::pair<int, int>, Vec3> pair_forces(const Workspace& ws) {
  std::map<std::pair<int, int>, Vec3> sum;
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[g];
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      if (c.bilateral) continue;
      const Vec3 f = c.frame.transpose() * group.f.segment<3>(3 * static_cast<int>(i));
      sum.try_emplace({c.id.body1, c.id.body2}, Vec3::Zero()).first->second += f;
    }
  }
  return sum;
}

}  // namespace

std::vector<std::string> series_columns(const Scene& scene) {
  std::vector<std::string> names(std::begin(step_columns), std::end(step_columns));
  const auto add = [&](const std::string& whose, const auto& columns) {
    for (const char* column : columns) names.push_back(whose + "_" + column);
  };
  using Columns = std::initializer_list<const char*>;
  for (const auto& device : scene.devices) add(device.name, device_columns);
  for (const auto& body : scene.model.bodies) {
    BodyFrame frame;
    add(body.name, Columns{"x_m", "y_m", "z_m"});
    if (has_pose(*body.body, body.body->rest_state(), frame)) add(body.name, Columns{"qx", "qy", "qz", "qw"});
  }
  for (const TouchRule& rule : scene.model.rules)
    add(scene.model.bodies[rule.body1].name + "-" + scene.model.bodies[rule.body2].name,
        Columns{"fx_N", "fy_N", "fz_N"});
  for (size_t b = 0; b < scene.meshes.size(); ++b)
    if (!scene.meshes[b].supports.empty())
      add(scene.model.bodies[b].name + "_reaction", Columns{"x_N", "y_N", "z_N"});
  return names;
}

void series_values(const Scene& scene, SceneRun& run, std::vector<double>& out) {
  const StepRecord& r = run.record();
  const auto& t = r.report.times;
  const double step[] = {r.time_s,
                         static_cast<double>(r.report.contacts),
                         static_cast<double>(r.report.active_contacts),
                         static_cast<double>(r.report.sweeps),
                         r.report.certificate,
                         r.report.converged ? 1.0 : 0.0,
                         r.report.penetration_m,
                         r.report.violation_m,
                         r.kinetic_J,
                         r.elastic_J,
                         r.given_J,
                         t.free_motion_us,
                         t.proximity_us,
                         t.contacts_us,
                         t.delassus_us,
                         t.solve_us,
                         t.motion_us};
  static_assert(std::size(step) == std::size(step_columns));
  out.insert(out.end(), std::begin(step), std::end(step));
  const auto put = [&](const auto& vector) {
    out.insert(out.end(), vector.data(), vector.data() + vector.size());
  };
  for (const auto& hand : r.hands) {
    put(hand.pose.position);
    put(hand.pose.orientation.coeffs());
    put(hand.pose.velocity);
    put(hand.pose.angular_velocity);
    put(hand.wrench.force);
    put(hand.wrench.torque);
  }
  for (size_t b = 0; b < scene.model.bodies.size(); ++b) {
    BodyFrame frame;
    const Body& body = *scene.model.bodies[b].body;
    if (has_pose(body, run.state().bodies[b], frame)) {
      put(frame.position);
      put(frame.orientation.coeffs());
    } else {
      put(middle(body, run.state().bodies[b], run, static_cast<int>(b)));
    }
  }
  const auto pairs = pair_forces(run.workspace());
  const auto force = [&](int a, int b) {
    const auto at = pairs.find({a, b});
    return at == pairs.end() ? Vec3(Vec3::Zero()) : at->second;
  };
  for (const TouchRule& rule : scene.model.rules)
    put(Vec3(force(rule.body1, rule.body2) - force(rule.body2, rule.body1)));
  for (size_t b = 0; b < scene.meshes.size(); ++b)
    if (!scene.meshes[b].supports.empty()) put(run.support_force(static_cast<int>(b)));
}

void write_series_header(std::ostream& csv, const Scene& scene) {
  const char* comma = "";
  for (const std::string& name : series_columns(scene)) {
    csv << comma << name;
    comma = ",";
  }
  csv << '\n';
}

void write_series_row(std::ostream& csv, const Scene& scene, SceneRun& run) {
  std::vector<double> values;
  series_values(scene, run, values);
  const size_t hands = std::size(step_columns),
               bodies = hands + std::size(device_columns) * run.record().hands.size();
  const auto before = csv.precision(9);
  for (size_t c = 0; c < values.size(); ++c) {
    csv.precision(c >= hands && c < bodies ? std::numeric_limits<double>::max_digits10 : 9);
    csv << (c > 0 ? "," : "") << values[c];
  }
  csv.precision(before);
  csv << '\n';
}

}  // namespace palp
