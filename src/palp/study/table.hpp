// All results of a study in one table, a line a row: CSV, HDF5, and columns for whoever computes with them.
#pragma once
#include "palp/study/results.hpp"

namespace palp {

enum class RowStatus { ok, failed, missing };

struct StudyTable {
  std::vector<StudyRow> rows;
  std::vector<RowStatus> status;
  std::vector<RowResult> results;   ///< of missing rows empty, with NaN
  std::vector<std::string> builds;  ///< of the programs that made them; more than one is worth a doubt
  long count(RowStatus which) const;
};

StudyTable merge(const Study& study, const StudyFolder& folder);
const char* name_of(RowStatus status);

/// design, repeat, the parameters, the measures, status, reason, seconds. Numbers to the last bit; what is
/// not there is empty.
std::string table_csv(const Study& study, const StudyTable& table);
/// The same columns as data sets; texts are UTF-8.
Result<void> write_table_hdf5(const Study& study, const StudyTable& table, const std::string& path);

/// Whether every value of a parameter is a number.
bool is_numeric(const StudyTable& table, size_t parameter);

}  // namespace palp
