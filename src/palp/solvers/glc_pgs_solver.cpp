#include "palp/solvers/glc_pgs_solver.hpp"

namespace palp {

std::unique_ptr<Solver> make_glc_pgs() { return std::make_unique<GlcPgsSolver>(); }

// Smaller problems are padded with constraints without compliance, which no sweep touches: nothing is
// allocated for them.
Result<void> GlcPgsSolver::set_problem(const Problem& problem) {
  const int m = problem.contacts();
  constexpr int max_contacts = 1000;
  if (problem.delta_free.size() != 3 * m || problem.mu.size() != m || problem.W.contacts() != m ||
      (!problem.kind.empty() && static_cast<int>(problem.kind.size()) != m))
    return Error{.message = "the sizes of W, delta_free, mu and kind do not fit together",
                 .remedy = "three rows per contact, one mu and one kind per contact"};
  if (m > max_contacts)
    return Error{.message = "glc_pgs works on a dense W of at most 1000 contacts",
                 .remedy = "use another solver"};
  contacts_ = m;
  if (m > sizes_.other) {
    sizes_.other = m;
    pgs_ = GlcPgs(sizes_);
    glc_.W.resize(3 * m, 3 * m);
    motion_.delta_free.resize(3 * m);
    f_.resize(3 * m);
  }
  glc_.other.assign(static_cast<size_t>(sizes_.other), OtherConstraint{});
  glc_.W.setZero();
  f_.setZero();
  motion_.delta_free.setZero();
  set_delta_free(problem.delta_free);
  if (problem.W.is_dense) glc_.W.topLeftCorner(3 * m, 3 * m) = problem.W.dense;
  const BlockSparse& S = problem.W.sparse;
  for (int i = 0; i < m; ++i) {
    const bool bilateral = problem.bilateral(i);
    glc_.other[i].kind = bilateral ? ContactKind::bilateral : ContactKind::unilateral;
    glc_.other[i].mu = bilateral ? 0 : problem.mu[i];
    if (!problem.W.is_dense)
      for (int k = S.start[i]; k < S.start[i + 1]; ++k)
        glc_.W.block<3, 3>(3 * i, 3 * S.column[k]) += S.value[k];
  }
  return pgs_.set_problem(glc_);
}

SolveReport GlcPgsSolver::solve(const SolveOptions& options, VecRef f) {
  f_.head(3 * contacts_) = f;
  const SolveReport report = pgs_.solve(options, motion_, f_);
  f = f_.head(3 * contacts_);
  return report;
}

}  // namespace palp
