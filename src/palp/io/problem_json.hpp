// Frictional contact problems as JSON, contact-major, (n, t1, t2) per contact, u = W r + q:
//     {"mu":[m], "q":[3m], "W":{"rows":3m, "i":[…], "j":[…], "v":[…]}, "bilateral":[contact, …]}
// "bilateral" is optional.
#pragma once
#include <string>

#include "palp/base/result.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

/// Reads and validates. `file` is only named in errors.
Result<Problem> parse_problem_json(const std::string& text, const std::string& file = {});
Result<Problem> read_problem_json(const std::string& path);
Result<void> write_problem_json(const Problem& problem, const std::string& path);

/// By the first bytes of the file: FCLIB HDF5 or JSON.
Result<Problem> read_problem(const std::string& path);

}  // namespace palp
