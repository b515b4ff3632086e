// A scene stepped on the virtual clock. Bodies and hands are windows on the simulation's own memory.
#include <cmath>
#include <mutex>
#include <optional>

#include "contacts.hpp"
#include "device.hpp"
#include "scene.hpp"

#include "palp/base/clock.hpp"
#include "palp/scene/quantities.hpp"
#include "palp/scene/run_recording.hpp"
#include "palp/scene/run_series.hpp"

namespace palp::python {
namespace {

/// A run as a table, a row a step.
struct Series {
  std::vector<std::string> names;
  std::vector<double> values;  ///< row by row
  size_t rows() const { return names.empty() ? 0 : values.size() / names.size(); }
};

class Simulation {
 public:
  Simulation(CheckedScene& checked, const py::dict& devices, const std::string& record)
      : scene(checked.build()) {
    for (const auto& [name, object] : devices) {
      const size_t d = device_number(*scene, name.cast<std::string>());
      scene->devices[d].device =
          std::make_unique<SteppedHand>(py::reinterpret_borrow<py::object>(object), fault_);
    }
    {
      py::gil_scoped_release unlocked;
      run.emplace(*scene);
    }
    raise_fault();
    quantities_.emplace(*scene);
    if (!record.empty()) recording_.emplace(value(RunRecording::start(record, *scene, PALP_BUILD, 50, {})));
  }

