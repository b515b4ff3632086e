#include "palp/io/recording_file.hpp"

namespace palp {

using namespace recording;

namespace {

Handle new_group(hid_t parent, const std::string& name) {
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

bool write_fixed(hid_t parent, const char* name, hid_t file_type, hid_t memory_type,
                 const std::vector<hsize_t>& size, const void* data) {
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
  const Handle set(H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!set.ok()) return false;
  return size[0] == 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

bool write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.ok() && H5Awrite(attribute, type, text.c_str()) >= 0;
}

bool write_pairs(hid_t parent, const char* name,
                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  const Handle group = new_group(parent, name);
  bool ok = group.ok();
  for (std::size_t i = 0; ok && i < pairs.size(); ++i) {
    const Handle entry = new_group(group, std::to_string(i));
    ok = entry.ok() && write_text(entry, "key", pairs[i].first) &&
         write_fixed(entry, "value", H5T_NATIVE_UINT8, H5T_NATIVE_UINT8, {pairs[i].second.size()},
                     pairs[i].second.data());
  }
  return ok;
}

bool write_names(hid_t parent, const char* name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& n : names) pairs.emplace_back(n, "");
  return write_pairs(parent, name, pairs);
}

bool write_grips(hid_t file, const std::vector<Grip>& grips) {
  std::vector<double> numbers;
  for (const Grip& g : grips)
    for (double v : {double(g.device), double(g.body), double(g.frame), g.lever.x(), g.lever.y(), g.lever.z(),
                     g.turn.x(), g.turn.y(), g.turn.z(), g.turn.w(), g.coupling.stiffness_N_per_m,
                     g.coupling.damping_N_s_per_m, g.coupling.angular_stiffness_Nm_per_rad,
                     g.coupling.angular_damping_Nm_s_per_rad})
      numbers.push_back(v);
  return write_fixed(file, "grips", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, {grips.size(), grip_numbers},
                     numbers.data());
}

/// What never changes of a body; its vertices too if it never moves.
bool write_body(hid_t group, const RecordingSetup::Body& b) {
  const double radius = b.radius;
  return group >= 0 && write_attribute(group, "name", b.name) &&
         write_fixed(group, "radius", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, {1}, &radius) &&
         write_fixed(group, "triangles", H5T_NATIVE_INT32, H5T_NATIVE_INT32, {b.triangles.size(), 3},
                     b.triangles.data()) &&
         write_fixed(group, "segments", H5T_NATIVE_INT32, H5T_NATIVE_INT32, {b.segments.size(), 2},
                     b.segments.data()) &&
         (b.moves || write_fixed(group, "vertices", H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE,
                                 {1, b.vertices.size(), 3}, b.vertices.data()));
}

}  // namespace

Series::Series(hid_t parent, const char* name, hid_t file_type, std::vector<hsize_t> row, hsize_t chunk_rows)
    : row_(std::move(row)) {
  std::vector<hsize_t> size{0}, most{H5S_UNLIMITED}, chunk{chunk_rows};
  for (hsize_t n : row_) {
    size.push_back(n);
    most.push_back(n);
    chunk.push_back(n);
  }
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose);
  const Handle plist(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(plist, static_cast<int>(chunk.size()), chunk.data());
  set_ = {H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, plist, H5P_DEFAULT), H5Dclose};
}

bool Series::append(const void* data, std::size_t rows, hid_t memory_type) {
  if (rows == 0) return true;
  std::vector<hsize_t> size{rows_ + rows}, start{rows_}, count{rows};
  for (hsize_t n : row_) {
    size.push_back(n);
    start.push_back(0);
    count.push_back(n);
  }
  if (!set_.ok() || H5Dset_extent(set_, size.data()) < 0) return false;
  const Handle space(H5Dget_space(set_), H5Sclose);
  const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
      H5Dwrite(set_, memory_type, memory, space, H5P_DEFAULT, data) < 0)
    return false;
  rows_ += rows;
  return true;
}

