// PALP_SANITIZED: compiled for a sanitizer that stands in front of malloc and locks itself.
#pragma once

#if defined(__has_feature)  // clang's way to say what GCC says by a macro
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PALP_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PALP_SANITIZED
#endif
