// A value or an error that a person can act on. Used wherever files are read and models are built;
// the simulation step itself returns flags and numbers instead.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace palp {

/// What went wrong, where, and what to do about it.
struct Error {
  std::string message = {};
  std::string file = {};    ///< empty when no file is involved
  long line = 0;            ///< 1-based; 0 = unknown
  int column = 0;           ///< 1-based; 0 = unknown
  std::string remedy = {};  ///< empty when there is nothing sensible to advise

  /// "file:line:column: message (remedy)"
  std::string text() const;
};

/// Either a T or an Error. `if (!result) return result.error();` passes errors upwards.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : data_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : data_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return data_.index() == 0; }
  T& value() & { return std::get<0>(data_); }
  const T& value() const& { return std::get<0>(data_); }
  T&& value() && { return std::get<0>(std::move(data_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return std::get<1>(data_); }

 private:
  std::variant<T, Error> data_;
};

/// Success or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return !error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace palp
