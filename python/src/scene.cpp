#include "scene.hpp"

#include "palp/io/cursor.hpp"
#include "palp/scene/converge.hpp"
#include "palp/scene/scene_override.hpp"

namespace palp::python {

CheckedScene::CheckedScene(SceneSpec spec_, SceneRefinement refinement_)
    : spec(std::move(spec_)), refinement(refinement_) {
  SceneResult result;
  {
    py::gil_scoped_release unlocked;
    result = build_scene(spec, refinement);
  }
  if (!result.scene) raise(result.errors);
  built_ = std::move(result.scene);
  warnings = std::move(result.warnings);
  for (const Model::Entry& entry : built_->model.bodies) bodies.push_back(entry.name);
  for (const SceneDevice& device : built_->devices) devices.push_back(device.name);
  quantities = quantity_names(*built_);
  seconds = built_->seconds;
  two_rates = built_->two_rate.has_value();
  h_s = two_rates ? built_->two_rate->settings.h_high_s : built_->model.h_s;
}

std::unique_ptr<Scene> CheckedScene::build() {
  if (built_) return std::move(built_);
  SceneResult again;
  {
    py::gil_scoped_release unlocked;
    again = build_scene(spec, refinement);
  }
  if (!again.scene) raise(again.errors);  // a mesh file that is gone by now
  return std::move(again.scene);
}

std::vector<SceneOverride> overrides(const Overrides& pairs) {
  std::vector<SceneOverride> out;
  for (const auto& [key, text] : pairs) out.push_back({key, text});
  return out;
}

namespace {

py::dict limit(const ConvergeSequence& s) {
  py::list levels;
  for (const ConvergeLevel& l : s.levels)
    levels.append(py::dict("mesh"_a = l.refinement.mesh, "time"_a = l.refinement.time, "cells"_a = l.cells,
                           "unknowns"_a = l.unknowns, "dt_s"_a = l.dt_s, "size"_a = l.size,
                           "value"_a = l.value));
  return py::dict("levels"_a = levels, "ended_by"_a = s.ended_by, "converged"_a = s.limit.converged,
                  "order"_a = s.limit.order, "limit"_a = s.limit.value, "error"_a = s.limit.error);
}

py::dict converge_scene(const CheckedScene& scene, const std::string& of, int levels, double seconds) {
  const ConvergeOptions options{.quantity = of, .levels = levels, .seconds = seconds};
  Result<ConvergeStudy> result = Error{};
  {
    py::gil_scoped_release unlocked;
    result = converge([&](const SceneRefinement& r) { return build_scene(scene.spec, r); }, options);
  }
  const ConvergeStudy s = value(std::move(result));
  return py::dict("quantity"_a = s.quantity, "unit"_a = s.unit, "as_written"_a = s.as_written,
                  "limit"_a = s.limit, "error"_a = s.error, "distance_percent"_a = s.distance_percent(),
                  "converged"_a = s.converged, "not_refined"_a = s.not_refined, "mesh"_a = limit(s.mesh),
                  "time"_a = limit(s.time));
}

}  // namespace

void add_scene(py::module_& m) {
  py::class_<CheckedScene>(
      m, "Scene",
      "A scene that was read and checked. Every simulation of it has bodies and devices of its own; "
      "made by palp.load().")
      .def(py::init([](const std::string& text, const std::string& file, const Overrides& set, double mesh,
                       double time) {
             return std::make_unique<CheckedScene>(SceneSpec{file, text, overrides(set)},
                                                   SceneRefinement{mesh, time});
           }),
           "text"_a, "file"_a, "set"_a, "mesh"_a, "time"_a)
      .def_property_readonly(
          "text", [](const CheckedScene& s) { return s.spec.text; }, "The YAML text, before the overrides.")
      .def_property_readonly(
          "file", [](const CheckedScene& s) { return s.spec.file; },
          "Where it came from; paths in it are relative to this file.")
      .def_readonly("warnings", &CheckedScene::warnings, "What looks suspicious: units, mesh quality.")
      .def_readonly("bodies", &CheckedScene::bodies, "Names of the bodies.")
      .def_readonly("devices", &CheckedScene::devices, "Names of the devices.")
      .def_readonly("quantities", &CheckedScene::quantities, "Names of what a run comes to.")
      .def_readonly("seconds", &CheckedScene::seconds, "How long the scene runs, s.")
      .def_readonly("h_s", &CheckedScene::h_s, "The step, s; the haptic tick with two rates.")
      .def_readonly("two_rates", &CheckedScene::two_rates, "Whether the scene has `haptics:`.")
      .def_property_readonly(
          "overrides",
          [](const CheckedScene& s) {
            Overrides out;
            for (const SceneOverride& o : s.spec.changes) out.emplace_back(o.key, o.value);
            return out;
          },
          "Key and YAML value of each override.")
      .def(
          "whole_text", [](const CheckedScene& s) { return value(whole_scene(s.spec)); },
          "The scene as one YAML text that reads the same from any folder: overrides applied, files by their "
          "full "
          "paths.")
      .def("__repr__", [](const CheckedScene& s) {
        return "<palp.Scene " + (s.spec.file.empty() ? std::string("of a text") : s.spec.file) + ": " +
               std::to_string(s.bodies.size()) + " bodies, " + std::to_string(s.devices.size()) + " devices>";
      });

  m.def(
      "_read_text", [](const std::string& path) { return py::bytes(value(io::read_bytes(path))); }, "path"_a);
  m.def("_converge", &converge_scene, "scene"_a, "of"_a, "levels"_a, "seconds"_a);
}

}  // namespace palp::python
