// A libFuzzer program for the target PALP_FUZZ_TARGET (an object), with the words and files of
// PALP_FUZZ_FOLDER.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include PALP_FUZZ_HEADER

extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t most);

namespace {

const palp::fuzz::Target& target = PALP_FUZZ_TARGET;

palp::fuzz::Mutator& mutator() {
  static palp::fuzz::Mutator made(
      palp::fuzz::read_dictionary(std::string(PALP_FUZZ_FOLDER "/") + target.name + ".dict"));
  return made;
}

std::size_t keep(const std::string& from, unsigned char* data, std::size_t most) {
  const std::size_t size = std::min(from.size(), most);
  std::memcpy(data, from.data(), size);
  return size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto broken = target.law({reinterpret_cast<const char*>(data), size});
  if (!broken.empty()) {
    std::fprintf(stderr, "%s\n", broken.c_str());
    std::abort();
  }
  return 0;
}

/// Half of the changes know the format, half are libFuzzer's own.
extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  return keep(mutator()(bytes, bytes, seed), data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const unsigned char* a, std::size_t a_size,
                                                 const unsigned char* b, std::size_t b_size,
                                                 unsigned char* out, std::size_t most, unsigned int seed) {
  return keep(
      mutator()({reinterpret_cast<const char*>(a), a_size}, {reinterpret_cast<const char*>(b), b_size}, seed),
      out, most);
}
