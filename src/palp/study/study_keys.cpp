#include "palp/study/study_keys.hpp"

#include "palp/scene/limits.hpp"
#include "palp/study/study.hpp"

namespace palp::study_keys {
namespace {

using namespace keys;

constexpr Range any_number{-1e300, 1e300}, not_negative{0, 1e300}, positive{0, 1e300, true};

}  // namespace

const Keys& study() {
  static const Keys table{
      word("scene", "scene file, relative to the study").needed("a scene file, relative to the study"),
      number("seconds", 0, limits::duration_s, "how long each design is simulated, s")
          .otherwise("the scene's"),
      map("set", "`{key: value}` for all designs, like `--set`"),
      choice("plan", "", {"grid", "random", "latinHypercube", "sobol", "list"}, "how designs are chosen")
          .needed("one of grid, random, latinHypercube, sobol, list"),
      integer("designs", 1, 1, static_cast<int>(most_rows),
              "how many, not of a grid; of a list: `[{parameter: value, …}, …]`")
          .needed("how many"),
      integer("seed", 1, 0, 2'000'000'000, "of random plans, the shift of Sobol's sequence, and of `spread`"),
      map("parameters", "name → parameter, below")
          .needed("parameters: {mu: {key: contact.mu, from: 0, to: 1, steps: 5}}"),
      list("keep", "what is kept of every run, below").otherwise("all quantities and `certificate.max`"),
      integer("repeats", 1, 1, 100'000, "runs of each design"),
      number("timeLimit", 0, limits::duration_s, "of one run on the clock, s: it is a failed row then")
          .otherwise("none")};
  return table;
}

const Keys& parameter() {
  static const Keys table{
      word(
          "key",
          "path in the scene, through maps by names and lists by numbers (`devices.hand.path.1.position.2`)"),
      list("keys", "several that are given the same value"),
      number("from", 0, any_number, "least value of a range").otherwise(""),
      number("to", 1, any_number, "greatest value").otherwise(""),
      choice("scale", "linear", {"linear", "log"}, "`log`: equal ratios"),
      flag("integer", false, "whole numbers"),
      integer("steps", 2, 2, 100000, "levels of a grid, ends included").otherwise(""),
      list("values", "a list instead of a range: numbers, words, lists, names of files"),
      number("spread", 0, not_negative,
             "standard deviation that every repeat adds (normal): tolerances of manufacture")};
  return table;
}

const Keys& measure() {
  static const Keys table{
      word("name", "of its column in the table").otherwise("`of` and `statistic`"),
      word("of", "a column of the series").needed("a column of the series, e.g. hand_fy_N"),
      choice("statistic", "", statistic_names(), "of the column")
          .needed("one of min, max, mean, rms, first, last"),
      number("from", 0, not_negative, "a part of the time, s"),
      number("to", 1e300, positive, "and its end, s").otherwise("the end")};
  return table;
}

std::vector<KeySection> sections() {
  return {{"study", study()}, {"parameters", parameter()}, {"keep", measure()}};
}

}  // namespace palp::study_keys
