// The program's first act: does the processor have what the program was compiled for? Runs before the
// constructors of every library (.preinit_array), and is itself compiled for the plain processor.
#include <cstring>

#include <unistd.h>

#include "palp/base/processor.hpp"

namespace {

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(70);
}

void check_processor(int, char**, char**) {
  const char* missing = palp::missing_processor_features();
  if (!*missing) return;
  say("palp: this program is built for ");
  say(palp::build_target());
  say(", and this processor has no ");
  say(missing);
  say(".\nBuild it for this machine: cmake --preset release -DPALP_ARCH=x86-64 (./quickstart does so by "
      "itself).\n");
  _exit(69);  // EX_UNAVAILABLE
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const at_start)(int, char**, char**) = check_processor;

}  // namespace
