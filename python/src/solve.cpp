// Contact problems as arrays, given to any solver.
#include <cmath>

#include "common.hpp"

#include "palp/io/problem_json.hpp"
#include "palp/solvers/certificate.hpp"
#include "palp/solvers/solver.hpp"

namespace palp::python {
namespace {

const char* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::sweep_limit:
      return "sweep_limit";
    case SolveStatus::budget_spent:
      return "budget_spent";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::not_applicable:
      return "not_applicable";
  }
  return "unknown";
}

VecX vector(const Doubles& array) { return Eigen::Map<const VecX>(array.data(), array.size()); }

/// W is an array (3m, 3m), or anything with tocoo() (SciPy's sparse matrices).
Problem problem(const py::object& W, const Doubles& delta_free, const Doubles& mu,
                const py::object& bilateral) {
  Problem p;
  p.delta_free = vector(delta_free);
  const auto m = delta_free.size() / 3;
  if (delta_free.size() != 3 * m)
    throw py::value_error("delta_free has three numbers per contact: n, t1, t2");
  if (mu.size() == 1)
    p.mu = VecX::Constant(m, mu.data()[0]);
  else
    p.mu = vector(mu);
  if (p.mu.size() != m) throw py::value_error("mu is one number, or one per contact");
  if (py::hasattr(W, "tocoo")) {
    const py::object coo = W.attr("tocoo")();
    const auto shape = coo.attr("shape").cast<std::pair<py::ssize_t, py::ssize_t>>();
    if (shape.first != 3 * m || shape.second != 3 * m) throw py::value_error("W is (3m, 3m) for m contacts");
    const auto row = coo.attr("row").cast<Ints>(), col = coo.attr("col").cast<Ints>();
    const auto data = coo.attr("data").cast<Doubles>();
    const auto n = static_cast<size_t>(data.size());
    p.W =
        value(delassus_from_entries(static_cast<int>(m), {row.data(), n}, {col.data(), n}, {data.data(), n}));
  } else {
    const auto dense = W.cast<Doubles>();
    if (dense.ndim() != 2 || dense.shape(0) != 3 * m || dense.shape(1) != 3 * m)
      throw py::value_error("W is (3m, 3m) for m contacts");
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    p.W.dense = Eigen::Map<const RowMajor>(dense.data(), 3 * m, 3 * m);
  }
  if (!bilateral.is_none()) {
    const auto which = bilateral.cast<std::vector<bool>>();
    if (which.size() != static_cast<size_t>(m)) throw py::value_error("bilateral has one bool per contact");
    for (const bool b : which) p.kind.push_back(b ? ContactKind::bilateral : ContactKind::unilateral);
  }
  return p;
}

py::dict solve(const py::object& W, const Doubles& delta_free, const Doubles& mu,
               const std::string& solver_name, double tolerance, int max_sweeps, double budget_s,
               const py::object& start, const py::object& bilateral) {
  const Problem p = problem(W, delta_free, mu, bilateral);
  const auto solver = value(make_solver(solver_name));
  SolveOptions options{.tolerance = tolerance, .max_sweeps = max_sweeps, .budget_us = 1e6 * budget_s};
  VecX f = VecX::Zero(p.delta_free.size()), delta(p.delta_free.size());
  if (!start.is_none()) {
    f = vector(start.cast<Doubles>());
    if (f.size() != p.delta_free.size()) throw py::value_error("start has three numbers per contact");
    options.warm_start = true;
  }
  Result<void> ok;
  SolveReport report;
  double judged = 0;
  {
    py::gil_scoped_release unlocked;
    if (auto valid = validate(p); !valid) ok = valid.error();
    if (ok) ok = solver->set_problem(p);
    if (ok) {
      report = solver->solve(options, f);
      multiply(p, f, delta);
      judged = certificate(p, f).value;
    }
  }
  check(ok);
  return py::dict("f"_a = copied(f), "delta"_a = copied(delta), "certificate"_a = judged,
                  "status"_a = name(report.status), "converged"_a = report.converged(),
                  "sweeps"_a = report.sweeps, "time_us"_a = report.time_us);
}

py::dict arrays(const Problem& p) {
  const int m = p.contacts();
  MatX W = MatX::Zero(3 * m, 3 * m);
  for_each_entry(p.W, [&](int r, int c, double v) { W(r, c) += v; });
  std::vector<bool> bilateral;
  for (int i = 0; i < m; ++i) bilateral.push_back(p.bilateral(i));
  return py::dict("W"_a = copied(W), "delta_free"_a = copied(p.delta_free), "mu"_a = copied(p.mu),
                  "bilateral"_a = bilateral);
}

}  // namespace

void add_solve(py::module_& m) {
  m.def("_solve", &solve, "W"_a, "delta_free"_a, "mu"_a, "solver"_a, "tolerance"_a, "max_sweeps"_a,
        "budget_s"_a, "start"_a, "bilateral"_a);
  m.def(
      "certificate",
      [](const py::object& W, const Doubles& delta_free, const Doubles& mu, const Doubles& f,
         const py::object& bilateral) {
        const Problem p = problem(W, delta_free, mu, bilateral);
        const VecX forces = vector(f);
        if (f.size() != p.delta_free.size()) throw py::value_error("f has three numbers per contact");
        Result<void> ok;
        double judged = 0;
        {
          py::gil_scoped_release unlocked;
          if (auto valid = validate(p); !valid) ok = valid.error();
          if (ok) judged = certificate(p, forces).value;
        }
        check(ok);
        return judged;
      },
      "W"_a, "delta_free"_a, "mu"_a, "f"_a, "bilateral"_a = py::none(),
      "How well forces f (N) satisfy Signorini's and Coulomb's laws, whoever computed them: 0 is exactly.");
  m.def(
      "solvers",
      [] {
        std::vector<std::string> names;
        for (const std::string_view n : solver_names()) names.emplace_back(n);
        return names;
      },
      "Names of the contact solvers.");
  m.def(
      "read_problem",
      [](const std::string& path) {
        Result<Problem> read = Error{};
        {
          py::gil_scoped_release unlocked;
          read = palp::read_problem(path);
        }
        return arrays(value(std::move(read)));
      },
      "path"_a, "A contact problem from a file (FCLIB HDF5 or JSON): W, delta_free, mu, bilateral.");
}

}  // namespace palp::python
