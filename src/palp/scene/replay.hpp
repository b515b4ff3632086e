// Runs a recording again in deterministic mode, with the recorded hands, and compares bit for bit what every
// tick computed. Times of computation are not compared.
#pragma once
#include <functional>
#include <optional>

#include "palp/io/recording.hpp"

namespace palp {

class RunWatcher;

/// The first number that came out differently.
struct ReplayDifference {
  std::uint64_t tick = 0;
  double time_s = 0;
  std::string quantity;            ///< e.g. "force of device 'hand', y"
  std::string recorded, replayed;  ///< in full precision
};

struct ReplayReport {
  std::size_t compared = 0;  ///< ticks
  std::size_t rows = 0;      ///< ticks in the recording
  std::optional<ReplayDifference> difference;
  double force_difference_N = 0;   ///< the largest between a recorded force and the replayed one
  std::vector<std::string> notes;  ///< what may explain a difference or shortens the comparison
};

/// `progress`: share done, now and then. Ends at the first difference, unless somebody watches: then it goes
/// on, with the recorded hands.
Result<ReplayReport> replay(const Recording& recording, const std::string& program_version,
                            const std::function<void(double)>& progress = {}, RunWatcher* watcher = nullptr);

/// The first field in which two ticks differ, upstream quantities first; nothing when their bits agree.
std::optional<ReplayDifference> first_difference(const TickRecord& recorded, const TickRecord& replayed,
                                                 const std::vector<std::string>& devices);

}  // namespace palp
