#include "palp/scene/scene_course.hpp"

#include "palp/scene/limits.hpp"

namespace palp {
namespace {

template <class T, class Read>
Course<T> read_pairs(const YamlValue& value, const char* example, const Read& read) {
  Course<T> course;
  for (const YamlValue& item : value.list()) {
    const auto pair = item.is_list() ? item.list() : std::vector<YamlValue>{};
    if (pair.size() != 2) {
      item.fail("'" + item.path() + "' must be a pair of a time and a value", example);
      break;
    }
    const double time_s = pair[0].number(0, limits::time_s);
    if (!course.empty() && time_s < course.points.back().time_s) {
      pair[0].fail("'" + value.path() + "' goes back in time", "put its pairs in the order of their times");
      break;
    }
    course.points.push_back({time_s, read(pair[1])});
  }
  if (course.empty())
    course = Course<T>(T(
        read(YamlValue(YAML::Node(YAML::NodeType::Undefined), value.path(), value.context(), &value.key()))));
  return course;
}

}  // namespace

Course<double> read_course(const YamlValue& value) {
  if (!value.exists()) return {};
  const double fallback = value.key().range.contains(0) ? 0 : value.key().range.lo;
  const auto read = [&](const YamlValue& v) { return v.number(fallback); };
  if (!value.is_list()) return Course<double>(read(value));
  if (value.list().empty())
    value.fail("'" + value.path() + "' is an empty list", "give a number, or [[t, number], …]");
  return read_pairs<double>(
      value, "[[0, 1.5], [2, 3]]: 1.5 until 0 s, 3 from 2 s on, in between along a line", read);
}

Course<Vec3> read_vector_course(const YamlValue& value) {
  if (!value.exists()) return {};
  const auto read = [&](const YamlValue& v) { return v.vec3(Vec3::Zero()); };
  const auto items = value.is_list() ? value.list() : std::vector<YamlValue>{};
  if (items.empty() || !items[0].is_list()) return Course<Vec3>(read(value));
  return read_pairs<Vec3>(
      value, "[[0, [0, 0, 0]], [2, [0, 0, 1]]]: the second is reached after 2 s, along a line", read);
}

}  // namespace palp
