#include "palp/io/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <system_error>

#include "palp/base/clock.hpp"
#include "palp/io/recording_file.hpp"

namespace palp {
namespace {

using recording::FrameRow;
using recording::GlcBox;
using recording::GlcPlane;
using recording::GlcRow;

/// What a record of the low rate begins with.
enum class LowRateRecord : std::uint64_t { frame, glcs };

/// What follows the TickRecord in the ring: δ_free, λ (3 per contact each), then W if it is there.
struct PayloadHead {
  std::int32_t contacts = 0, has_W = 0;
};

std::size_t frame_bytes(int vertices) {
  return sizeof(LowRateRecord) + sizeof(FrameRow) + static_cast<std::size_t>(vertices) * sizeof(Vec3);
}

std::size_t ring_bytes(const RecorderOptions& o, std::size_t largest, std::size_t usual_MB) {
  return std::max(o.ring_bytes > 0 ? o.ring_bytes : usual_MB << 20, 4 * (largest + 8));
}

std::size_t tick_bytes(std::size_t contacts, bool has_W) {
  return sizeof(TickRecord) + sizeof(PayloadHead) +
         8 * (6 * contacts + (has_W ? 9 * contacts * contacts : 0));
}

std::size_t largest_tick(const RecorderOptions& o) {
  const auto all = static_cast<std::size_t>(std::max(0, o.max_contacts));
  const auto with_W = static_cast<std::size_t>(std::max(0, o.max_W_contacts));
  return std::max(tick_bytes(all, false), tick_bytes(std::min(all, with_W), true));
}

int moving_vertices(const RecordingSetup& setup) {
  std::size_t n = 0;
  for (const auto& b : setup.bodies)
    if (b.moves) n += b.vertices.size();
  return static_cast<int>(n);
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::create(const std::string& path, const RecordingSetup& setup,
                                                   const RecorderOptions& options) {
  if (setup.devices.size() > static_cast<std::size_t>(max_devices))
    return Error{.message = "a recording holds at most " + std::to_string(max_devices) + " devices",
                 .file = path,
                 .remedy = "run the scene with fewer devices"};
  auto file = RecordingFile::create(path, setup);
  if (!file) return file.error();
  try {
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(*file), setup, options));
    recorder->path_ = path;
    recorder->writer_ = std::thread([r = recorder.get()] { r->write_loop(); });
    return recorder;
  } catch (const std::bad_alloc&) {
    return Error{
        .message = "no memory for the recorder's rings", .file = path, .remedy = "make them smaller"};
  } catch (const std::system_error&) {
    return Error{.message = "the recorder's thread cannot be started", .file = path};
  }
}

Recorder::Recorder(std::unique_ptr<RecordingFile> file, const RecordingSetup& setup,
                   const RecorderOptions& options)
    : options_(options),
      frame_vertices_(moving_vertices(setup)),
      ticks_(ring_bytes(options, largest_tick(options), 32)),
      low_rate_(ring_bytes(options, frame_bytes(frame_vertices_), 8)),
      file_(std::move(file)) {
  for (std::size_t b = 0; b < setup.bodies.size(); ++b)
    if (setup.bodies[b].moves)
      moving_.emplace_back(static_cast<int>(b), static_cast<int>(setup.bodies[b].vertices.size()));
}

Recorder::~Recorder() { (void)close(); }

std::span<std::byte> Recorder::room(RecordRing& ring, std::size_t bytes,
                                    std::atomic<std::uint64_t>& dropped) {
  auto room = ring.reserve(bytes);
  while (options_.patient && room.empty() && !failed_ && bytes <= ring.largest()) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    room = ring.reserve(bytes);
  }
  if (room.empty()) dropped.fetch_add(1, std::memory_order_relaxed);
  return room;
}

