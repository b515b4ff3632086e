// An HDF5 recording (io/recording.hpp) as the page opens it: the messages that a live simulation would have
// sent, one frame per recorded picture of the bodies, with the samples of every tick since the one before.
// What the file does not hold is not shown: places and directions of contacts, kinetic and elastic energy.
#pragma once
#include <string>

#include "palp/io/recording.hpp"

namespace palp::view {

/// Bytes in the page's own format (README.md). Refuses a recording without pictures, and one too large for a
/// page.
Result<std::string> stream_recording(const std::string& file);

}  // namespace palp::view
