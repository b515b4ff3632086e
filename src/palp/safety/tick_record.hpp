// What one haptic tick measured: the row that the tick fills, the recorder writes and the viewer shows. Plain
// numbers only, trivially copyable, so that it crosses threads and files as bytes. A single-rate step is a
// tick too. SI units; times of computation in microseconds.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "palp/safety/hand.hpp"

namespace palp {

/// Most devices in one scene.
inline constexpr int max_devices = 4;

/// Why the force that left differs from the force that the coupling asked for, or the pose that was used from
/// the pose that was read: one bit each, several may be set in a tick (safety.hpp).
namespace intervention {
enum Bit : std::uint32_t {
  pose_not_finite = 1u << 0,  ///< the pose was NaN or infinite: the last good one was held
  pose_jump = 1u << 1,        ///< the pose moved faster than the device can: the last good one was held
  device_lost = 1u << 2,      ///< the device is gone: decay to zero
  force_not_finite =
      1u << 3,               ///< the coupling's force was NaN, infinite or absurd: the last good one was held
  passivity = 1u << 4,       ///< the passivity controller took force away
  slew = 1u << 5,            ///< the force changed faster than allowed
  clamp = 1u << 6,           ///< the force or torque was too large
  ramp = 1u << 7,            ///< the force is being let in: at the start and after a fault
  stale_snapshot = 1u << 8,  ///< the low-rate side has not answered for too long: decay to zero
  late_tick = 1u << 9,       ///< the tick came too late: decay to zero
  // Noted, not done: what is felt is the tick's own, and may be off.
  region = 1u << 10,           ///< the tool was held at the border of the surface that the snapshot knows
  solve_budget = 1u << 11,     ///< the tick's solve ended on the clock, above its tolerance
  solve_iterations = 1u << 12  ///< the tick's solve ended after its iterations, above its tolerance
};
inline constexpr int bits = 13;
inline constexpr std::array<const char*, bits> names{
    "pose_not_finite", "pose_jump", "device_lost",    "force_not_finite", "passivity", "slew",
    "clamp",           "ramp",      "stale_snapshot", "late_tick",        "region",    "solve_budget",
    "solve_iterations"};
}  // namespace intervention

/// One device in one tick. Orientations are unit quaternions x y z w.
struct TickDevice {
  std::array<double, 3> position{};  ///< as the device gave it, before any check: a replay starts from these
  std::array<double, 4> orientation{0, 0, 0, 1};
  std::array<double, 3> velocity{};
  std::array<double, 3> angular_velocity{};
  std::array<double, 3> raw_force{};  ///< of the coupling
  std::array<double, 3> raw_torque{};
  std::array<double, 3> force{};  ///< given to the user, after the safety chain
  std::array<double, 3> torque{};
  std::array<double, 3> proxy_position{};  ///< the held frame of the tool
  std::array<double, 4> proxy_orientation{0, 0, 0, 1};
  double given_J = 0;  ///< energy handed to the user so far (passivity observer)
  std::uint32_t buttons = 0;
  std::uint32_t present = 1;
  std::uint32_t interventions = 0;
  std::uint32_t reserved = 0;
};

/// Computation times of a tick; what each slot means is the runner's business (`stage_names`).
inline constexpr int max_stages = 8;

struct TickRecord {
  std::uint64_t sequence = 0;           ///< 0, 1, 2, …: a gap in a recording is a drop
  double time_s = 0;                    ///< simulated time at the end of the tick
  double clock_us = 0;                  ///< real time at its start; 0 on the virtual clock
  double late_us = 0;                   ///< start after the planned time; 0 on the virtual clock
  std::uint64_t snapshot_sequence = 0;  ///< two rates: the snapshot in use; 0: none yet or single rate
  double snapshot_age_s = 0;            ///< since that snapshot was taken
  std::int32_t contacts = 0;
  std::int32_t active_contacts = 0;
  std::int32_t sweeps = 0;
  std::int32_t converged = 1;
  double certificate = 0;
  double penetration_m = 0;
  std::uint64_t state_hash = 0;     ///< of positions and velocities after the tick; 0: not taken
  std::uint32_t interventions = 0;  ///< all devices together
  std::int32_t devices = 0;         ///< how many entries of `device` are in use
  double given_J = 0;               ///< all devices together
  std::array<double, max_stages> stage_us{};
  std::array<TickDevice, max_devices> device{};
};
static_assert(std::is_trivially_copyable_v<TickRecord>);
static_assert(sizeof(TickDevice) == 8 * 33 + 16 && sizeof(TickRecord) % 8 == 0);

/// The contact problem of the tick, seen where the tick keeps it; valid until the next tick. Whoever needs it
/// longer copies as much as it has room for: δ_free and λ have 3 entries per contact, W is 3m × 3m by columns
/// with `W_stride` entries from one column to the next. Empty spans: not available.
struct ContactView {
  int contacts = 0;
  std::span<const double> delta_free = {};
  std::span<const double> lambda = {};
  std::span<const double> W = {};
  int W_stride = 0;
};

// Between the engine's vectors and the record's plain numbers.
inline std::array<double, 3> plain(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline std::array<double, 4> plain(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
inline Vec3 vec3(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline Quat quat(const std::array<double, 4>& a) { return Quat(a[3], a[0], a[1], a[2]); }

inline void set_pose(TickDevice& d, const DevicePose& pose) {
  d.position = plain(pose.position);
  d.orientation = plain(pose.orientation);
  d.velocity = plain(pose.velocity);
  d.angular_velocity = plain(pose.angular_velocity);
}
inline DevicePose device_pose(const TickDevice& d) {
  return {vec3(d.position), quat(d.orientation), vec3(d.velocity), vec3(d.angular_velocity)};
}

/// Order-dependent hash of a run of numbers, bit by bit: equal states, equal hashes. Chain with `seed`.
inline std::uint64_t hash_bits(std::span<const double> values, std::uint64_t seed = 0x9e3779b97f4a7c15u) {
  std::uint64_t h = seed;
  for (const double v : values) {
    h ^= std::bit_cast<std::uint64_t>(v);
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace palp
