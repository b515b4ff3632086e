// K16.9: limited constraints for tools with a shape, against ordinary contact, at 0.3 m/s.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "k16.hpp"

#include "palp/math/rotation.hpp"

namespace palp::reproduce {
namespace {

constexpr const char* kScene = "k16-tools.yaml";
constexpr double kMoves_s = 0.1, kStarts_s = 0.04, kSpeed = 0.3, kDeep = 1e-3;

struct Tool {
  const char* name;
  std::string yaml;  ///< without its position
  double above;      ///< where it is held, over its lowest point, m
};
struct Ground {
  const char* name;
  std::string yaml;
  double from, to;             ///< x of the hand, m
  double (*height)(double x);  ///< of the ground below the way
};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> list{
      {"rigid tip",
       "model: rigid, rate: high, density: 8000, mesh: {generator: icosphere, radius: 0.002, subdivisions: "
       "1}",
       0.002},
      {"beam hook",
       "model: beam, rate: high, mesh: {generator: arc, radius: 0.006, angle: 3.1416, segments: 12}, "
       "rotation: [-90, 0, 0], section: {radius: 0.0008}, youngModulus: 2.0e+9, density: 2000, "
       "rayleighStiffness: 0.001",
       0.0128},
      {"soft finger",
       "model: globalCorotational, rate: high, mesh: {generator: sphere, radius: 0.005, cellsAcross: 4}, "
       "youngModulus: 1.0e+5, poissonRatio: 0.4, density: 1000, rayleighStiffness: 0.002, "
       "grasp: {box: [[-1, -1, 0.001], [1, 1, 1]]}",
       0.005}};
  return list;
}

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> list{
      {"sine",
       "{model: obstacle, mesh: {generator: sinePlate, length: 0.1, width: 0.04, cellsAlong: 40, cellsWide: "
       "8}}",
       0.0125, 0.0875, [](double x) { return 0.005 * std::sin(2 * std::numbers::pi * x / 0.025); }},
      {"edge",
       "{model: obstacle, mesh: {generator: box, size: [0.06, 0.04, 0.02], centre: [0, 0, -0.01], cells: "
       "[12, 8, 4]}}",
       -0.01, 0.04, [](double) { return 0.0; }},
      {"statue", "{model: obstacle, mesh: {generator: statue, height: 0.25}}", -0.03, 0.03,
       [](double x) { return 0.2 + std::sqrt(0.05 * 0.05 - x * x); }}};
  return list;
}

/// Ordinary contact; limited constraints; the same stepped whole with every tick.
enum class Way { ordinary, limited, truth };

/// The hand comes from above, presses, and goes over the ground as if the tool were a point on it. It starts
/// gently and is not seen to stop: what its coupling feels of a jerk is no contact.
std::vector<SceneOverride> changes(const Tool& tool, const Ground& ground, Way way) {
  const auto at = [&](double t, double x, double deep) {
    return "{time: " + std::to_string(t) + ", position: [" + std::to_string(x) + ", 0.0003, " +
           std::to_string(ground.height(x) + tool.above - deep) + "]}";
  };
  std::string path = "[" + at(0, ground.from, -5e-4) + ", " + at(0.05, ground.from, kDeep);
  double t = kMoves_s;
  for (double x = ground.from; x <= ground.to; t += 1e-3) {
    path += ", " + at(t, x, kDeep);
    x += 1e-3 * kSpeed * std::min(1.0, (t - kMoves_s) / kStarts_s);
  }
  const std::string place = "[" + std::to_string(ground.from) + ", 0.0003, " +
                            std::to_string(ground.height(ground.from) + tool.above + 5e-4) + "]";
  std::vector<SceneOverride> all{set("bodies.tool", "{" + tool.yaml + ", position: " + place + "}"),
                                 set("bodies.ground", ground.yaml), set("devices.hand.path", path + "]"),
                                 set("devices.hand.sines", "[]"), set("seconds", t - 3e-3)};
  if (way == Way::ordinary) {  // planes of the snapshot, as in the papers
    all.push_back(set("haptics.contact", "standard"));
    all.push_back(set("haptics.handOver", "end"));
  }
  if (way == Way::truth) all.push_back(set("haptics.lowRate", 1000));
  return all;
}

struct Swipe {
  std::vector<double> time, force;
  double jump = 0;
  int held_back = 0, unsettled = 0;
};

Result<Swipe> swipe(Context& context, const std::vector<SceneOverride>& how) {
  auto s = Simulation::start(context, kScene, how);
  if (!s) return s.error();
  Swipe out;
  Vec3 before = Vec3::Zero();
  while (s->time_s() < s->scene->seconds - 1e-9) {
    if (auto ok = s->advance(); !ok) return ok.error();
    const StepRecord& r = s->run->record();
    const Vec3& f = r.hands[0].wrench.force;
    if (r.time_s > kMoves_s + kStarts_s) out.jump = std::max(out.jump, (f - before).norm());
    before = f;
    out.time.push_back(r.time_s);
    out.force.push_back(f.norm());
    out.held_back += s->run->loop()->report().held_back > 0;
    out.unsettled += !s->run->loop()->report().converged;
  }
  return out;
}

