// Edits of an HDF5 file that leave it valid HDF5 but change what it says: what a forger would do, and what
// byte mutations never reach (HDF5's own check sums stand in front). Used by the fuzzers and by tests of
// forged files.
#pragma once
#include <string>
#include <vector>

#include <hdf5.h>

#include "palp/io/recording_layout.hpp"

namespace palp::fuzz {

class Hdf5Edit {
 public:
  explicit Hdf5Edit(const std::string& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose) {}
  bool ok() const { return file_.ok(); }
  hid_t file() const { return file_; }

  bool remove(const std::string& path) const { return H5Ldelete(file_, path.c_str(), H5P_DEFAULT) >= 0; }

  /// A data set of this size in the place of another; `values` fill its beginning, none leave it unwritten.
  bool replace(const std::string& path, const std::vector<hsize_t>& size, hid_t type,
               const std::vector<double>& values = {}) const {
    remove(path);
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    hsize_t room = 1;
    for (hsize_t n : size) room = n == 0 || room > 4096 / n ? (n == 0 ? 0 : 4097) : room * n;
    if (!set.ok() || values.empty() || room > 4096) return set.ok();
    std::vector<double> all(room);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[i % values.size()];
    return all.empty() || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0;
  }

  /// The same rows without room for more: a recorder's chunks are large, and every input of a fuzzer is a
  /// whole file.
  bool make_compact(const std::string& path) const {
    std::vector<char> bytes;
    Handle type, space;
    {
      const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
      if (!set.ok()) return false;
      type = {H5Dget_type(set), H5Tclose};
      space = {H5Dget_space(set), H5Sclose};
      bytes.resize(points(set) * H5Tget_size(type) + 1);
      if (points(set) > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
        return false;
    }
    const hsize_t rows = (bytes.size() - 1) / H5Tget_size(type);
    remove(path);
    const Handle exact(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_, path.c_str(), type, exact, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    return set.ok() && (rows == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0);
  }
  /// All there is, into a new file.
  bool copy_to(const std::string& path, const std::vector<const char*>& names) const {
    const Handle to(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    bool ok = to.ok();
    for (const char* name : names) ok = ok && H5Ocopy(file_, name, to, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    return ok;
  }

  /// One number of a data set of numbers, counted through all its dimensions; beyond the end: from the start
  /// again.
  bool set_number(const std::string& path, hsize_t index, double value) const {
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    return write_point(set, H5T_NATIVE_DOUBLE, index, &value);
  }

  /// One member of a row of a data set of records; `element`: of a member that is an array.
  template <class T>
  bool set_member(const std::string& path, hsize_t row, const char* member, T value, int element = 0) const {
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle stored(set.ok() ? H5Dget_type(set) : -1, H5Tclose);
    if (!stored.ok() || H5Tget_class(stored) != H5T_COMPOUND) return false;
    const int index = H5Tget_member_index(stored, member);
    if (index < 0) return false;
    const Handle type(H5Tget_member_type(stored, static_cast<unsigned>(index)), H5Tclose);
    const bool array = H5Tget_class(type) == H5T_ARRAY;
    hsize_t count = 1;
    if (array) H5Tget_array_dims2(type, &count);
    const hid_t number = std::is_floating_point_v<T> ? H5T_NATIVE_DOUBLE
                         : std::is_signed_v<T>       ? H5T_NATIVE_INT64
                                                     : H5T_NATIVE_UINT64;
    static_assert(sizeof(T) == 8);
    const Handle inner(array ? H5Tarray_create2(number, 1, &count) : H5Tcopy(number), H5Tclose);
    const Handle memory(H5Tcreate(H5T_COMPOUND, 8 * count), H5Tclose);
    H5Tinsert(memory, member, 0, inner);
    std::vector<T> values(count);
    if (!read_point(set, memory, row, values.data())) return false;
    values[static_cast<std::size_t>(element) % count] = value;
    return write_point(set, memory, row, values.data());
  }

  /// Hashes of the ticks as they are now: a forger computes them too.
  void renew_checks() const {
    const Handle ticks(H5Dopen2(file_, "ticks", H5P_DEFAULT), H5Dclose),
        checks(H5Dopen2(file_, "checks", H5P_DEFAULT), H5Dclose);
    const hsize_t rows = std::min(points(ticks), points(checks));
    if (rows == 0 || rows > 4096) return;
    std::vector<TickRecord> tick(rows);
    for (hsize_t i = 0; i < rows; ++i)
      if (!read_point(ticks, recording::tick_type(false), i, &tick[i])) return;
    int devices = 0;
    for (auto& t : tick) t.device = {};
    for (; devices < max_devices; ++devices) {
      const std::string name = "devices/" + std::to_string(devices);
      if (H5Lexists(file_, "devices", H5P_DEFAULT) <= 0 || H5Lexists(file_, name.c_str(), H5P_DEFAULT) <= 0)
        break;
      const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
      for (hsize_t i = 0; i < std::min(rows, points(set)); ++i)
        if (!read_point(set, recording::device_type(false), i,
                        &tick[i].device[static_cast<std::size_t>(devices)]))
          return;
    }
    for (hsize_t i = 0; i < rows; ++i) {
      const std::uint64_t check = recording::check_of(tick[i], devices);
      write_point(checks, H5T_NATIVE_UINT64, i, &check);
    }
  }

 private:
  static hsize_t points(hid_t set) {
    const Handle space(set >= 0 ? H5Dget_space(set) : -1, H5Sclose);
    const hssize_t n = space.ok() ? H5Sget_simple_extent_npoints(space) : 0;
    return n > 0 ? static_cast<hsize_t>(n) : 0;
  }
  /// The spaces of element number `index`, or nothing.
  static bool select(hid_t set, hsize_t index, Handle& space) {
    const hsize_t n = points(set);
    if (n == 0 || n > 100'000) return false;  // the first number written makes HDF5 write all of them
    space = {H5Dget_space(set), H5Sclose};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank == 0) return true;
    std::vector<hsize_t> size(static_cast<std::size_t>(rank)), at(size);
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    index %= n;
    for (int k = rank - 1; k >= 0; --k) {
      at[static_cast<std::size_t>(k)] = index % size[static_cast<std::size_t>(k)];
      index /= size[static_cast<std::size_t>(k)];
    }
    return H5Sselect_elements(space, H5S_SELECT_SET, 1, at.data()) >= 0;
  }
  static bool write_point(hid_t set, hid_t memory, hsize_t index, const void* value) {
    Handle space;
    const Handle one(H5Screate(H5S_SCALAR), H5Sclose);
    return select(set, index, space) && H5Dwrite(set, memory, one, space, H5P_DEFAULT, value) >= 0;
  }
  static bool read_point(hid_t set, hid_t memory, hsize_t index, void* value) {
    Handle space;
    const Handle one(H5Screate(H5S_SCALAR), H5Sclose);
    return select(set, index, space) && H5Dread(set, memory, one, space, H5P_DEFAULT, value) >= 0;
  }

  Handle file_;
};

}  // namespace palp::fuzz
