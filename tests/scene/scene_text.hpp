// A file that lives as long as the test.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace palp::testing {

struct TextFile {
  std::string path;
  explicit TextFile(const std::string& text, const std::string& extension = ".yaml") {
    static int number = 0;
    path = (std::filesystem::temp_directory_path() /
            ("palp-scene-" + std::to_string(getpid()) + "-" + std::to_string(number++) + extension))
               .string();
    std::ofstream(path) << text;
  }
  ~TextFile() { std::filesystem::remove(path); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
};

}  // namespace palp::testing
