// One step of the single-rate simulation (D04 §III.C):
//     free motion → proximity → contacts (H, δ_free, μ) → Delassus → solve → constrained motion
// Where fast bodies would pass through each other, the crossings become contacts and the problem is solved
// again. Only the last stage writes the state: a failed step leaves it as it was and says why.
#pragma once
#include "palp/sim/model.hpp"

namespace palp {

enum class StepStatus {
  ok,
  free_motion_failed,  ///< a body's system matrix is not positive definite, or its state is not finite
  bad_problem,         ///< a contact problem with numbers that are not finite
  not_finite,          ///< the motion, the state after it or its energy is not finite
  absurd_energy,       ///< of a run: finite, but more than matter can hold; no step says so by itself
  bad_model,           ///< the model has not passed check(), e.g. its solver does not exist
};

/// What every step measures.
struct StepReport {
  StepStatus status = StepStatus::ok;
  int body = -1;  ///< the body that failed, or one of the problem that did
  int contacts = 0;
  int left_out_contacts =
      0;                    ///< beyond TouchRule::max_contacts or Model::max_contacts: others stand for them
  int active_contacts = 0;  ///< with a force
  int crossings = 0;        ///< contacts that were made because bodies would have passed through each other
  int shortened = 0;        ///< bodies that stopped on their way, because contacts alone did not prevent that
  int groups = 0;
  int sweeps = 0;            ///< sum over the groups
  double certificate = 0;    ///< worst group
  bool converged = true;     ///< every group reached its tolerance
  double penetration_m = 0;  ///< deepest, geometric, at the start of the step
  double violation_m = 0;    ///< deepest, in the linearised problem after the solve
  double misfit_m = 0;       ///< overlap or gap across which a force acts, after the solve: Model::misfit_m
  struct Times {
    double free_motion_us = 0, proximity_us = 0, contacts_us = 0, delassus_us = 0, solve_us = 0,
           motion_us = 0;
    double total_us() const {
      return free_motion_us + proximity_us + contacts_us + delassus_us + solve_us + motion_us;
    }
  } times;
};

/// Advances `state` by model.h_s. The loads of each body are read from ws.bodies[b].loads.
StepReport step(const Model& model, State& state, Workspace& ws);

}  // namespace palp
