#include "palp/io/recording.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "palp/io/recording_layout.hpp"

namespace palp {

using namespace recording;

const std::string* RecordingSetup::setting(const std::string& key) const {
  for (const auto& [k, v] : settings)
    if (k == key) return &v;
  return nullptr;
}

struct Recording::Inside {
  std::string path;
  RecordingSetup setup;
  bool finished = false;
  RecorderStatus status;
  std::size_t rows = 0;
  std::vector<ContactRow> contacts;
  std::vector<RecordedFrame> frames;
  std::vector<GlcRow> glcs;
  // Handles close in reverse order: the file last.
  Handle file, ticks, checks, delta_free, lambda, W, glc_planes, glc_boxes;
  std::vector<Handle> devices, vertices;

  Error error(std::string message, std::string remedy = "the file is damaged: record again") const {
    return {.message = std::move(message), .file = path, .remedy = std::move(remedy)};
  }
};

namespace {

constexpr int most_bodies = 100'000;
constexpr double largest_m = 1e9;  ///< of a coordinate: a float still tells bodies apart there

bool sensible(double x) { return std::abs(x) <= largest_m; }  // not a number: false

bool exists(hid_t group, const std::string& name) { return H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0; }

Handle open_set(hid_t group, const std::string& name) {
  return {group >= 0 && exists(group, name) ? H5Dopen2(group, name.c_str(), H5P_DEFAULT) : -1, H5Dclose};
}

Handle open_group(hid_t group, const std::string& name) {
  return {group >= 0 && exists(group, name) ? H5Gopen2(group, name.c_str(), H5P_DEFAULT) : -1, H5Gclose};
}

/// Dimensions of a data set; empty when it is not one or has impossible ones.
std::vector<hsize_t> size_of(hid_t set) {
  const Handle space(set >= 0 ? H5Dget_space(set) : -1, H5Sclose);
  const int rank = space.ok() ? H5Sget_simple_extent_ndims(space) : 0;
  if (rank <= 0 || rank > 3) return {};
  std::vector<hsize_t> size(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return size;
}

std::size_t rows_of(hid_t set) {
  const auto size = size_of(set);
  return size.empty() ? 0 : static_cast<std::size_t>(size[0]);
}

/// Rows first … first + count of a data set, all of each row, into `out` of `capacity` elements.
bool read_rows(hid_t set, hid_t memory_type, std::size_t first, std::size_t count, void* out,
               std::size_t capacity) {
  const auto size = size_of(set);
  if (size.empty() || first > size[0] || count > size[0] - first) return false;
  if (count == 0) return true;
  std::vector<hsize_t> start(size.size(), 0), part(size);
  start[0] = first;
  part[0] = count;
  hsize_t elements = 1;
  for (hsize_t n : part) {
    if (n == 0) return true;
    if (elements > capacity / n) return false;
    elements *= n;
  }
  if (elements != capacity) return false;
  const Handle space(H5Dget_space(set), H5Sclose);
  const Handle memory(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose);
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr) >= 0 &&
         H5Dread(set, memory_type, memory, space, H5P_DEFAULT, out) >= 0;
}

/// A text; false when it is missing or not a string of a possible length.
bool read_text(hid_t group, const char* name, std::string& out) {
  const Handle set = open_set(group, name);
  if (!set.ok()) return false;
  const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
      H5Sget_simple_extent_npoints(space) != 1)
    return false;
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || !affordable(set, size, 1)) return false;
  out.assign(size, '\0');
  if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return false;
  out.resize(std::min(out.find('\0'), out.size()));
  return true;
}

bool read_attribute(hid_t object, const char* name, std::string& out) {
  if (object < 0 || H5Aexists(object, name) <= 0) return false;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute.ok() ? H5Aget_type(attribute) : -1, H5Tclose);
  if (!type.ok() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) return false;
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > 65536) return false;
  out.assign(size, '\0');
  if (H5Aread(attribute, type, out.data()) < 0) return false;
  out.resize(std::min(out.find('\0'), out.size()));
  return true;
}

