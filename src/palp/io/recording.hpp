// A recording: an HDF5 file with every haptic tick, its contact problem and the skins of the bodies, which
// describes itself and can be read up to the last flush whatever happened to the program that wrote it
// (recorder.hpp). Rows come in the order in which they were handed over.
//
//   /ticks           n rows: TickRecord without its devices; /checks: a hash of each row and its devices
//   /devices/<d>     n rows: TickDevice; attribute `name`
//   /contacts/       index {row of /ticks, first contact, contacts, first entry of W, entries of W};
//                    delta_free and lambda (3 per contact), W (3m × 3m by columns)
//   /glc/            of `contact: glc`, per snapshot: index {sequence, tick, first plane, planes, first
//   proxy,
//                    proxies}; planes {n, t1, t2, p, p_free, s1, s2, d, mu, proxy, body} (solvers/glc.hpp);
//                    proxies {centre, half, compliance}: their trust regions. A tick names its snapshot by
//                    snapshot_sequence; the rows of its problem are in the order of the planes
//   /frames          {tick, time_s}: pictures of the bodies at the low rate
//   /bodies/<b>/     vertices [frames, v, 3], or [1, v, 3] if it never moves; triangles, segments; attribute
//   `name` /scene/          text, file, overrides, and the files it refers to /grips           14 numbers
//   each: device, body, frame, lever, turn (x y z w), coupling (k, d, angular k, d) /settings/ everything
//   else that a replay needs: key and value /status          finished, ticks, frames, dropped ticks, dropped
//   frames, contact problems left out
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "palp/base/result.hpp"
#include "palp/hands/single_rate.hpp"
#include "palp/safety/tick_record.hpp"
#include "palp/solvers/glc.hpp"

namespace palp {

/// What a recording knows from its first moment on.
struct RecordingSetup {
  std::string program_version;
  std::string scene_file, scene_text;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< key, value
  std::vector<std::pair<std::string, std::string>> files;      ///< path as the scene spells it, bytes
  std::vector<std::pair<std::string, std::string>> settings;   ///< runner, seed, seconds, …: key, value
  double h_s = 0.001;                                          ///< of a tick
  std::vector<std::string> devices;                            ///< names
  std::vector<std::string> stages;                             ///< names of TickRecord::stage_us
  std::vector<Grip> grips;
  struct Body {
    std::string name;
    bool moves = true;
    double radius = 0;
    std::vector<Vec3> vertices;  ///< at the start
    std::vector<Triangle> triangles;
    std::vector<Edge> segments;
  };
  std::vector<Body> bodies;

  const std::string* setting(const std::string& key) const;
};

/// What the recorder counted.
struct RecorderStatus {
  std::uint64_t ticks = 0, frames = 0;  ///< handed over by their threads
  std::uint64_t dropped_ticks = 0, dropped_frames = 0;
  std::uint64_t left_out = 0;  ///< contact problems too large to be kept
};

/// A contact problem as it was recorded; W is empty when it was too large.
struct RecordedContacts {
  VecX delta_free, lambda;
  MatX W;
};

/// The limited constraints of a snapshot.
struct RecordedGlcs {
  std::uint64_t sequence = 0, tick = 0;
  std::vector<Glc> glc;
  std::vector<int> body;     ///< per GLC: whose surface it is
  std::vector<Vec3> p_free;  ///< per GLC: its centre after the body's free motion
  std::vector<GlcProxy> proxy;
};

struct RecordedFrame {
  std::uint64_t tick = 0;
  double time_s = 0;
};

/// Reads a recording, finished, growing or broken off. Rows are what is surely complete.
class Recording {
 public:
  static Result<Recording> open(const std::string& path);
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;
  ~Recording();

  const RecordingSetup& setup() const;
  bool finished() const;  ///< false: the program ended before the file was closed, or still runs
  RecorderStatus status() const;
  std::size_t ticks() const;
  Result<std::vector<TickRecord>> read_ticks(std::size_t first, std::size_t count) const;
  /// The contact problem of a row of ticks; no contacts when none was kept.
  Result<RecordedContacts> read_contacts(std::size_t row) const;
  /// Snapshots with limited constraints, in the order of their numbers; and one of them.
  std::size_t glc_snapshots() const;
  Result<RecordedGlcs> read_glcs(std::size_t snapshot) const;
  const std::vector<RecordedFrame>& frames() const;
  /// Vertices of a body in a frame, as the viewer wants them: 3 floats each.
  Result<std::vector<float>> read_vertices(int body, std::size_t frame) const;

 private:
  struct Inside;
  explicit Recording(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace palp
