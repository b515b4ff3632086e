#include "palp/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "palp/io/cursor.hpp"
#include "palp/scene/recorded_scene.hpp"
#include "palp/scene/strict_yaml.hpp"
#include "palp/study/measures.hpp"
#include "palp/study/sobol.hpp"
#include "palp/study/study_keys.hpp"

namespace palp {
namespace {

namespace fs = std::filesystem;

/// Of texts, one after the other, with where each ends (Fowler, Noll and Vo's, 64 bits, mixed at the end).
class TextHash {
 public:
  explicit TextHash(std::uint64_t seed = 0xcbf29ce484222325u) : h_(seed) {}
  void add(std::string_view text) {
    for (const char c : text) h_ = (h_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    h_ = (h_ ^ 0x1ffu) * 0x100000001b3u;
  }
  std::uint64_t value() const {
    std::uint64_t h = h_;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
  }

 private:
  std::uint64_t h_;
};

std::string yaml_text(const YAML::Node& node) { return node.IsScalar() ? node.Scalar() : YAML::Dump(node); }

struct Reader {
  Study& study;
  YamlContext& context;
  std::set<std::string> names = {"design", "repeat", "status", "reason", "seconds"};  ///< of columns, taken

  void claim(const YamlValue& at, const std::string& name) {
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") !=
            std::string::npos)
      at.fail("'" + name + "' is no name for a column", "letters, digits, _ . -");
    else if (!names.insert(name).second)
      at.fail("there is already a column '" + name + "' in the table", "give it another name");
  }

  std::vector<std::string> texts(const YamlValue& value) {
    std::vector<std::string> out;
    for (const YamlValue& item : value.list()) out.push_back(yaml_text(item.node()));
    if (value.exists() && out.empty()) value.fail("the list is empty", "give at least one");
    return out;
  }

  /// What is not a number has no spread.
  void check_numbers(const YamlValue& at, const std::vector<std::string>& values) {
    for (const std::string& value : values)
      if (!as_number(value)) {
        at.fail("'" + value + "' is not a number and has no spread", "remove the spread");
        return;
      }
  }

  void read_parameter(const std::string& name, const YamlValue& value) {
    YamlMap m(value, study_keys::parameter());
    StudyParameter p{.name = name, .keys = {}, .values = {}};
    claim(value, name);
    const YamlValue key = m.get("key"), keys = m.get("keys");
    if (key.exists()) p.keys.push_back(key.text());
    if (keys.exists())
      for (const std::string& k : texts(keys)) p.keys.push_back(k);
    if (p.keys.empty())
      value.fail("the parameter changes nothing", "key: a path of the scene, e.g. bodies.clip.youngModulus");
    const YamlValue values = m.get("values"), from = m.get("from"), to = m.get("to"), steps = m.get("steps"),
                    scale = m.get("scale"), integer = m.get("integer"), spread = m.get("spread");
    p.spread = spread.number();
    p.integer = integer.boolean();
    if (p.spread > 0 && p.integer) spread.fail("whole numbers have no spread", "remove one of them");
    p.logarithmic = scale.choice() == 1;
    if (values.exists()) {
      p.values = texts(values);
      if (p.spread > 0) check_numbers(spread, p.values);
      for (const YamlValue& other : {from, to, steps, scale, integer})
        if (other.exists()) other.fail("a list of values has no range", "either values, or from and to");
    } else if (from.exists() || to.exists() || study.plan != PlanKind::list) {
      const bool ends = from.exists() && to.exists();
      if (!ends) value.fail("the parameter has no values", "give from and to, or values: [...]");
      p.from = from.number();
      p.to = to.number();
      if (p.logarithmic && ends && !(p.from > 0))
        from.fail("'" + from.path() + "' is not positive: it has no logarithm",
                  "from is more than 0, or scale: linear");
      if (ends && !(p.from < p.to)) to.fail("the range is empty", "from is less than to");
      if (p.integer && (p.from != std::floor(p.from) || p.to != std::floor(p.to)))
        value.fail("a range of whole numbers has whole ends", "e.g. from: 2, to: 6");
      if (study.plan == PlanKind::grid) {
        if (!steps.exists()) value.fail("a grid needs to know how many steps", "steps: 5, or values: [...]");
        p.steps = steps.integer();
      } else if (steps.exists()) {
        steps.fail("steps are for plan: grid", "remove them");
      }
    }
    study.parameters.push_back(std::move(p));
  }

