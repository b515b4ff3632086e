#include "palp/haptics/two_rate_model.hpp"

#include <algorithm>
#include <cmath>

namespace palp {
namespace {

Result<void> check(const TwoRateSettings& s) {
  if (!(s.h_high_s > 0) || !std::isfinite(s.h_high_s))
    return Error{.message = "the haptic rate is not a positive number", .remedy = "rate: 1000 is usual"};
  if (s.low_every < 1)
    return Error{.message = "the low rate is above the haptic rate", .remedy = "lowRate: 25 to 50 is usual"};
  if (s.delay_ticks < 0 || s.delay_ticks >= s.low_every)
    return Error{.message = "a delay of " + std::to_string(s.delay_ticks) +
                            " ticks does not fit between two low-rate steps",
                 .remedy = "0 to " + std::to_string(s.low_every - 1)};
  if (s.max_contacts < 1 || s.max_contacts > 2000)
    return Error{.message = "the bound on the contacts of a tick is out of range", .remedy = "1 to 2000"};
  if (!(s.solve.tolerance > 0) || s.solve.max_sweeps < 1 || !(s.solve.budget_us > 0))
    return Error{
        .message = "the tick's solver has a tolerance, a number of sweeps or a budget that is not positive",
        .remedy = "1e-6, 200 and 5e-4 s are usual"};
  return {};
}

}  // namespace

Result<TwoRateModel> TwoRateModel::make(Model model, std::vector<int> tools, std::vector<Grip> grips,
                                        int devices, const TwoRateSettings& settings) {
  if (auto ok = check(settings); !ok) return ok.error();
  TwoRateModel m;
  m.tool_of.assign(model.bodies.size(), -1);
  model.h_s = settings.h_low_s();
  for (auto& entry : model.bodies) entry.h_s = 0;
  std::sort(tools.begin(), tools.end());
  tools.erase(std::unique(tools.begin(), tools.end()), tools.end());
  for (size_t t = 0; t < tools.size(); ++t) {
    if (tools[t] < 0 || tools[t] >= static_cast<int>(model.bodies.size()))
      return Error{.message = "a tool is not among the bodies"};
    auto& entry = model.bodies[tools[t]];
    if (!entry.body || !entry.body->movable())
      return Error{.message = "'" + entry.name + "' cannot be a tool: nothing moves it",
                   .remedy = "leave its rate low; obstacles are seen by the ticks anyway"};
    entry.h_s = settings.h_high_s;
    m.tool_of[tools[t]] = static_cast<int>(t);
  }
  if (auto ok = palp::check(model); !ok) return ok.error();
  if (static_cast<int>(model.attachments.size()) > settings.max_contacts)
    return Error{.message = std::to_string(model.attachments.size()) + " attachments are more than the " +
                            std::to_string(settings.max_contacts) + " contacts of a tick",
                 .remedy = "raise haptics.maxContacts or attach at fewer points"};
  for (const Grip& grip : grips) {
    if (grip.body < 0 || grip.body >= static_cast<int>(model.bodies.size()) || grip.device < 0 ||
        grip.device >= devices)
      return Error{.message = "a grip names a body or a device that does not exist"};
    if (m.tool_of[grip.body] < 0)
      return Error{
          .message = "a device holds '" + model.bodies[grip.body].name + "', which is not at the high rate",
          .remedy = "give the body rate: high"};
    if (settings.force == ForceSource::contact && std::any_of(grips.begin(), grips.end(), [&](const Grip& g) {
          return &g != &grip && g.body == grip.body;
        }))
      return Error{.message = "two devices hold '" + model.bodies[grip.body].name +
                              "': its contact force cannot be shared out",
                   .remedy = "force: coupling"};
  }
  m.model = std::move(model);
  m.tools = std::move(tools);
  m.grips = std::move(grips);
  m.devices = devices;
  m.settings = settings;
  return m;
}

}  // namespace palp