bool read_pairs(hid_t parent, const char* name, std::vector<std::pair<std::string, std::string>>& out) {
  const Handle group = open_group(parent, name);
  if (!group.ok()) return false;
  for (int i = 0; exists(group, std::to_string(i)); ++i) {
    const Handle entry = open_group(group, std::to_string(i));
    const Handle value = open_set(entry, "value");
    std::string key, bytes;
    const std::size_t size = rows_of(value);
    if (!entry.ok() || !value.ok() || !affordable(value, size, 1) || !read_text(entry, "key", key))
      return false;
    bytes.resize(size);
    if (!read_rows(value, H5T_NATIVE_UINT8, 0, size, bytes.data(), size)) return false;
    out.emplace_back(std::move(key), std::move(bytes));
  }
  return true;
}

template <class T>
bool read_numbers(hid_t group, const char* name, hid_t type, std::size_t width, std::vector<T>& out) {
  const Handle set = open_set(group, name);
  const auto size = size_of(set);
  if (size.empty() || !affordable(set, size[0], width * sizeof(T)) ||
      (size.size() == 2 && size[1] != width) || (size.size() == 1 && width != 1) || size.size() > 2)
    return false;
  out.resize(static_cast<std::size_t>(size[0]) * width);
  return read_rows(set, type, 0, static_cast<std::size_t>(size[0]), out.data(), out.size());
}

bool read_grips(hid_t file, std::size_t devices, std::size_t bodies, std::vector<Grip>& out) {
  std::vector<double> n;
  if (!read_numbers(file, "grips", H5T_NATIVE_DOUBLE, grip_numbers, n)) return false;
  for (std::size_t i = 0; i + grip_numbers <= n.size(); i += grip_numbers) {
    const double* v = n.data() + i;
    const auto index = [](double x, double count) { return x >= 0 && x < count && x == std::trunc(x); };
    if (!index(v[0], static_cast<double>(devices)) || !index(v[1], static_cast<double>(bodies)) ||
        !index(v[2], 1e9) || !std::all_of(v + 3, v + 6, sensible))
      return false;
    if (!(std::abs(std::hypot(std::hypot(v[6], v[7]), std::hypot(v[8], v[9])) - 1) < 1e-6)) return false;
    if (!std::all_of(v + 10, v + 14, [](double x) { return x >= 0 && x <= 1e12; })) return false;
    Grip g;
    g.device = static_cast<int>(v[0]);
    g.body = static_cast<int>(v[1]);
    g.frame = static_cast<int>(v[2]);
    g.lever = Vec3(v[3], v[4], v[5]);
    g.turn = Quat(v[9], v[6], v[7], v[8]);
    g.coupling = {v[10], v[11], v[12], v[13]};
    out.push_back(g);
  }
  return true;
}