  /// Steps; the rows go to `series` if there is one. A step that fails is an error with everything as it was.
  void advance(long steps, Series* series, const py::object& each) {
    const std::unique_lock lock(busy_, std::try_to_lock);
    if (!lock) throw std::runtime_error("another thread is stepping this simulation");
    bool ok = true;
    const bool watched = !each.is_none();
    for (long done = 0; ok && done < steps;) {
      {
        py::gil_scoped_release unlocked;
        const double begin = now_us();
        do ok = one(series);
        while (++done < steps && ok && !watched && now_us() - begin < 1e5);  // then signals are looked at
      }
      raise_fault();
      if (steps > 1 && PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (ok && watched) each();
    }
    if (!ok)
      raise({.message = "the step at " + std::to_string(run->state().time_s) +
                        " s failed: " + explain(*scene, run->record().report),
             .file = scene->spec.file});
  }

  std::shared_ptr<Series> new_series() {
    if (!columns_) columns_.emplace(*scene);
    return std::make_shared<Series>(Series{columns_->columns(), {}});
  }

  long steps_of(double seconds) const { return static_cast<long>(std::ceil(seconds / run->step_s() - 1e-9)); }
  void close() {
    if (!recording_) return;
    Result<void> closed;
    {
      py::gil_scoped_release unlocked;
      closed = recording_->close();
    }
    recording_.reset();
    check(closed);
  }

  std::vector<Quantity> quantities() const { return quantities_->list(); }

  const std::unique_ptr<Scene> scene;
  std::optional<SceneRun> run;

 private:
  bool one(Series* series) {
    if (!run->advance()) return false;
    if (fault_) return false;  // told by advance
    quantities_->add(*run);
    if (recording_) recording_->add(*run);
    if (series) columns_->add(*run, series->values);
    return true;
  }
  void raise_fault() {
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  }

  std::exception_ptr fault_;  ///< what a Python device raised
  std::optional<RunQuantities> quantities_;
  std::optional<RunRecording> recording_;
  std::optional<RunSeries> columns_;  ///< of the first series that was asked for
  std::mutex busy_;
};

using Shared = std::shared_ptr<Simulation>;

struct BodyWindow {
  Shared sim;
  int number;
  const Model::Entry& entry() const { return sim->scene->model.bodies[static_cast<size_t>(number)]; }
  const Body& body() const { return *entry().body; }
  BodyState& state() const { return sim->run->state().bodies[static_cast<size_t>(number)]; }
  bool may_write() const { return !sim->scene->two_rate; }
  const BodyVolume* volume() const { return sim->scene->meshes[static_cast<size_t>(number)].volume.get(); }
};

struct HandWindow {
  Shared sim;
  int number;
  const StepRecord::Hand& hand() const { return sim->run->record().hands[static_cast<size_t>(number)]; }
};

/// H A⁻¹ Hᵀ of points of the skin, at the state, with nothing that holds the body but its own supports.
py::array compliance(const BodyWindow& b, const Ints& vertices) {
  const int n = static_cast<int>(vertices.size());
  PointJacobian H;
  for (int i = 0; i < n; ++i) {
    if (vertices.data()[i] < 0 || vertices.data()[i] >= b.body().skin().vertices)
      throw py::index_error("the skin of '" + b.entry().name + "' has no vertex " +
                            std::to_string(vertices.data()[i]));
    b.body().append_vertex(b.state(), vertices.data()[i], 1, H);
    H.end_point();
  }
  MatX G = MatX::Zero(3 * n, 3 * n);
  bool ok = true;
  {
    py::gil_scoped_release unlocked;
    const auto ws = b.body().make_workspace();
    const double h = b.sim->scene->model.h_of(static_cast<size_t>(b.number));
    Loads loads;
    loads.gravity = b.sim->scene->model.gravity;
    ok = b.body().free_motion(b.state(), loads, h, *ws);
    if (ok) b.body().project_compliance(H, *ws, G);
  }
  if (!ok) raise({.message = explain(*b.sim->scene, StepStatus::free_motion_failed, b.number)});
  return copied(G);
}

py::array vertices(const BodyWindow& b) {
  std::vector<Vec3> points(static_cast<size_t>(b.body().skin().vertices));
  b.body().skin_positions(b.state(), VecX(), points);
  return copied_points(points);
}

/// The force that pushes the body in every step from now on: zero until it is written to.
py::array force_view(const py::object& self) {
  const auto& b = self.cast<const BodyWindow&>();
  Loads& loads = b.sim->run->loads(b.number);
  if (loads.force.size() == 0) loads.force = VecX::Zero(b.body().dof());
  return flat_view(loads.force.data(), static_cast<size_t>(loads.force.size()), self, true);
}

/// Contact problems of the last step, one per group of bodies that touch; of the low rate with two rates.
py::list problems(const Simulation& sim) {
  py::list out;
  const Workspace& ws = sim.run->workspace();
  for (int g = 0; g < ws.group_count; ++g) {
    const ContactGroup& group = ws.groups[static_cast<size_t>(g)];
    const int m = group.problem.contacts();
    MatX W = MatX::Zero(3 * m, 3 * m);
    for_each_entry(group.problem.W, [&](int r, int c, double v) { W(r, c) += v; });
    py::list bodies;
    for (int b : group.bodies) bodies.append(sim.scene->model.bodies[static_cast<size_t>(b)].name);
    std::vector<bool> bilateral;
    for (int i = 0; i < m; ++i) bilateral.push_back(group.problem.bilateral(i));
    out.append(py::dict("W"_a = copied(W), "delta_free"_a = copied(group.problem.delta_free),
                        "mu"_a = copied(group.problem.mu), "bilateral"_a = bilateral, "f"_a = copied(group.f),
                        "certificate"_a = group.report.certificate, "sweeps"_a = group.report.sweeps,
                        "bodies"_a = bodies));
  }
  return out;
}

template <class Window>
py::dict windows(const Shared& sim, size_t count, const auto& name) {
  py::dict out;
  for (size_t k = 0; k < count; ++k) out[py::str(name(k))] = Window{sim, static_cast<int>(k)};
  return out;
}

void add_series(py::module_& m) {
  py::class_<Series, std::shared_ptr<Series>>(
      m, "Series", "A run as a table, a row a step. series['hand_fy_N'] is a column, seen where it lies.")
      .def_readonly("columns", &Series::names, "Names of the columns, as in `palp run --csv`.")
      .def("__len__", &Series::rows)
      .def("__contains__",
           [](const Series& s, const std::string& name) {
             return std::find(s.names.begin(), s.names.end(), name) != s.names.end();
           })
      .def("__iter__", [](const Series& s) { return py::iter(py::cast(s.names)); })
      .def(
          "keys", [](const Series& s) { return s.names; }, "Names of the columns, as of a dict.")
      .def("__getitem__", [](const py::object& self, const std::string& name) {
        const auto& s = self.cast<const Series&>();
        const auto at = std::find(s.names.begin(), s.names.end(), name);
        if (at == s.names.end()) throw py::key_error("the series has no column '" + name + "'");
        return view(s.values.data() + (at - s.names.begin()), {static_cast<py::ssize_t>(s.rows())},
                    {static_cast<py::ssize_t>(s.names.size() * sizeof(double))}, self);
      });
}

void add_windows(py::module_& m) {
  py::class_<BodyWindow>(m, "Body", "A body of a simulation; its arrays are the simulation's own memory.")
      .def_property_readonly(
          "name", [](const BodyWindow& b) { return b.entry().name; }, "As in the scene.")
      .def_property_readonly(
          "dof", [](const BodyWindow& b) { return b.body().dof(); }, "Degrees of freedom.")
      .def_property_readonly(
          "movable", [](const BodyWindow& b) { return b.body().movable(); }, "False for an obstacle.")
      .def_property_readonly(
          "mass_kg", [](const BodyWindow& b) { return b.body().mass(); }, "Mass, kg.")
      .def_property_readonly(
          "h_s", [](const BodyWindow& b) { return b.sim->scene->model.h_of(static_cast<size_t>(b.number)); },
          "Its step, s.")
      .def_property_readonly(
          "x",
          [](const py::object& self) {
            const auto& b = self.cast<const BodyWindow&>();
            return flat_view(b.state().x.data(), static_cast<size_t>(b.state().x.size()), self,
                             b.may_write());
          },
          "Generalised positions, a view: steps show in it. Nodes of elastic bodies x y z one after the "
          "other, m; a "
          "rigid frame has a position and a quaternion x y z w. May be written between steps, but with two "
          "rates.")
      .def_property_readonly(
          "v",
          [](const py::object& self) {
            const auto& b = self.cast<const BodyWindow&>();
            return flat_view(b.state().v.data(), static_cast<size_t>(b.state().v.size()), self,
                             b.may_write());
          },
          "Velocities of the degrees of freedom, a view, m/s and rad/s.")
      .def_property_readonly(
          "force", &force_view,
          "Generalised force that pushes the body in every step, N and N·m: a view to write to.")
      .def_property_readonly("vertices", &vertices, "Where the vertices of the skin are now, (n, 3), m.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            return indices_view(self.cast<const BodyWindow&>().body().skin().triangles, self);
          },
          "Triangles of the skin, (n, 3), a view.")
      .def_property_readonly(
          "segments",
          [](const py::object& self) {
            return indices_view(self.cast<const BodyWindow&>().body().skin().segments, self);
          },
          "Segments of a beam's skin, (n, 2), a view.")
      .def_property_readonly(
          "mesh_nodes",
          [](const py::object& self) {
            static const std::vector<Vec3> none;
            const BodyVolume* volume = self.cast<const BodyWindow&>().volume();
            return volume
                       ? std::visit([&](const auto& of) { return points_view(of.nodes, self); }, volume->mesh)
                       : points_view(none, self);
          },
          "Nodes of its elements where they start, (n, 3), m, a view; none for bodies without elements.")
      .def_property_readonly(
          "elements",
          [](const py::object& self) {
            static const std::vector<Tet> none;
            const BodyVolume* volume = self.cast<const BodyWindow&>().volume();
            const auto cells = [&](const auto& of) {
              if constexpr (requires { of.hexes; })
                return indices_view(of.hexes, self);
              else
                return indices_view(of.tets, self);
            };
            return volume ? std::visit(cells, volume->mesh) : indices_view(none, self);
          },
          "Nodes of its tets (n, 4), quadratic tets (n, 10) or hexes (n, 8, in VTK's order), a view.")
      .def_property_readonly(
          "skin_radius_m", [](const BodyWindow& b) { return b.body().skin().radius; },
          "Thickness of the skin, m.")
      .def_property_readonly(
          "kinetic_J", [](const BodyWindow& b) { return b.body().kinetic_energy(b.state()); },
          "Kinetic energy, J.")
      .def_property_readonly(
          "elastic_J", [](const BodyWindow& b) { return b.body().elastic_energy(b.state()); },
          "Energy of its deformation, J.")
      .def_property_readonly(
          "support_force", [](const BodyWindow& b) { return copied(b.sim->run->support_force(b.number)); },
          "Force of the supports (fixed and pinned nodes) on the body in its last step, N.")
      .def("compliance", &compliance, "vertices"_a,
           "H A⁻¹ Hᵀ over one step at these vertices of the skin, (3n, 3n), m/N: how they give way to forces "
           "on each "
           "other, world axes.")
      .def("__repr__", [](const BodyWindow& b) {
        return "<palp.Body " + b.entry().name + ": " + std::to_string(b.body().dof()) +
               " degrees of freedom>";
      });

