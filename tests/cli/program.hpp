// Runs the program as a user does.
#pragma once
#include <array>
#include <cstdio>
#include <string>

#include <sys/wait.h>

namespace palp::testing {

struct Outcome {
  int code = -1;  ///< of the exit; −1 when it did not end by itself
  std::string text;
};

/// `palp ARGUMENTS`; `errors`: where standard error goes, by default into the text too.
inline Outcome palp_program(const std::string& arguments, const char* errors = "2>&1") {
  Outcome out;
  const std::string command =
      std::string(PALP_BINARY_DIR "/palp ").append(arguments).append(" ").append(errors);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return out;
  std::array<char, 4096> part;
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    out.text.append(part.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) out.code = WEXITSTATUS(status);
  return out;
}

}  // namespace palp::testing
