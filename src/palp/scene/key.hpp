// One key of a file: its type, what it may be, what it is when it is not given, and what it is for. The
// reader (strict_yaml.hpp) takes all of this from here, and so do the pages in docs (`palp keys --markdown
// docs`): a new key is one line in one table (scene_keys.cpp and its neighbours, scene_generator.cpp,
// study/study_keys.cpp).
#pragma once
#include <array>
#include <string>
#include <vector>

#include "palp/math/types.hpp"

namespace palp {

/// Allowed values of a number: always bounded, since numbers far outside physics overflow later and
/// elsewhere.
struct Range {
  double lo, hi;
  bool lo_open = false, hi_open = false;

  bool contains(double x) const;
  std::string text() const;
};

struct Key {
  enum class Type { number, integer, flag, word, vector, integers, course, vector_course, nodes, map, list };
  std::string name;
  Type type = Type::map;
  std::string help;
  Range range{0, 0};                      ///< of numbers: of each one
  std::vector<std::string> choices = {};  ///< of words; none: any
  double number = 0;                      ///< when it is not given: a number; 0 or 1; which of the choices
  Vec3 vector = Vec3::Zero();             ///< the same of three numbers
  std::string fallback = {};              ///< the same for people; empty: nothing
  bool decided = false;                   ///< `fallback` says how the reader finds it out, `number` is not it
  std::string remedy = {};                ///< it must be there: what to write

  /// It must be there.
  Key needed(std::string what_to_write) &&;
  /// The reader decides: `text` says how.
  Key otherwise(std::string text) &&;
  /// "number, 1e-09 to 10", for people.
  std::string type_text() const;
};

using Keys = std::vector<Key>;

/// A table and its name in the pages; `of`: for each key what has it, where that differs.
struct KeySection {
  std::string name;
  Keys keys;
  std::vector<std::string> of = {};
};

/// Lines of the tables.
namespace keys {

Key number(std::string name, double fallback, const Range& range, std::string help);
Key integer(std::string name, int fallback, int lo, int hi, std::string help);
Key flag(std::string name, bool fallback, std::string help);
/// One of the choices; an empty fallback: none.
Key choice(std::string name, const std::string& fallback, std::vector<std::string> choices, std::string help);
Key word(std::string name, std::string help);
Key vector(std::string name, const Vec3& fallback, const Range& range, std::string help);
Key integers(std::string name, const std::array<int, 3>& fallback, int lo, int hi, std::string help);
/// A number or three over time: scene_course.hpp. Nothing when it is not given.
Key course(std::string name, const Range& range, std::string help);
Key vector_course(std::string name, const Range& range, std::string help);
Key nodes(std::string name, std::string help);
Key map(std::string name, std::string help);
/// `range`: of the numbers in it.
Key list(std::string name, std::string help, const Range& range = {0, 0});

Keys join(std::initializer_list<Keys> parts);

}  // namespace keys
}  // namespace palp
