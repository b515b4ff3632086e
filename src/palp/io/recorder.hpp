// The flight recorder. The haptic thread and the low-rate thread each hand their records over through a
// wait-free ring; a thread of the recorder's own writes them into the file (recording.hpp says what is in
// it). A record that finds its ring full is dropped and counted.
//
// The file is in HDF5's single-writer mode: data sets grow chunk by chunk and metadata reaches the file in an
// order that keeps it readable, so that it may be read while it grows and after kill -9.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "palp/base/record_ring.hpp"
#include "palp/haptics/snapshot.hpp"
#include "palp/io/recording.hpp"
#include "palp/safety/tick_record.hpp"
#include "palp/sim/model.hpp"

namespace palp {

/// How much is kept.
struct RecorderOptions {
  int max_contacts = 256;       ///< larger problems are left out and counted
  int max_W_contacts = 16;      ///< W of larger problems is left out: it grows with the square
  std::size_t ring_bytes = 0;   ///< 0: 32 MB for ticks, 8 for frames, or four records if that is more
  double flush_period_s = 0.1;  ///< what a fault may cost at most
  /// Waits for room instead of dropping: for runs on the virtual clock, which have time.
  bool patient = false;
};

class RecordingFile;  // the HDF5 side, owned by the writer thread

class Recorder {
 public:
  static Result<std::unique_ptr<Recorder>> create(const std::string& path, const RecordingSetup& setup,
                                                  const RecorderOptions& options = {});
  ~Recorder();

  /// Haptic thread: one tick. Never waits (unless patient), allocates or throws.
  void tick(const TickRecord& record, const ContactView& contacts = {});

  /// Low-rate thread: room for the vertices of all bodies that move, one after the other; empty when it is
  /// dropped. Filled, it is handed over by end_frame. Never waits or allocates.
  std::span<Vec3> begin_frame(std::uint64_t tick, double time_s);
  void end_frame();
  /// The same in one go, from the bodies' states.
  void frame(std::uint64_t tick, double time_s, const Model& model, std::span<const BodyState> states);

  /// Low-rate thread: the limited constraints that the ticks will use. Never waits or allocates; one that
  /// finds no room counts as a dropped frame.
  void glcs(const Snapshot& snapshot);

  RecorderStatus status() const;
  /// Waits until everything handed over so far is in the file; not for the haptic thread.
  Result<void> sync();
  /// Writes the rest and closes the file. An error if anything could not be written. Later calls do nothing.
  Result<void> close();

 private:
  Recorder(std::unique_ptr<RecordingFile> file, const RecordingSetup& setup, const RecorderOptions& options);
  void write_loop();
  bool write_pending();
  bool write_low_rate(std::span<const std::byte> record);
  std::span<std::byte> room(RecordRing& ring, std::size_t bytes, std::atomic<std::uint64_t>& dropped);

  RecorderOptions options_;
  std::string path_;
  std::vector<std::pair<int, int>> moving_;  ///< body, vertices
  int frame_vertices_ = 0;
  RecordRing ticks_, low_rate_;  ///< low rate: frames and limited constraints
  std::unique_ptr<RecordingFile> file_;
  std::atomic<std::uint64_t> pushed_ticks_{0}, pushed_frames_{0}, pushed_glcs_{0};
  std::atomic<std::uint64_t> dropped_ticks_{0}, dropped_frames_{0}, left_out_{0};
  std::uint64_t written_ticks_ = 0, written_low_rate_ = 0;  ///< the writer's
  std::atomic<std::uint64_t> flush_asked_{0}, flush_done_{0};
  std::atomic<bool> stop_{false}, failed_{false};
  std::thread writer_;
};

}  // namespace palp
