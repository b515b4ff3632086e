// Reading the bytes of a file from front to back, text or binary, without trusting them.
// The first failure sticks: later reads give zeros, so that a reader checks ok() once per loop instead of
// every call. Numbers never depend on the locale.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "palp/base/result.hpp"

namespace palp::io {

/// "-1.5e3" → -1500; empty when `word` is not a number as a whole. A leading + is allowed; underflow gives 0.
std::optional<double> parse_double(std::string_view word);
std::optional<long long> parse_integer(std::string_view word);

class Cursor {
 public:
  Cursor(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  // ---- errors
  bool ok() const { return !error_; }
  const Error& error() const { return *error_; }
  /// Records an error here: with the line in text, with the byte offset in binary. Only the first one counts.
  void fail(const std::string& message, const std::string& remedy = {});
  /// The same for an error that has no place of its own.
  void fail_file(const std::string& message, const std::string& remedy = {});
  /// The same for a known place in a text.
  void fail_at(std::size_t pos, const std::string& message, const std::string& remedy = {});
  void binary(bool on, bool big_endian = false) {
    binary_ = on;
    swap_ = big_endian != (std::endian::native == std::endian::big);
  }
  bool is_binary() const { return binary_; }

  // ---- place
  std::size_t left() const { return bytes_.size() - pos_; }
  std::size_t pos() const { return pos_; }
  void seek(std::size_t pos) { pos_ = pos < bytes_.size() ? pos : bytes_.size(); }
  std::string_view rest() const { return bytes_.substr(pos_); }
  const std::string& file() const { return file_; }
  long line_number(std::size_t at) const;

  // ---- text
  std::string_view line();                   ///< to the end of the line, without it; moves behind it
  std::string_view word();                   ///< the next word; empty at the end of the file
  std::string_view peek_word();              ///< the same without moving
  bool skip_to_next(std::string_view word);  ///< moves behind the next occurrence; false = there is none
  long long integer(const char* what);
  double number(const char* what);      ///< any number of the file, NaN and infinity included
  double coordinate(const char* what);  ///< fails unless finite
  std::string quoted(const char* what);

  // ---- binary
  template <class T>
  T raw() {
    T value{};
    if (!ok()) return value;
    if (left() < sizeof(T)) return out_of_bytes(sizeof(T)), value;
    std::memcpy(&value, bytes_.data() + pos_, sizeof(T));
    pos_ += sizeof(T);
    return swap_ ? swapped(value) : value;
  }
  std::string_view take(std::size_t bytes);

  // ---- both
  /// Reads an int or double, as text or as the binary T.
  template <class T>
  long long integer_as(const char* what) {
    return binary_ ? static_cast<long long>(raw<T>()) : integer(what);
  }
  double coordinate_as_double(const char* what) {
    return finite(binary_ ? raw<double>() : number(what), what);
  }
  double finite(double value, const char* what);
  /// Fails unless `count` things of at least `bytes_each` can follow: nothing is reserved on a file's mere
  /// word.
  bool fits(long long count, std::size_t bytes_each, const char* what);

 private:
  template <class T>
  static T swapped(T value) {
    char b[sizeof(T)];
    std::memcpy(b, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(b[i], b[sizeof(T) - 1 - i]);
    std::memcpy(&value, b, sizeof(T));
    return value;
  }
  void out_of_bytes(std::size_t wanted);
  void skip_space();

  std::string_view bytes_;
  std::string file_;
  std::size_t pos_ = 0;
  std::size_t token_ = 0;  ///< where the last word began: the place of an error in text
  bool binary_ = false;
  bool swap_ = false;
  std::optional<Error> error_;
};

// ---- Writing
// ---------------------------------------------------------------------------------------------------

/// The shortest text that reads back as the same number.
void append_number(std::string& out, double value);
void append_number(std::string& out, long long value);
template <class T>
void append_raw(std::string& out, T value, bool big_endian = false) {
  char b[sizeof(T)];
  std::memcpy(b, &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big))
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(b[i], b[sizeof(T) - 1 - i]);
  out.append(b, sizeof(T));
}

/// The whole file; an error for folders, devices and what cannot be opened.
Result<std::string> read_bytes(const std::string& path);
/// Writes beside `path` and renames, so that a reader never sees half a file.
Result<void> write_bytes(const std::string& path, std::string_view bytes);

}  // namespace palp::io
