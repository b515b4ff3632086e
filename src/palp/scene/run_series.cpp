#include "palp/scene/run_series.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace

std::vector<std::string> series_columns(const Scene& scene) {
  std::vector<std::string> names(std::begin(step_columns), std::end(step_columns));
  for (const auto& device : scene.devices)
    for (const char* column : device_columns) names.push_back(device.name + "_" + column);
  return names;
}

void series_values(const StepRecord& r, std::span<double> out) {
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
  double* to = std::copy(std::begin(step), std::end(step), out.data());
  const auto put = [&](const auto& vector) {
    to = std::copy(vector.data(), vector.data() + vector.size(), to);
  };
  for (const auto& hand : r.hands) {
    put(hand.pose.position);
    put(hand.pose.orientation.coeffs());
    put(hand.pose.velocity);
    put(hand.pose.angular_velocity);
    put(hand.wrench.force);
    put(hand.wrench.torque);
  }
}

void write_series_header(std::ostream& csv, const Scene& scene) {
  const char* comma = "";
  for (const std::string& name : series_columns(scene)) {
    csv << comma << name;
    comma = ",";
  }
  csv << '\n';
}

void write_series_row(std::ostream& csv, const StepRecord& record) {
  std::vector<double> values(std::size(step_columns) + std::size(device_columns) * record.hands.size());
  series_values(record, values);
  const auto reports = csv.precision(9);
  for (size_t c = 0; c < values.size(); ++c) {
    if (c == std::size(step_columns)) csv.precision(std::numeric_limits<double>::max_digits10);
    csv << (c > 0 ? "," : "") << values[c];
  }
  csv.precision(reports);
  csv << '\n';
}

}  // namespace palp
