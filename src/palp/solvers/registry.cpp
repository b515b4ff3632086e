// All solvers by name.
#include "palp/solvers/solver.hpp"

namespace palp {

Result<std::unique_ptr<Solver>> make_solver(std::string_view name) {
  return Error{.message = "unknown solver '" + std::string(name) + "'"};
}

std::vector<std::string_view> solver_names() { return {}; }

}  // namespace palp
