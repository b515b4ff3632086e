#include "palp/scene/run_series.hpp"

#include <limits>
#include <set>

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

/// Every part of the table in its order: kind, number, what the names of its columns begin with, the columns.
template <class Use>
void each_part(const Scene& scene, const Use& use) {
  using Kind = SeriesPart;
  using Columns = std::initializer_list<const char*>;
  const auto& bodies = scene.model.bodies;
  use(Kind::step, 0, std::string(), step_columns);
  for (size_t d = 0; d < scene.devices.size(); ++d)
    use(Kind::device, d, scene.devices[d].name + "_", device_columns);
  for (size_t b = 0; b < bodies.size(); ++b) {
    BodyFrame frame;
    if (has_pose(*bodies[b].body, bodies[b].body->rest_state(), frame))
      use(Kind::pose, b, bodies[b].name + "_", Columns{"x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"});
    else
      use(Kind::middle, b, bodies[b].name + "_", Columns{"x_m", "y_m", "z_m"});
  }
  for (size_t r = 0; r < scene.model.rules.size(); ++r) {
    const TouchRule& rule = scene.model.rules[r];
    if (rule.body1 == rule.body2) continue;  // its forces on itself sum to zero
    use(Kind::pair, r,
        bodies[static_cast<size_t>(rule.body1)].name + "-" + bodies[static_cast<size_t>(rule.body2)].name +
            "_",
        Columns{"fx_N", "fy_N", "fz_N"});
  }
  for (size_t b = 0; b < scene.meshes.size(); ++b)
    if (!scene.meshes[b].supports.empty())
      use(Kind::support, b, bodies[b].name + "_reaction_", Columns{"x_N", "y_N", "z_N"});
}

}  // namespace

RunSeries::RunSeries(const Scene& scene) : RunSeries(scene, series_columns(scene)) {}

RunSeries::RunSeries(const Scene& scene, const std::vector<std::string>& wanted) : scene_(scene) {
  const std::set<std::string> names(wanted.begin(), wanted.end());
  each_part(scene, [&](SeriesPart kind, size_t number, const std::string& whose, const auto& columns) {
    Part part{kind, static_cast<int>(number)};
    size_t k = 0;
    for (const char* column : columns) {
      const std::string name = whose + column;
      if (names.count(name)) {
        part.wanted.push_back(k);
        columns_.push_back(name);
        exact_.push_back(kind == SeriesPart::device);
      }
      ++k;
    }
    if (part.wanted.empty()) return;
    if (kind == SeriesPart::pair) {
      const TouchRule& rule = scene.model.rules[number];
      for (const auto& order : {std::pair(rule.body1, rule.body2), std::pair(rule.body2, rule.body1)}) {
        sum_of_[order] = sums_.size();
        sums_.emplace_back(Vec3::Zero());
      }
    }
    parts_.push_back(std::move(part));
  });
}

/// Centre of mass of finite elements, middle of the skin of anything else.
Vec3 RunSeries::middle(SceneRun& run, int b) {
  const Body& body = *scene_.model.bodies[static_cast<size_t>(b)].body;
  const BodyState& state = run.state().bodies[static_cast<size_t>(b)];
  Vec3 sum = Vec3::Zero();
  if (const auto* fem = dynamic_cast<const FemBody*>(&body)) {
    for (int n = 0; n < fem->blocks(); ++n) sum += fem->node_mass()[n] * state.x.segment<3>(3 * n);
    return sum / fem->mass();
  }
  skin_.resize(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(state, VecX(), skin_);
  for (const Vec3& p : skin_) sum += p / static_cast<double>(skin_.size());
  return sum;
}

void RunSeries::sum_pairs(const SceneRun& run) {
  for (Vec3& sum : sums_) sum.setZero();
  run.for_each_contact([&](const Contact& c, const Vec3& f, double) {
    const auto at = c.bilateral ? sum_of_.end() : sum_of_.find({c.id.body1, c.id.body2});
    if (at != sum_of_.end()) sums_[at->second] += c.frame.transpose() * f;
  });
}

void RunSeries::fill(const Part& part, SceneRun& run, std::vector<double>& out) {
  const StepRecord& r = run.record();
  const auto put = [&](const auto& vector) {
    out.insert(out.end(), vector.data(), vector.data() + vector.size());
  };
  const auto n = static_cast<size_t>(part.number);
  switch (part.kind) {
    case SeriesPart::step: {
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
      return;
    }
    case SeriesPart::device: {
      const StepRecord::Hand& hand = r.hands[n];
      put(hand.pose.position);
      put(hand.pose.orientation.coeffs());
      put(hand.pose.velocity);
      put(hand.pose.angular_velocity);
      put(hand.wrench.force);
      put(hand.wrench.torque);
      return;
    }
    case SeriesPart::pose: {
      BodyFrame frame;
      scene_.model.bodies[n].body->frame(run.state().bodies[n], 0, frame);
      put(frame.position);
      put(frame.orientation.coeffs());
      return;
    }
    case SeriesPart::middle:
      put(middle(run, part.number));
      return;
    case SeriesPart::pair: {
      const TouchRule& rule = scene_.model.rules[n];
      put(Vec3(sums_[sum_of_.at({rule.body1, rule.body2})] - sums_[sum_of_.at({rule.body2, rule.body1})]));
      return;
    }
    case SeriesPart::support:
      put(run.support_force(part.number));
      return;
  }
}

void RunSeries::add(SceneRun& run, std::vector<double>& out) {
  if (!sums_.empty()) sum_pairs(run);
  for (const Part& part : parts_) {
    values_.clear();
    fill(part, run, values_);
    for (const size_t k : part.wanted) out.push_back(values_[k]);
  }
}

std::vector<std::string> series_columns(const Scene& scene) {
  std::vector<std::string> names;
  each_part(scene, [&](auto, size_t, const std::string& whose, const auto& columns) {
    for (const char* column : columns) names.push_back(whose + column);
  });
  return names;
}

void RunSeries::write_header(std::ostream& csv) const {
  const char* comma = "";
  for (const std::string& name : columns_) {
    csv << comma << name;
    comma = ",";
  }
  csv << '\n';
}

void RunSeries::write_row(std::ostream& csv, SceneRun& run) {
  row_.clear();
  add(run, row_);
  const auto before = csv.precision(9);
  for (size_t c = 0; c < row_.size(); ++c) {
    csv.precision(exact_[c] ? std::numeric_limits<double>::max_digits10 : 9);
    csv << (c > 0 ? "," : "") << row_[c];
  }
  csv.precision(before);
  csv << '\n';
}

}  // namespace palp