bool read_body(hid_t group, RecordingSetup::Body& body, Handle& vertices) {
  std::vector<double> radius;
  std::vector<int> triangles, segments;
  vertices = open_set(group, "vertices");
  if (!read_attribute(group, "name", body.name) ||
      !read_numbers(group, "radius", H5T_NATIVE_DOUBLE, 1, radius) || radius.size() != 1 ||
      !read_numbers(group, "triangles", H5T_NATIVE_INT32, 3, triangles) ||
      !read_numbers(group, "segments", H5T_NATIVE_INT32, 2, segments))
    return false;
  body.radius = radius[0];
  if (!(radius[0] >= 0 && sensible(radius[0]))) return false;
  const auto size = size_of(vertices);
  // All that will be kept of a body besides its two lists.
  if (vertices.ok() && (size.size() != 3 || size[2] != 3 || size[1] > INT32_MAX ||
                        !affordable(vertices, size[1], 6 * sizeof(double))))
    return false;
  const int count = vertices.ok() ? static_cast<int>(size[1]) : 0;
  const auto inside = [count](int v) { return v >= 0 && v < count; };
  if (!std::all_of(triangles.begin(), triangles.end(), inside) ||
      !std::all_of(segments.begin(), segments.end(), inside))
    return false;
  for (std::size_t i = 0; i < triangles.size(); i += 3)
    body.triangles.push_back({triangles[i], triangles[i + 1], triangles[i + 2]});
  for (std::size_t i = 0; i < segments.size(); i += 2)
    body.segments.push_back({segments[i], segments[i + 1]});
  body.vertices.resize(static_cast<std::size_t>(count), Vec3::Zero());
  if (count > 0 && size[0] > 0) {
    std::vector<double> x(3 * static_cast<std::size_t>(count));
    if (!read_rows(vertices, H5T_NATIVE_DOUBLE, 0, 1, x.data(), x.size()) ||
        !std::all_of(x.begin(), x.end(), sensible))
      return false;
    for (std::size_t i = 0; i < body.vertices.size(); ++i)
      body.vertices[i] = Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  }
  // What never moves was stored with a fixed size.
  const Handle space(vertices.ok() ? H5Dget_space(vertices) : -1, H5Sclose);
  hsize_t most[3] = {0, 0, 0};
  if (space.ok()) H5Sget_simple_extent_dims(space, nullptr, most);
  body.moves = most[0] == H5S_UNLIMITED;
  return true;
}

bool read_setup(hid_t file, RecordingSetup& s, std::vector<Handle>& devices, std::vector<Handle>& vertices) {
  const Handle scene = open_group(file, "scene"), device_group = open_group(file, "devices"),
               bodies = open_group(file, "bodies");
  std::vector<double> h;
  std::vector<std::pair<std::string, std::string>> stages;
  if (!scene.ok() || !read_text(file, "program_version", s.program_version) ||
      !read_text(scene, "file", s.scene_file) || !read_text(scene, "text", s.scene_text) ||
      !read_pairs(scene, "overrides", s.overrides) || !read_pairs(scene, "files", s.files) ||
      !read_pairs(file, "settings", s.settings) || !read_pairs(file, "stages", stages) ||
      !read_numbers(file, "h_s", H5T_NATIVE_DOUBLE, 1, h) || h.size() != 1 || !(h[0] > 0 && h[0] <= 1e3) ||
      !device_group.ok() || !bodies.ok())
    return false;
  s.h_s = h[0];
  for (auto& stage : stages) s.stages.push_back(std::move(stage.first));
  for (int d = 0; exists(device_group, std::to_string(d)); ++d) {
    if (d == max_devices) return false;
    devices.push_back(open_set(device_group, std::to_string(d)));
    if (!read_attribute(devices.back(), "name", s.devices.emplace_back())) return false;
  }
  std::uint64_t vertex_count = 0;  // of all bodies together: links may show one data set many times
  for (int b = 0; exists(bodies, std::to_string(b)); ++b) {
    const Handle group = open_group(bodies, std::to_string(b));
    if (b == most_bodies || !read_body(group, s.bodies.emplace_back(), vertices.emplace_back())) return false;
    vertex_count += s.bodies.back().vertices.size();
    if (vertex_count > 0 &&
        !affordable(vertices.back().ok() ? vertices.back() : file, vertex_count, 6 * sizeof(double)))
      return false;
  }
  return read_grips(file, s.devices.size(), s.bodies.size(), s.grips);
}

/// A SWMR file that was not closed is marked as being written: it opens only as a SWMR reader.
Handle open_file(const std::string& path) {
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.ok()) {
    // A checksum that fails may be a writer at work: HDF5 reads again, by default a hundred times, and since 1.14 waits
    // twice as long each time, for ever on a damaged file. Twenty times are a millisecond.
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_metadata_read_attempts(access, 20);
    file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose};
  }
  return file;
}

}  // namespace