Result<std::unique_ptr<RecordingFile>> RecordingFile::create(const std::string& path,
                                                             const RecordingSetup& setup) {
  const Quiet quiet;
  auto file = std::make_unique<RecordingFile>();
  if (!file->open(path, setup))
    return Error{.message = "the recording cannot be created",
                 .file = path,
                 .remedy = "check the folder, the free space and that no other program records into it"};
  return file;
}

bool RecordingFile::open(const std::string& path, const RecordingSetup& setup) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Single-writer mode needs the newest layout, whose metadata carry check sums.
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file_ = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file_.ok()) return false;
  bool ok = true;
  {
    const Handle scene = new_group(file_, "scene");
    const int version = format_version;
    ok = write_text(file_, "format", format) &&
         write_fixed(file_, "format_version", H5T_NATIVE_INT, H5T_NATIVE_INT, {1}, &version) &&
         write_text(file_, "program_version", setup.program_version) &&
         write_fixed(file_, "h_s", H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, {1}, &setup.h_s) && scene.ok() &&
         write_text(scene, "file", setup.scene_file) && write_text(scene, "text", setup.scene_text) &&
         write_pairs(scene, "overrides", setup.overrides) && write_pairs(scene, "files", setup.files) &&
         write_pairs(file_, "settings", setup.settings) && write_names(file_, "stages", setup.stages) &&
         write_grips(file_, setup.grips);
  }
  const std::vector<std::uint64_t> none(6, 0);
  ok = ok && write_fixed(file_, "status", H5T_NATIVE_UINT64, H5T_NATIVE_UINT64, {none.size()}, none.data());
  if (!ok) return false;
  status_ = {H5Dopen2(file_, "status", H5P_DEFAULT), H5Dclose};

  constexpr hsize_t rows = 256;
  tick_memory_ = tick_type(false);
  contact_memory_ = contact_row_type();
  frame_memory_ = frame_row_type();
  ticks_ = Series(file_, "ticks", tick_type(true), {}, rows);
  checks_ = Series(file_, "checks", H5T_NATIVE_UINT64, {}, rows);
  frames_ = Series(file_, "frames", frame_memory_, {}, rows);
  ok = status_.ok() && ticks_.ok() && checks_.ok() && frames_.ok();
  {
    const Handle group = new_group(file_, "devices");
    for (std::size_t d = 0; d < setup.devices.size(); ++d) {
      const std::string name = std::to_string(d);
      devices_.emplace_back(group, name.c_str(), device_type(true), std::vector<hsize_t>{}, rows);
      device_memory_.push_back(
          device_type(false, sizeof(TickRecord), offsetof(TickRecord, device) + d * sizeof(TickDevice)));
      const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
      ok = ok && set.ok() && write_attribute(set, "name", setup.devices[d]);
    }
    const Handle contacts = new_group(file_, "contacts");
    index_ = Series(contacts, "index", contact_memory_, {}, rows);
    delta_free_ = Series(contacts, "delta_free", H5T_NATIVE_DOUBLE, {}, 8192);
    lambda_ = Series(contacts, "lambda", H5T_NATIVE_DOUBLE, {}, 8192);
    W_ = Series(contacts, "W", H5T_NATIVE_DOUBLE, {}, 65536);
    ok = ok && index_.ok() && delta_free_.ok() && lambda_.ok() && W_.ok();
    glc_row_ = glc_row_type();
    glc_plane_ = glc_plane_type();
    glc_box_ = glc_box_type();
    const Handle glc = new_group(file_, "glc");
    glc_index_ = Series(glc, "index", glc_row_, {}, rows);
    glc_planes_ = Series(glc, "planes", glc_plane_, {}, rows);
    glc_boxes_ = Series(glc, "proxies", glc_box_, {}, rows);
    ok = ok && glc_index_.ok() && glc_planes_.ok() && glc_boxes_.ok();
    const Handle bodies = new_group(file_, "bodies");
    for (std::size_t b = 0; ok && b < setup.bodies.size(); ++b) {
      const RecordingSetup::Body& body = setup.bodies[b];
      const Handle one = new_group(bodies, std::to_string(b));
      ok = write_body(one, body);
      if (!body.moves || body.vertices.empty()) continue;
      bodies_.push_back({static_cast<int>(body.vertices.size()),
                         Series(one, "vertices", H5T_NATIVE_FLOAT, {body.vertices.size(), 3}, 1)});
      ok = ok && bodies_.back().series.ok();
    }
  }
  return ok && H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0 && H5Fstart_swmr_write(file_) >= 0;
}

