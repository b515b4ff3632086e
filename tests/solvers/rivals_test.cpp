// Every solver that the registry knows, on problems whose answer Lemke gives exactly.
#include "solvers/contact_cases.hpp"
#include <gtest/gtest.h>

#include "palp/solvers/certificate.hpp"
#include "palp/solvers/pyramid_lemke.hpp"

namespace palp {
namespace rivals_test {

TEST(Rivals, every_solver_gives_the_frictionless_answer_of_lemke) {
  cases::Random random(41);
  PyramidLemke lemke;
  for (int trial = 0; trial < 30; ++trial) {
    const Problem problem = cases::random_problem(random, 1 + trial % 6, 0.0);
    VecX exact(problem.delta_free.size());
    ASSERT_TRUE(lemke.set_problem(problem));
    ASSERT_TRUE(lemke.solve({.tolerance = 1e-10}, exact).converged());
    for (std::string_view name : solver_names()) {
      auto solver = make_solver(name);
      ASSERT_TRUE(solver) << name;
      EXPECT_EQ((*solver)->name(), name);
      ASSERT_TRUE((*solver)->set_problem(problem)) << name;
      VecX f = VecX::Zero(exact.size());
      const SolveReport report = (*solver)->solve({.tolerance = 1e-9}, f);
      EXPECT_TRUE(report.converged()) << name << " " << trial;
      EXPECT_LT((f - exact).norm(), 1e-7 * (1 + exact.norm())) << name << " " << trial;
    }
  }
}

TEST(Rivals, pyramid_takes_its_sides_from_its_name) {
  auto sixteen = make_solver("pyramid_lemke:16");
  ASSERT_TRUE(sixteen);
  EXPECT_EQ((*sixteen)->name(), "pyramid_lemke:16");
  for (const char* wrong :
       {"pyramid_lemke:", "pyramid_lemke:2", "pyramid_lemke:x", "pyramid_lemke:8x", "pyramid_lemke:99999"})
    EXPECT_FALSE(make_solver(wrong)) << wrong;
}

}  // namespace rivals_test
}  // namespace palp
