// Recordings and contact problems in HDF5. The bytes are a script: each few of them choose one edit of a good
// file (hdf5_edit.hpp), so that what is read is valid HDF5 with a forged content. HDF5's own reading of
// damaged bytes is that library's business.
#pragma once
#include "hdf5_edit.hpp"
#include "target.hpp"
#include <unistd.h>

#include "palp/io/fclib.hpp"
#include "palp/io/recorder.hpp"

namespace palp::fuzz {

/// Decisions taken from bytes; zeros when they are used up.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}
  bool left() const { return !bytes_.empty(); }
  std::size_t pick(std::size_t n) {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte % n;
  }

 private:
  std::string_view bytes_;
};

/// A file of this process in memory where there is such a folder; gone at the end.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name)
      : path_((std::filesystem::exists("/dev/shm") ? "/dev/shm/" : "/tmp/") +
              ("palp-fuzz-" + std::to_string(getpid())) + name) {}
  ~ScratchFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }
  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<long>(bytes.size()));
  }

 private:
  std::string path_;
};

inline double absurd_number(Choices& c) {
  const double list[] = {
      0,          1,          -1,         2,    3,     4,      5,      0.5,          100,      1e8,
      2147483647, 2147483648, 4294967296, 1e18, 1e300, -1e300, 1e-300, std::nan(""), HUGE_VAL, -HUGE_VAL};
  return list[c.pick(std::size(list))];
}

