// A vendor's shared library, looked for by name when a device is opened. Nothing is linked: a program starts
// on machines that do not have it.
#pragma once
#include <string>
#include <vector>

#include "palp/base/result.hpp"

namespace palp {

class Library {
 public:
  /// The first of `names` that is found: in the folder $PALP_DEVICE_LIBRARIES, then where the system looks. A
  /// `file` that is not empty is taken instead. `from`: where people get it, for the error.
  static Result<Library> open(const std::vector<std::string>& names, const std::string& file,
                              const std::string& from);

  /// Points `function` at the library's function of this name; null and false when it has none.
  template <class F>
  bool find(const char* name, F*& function) {
    function = reinterpret_cast<F*>(address(name));
    if (!function && missing_.empty()) missing_ = name;
    return function != nullptr;
  }
  /// The same for functions that one can do without.
  template <class F>
  void find_optional(const char* name, F*& function) {
    function = reinterpret_cast<F*>(address(name));
  }
  /// An error when one of the names looked for was not there.
  Result<void> complete() const;

 private:
  void* address(const char* name);
  void* handle_ = nullptr;
  std::string path_, missing_;
};

}  // namespace palp
