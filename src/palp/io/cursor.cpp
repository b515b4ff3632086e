#include "palp/io/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace palp::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// A word as it can be shown in an error: short, without control characters.
std::string shown(std::string_view word) {
  std::string out;
  for (char c : word.substr(0, 32)) out += (c >= 32 && c < 127) ? c : '?';
  return word.size() > 32 ? out + "..." : out;
}

}  // namespace

std::optional<double> parse_double(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || end != word.data() + word.size()) return {};
  if (code == std::errc::result_out_of_range) {
    // Too small is as good as zero; too large is not a number we can hold.
    const auto e = word.find_first_of("eE");
    const bool tiny =
        e != word.npos ? e + 1 < word.size() && word[e + 1] == '-' : word.find('.') != word.npos;
    return tiny ? 0.0 : (word[0] == '-' ? -HUGE_VAL : HUGE_VAL);
  }
  if (code != std::errc{}) return {};
  return value;
}

std::optional<long long> parse_integer(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  long long value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || code != std::errc{} || end != word.data() + word.size()) return {};
  return value;
}

long Cursor::line_number(std::size_t at) const {
  return 1 +
         std::count(bytes_.begin(), bytes_.begin() + static_cast<long>(std::min(at, bytes_.size())), '\n');
}

void Cursor::fail(const std::string& message, const std::string& remedy) {
  if (error_) return;
  if (binary_)
    error_ = Error{message + " at byte " + std::to_string(pos_), file_, 0, 0, remedy};
  else
    error_ = Error{message, file_, line_number(token_), 0, remedy};
}

void Cursor::fail_file(const std::string& message, const std::string& remedy) {
  if (!error_) error_ = Error{message, file_, 0, 0, remedy};
}

void Cursor::fail_at(std::size_t pos, const std::string& message, const std::string& remedy) {
  if (!error_) error_ = Error{message, file_, line_number(pos), 0, remedy};
}

void Cursor::out_of_bytes(std::size_t wanted) {
  fail("the file ends where " + std::to_string(wanted) + " more bytes are needed (" + std::to_string(left()) +
           " are left)",
       "the file is cut short: copy or export it again");
  pos_ = bytes_.size();
}

void Cursor::skip_space() {
  while (pos_ < bytes_.size() && is_space(bytes_[pos_])) ++pos_;
}

std::string_view Cursor::line() {
  token_ = pos_;
  const auto end = std::min(bytes_.find('\n', pos_), bytes_.size());
  std::string_view out = bytes_.substr(pos_, end - pos_);
  pos_ = std::min(end + 1, bytes_.size());
  if (!out.empty() && out.back() == '\r') out.remove_suffix(1);
  return out;
}

std::string_view Cursor::word() {
  skip_space();
  token_ = pos_;
  while (pos_ < bytes_.size() && !is_space(bytes_[pos_])) ++pos_;
  return bytes_.substr(token_, pos_ - token_);
}

std::string_view Cursor::peek_word() {
  const auto before = pos_;
  const auto out = word();
  pos_ = before;
  return out;
}

bool Cursor::skip_to_next(std::string_view word) {
  const auto found = bytes_.find(word, pos_);
  if (found == bytes_.npos) return false;
  pos_ = found + word.size();
  return true;
}

long long Cursor::integer(const char* what) {
  if (!ok()) return 0;
  const auto w = word();
  if (const auto value = parse_integer(w)) return *value;
  if (w.empty())
    fail(std::string("the file ends where ") + what + " should be",
         "the file is cut short: copy or export it again");
  else
    fail(std::string(what) + " should be a whole number, not '" + shown(w) + "'", "correct this line");
  return 0;
}

double Cursor::number(const char* what) {
  if (!ok()) return 0;
  const auto w = word();
  if (const auto value = parse_double(w)) return *value;
  if (w.empty())
    fail(std::string("the file ends where ") + what + " should be",
         "the file is cut short: copy or export it again");
  else
    fail(std::string(what) + " should be a number, not '" + shown(w) + "'", "correct this line");
  return 0;
}

