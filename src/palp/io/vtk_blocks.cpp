#include "palp/io/vtk_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <zlib.h>

#include "palp/io/cursor.hpp"

namespace palp::io {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t block_size = 1 << 17;
constexpr std::uint64_t most_compression = 1040;  // deflate reaches 1032:1

std::uint64_t header_word(std::string_view bytes, std::size_t index, const BlockFormat& format) {
  const std::size_t size = format.wide_header ? 8 : 4;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto byte =
        static_cast<unsigned char>(bytes[index * size + (format.big_endian ? i : size - 1 - i)]);
    value = value << 8 | byte;
  }
  return value;
}

void append_word(std::string& out, std::uint64_t value, const BlockFormat& format) {
  if (format.wide_header)
    append_raw(out, value, format.big_endian);
  else
    append_raw(out, static_cast<std::uint32_t>(value), format.big_endian);
}

}  // namespace

void base64_encode(std::string& out, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? alphabet[group >> (18 - 6 * k) & 63] : '=';
  }
}

std::string base64_decode(std::string_view text, std::size_t enough) {
  static const auto value_of = [] {
    std::array<signed char, 256> table;
    table.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i)
      table[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
    return table;
  }();
  std::string out;
  out.reserve(std::min(text.size() / 4 * 3 + 3, enough < text.size() ? enough + 3 : text.size()));
  std::uint32_t group = 0;
  int chars = 0, padding = 0;
  for (char c : text) {
    if (out.size() >= enough) break;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    const int v = c == '=' ? 0 : value_of[static_cast<unsigned char>(c)];
    if (v < 0) break;
    padding += c == '=';
    group = group << 6 | static_cast<std::uint32_t>(v);
    if (++chars < 4) continue;
    for (int k = 0; k < 3 - std::min(padding, 2); ++k) out += static_cast<char>(group >> (16 - 8 * k) & 255);
    group = 0, chars = 0, padding = 0;
  }
  return out;
}

std::string unpack_blocks(std::string_view packed, const BlockFormat& format, std::size_t limit,
                          std::string& bytes) {
  const std::string cut = "the data ends too early";
  const std::size_t word = format.wide_header ? 8 : 4;
  std::string decoded;
  // The first `size` bytes, decoded if need be; empty when they are not there.
  const auto front = [&](std::uint64_t size) -> std::string_view {
    if (size > packed.size()) return {};
    if (!format.base64) return packed.substr(0, size);
    if (decoded.size() < size) decoded = base64_decode(packed, size);
    return decoded.size() < size ? std::string_view{} : std::string_view(decoded).substr(0, size);
  };
  bytes.clear();
  const std::string_view head = front(word);
  if (head.empty()) return cut;
  const std::uint64_t first = header_word(head, 0, format);
  if (!format.compressed) {
    if (first > packed.size()) return cut;
    const std::string_view all = front(word + first);
    if (all.empty()) return cut;
    bytes = all.substr(word);
    return {};
  }
  if (first == 0) return {};
  if (first > packed.size() / word) return "the number of compressed blocks is larger than the data";
  const std::size_t header = word * (3 + first);
  const std::string_view words = front(header);
  if (words.empty()) return cut;
  const std::uint64_t full = header_word(words, 1, format), last = header_word(words, 2, format);
  std::uint64_t compressed = 0;
  for (std::uint64_t b = 0; b < first; ++b) {
    const std::uint64_t size = header_word(words, 3 + b, format);
    if (size > packed.size() - compressed) return cut;
    compressed += size;
  }
  // front() may move `words`: keep the sizes' place, not the view.
  const std::string_view all = front(header + compressed);
  if (all.empty()) return cut;
  std::size_t at = header;
  for (std::uint64_t b = 0; b < first; ++b) {
    const std::uint64_t size = header_word(all, 3 + b, format);
    const std::uint64_t plain = b + 1 == first && last != 0 ? last : full;
    if (plain > size * most_compression + 64) return "a block's size is not possible";
    const std::size_t before = bytes.size();
    if (plain > limit - before) return "it unpacks to far more than the file's size allows";
    bytes.resize(before + plain);
    uLongf got = plain;
    const int code = uncompress(reinterpret_cast<Bytef*>(bytes.data() + before), &got,
                                reinterpret_cast<const Bytef*>(all.data() + at), size);
    if (code != Z_OK || got != plain) return "a compressed block is damaged";
    at += size;
  }
  return {};
}

void pack_blocks(std::string& out, std::string_view bytes, const BlockFormat& format) {
  std::string header, data;
  if (!format.compressed) {
    append_word(header, bytes.size(), format);
    if (!format.base64) return void(out.append(header).append(bytes));
    return base64_encode(out, header.append(bytes));
  }
  const std::size_t blocks = (bytes.size() + block_size - 1) / block_size;
  append_word(header, blocks, format);
  append_word(header, block_size, format);
  append_word(header, bytes.size() % block_size, format);
  std::string buffer(compressBound(block_size), '\0');
  for (std::size_t at = 0; at < bytes.size(); at += block_size) {
    const std::size_t n = std::min(block_size, bytes.size() - at);
    uLongf size = buffer.size();
    // Cannot fail: the buffer has compressBound() bytes and the level is valid.
    compress2(reinterpret_cast<Bytef*>(buffer.data()), &size,
              reinterpret_cast<const Bytef*>(bytes.data() + at), n, 6);
    append_word(header, size, format);
    data.append(buffer, 0, size);
  }
  if (!format.base64) return void(out.append(header).append(data));
  base64_encode(out, header);
  base64_encode(out, data);
}

}  // namespace palp::io
