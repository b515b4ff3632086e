#include "palp/scene/strict_yaml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

namespace palp {
namespace {

constexpr std::size_t most_errors = 100;  ///< told about one file
constexpr std::size_t most_bytes = 4u << 20, most_values = 200'000;
constexpr int most_depth = 32;

/// False when the tree has too many values or is too deep. An alias shows the same values again; one inside
/// what it stands for is endless.
bool countable(const YAML::Node& node, int depth, std::size_t& values) {
  if (++values > most_values || depth > most_depth) return false;
  if (node.IsSequence())
    for (const auto& item : node)
      if (!countable(item, depth + 1, values)) return false;
  if (node.IsMap())
    for (const auto& item : node)
      if (!countable(item.first, depth + 1, values) || !countable(item.second, depth + 1, values))
        return false;
  return true;
}

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int cost = std::tolower(a[i - 1]) == std::tolower(b[j - 1]) ? 0 : 1;
      const int best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + cost});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size()];
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names) {
  std::optional<std::string> best;
  int best_distance = static_cast<int>(std::max<size_t>(2, word.size() / 2));
  for (const auto& name : names) {
    const int distance = edit_distance(word, name);
    if (distance <= best_distance && (!best || distance < best_distance)) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

Error YamlContext::error(const YAML::Node& at, std::string message, std::string remedy) const {
  const YAML::Mark mark = at.IsDefined() ? at.Mark() : YAML::Mark::null_mark();
  return {.message = std::move(message),
          .file = file,
          .line = mark.line + 1,
          .column = mark.column + 1,
          .remedy = std::move(remedy)};
}

void YamlContext::fail(const YAML::Node& at, std::string message, std::string remedy) {
  if (errors.size() < most_errors) errors.push_back(error(at, std::move(message), std::move(remedy)));
}

YamlValue::YamlValue(YAML::Node node, std::string path, YamlContext& context, const Key* key)
    : node_(std::move(node)), path_(std::move(path)), context_(&context), key_(key) {}

const Key& YamlValue::key() const {
  if (key_) return *key_;
  static const Key none;
  fail("the reader asks '" + path_ + "' for what it may be, and no table of keys says it",
       "a mistake in the program: please report it");
  return none;
}

void YamlValue::fail(std::string message, std::string remedy) const {
  context_->fail(node_, std::move(message), std::move(remedy));
}

std::string YamlValue::located(std::string message, std::string remedy) const {
  return context_->error(node_, std::move(message), std::move(remedy)).text();
}

double YamlValue::number(double fallback, const Range& range) const {
  if (!exists()) return fallback;
  const auto value = is_scalar() ? parse_number(node_.Scalar()) : std::nullopt;
  if (!value) {
    fail("'" + path_ + "' must be a finite number" +
             (is_scalar() ? ", not '" + node_.Scalar() + "'" : std::string()),
         "write it like 0.01 or 2e5, in SI units without the unit");
    return fallback;
  }
  if (!range.contains(*value)) {
    fail("'" + path_ + "' is " + node_.Scalar(), "it must be " + range.text());
    return fallback;
  }
  return *value;
}

int YamlValue::integer(int fallback, const Range& range) const {
  if (!exists()) return fallback;
  const double value = number(fallback, range);
  if (value != std::floor(value)) {
    fail("'" + path_ + "' must be a whole number", "write it without a fraction");
    return fallback;
  }
  return static_cast<int>(value);
}

bool YamlValue::boolean(bool fallback) const {
  if (!exists()) return fallback;
  if (is_scalar() && node_.Scalar() == "true") return true;
  if (is_scalar() && node_.Scalar() == "false") return false;
  fail("'" + path_ + "' must be true or false");
  return fallback;
}

std::string YamlValue::text(std::string fallback) const {
  if (!exists()) return fallback;
  if (is_scalar()) return node_.Scalar();
  fail("'" + path_ + "' must be a word", "not a list or a map");
  return fallback;
}

Vec3 YamlValue::vec3(const Vec3& fallback) const {
  if (!exists()) return fallback;
  if (!is_list() || node_.size() != 3) {
    fail("'" + path_ + "' must be three numbers", "like [0, 0, -9.81]");
    return fallback;
  }
  Vec3 out;
  int k = 0;
  for (const YamlValue& item : list()) {
    out[k] = item.number(fallback[k]);
    ++k;
  }
  return out;
}

int YamlValue::choice(int fallback, const std::vector<std::string>& choices) const {
  if (!exists()) return fallback;
  const std::string word = text();
  const auto it = std::find(choices.begin(), choices.end(), word);
  if (it != choices.end()) return static_cast<int>(it - choices.begin());
  if (is_scalar()) {
    const auto near = nearest_name(word, choices);
    fail("'" + path_ + "' cannot be '" + word + "'",
         (near ? "did you mean '" + *near + "'? " : std::string()) + "Known: " + join(choices));
  }
  return fallback;
}

std::vector<YamlValue> YamlValue::list() const {
  std::vector<YamlValue> out;
  if (!exists()) return out;
  if (!is_list()) {
    fail("'" + path_ + "' must be a list", "write it as [a, b] or as lines that start with '-'");
    return out;
  }
  for (size_t i = 0; i < node_.size(); ++i)
    out.emplace_back(node_[i], path_ + "[" + std::to_string(i) + "]", *context_, key_);
  return out;
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::entries() const {
  std::vector<std::pair<std::string, YamlValue>> out;
  if (!exists()) return out;
  if (!is_map()) {
    fail("'" + path_ + "' must be a map", "write it as lines 'name: value'");
    return out;
  }
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) {
      context_->fail(entry.first, "a key in '" + path_ + "' is not a word");
      continue;
    }
    const std::string key = entry.first.Scalar();
    if (!seen.insert(key).second) {
      context_->fail(entry.first, "'" + key + "' is given twice in '" + path_ + "'", "remove one of them");
      continue;
    }
    out.emplace_back(key, YamlValue(entry.second, path_.empty() ? key : path_ + "." + key, *context_));
  }
  return out;
}

YamlMap::YamlMap(const YamlValue& value, const Keys& keys) : value_(value), tables_{&keys} {
  if (value_.exists() && !value_.is_map())
    value_.fail("'" + value_.path() + "' must be a map",
                "write it as {name: value, …} or as indented lines 'name: value'");
}

YamlMap::~YamlMap() {
  if (!value_.is_map()) return;
  std::vector<std::string> names;
  for (const Keys* table : tables_)
    for (const Key& key : *table) names.push_back(key.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  (void)value_.entries();  // tells of keys that are no words or come twice
  for (const auto& entry : value_.node()) {
    if (!judged_ || !entry.first.IsScalar() || find(entry.first.Scalar())) continue;
    const std::string key = entry.first.Scalar();
    const auto near = nearest_name(key, names);
    // The key's own mark, not its value's: the cursor lands on the word to change.
    value_.context().fail(
        entry.first,
        "unknown key '" + key + "'" + (value_.path().empty() ? "" : " in '" + value_.path() + "'"),
        (near ? "did you mean '" + *near + "'? " : std::string()) + "Known: " + join(names));
    if (value_.context().errors.size() >= most_errors) return;
  }
}

const Key* YamlMap::find(const std::string& key) const {
  for (auto table = tables_.rbegin(); table != tables_.rend();
       ++table)  // what a generator says of `cells` holds
    for (const Key& k : **table)
      if (k.name == key) return &k;
  return nullptr;
}

YamlValue YamlMap::get(const std::string& key) {
  const Key* const line = find(key);
  const std::string path = value_.path().empty() ? key : value_.path() + "." + key;
  if (!line)
    value_.fail("the reader knows '" + path + "', and no table of keys has it",
                "a mistake in the program: please report it");
  if (!value_.is_map()) return {YAML::Node(YAML::NodeType::Undefined), path, value_.context(), line};
  const YAML::Node& node = value_.node();  // const: looking up must not create the key
  return {node[key], path, value_.context(), line};
}

YamlValue YamlMap::need(const std::string& key) {
  YamlValue found = get(key);
  if (!found.exists() && (value_.is_map() || !value_.exists()))
    value_.fail("'" + key + "' is missing" + (value_.path().empty() ? "" : " in '" + value_.path() + "'"),
                found.key().remedy);
  return found;
}

Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file) {
  if (text.size() > most_bytes)
    return Error{.message = "larger than 4 MiB",
                 .file = file,
                 .remedy = "a scene file names meshes, it does not hold them"};
  try {
    const YAML::Node root = YAML::Load(text);
    std::size_t values = 0;
    if (!countable(root, 0, values))
      return Error{.message = "more than " + std::to_string(most_values) +
                              " values, or lists nested deeper than " + std::to_string(most_depth) +
                              " (an alias counts as often as it is used)",
                   .file = file,
                   .line = 1,
                   .remedy = "put long series into a CSV file, and anchors around single values"};
    return root;
  } catch (const YAML::Exception& e) {
    return Error{.message = "not valid YAML: " + e.msg,
                 .file = file,
                 .line = e.mark.line + 1,
                 .column = e.mark.column + 1,
                 .remedy = "check indentation, colons and brackets near this place"};
  }
}

}  // namespace palp
