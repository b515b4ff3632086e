// Strict reading of YAML: every value is asked for by name, type and range; what nobody asked for is an error
// with line, column and the nearest valid name. Errors are collected, so that one run reports them all.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "palp/base/result.hpp"
#include "palp/math/types.hpp"

namespace palp {

/// Where the errors of one file go.
struct YamlContext {
  std::string file;
  std::vector<Error> errors;

  Error error(const YAML::Node& at, std::string message, std::string remedy = {}) const;
  void fail(const YAML::Node& at, std::string message, std::string remedy = {});
};

/// Allowed values of a number: always bounded, since numbers far outside physics overflow later and
/// elsewhere.
struct Range {
  double lo, hi;
  bool lo_open = false, hi_open = false;

  bool contains(double x) const;
  std::string text() const;
};

/// One value and its place in the file. A missing value (invalid node) answers every question with the
/// default.
class YamlValue {
 public:
  YamlValue(YAML::Node node, std::string path, YamlContext& context);

  bool exists() const { return node_.IsDefined() && !node_.IsNull(); }
  bool is_map() const { return exists() && node_.IsMap(); }
  bool is_list() const { return exists() && node_.IsSequence(); }
  bool is_scalar() const { return exists() && node_.IsScalar(); }
  const std::string& path() const { return path_; }
  const YAML::Node& node() const { return node_; }
  YamlContext& context() const { return *context_; }
  void fail(std::string message, std::string remedy = {}) const;
  /// "file:line:column: message (remedy)", for what is suspicious but not wrong.
  std::string located(std::string message, std::string remedy = {}) const;

  double number(double fallback, const Range& range) const;
  int integer(int fallback, int lo, int hi) const;
  bool boolean(bool fallback) const;
  std::string text(std::string fallback = {}) const;
  /// Three numbers, each within the range.
  Vec3 vec3(const Vec3& fallback, const Range& range) const;
  /// Index of the text among `choices`; an unknown one is an error that names the nearest.
  int choice(int fallback, const std::vector<std::string>& choices) const;
  std::vector<YamlValue> list() const;
  /// Key and value of each entry, in the file's order; a key given twice is an error.
  std::vector<std::pair<std::string, YamlValue>> entries() const;

 private:
  YAML::Node node_;
  std::string path_;
  YamlContext* context_;
};

/// A map with a known set of keys. `finish` (or the destructor) reports the keys that nobody asked for.
class YamlMap {
 public:
  explicit YamlMap(const YamlValue& value);
  ~YamlMap();
  YamlMap(const YamlMap&) = delete;
  YamlMap& operator=(const YamlMap&) = delete;

  /// The value of a key; a missing one does not exist().
  YamlValue get(const std::string& key);
  /// The same, and an error when it is missing.
  YamlValue need(const std::string& key, const std::string& remedy);
  bool has(const std::string& key);
  const YamlValue& value() const { return value_; }

 private:
  YamlValue value_;
  std::set<std::string> known_;
};

/// The entry of `names` closest to `word` in edit distance; nothing when none is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names);

/// The tree of a text; syntax errors carry their line and column. Aliases count as often as they are used, so
/// that a few lines cannot stand for more values than anybody can read.
Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file);

}  // namespace palp
