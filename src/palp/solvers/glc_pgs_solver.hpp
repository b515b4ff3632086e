// K16's sweeps (glc_pgs.hpp) on a plain contact problem, for comparison by name: without geometry every
// contact is one of the other constraints, always active.
#pragma once
#include "palp/solvers/glc_pgs.hpp"

namespace palp {

class GlcPgsSolver final : public Solver {
 public:
  std::string_view name() const override { return "glc_pgs"; }
  Result<void> set_problem(const Problem& problem) override;
  void set_delta_free(ConstVecRef delta_free) override {
    motion_.delta_free.head(3 * contacts_) = delta_free;
  }
  SolveReport solve(const SolveOptions& options, VecRef f) override;

 private:
  int contacts_ = 0;
  GlcProblem glc_;
  GlcMotion motion_;
  VecX f_;
  GlcSizes sizes_{.glc = 0, .nodes = 0, .other = 0, .proxies = 0};
  GlcPgs pgs_{sizes_};
};

std::unique_ptr<Solver> make_glc_pgs();

}  // namespace palp
