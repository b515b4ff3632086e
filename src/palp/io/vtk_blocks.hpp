// How VTK's XML files pack an array (VTK file formats, "XML file formats"):
//     plain        [bytes] data
//     compressed   [blocks][size of a block][size of the last][compressed size of each] data
// with 4- or 8-byte header words, raw or in base64.
#pragma once
#include <string>
#include <string_view>

namespace palp::io {

struct BlockFormat {
  bool wide_header = true;  ///< UInt64 words instead of UInt32
  bool big_endian = false;
  bool compressed = true;
  bool base64 = false;
};

/// Unpacks the array that begins at the front of `packed` into `bytes`. Returns what is wrong, or nothing.
/// Never allocates more than `limit` bytes, nor more than zlib can have compressed into `packed`.
std::string unpack_blocks(std::string_view packed, const BlockFormat& format, std::size_t limit,
                          std::string& bytes);
/// Appends the packed array.
void pack_blocks(std::string& out, std::string_view bytes, const BlockFormat& format);

void base64_encode(std::string& out, std::string_view bytes);
/// Decodes until `enough` bytes are there or the text ends. Spaces are skipped; streams may follow each
/// other.
std::string base64_decode(std::string_view text, std::size_t enough);

}  // namespace palp::io