  void read_list(const YamlValue& designs) {
    Keys names_of_parameters;
    for (const StudyParameter& p : study.parameters)
      names_of_parameters.push_back(
          keys::word(p.name, "").needed("every design of a list has a value for every parameter"));
    for (const YamlValue& item : designs.list()) {
      YamlMap m(item, names_of_parameters);
      std::vector<std::string> values;
      for (const StudyParameter& p : study.parameters) {
        const YamlValue v = m.need(p.name);
        values.push_back(v.exists() ? yaml_text(v.node()) : "");
        if (p.spread > 0 && v.exists()) check_numbers(v, {values.back()});
      }
      study.list.push_back(std::move(values));
    }
    if (study.list.empty()) designs.fail("there are no designs", "designs: [{parameter: value}, …]");
  }

  void read_measure(const YamlValue& value) {
    Measure measure;
    measure.line = value.node().Mark().line + 1;
    const auto names_of = [](const std::string& text) {  // column.statistic, if the end is one
      const size_t dot = text.rfind('.');
      const auto& all = statistic_names();
      const auto at =
          dot == std::string::npos ? all.end() : std::find(all.begin(), all.end(), text.substr(dot + 1));
      return std::pair(dot, at == all.end() ? -1 : static_cast<int>(at - all.begin()));
    };
    if (value.is_map()) {
      YamlMap m(value, study_keys::measure());
      measure.of = m.need("of").text();
      measure.statistic = static_cast<Statistic>(std::max(0, m.need("statistic").choice()));
      measure.from_s = m.get("from").number();
      measure.to_s = m.get("to").number();
      measure.name =
          m.get("name").text(measure.of + "." + statistic_names()[static_cast<size_t>(*measure.statistic)]);
      if (!(measure.from_s < measure.to_s))
        value.fail("the part of the time is empty", "from is less than to");
    } else {
      measure.name = measure.of = value.text();
      if (const auto [dot, which] = names_of(measure.of); which >= 0) {
        measure.statistic = static_cast<Statistic>(which);
        measure.of.resize(dot);
      }
    }
    claim(value, measure.name);
    study.keep.push_back(std::move(measure));
  }

  void count_rows(const YamlValue& designs) {
    double rows = study.repeats;
    if (study.plan == PlanKind::grid)
      for (const StudyParameter& p : study.parameters)
        rows *= p.values.empty() ? p.steps : static_cast<double>(p.values.size());
    else
      rows *= study.plan == PlanKind::list ? static_cast<double>(study.list.size()) : study.designs;
    if (rows > static_cast<double>(most_rows))
      designs.fail("the study has " + std::to_string(static_cast<long long>(std::min(rows, 1e18))) + " runs",
                   "at most a million");
  }

