// Palp's datagrams: for devices of one's own and for bridges (docs/devices.md). All numbers are
// little-endian, all lengths metres, forces newtons, x to the user's right, y away from the user, z up.
//
//   device ← Palp   wrench, 72 bytes: after every pose, and every 100 ms while no pose comes
//   device → Palp   pose, 136 bytes: at the device's own rate, to whom the last wrench came from
//   device → Palp   info, 152 bytes: once for every wrench that carries the flag `hello`
//
// header, 16 bytes: "PALP", u8 version 1, u8 type, u16 flags, u32 sequence, u32 buttons (pose) or the
// sequence number of the pose that is answered (wrench).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "palp/devices/backends/port.hpp"

namespace palp::udp {

static_assert(std::endian::native == std::endian::little, "the datagrams are copied as they lie in memory");

enum Type : std::uint8_t { pose = 1, wrench = 2, info = 3 };
enum Flag : std::uint16_t {
  has_velocity = 1,  ///< pose: the velocities are the device's own; else Palp takes differences
  hello = 2,         ///< wrench: tell who you are
  bye = 4,           ///< wrench: the last one; render zero
};

struct Header {
  char magic[4] = {'P', 'A', 'L', 'P'};
  std::uint8_t version = 1, type = 0;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0, extra = 0;
};
struct PoseDatagram {
  Header header;
  double time_s = 0;
  double position[3] = {};
  double orientation[4] = {0, 0, 0, 1};  ///< x y z w
  double velocity[3] = {}, angular_velocity[3] = {};
  double gripper_m = 0;
};
struct WrenchDatagram {
  Header header;
  double time_s = 0;
  double force[3] = {}, torque[3] = {};
};
struct InfoDatagram {
  Header header;
  std::uint8_t senses = 6, feels = 6;
  std::uint16_t buttons = 0;
  std::uint32_t gripper = 0;
  double max_force_N = 0, max_torque_Nm = 0;  ///< 0: not known, a cautious value is taken
  double damping_N_s_per_m = 0;               ///< the same
  double period_s = 0;
  double workspace_low[3] = {}, workspace_high[3] = {};  ///< the same: not known
  char name[24] = {}, serial[24] = {};
};
static_assert(sizeof(Header) == 16 && sizeof(PoseDatagram) == 136 && sizeof(WrenchDatagram) == 72 &&
              sizeof(InfoDatagram) == 152);

/// The datagram in these bytes; false when they are none of this sort.
template <class Datagram>
bool decode(const void* bytes, std::size_t size, Type type, Datagram& out) {
  if (size != sizeof(Datagram)) return false;
  std::memcpy(&out, bytes, sizeof(out));
  const Header expected;
  return std::memcmp(out.header.magic, expected.magic, 4) == 0 && out.header.version == 1 &&
         out.header.type == type;
}

inline DeviceFrame frame_of(const PoseDatagram& d) {
  DeviceFrame f;
  f.pose.position = Vec3(d.position);
  f.pose.orientation = Quat(d.orientation[3], d.orientation[0], d.orientation[1], d.orientation[2]);
  f.pose.velocity = Vec3(d.velocity);
  f.pose.angular_velocity = Vec3(d.angular_velocity);
  f.buttons = d.header.extra;
  f.gripper_m = d.gripper_m;
  return f;
}

}  // namespace palp::udp
