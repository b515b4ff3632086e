// Quantities over time, wherever a scene takes one: a value, or a list of pairs [t, value].
//     mu: 0.3                      gravity: [0, 0, -9.81]
//     mu: [[0, 0.3], [1, 0.1]]     gravity: [[0, [0, 0, 0]], [0.5, [0, 0, -9.81]]]
#pragma once
#include "palp/math/course.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {

/// Within the range of the value's key. Empty when there is no value; otherwise with at least one point, also
/// on errors.
Course<double> read_course(const YamlValue& value);
Course<Vec3> read_vector_course(const YamlValue& value);

}  // namespace palp
