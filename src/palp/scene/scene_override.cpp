#include "palp/scene/scene_override.hpp"

#include <algorithm>
#include <filesystem>

namespace palp {
namespace {

/// The entry of a list that a part of a path names: "2". Negative: no such entry.
int list_entry(const YAML::Node& list, const std::string& part) {
  const bool digits =
      !part.empty() && part.size() < 7 && part.find_first_not_of("0123456789") == std::string::npos;
  const int index = digits ? std::stoi(part) : -1;
  return index < static_cast<int>(list.size()) ? index : -1;
}

/// Every `file:` of the tree, wherever it is read from.
void name_in_full(YAML::Node node, const std::filesystem::path& folder) {
  if (node.IsMap())
    for (auto entry : node) {
      if (entry.first.IsScalar() && entry.first.Scalar() == "file" && entry.second.IsScalar())
        entry.second = std::filesystem::absolute(folder / entry.second.Scalar()).string();
      else
        name_in_full(entry.second, folder);
    }
  else if (node.IsSequence())
    for (auto entry : node) name_in_full(entry, folder);
}

}  // namespace

void apply_override(YAML::Node root, const SceneOverride& change, YamlContext& context) {
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    context.errors.push_back({.message = "--set " + change.key + ": " + message, .remedy = remedy});
  };
  const auto value = parse_yaml(change.value, "");
  if (!value) return refuse(value.error().message, value.error().remedy);
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= change.key.size();) {
    const size_t end = std::min(change.key.find('.', begin), change.key.size());
    parts.push_back(change.key.substr(begin, end - begin));
    begin = end + 1;
  }
  YAML::Node at = root;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (at.IsSequence()) {
      const int entry = list_entry(at, parts[i]);
      if (entry < 0)
        return refuse("'" + parts[i] + "' is no entry of a list of " + std::to_string(at.size()),
                      at.size() > 0 ? "0 to " + std::to_string(at.size() - 1) : "set the whole list");
      if (last)
        at[entry] = *value;
      else
        at.reset(at[entry]);
    } else if (at.IsDefined() && !at.IsNull() && !at.IsMap()) {
      return refuse(
          (i > 0 ? "'" + parts[i - 1] + "'" : "what is read") + " is neither a map nor a list in the scene",
          "the path goes through names and numbers of entries, e.g. bodies.clip.youngModulus, pairs.0.mu");
    } else if (last) {
      at[parts[i]] = *value;
    } else {
      at.reset(at[parts[i]]);
    }
  }
}

Result<std::string> whole_scene(const SceneSpec& spec) {
  auto root = parse_yaml(spec.text, spec.file);
  if (!root) return root.error();
  YamlContext context{.file = spec.file, .errors = {}};
  for (const SceneOverride& change : spec.changes) apply_override(*root, change, context);
  if (!context.errors.empty()) return context.errors[0];
  name_in_full(*root, std::filesystem::path(spec.file).parent_path());
  return YAML::Dump(*root);
}

}  // namespace palp
