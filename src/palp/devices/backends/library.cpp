#include "palp/devices/backends/library.hpp"

#include <cstdlib>

#include <dlfcn.h>

namespace palp {

Result<Library> Library::open(const std::vector<std::string>& names, const std::string& file,
                              const std::string& from) {
  std::vector<std::string> tries;
  if (!file.empty()) {
    tries.push_back(file);
  } else {
    if (const char* folder = std::getenv("PALP_DEVICE_LIBRARIES"))
      for (const std::string& name : names) tries.push_back(std::string(folder) + "/" + name);
    tries.insert(tries.end(), names.begin(), names.end());
  }
  // Never unloaded: a driver's own threads and exit handlers may outlive its last close.
  for (const std::string& path : tries)
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      Library library;
      library.handle_ = handle;
      library.path_ = path;
      return library;
    }
  return Error{.message = "the library " + (file.empty() ? names.front() : file) + " is not on this machine",
               .remedy = from};
}

void* Library::address(const char* name) { return handle_ ? dlsym(handle_, name) : nullptr; }

Result<void> Library::complete() const {
  if (missing_.empty()) return {};
  return Error{.message = path_ + " has no function " + missing_, .remedy = "take a newer version of it"};
}

}  // namespace palp