double Cursor::finite(double value, const char* what) {
  if (!ok()) return 0;
  if (std::isfinite(value)) return value;
  fail(std::string(what) + " is " + (std::isnan(value) ? "not a number (NaN)" : "infinite"),
       "every coordinate must be finite: export the mesh again");
  return 0;
}

double Cursor::coordinate(const char* what) { return finite(number(what), what); }

std::string Cursor::quoted(const char* what) {
  if (!ok()) return {};
  skip_space();
  token_ = pos_;
  if (pos_ >= bytes_.size() || bytes_[pos_] != '"') {
    fail(std::string(what) + " should be in double quotes", "correct this line");
    return {};
  }
  const auto end = bytes_.find_first_of("\"\n", pos_ + 1);
  if (end == bytes_.npos || bytes_[end] != '"') {
    fail(std::string(what) + " has no closing quote", "correct this line");
    return {};
  }
  std::string out(bytes_.substr(pos_ + 1, end - pos_ - 1));
  pos_ = end + 1;
  return out;
}

std::string_view Cursor::take(std::size_t bytes) {
  if (!ok()) return {};
  if (left() < bytes) return out_of_bytes(bytes), std::string_view{};
  const auto out = bytes_.substr(pos_, bytes);
  pos_ += bytes;
  return out;
}

bool Cursor::fits(long long count, std::size_t bytes_each, const char* what) {
  if (!ok()) return false;
  if (count < 0) {
    fail("a negative number of " + std::string(what) + " (" + std::to_string(count) + ")",
         "correct the count");
  } else if (static_cast<unsigned long long>(count) > (left() + 1) / std::max<std::size_t>(bytes_each, 1) ||
             count > 2'000'000'000) {
    fail("the file promises " + std::to_string(count) + " " + what + ", but only " + std::to_string(left()) +
             " bytes follow",
         "the count is wrong or the file is cut short: export it again");
  }
  return ok();
}

void append_number(std::string& out, double value) {
  char b[32];
  out.append(b, std::to_chars(b, b + sizeof b, value).ptr);
}

void append_number(std::string& out, long long value) {
  char b[24];
  out.append(b, std::to_chars(b, b + sizeof b, value).ptr);
}

Result<std::string> read_bytes(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code code;
  const auto status = fs::status(path, code);
  if (!fs::exists(status)) return Error{"there is no such file", path, 0, 0, "check the path"};
  if (fs::is_directory(status))
    return Error{"this is a folder, not a file", path, 0, 0, "name a file inside it"};
  if (!fs::is_regular_file(status))
    return Error{"this is not an ordinary file", path, 0, 0, "name a file on disk"};
  const auto size = fs::file_size(path, code);
  if (code)
    return Error{"the file's size cannot be found: " + code.message(), path, 0, 0, "check its permissions"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{"the file cannot be opened", path, 0, 0, "check its permissions"};
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size)
    return Error{"the file could not be read to its end", path, 0, 0, "is another program writing it?"};
  return bytes;
}

Result<void> write_bytes(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (fs::is_directory(path, code))
    return Error{"this is a folder, not a file", path, 0, 0, "name a file inside it"};
  // A device or a pipe (/dev/stdout) is written to, never replaced.
  const auto status = fs::status(path, code);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    if (!out) return Error{"cannot be written to", path, 0, 0, "check its permissions"};
    return {};
  }
  const std::string beside = path + ".part" + std::to_string(getpid());
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    if (!out)
      return Error{"the file cannot be created", path, 0, 0,
                   "does the folder exist, and may you write there?"};
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      fs::remove(beside, code);
      return Error{"the file could not be written to its end", path, 0, 0, "is the disk full?"};
    }
  }
  fs::rename(beside, path, code);
  if (code) {
    const std::string why = code.message();
    fs::remove(beside, code);
    return Error{"the file cannot be put in place: " + why, path, 0, 0,
                 "check the permissions of the folder"};
  }
  return {};
}

}  // namespace palp::io