  const auto hand = [](auto part) {
    return [part](const py::object& self) {
      const auto& v = part(self.cast<const HandWindow&>().hand());
      return flat_view(v.data(), static_cast<size_t>(v.size()), self);
    };
  };
  py::class_<HandWindow>(m, "Hand", "A device of a simulation: where it is and what it feels. Views.")
      .def_property_readonly("force", hand([](const StepRecord::Hand& h) -> auto& { return h.wrench.force; }),
                             "On the hand, N.")
      .def_property_readonly("torque",
                             hand([](const StepRecord::Hand& h) -> auto& { return h.wrench.torque; }),
                             "On the hand, N·m.")
      .def_property_readonly("position",
                             hand([](const StepRecord::Hand& h) -> auto& { return h.pose.position; }), "m.")
      .def_property_readonly(
          "orientation", hand([](const StepRecord::Hand& h) -> auto& { return h.pose.orientation.coeffs(); }),
          "Unit quaternion x y z w.")
      .def_property_readonly(
          "velocity", hand([](const StepRecord::Hand& h) -> auto& { return h.pose.velocity; }), "m/s.");
}

void add_reports(py::module_& m) {
  py::class_<StepReport>(m, "StepReport", "What a step measured.")
      .def_readonly("contacts", &StepReport::contacts, "How many.")
      .def_readonly("active_contacts", &StepReport::active_contacts, "With a force.")
      .def_readonly("left_out_contacts", &StepReport::left_out_contacts, "Beyond solver.maxContacts.")
      .def_readonly("sweeps", &StepReport::sweeps, "Iterations of the solver, of all problems.")
      .def_readonly("certificate", &StepReport::certificate, "How well the contact laws hold: 0 is exactly.")
      .def_readonly("converged", &StepReport::converged, "Whether every certificate is within the tolerance.")
      .def_readonly("penetration_m", &StepReport::penetration_m,
                    "Deepest, geometric, at the start of the step, m.")
      .def_readonly("violation_m", &StepReport::violation_m,
                    "Deepest in the linearised problem after the solve, m.")
      .def_property_readonly(
          "times_us",
          [](const StepReport& r) {
            return py::dict("free_motion"_a = r.times.free_motion_us, "proximity"_a = r.times.proximity_us,
                            "contacts"_a = r.times.contacts_us, "delassus"_a = r.times.delassus_us,
                            "solve"_a = r.times.solve_us, "motion"_a = r.times.motion_us);
          },
          "Computation times of the stages, µs.");
  py::class_<Quantity>(m, "Quantity", "A number that a run came to.")
      .def_readonly("name", &Quantity::name, "As in the list of `palp run`: hand.peakForce.")
      .def_readonly("unit", &Quantity::unit, "N or N·m.")
      .def_readonly("value", &Quantity::value, "The number itself, in its unit.")
      .def_readonly("at_s", &Quantity::at_s, "Of peaks: when, s.")
      .def("__float__", [](const Quantity& q) { return q.value; })
      .def("__repr__", [](const Quantity& q) {
        return "<" + q.name + " = " + py::repr(py::float_(q.value)).cast<std::string>() + " " + q.unit + ">";
      });
}

}  // namespace

void add_simulation(py::module_& m) {
  add_series(m);
  add_windows(m);
  add_reports(m);
  py::class_<Simulation, Shared>(
      m, "Simulation",
      "A scene on the virtual clock, with one rate or two: the same bits every time.\n\n"
      "devices: {name: object}: devices of one's own instead of the scene's (palp.Device).\n"
      "record: a file (HDF5) that keeps every step, for palp.Recording and `palp replay`.")
      .def(py::init([](CheckedScene& scene, const py::object& devices, const py::object& record) {
             return std::make_shared<Simulation>(
                 scene, devices.is_none() ? py::dict() : devices.cast<py::dict>(),
                 record.is_none() ? std::string() : py::str(record).cast<std::string>());
           }),
           "scene"_a, "devices"_a = py::none(), "record"_a = py::none())
      .def(
          "step", [](Simulation& s, long steps) { s.advance(steps, nullptr, py::none()); }, "steps"_a = 1,
          "Makes steps; haptic ticks with two rates. A step that fails raises palp.Error and changes "
          "nothing.")
      .def(
          "run",
          [](Simulation& s, std::optional<double> seconds, const py::object& each) {
            const double until_s = seconds ? s.run->state().time_s + *seconds : s.scene->seconds;
            const double left_s = until_s - s.run->state().time_s;
            if (!std::isfinite(left_s)) throw py::value_error("seconds is a finite number");
            auto series = s.new_series();
            s.advance(std::max(0L, s.steps_of(left_s)), series.get(), each);
            return series;
          },
          "seconds"_a = py::none(), "each"_a = py::none(),
          "Runs for so many seconds, or to the end of the scene, and returns the series of its steps. "
          "each(): called "
          "after every step.")
      .def_property_readonly(
          "time_s", [](const Simulation& s) { return s.run->state().time_s; }, "Simulated time, s.")
      .def_property_readonly(
          "steps", [](const Simulation& s) { return s.run->state().step; }, "Steps made.")
      .def_property_readonly(
          "h_s", [](const Simulation& s) { return s.run->step_s(); }, "Time of one step, s.")
      .def_property_readonly(
          "bodies",
          [](const Shared& s) {
            return windows<BodyWindow>(s, s->scene->model.bodies.size(),
                                       [&](size_t b) { return s->scene->model.bodies[b].name; });
          },
          "Bodies by name.")
      .def_property_readonly(
          "hands",
          [](const Shared& s) {
            return windows<HandWindow>(s, s->scene->devices.size(),
                                       [&](size_t d) { return s->scene->devices[d].name; });
          },
          "Devices by name.")
      .def_property_readonly(
          "report", [](const Simulation& s) { return s.run->record().report; },
          "What the last step measured; of the tick with two rates.")
      .def_property_readonly(
          "energies_J",
          [](const Simulation& s) {
            const StepRecord& r = s.run->record();
            return py::dict("kinetic"_a = r.kinetic_J, "elastic"_a = r.elastic_J, "given"_a = r.given_J);
          },
          "Kinetic and elastic energy, and what was given to the hands so far, J.")
      .def_property_readonly(
          "contacts",
          [](const Simulation& s) {
            std::vector<std::vector<Vec3>> skins;
            for (size_t b = 0; b < s.scene->model.bodies.size(); ++b)
              skins.push_back(s.run->skin(static_cast<int>(b)).nodes);
            std::vector<LiveView::Contact> list;
            gather(*s.run, skins, list);
            return contact_arrays(*s.scene, list);
          },
          "Contacts of the last step (of the last tick with two rates): position (n, 3) m, normal, force (n, "
          "3) N "
          "on body1.")
      .def("problems", &problems,
           "Contact problems of the last step: W (m/N), delta_free (m), mu, the solution f (N), certificate. "
           "Copies.")
      .def_property_readonly(
          "quantities",
          [](const Simulation& s) {
            py::dict out;
            for (const Quantity& q : s.quantities()) out[py::str(q.name)] = q;
            return out;
          },
          "What the run came to until now, by name: the list of `palp run`.")
      .def("close", &Simulation::close, "Completes the recording, if there is one.");
}

}  // namespace palp::python
