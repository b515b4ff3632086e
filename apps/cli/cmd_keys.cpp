// palp keys: the keys that scene and study files may have, from the tables that the reader itself uses; and
// the parts of the pages in docs that list them.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include <nlohmann/json.hpp>

#include "palp/io/cursor.hpp"
#include "palp/scene/scene_keys.hpp"
#include "palp/scene/strict_yaml.hpp"
#include "palp/study/study_keys.hpp"

namespace palp::cli {
namespace keys_command {

using Json = nlohmann::ordered_json;

struct Options {
  std::string name, markdown;
  bool json = false;
};

void fail(const std::string& message) {
  std::fprintf(stderr, "palp keys: %s\n", message.c_str());
  exit_code = 1;
}

std::vector<KeySection> all_sections() {
  auto sections = scene_keys::sections();
  for (auto& section : study_keys::sections()) sections.push_back(std::move(section));
  return sections;
}

std::string fallback(const Key& key) { return key.remedy.empty() ? key.fallback : "needed"; }

/// The default as a value.
void add_value(const Key& key, Json& one) {
  switch (key.type) {
    case Key::Type::number:
    case Key::Type::integer:
      one["value"] = key.number;
      break;
    case Key::Type::flag:
      one["value"] = key.number > 0;
      break;
    case Key::Type::vector:
    case Key::Type::integers:
      one["value"] = {key.vector[0], key.vector[1], key.vector[2]};
      break;
    case Key::Type::word:
      if (key.number >= 0 && !key.choices.empty())
        one["value"] = key.choices[static_cast<size_t>(key.number)];
      break;
    default:
      break;
  }
}

Json as_json(const KeySection& section) {
  static const char* const types[] = {"number", "integer",       "flag",  "word", "vector", "integers",
                                      "course", "vector course", "nodes", "map",  "list"};
  Json list = Json::array();
  for (size_t k = 0; k < section.keys.size(); ++k) {
    const Key& key = section.keys[k];
    Json one{{"name", key.name},
             {"type", types[static_cast<size_t>(key.type)]},
             {"needed", !key.remedy.empty()},
             {"default", key.fallback},
             {"help", key.help}};
    if (key.range.lo < key.range.hi) {
      one["least"] = key.range.lo;
      one["most"] = key.range.hi;
      one["open"] = {key.range.lo_open, key.range.hi_open};
    }
    if (!key.choices.empty()) one["choices"] = key.choices;
    if (key.remedy.empty() && !key.decided) add_value(key, one);
    if (!section.of.empty()) one["of"] = section.of[k];
    list.push_back(std::move(one));
  }
  return {{"section", section.name}, {"keys", list}};
}

std::string markdown(const KeySection& section) {
  const bool of = !section.of.empty();
  std::string out = std::string("| key |") + (of ? " of |" : "") +
                    " what it may be | default | meaning |\n|---|---|---|---|" + (of ? "---|" : "") + "\n";
  for (size_t k = 0; k < section.keys.size(); ++k) {
    const Key& key = section.keys[k];
    out += "| `" + key.name + "` | " + (of ? section.of[k] + " | " : "") + key.type_text() + " | " +
           fallback(key) + " | " + key.help + " |\n";
  }
  return out;
}

constexpr std::string_view opening = "<!-- keys: ", closing = "<!-- end of keys -->";

/// The text with its tables as they are now. Errors: a table that there is not, or one without an end.
Result<std::string> rewritten(const std::string& text, const std::vector<KeySection>& sections) {
  std::string out;
  size_t at = 0;
  while (true) {
    const size_t begin = text.find(opening, at);
    if (begin == std::string::npos) return out + text.substr(at);
    const size_t line = text.find('\n', begin), end = text.find(closing, begin);
    const size_t name = begin + opening.size();
    if (line == std::string::npos || end == std::string::npos)
      return Error{.message = "a table of keys has no end", .remedy = std::string(closing)};
    const std::string wanted = text.substr(name, text.find(' ', name) - name);
    const auto section =
        std::find_if(sections.begin(), sections.end(), [&](const KeySection& s) { return s.name == wanted; });
    if (section == sections.end()) return Error{.message = "there is no table of keys '" + wanted + "'"};
    out += text.substr(at, line + 1 - at) + "\n" + markdown(*section) + "\n";
    at = end;
  }
}

void rewrite_pages(const std::string& folder, const std::vector<KeySection>& sections) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".md") continue;
    const auto text = io::read_bytes(entry.path().string());
    if (!text) return fail(text.error().text());
    if (text->find(opening) == std::string::npos) continue;
    const auto now = rewritten(*text, sections);
    if (!now) return fail(entry.path().string() + ": " + now.error().text());
    if (*now == *text) continue;
    if (auto ok = io::write_bytes(entry.path().string(), *now); !ok) return fail(ok.error().text());
    std::printf("%s\n", entry.path().c_str());
  }
  if (error) fail(folder + ": " + error.message());
}

void print(const KeySection& section, const std::string& only) {
  std::printf("%s\n", section.name.c_str());
  for (size_t k = 0; k < section.keys.size(); ++k) {
    const Key& key = section.keys[k];
    if (!only.empty() && key.name != only) continue;
    std::printf("  %-18s %s%s%s%s\n", key.name.c_str(), key.type_text().c_str(),
                fallback(key).empty() ? "" : ("; " + fallback(key)).c_str(),
                section.of.empty() ? "" : "; of ", section.of.empty() ? "" : section.of[k].c_str());
    if (!key.help.empty()) std::printf("  %-18s %s\n", "", key.help.c_str());
  }
}

void run(const Options& o) {
  const auto sections = all_sections();
  if (!o.markdown.empty()) return rewrite_pages(o.markdown, sections);
  if (o.json) {
    Json json = Json::array();
    for (const KeySection& section : sections) json.push_back(as_json(section));
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  std::vector<std::string> names;
  bool found = false;
  for (const KeySection& section : sections) {
    const bool whole = o.name.empty() || section.name == o.name;
    names.push_back(section.name);
    const auto has = [&](const Key& key) { return key.name == o.name; };
    for (const Key& key : section.keys) names.push_back(key.name);
    if (!whole && std::none_of(section.keys.begin(), section.keys.end(), has)) continue;
    print(section, whole ? "" : o.name);
    found = true;
  }
  if (found) return;
  const auto near = nearest_name(o.name, names);
  fail("there is no key '" + o.name + "'" + (near ? "; did you mean '" + *near + "'?" : ""));
}

}  // namespace keys_command

void add_keys(CLI::App& app) {
  using namespace keys_command;
  auto o = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("keys", "Lists the keys of scene and study files: types, ranges, defaults");
  command->footer(
      "Example:  palp keys            all of them\n"
      "          palp keys holds      one table\n"
      "          palp keys mu         one key, wherever it is");
  command->add_option("name", o->name, "A table or a key; default: everything");
  command->add_flag("--json", o->json, "Answer for machines");
  command->add_option("--markdown", o->markdown, "Rewrites the tables of keys in the pages of this folder");
  command->callback([o] { run(*o); });
}

}  // namespace palp::cli