Recording::Recording(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;
const RecordingSetup& Recording::setup() const { return inside_->setup; }
bool Recording::finished() const { return inside_->finished; }
RecorderStatus Recording::status() const { return inside_->status; }
std::size_t Recording::ticks() const { return inside_->rows; }
const std::vector<RecordedFrame>& Recording::frames() const { return inside_->frames; }

Result<Recording> Recording::open(const std::string& path) {
  const Quiet quiet;
  auto in = std::make_unique<Inside>();
  in->path = path;
  const std::string expected = "a file written by palp run --record is expected";
  try {
    in->file = open_file(path);
    if (!in->file.ok())
      return in->error("not a readable HDF5 file", "check the path, it may be damaged; " + expected);
    std::string name;
    std::vector<int> version;
    if (!read_text(in->file, "format", name) || name != format)
      return in->error("this HDF5 file is not a recording", expected);
    if (!read_numbers(in->file, "format_version", H5T_NATIVE_INT, 1, version) || version.size() != 1)
      return in->error("the recording has no format version");
    if (version[0] != format_version)
      return in->error("the recording has format version " + std::to_string(version[0]) +
                           ", this program reads " + std::to_string(format_version),
                       "use the version of the program that wrote it");
    if (!read_setup(in->file, in->setup, in->devices, in->vertices))
      return in->error("the recording's description is incomplete");
    std::vector<std::uint64_t> status;
    if (!read_numbers(in->file, "status", H5T_NATIVE_UINT64, 1, status) || status.size() != 6)
      return in->error("the recording's status cannot be read");
    in->finished = status[0] == 1;
    in->status = {status[1], status[2], status[3], status[4], status[5]};

    in->ticks = open_set(in->file, "ticks");
    in->checks = open_set(in->file, "checks");
    if (!in->ticks.ok() || !in->checks.ok()) return in->error("the recording has no ticks");
    in->rows = std::min(rows_of(in->ticks), rows_of(in->checks));
    for (const Handle& d : in->devices) in->rows = std::min(in->rows, rows_of(d));
    if (!affordable(in->ticks, in->rows, sizeof(TickRecord)))
      return in->error("the recording claims " + std::to_string(in->rows) +
                       " ticks, more than the file can hold");

    const Handle contacts = open_group(in->file, "contacts"), index = open_set(contacts, "index"),
                 frames = open_set(in->file, "frames");
    in->delta_free = open_set(contacts, "delta_free");
    in->lambda = open_set(contacts, "lambda");
    in->W = open_set(contacts, "W");
    if (!index.ok() || !in->delta_free.ok() || !in->lambda.ok() || !in->W.ok() || !frames.ok() ||
        !affordable(index, rows_of(index), sizeof(ContactRow)) ||
        !affordable(frames, rows_of(frames), sizeof(FrameRow) + sizeof(RecordedFrame)))
      return in->error("the recording has no contacts or no frames");
    in->contacts.resize(rows_of(index));
    std::vector<FrameRow> rows(rows_of(frames));
    if (!read_rows(index, contact_row_type(), 0, in->contacts.size(), in->contacts.data(),
                   in->contacts.size()) ||
        !read_rows(frames, frame_row_type(), 0, rows.size(), rows.data(), rows.size()))
      return in->error("the lists of contacts and frames cannot be read");
    for (std::size_t b = 0; b < in->vertices.size(); ++b)
      if (in->setup.bodies[b].moves) rows.resize(std::min(rows.size(), rows_of(in->vertices[b])));
    for (const FrameRow& r : rows) in->frames.push_back({r.tick, r.time_s});
    const Handle glc = open_group(in->file, "glc"), glc_index = open_set(glc, "index");
    in->glc_planes = open_set(glc, "planes");
    in->glc_boxes = open_set(glc, "proxies");
    if (glc.ok()) {  // recordings of earlier versions have none
      if (!glc_index.ok() || !affordable(glc_index, rows_of(glc_index), sizeof(GlcRow)))
        return in->error("the list of limited constraints cannot be read");
      in->glcs.resize(rows_of(glc_index));
      if (!in->glc_planes.ok() || !in->glc_boxes.ok() ||
          !read_rows(glc_index, glc_row_type(), 0, in->glcs.size(), in->glcs.data(), in->glcs.size()))
        return in->error("the list of limited constraints cannot be read");
    }
    Recording recording(std::move(in));
    // A program that died may have left rows that were begun only.
    if (!recording.finished())
      while (recording.inside_->rows > 0 && !recording.read_ticks(recording.inside_->rows - 1, 1))
        --recording.inside_->rows;
    return recording;
  } catch (const std::bad_alloc&) {
    return Error{.message = "the recording does not fit into memory",
                 .file = path,
                 .remedy = "the file is damaged, or record less"};
  }
}

Result<std::vector<TickRecord>> Recording::read_ticks(std::size_t first, std::size_t count) const {
  const Quiet quiet;
  const Inside& in = *inside_;
  if (first > in.rows || count > in.rows - first)
    return in.error("there are only " + std::to_string(in.rows) + " ticks", "ask for fewer");
  try {
    std::vector<TickRecord> out(count);
    std::vector<TickDevice> device(count);
    std::vector<std::uint64_t> checks(count);
    bool ok = read_rows(in.ticks, tick_type(false), first, count, out.data(), count) &&
              read_rows(in.checks, H5T_NATIVE_UINT64, first, count, checks.data(), count);
    // The rows of /ticks were read over the whole record: the devices come after.
    for (TickRecord& t : out) t.device = {};
    for (std::size_t d = 0; ok && d < in.devices.size(); ++d) {
      ok = read_rows(in.devices[d], device_type(false), first, count, device.data(), count);
      for (std::size_t i = 0; i < count; ++i) {
        out[i].device[d] = device[i];
        out[i].device[d].reserved = 0;
      }
    }
    if (!ok)
      return in.error("ticks " + std::to_string(first) + " to " + std::to_string(first + count) +
                      " cannot be read");
    for (std::size_t i = 0; i < count; ++i)
      if (check_of(out[i], static_cast<int>(in.devices.size())) != checks[i] || out[i].devices < 0 ||
          out[i].devices > static_cast<int>(in.devices.size()))
        return in.error("tick row " + std::to_string(first + i) + " is damaged");
    return out;
  } catch (const std::bad_alloc&) {
    return in.error("the ticks do not fit into memory", "read fewer at a time");
  }
}

Result<RecordedContacts> Recording::read_contacts(std::size_t row) const {
  const Quiet quiet;
  const Inside& in = *inside_;
  const auto at = std::lower_bound(in.contacts.begin(), in.contacts.end(), row,
                                   [](const ContactRow& c, std::size_t r) { return c.row < r; });
  RecordedContacts out;
  if (at == in.contacts.end() || at->row != row) return out;
  // By division: the numbers of a damaged row may be anything.
  const auto holds = [](const Handle& set, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t rows = rows_of(set);
    return first <= rows && count <= rows - first && affordable(set, count, sizeof(double));
  };
  const std::uint64_t three = at->contacts > 100'000 ? 0 : 3 * at->contacts, first = at->first;
  if (at->contacts > 100'000 || first > UINT64_MAX / 3 || (at->W_size != 0 && at->W_size != three * three) ||
      !holds(in.delta_free, 3 * first, three) || !holds(in.lambda, 3 * first, three) ||
      !holds(in.W, at->W_first, at->W_size))
    return in.error("the contacts of tick row " + std::to_string(row) + " are damaged");
  out.delta_free.resize(static_cast<long>(three));
  out.lambda.resize(static_cast<long>(three));
  if (at->W_size) out.W.resize(static_cast<long>(three), static_cast<long>(three));
  if (!read_rows(in.delta_free, H5T_NATIVE_DOUBLE, 3 * at->first, three, out.delta_free.data(), three) ||
      !read_rows(in.lambda, H5T_NATIVE_DOUBLE, 3 * at->first, three, out.lambda.data(), three) ||
      !read_rows(in.W, H5T_NATIVE_DOUBLE, at->W_first, at->W_size, out.W.data(), at->W_size))
    return in.error("the contacts of tick row " + std::to_string(row) + " cannot be read");
  return out;
}

std::size_t Recording::glc_snapshots() const { return inside_->glcs.size(); }

Result<RecordedGlcs> Recording::read_glcs(std::size_t snapshot) const {
  const Quiet quiet;
  const Inside& in = *inside_;
  if (snapshot >= in.glcs.size()) return in.error("there is no such snapshot", "ask for an earlier one");
  const GlcRow& row = in.glcs[snapshot];
  if (row.glcs > std::min<std::uint64_t>(100'000, rows_of(in.glc_planes)) ||
      row.proxies > std::min<std::uint64_t>(1000, rows_of(in.glc_boxes)))
    return in.error("the limited constraints of snapshot " + std::to_string(row.sequence) + " are damaged");
  std::vector<GlcPlane> planes(row.glcs);
  std::vector<GlcBox> boxes(row.proxies);
  if (!read_rows(in.glc_planes, glc_plane_type(), row.first, planes.size(), planes.data(), planes.size()) ||
      !read_rows(in.glc_boxes, glc_box_type(), row.first_proxy, boxes.size(), boxes.data(), boxes.size()))
    return in.error("the limited constraints of snapshot " + std::to_string(row.sequence) +
                    " cannot be read");
  RecordedGlcs out;
  out.sequence = row.sequence;
  out.tick = row.tick;
  for (const GlcPlane& g : planes) {
    if (g.sides < 0 || g.sides > Glc::most_sides || g.proxy < 0 ||
        g.proxy >= static_cast<std::int64_t>(row.proxies) || g.body < -1 ||
        g.body >= static_cast<std::int64_t>(in.setup.bodies.size()))
      return in.error("the limited constraints of snapshot " + std::to_string(row.sequence) + " are damaged");
    out.glc.push_back({.proxy = g.proxy,
                       .n = vec3(g.n),
                       .t1 = vec3(g.t1),
                       .t2 = vec3(g.t2),
                       .p = vec3(g.p),
                       .s1 = g.s1,
                       .s2 = g.s2,
                       .d = g.d,
                       .mu = g.mu,
                       .sides = g.sides});
    for (int k = 0; k < g.sides; ++k)
      out.glc.back().side[k] = {g.side[3 * k], g.side[3 * k + 1], g.side[3 * k + 2]};
    out.body.push_back(g.body);
    out.p_free.push_back(vec3(g.p_free));
  }
  for (const GlcBox& b : boxes)
    out.proxy.push_back(
        {.compliance = b.compliance, .trust_centre = vec3(b.centre), .trust_half = vec3(b.half)});
  return out;
}

Result<std::vector<float>> Recording::read_vertices(int body, std::size_t frame) const {
  const Quiet quiet;
  const Inside& in = *inside_;
  if (body < 0 || body >= static_cast<int>(in.setup.bodies.size()) ||
      (frame > 0 && frame >= in.frames.size()))
    return in.error("there is no such body or frame", "ask for fewer");
  const RecordingSetup::Body& b = in.setup.bodies[static_cast<std::size_t>(body)];
  std::vector<float> out(3 * b.vertices.size());
  if (out.empty()) return out;
  const Handle& set = in.vertices[static_cast<std::size_t>(body)];
  if (!read_rows(set, H5T_NATIVE_FLOAT, b.moves ? frame : 0, 1, out.data(), out.size()))
    return in.error("frame " + std::to_string(frame) + " of body '" + b.name + "' cannot be read");
  if (!std::all_of(out.begin(), out.end(), sensible))
    return in.error("frame " + std::to_string(frame) + " of body '" + b.name +
                    "' has vertices that are nowhere");
  return out;
}

}  // namespace palp