  void read(const YAML::Node& root) {
    const YamlValue top(root, "", context);
    YamlMap m(top, study_keys::study());
    const std::string scene = m.need("scene").text();
    study.seconds = m.get("seconds").number();
    for (const auto& [key, value] : m.get("set").entries())
      study.scene.changes.push_back({key, yaml_text(value.node())});
    study.plan = static_cast<PlanKind>(std::max(0, m.need("plan").choice()));
    study.seed = static_cast<std::uint64_t>(m.get("seed").integer());
    study.repeats = m.get("repeats").integer();
    study.time_limit_s = m.get("timeLimit").number();
    const YamlValue parameters = m.need("parameters");
    for (const auto& [name, value] : parameters.entries()) read_parameter(name, value);
    if (study.plan == PlanKind::sobol &&
        study.parameters.size() > static_cast<size_t>(SobolSequence::most_dimensions))
      parameters.fail("Sobol's sequence has 21 parameters at most here", "take latinHypercube");
    const YamlValue designs = m.get("designs");
    if (study.plan == PlanKind::list)
      designs.exists() ? read_list(designs)
                       : top.fail("a list needs its designs", "designs: [{parameter: value}, …]");
    else if (study.plan == PlanKind::grid && designs.exists())
      designs.fail("a grid has as many designs as its levels make", "remove designs, or take another plan");
    else if (study.plan != PlanKind::grid)
      study.designs = m.need("designs").integer();
    for (const YamlValue& item : m.get("keep").list()) read_measure(item);
    count_rows(parameters);
    const fs::path path(scene);
    study.scene.file = (path.is_absolute() ? path : fs::path(study.file).parent_path() / path).string();
  }
};

/// The texts and contents of files that a YAML text names.
void add_files(const std::string& yaml, const fs::path& folder, TextHash& hash) {
  const auto tree = parse_yaml(yaml, "");
  if (!tree) return;
  for (const auto& [name, path] : files_named(*tree, folder.string()))
    if (const auto bytes = io::read_bytes(path)) {
      hash.add(name);
      hash.add(*bytes);
    }
}

/// Fills or checks `keep` by the first design that can be built.
void settle_measures(Study& study, std::vector<Error>& errors) {
  constexpr size_t tries = 20;
  const auto rows = study_rows(study);
  std::vector<Error> why;
  for (size_t i = 0; i < std::min(rows.size(), tries); ++i) {
    SceneResult loaded = build_scene(scene_of(study, rows[i]));
    if (!loaded.scene) {
      if (why.empty()) why = std::move(loaded.errors);
      continue;
    }
    if (study.keep.empty()) {
      for (const std::string& name : quantity_names(*loaded.scene))
        study.keep.push_back({.name = name, .of = name});
      study.keep.push_back({.name = "certificate.max", .of = "certificate", .statistic = Statistic::max});
    }
    for (const Measure& m : study.keep)
      if (auto ok = RunMeasures::knows(*loaded.scene, m); !ok)
        errors.push_back(
            {.message = ok.error().message, .file = study.file, .line = m.line, .remedy = ok.error().remedy});
    return;
  }
  errors.push_back({.message = "none of the first designs can be built: " +
                               (why.empty() ? std::string("there are none") : why[0].text()),
                    .file = study.file,
                    .remedy = "look at the keys of the parameters"});
}

}  // namespace

StudyResult parse_study(const std::string& text, const std::string& file) {
  StudyResult result;
  const auto root = parse_yaml(text, file);
  if (!root) {
    result.errors.push_back(root.error());
    return result;
  }
  Study study;
  study.file = file;
  study.text = text;
  YamlContext context{.file = file, .errors = {}};
  if (!root->IsMap())
    context.errors.push_back({.message = "a study is a map of names and values",
                              .file = file,
                              .line = 1,
                              .remedy = "start with 'scene:'"});
  else
    Reader{study, context}.read(*root);
  if (context.errors.empty()) {
    auto scene = read_scene(study.scene.file, std::move(study.scene.changes));
    if (scene)
      study.scene = std::move(*scene);
    else
      context.errors.push_back(scene.error());
  }
  if (context.errors.empty()) settle_measures(study, context.errors);
  result.errors = std::move(context.errors);
  std::stable_sort(result.errors.begin(), result.errors.end(), [](const Error& a, const Error& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  if (!result.errors.empty()) return result;
  TextHash hash;
  hash.add(study.scene.text);
  add_files(study.scene.text, fs::path(study.scene.file).parent_path(), hash);
  hash.add(as_yaml(study.seconds));
  for (const SceneOverride& o : study.scene.changes) {
    hash.add(o.key);
    hash.add(o.value);
    add_files(o.value, fs::path(study.scene.file).parent_path(), hash);
  }
  for (const Measure& m : study.keep) {
    hash.add(m.name);
    hash.add(m.of);
    hash.add(m.statistic ? statistic_names()[static_cast<size_t>(*m.statistic)] : "");
    hash.add(as_yaml(m.from_s));
    hash.add(as_yaml(m.to_s));
  }
  study.common_hash = hash.value();
  result.study = std::move(study);
  return result;
}

StudyResult load_study(const std::string& file) {
  const auto text = io::read_bytes(file);
  if (text) return parse_study(*text, file);
  StudyResult result;
  result.errors.push_back(text.error());
  return result;
}

std::string fingerprint(const Study& study, const StudyRow& row) {
  TextHash hash(study.common_hash);
  const fs::path folder = fs::path(study.scene.file).parent_path();
  for (size_t p = 0; p < study.parameters.size(); ++p) {
    for (const std::string& key : study.parameters[p].keys) hash.add(key);
    hash.add(row.values[p]);
    if (!as_number(row.values[p])) add_files(row.values[p], folder, hash);
  }
  hash.add(std::to_string(row.repeat));
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
  return text;
}

}  // namespace palp
