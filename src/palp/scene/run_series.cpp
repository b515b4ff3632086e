#include "palp/scene/run_series.hpp"

#include <limits>

namespace palp {

void write_series_header(std::ostream& csv, const Scene& scene) {
  csv << "time_s,contacts,active,sweeps,certificate,converged,penetration_m,violation_m,kinetic_J,elastic_J,"
         "given_J,"
         "free_motion_us,proximity_us,contacts_us,delassus_us,solve_us,motion_us";
  for (const auto& d : scene.devices)
    for (const char* column :
         {"x_m", "y_m", "z_m", "qx", "qy", "qz", "qw", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s",
          "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s", "fx_N", "fy_N", "fz_N", "tx_Nm", "ty_Nm", "tz_Nm"})
      csv << ',' << d.name << '_' << column;
  csv << '\n';
}

void write_series_row(std::ostream& csv, const StepRecord& r) {
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
  csv.precision(reports);
  csv << '\n';
}

}  // namespace palp
