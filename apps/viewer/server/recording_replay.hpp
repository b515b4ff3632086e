// What an HDF5 recording does not hold, computed again: places and directions of contacts, patches, energies.
// The recorded scene runs with the recorded hands (scene/recorded_scene.hpp), deterministically, beside the
// recording. Positions and forces shown are always those of the file. Where the run leaves them, its contacts
// are worth nothing and are left out; a recording on the virtual clock is repeated bit for bit.
#pragma once
#include <memory>
#include <string>

#include "colours.hpp"
#include "frame.hpp"

#include "palp/io/recording.hpp"
#include "palp/scene/realtime_run.hpp"
#include "palp/scene/recorded_scene.hpp"
#include "palp/scene/replay.hpp"

namespace palp::view {

class RecordingReplay {
 public:
  /// `ticks`: all rows of the recording.
  RecordingReplay(const Recording& recording, std::span<const TickRecord> ticks);

  /// One more row of ticks: writes its energies to the sample, if they can be known.
  void advance(const TickRecord& tick, ViewSample& sample);

  /// At a recorded picture: contacts, patches, the Delassus operator and what bodies are coloured by, as they
  /// were, if the bodies of the run are where those of `frame` are.
  void add_contacts(ViewFrame& frame);

  /// Of what add_contacts has added.
  void put_colours(const ViewFrame& frame, Bytes& out) const;

  /// What a visitor must know; empty when every bit was the same.
  const std::string& note() const { return note_; }

 private:
  void stop(double time_s, const std::string& why);

  const Recording& recording_;
  std::unique_ptr<RecordedScene> scene_;
  std::unique_ptr<SceneRun> run_;  ///< null: nothing (more) can be computed
  std::unique_ptr<Capture> capture_;
  std::unique_ptr<Colouring> colouring_;
  ViewFrame again_;
  TickClock clock_;
  size_t next_ = 0;
  bool same_ = true;  ///< bit for bit so far
  std::string note_;
};

}  // namespace palp::view
