// The experiments of K16.
#include "experiment.hpp"

namespace palp::reproduce {

std::vector<Experiment> k16_experiments() { return {}; }

}  // namespace palp::reproduce
