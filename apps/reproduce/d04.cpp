// The experiments of D04.
#include "experiment.hpp"

namespace palp::reproduce {

std::vector<Experiment> d04_experiments() { return {}; }

}  // namespace palp::reproduce
