// A program and the libraries it links must agree on the memory layout of what they exchange. Three things
// change it without a word from compiler or linker: Eigen's alignment, which follows -march unless it is
// bounded (a quaternion is aligned to 16 bytes without AVX and to 32 with it, and so is everything that holds
// one); Eigen's allocator, which follows the alignment; and the checked containers of the standard library.
// Here they are words of the compiler.
#pragma once
#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Palp needs C++20: compile with -std=c++20 (CMake: link palp::core)"
#endif
#include <cstddef>
#include <type_traits>
#include <vector>

#include <Eigen/Core>

#define PALP_SAME_FLAGS                                                                                     \
  "compile with the definitions of palp::core (CMake: link it; otherwise: pkg-config --cflags palp-core), " \
  "in every file and before Eigen is included"
static_assert(EIGEN_MAX_STATIC_ALIGN_BYTES == 16 && EIGEN_MAX_ALIGN_BYTES == 16 &&
                  alignof(Eigen::Vector4d) == 16 && sizeof(Eigen::Quaterniond) == 32,
              "Eigen is aligned otherwise than in the Palp libraries: " PALP_SAME_FLAGS);
static_assert(EIGEN_MALLOC_ALREADY_ALIGNED == 0,
              "Eigen allocates otherwise than in the Palp libraries: " PALP_SAME_FLAGS);
static_assert(std::is_same_v<Eigen::Index, std::ptrdiff_t> && !Eigen::MatrixXd::IsRowMajor,
              "Eigen's index type or storage order is not that of the Palp libraries: " PALP_SAME_FLAGS);
static_assert(sizeof(std::vector<double>) == 3 * sizeof(void*),
              "the standard containers are not those of the Palp libraries: take out _GLIBCXX_DEBUG");
#undef PALP_SAME_FLAGS
