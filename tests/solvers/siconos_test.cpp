// The answers of another project's solver, where the forces are unique: W well-conditioned and friction
// moderate.
#include "solvers/stored_problems.hpp"
#include <gtest/gtest.h>

#include "palp/io/problem_json.hpp"
#include "palp/solvers/certificate.hpp"
#include "palp/solvers/coulomb.hpp"

#ifdef PALP_TEST_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#endif

namespace palp {
namespace siconos_test {

#ifdef PALP_TEST_SICONOS
VecX siconos_nsgs(const Problem& p) {
  const int n = 3 * p.contacts();
  numerics_set_verbose(0);
  NumericsMatrix* W = NM_create(NM_DENSE, n, n);
  std::copy(p.W.dense.data(), p.W.dense.data() + p.W.dense.size(), W->matrix0);
  VecX q = p.delta_free, mu = p.mu, f = VecX::Zero(n), u = q;
  FrictionContactProblem* problem = frictionContactProblem_new();
  problem->dimension = 3;
  problem->numberOfContacts = p.contacts();
  problem->M = W;
  problem->q = q.data();
  problem->mu = mu.data();
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  fc3d_driver(problem, f.data(), u.data(), options);
  solver_options_delete(options);
  free(options);
  free(problem);
  NM_clear(W);
  free(W);
  return f;
}
#endif

TEST(Siconos, agrees_on_problems_with_unique_forces) {
#ifndef PALP_TEST_SICONOS
  GTEST_SKIP() << "Siconos is not installed (Debian package libsiconos-numerics-dev)";
#else
  PALP_NEEDS_STORED_PROBLEMS();
  for (const char* name : {"syn_fem_dyn_010", "syn_fem_dyn_025", "syn_fem_dyn_050", "syn_fem_qs_010",
                           "syn_fem_qs_050", "LMGC_GlobalFrictionContactProblem00046-cond"}) {
    SCOPED_TRACE(name);
    auto p = read_problem((testing::stored_problem_folder() / (std::string(name) + ".hdf5")).string());
    ASSERT_TRUE(p) << p.error().text();
    ASSERT_TRUE(p->W.is_dense);
    const VecX expected = siconos_nsgs(*p);
    ASSERT_LE(certificate(*p, expected).value, 1e-9) << "the second opinion itself";
    for (auto* make : {make_coulomb, make_coulomb_newton}) {
      auto solver = make();
      VecX f(expected.size());
      ASSERT_TRUE(solver->set_problem(*p));
      ASSERT_TRUE(solver->solve({.tolerance = 1e-10}, f).converged()) << solver->name();
      EXPECT_LT((f - expected).norm(), 1e-7 * expected.norm()) << solver->name();
    }
  }
#endif
}

}  // namespace siconos_test
}  // namespace palp