/// Deepest that a vertex of the rigid tip gets below the sine while a hand throws it about.
Result<double> deepest_of_wild_motions(Context& context, int ticks) {
  auto s = Simulation::start(context, kScene);
  if (!s) return s.error();
  const TwoRateModel& m = *s->scene->two_rate;
  HapticLoop loop(m);
  Random random(16);
  const double h = m.settings.h_high_s, cell = 0.1 / 40;
  const Vec3 low(0.02, -0.008, -0.012), high(0.08, 0.008, 0.015);
  DevicePose pose;
  pose.position = Vec3(0.0125, 0.0003, 0.0025);
  std::vector<Vec3> skin(static_cast<size_t>(m.tool(0).skin().vertices));
  double deepest = 0;
  for (int tick = 0; tick < ticks; ++tick) {
    if (tick % 25 == 0) {
      Vec3 goal;
      for (int k = 0; k < 3; ++k) goal[k] = random.uniform(low[k], high[k]);
      pose.velocity = (goal - pose.position).normalized() * random.uniform(0, 2);
      for (int k = 0; k < 3; ++k) pose.angular_velocity[k] = random.uniform(-10, 10);
    }
    pose.position = (pose.position + h * pose.velocity).cwiseMax(low).cwiseMin(high);
    pose.orientation = rotation_from_vector(h * pose.angular_velocity) * pose.orientation;
    Wrench wrench;
    loop.advance({&pose, 1}, {&wrench, 1});
    m.tool(0).skin_positions(loop.high().tools[0].state, VecX(), skin);
    for (const Vec3& x : skin) {
      const double k = std::floor(x.x() / cell), part = x.x() / cell - k;
      const double ground =
          (1 - part) * grounds()[0].height(k * cell) + part * grounds()[0].height((k + 1) * cell);
      deepest = std::max(deepest, ground - x.z());
    }
    if (tick % 1000 == 0) context.progress(static_cast<double>(tick) / ticks, "wild motions");
  }
  return deepest;
}

}  // namespace

Result<Outcome> shaped_tools(Context& context) {
  Outcome out;
  Table table{{"tool", "ground", "limited", "largest_jump_N", "held_back_ticks", "unsettled_ticks"}, {}};
  double least = std::numeric_limits<double>::infinity();
  int as_true = 0;
  for (size_t t = 0; t < tools().size(); ++t)
    for (size_t g = 0; g < grounds().size(); ++g) {
      const Tool& tool = tools()[t];
      const Ground& ground = grounds()[g];
      const std::string name = std::string(tool.name) + ", " + ground.name;
      auto limited = swipe(context, changes(tool, ground, Way::limited));
      if (!limited) return limited.error();
      auto ordinary = swipe(context, changes(tool, ground, Way::ordinary));
      if (!ordinary) return ordinary.error();
      auto truth = swipe(context, changes(tool, ground, Way::truth));
      if (!truth) return truth.error();
      const double ratio = ordinary->jump / limited->jump;
      // What the truth has is no fault of the two rates.
      const bool holds = ratio >= 5 || limited->jump <= 1.2 * truth->jump;
      least = std::min(least, ratio);
      as_true += limited->jump <= 1.2 * truth->jump;
      out.report(name + ": largest change of the force in a tick, limited", limited->jump, "N");
      out.report(name + ": the same, stepped whole with every tick", truth->jump, "N");
      out.report(name + ": the same, ordinary contacts of the snapshot", ordinary->jump, "N");
      out.require(name + ": how many times smaller", ratio, "", "",
                  "at least 5, or at most 1.2 times that of the whole step", holds);
      for (const Swipe* s : {&*limited, &*ordinary})
        table.add({static_cast<double>(t), static_cast<double>(g), s == &*limited ? 1.0 : 0.0, s->jump,
                   static_cast<double>(s->held_back), static_cast<double>(s->unsettled)});
      Plot plot;
      plot.title = name;
      plot.x_label = "time (s)";
      plot.y_label = "force (N)";
      plot.add_line("ordinary", ordinary->time, ordinary->force, {.width = 1.5});
      plot.add_line("limited", limited->time, limited->force);
      if (g == 0)
        context.write(std::move(plot), "force-" + std::to_string(t + 1), "Force on the hand: " + name + ".",
                      out);
    }
  constexpr int ticks = 20000;
  auto deepest = deepest_of_wild_motions(context, ticks);
  if (!deepest) return deepest.error();
  out.require(
      "deepest vertex of the rigid tip below the sine in 800 random motions at up to 2 m/s and 17 rad/s",
      1e3 * *deepest, "mm", "", "at most 0.1 mm: nothing passes", *deepest < 1e-4);
  context.write(table, "jumps", out);
  out.summary =
      "Force jumps are at least " + digits(least) +
      " times smaller than with ordinary contacts of the snapshot, and at most 1.2 times those of a whole "
      "step in " +
      digits(as_true) + " of 9 cases; in 800 wild motions no vertex came deeper than " +
      digits(1e3 * *deepest) + " mm.";
  return out;
}

}  // namespace palp::reproduce
