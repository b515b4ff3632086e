#include "palp/io/problem_json.hpp"

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "palp/io/cursor.hpp"
#include "palp/io/fclib.hpp"

namespace palp {
namespace {

using nlohmann::json;

const char* const shape = R"(expected {"mu":[m], "q":[3m], "W":{"rows":3m,"i":[…],"j":[…],"v":[…]}})";

/// An array of numbers (T = double) or of whole numbers (T = int).
template <class T>
Result<std::vector<T>> numbers(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end())
    return Error{.message = std::string("\"") + key + "\" is missing", .remedy = shape};
  if (!found->is_array())
    return Error{.message = std::string("\"") + key + "\" is not an array", .remedy = shape};
  std::vector<T> out;
  out.reserve(found->size());
  for (const json& x : *found) {
    const bool fits =
        std::is_same_v<T, int> ? x.is_number_integer() && x >= 0 && x <= 1'000'000'000 : x.is_number();
    if (!fits)
      return Error{.message = std::string("\"") + key + "\"[" + std::to_string(out.size()) + "] is not a " +
                              (std::is_same_v<T, int> ? "whole number ≥ 0" : "number"),
                   .remedy = shape};
    out.push_back(x.get<T>());
  }
  return out;
}

Result<Problem> from_json(const json& root) {
  if (!root.is_object()) return Error{.message = "not a contact problem", .remedy = shape};
  for (const auto& [key, value] : root.items())
    if (key != "mu" && key != "q" && key != "W" && key != "bilateral")
      return Error{.message = "unknown key \"" + key + "\"", .remedy = shape};
  auto mu = numbers<double>(root, "mu");
  if (!mu) return mu.error();
  auto q = numbers<double>(root, "q");
  if (!q) return q.error();
  const auto W = root.find("W");
  if (W == root.end() || !W->is_object())
    return Error{.message = "\"W\" is missing or not an object", .remedy = shape};
  for (const auto& [key, value] : W->items())
    if (key != "rows" && key != "i" && key != "j" && key != "v")
      return Error{.message = "unknown key \"" + key + "\" in \"W\"", .remedy = shape};
  auto i = numbers<int>(*W, "i");
  if (!i) return i.error();
  auto j = numbers<int>(*W, "j");
  if (!j) return j.error();
  auto v = numbers<double>(*W, "v");
  if (!v) return v.error();
  const size_t m = mu->size();
  const auto rows = W->find("rows");
  if (rows == W->end() || !rows->is_number_integer() || *rows != 3 * m || q->size() != 3 * m)
    return Error{.message = "\"mu\" has " + std::to_string(m) + " entries, \"q\" " +
                            std::to_string(q->size()) + ", \"W\".\"rows\" is " +
                            (rows == W->end() ? "missing" : rows->dump()),
                 .remedy = shape};
  auto operator_W = delassus_from_entries(static_cast<int>(m), *i, *j, *v);
  if (!operator_W) return operator_W.error();
  Problem problem;
  problem.W = std::move(*operator_W);
  problem.delta_free = Eigen::Map<const VecX>(q->data(), static_cast<long>(q->size()));
  problem.mu = Eigen::Map<const VecX>(mu->data(), static_cast<long>(m));
  if (root.contains("bilateral")) {
    auto which = numbers<int>(root, "bilateral");
    if (!which) return which.error();
    problem.kind.assign(m, ContactKind::unilateral);
    for (int contact : *which) {
      if (contact >= static_cast<int>(m))
        return Error{
            .message = "\"bilateral\" names contact " + std::to_string(contact) + " of " + std::to_string(m),
            .remedy = "contacts are numbered from 0"};
      problem.kind[contact] = ContactKind::bilateral;
    }
  }
  return problem;
}

}  // namespace

Result<Problem> parse_problem_json(const std::string& text, const std::string& file) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::parse_error& e) {
    const size_t at = std::min(e.byte, text.size());
    const long line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    return Error{.message = "not valid JSON", .file = file, .line = line, .remedy = shape};
  } catch (const json::exception&) {  // e.g. a number beyond the range of double
    return Error{.message = "a number is out of range", .file = file, .remedy = shape};
  }
  auto problem = from_json(root);
  const Error* error = problem ? nullptr : &problem.error();
  Result<ProblemInfo> checked{ProblemInfo{}};
  if (!error) {
    checked = validate(*problem);
    if (!checked) error = &checked.error();
  }
  if (!error) return problem;
  Error out = *error;
  out.file = file;
  return out;
}

Result<Problem> read_problem_json(const std::string& path) {
  const auto text = io::read_bytes(path);
  if (!text) return text.error();
  return parse_problem_json(*text, path);
}

Result<void> write_problem_json(const Problem& p, const std::string& path) {
  json i = json::array(), j = json::array(), v = json::array();
  for_each_entry(p.W, [&](int row, int column, double value) {
    if (value == 0) return;
    i.push_back(row);
    j.push_back(column);
    v.push_back(value);
  });
  const int m = p.contacts();
  json root{{"mu", std::vector<double>(p.mu.begin(), p.mu.end())},
            {"q", std::vector<double>(p.delta_free.begin(), p.delta_free.end())},
            {"W", {{"rows", 3 * m}, {"i", i}, {"j", j}, {"v", v}}}};
  for (int b = 0; b < m; ++b)
    if (p.bilateral(b)) root["bilateral"].push_back(b);
  std::ofstream out(path);
  if (!(out << root.dump() << '\n') || !out.flush())
    return Error{
        .message = "cannot be written", .file = path, .remedy = "check the folder and the free space"};
  return {};
}

Result<Problem> read_problem(const std::string& path) {
  std::error_code code;
  const bool regular = std::filesystem::is_regular_file(path, code);  // a pipe would keep us waiting
  std::ifstream in;
  if (regular) in.open(path, std::ios::binary);
  char first[8] = {};
  if (!regular || !in || (in.read(first, 8), in.gcount() == 0))
    return Error{.message = "cannot be read or is empty",
                 .file = path,
                 .remedy = "check the path and the permissions"};
  const bool hdf5 = std::string(first, 8) == std::string("\x89HDF\r\n\x1a\n", 8);
  return hdf5 ? read_fclib(path) : read_problem_json(path);
}

}  // namespace palp
