#include "palp/scene/scene.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "palp/io/cursor.hpp"
#include "palp/scene/scene_course.hpp"
#include "palp/scene/scene_device.hpp"
#include "palp/scene/scene_doubts.hpp"
#include "palp/scene/scene_haptics.hpp"
#include "palp/scene/scene_hold.hpp"
#include "palp/scene/scene_joints.hpp"
#include "palp/scene/scene_keys.hpp"
#include "palp/scene/scene_override.hpp"
#include "palp/scene/scene_safety.hpp"
#include "palp/sim/overlap.hpp"

namespace palp {
namespace {

struct Loader {
  Scene& scene;
  YamlContext& context;
  std::vector<std::string>& warnings;
  std::string folder;
  SceneRefinement refinement;
  std::vector<std::string> body_names = {};
  std::vector<SceneBody> bodies = {};

  /// Index of a body by name; −1 and an error when there is none.
  int body(const YamlValue& value) { return value.choice(-1, body_names); }

  void read_rule(YamlMap& m, TouchRule& rule) {
    const YamlValue mu = m.get("mu"), fixed = m.get("staticMu"), speed = m.get("stickSpeed");
    if (mu.exists()) {
      rule.mu_course = read_course(mu);
      rule.mu = rule.mu_course.points[0].value;
      if (rule.mu_course.constant()) rule.mu_course = {};
    }
    rule.static_mu = fixed.number(rule.static_mu);
    rule.stick_speed_m_per_s = speed.number(rule.stick_speed_m_per_s);
    double largest = rule.mu;
    for (const auto& point : rule.mu_course.points) largest = std::max(largest, point.value);
    if (fixed.exists() && rule.static_mu < largest)
      fixed.fail("'" + fixed.path() + "' is below mu",
                 "static friction is at least as large as sliding friction");
    if (speed.exists() && !(rule.static_mu > 0))
      speed.fail("'" + speed.path() + "' belongs to staticMu", "give staticMu, or leave it out");
    rule.alarm_distance_m = m.get("alarmDistance").number(rule.alarm_distance_m);
    rule.contact_distance_m = m.get("contactDistance").number(rule.contact_distance_m);
    rule.max_contacts = m.get("maxContacts").integer(rule.max_contacts);
  }

  void read_solver(const YamlValue& value) {
    YamlMap m(value, scene_keys::solver());
    SolverSettings& s = scene.model.solver;
    s.name = solver_names()[static_cast<size_t>(m.get("name").choice())];
    s.options.tolerance = m.get("tolerance").number();
    s.options.max_sweeps = m.get("maxIterations").integer();
    const YamlValue budget = m.get("budget");
    if (budget.exists()) s.options.budget_us = 1e6 * budget.number();
    s.options.warm_start = m.get("warmStart").boolean();
    scene.model.max_contacts = m.get("maxContacts").integer();
  }

  void read_bodies(const YamlValue& value) {
    for (const auto& [name, entry] : value.entries()) {
      body_names.push_back(name);
      const int number = static_cast<int>(bodies.size());
      bodies.push_back(
          read_scene_body(entry, {folder, warnings, refinement.mesh}, number, scene.model.actions));
      const SceneBody& made = bodies.back();
      scene.meshes.push_back(made.made_of);
      scene.model.bodies.push_back({name, made.body, 0, made.velocity, made.spin});
    }
    if (value.exists() && body_names.empty()) value.fail("there are no bodies", "give at least one");
  }

