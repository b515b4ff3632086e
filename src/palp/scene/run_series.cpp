#include "palp/scene/run_series.hpp"

#include <limits>
#include <map>

namespace palp {
namespace {

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

}  // namespace

void write_series_header(std::ostream& csv, const Scene& scene) {
  csv << "time_s,contacts,active,sweeps,certificate,converged,penetration_m,violation_m,kinetic_J,elastic_J,"
         "given_J,"
         "free_motion_us,proximity_us,contacts_us,delassus_us,solve_us,motion_us";
  for (const auto& d : scene.devices)
    for (const char* column :
         {"x_m", "y_m", "z_m", "qx", "qy", "qz", "qw", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s",
          "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s", "fx_N", "fy_N", "fz_N", "tx_Nm", "ty_Nm", "tz_Nm"})
      csv << ',' << d.name << '_' << column;
  for (const auto& body : scene.model.bodies) {
    BodyFrame frame;
    const auto columns = [&](std::initializer_list<const char*> names) {
      for (const char* name : names) csv << ',' << body.name << '_' << name;
    };
    if (has_pose(*body.body, body.body->rest_state(), frame))
      columns({"x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"});
    else
      columns({"x_m", "y_m", "z_m"});
  }
  for (const TouchRule& rule : scene.model.rules)
    for (const char* axis : {"fx_N", "fy_N", "fz_N"})
      csv << ',' << scene.model.bodies[rule.body1].name << '-' << scene.model.bodies[rule.body2].name << '_'
          << axis;
  for (size_t b = 0; b < scene.meshes.size(); ++b)
    if (!scene.meshes[b].support_blocks.empty())
      for (const char* axis : {"x_N", "y_N", "z_N"})
        csv << ',' << scene.model.bodies[b].name << "_reaction_" << axis;
  csv << '\n';
}

void write_series_row(std::ostream& csv, const Scene& scene, SceneRun& run) {
  const StepRecord& r = run.record();
  const auto& t = r.report.times;
  const auto reports = csv.precision(9);
  csv << r.time_s << ',' << r.report.contacts << ',' << r.report.active_contacts << ',' << r.report.sweeps
      << ',' << r.report.certificate << ',' << r.report.converged << ',' << r.report.penetration_m << ','
      << r.report.violation_m << ',' << r.kinetic_J << ',' << r.elastic_J << ',' << r.given_J << ','
      << t.free_motion_us << ',' << t.proximity_us << ',' << t.contacts_us << ',' << t.delassus_us << ','
      << t.solve_us << ',' << t.motion_us;
  csv.precision(std::numeric_limits<double>::max_digits10);
  const auto write = [&](const auto& vector) {
    for (int k = 0; k < static_cast<int>(vector.size()); ++k) csv << ',' << vector[k];
  };
  for (const auto& hand : r.hands) {
    write(hand.pose.position);
    write(hand.pose.orientation.coeffs());
    write(hand.pose.velocity);
    write(hand.pose.angular_velocity);
    write(hand.wrench.force);
    write(hand.wrench.torque);
  }
  csv.precision(9);
  for (size_t b = 0; b < scene.model.bodies.size(); ++b) {
    BodyFrame frame;
    const Body& body = *scene.model.bodies[b].body;
    if (has_pose(body, run.state().bodies[b], frame)) {
      write(frame.position);
      write(frame.orientation.coeffs());
    } else {
      write(middle(body, run.state().bodies[b], run, static_cast<int>(b)));
    }
  }
  std::map<std::pair<int, int>, Vec3> pair;
  for (int g = 0; g < run.workspace().group_count; ++g) {
    const ContactGroup& group = run.workspace().groups[g];
    for (size_t i = 0; i < group.contacts.size(); ++i) {
      const Contact& c = group.contacts[i];
      if (c.bilateral) continue;
      const Vec3 f = c.frame.transpose() * group.f.segment<3>(3 * static_cast<int>(i));
      pair.try_emplace({c.id.body1, c.id.body2}, Vec3::Zero()).first->second += f;
    }
  }
  const auto force = [&](int a, int b) {
    const auto at = pair.find({a, b});
    return at == pair.end() ? Vec3(Vec3::Zero()) : at->second;
  };
  for (const TouchRule& rule : scene.model.rules)
    write(Vec3(force(rule.body1, rule.body2) - force(rule.body2, rule.body1)));
  for (size_t b = 0; b < scene.meshes.size(); ++b)
    if (!scene.meshes[b].support_blocks.empty()) write(run.support_force(static_cast<int>(b)));
  csv.precision(reports);
  csv << '\n';
}

}  // namespace palp