/// One edit of a data set among `sets`, or of a member of a record.
inline void edit_once(const Hdf5Edit& file, Choices& c, const std::vector<const char*>& sets,
                      const std::vector<std::pair<const char*, const char*>>& members) {
  const std::string set = sets[c.pick(sets.size())];
  switch (c.pick(8)) {
    case 0:
      file.remove(set);
      break;
    case 1: {  // another size or type, written or not
      const hsize_t sizes[] = {0, 1, 2, 3, 4, 6, 9, 14, 100, 4096, 99'000'000, 1ull << 40};
      std::vector<hsize_t> size(1 + c.pick(4));
      for (auto& n : size) n = sizes[c.pick(std::size(sizes))];
      const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT32, H5T_NATIVE_UINT8, H5T_NATIVE_FLOAT,
                             H5T_NATIVE_UINT64};
      const hid_t type = types[c.pick(std::size(types))];
      std::vector<double> values(c.pick(4));
      for (double& v : values) v = absurd_number(c);
      file.replace(set, size, type, values);
      break;
    }
    case 2: {  // the same data set under another name
      const std::string other = sets[c.pick(sets.size())];
      if (other == set) break;
      file.remove(set);
      H5Lcreate_hard(file.file(), other.c_str(), file.file(), set.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    }
    case 3:
    case 4:
      if (!members.empty()) {
        const auto& [path, member] = members[c.pick(members.size())];
        const auto row = static_cast<hsize_t>(c.pick(8));
        const double value = absurd_number(c);
        const std::uint64_t whole[] = {0,   1,      2,          3,          4,          5,
                                       100, 99'999, 1ull << 31, 1ull << 32, 1ull << 62, UINT64_MAX};
        if (c.pick(2))
          file.set_member(path, row, member, whole[c.pick(std::size(whole))], static_cast<int>(c.pick(4)));
        else
          file.set_member(path, row, member, value, static_cast<int>(c.pick(4)));
        break;
      }
      [[fallthrough]];
    default:
      file.set_number(set, c.pick(64), absurd_number(c));
  }
}

// ---- Recordings

inline RecordingSetup small_setup() {
  RecordingSetup s;
  s.program_version = "1";
  s.scene_file = "a.yaml";
  s.scene_text = "bodies: {ball: {model: point}}\n";
  s.overrides = {{"bodies.ball.mass", "1"}};
  s.files = {{"mesh.stl", "abc"}};
  s.settings = {{"seed", "1"}};
  s.devices = {"left", "right"};
  s.stages = {"free", "solve"};
  Grip g;
  g.device = 1;
  s.grips = {g};
  s.bodies = {{"ball", true, 0, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {{0, 1, 2}}, {}},
              {"floor", false, 0.01, {Vec3(0, 0, -1), Vec3(2, 0, -1)}, {}, {{0, 1}}}};
  return s;
}

inline const std::string& small_recording() {
  static const std::string bytes = [] {
    const ScratchFile file("-seed.h5");
    RecorderOptions options;
    options.patient = true;
    options.ring_bytes = 1 << 16;
    auto made = Recorder::create(file.path(), small_setup(), options);
    if (!made) return std::string();
    const std::vector<double> numbers(36, 0.5);
    for (std::uint64_t i = 0; i < 6; ++i) {
      TickRecord tick;
      tick.sequence = i;
      tick.time_s = 0.001 * static_cast<double>(i);
      tick.devices = 2;
      tick.contacts = 2;
      (*made)->tick(tick, {2, std::span(numbers).first(6), std::span(numbers).first(6), numbers, 6});
      for (Vec3& x : (*made)->begin_frame(i, tick.time_s)) x = Vec3(0.1, 0.2, 0.3);
      (*made)->end_frame();
    }
    if (!(*made)->close()) return std::string();
    const ScratchFile small("-small.h5");
    const Hdf5Edit edit(file.path());
    for (const char* set :
         {"ticks", "checks", "frames", "devices/0", "devices/1", "contacts/index", "contacts/delta_free",
          "contacts/lambda", "contacts/W", "glc/index", "glc/planes", "glc/proxies"})
      edit.make_compact(set);
    edit.copy_to(small.path(),
                 {"format", "format_version", "program_version", "h_s", "scene", "settings", "stages",
                  "grips", "status", "ticks", "checks", "frames", "devices", "contacts", "glc", "bodies"});
    return small.bytes();
  }();
  return bytes;
}

/// Reads everything there is; `more` looks further at the file.
inline std::string recording_law(std::string_view script, void (*more)(const std::string& path)) {
  const Quiet quiet;
  static const ScratchFile file("-recording.h5");
  file.write(small_recording());
  {
    Choices c(script);
    const Hdf5Edit edit(file.path());
    if (!edit.ok()) return "the seed cannot be opened";
    for (int k = 0; k < 6 && c.left(); ++k)
      edit_once(edit, c,
                {"ticks",
                 "checks",
                 "devices/0",
                 "devices/1",
                 "devices/2",
                 "devices/4",
                 "contacts/index",
                 "contacts/delta_free",
                 "contacts/lambda",
                 "contacts/W",
                 "glc/index",
                 "glc/planes",
                 "glc/proxies",
                 "frames",
                 "bodies/0/vertices",
                 "bodies/0/triangles",
                 "bodies/0/segments",
                 "bodies/0/radius",
                 "bodies/1/vertices",
                 "bodies/1/segments",
                 "bodies/1",
                 "scene/text",
                 "scene/files/0/value",
                 "settings/0/key",
                 "grips",
                 "h_s",
                 "status",
                 "format_version",
                 "devices",
                 "contacts",
                 "bodies"},
                {{"ticks", "devices"},
                 {"ticks", "sequence"},
                 {"ticks", "time_s"},
                 {"ticks", "contacts"},
                 {"ticks", "snapshot_sequence"},
                 {"ticks", "certificate"},
                 {"ticks", "stage_us"},
                 {"devices/0", "position"},
                 {"devices/1", "orientation"},
                 {"devices/1", "force"},
                 {"devices/0", "present"},
                 {"contacts/index", "row"},
                 {"contacts/index", "first"},
                 {"contacts/index", "contacts"},
                 {"contacts/index", "W_first"},
                 {"contacts/index", "W_size"},
                 {"frames", "tick"},
                 {"frames", "time_s"},
                 {"glc/index", "glcs"},
                 {"glc/index", "first"}});
    edit.renew_checks();
  }
  const auto r = Recording::open(file.path());
  if (!r) return useless(r.error(), file.path());
  std::string broken;
  const auto told = [&](const auto& result) {
    if (!result && broken.empty()) broken = useless(result.error(), file.path());
    return bool(result);
  };
  const auto ticks = r->read_ticks(0, r->ticks());
  if (told(ticks))
    for (const TickRecord& t : *ticks)
      if (t.devices < 0 || t.devices > static_cast<int>(r->setup().devices.size()))
        return "a tick of strangers";
  for (std::size_t i = 0; i < std::min<std::size_t>(r->ticks(), 100); ++i) told(r->read_contacts(i));
  for (std::size_t i = 0; i < std::min<std::size_t>(r->glc_snapshots(), 100); ++i) told(r->read_glcs(i));
  for (std::size_t b = 0; b < std::min<std::size_t>(r->setup().bodies.size(), 10); ++b)
    for (std::size_t f = 0; f < std::min<std::size_t>(r->frames().size(), 20); ++f) {
      const auto x = r->read_vertices(static_cast<int>(b), f);
      if (!told(x)) continue;
      for (float v : *x)
        if (!std::isfinite(v)) return "a vertex that is nowhere";
    }
  for (const Grip& g : r->setup().grips)
    if (g.device < 0 || g.device >= static_cast<int>(r->setup().devices.size()) || g.body < 0 ||
        g.body >= static_cast<int>(r->setup().bodies.size()))
      return "a grip of strangers";
  if (more) more(file.path());
  return broken;
}

inline const Target recording{"recording", [](std::string_view b) { return recording_law(b, nullptr); }};

// ---- Contact problems

inline const std::string& small_problem() {
  static const std::string bytes = [] {
    const ScratchFile file("-seed-problem.h5");
    Problem p;
    p.W.is_dense = true;
    p.W.dense = MatX::Identity(9, 9);
    p.delta_free = VecX::Constant(9, -0.1);
    p.mu = VecX::Constant(3, 0.5);
    p.mu[2] = 0;
    p.kind = {ContactKind::unilateral, ContactKind::unilateral, ContactKind::bilateral};
    return write_fclib(p, file.path(), "seed") ? file.bytes() : std::string();
  }();
  return bytes;
}

inline std::string problem_law(std::string_view script) {
  const Quiet quiet;
  static const ScratchFile file("-problem.h5");
  file.write(small_problem());
  {
    Choices c(script);
    const Hdf5Edit edit(file.path());
    if (!edit.ok()) return "the seed cannot be opened";
    for (int k = 0; k < 6 && c.left(); ++k)
      edit_once(
          edit, c,
          {"fclib_local/W/m",       "fclib_local/W/n",      "fclib_local/W/nz",       "fclib_local/W/p",
           "fclib_local/W/i",       "fclib_local/W/x",      "fclib_local/V/m",        "fclib_local/V/n",
           "fclib_local/V/nz",      "fclib_local/V/p",      "fclib_local/V/i",        "fclib_local/V/x",
           "fclib_local/R/m",       "fclib_local/R/n",      "fclib_local/R/nz",       "fclib_local/R/p",
           "fclib_local/R/i",       "fclib_local/R/x",      "fclib_local/vectors/mu", "fclib_local/vectors/q",
           "fclib_local/vectors/s", "fclib_local/spacedim", "fclib_local/V",          "fclib_local/vectors"},
          {});
  }
  const auto problem = read_fclib(file.path());
  if (!problem)
    return problem.error().message.empty() || problem.error().file != file.path() ? "useless error" : "";
  return validate(*problem) ? "" : "an unsound problem";
}

inline const Target problem_hdf5{"problem_hdf5", problem_law};

}  // namespace palp::fuzz
