#include "palp/base/processor_needs.hpp"

namespace palp {

constinit const ProcessorNeeds processor_needs = {
#ifdef __AVX2__
    .avx2 = true,
#endif
#ifdef __FMA__
    .fma = true,
#endif
#ifdef __BMI2__
    .bmi2 = true,
#endif
#ifdef __AVX512F__
    .avx512f = true,
#endif
#ifdef __AVX512DQ__
    .avx512dq = true,
#endif
};

}  // namespace palp
