// All solvers by name: a new one adds its include and its line.
#include <charconv>

#include "palp/solvers/coulomb.hpp"
#include "palp/solvers/gauss_seidel.hpp"
#include "palp/solvers/glc_pgs_solver.hpp"
#include "palp/solvers/pyramid_lemke.hpp"
#include "palp/solvers/solver.hpp"
#include "palp/solvers/uzawa.hpp"

namespace palp {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Solver> (*make)();
};

constexpr Entry entries[] = {
    {"coulomb", make_coulomb},
    {"coulomb_newton", make_coulomb_newton},
    {"coulomb_gs", make_coulomb_gs},
    {"coulomb_nsgs", make_coulomb_nsgs},
    {"signorini_gs", make_signorini_gs},
    {"pyramid_lemke", make_pyramid_lemke},
    {"uzawa_local", make_uzawa_local},
    {"uzawa_global", make_uzawa_global},
    {"glc_pgs", make_glc_pgs},
};

}  // namespace

Result<std::unique_ptr<Solver>> make_solver(std::string_view name) {
  constexpr std::string_view pyramid = "pyramid_lemke:";  // with its number of sides: pyramid_lemke:16
  if (name.starts_with(pyramid)) {
    const std::string_view digits = name.substr(pyramid.size());
    int sides = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), sides);
    if (error != std::errc() || end != digits.data() + digits.size() || sides < 3 ||
        sides > PyramidLemke::max_sides)
      return Error{.message = std::string(name).append(" has an impossible number of sides"),
                   .remedy = std::string("3 to ").append(std::to_string(PyramidLemke::max_sides))};
    return std::unique_ptr<Solver>(std::make_unique<PyramidLemke>(sides));
  }
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
