// Strict reading of YAML: every map has a table of its keys (key.hpp), and what that does not hold is an
// error with line, column and the nearest valid name. Errors are collected, so that one run reports them all.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "palp/base/result.hpp"
#include "palp/math/types.hpp"
#include "palp/scene/key.hpp"

namespace palp {

/// Where the errors of one file go.
struct YamlContext {
  std::string file;
  std::vector<Error> errors;

  Error error(const YAML::Node& at, std::string message, std::string remedy = {}) const;
  void fail(const YAML::Node& at, std::string message, std::string remedy = {});
};

/// One value and its place in the file. A missing value (invalid node) answers every question with the
/// default: of its key's table, or the one that is given where others decide it. Entries of lists have the
/// key of the list.
class YamlValue {
 public:
  YamlValue(YAML::Node node, std::string path, YamlContext& context, const Key* key = nullptr);

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

  const Key& key() const;

  double number() const { return number(key().number); }
  double number(double fallback) const { return number(fallback, key().range); }
  double number(double fallback, const Range& range) const;
  int integer() const { return integer(static_cast<int>(key().number)); }
  int integer(int fallback) const { return integer(fallback, key().range); }
  int integer(int fallback, const Range& range) const;
  bool boolean() const { return boolean(key().number > 0); }
  bool boolean(bool fallback) const;
  std::string text(std::string fallback = {}) const;
  /// Three numbers, each within the range.
  Vec3 vec3() const { return vec3(key().vector); }
  Vec3 vec3(const Vec3& fallback) const;
  /// Index of the text among `choices`; an unknown one is an error that names the nearest.
  int choice() const { return choice(static_cast<int>(key().number), key().choices); }
  int choice(int fallback, const std::vector<std::string>& choices) const;
  std::vector<YamlValue> list() const;
  /// Key and value of each entry, in the file's order; a key given twice is an error.
  std::vector<std::pair<std::string, YamlValue>> entries() const;

 private:
  YAML::Node node_;
  std::string path_;
  YamlContext* context_;
  const Key* key_;
};

/// A map and the tables of its keys, which outlive it. The destructor reports keys that no table holds.
class YamlMap {
 public:
  YamlMap(const YamlValue& value, const Keys& keys);
  ~YamlMap();
  YamlMap(const YamlMap&) = delete;
  YamlMap& operator=(const YamlMap&) = delete;

  /// Further keys, which depend on what was read: those of a model, a generator, a device.
  void also(const Keys& keys) { tables_.push_back(&keys); }
  /// What decides the further keys is wrong: the others cannot be judged.
  void judge_no_more() { judged_ = false; }

  /// The value of a key; a missing one does not exist().
  YamlValue get(const std::string& key);
  /// The same, and an error when it is missing.
  YamlValue need(const std::string& key);
  bool has(const std::string& key) { return get(key).exists(); }
  const YamlValue& value() const { return value_; }

 private:
  const Key* find(const std::string& key) const;
  YamlValue value_;
  std::vector<const Keys*> tables_;
  bool judged_ = true;
};

/// The entry of `names` closest to `word` in edit distance; nothing when none is near.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names);

/// The tree of a text; syntax errors carry their line and column. Aliases count as often as they are used, so
/// that a few lines cannot stand for more values than anybody can read.
Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file);

}  // namespace palp
