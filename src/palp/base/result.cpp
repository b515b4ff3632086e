#include "palp/base/result.hpp"

namespace palp {

std::string Error::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line > 0) out.append(":").append(std::to_string(line));
    if (line > 0 && column > 0) out.append(":").append(std::to_string(column));
    out += ": ";
  }
  out += message;
  if (!remedy.empty()) out.append(" (").append(remedy).append(")");
  return out;
}

}  // namespace palp
