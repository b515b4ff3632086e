// What every HDF5 reader and writer of the library needs: identifiers that close themselves, no printing,
// texts. Included by .cpp files only.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include <hdf5.h>

namespace palp {

/// Owns one HDF5 identifier of any sort.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = other.id_;
      close_ = other.close_;
      other.id_ = -1;
    }
    return *this;
  }
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

/// HDF5 prints its error stack by default; a library must not. Restores the caller's setting at the end. The
/// setting is the thread's own.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Whether `count` things of `bytes_each` in memory are in proportion to the file that `object` lives in.
/// HDF5 lets a small file declare data sets of any size, whose unwritten part reads as zeros. Sixteen times
/// the file is what the leanest honest content needs (ticks without devices), the rest is for files that
/// still grow.
inline bool affordable(hid_t object, std::uint64_t count, std::uint64_t bytes_each) {
  constexpr std::uint64_t most_growth = 16, slack_bytes = 16u << 20;
  const Handle file(object >= 0 ? H5Iget_file_id(object) : -1, H5Fclose);
  hsize_t size = 0;
  if (!file.ok() || H5Fget_filesize(file, &size) < 0) return false;
  return count <= (most_growth * std::min<std::uint64_t>(size, 1ull << 50) + slack_bytes) / bytes_each;
}

/// A text as a data set of one string.
inline bool write_text(hid_t group, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle set(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  return set.ok() && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0;
}

}  // namespace palp
