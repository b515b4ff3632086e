// The results of a study, one small file a row in FOLDER/rows. A file appears complete or not at all, and its
// name is the row's fingerprint: whoever has the study and the folder knows what is done, what failed and
// what is missing, whatever happened to the machines that were at it.
#pragma once
#include <string>
#include <vector>

#include "palp/study/study.hpp"

namespace palp {

/// What one run came to.
struct RowResult {
  bool ok = false;
  std::string reason;          ///< of a failure, for people
  std::vector<double> values;  ///< by measure; NaN in a failed row
  double seconds = 0;          ///< it took on the clock
  std::string build;           ///< of the program
};

std::string format_row(const Study& study, const StudyRow& row, const RowResult& result);
/// Nothing when the text is not a result of this study: cut off, or damaged.
std::optional<RowResult> parse_row(const Study& study, const std::string& text);

class StudyFolder {
 public:
  /// Made if it is not there.
  static Result<StudyFolder> open(const std::string& path);
  /// Beside the study: clip.yaml → clip.results
  static std::string default_path(const Study& study);

  Result<void> write(const Study& study, const StudyRow& row, const RowResult& result) const;
  Result<void> write_text(const std::string& fingerprint, const std::string& text) const;
  std::optional<RowResult> read(const Study& study, const StudyRow& row) const;
  const std::string& path() const { return path_; }

 private:
  explicit StudyFolder(std::string path) : path_(std::move(path)) {}
  std::string file_of(const std::string& fingerprint) const;
  std::string path_;
};

}  // namespace palp
