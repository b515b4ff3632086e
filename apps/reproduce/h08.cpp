// The experiments of H08.
#include "experiment.hpp"

namespace palp::reproduce {

std::vector<Experiment> h08_experiments() { return {}; }

}  // namespace palp::reproduce