  /// Every pair of bodies touches by the defaults, unless `pairs` says otherwise; two obstacles never do.
  void read_pairs(const YamlValue& defaults, const YamlValue& pairs, bool two_rates) {
    TouchRule standard;
    {
      YamlMap m(defaults, scene_keys::contact());
      standard.alarm_distance_m = m.get("alarmDistance").key().number;
      read_rule(m, standard);
    }
    const int n = static_cast<int>(scene.model.bodies.size());
    std::map<std::pair<int, int>, TouchRule> rules;
    std::map<std::pair<int, int>, HapticContact> haptic;
    const auto movable = [&](int b) {
      return !scene.model.bodies[b].body || scene.model.bodies[b].body->movable();
    };
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        if (movable(i) || movable(j)) {
          TouchRule rule = standard;
          rule.body1 = i;
          rule.body2 = j;
          rules[{i, j}] = rule;
        }
    const auto touches_itself = [&](int b) { return bodies[static_cast<size_t>(b)].touches_itself; };
    for (int i = 0; i < n; ++i)
      if (touches_itself(i)) {
        TouchRule rule = standard;
        rule.body1 = rule.body2 = i;
        rules[{i, i}] = rule;
      }
    for (const YamlValue& item : pairs.list()) {
      YamlMap m(item, scene_keys::pair());
      const YamlValue names = m.need("bodies");
      const auto list = names.list();
      TouchRule rule = standard;
      read_rule(m, rule);
      const bool ignore = m.get("ignore").boolean();
      if (list.size() != 2) {
        if (names.exists()) names.fail("a pair is made of two bodies", "bodies: [a, b]");
        continue;
      }
      const int i = body(list[0]), j = body(list[1]);
      if (i < 0 || j < 0) continue;
      if (i == j && !touches_itself(i)) {
        names.fail("'" + body_names[static_cast<size_t>(i)] + "' does not touch itself",
                   "name two different bodies, or give it selfContact: true, if it deforms");
        continue;
      }
      rule.body1 = std::min(i, j);
      rule.body2 = std::max(i, j);
      if (ignore)
        rules.erase({rule.body1, rule.body2});
      else
        rules[{rule.body1, rule.body2}] = rule;
      if (const YamlValue contact = m.get("contact"); contact.exists() && !two_rates)
        contact.fail("how a pair touches in haptic ticks needs two rates",
                     "add haptics: {rate: 1000, lowRate: 50}, or leave it out");
      else if (contact.exists())
        haptic[{rule.body1, rule.body2}] = static_cast<HapticContact>(contact.choice());
    }
    for (const auto& [key, rule] : rules) {
      scene.model.rules.push_back(rule);
      const auto said = haptic.find(key);
      scene.pair_contact.push_back(said == haptic.end() ? std::nullopt : std::optional(said->second));
    }
  }

  /// What one rate only knows.
  void refuse_at_two_rates(YamlMap& m, const Scene& s) {
    const YamlValue haptics = m.get("haptics");
    const auto high = [&](int b) {
      if (b < 0) return false;
      const YAML::Node rate = m.get("bodies").node()[body_names[static_cast<size_t>(b)]]["rate"];
      return rate.IsDefined() && rate.as<std::string>("") == "high";
    };
    for (size_t b = 0; b < bodies.size(); ++b)
      if (bodies[b].touches_itself && high(static_cast<int>(b)))
        haptics.fail("'" + body_names[b] + "' touches itself, which bodies at the high rate cannot",
                     "leave out selfContact, or let its rate be low");
    if (s.model.scheme != Scheme::euler)
      m.get("integrator").fail("haptics are stepped by implicit Euler", "leave out integrator, or haptics");
    for (size_t i = 0; i < s.model.attachments.size(); ++i) {
      const Attachment& a = s.model.attachments[i];
      if (a.when.device >= 0)
        haptics.fail("attachments that a button takes know one rate only",
                     "leave out its button, or haptics");
      if (a.spring() && a.damping_N_s_per_m > 0 && (high(a.body1) || high(a.body2)))
        haptics.fail("a spring on a body at the high rate has no damping of its own",
                     "leave out its damping; rayleighMass damps the body");
    }
    for (const Grip& grip : s.grips)
      if (!grip.when.always())
        haptics.fail("holds that are taken or let go know one rate only",
                     "leave out from, until, breakForce and button, or haptics");
  }

