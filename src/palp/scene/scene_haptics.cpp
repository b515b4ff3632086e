#include "palp/scene/scene_haptics.hpp"

#include <cmath>

namespace palp {
namespace {

/// Bodies with rate: high, by number.
std::vector<int> read_tools(const YamlValue& bodies, bool two_rates) {
  std::vector<int> tools;
  int body = 0;
  for (const auto& [name, entry] : bodies.entries()) {
    if (entry.is_map()) {
      const YamlValue rate(entry.node()["rate"], entry.path() + ".rate", entry.context());
      if (rate.choice(0, {"low", "high"}) == 1) {
        tools.push_back(body);
        if (!two_rates)
          rate.fail("a body at the high rate needs the two-rate scheme",
                    "add haptics: {rate: 1000, lowRate: 50}");
      }
    }
    ++body;
  }
  return tools;
}

TwoRateSettings read_settings(const YamlValue& value) {
  YamlMap m(value);
  TwoRateSettings s;
  const YamlValue low = m.get("lowRate");
  const double rate = m.get("rate").number(1000, {1, 100000}), low_rate = low.number(50, {0.1, 100000});
  s.h_high_s = 1 / rate;
  s.low_every = static_cast<int>(std::lround(rate / low_rate));
  if (std::abs(s.low_every * low_rate - rate) > 1e-6 * rate)
    (low.exists() ? low : value)
        .fail("the haptic rate is not a whole multiple of the low rate", "e.g. rate: 1000, lowRate: 50");
  s.delay_ticks = m.get("delay").integer(0, 0);
  s.max_contacts = m.get("maxContacts").integer(s.max_contacts, 1, 2000);
  s.solve.tolerance = m.get("tolerance").number(s.solve.tolerance, Range::positive());
  s.solve.max_sweeps = m.get("maxIterations").integer(s.solve.max_sweeps, 1);
  s.solve.warm_start = m.get("warmStart").boolean(true);
  s.solve.budget_us = 1e6 * m.get("budget").number(0.5 * s.h_high_s, Range::positive());
  s.force =
      m.get("force").choice(0, {"coupling", "contact"}) == 1 ? ForceSource::contact : ForceSource::coupling;
  return s;
}

}  // namespace

void read_scene_haptics(const YamlValue& haptics, const YamlValue& bodies, const YamlValue& dt,
                        Scene& scene) {
  const std::vector<int> tools = read_tools(bodies, haptics.exists());
  if (!haptics.exists()) return;
  const TwoRateSettings settings = read_settings(haptics);
  if (dt.exists())
    dt.fail("dt and haptics exclude each other", "the steps are 1/rate and 1/lowRate: leave dt out");
  if (tools.empty()) haptics.fail("no body is at the high rate", "give the held bodies rate: high");
  if (!scene.grasps.empty())
    haptics.fail("grasps of several nodes and rigid grasps know one rate only",
                 "hold a frame: holds: {body: …, frame: …}");
  if (!haptics.context().errors.empty()) return;
  auto made =
      TwoRateModel::make(scene.model, tools, scene.grips, static_cast<int>(scene.devices.size()), settings);
  if (!made) {
    haptics.fail(made.error().message, made.error().remedy);
    return;
  }
  scene.model.h_s = settings.h_low_s();
  scene.two_rate = std::move(*made);
}

}  // namespace palp
