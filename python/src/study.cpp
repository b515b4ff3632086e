// Studies of many designs.
#include "common.hpp"

#include "palp/study/report.hpp"
#include "palp/study/sweep.hpp"

namespace palp::python {
namespace {

struct PyStudy {
  Study study;
  std::vector<StudyRow> rows;
};

std::unique_ptr<PyStudy> make_study(const std::string& text, const std::string& file) {
  StudyResult read;
  {
    py::gil_scoped_release unlocked;
    read = parse_study(text, file);
  }
  if (!read.study) raise(read.errors);
  auto out = std::make_unique<PyStudy>(PyStudy{std::move(*read.study), {}});
  out->rows = study_rows(out->study);
  return out;
}

const StudyRow& row(const PyStudy& s, size_t i) {
  if (i >= s.rows.size()) throw py::index_error("the study has " + std::to_string(s.rows.size()) + " rows");
  return s.rows[i];
}

py::object number_or_text(const std::string& yaml) {
  const auto x = as_number(yaml);
  return x ? py::object(py::float_(*x)) : py::object(py::str(yaml));
}

/// Runs what is missing; `progress(done, of, failed, seconds, left_s)` is called with the lock.
py::dict run(const PyStudy& s, const std::string& folder, int jobs, bool keep_failed,
             const py::object& progress) {
  const StudyFolder out = value(StudyFolder::open(folder));
  std::atomic<bool> stop = false;
  std::exception_ptr fault;
  SweepOptions options{.jobs = jobs, .keep_failed = keep_failed, .build = PALP_BUILD, .stop = &stop};
  options.progress = [&](const SweepProgress& p) {
    const py::gil_scoped_acquire locked;
    if (fault) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress.is_none()) progress(p.done, p.of, p.failed, p.seconds, p.left_s);
    } catch (...) {
      fault = std::current_exception();
      stop = true;
    }
  };
  Result<SweepSummary> result = SweepSummary{};
  {
    py::gil_scoped_release unlocked;
    result = sweep(s.study, out, options);
  }
  if (fault) std::rethrow_exception(fault);
  const SweepSummary summary = value(std::move(result));
  return py::dict("rows"_a = summary.rows, "present"_a = summary.present, "ran"_a = summary.ran,
                  "failed"_a = summary.failed, "seconds"_a = summary.seconds);
}

/// The columns of the table, by name.
py::dict table(const PyStudy& s, const std::string& folder, bool write) {
  const StudyFolder out = value(StudyFolder::open(folder));
  StudyTable t;
  Result<void> written;
  {
    py::gil_scoped_release unlocked;
    t = merge(s.study, out);
    if (write) written = write_outcome(s.study, t, out.path());
  }
  check(written);
  const auto n = static_cast<py::ssize_t>(t.rows.size());
  const auto numbers = [&](const auto& of) {
    std::vector<double> column;
    for (size_t i = 0; i < t.rows.size(); ++i) column.push_back(of(i));
    return owned(std::move(column), {n});
  };
  const auto list = [&](const auto& of) {
    py::list column;
    for (size_t i = 0; i < t.rows.size(); ++i) column.append(of(i));
    return column;
  };
  py::dict columns;
  columns["design"] = numbers([&](size_t i) { return double(t.rows[i].design); }).attr("astype")("int64");
  columns["repeat"] = numbers([&](size_t i) { return double(t.rows[i].repeat); }).attr("astype")("int64");
  for (size_t p = 0; p < s.study.parameters.size(); ++p)
    columns[py::str(s.study.parameters[p].name)] =
        is_numeric(t, p) ? py::object(numbers([&](size_t i) { return *as_number(t.rows[i].values[p]); }))
                         : py::object(list([&](size_t i) { return t.rows[i].values[p]; }));
  for (size_t k = 0; k < s.study.keep.size(); ++k)
    columns[py::str(s.study.keep[k].name)] = numbers([&](size_t i) { return t.results[i].values[k]; });
  columns["status"] = list([&](size_t i) { return std::string(name_of(t.status[i])); });
  columns["reason"] = list([&](size_t i) { return t.results[i].reason; });
  columns["seconds"] = numbers([&](size_t i) { return t.results[i].seconds; });
  return columns;
}

}  // namespace

void add_study(py::module_& m) {
  py::class_<PyStudy>(m, "Study",
                      "A study that was read and checked: docs/studies.md. Made by palp.load_study().")
      .def(py::init(&make_study), "text"_a, "file"_a)
      .def("__len__", [](const PyStudy& s) { return s.rows.size(); })
      .def_property_readonly(
          "text", [](const PyStudy& s) { return s.study.text; }, "The YAML text.")
      .def_property_readonly(
          "file", [](const PyStudy& s) { return s.study.file; },
          "Where it came from; its scene is relative to it.")
      .def_property_readonly(
          "default_folder", [](const PyStudy& s) { return StudyFolder::default_path(s.study); },
          "Where the results go unless another folder is named.")
      .def_property_readonly(
          "parameters",
          [](const PyStudy& s) {
            std::vector<std::string> names;
            for (const StudyParameter& p : s.study.parameters) names.push_back(p.name);
            return names;
          },
          "Names of the parameters.")
      .def_property_readonly(
          "keep",
          [](const PyStudy& s) {
            std::vector<std::string> names;
            for (const Measure& k : s.study.keep) names.push_back(k.name);
            return names;
          },
          "Names of what is kept of every run.")
      .def(
          "row",
          [](const PyStudy& s, size_t i) {
            py::dict out("design"_a = row(s, i).design, "repeat"_a = row(s, i).repeat);
            for (size_t p = 0; p < s.study.parameters.size(); ++p)
              out[py::str(s.study.parameters[p].name)] = number_or_text(row(s, i).values[p]);
            return out;
          },
          "i"_a, "Design, repeat and parameters of a row.")
      .def(
          "missing",
          [](const PyStudy& s, const std::string& folder, bool keep_failed) {
            const StudyFolder there = value(StudyFolder::open(folder));
            py::gil_scoped_release unlocked;
            return rows_to_run(s.study, there, s.rows, keep_failed);
          },
          "folder"_a, "keep_failed"_a = false, "Numbers of the rows without a result, or with a failed one.")
      .def(
          "run_row",
          [](const PyStudy& s, size_t i) {
            const StudyRow& one = row(s, i);
            py::gil_scoped_release unlocked;
            return format_row(s.study, one, run_row(s.study, one, PALP_BUILD));
          },
          "i"_a, "Runs one row and returns its result as text, for `store`.")
      .def(
          "store",
          [](const PyStudy& s, size_t i, const std::string& folder, const std::string& text) {
            check(value(StudyFolder::open(folder)).write_text(fingerprint(s.study, row(s, i)), text));
          },
          "i"_a, "folder"_a, "text"_a, "Keeps the result of a row.")
      .def("run", &run, "folder"_a, "jobs"_a = 0, "keep_failed"_a = false, "progress"_a = py::none(),
           "Runs what is missing on the cores of this machine.")
      .def("table", &table, "folder"_a, "write"_a = false,
           "The results by column; write: also results.csv, results.h5 and report.html into the folder.");
}

}  // namespace palp::python
