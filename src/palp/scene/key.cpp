#include "palp/scene/key.hpp"

#include <algorithm>
#include <sstream>

namespace palp {
namespace {

std::string short_number(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

template <class Three>
std::string three(const Three& v) {
  return "[" + short_number(v[0]) + ", " + short_number(v[1]) + ", " + short_number(v[2]) + "]";
}

}  // namespace

bool Range::contains(double x) const { return (lo_open ? x > lo : x >= lo) && (hi_open ? x < hi : x <= hi); }

std::string Range::text() const {
  // "at least 1e-09" would puzzle who wrote zero.
  if (lo > 0 && lo < 1e-3) return "greater than 0: from " + short_number(lo) + " to " + short_number(hi);
  return std::string(lo_open ? "greater than " : "at least ") + short_number(lo) +
         (hi_open ? " and less than " : " and at most ") + short_number(hi);
}

Key Key::needed(std::string what_to_write) && {
  remedy = std::move(what_to_write);
  fallback.clear();
  return std::move(*this);
}

Key Key::otherwise(std::string text) && {
  fallback = std::move(text);
  decided = true;
  return std::move(*this);
}

std::string Key::type_text() const {
  const auto within = [this](const std::string& what) {
    return what + ", " + (range.lo_open ? "above " : "") + short_number(range.lo) + " to " +
           (range.hi_open ? "below " : "") + short_number(range.hi);
  };
  switch (type) {
    case Type::number:
      return within("number");
    case Type::integer:
      return within("whole number");
    case Type::flag:
      return "true or false";
    case Type::vector:
      return within("three numbers");
    case Type::integers:
      return within("three whole numbers");
    case Type::course:
      return within("number or course");
    case Type::vector_course:
      return within("three numbers or course");
    case Type::nodes:
      return "selection";
    case Type::map:
      return "map";
    case Type::list:
      return "list";
    case Type::word:
      break;
  }
  std::string text;
  for (const std::string& c : choices) text += (text.empty() ? "`" : ", `") + c + "`";
  return text.empty() ? "word" : text;
}

namespace keys {

Key number(std::string name, double fallback, const Range& range, std::string help) {
  return {.name = std::move(name),
          .type = Key::Type::number,
          .help = std::move(help),
          .range = range,
          .number = fallback,
          .fallback = short_number(fallback)};
}

Key integer(std::string name, int fallback, int lo, int hi, std::string help) {
  Key key =
      number(std::move(name), fallback, {static_cast<double>(lo), static_cast<double>(hi)}, std::move(help));
  key.type = Key::Type::integer;
  return key;
}

Key flag(std::string name, bool fallback, std::string help) {
  return {.name = std::move(name),
          .type = Key::Type::flag,
          .help = std::move(help),
          .number = fallback ? 1.0 : 0.0,
          .fallback = fallback ? "true" : "false"};
}

Key choice(std::string name, const std::string& fallback, std::vector<std::string> choices,
           std::string help) {
  const auto at = std::find(choices.begin(), choices.end(), fallback);
  const double which = at == choices.end() ? -1 : static_cast<double>(at - choices.begin());
  return {.name = std::move(name),
          .type = Key::Type::word,
          .help = std::move(help),
          .choices = std::move(choices),
          .number = which,
          .fallback = fallback};
}

Key word(std::string name, std::string help) {
  return {.name = std::move(name), .type = Key::Type::word, .help = std::move(help)};
}

Key vector(std::string name, const Vec3& fallback, const Range& range, std::string help) {
  return {.name = std::move(name),
          .type = Key::Type::vector,
          .help = std::move(help),
          .range = range,
          .vector = fallback,
          .fallback = three(fallback)};
}

Key integers(std::string name, const std::array<int, 3>& fallback, int lo, int hi, std::string help) {
  return {.name = std::move(name),
          .type = Key::Type::integers,
          .help = std::move(help),
          .range = {static_cast<double>(lo), static_cast<double>(hi)},
          .vector = Vec3(fallback[0], fallback[1], fallback[2]),
          .fallback = three(fallback)};
}

Key course(std::string name, const Range& range, std::string help) {
  return {.name = std::move(name), .type = Key::Type::course, .help = std::move(help), .range = range};
}

Key vector_course(std::string name, const Range& range, std::string help) {
  return {.name = std::move(name), .type = Key::Type::vector_course, .help = std::move(help), .range = range};
}

Key nodes(std::string name, std::string help) {
  return {.name = std::move(name), .type = Key::Type::nodes, .help = std::move(help)};
}

Key map(std::string name, std::string help) {
  return {.name = std::move(name), .type = Key::Type::map, .help = std::move(help)};
}

Key list(std::string name, std::string help, const Range& range) {
  return {.name = std::move(name), .type = Key::Type::list, .help = std::move(help), .range = range};
}

Keys join(std::initializer_list<Keys> parts) {
  Keys all;
  for (const Keys& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace keys
}  // namespace palp
