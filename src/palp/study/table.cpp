#include "palp/study/table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <unistd.h>

#include "palp/io/hdf5_handle.hpp"

namespace palp {
namespace {

/// As CSV wants it: quoted where it holds commas, quotes or line ends.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

bool put(hid_t file, const std::string& name, const void* data, hsize_t n, hid_t file_type,
         hid_t memory_type) {
  const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
  const Handle set(H5Dcreate2(file, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  return set.ok() && H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

bool put(hid_t file, const std::string& name, const std::vector<double>& values) {
  return put(file, name, values.data(), values.size(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
}

bool put(hid_t file, const std::string& name, const std::vector<std::string>& texts) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<const char*> pointers;
  for (const std::string& t : texts) pointers.push_back(t.c_str());
  return put(file, name, pointers.data(), pointers.size(), type, type);
}

}  // namespace

long StudyTable::count(RowStatus which) const { return std::count(status.begin(), status.end(), which); }

const char* name_of(RowStatus status) {
  return status == RowStatus::ok ? "ok" : status == RowStatus::failed ? "failed" : "missing";
}

StudyTable merge(const Study& study, const StudyFolder& folder) {
  StudyTable table;
  table.rows = study_rows(study);
  for (const StudyRow& row : table.rows) {
    auto result = folder.read(study, row);
    table.status.push_back(!result ? RowStatus::missing : result->ok ? RowStatus::ok : RowStatus::failed);
    if (!result) result.emplace();
    result->values.resize(study.keep.size(), std::numeric_limits<double>::quiet_NaN());
    if (!result->ok)
      std::fill(result->values.begin(), result->values.end(), std::numeric_limits<double>::quiet_NaN());
    if (!result->build.empty() &&
        std::find(table.builds.begin(), table.builds.end(), result->build) == table.builds.end())
      table.builds.push_back(result->build);
    table.results.push_back(std::move(*result));
  }
  return table;
}

bool is_numeric(const StudyTable& table, size_t parameter) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const StudyRow& row) { return as_number(row.values[parameter]).has_value(); });
}

std::string table_csv(const Study& study, const StudyTable& table) {
  std::string csv = "design,repeat";
  for (const StudyParameter& p : study.parameters) csv += "," + field(p.name);
  for (const Measure& m : study.keep) csv += "," + field(m.name);
  csv += ",status,reason,seconds\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const RowResult& r = table.results[i];
    csv += std::to_string(table.rows[i].design) + "," + std::to_string(table.rows[i].repeat);
    for (const std::string& value : table.rows[i].values) csv += "," + field(value);
    for (const double value : r.values) csv += "," + (std::isfinite(value) ? as_yaml(value) : std::string());
    csv += std::string(",") + name_of(table.status[i]) + "," + field(r.reason) + "," +
           (table.status[i] == RowStatus::missing ? std::string() : as_yaml(r.seconds)) + "\n";
  }
  return csv;
}

Result<void> write_table_hdf5(const Study& study, const StudyTable& table, const std::string& path) {
  const Quiet quiet;
  const std::string beside = path + ".part" + std::to_string(getpid());
  const auto numbers = [&](const auto& of) {
    std::vector<double> out;
    for (size_t i = 0; i < table.rows.size(); ++i) out.push_back(of(i));
    return out;
  };
  const auto texts = [&](const auto& of) {
    std::vector<std::string> out;
    for (size_t i = 0; i < table.rows.size(); ++i) out.push_back(of(i));
    return out;
  };
  bool ok = true;
  {
    const Handle file(H5Fcreate(beside.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    ok = file.ok() && put(file, "design", numbers([&](size_t i) { return double(table.rows[i].design); })) &&
         put(file, "repeat", numbers([&](size_t i) { return double(table.rows[i].repeat); }));
    for (size_t p = 0; ok && p < study.parameters.size(); ++p) {
      const auto text = [&](size_t i) { return table.rows[i].values[p]; };
      ok = is_numeric(table, p)
               ? put(file, study.parameters[p].name, numbers([&](size_t i) { return *as_number(text(i)); }))
               : put(file, study.parameters[p].name, texts(text));
    }
    for (size_t k = 0; ok && k < study.keep.size(); ++k)
      ok = put(file, study.keep[k].name, numbers([&](size_t i) { return table.results[i].values[k]; }));
    ok = ok && put(file, "status", texts([&](size_t i) { return std::string(name_of(table.status[i])); })) &&
         put(file, "reason", texts([&](size_t i) { return table.results[i].reason; })) &&
         put(file, "seconds", numbers([&](size_t i) { return table.results[i].seconds; })) &&
         write_text(file, "study", study.text);
  }
  std::error_code error;
  if (ok) std::filesystem::rename(beside, path, error);
  if (ok && !error) return {};
  std::filesystem::remove(beside, error);
  return Error{.message = "the table could not be written",
               .file = path,
               .remedy = "is there room, and may you write?"};
}

}  // namespace palp
