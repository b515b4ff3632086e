#include "palp/scene/scene_device.hpp"

#include <filesystem>
#include <numbers>

#include "palp/devices/simulated.hpp"
#include "palp/io/number_table.hpp"
#include "palp/math/rotation.hpp"
#include "palp/scene/scene_keys.hpp"

namespace palp {
namespace {

std::optional<Path> read_path(YamlMap& m) {
  std::vector<WayPoint> points;
  const YamlValue list = m.need("path");
  for (const YamlValue& item : list.list()) {
    YamlMap p(item, scene_keys::way_point());
    WayPoint point;
    point.time_s = p.need("time").number();
    point.position = p.need("position").vec3();
    point.orientation = rotation_from_vector(p.get("rotation").vec3() * (std::numbers::pi / 180));
    points.push_back(point);
  }
  std::vector<Sine> sines;
  for (const YamlValue& item : m.get("sines").list()) {
    YamlMap s(item, scene_keys::sine());
    sines.push_back({.amplitude_m = s.need("amplitude").vec3(),
                     .frequency_Hz = s.need("frequency").number(),
                     .phase_rad = s.get("phase").number(),
                     .start_s = s.get("start").number()});
  }
  const bool smooth = m.get("smooth").boolean();
  if (!list.exists()) return std::nullopt;
  auto path = Path::make(std::move(points), std::move(sines), smooth);
  if (path) return std::move(*path);
  list.fail(path.error().message, path.error().remedy);
  return std::nullopt;
}

/// Columns prefix+name[0..n); null when one of them is missing.
template <size_t n>
bool find_columns(const NumberTable& table, const std::string& prefix, const char* const (&names)[n],
                  const std::vector<double>* (&out)[n]) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = table.find(prefix + names[i]);
    if (!out[i]) return false;
  }
  return true;
}

/// Where the series does not tell velocities, those of the line between the neighbouring samples.
void fill_velocities(std::vector<ReplayDevice::Sample>& samples) {
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto &a = samples[i > 0 ? i - 1 : i], &b = samples[std::min(i + 1, samples.size() - 1)];
    const double span = b.time_s - a.time_s;
    if (!(span > 0)) continue;
    DevicePose& pose = samples[i].reading.pose;
    pose.velocity = (b.reading.pose.position - a.reading.pose.position) / span;
    pose.angular_velocity =
        vector_from_rotation(b.reading.pose.orientation * a.reading.pose.orientation.conjugate()) / span;
  }
}

std::unique_ptr<Device> read_replay(YamlMap& m, const std::string& folder) {
  const YamlValue file = m.need("file");
  const std::string name = m.get("name").text();
  const bool smooth = m.get("smooth").boolean();
  if (!file.exists() || file.text().empty()) return nullptr;
  const std::filesystem::path path(file.text());
  auto table =
      read_number_table(path.is_absolute() ? path.string() : (std::filesystem::path(folder) / path).string());
  if (!table) {
    file.fail(table.error().text());
    return nullptr;
  }
  std::string prefix = name;
  if (!name.empty()) prefix.append("_");
  const std::vector<double>*time[1], *x[3], *q[4], *v[6];
  if (!find_columns(*table, "", {"time_s"}, time) ||
      !find_columns(*table, prefix, {"x_m", "y_m", "z_m"}, x)) {
    std::string wanted = file.text();
    wanted.append(" has no columns time_s");
    for (const char* column : {"x_m", "y_m", "z_m"}) wanted.append(", ").append(prefix).append(column);
    file.fail(std::move(wanted), name.empty() ? "name: hand takes the columns hand_x_m, …"
                                              : "check 'name' against the first line of the file");
    return nullptr;
  }
  const bool turns = find_columns(*table, prefix, {"qx", "qy", "qz", "qw"}, q);
  const bool speeds = find_columns(
      *table, prefix,
      {"vx_m_per_s", "vy_m_per_s", "vz_m_per_s", "wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"}, v);
  std::vector<ReplayDevice::Sample> samples(table->rows());
  for (size_t i = 0; i < samples.size(); ++i) {
    DevicePose& pose = samples[i].reading.pose;
    samples[i].time_s = (*time[0])[i];
    for (int k = 0; k < 3; ++k) pose.position[k] = (*x[k])[i];
    if (turns) {
      pose.orientation = Quat((*q[3])[i], (*q[0])[i], (*q[1])[i], (*q[2])[i]);
      if (std::abs(pose.orientation.norm() - 1) > 1e-3) {
        file.fail(
            file.text().append(": row ").append(std::to_string(i + 1)).append(" has no unit quaternion"),
            "qx² + qy² + qz² + qw² is 1");
        return nullptr;
      }
    }
    for (int k = 0; speeds && k < 3; ++k) {
      pose.velocity[k] = (*v[k])[i];
      pose.angular_velocity[k] = (*v[3 + k])[i];
    }
  }
  if (!speeds) fill_velocities(samples);
  auto made = ReplayDevice::make(std::move(samples), smooth);
  if (!made) {
    file.fail(made.error().message, made.error().remedy);
    return nullptr;
  }
  return std::make_unique<ReplayDevice>(std::move(*made));
}

std::unique_ptr<Device> read_hand(YamlMap& m) {
  auto path = read_path(m);
  HandSettings hand;
  hand.mass_kg = m.get("mass").number();
  hand.stiffness_N_per_m = m.get("stiffness").number();
  hand.damping_N_s_per_m = m.get("damping").number();
  hand.inertia_kg_m2 = m.get("inertia").number();
  hand.angular_stiffness_Nm_per_rad = m.get("angularStiffness").number();
  hand.angular_damping_Nm_s_per_rad = m.get("angularDamping").number();
  if (!path) return nullptr;
  auto made = HandDevice::make(std::move(*path), hand);
  if (!made) {
    m.value().fail(made.error().message, made.error().remedy);
    return nullptr;
  }
  return std::make_unique<HandDevice>(std::move(*made));
}

}  // namespace

std::unique_ptr<Device> read_scene_device(YamlMap& m, const std::string& folder) {
  const int type = m.need("type").choice();
  if (type >= 0) m.also(scene_keys::device(static_cast<scene_keys::DeviceType>(type)));
  switch (type) {
    case 0: {
      auto path = read_path(m);
      return path ? std::make_unique<ScriptDevice>(std::move(*path)) : nullptr;
    }
    case 1:
      return read_hand(m);
    case 2:
      return read_replay(m, folder);
    default:
      m.judge_no_more();
      return nullptr;
  }
}

}  // namespace palp
