// A study: one scene, many designs of it, and what is kept of each run. The whole list of words of the file:
//
//   scene, seconds, set: {key: value}                        what all designs share
//   plan:     grid | random | latinHypercube | sobol | list
//   designs:  how many; of a list: [{parameter: value, …}, …]
//   seed, repeats, timeLimit
//   parameters: name: {key | keys, from, to, steps, scale: linear | log, integer, values, spread}
//   keep:     [hand.peakForce, certificate.max, {name, of, statistic, from, to}, …]
//
// docs/studies.md is the user's description. A design is a value for every parameter, a row is a design and
// the number of its repeat. Everything about a row follows from the file: any machine that has it knows the
// same rows.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/scene/scene.hpp"

namespace palp {

enum class PlanKind { grid, random, latin_hypercube, sobol, list };

struct StudyParameter {
  std::string name;
  std::vector<std::string> keys;         ///< of the scene: all are given the value
  std::vector<std::string> values = {};  ///< YAML; empty: a range
  double from = 0, to = 0;
  int steps = 0;  ///< of a grid
  bool logarithmic = false, integer = false;
  double spread = 0;  ///< standard deviation of what every repeat adds
};

enum class Statistic { min, max, mean, rms, first, last };

/// What is kept of a run: one of its quantities (scene/quantities.hpp), or a statistic of a column of its
/// series (scene/run_series.hpp) over a part of the time.
struct Measure {
  std::string name;
  std::string of;                           ///< quantity or column
  std::optional<Statistic> statistic = {};  ///< none: a quantity
  double from_s = 0, to_s = 1e300;
  long line = 0;  ///< in the study
};

struct Study {
  std::string file, text;
  SceneSpec scene;     ///< with what all rows set
  double seconds = 0;  ///< 0: the scene's own
  PlanKind plan = PlanKind::grid;
  int designs = 0;                             ///< of random plans
  std::vector<std::vector<std::string>> list;  ///< by design and parameter
  std::uint64_t seed = 1;
  int repeats = 1;
  double time_limit_s = 0;  ///< of one run, on the clock; 0: none
  std::vector<StudyParameter> parameters;
  std::vector<Measure> keep;
  std::uint64_t common_hash = 0;  ///< of all that the rows share, files of the scene included
};

/// A design, once.
struct StudyRow {
  int design = 0, repeat = 0;
  std::vector<std::string> values;  ///< YAML, one per parameter
};

constexpr long most_rows = 1'000'000;

/// Errors are all that were found, in the file's order. `keep` is completed from the scene when it is left
/// out, and checked against the first design that can be built.
struct StudyResult {
  std::optional<Study> study;
  std::vector<Error> errors;
};
StudyResult load_study(const std::string& file);
StudyResult parse_study(const std::string& text, const std::string& file);

/// Every row, in order: repeats of a design follow each other.
std::vector<StudyRow> study_rows(const Study& study);
SceneSpec scene_of(const Study& study, const StudyRow& row);
/// The name of the row's result, 16 hexadecimal digits: of all that decides its outcome. A study that changes
/// keeps the results of the rows that it still has.
std::string fingerprint(const Study& study, const StudyRow& row);

/// The number that a YAML text is, if it is one.
std::optional<double> as_number(const std::string& yaml);
/// A number in YAML, to the last bit.
std::string as_yaml(double value);

const std::vector<std::string>& statistic_names();

}  // namespace palp
