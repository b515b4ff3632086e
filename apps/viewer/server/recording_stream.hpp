// An HDF5 recording (io/recording.hpp) as the page opens it: the messages that a live simulation would have
// sent, one frame per recorded picture of the bodies, with the samples of every tick since the one before.
// Contacts and energies, which the file does not hold, are computed again (recording_replay.hpp).
#pragma once
#include <functional>
#include <string>

#include "palp/io/recording.hpp"

namespace palp::view {

struct RecordingStream {
  std::string bytes;  ///< in the page's own format (README.md)
  std::string note;   ///< what is missing or approximate; shown by the page too
};

/// `compute`: false shows only what the file holds, at once. `progress`: share done, now and then. Refuses a
/// recording without pictures, and one too large for a page.
Result<RecordingStream> stream_recording(const std::string& file, bool compute = true,
                                         const std::function<void(double)>& progress = {});

}  // namespace palp::view
