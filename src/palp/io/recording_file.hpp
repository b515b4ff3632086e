// The HDF5 side of the recorder: creates the file, appends rows, flushes. Used by one thread at a time.
#pragma once
#include "palp/io/recording.hpp"
#include "palp/io/recording_layout.hpp"

namespace palp {

/// A data set that grows along its first dimension.
class Series {
 public:
  Series() = default;
  /// `row`: the other dimensions; `chunk_rows`: how many rows are stored together.
  Series(hid_t parent, const char* name, hid_t file_type, std::vector<hsize_t> row, hsize_t chunk_rows);
  bool ok() const { return set_.ok(); }
  bool append(const void* data, std::size_t rows, hid_t memory_type);
  bool flush() { return !set_.ok() || H5Dflush(set_) >= 0; }
  std::uint64_t rows() const { return rows_; }

 private:
  Handle set_;
  std::vector<hsize_t> row_;
  hsize_t rows_ = 0;
};

class RecordingFile {
 public:
  static Result<std::unique_ptr<RecordingFile>> create(const std::string& path, const RecordingSetup& setup);

  bool append_ticks(std::span<const TickRecord> ticks);
  /// Contact problem of tick row `row`; W may be empty.
  bool append_contacts(std::uint64_t row, std::span<const double> delta_free, std::span<const double> lambda,
                       std::span<const double> W);
  /// Vertices of the moving bodies, one after the other.
  bool append_frame(const recording::FrameRow& row, std::span<const Vec3> vertices);
  /// The limited constraints of a snapshot; the places in `row` are filled in here.
  bool append_glcs(recording::GlcRow row, std::span<const recording::GlcPlane> planes,
                   std::span<const recording::GlcBox> boxes);
  /// Everything appended so far survives the end of the program.
  bool flush(const RecorderStatus& status);
  bool finish(const RecorderStatus& status);
  std::uint64_t tick_rows() const { return ticks_.rows(); }

 private:
  bool open(const std::string& path, const RecordingSetup& setup);
  bool write_status(const RecorderStatus& status, bool finished);
  bool write_pending_contacts();

  // Handles close in reverse order: the file last.
  Handle file_;
  Handle tick_memory_, contact_memory_, frame_memory_, glc_row_, glc_plane_, glc_box_;
  std::vector<Handle> device_memory_;
  Handle status_;
  Series ticks_, checks_, index_, delta_free_, lambda_, W_, frames_, glc_index_, glc_planes_, glc_boxes_;
  std::vector<Series> devices_;
  struct Body {
    int vertices;
    Series series;
  };
  std::vector<Body> bodies_;  ///< those that move
  std::vector<std::uint64_t> check_;
  std::vector<recording::ContactRow> pending_index_;
  std::vector<double> pending_delta_, pending_lambda_, pending_W_;
};

}  // namespace palp
