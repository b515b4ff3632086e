// Study files: a study, or errors with file and message (their scenes are not there). Results of rows: one,
// or nothing.
#pragma once
#include "target.hpp"

#include "palp/study/results.hpp"

namespace palp::fuzz {

inline std::string study_law(std::string_view bytes) {
  const StudyResult result = parse_study(std::string(bytes), "/nowhere/study.yaml");
  if (result.study) return "a study without its scene";
  if (result.errors.empty()) return "refused without an error";
  for (const Error& e : result.errors)
    if (e.message.empty() || e.file.empty()) return "an error without message or file: " + e.text();
  return {};
}

inline std::string study_row_law(std::string_view bytes) {
  Study study;
  study.keep = {{.name = "push", .of = "push"}, {.name = "pull", .of = "pull"}};
  const auto row = parse_row(study, std::string(bytes));
  if (row && row->values.size() != study.keep.size()) return "a result with other values than are kept";
  if (row && row->ok && parse_row(study, format_row(study, {}, *row))->values.size() != 2)
    return "not read again";
  return {};
}

inline const Target study{"study", study_law};
inline const Target study_row{"study_row", study_row_law};

}  // namespace palp::fuzz
