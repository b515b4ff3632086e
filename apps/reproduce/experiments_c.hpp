// The experiments about convergence, each in a file of its own.
#pragma once
#include "experiment.hpp"

namespace palp::reproduce {

Experiment snap_in_force();   ///< C.1
Experiment parts();           ///< C.2
Experiment contact_ripple();  ///< C.3

}  // namespace palp::reproduce
