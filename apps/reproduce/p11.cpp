// The experiments of P11.
#include "experiment.hpp"

namespace palp::reproduce {

std::vector<Experiment> p11_experiments() { return {}; }

}  // namespace palp::reproduce
