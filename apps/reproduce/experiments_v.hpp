// The experiments about validity that have a file of their own.
#pragma once
#include "experiment.hpp"

namespace palp::reproduce {

Experiment v1_experiment();
Experiment v3_experiment();
Experiment v5_experiment();
Experiment v6_experiment();

}  // namespace palp::reproduce
