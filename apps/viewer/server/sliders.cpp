#include "sliders.hpp"

#include <algorithm>
#include <cmath>

#include <yaml-cpp/yaml.h>

namespace palp::view {
namespace {

constexpr size_t most_pairs = 6;  ///< more than these share one slider

std::string pair_name(const Scene& scene, const TouchRule& rule) {
  std::string name = scene.model.bodies[rule.body1].name;
  return name.append(" – ").append(scene.model.bodies[rule.body2].name);
}

void add_friction(const Scene& scene, std::vector<Slider>& out) {
  const auto& rules = scene.model.rules;
  if (rules.empty()) return;
  const bool shared = rules.size() > most_pairs;
  for (size_t i = 0; i < (shared ? 1 : rules.size()); ++i) {
    Slider s;
    s.kind = Slider::Kind::friction;
    s.index = shared ? -1 : static_cast<int>(i);
    s.label = "Friction";
    if (rules.size() > 1) s.label.append(shared ? ", all pairs" : ", " + pair_name(scene, rules[i]));
    s.unit = "µ";
    s.value = rules[i].mu;
    s.most = std::max(1.0, 2 * s.value);
    out.push_back(s);
  }
}

/// Young's modulus as the scene file gives it: the bodies do not keep it.
void add_stiffness(const Scene& scene, std::vector<Slider>& out) {
  try {
    const YAML::Node bodies = YAML::LoadFile(scene.spec.file)["bodies"];
    for (size_t b = 0; b < scene.model.bodies.size(); ++b) {
      const YAML::Node value = bodies[scene.model.bodies[b].name]["youngModulus"];
      if (!value.IsDefined()) continue;
      Slider s;
      s.kind = Slider::Kind::youngs_modulus;
      s.index = static_cast<int>(b);
      s.label = "Stiffness of " + scene.model.bodies[b].name;
      s.unit = "Pa";
      s.value = value.as<double>();
      if (!(s.value > 0) || !std::isfinite(s.value)) continue;
      s.least = s.value / 10;
      s.most = s.value * 10;
      s.logarithmic = true;
      out.push_back(s);
    }
  } catch (const YAML::Exception&) {  // the file has changed since it was loaded: no such sliders
  }
}

void add_couplings(const Scene& scene, std::vector<Slider>& out) {
  for (size_t g = 0; g < scene.grips.size(); ++g) {
    Slider s;
    s.kind = Slider::Kind::coupling;
    s.index = static_cast<int>(g);
    s.label = "Coupling of " + scene.devices[scene.grips[g].device].name;
    s.unit = "N/m";
    s.value = scene.grips[g].coupling.stiffness_N_per_m;
    s.least = s.value / 30;
    s.most = s.value * 3;
    s.logarithmic = true;
    out.push_back(s);
  }
}

}  // namespace

std::vector<Slider> make_sliders(const Scene& scene) {
  std::vector<Slider> sliders;
  add_friction(scene, sliders);
  add_stiffness(scene, sliders);
  add_couplings(scene, sliders);
  for (Slider& s : sliders) s.heavy = s.kind == Slider::Kind::youngs_modulus || scene.two_rate;
  return sliders;
}

SceneOverride apply(const Slider& slider, double value, Scene& scene) {
  switch (slider.kind) {
    case Slider::Kind::friction:
      for (size_t i = 0; i < scene.model.rules.size(); ++i)
        if (slider.index < 0 || slider.index == static_cast<int>(i)) {
          scene.model.rules[i].mu = value;
          if (scene.two_rate) scene.two_rate->model.rules[i].mu = value;
        }
      return {};
    case Slider::Kind::coupling: {
      // Damping and rotation keep their proportion to the stiffness's own time scale.
      CouplingSettings& c = scene.grips[slider.index].coupling;
      const double ratio = value / c.stiffness_N_per_m;
      c.stiffness_N_per_m = value;
      c.damping_N_s_per_m *= std::sqrt(ratio);
      c.angular_stiffness_Nm_per_rad *= ratio;
      c.angular_damping_Nm_s_per_rad *= std::sqrt(ratio);
      if (scene.two_rate) scene.two_rate->grips[slider.index].coupling = c;
      return {};
    }
    case Slider::Kind::youngs_modulus:
      break;
  }
  std::string key = "bodies.";
  key.append(scene.model.bodies[slider.index].name).append(".youngModulus");
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return {key, text};
}

}  // namespace palp::view