bool RecordingFile::append_ticks(std::span<const TickRecord> ticks) {
  check_.clear();
  for (const TickRecord& t : ticks) check_.push_back(check_of(t, static_cast<int>(devices_.size())));
  bool ok = ticks_.append(ticks.data(), ticks.size(), tick_memory_) &&
            checks_.append(check_.data(), check_.size(), H5T_NATIVE_UINT64);
  for (std::size_t d = 0; d < devices_.size(); ++d)
    ok = ok && devices_[d].append(ticks.data(), ticks.size(), device_memory_[d]);
  return ok && write_pending_contacts();
}

bool RecordingFile::append_contacts(std::uint64_t row, std::span<const double> delta_free,
                                    std::span<const double> lambda, std::span<const double> W) {
  pending_index_.push_back({row, delta_free_.rows() / 3 + pending_delta_.size() / 3, delta_free.size() / 3,
                            W_.rows() + pending_W_.size(), W.size()});
  pending_delta_.insert(pending_delta_.end(), delta_free.begin(), delta_free.end());
  pending_lambda_.insert(pending_lambda_.end(), lambda.begin(), lambda.end());
  pending_W_.insert(pending_W_.end(), W.begin(), W.end());
  return pending_W_.size() < 1'000'000 || write_pending_contacts();
}

bool RecordingFile::write_pending_contacts() {
  const bool ok = delta_free_.append(pending_delta_.data(), pending_delta_.size(), H5T_NATIVE_DOUBLE) &&
                  lambda_.append(pending_lambda_.data(), pending_lambda_.size(), H5T_NATIVE_DOUBLE) &&
                  W_.append(pending_W_.data(), pending_W_.size(), H5T_NATIVE_DOUBLE) &&
                  index_.append(pending_index_.data(), pending_index_.size(), contact_memory_);
  pending_index_.clear();
  pending_delta_.clear();
  pending_lambda_.clear();
  pending_W_.clear();
  return ok;
}

bool RecordingFile::append_frame(const FrameRow& row, std::span<const Vec3> vertices) {
  bool ok = true;
  std::size_t first = 0;
  for (Body& b : bodies_) {
    ok = ok && b.series.append(vertices.data() + first, 1, H5T_NATIVE_DOUBLE);
    first += static_cast<std::size_t>(b.vertices);
  }
  return ok && frames_.append(&row, 1, frame_memory_);
}

bool RecordingFile::append_glcs(GlcRow row, std::span<const GlcPlane> planes, std::span<const GlcBox> boxes) {
  row.first = glc_planes_.rows();
  row.glcs = planes.size();
  row.first_proxy = glc_boxes_.rows();
  row.proxies = boxes.size();
  return glc_planes_.append(planes.data(), planes.size(), glc_plane_) &&
         glc_boxes_.append(boxes.data(), boxes.size(), glc_box_) && glc_index_.append(&row, 1, glc_row_);
}

bool RecordingFile::flush(const RecorderStatus& status) {
  // What is referred to goes before what refers to it.
  bool ok = write_status(status, false);
  for (Series* s : {&delta_free_, &lambda_, &W_, &index_, &glc_planes_, &glc_boxes_, &glc_index_})
    ok = s->flush() && ok;
  for (Body& b : bodies_) ok = b.series.flush() && ok;
  for (Series& d : devices_) ok = d.flush() && ok;
  for (Series* s : {&frames_, &checks_, &ticks_}) ok = s->flush() && ok;
  return ok;
}

bool RecordingFile::finish(const RecorderStatus& status) {
  return flush(status) && write_status(status, true) && H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0;
}

bool RecordingFile::write_status(const RecorderStatus& s, bool finished) {
  const std::uint64_t values[] = {finished ? 1u : 0u, s.ticks,          s.frames,
                                  s.dropped_ticks,    s.dropped_frames, s.left_out};
  return H5Dwrite(status_, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

}  // namespace palp
