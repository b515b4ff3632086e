#include "palp/scene/scene_keys.hpp"

#include "palp/contact/glc_builder.hpp"
#include "palp/haptics/two_rate_model.hpp"
#include "palp/scene/limits.hpp"
#include "palp/sim/model.hpp"

namespace palp::scene_keys {
namespace {

using namespace keys;

constexpr int many = limits::most_count;

std::vector<std::string> solvers() {
  std::vector<std::string> names;
  for (std::string_view name : solver_names()) names.emplace_back(name);
  return names;
}

/// When something is there; `button` is a number where a device has it, a map elsewhere.
Keys when(Key button) {
  return {number("from", 0, limits::time_s, "it is there from this time on, s").otherwise("the start"),
          number("until", 0, limits::time_s, "and until this one, s").otherwise("the end"),
          number("breakForce", 0, limits::force_N, "N: a step with more than this breaks it for good")
              .otherwise("it holds"),
          std::move(button)};
}

Keys joined(Key at) {
  return {list("bodies", "one body, joined to the world, or two")
              .needed("one name (held in the world) or two: bodies: [thread, organ]"),
          std::move(at)};
}

Key taken_by_button() { return map("button", "it is there while this button is pressed"); }

}  // namespace

const Keys& scene() {
  static const Keys table{
      number("dt", Model{}.h_s, limits::step_s, "step, s"),
      number("seconds", 1, limits::duration_s, "how long `palp run` simulates, s"),
      vector_course("gravity", limits::acceleration_m_per_s2, "m/s²").otherwise("[0, 0, -9.81]"),
      choice(
          "integrator", "euler", {"euler", "midpoint"},
          "`euler`: implicit Euler, damps what vibrates; `midpoint`: second order in time, keeps the energy "
          "of a "
          "free top and the amplitude of a vibration. A body that a contact pushes takes Euler steps; with "
          "`haptics` all do"),
      flag("continuous", false,
           "bodies that move are followed along their way through a step, so that they pass through nothing "
           "([contact.md](contact.md)); with `haptics` those at the low rate")
          .otherwise("only those that go far in a step"),
      map("contact", "for every pair of bodies, below"),
      list("pairs", "the same for single pairs, below"),
      map("solver", "of the contact problems, below"),
      map("bodies", "name → body, below")
          .needed("bodies:\n  ball: {model: rigid, mesh: {generator: sphere, radius: 0.05}}"),
      list("attachments", "what joins bodies, below"),
      list("springs", "what joins bodies, below"),
      list("joints", "what joins bodies, below"),
      map("devices", "name → device, below"),
      map("haptics",
          "instead of `dt`: bodies with `rate: high` are stepped at every haptic tick, the others at the low "
          "rate: "
          "[two-rates.md](two-rates.md)")};
  return table;
}

const Keys& contact() {
  const TouchRule rule;
  static const Keys table{
      course("mu", limits::friction, "friction").otherwise("0"),
      number("staticMu", rule.static_mu, limits::friction, "friction of contacts that rest, at least `mu`")
          .otherwise("as `mu`"),
      number("stickSpeed", rule.stick_speed_m_per_s, limits::speed, "m/s: slower counts as resting"),
      number("alarmDistance", 0.005, limits::length_m, "points of skins closer than this become contacts, m"),
      number("contactDistance", rule.contact_distance_m, limits::length_or_none_m,
             "gap kept between skins, m"),
      integer("maxContacts", rule.max_contacts, 1, many,
              "of a pair of bodies; of rigid ones what is kept covers the patch, of soft ones the closest "
              "are kept")
          .otherwise("no bound")};
  return table;
}

const Keys& pair() {
  static const Keys table = join({{list("bodies", "the two bodies: what is not given here is as in `contact`")
                                       .needed("two names: bodies: [a, b]"),
                                   flag("ignore", false, "they pass through each other"),
                                   choice("contact", "standard", {"standard", "glc", "closest"},
                                          "how the pair touches in haptic ticks (two-rates.md)")
                                       .otherwise("as `haptics.contact`")},
                                  contact()});
  return table;
}

const Keys& solver() {
  const SolverSettings s;
  static const Keys table{
      choice("name", s.name, solvers(), "[solvers.md](solvers.md)"),
      number("tolerance", s.options.tolerance, limits::tolerance, "on the certificate"),
      integer("maxIterations", s.options.max_sweeps, 1, many, "sweeps at most"),
      number("budget", 0, limits::duration_s, "s on the clock at most: runs then differ from each other")
          .otherwise("none"),
      flag("warmStart", s.options.warm_start, "begins with the forces of the step before"),
      integer(
          "maxContacts", Model{}.max_contacts, 1, Model::most_contacts,
          "in one problem, whose matrix grows with the square; what is kept covers the patches, attachments "
          "always stay")};
  return table;
}

const Keys& haptics() {
  const TwoRateSettings s;
  const GlcRegionSettings region;
  constexpr Range share{0.01, 1};
  static const Keys table{
      number("rate", 1000, {1, limits::rate_Hz.hi}, "haptic ticks a second"),
      number("lowRate", 50, limits::rate_Hz,
             "steps a second of the bodies at the low rate; `rate` is a multiple of it"),
      integer("delay", s.delay_ticks, 0, 100000, "ticks until the result of a low-rate step is there"),
      integer(
          "maxContacts", s.max_contacts, 1, 2000,
          "in one tick, the closest; with `contact: glc` planes of one tool: 100, more where it moves fast"),
      number("tolerance", s.solve.tolerance, limits::tolerance, "of the tick's solve, on the certificate"),
      integer("maxIterations", s.solve.max_sweeps, 1, many, "of the tick's solve; with `contact: glc` 60"),
      flag("warmStart", s.solve.warm_start, "of the tick's solve"),
      number("budget", 0, limits::duration_s, "of a tick, s on the clock").otherwise("half a tick"),
      choice("handOver", "reduced", {"reduced", "end"},
             "`reduced`: the ticks step the bodies of the low rate within a few motions; `end`: they see "
             "them at the "
             "end of their step, as in the papers"),
      choice("force", "coupling", {"coupling", "contact"},
             "what the hand is given: of its coupling, or of the contacts"),
      choice(
          "contact", "standard", {"standard", "glc", "closest"},
          "`glc`: tools on limited planes; `closest`: points on the plane of the closest point; pairs that "
          "say otherwise and tools that cannot are not concerned"),
      number("range", region.range_m, limits::length_m,
             "`glc`, `closest`: surface around the points of a tool that is known to them, m"),
      number("depth", region.max_depth_m, limits::length_m,
             "`glc`, `closest`: how deep below it a plane still acts, m"),
      number("tickShare", s.tick_share, share,
             "`glc`, on the real clock without `maxContacts`: planes are so many that a tick takes this part "
             "of its budget as a rule"),
      number("lowShare", s.low_share, share, "the same: part of a low-rate step's time that they take")};
  return table;
}

const Keys& attachment() {
  static const Keys table = join(
      {joined(vector("at", Vec3::Zero(), limits::position_m,
                     "the points of the skins nearest to it (vertices) are held together, or in place, m")
                  .needed("the point where they are joined: at: [x, y, z]")),
       when(taken_by_button())});
  return table;
}

const Keys& spring() {
  static const Keys table = join(
      {joined(list("at", "its two ends, m, the first on the first body; on a soft body the nearest vertex",
                   limits::position_m)
                  .needed("the two ends: at: [[x, y, z], [x, y, z]]")),
       {number("stiffness", 0, limits::coupling, "N/m, along the line between the ends"),
        number("damping", 0, limits::coupling, "N·s/m, along that line"),
        number("length", 0, limits::length_or_none_m,
               "without force, m; 0 pulls the ends together in all directions")
            .otherwise("as at the start")},
       when(taken_by_button())});
  return table;
}

const Keys& joint() {
  static const Keys table =
      join({joined(vector("at", Vec3::Zero(), limits::position_m, "where they are joined, m")
                       .needed("where they are joined: at: [x, y, z]")),
            {choice("type", "", {"ball", "hinge", "slider", "cylinder", "weld"},
                    "`ball` turns about the point, `hinge` about the axis, `slider` moves along the axis and "
                    "does not turn, "
                    "`cylinder` moves along it and turns about it, `weld` neither")
                 .needed("ball, hinge, slider, cylinder or weld"),
             vector("axis", Vec3::UnitZ(), limits::direction, "of hinge, slider and cylinder, which need it")
                 .needed("its direction: axis: [0, 0, 1]"),
             flag("contact", false, "whether the two bodies touch each other")},
            when(map("button", "a joint is there from the start: neither `from` nor `button`"))});
  return table;
}

const Keys& button() {
  static const Keys table{word("device", "its name").needed("whose button: {device: hand}"),
                          integer("number", 1, 1, 32, "which of its buttons")};
  return table;
}

}  // namespace palp::scene_keys