  void read(const YAML::Node& root) {
    YamlMap m(YamlValue(root, "", context), scene_keys::scene());
    Model& model = scene.model;
    model.h_s = m.get("dt").number() / refinement.time;
    if (const YamlValue gravity = m.get("gravity"); gravity.exists()) {
      model.gravity_course = read_vector_course(gravity);
      model.gravity = model.gravity_course.points[0].value;
      if (model.gravity_course.constant()) model.gravity_course = {};
    }
    if (m.get("integrator").choice() == 1) model.scheme = Scheme::midpoint;
    if (const YamlValue continuous = m.get("continuous"); continuous.exists())
      model.continuous = continuous.boolean() ? Continuous::all : Continuous::off;
    scene.seconds = m.get("seconds").number();
    read_solver(m.get("solver"));
    read_bodies(m.need("bodies"));
    read_pairs(m.get("contact"), m.get("pairs"), m.get("haptics").exists());
    std::vector<std::string> device_names;
    for (const auto& [name, entry] : m.get("devices").entries()) device_names.push_back(name);
    read_scene_joints(m, body_names, device_names, scene);
    for (const auto& [name, entry] : m.get("devices").entries()) {
      YamlMap d(entry, scene_keys::any_device());
      scene.devices.push_back({name, read_scene_device(d, folder)});
      scene.devices.back().button = read_course(d.get("button"));
      scene.devices.back().profile =
          read_scene_profile(d.get("profile"), tick_s(m.get("haptics"), model.h_s, refinement.time));
      read_scene_holds(d.get("holds"), static_cast<int>(scene.devices.size()) - 1, bodies, body_names, scene);
    }
    if (m.get("haptics").exists() && context.errors.empty()) refuse_at_two_rates(m, scene);
    read_scene_haptics(m.get("haptics"), m.get("bodies"), m.get("dt"), refinement.time, scene);
    if (context.errors.empty()) warn_of_doubts(scene, bodies, m, warnings);
  }
};

/// Bodies that are placed inside each other: contact pushes them apart where it finds them, and is blind
/// deeper inside.
void report_overlaps(const Scene& scene, YamlContext& context, std::vector<std::string>& warnings) {
  const auto mm = [](double metres) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g mm", 1000 * metres);
    return std::string(text);
  };
  for (const StartOverlap& o : overlaps_at_start(scene.model)) {
    const TouchRule& rule = scene.model.rules[static_cast<size_t>(o.rule)];
    const std::string& first = scene.model.bodies[static_cast<size_t>(rule.body1)].name;
    const std::string& second = scene.model.bodies[static_cast<size_t>(rule.body2)].name;
    const std::string what =
        "'" + first + "' and '" + second + "' overlap by " + mm(o.depth_m) + " at the start";
    if (o.depth_m <= o.found_to_m || o.attached)
      warnings.push_back(scene.spec.file + ": " + what + ": the first step pushes them apart");
    else
      context.errors.push_back(
          {.message = what + ", deeper than contact finds them (" + mm(o.found_to_m) + ")",
           .file = scene.spec.file,
           .remedy = "move one of them (position), or let them pass: pairs: [{bodies: [" + first + ", " +
                     second + "], ignore: true}]"});
  }
}

}  // namespace

Result<SceneSpec> read_scene(const std::string& file, std::vector<SceneOverride> changes) {
  auto text = io::read_bytes(file);
  if (!text) return text.error();
  return SceneSpec{file, std::move(*text), std::move(changes)};
}

SceneResult load_scene(const std::string& file, const std::vector<SceneOverride>& changes,
                       const SceneRefinement& refinement) {
  const auto spec = read_scene(file, changes);
  if (spec) return build_scene(*spec, refinement);
  SceneResult result;
  result.errors.push_back(spec.error());
  return result;
}

SceneResult build_scene(const SceneSpec& spec, const SceneRefinement& refinement) {
  const std::string& file = spec.file;
  SceneResult result;
  auto root = parse_yaml(spec.text, file);
  if (!root) {
    result.errors.push_back(root.error());
    return result;
  }
  YamlContext context{.file = file, .errors = {}};
  auto scene = std::make_unique<Scene>();
  scene->spec = spec;
  if (!root->IsMap()) {
    result.errors.push_back({.message = "a scene is a map of names and values",
                             .file = file,
                             .line = 1,
                             .remedy = "start with 'bodies:'"});
    return result;
  }
  for (const SceneOverride& change : spec.changes) apply_override(*root, change, context);
  if (context.errors.empty()) {
    Loader loader{*scene, context, result.warnings, std::filesystem::path(file).parent_path().string(),
                  refinement};
    loader.read(*root);
  }
  if (context.errors.empty())
    if (auto ok = check(scene->model); !ok)
      context.errors.push_back({.message = ok.error().message, .file = file, .remedy = ok.error().remedy});
  if (context.errors.empty()) report_overlaps(*scene, context, result.warnings);
  if (context.errors.empty()) warn_unstable(*scene, result.warnings);
  result.errors = std::move(context.errors);
  std::stable_sort(result.errors.begin(), result.errors.end(), [](const Error& a, const Error& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  if (result.errors.empty()) result.scene = std::move(scene);
  return result;
}

}  // namespace palp
