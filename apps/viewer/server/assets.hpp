// The page's files, built by Vite (apps/viewer/page) and embedded in the program.
#pragma once
#include <string_view>

namespace palp::view {

struct Asset {
  std::string_view path, type, body;
};

/// Null when there is no such file. "/" is the page.
const Asset* find_asset(std::string_view path);

}  // namespace palp::view
