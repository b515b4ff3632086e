// What the compiler was allowed to use: data only, so that reading it is safe on every processor.
#pragma once

namespace palp {

struct ProcessorNeeds {
  bool avx2 = false, fma = false, bmi2 = false, avx512f = false, avx512dq = false;
};
extern const ProcessorNeeds processor_needs;

}  // namespace palp
