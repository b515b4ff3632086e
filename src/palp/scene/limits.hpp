// What the numbers of a scene may be: far wider than anything that can be touched, narrow enough that no
// product of them overflows or vanishes in a step. One range for each sort of quantity.
#pragma once
#include "palp/scene/key.hpp"

namespace palp::limits {

inline constexpr Range position_m{-1e6, 1e6};
inline constexpr Range length_m{1e-9, 1e6};
inline constexpr Range length_or_none_m{0, 1e6};
inline constexpr Range scale{1e-9, 1e9};
inline constexpr Range angle_deg{-1e6, 1e6};
inline constexpr Range angle_rad{-1e6, 1e6};
inline constexpr Range turn_rad{0, 100};
inline constexpr Range direction{-1e6, 1e6};

inline constexpr Range step_s{1e-9, 10};
inline constexpr Range time_s{-1e6, 1e6};
inline constexpr Range duration_s{1e-9, 1e6};
inline constexpr Range rate_Hz{0.1, 1e5};
inline constexpr Range frequency_Hz{1e-6, 1e6};

inline constexpr Range acceleration_m_per_s2{-1e5, 1e5};
inline constexpr Range friction{0, 1e4};
inline constexpr Range density_kg_per_m3{1e-6, 1e9};
inline constexpr Range modulus_Pa{1e-3, 1e15};
inline constexpr Range poisson{-1, 0.5, true, true};
inline constexpr Range rayleigh_mass_per_s{0, 1e9};
inline constexpr Range rayleigh_stiffness_s{0, 1e6};
inline constexpr Range mass_kg{1e-9, 1e9};
inline constexpr Range inertia_kg_m2{1e-15, 1e9};
/// Springs and dampers of hands and couplings, along and about; 0 = there is none.
inline constexpr Range coupling{0, 1e12};
inline constexpr Range stiffness_N_per_m{1e-9, 1e12};
inline constexpr Range force_N{1e-9, 1e12};
inline constexpr Range speed{1e-9, 1e9};
inline constexpr Range velocity{-1e9, 1e9};  ///< m/s or rad/s, each component
inline constexpr Range stress_Pa{-1e15, 1e15};
inline constexpr Range load_N{-1e12, 1e12};  ///< or N·m
inline constexpr Range line_load_N_per_m{-1e12, 1e12};
inline constexpr Range moment_of_inertia{-1e12, 1e12};

inline constexpr Range tolerance{1e-18, 1};
inline constexpr int most_count = 1'000'000'000;
inline constexpr int most_elements = 1'000'000;  ///< of one body, in linear tets

}  // namespace palp::limits
