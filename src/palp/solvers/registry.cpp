// All solvers by name: a new one adds its include and its line.
#include "palp/solvers/coulomb.hpp"
#include "palp/solvers/gauss_seidel.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Solver> (*make)();
};

constexpr Entry entries[] = {
    {"coulomb", make_coulomb},
    {"coulomb_newton", make_coulomb_newton},
    {"signorini_gs", make_signorini_gs},
    {"coulomb_gs", make_coulomb_gs},
    {"coulomb_nsgs", make_coulomb_nsgs},
};

}  // namespace

Result<std::unique_ptr<Solver>> make_solver(std::string_view name) {
  std::string known;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry.make();
    known.append(known.empty() ? "" : ", ").append(entry.name);
  }
  return Error{.message = "unknown solver '" + std::string(name) + "'", .remedy = "choose one of " + known};
}

std::vector<std::string_view> solver_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

}  // namespace palp
