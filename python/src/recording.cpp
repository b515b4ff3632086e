// Recordings as arrays: the rows are read once, and every field is a view on them.
#include "palp/io/recording.hpp"

#include "common.hpp"

namespace palp::python {
namespace {

using Rows = std::vector<TickRecord>;

/// A field of every row: `first` is where it lies in the first one.
template <class T>
void field(py::dict& out, const char* name, const T* first, size_t rows, size_t width,
           const py::capsule& owner) {
  const auto stride = static_cast<py::ssize_t>(sizeof(TickRecord)), one = static_cast<py::ssize_t>(sizeof(T));
  const auto n = static_cast<py::ssize_t>(rows), w = static_cast<py::ssize_t>(width);
  if (rows == 0) first = nullptr;
  out[name] = width == 1 ? view(first, {n}, {stride}, owner) : view(first, {n, w}, {stride, one}, owner);
}
#define PALP_FIELD(name, width) field(out, #name, address(row.name), n, width, owner)

template <class T>
const T* address(const T& scalar) {
  return &scalar;
}
template <class T, size_t k>
const T* address(const std::array<T, k>& array) {
  return array.data();
}

py::dict tick_fields(const Rows& rows, const py::capsule& owner) {
  static const TickRecord none;
  const TickRecord& row = rows.empty() ? none : rows[0];
  const size_t n = rows.size();
  py::dict out;
  PALP_FIELD(sequence, 1);
  PALP_FIELD(time_s, 1);
  PALP_FIELD(clock_us, 1);
  PALP_FIELD(late_us, 1);
  PALP_FIELD(snapshot_sequence, 1);
  PALP_FIELD(snapshot_age_s, 1);
  PALP_FIELD(contacts, 1);
  PALP_FIELD(active_contacts, 1);
  PALP_FIELD(sweeps, 1);
  PALP_FIELD(converged, 1);
  PALP_FIELD(certificate, 1);
  PALP_FIELD(penetration_m, 1);
  PALP_FIELD(state_hash, 1);
  PALP_FIELD(interventions, 1);
  PALP_FIELD(given_J, 1);
  PALP_FIELD(stage_us, max_stages);
  return out;
}

py::dict device_fields(const Rows& rows, size_t device, const py::capsule& owner) {
  static const TickDevice none;
  const TickDevice& row = rows.empty() ? none : rows[0].device[device];
  const size_t n = rows.size();
  py::dict out;
  PALP_FIELD(position, 3);
  PALP_FIELD(orientation, 4);
  PALP_FIELD(velocity, 3);
  PALP_FIELD(angular_velocity, 3);
  PALP_FIELD(raw_force, 3);
  PALP_FIELD(raw_torque, 3);
  PALP_FIELD(force, 3);
  PALP_FIELD(torque, 3);
  PALP_FIELD(proxy_position, 3);
  PALP_FIELD(proxy_orientation, 4);
  PALP_FIELD(given_J, 1);
  PALP_FIELD(buttons, 1);
  PALP_FIELD(present, 1);
  PALP_FIELD(interventions, 1);
  return out;
}
#undef PALP_FIELD

std::pair<py::dict, py::dict> ticks(const Recording& recording, size_t first, py::ssize_t count) {
  const size_t all = recording.ticks(), begin = std::min(first, all);
  const size_t wanted = count < 0 ? all - begin : std::min(static_cast<size_t>(count), all - begin);
  Result<Rows> read = Rows{};
  {
    py::gil_scoped_release unlocked;
    read = recording.read_ticks(begin, wanted);
  }
  auto* rows = new Rows(value(std::move(read)));
  const py::capsule owner(rows, [](void* p) { delete static_cast<Rows*>(p); });
  py::dict hands;
  for (size_t d = 0; d < recording.setup().devices.size() && d < static_cast<size_t>(max_devices); ++d)
    hands[py::str(recording.setup().devices[d])] = device_fields(*rows, d, owner);
  return {tick_fields(*rows, owner), hands};
}

size_t body_number(const Recording& recording, const std::string& name) {
  const auto& bodies = recording.setup().bodies;
  for (size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name) return b;
  throw py::key_error("the recording has no body '" + name + "'");
}

}  // namespace

void add_recording(py::module_& m) {
  py::class_<Recording>(m, "Recording", "A recording (HDF5) of `palp run --record`, a Simulation or a Live.")
      .def(py::init([](const py::object& path) {
             return value(Recording::open(py::str(path).cast<std::string>()));
           }),
           "path"_a)
      .def("__len__", &Recording::ticks)
      .def_property_readonly("finished", &Recording::finished,
                             "False: the program ended before the file was closed.")
      .def_property_readonly(
          "h_s", [](const Recording& r) { return r.setup().h_s; }, "Time of a tick, s.")
      .def_property_readonly(
          "devices", [](const Recording& r) { return r.setup().devices; }, "Names of the devices.")
      .def_property_readonly(
          "bodies",
          [](const Recording& r) {
            std::vector<std::string> names;
            for (const auto& body : r.setup().bodies) names.push_back(body.name);
            return names;
          },
          "Names of the bodies.")
      .def_property_readonly(
          "scene_text", [](const Recording& r) { return r.setup().scene_text; },
          "The scene that was recorded.")
      .def("read", &ticks, "first"_a = 0, "count"_a = -1,
           "Ticks as arrays: (ticks, hands). ticks['certificate'], hands['hand']['force'] (n, 3) N, … All "
           "are views on "
           "rows that were read once.")
      .def(
          "contacts",
          [](const Recording& r, size_t tick) {
            const RecordedContacts c = value(r.read_contacts(tick));
            return py::dict("delta_free"_a = copied(c.delta_free), "lambda"_a = copied(c.lambda),
                            "W"_a = copied(c.W));
          },
          "tick"_a,
          "The contact problem of a tick: delta_free (m), lambda (N), W (m/N; empty when it was too large).")
      .def_property_readonly(
          "frame_times_s",
          [](const Recording& r) {
            std::vector<double> times;
            for (const RecordedFrame& frame : r.frames()) times.push_back(frame.time_s);
            const auto n = static_cast<py::ssize_t>(times.size());
            return owned(std::move(times), {n});
          },
          "Times of the frames, s.")
      .def(
          "vertices",
          [](const Recording& r, const std::string& body, size_t frame) {
            if (frame >= r.frames().size())
              throw py::index_error("the recording has " + std::to_string(r.frames().size()) + " frames");
            auto vertices = value(r.read_vertices(static_cast<int>(body_number(r, body)), frame));
            const auto n = static_cast<py::ssize_t>(vertices.size() / 3);
            return owned(std::move(vertices), {n, 3});
          },
          "body"_a, "frame"_a, "Vertices of a body's skin in a frame, (n, 3), m, single precision.")
      .def(
          "triangles",
          [](const py::object& self, const std::string& body) {
            const auto& r = self.cast<const Recording&>();
            return indices_view(r.setup().bodies[body_number(r, body)].triangles, self);
          },
          "body"_a, "Triangles of a body's skin, a view.");
}

}  // namespace palp::python
