#include "palp/scene/scene_haptics.hpp"

#include <algorithm>
#include <cmath>

#include "palp/scene/scene_keys.hpp"

namespace palp {
namespace {

constexpr int kGlcSweeps =
    60;  // twice what K16 ever needed; a proxy whose solve is cut short has passed nothing

/// Bodies with rate: high, by number.
std::vector<int> read_tools(const YamlValue& bodies, bool two_rates) {
  const Key& key = scene_keys::any_body()[1];  // rate
  std::vector<int> tools;
  int body = 0;
  for (const auto& [name, entry] : bodies.entries()) {
    if (entry.is_map()) {
      const YamlValue rate(entry.node()["rate"], entry.path() + ".rate", entry.context(), &key);
      if (rate.choice() == 1) {
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

TwoRateSettings read_settings(YamlMap& m, const YamlValue& value, double steps_per_time) {
  TwoRateSettings s;
  const YamlValue low = m.get("lowRate");
  const double rate = m.get("rate").number(), low_rate = low.number();
  s.h_high_s = 1 / (rate * steps_per_time);
  s.low_every = static_cast<int>(std::lround(rate / low_rate));
  if (std::abs(s.low_every * low_rate - rate) > 1e-6 * rate)
    (low.exists() ? low : value)
        .fail("the haptic rate is not a whole multiple of the low rate", "e.g. rate: 1000, lowRate: 50");
  s.delay_ticks = static_cast<int>(std::lround(steps_per_time * m.get("delay").integer()));
  s.max_contacts = m.get("maxContacts").integer();
  s.solve.tolerance = m.get("tolerance").number();
  s.solve.max_sweeps = m.get("maxIterations").integer();
  s.solve.warm_start = m.get("warmStart").boolean();
  s.solve.budget_us = 1e6 * m.get("budget").number(0.5 * s.h_high_s);
  s.hand_over = m.get("handOver").choice() == 1 ? HandOver::end : HandOver::reduced;
  s.force = m.get("force").choice() == 1 ? ForceSource::contact : ForceSource::coupling;
  return s;
}

/// contact: glc or closest, of the scene or of a pair. The standard contacts have distances of their own: no
/// range, no depth.
void read_limited(YamlMap& m, bool of_pairs, TwoRateSettings& s) {
  s.contact = static_cast<HapticContact>(m.get("contact").choice());
  const YamlValue range = m.get("range"), depth = m.get("depth"), tick_share = m.get("tickShare"),
                  low_share = m.get("lowShare");
  if (s.contact == HapticContact::standard && !of_pairs) {
    for (const YamlValue& key : {range, depth, tick_share, low_share})
      if (key.exists()) key.fail("only contact: glc and closest have a region", "leave it out");
    return;
  }
  s.region.range_m = range.number();
  s.region.max_depth_m = depth.number();
  s.tick_share = tick_share.number();
  s.low_share = low_share.number();
  if (m.get("maxContacts").exists())
    s.region.max_constraints = s.region.most_constraints = s.region.most_still = s.max_contacts;
  if (!m.get("maxIterations").exists()) s.solve.max_sweeps = kGlcSweeps;
}

}  // namespace

void read_scene_haptics(const YamlValue& haptics, const YamlValue& bodies, const YamlValue& dt,
                        double steps_per_time, Scene& scene) {
  const std::vector<int> tools = read_tools(bodies, haptics.exists());
  if (!haptics.exists()) return;
  YamlMap m(haptics, scene_keys::haptics());
  TwoRateSettings settings = read_settings(m, haptics, steps_per_time);
  const bool of_pairs = std::any_of(scene.pair_contact.begin(), scene.pair_contact.end(),
                                    [](const auto& c) { return c && *c != HapticContact::standard; });
  read_limited(m, of_pairs, settings);
  if (dt.exists())
    dt.fail("dt and haptics exclude each other", "the steps are 1/rate and 1/lowRate: leave dt out");
  if (tools.empty()) haptics.fail("no body is at the high rate", "give the held bodies rate: high");
  if (!scene.grasps.empty())
    haptics.fail("grasps of several nodes and rigid grasps know one rate only",
                 "hold a frame: holds: {body: …, frame: …}");
  if (!haptics.context().errors.empty()) return;
  auto made = TwoRateModel::make(scene.model, tools, scene.grips, static_cast<int>(scene.devices.size()),
                                 settings, scene.pair_contact);
  if (!made) {
    haptics.fail(made.error().message, made.error().remedy);
    return;
  }
  scene.model.h_s = settings.h_low_s();
  scene.two_rate = std::move(*made);
}

}  // namespace palp
