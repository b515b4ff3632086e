// Little-endian messages, as documented in apps/viewer/README.md: numbers one after the other, and sections
// of
//     u32 tag, u32 length, that many bytes, padding to a multiple of 4.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace palp::view {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

using Bytes = std::vector<std::uint8_t>;

template <class T>
void put(Bytes& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const size_t at = out.size();
  out.resize(at + sizeof(T));
  std::memcpy(out.data() + at, &value, sizeof(T));
}

inline void put_bytes(Bytes& out, const void* data, size_t size) {
  const size_t at = out.size();
  out.resize(at + size);
  if (size) std::memcpy(out.data() + at, data, size);
}

template <class Vector>  // three floats
void put3(Bytes& out, const Vector& v) {
  for (int k = 0; k < 3; ++k) put(out, static_cast<float>(v[k]));
}

inline void pad(Bytes& out) { out.resize((out.size() + 3) & ~size_t(3)); }

/// "BODY" as the number whose bytes in memory are these letters.
constexpr std::uint32_t tag(const char (&name)[5]) {
  std::uint32_t t = 0;
  for (int k = 3; k >= 0; --k) t = t << 8 | static_cast<std::uint8_t>(name[k]);
  return t;
}

/// Opens a section; end_section fills in its length.
inline size_t begin_section(Bytes& out, std::uint32_t name) {
  put(out, name);
  put(out, std::uint32_t(0));
  return out.size();
}

inline void end_section(Bytes& out, size_t begin) {
  const auto length = static_cast<std::uint32_t>(out.size() - begin);
  std::memcpy(out.data() + begin - 4, &length, 4);
  pad(out);
}

}  // namespace palp::view
