// The module palp._palp: what the package palp is made of.
#include "common.hpp"

#include "palp/base/processor.hpp"

namespace palp::python {

void raise(const std::vector<Error>& errors) {
  const py::object type = py::module_::import("palp._errors").attr("Error");
  const auto make = [&](const Error& e, const py::object& all) {
    return type(e.message, "file"_a = e.file, "line"_a = e.line, "column"_a = e.column, "remedy"_a = e.remedy,
                "errors"_a = all);
  };
  py::list all;
  for (const Error& e : errors) all.append(make(e, py::none()));
  PyErr_SetObject(type.ptr(), make(errors.empty() ? Error{.message = "unknown"} : errors[0], all).ptr());
  throw py::error_already_set();
}

Vec3 vec3(const Doubles& array, const char* what) {
  if (array.size() != 3) throw py::value_error(std::string(what) + " has three numbers");
  return {array.data()[0], array.data()[1], array.data()[2]};
}

}  // namespace palp::python

PYBIND11_MODULE(_palp, m) {
  using namespace palp::python;
  m.doc() = "The compiled part of the package palp.";
  if (const std::string missing = palp::missing_processor_features(); !missing.empty())
    throw py::import_error("this build of Palp is for " + std::string(palp::build_target()) +
                           ", and the processor lacks " + missing);
  m.attr("__module__") = "palp";  // of the classes: help() tells where users find them
  m.attr("__version__") = PALP_VERSION;
  m.attr("build") = PALP_BUILD;
  add_scene(m);
  add_simulation(m);
  add_live(m);
  add_solve(m);
  add_mesh(m);
  add_recording(m);
  add_study(m);
}
