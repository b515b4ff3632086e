#include "assets.hpp"

#include <array>

// The assembler copies a file into the program between two labels.
#define PALP_EMBED(name, file)                                                                               \
  __asm__(".section .rodata\n.global palp_asset_" #name "\npalp_asset_" #name ":\n.incbin \"" PALP_PAGE_DIR  \
          "/" file "\"\n.global palp_asset_" #name "_end\npalp_asset_" #name "_end:\n.byte 0\n.previous\n"); \
  extern "C" const char palp_asset_##name[], palp_asset_##name##_end[];

PALP_EMBED(page, "index.html")
PALP_EMBED(script, "app.js")
PALP_EMBED(style, "app.css")
PALP_EMBED(icon, "icon.svg")
PALP_EMBED(licences, "licences.txt")

namespace palp::view {

const Asset* find_asset(std::string_view path) {
  const auto text = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<size_t>(end - begin));
  };
  static const std::array<Asset, 6> assets{{
      {"/", "text/html; charset=utf-8", text(palp_asset_page, palp_asset_page_end)},
      {"/index.html", "text/html; charset=utf-8", text(palp_asset_page, palp_asset_page_end)},
      {"/app.js", "text/javascript; charset=utf-8", text(palp_asset_script, palp_asset_script_end)},
      {"/app.css", "text/css; charset=utf-8", text(palp_asset_style, palp_asset_style_end)},
      {"/icon.svg", "image/svg+xml", text(palp_asset_icon, palp_asset_icon_end)},
      {"/licences.txt", "text/plain; charset=utf-8", text(palp_asset_licences, palp_asset_licences_end)},
  }};
  for (const Asset& asset : assets)
    if (asset.path == path) return &asset;
  return nullptr;
}

}  // namespace palp::view
