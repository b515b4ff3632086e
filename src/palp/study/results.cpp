#include "palp/study/results.hpp"

#include <cmath>
#include <filesystem>
#include <limits>

#include <nlohmann/json.hpp>

#include "palp/io/cursor.hpp"

namespace palp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

}  // namespace

std::string format_row(const Study& study, const StudyRow& row, const RowResult& result) {
  Json parameters = Json::object(), values = Json::object();
  for (size_t p = 0; p < study.parameters.size(); ++p) parameters[study.parameters[p].name] = row.values[p];
  for (size_t k = 0; k < study.keep.size() && k < result.values.size(); ++k)
    values[study.keep[k].name] = std::isfinite(result.values[k]) ? Json(result.values[k]) : Json();
  const Json json{{"design", row.design},      {"repeat", row.repeat},    {"parameters", parameters},
                  {"ok", result.ok},           {"reason", result.reason}, {"values", values},
                  {"seconds", result.seconds}, {"build", result.build}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<RowResult> parse_row(const Study& study, const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  const auto has = [&](const char* key, auto is) { return json.contains(key) && (json[key].*is)(); };
  if (!has("ok", &Json::is_boolean) || !has("reason", &Json::is_string) || !has("values", &Json::is_object) ||
      !has("seconds", &Json::is_number) || !has("build", &Json::is_string))
    return {};
  RowResult r{json["ok"], json["reason"], {}, json["seconds"], json["build"]};
  for (const Measure& m : study.keep) {
    const auto value = json["values"].find(m.name);
    if (r.ok && value == json["values"].end()) return {};
    r.values.push_back(value != json["values"].end() && value->is_number()
                           ? value->get<double>()
                           : std::numeric_limits<double>::quiet_NaN());
  }
  return r;
}

Result<StudyFolder> StudyFolder::open(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path) / "rows", error);
  if (!fs::is_directory(fs::path(path) / "rows", error))
    return Error{
        .message = "the folder of results cannot be made", .file = path, .remedy = "name another by --out"};
  return StudyFolder(path);
}

std::string StudyFolder::default_path(const Study& study) {
  return fs::path(study.file).replace_extension(".results").string();
}

/// In folders of their own by the first two digits: directories of a million files are slow on clusters.
std::string StudyFolder::file_of(const std::string& fingerprint) const {
  return (fs::path(path_) / "rows" / fingerprint.substr(0, 2) / (fingerprint + ".json")).string();
}

Result<void> StudyFolder::write(const Study& study, const StudyRow& row, const RowResult& result) const {
  return write_text(fingerprint(study, row), format_row(study, row, result));
}

Result<void> StudyFolder::write_text(const std::string& name, const std::string& text) const {
  const std::string file = file_of(name);
  std::error_code error;
  fs::create_directories(fs::path(file).parent_path(), error);
  return io::write_bytes(file, text);
}

std::optional<RowResult> StudyFolder::read(const Study& study, const StudyRow& row) const {
  const std::string file = file_of(fingerprint(study, row));
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const auto text = io::read_bytes(file);
  return text ? parse_row(study, *text) : std::nullopt;
}

}  // namespace palp
