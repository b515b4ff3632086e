// Which instructions this build needs, and whether the processor has them. A program asks before it does
// anything else: the alternative is an illegal instruction somewhere in the middle.
#pragma once

namespace palp {

/// What this build needs and the processor lacks, e.g. "AVX2, FMA"; empty when all is there. Safe to call
/// before anything else, also before constructors of global objects: it allocates nothing and runs on every
/// x86-64.
const char* missing_processor_features();

/// What the libraries were compiled for, e.g. "x86-64-v3".
const char* build_target();

}  // namespace palp
