// The names and types inside a recording, shared by its writer and its reader. Included by .cpp files only.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>

#include "palp/io/hdf5_handle.hpp"
#include "palp/safety/tick_record.hpp"
#include "palp/solvers/glc.hpp"

namespace palp::recording {

inline constexpr const char* format = "palp recording";
inline constexpr int format_version = 1;
inline constexpr int grip_numbers = 14;

/// One row of /contacts/index.
struct ContactRow {
  std::uint64_t row = 0, first = 0, contacts = 0, W_first = 0, W_size = 0;
};
/// One row of /frames.
struct FrameRow {
  std::uint64_t tick = 0;
  double time_s = 0;
};

/// One row of /glc/index.
struct GlcRow {
  std::uint64_t sequence = 0, tick = 0, first = 0, glcs = 0, first_proxy = 0, proxies = 0;
};
/// One row of /glc/planes: a Glc of solvers/glc.hpp.
struct GlcPlane {
  std::array<double, 3> n{}, t1{}, t2{}, p{}, p_free{};
  double s1 = 0, s2 = 0, d = 0, mu = 0;
  std::array<double, 3 * Glc::most_sides> side{};  ///< a1, a2, b of each
  std::int32_t sides = 0, proxy = 0, body = 0;
};
/// One row of /glc/proxies: the outer trust region.
struct GlcBox {
  std::array<double, 3> centre{}, half{};
  double compliance = 0;
};

struct Field {
  const char* name;
  std::size_t offset;
  hid_t type;
  int count;  ///< 1: a number, otherwise an array
};

/// A compound type of `size` bytes in memory; `packed`: the same without gaps, as it is stored.
inline Handle compound(std::size_t size, std::span<const Field> fields, bool packed) {
  Handle type(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
  for (const Field& f : fields) {
    const hsize_t n = static_cast<hsize_t>(f.count);
    const Handle member(f.count == 1 ? H5Tcopy(f.type) : H5Tarray_create2(f.type, 1, &n), H5Tclose);
    H5Tinsert(type, f.name, f.offset, member);
  }
  if (packed) H5Tpack(type);
  return type;
}

#define PALP_FIELD(Struct, member, type, count) \
  Field { #member, offsetof(Struct, member), type, count }

inline Handle tick_type(bool packed) {
  const hid_t d = H5T_NATIVE_DOUBLE, i = H5T_NATIVE_INT32, u = H5T_NATIVE_UINT32, l = H5T_NATIVE_UINT64;
  const Field fields[] = {PALP_FIELD(TickRecord, sequence, l, 1),
                          PALP_FIELD(TickRecord, time_s, d, 1),
                          PALP_FIELD(TickRecord, clock_us, d, 1),
                          PALP_FIELD(TickRecord, late_us, d, 1),
                          PALP_FIELD(TickRecord, snapshot_sequence, l, 1),
                          PALP_FIELD(TickRecord, snapshot_age_s, d, 1),
                          PALP_FIELD(TickRecord, contacts, i, 1),
                          PALP_FIELD(TickRecord, active_contacts, i, 1),
                          PALP_FIELD(TickRecord, sweeps, i, 1),
                          PALP_FIELD(TickRecord, converged, i, 1),
                          PALP_FIELD(TickRecord, certificate, d, 1),
                          PALP_FIELD(TickRecord, penetration_m, d, 1),
                          PALP_FIELD(TickRecord, state_hash, l, 1),
                          PALP_FIELD(TickRecord, interventions, u, 1),
                          PALP_FIELD(TickRecord, devices, i, 1),
                          PALP_FIELD(TickRecord, given_J, d, 1),
                          PALP_FIELD(TickRecord, stage_us, d, max_stages)};
  return compound(sizeof(TickRecord), fields, packed);
}

/// TickDevice; `size` and `at` place it inside a larger record.
inline Handle device_type(bool packed, std::size_t size = sizeof(TickDevice), std::size_t at = 0) {
  const hid_t d = H5T_NATIVE_DOUBLE, u = H5T_NATIVE_UINT32;
  Field fields[] = {
      PALP_FIELD(TickDevice, position, d, 3),       PALP_FIELD(TickDevice, orientation, d, 4),
      PALP_FIELD(TickDevice, velocity, d, 3),       PALP_FIELD(TickDevice, angular_velocity, d, 3),
      PALP_FIELD(TickDevice, raw_force, d, 3),      PALP_FIELD(TickDevice, raw_torque, d, 3),
      PALP_FIELD(TickDevice, force, d, 3),          PALP_FIELD(TickDevice, torque, d, 3),
      PALP_FIELD(TickDevice, proxy_position, d, 3), PALP_FIELD(TickDevice, proxy_orientation, d, 4),
      PALP_FIELD(TickDevice, given_J, d, 1),        PALP_FIELD(TickDevice, buttons, u, 1),
      PALP_FIELD(TickDevice, present, u, 1),        PALP_FIELD(TickDevice, interventions, u, 1)};
  for (Field& f : fields) f.offset += at;
  return compound(size, fields, packed);
}

inline Handle contact_row_type() {
  const hid_t l = H5T_NATIVE_UINT64;
  const Field fields[] = {PALP_FIELD(ContactRow, row, l, 1), PALP_FIELD(ContactRow, first, l, 1),
                          PALP_FIELD(ContactRow, contacts, l, 1), PALP_FIELD(ContactRow, W_first, l, 1),
                          PALP_FIELD(ContactRow, W_size, l, 1)};
  return compound(sizeof(ContactRow), fields, false);
}

inline Handle frame_row_type() {
  const Field fields[] = {PALP_FIELD(FrameRow, tick, H5T_NATIVE_UINT64, 1),
                          PALP_FIELD(FrameRow, time_s, H5T_NATIVE_DOUBLE, 1)};
  return compound(sizeof(FrameRow), fields, false);
}

inline Handle glc_row_type() {
  const hid_t l = H5T_NATIVE_UINT64;
  const Field fields[] = {PALP_FIELD(GlcRow, sequence, l, 1),    PALP_FIELD(GlcRow, tick, l, 1),
                          PALP_FIELD(GlcRow, first, l, 1),       PALP_FIELD(GlcRow, glcs, l, 1),
                          PALP_FIELD(GlcRow, first_proxy, l, 1), PALP_FIELD(GlcRow, proxies, l, 1)};
  return compound(sizeof(GlcRow), fields, false);
}

inline Handle glc_plane_type() {
  const hid_t d = H5T_NATIVE_DOUBLE, i = H5T_NATIVE_INT32;
  const Field fields[] = {
      PALP_FIELD(GlcPlane, n, d, 3),      PALP_FIELD(GlcPlane, t1, d, 3),
      PALP_FIELD(GlcPlane, t2, d, 3),     PALP_FIELD(GlcPlane, p, d, 3),
      PALP_FIELD(GlcPlane, p_free, d, 3), PALP_FIELD(GlcPlane, s1, d, 1),
      PALP_FIELD(GlcPlane, s2, d, 1),     PALP_FIELD(GlcPlane, d, d, 1),
      PALP_FIELD(GlcPlane, mu, d, 1),     PALP_FIELD(GlcPlane, side, d, 3 * Glc::most_sides),
      PALP_FIELD(GlcPlane, sides, i, 1),  PALP_FIELD(GlcPlane, proxy, i, 1),
      PALP_FIELD(GlcPlane, body, i, 1)};
  return compound(sizeof(GlcPlane), fields, false);
}

inline Handle glc_box_type() {
  const hid_t d = H5T_NATIVE_DOUBLE;
  const Field fields[] = {PALP_FIELD(GlcBox, centre, d, 3), PALP_FIELD(GlcBox, half, d, 3),
                          PALP_FIELD(GlcBox, compliance, d, 1)};
  return compound(sizeof(GlcBox), fields, false);
}
#undef PALP_FIELD

/// Hash of everything stored about a tick: tells a row that is complete from one that is not.
inline std::uint64_t check_of(const TickRecord& tick, int devices) {
  std::array<double, sizeof(TickRecord) / sizeof(double)> words;
  TickRecord clean = tick;
  for (TickDevice& d : clean.device) d.reserved = 0;  // not stored
  std::memcpy(words.data(), &clean, sizeof(TickRecord));
  const std::size_t used =
      (offsetof(TickRecord, device) + static_cast<std::size_t>(devices) * sizeof(TickDevice)) /
      sizeof(double);
  return hash_bits(std::span(words).first(used));
}

}  // namespace palp::recording