void Recorder::tick(const TickRecord& record, const ContactView& c) {
  const auto three = static_cast<std::size_t>(3 * c.contacts);
  PayloadHead head;
  if (c.contacts > options_.max_contacts)
    left_out_.fetch_add(1, std::memory_order_relaxed);
  else if (c.contacts > 0 && c.delta_free.size() >= three && c.lambda.size() >= three)
    head.contacts = c.contacts;
  head.has_W = head.contacts > 0 && head.contacts <= options_.max_W_contacts && !c.W.empty();
  const auto place =
      room(ticks_, tick_bytes(static_cast<std::size_t>(head.contacts), head.has_W), dropped_ticks_);
  if (place.empty()) return;
  std::byte* to = place.data();
  const auto put = [&to](const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(&record, sizeof(record));
  put(&head, sizeof(head));
  if (head.contacts > 0) {
    put(c.delta_free.data(), 8 * three);
    put(c.lambda.data(), 8 * three);
    if (head.has_W)
      for (std::size_t j = 0; j < three; ++j)
        put(c.W.data() + j * static_cast<std::size_t>(c.W_stride), 8 * three);
  }
  ticks_.commit();
  pushed_ticks_.fetch_add(1, std::memory_order_relaxed);
}

std::span<Vec3> Recorder::begin_frame(std::uint64_t tick, double time_s) {
  const auto place = room(low_rate_, frame_bytes(frame_vertices_), dropped_frames_);
  if (place.empty()) return {};
  const LowRateRecord kind = LowRateRecord::frame;
  const FrameRow row{tick, time_s};
  std::memcpy(place.data(), &kind, sizeof(kind));
  std::memcpy(place.data() + sizeof(kind), &row, sizeof(row));
  return {reinterpret_cast<Vec3*>(place.data() + sizeof(kind) + sizeof(row)),
          static_cast<std::size_t>(frame_vertices_)};
}

void Recorder::end_frame() {
  low_rate_.commit();
  pushed_frames_.fetch_add(1, std::memory_order_relaxed);
}

void Recorder::frame(std::uint64_t tick, double time_s, const Model& model,
                     std::span<const BodyState> states) {
  const VecX none;
  if (frame_vertices_ == 0) return;
  const std::span<Vec3> room = begin_frame(tick, time_s);
  if (room.empty()) return;
  std::size_t first = 0;
  for (const auto& [b, vertices] : moving_) {
    const auto index = static_cast<std::size_t>(b);
    model.bodies[index].body->skin_positions(states[index], none,
                                             room.subspan(first, static_cast<std::size_t>(vertices)));
    first += static_cast<std::size_t>(vertices);
  }
  end_frame();
}

void Recorder::glcs(const Snapshot& snapshot) {
  const GlcProblem& problem = snapshot.patches;
  const LowRateRecord kind = LowRateRecord::glcs;
  const GlcRow row{.sequence = static_cast<std::uint64_t>(snapshot.sequence),
                   .tick = static_cast<std::uint64_t>(snapshot.tick),
                   .glcs = problem.glc.size(),
                   .proxies = problem.proxy.size()};
  const auto place = room(low_rate_,
                          sizeof(kind) + sizeof(row) + problem.glc.size() * sizeof(GlcPlane) +
                              problem.proxy.size() * sizeof(GlcBox),
                          dropped_frames_);
  if (place.empty()) return;
  std::byte* to = place.data();
  const auto put = [&to](const auto& value) {
    std::memcpy(to, &value, sizeof(value));
    to += sizeof(value);
  };
  put(kind);
  put(row);
  for (std::size_t i = 0; i < problem.glc.size(); ++i) {
    const Glc& g = problem.glc[i];
    GlcPlane plane{.n = plain(g.n),
                   .t1 = plain(g.t1),
                   .t2 = plain(g.t2),
                   .p = plain(g.p),
                   .p_free = plain(snapshot.p_free[i]),
                   .s1 = g.s1,
                   .s2 = g.s2,
                   .d = g.d,
                   .mu = g.mu,
                   .sides = g.sides,
                   .proxy = g.proxy,
                   .body = snapshot.contacts[i].id.body2};
    for (int k = 0; k < g.sides; ++k) {
      plane.side[3 * k] = g.side[k].a1;
      plane.side[3 * k + 1] = g.side[k].a2;
      plane.side[3 * k + 2] = g.side[k].b;
    }
    put(plane);
  }
  for (const GlcProxy& p : problem.proxy)
    put(GlcBox{plain(p.trust_centre), plain(p.trust_half), p.compliance});
  low_rate_.commit();
  pushed_glcs_.fetch_add(1, std::memory_order_relaxed);
}

RecorderStatus Recorder::status() const {
  return {pushed_ticks_.load(), pushed_frames_.load(), dropped_ticks_.load(), dropped_frames_.load(),
          left_out_.load()};
}

bool Recorder::write_pending() {
  std::vector<TickRecord> batch;
  std::vector<double> numbers;
  bool ok = true;
  for (auto record = ticks_.front(); record.data() && batch.size() < 4096; record = ticks_.front()) {
    TickRecord& tick = batch.emplace_back();
    PayloadHead head;
    std::memcpy(&tick, record.data(), sizeof(tick));
    std::memcpy(&head, record.data() + sizeof(tick), sizeof(head));
    if (head.contacts > 0) {
      numbers.resize((record.size() - sizeof(tick) - sizeof(head)) / 8);
      std::memcpy(numbers.data(), record.data() + sizeof(tick) + sizeof(head), 8 * numbers.size());
      const auto three = static_cast<std::size_t>(3 * head.contacts);
      const std::span<const double> all(numbers);
      ok = ok && file_->append_contacts(file_->tick_rows() + batch.size() - 1, all.first(three),
                                        all.subspan(three, three), all.subspan(2 * three));
    }
    ticks_.pop();
  }
  ok = ok && file_->append_ticks(batch);
  for (auto record = low_rate_.front(); record.data(); record = low_rate_.front()) {
    ok = ok && write_low_rate(record);
    low_rate_.pop();
    ++written_low_rate_;
  }
  written_ticks_ += batch.size();
  if (!ok) failed_ = true;
  return !batch.empty();
}

bool Recorder::write_low_rate(std::span<const std::byte> record) {
  const std::byte* from = record.data();
  const auto take = [&from](auto& value) {
    std::memcpy(&value, from, sizeof(value));
    from += sizeof(value);
  };
  LowRateRecord kind;
  take(kind);
  if (kind == LowRateRecord::frame) {
    FrameRow row;
    take(row);
    return file_->append_frame(
        row, {reinterpret_cast<const Vec3*>(from), static_cast<std::size_t>(frame_vertices_)});
  }
  GlcRow row;
  take(row);
  std::vector<GlcPlane> planes(row.glcs);
  std::vector<GlcBox> boxes(row.proxies);
  for (GlcPlane& p : planes) take(p);
  for (GlcBox& b : boxes) take(b);
  return file_->append_glcs(row, planes, boxes);
}

void Recorder::write_loop() {
  const Quiet quiet;
  double flushed_us = now_us();
  // A sync is done when everything that was there when it was asked for is written and flushed.
  std::uint64_t asked = 0, target_ticks = 0, target_low_rate = 0;
  try {
    for (;;) {
      const bool stopping = stop_;
      if (asked == flush_done_ && flush_asked_ > asked) {
        asked = flush_asked_;
        target_ticks = pushed_ticks_;
        target_low_rate = pushed_frames_ + pushed_glcs_;
      }
      const bool more = write_pending();
      const bool wanted =
          asked > flush_done_ && written_ticks_ >= target_ticks && written_low_rate_ >= target_low_rate;
      if (wanted || now_us() - flushed_us > 1e6 * options_.flush_period_s) {
        if (!file_->flush(status())) failed_ = true;
        if (wanted) flush_done_ = asked;
        flushed_us = now_us();
      }
      if (more) continue;
      if (stopping) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    if (!failed_ && !file_->finish(status())) failed_ = true;
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
  file_.reset();
  flush_done_ = ~std::uint64_t(0);
}

Result<void> Recorder::sync() {
  const std::uint64_t ticket = flush_asked_.fetch_add(1) + 1;
  while (flush_done_ < ticket) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (failed_)
    return Error{
        .message = "the recording cannot be written", .file = path_, .remedy = "check the free space"};
  return {};
}

Result<void> Recorder::close() {
  stop_ = true;
  if (writer_.joinable()) writer_.join();
  if (failed_)
    return Error{.message = "the recording is incomplete", .file = path_, .remedy = "check the free space"};
  return {};
}

}  // namespace palp
