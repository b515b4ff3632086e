// An include may only point downwards in the house: see HACKING.md for the map of the rooms.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

namespace {

using Rooms = std::set<std::string>;

/// Each room and all the rooms it may include.
const std::map<std::string, Rooms>& allowed() {
  static const std::map<std::string, Rooms> map = [] {
    std::map<std::string, Rooms> direct{
        {"base", {}},
        {"math", {"base"}},
        {"mesh", {"math"}},
        {"mechanics", {"mesh"}},
        {"proximity", {"mesh"}},
        {"solvers", {"math"}},
        {"contact", {"mechanics", "proximity", "solvers"}},
        {"sim", {"contact", "solvers"}},
        {"safety", {"math"}},
        {"hands", {"sim", "safety"}},
        {"haptics", {"hands"}},
        {"devices", {"safety"}},
        {"io", {"haptics"}},
        {"draw", {"io"}},
        {"scene", {"io", "devices"}},
        {"study", {"scene", "draw"}},
    };
    std::map<std::string, Rooms> closed;
    for (auto& [room, below] : direct) {
      Rooms& all = closed[room];
      std::vector<std::string> open(below.begin(), below.end());
      all.insert(room);
      while (!open.empty()) {
        std::string next = open.back();
        open.pop_back();
        if (!all.insert(next).second) continue;
        open.insert(open.end(), direct.at(next).begin(), direct.at(next).end());
      }
    }
    return closed;
  }();
  return map;
}

/// The includes of `text`, a file of `room`, that point upwards or to an unknown room.
std::vector<std::string> upward_includes(const std::string& room, std::istream& text) {
  static const std::regex include(R"(^\s*#\s*include\s*["<]palp/([a-z_]+)/([^">]+)[">])");
  std::vector<std::string> found;
  std::smatch match;
  for (std::string line; std::getline(text, line);)
    if (std::regex_search(line, match, include) && !allowed().at(room).count(match[1]))
      found.push_back(match[1].str() + "/" + match[2].str());
  return found;
}

TEST(Layering, every_include_points_downwards) {
  namespace fs = std::filesystem;
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PALP_SOURCE_DIR) / "src/palp")) {
    const std::string ext = entry.path().extension();
    if ((ext != ".hpp" && ext != ".cpp") || entry.path().filename() == "palp.hpp") continue;  // the umbrella
    const std::string room =
        fs::relative(entry.path(), fs::path(PALP_SOURCE_DIR) / "src/palp").begin()->string();
    ASSERT_TRUE(allowed().count(room)) << room << " is not on the map of the house";
    std::ifstream text(entry.path());
    for (const auto& include : upward_includes(room, text))
      ADD_FAILURE() << entry.path() << " in room '" << room << "' may not include palp/" << include;
    ++files;
  }
  EXPECT_GT(files, 3);
}

// Two types of one name are one type for the linker: std::vector of the one then makes room for the other.
TEST(Layering, no_two_headers_define_types_of_the_same_name) {
  namespace fs = std::filesystem;
  static const std::regex type(R"(^(?:struct|class|enum class) (\w+)[^;]*\{)"),
      space(R"(^namespace ([\w:]+) \{)");
  std::map<std::string, std::string> first;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PALP_SOURCE_DIR) / "src/palp")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream text(entry.path());
    std::string within;
    std::smatch match;
    for (std::string line; std::getline(text, line);) {
      if (std::regex_search(line, match, space)) within = match[1];
      if (!std::regex_search(line, match, type)) continue;
      const auto [known, fresh] = first.try_emplace(within + "::" + match[1].str(), entry.path().string());
      EXPECT_TRUE(fresh || known->second == entry.path().string())
          << known->first << " is defined in " << known->second << " and in " << entry.path();
    }
  }
  EXPECT_GT(first.size(), 100u);
}

TEST(Layering, an_upward_include_is_found) {
  std::istringstream text(
      "#include <vector>\n#include \"palp/sim/step.hpp\"\n#include \"palp/base/result.hpp\"\n");
  EXPECT_EQ(upward_includes("math", text), std::vector<std::string>{"sim/step.hpp"});
  std::istringstream same("#include \"palp/sim/step.hpp\"\n");
  EXPECT_TRUE(upward_includes("haptics", same).empty());
}

}  // namespace
