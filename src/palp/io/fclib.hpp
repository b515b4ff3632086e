// Frictional contact problems in the FCLIB format (HDF5, group fclib_local), the field's exchange format:
//     u = W r + V λ + q,   0 = Vᵀ r + R λ + s,
// with W compressed by columns and (n, t1, t2) per contact. The second line holds bilateral rows; Palp keeps
// them as bilateral blocks behind the contacts.
#pragma once
#include <string>

#include "palp/base/result.hpp"
#include "palp/solvers/problem.hpp"

namespace palp {

/// Reads and validates.
Result<Problem> read_fclib(const std::string& path);

/// Writes a local problem. Bilateral blocks move behind the contacts.
Result<void> write_fclib(const Problem& problem, const std::string& path, const std::string& title = "");

}  // namespace palp
