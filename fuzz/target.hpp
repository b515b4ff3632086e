// One fuzz target: a function that says which law some bytes break, and a name, which is also that of its
// corpus and its dictionary. fuzz_main.cpp makes a libFuzzer program of it, `survive` a deterministic test.
#pragma once
#include "mutate.hpp"

namespace palp::fuzz {

/// Nothing when the law holds.
using Law = std::string (*)(std::string_view bytes);

struct Target {
  const char* name;
  Law law;
};

/// So many mutations of the corpus, all following from the seed; what broke first, or nothing.
inline std::string survive(const Target& target, const std::string& fuzz_folder, int rounds,
                           std::uint64_t seed) {
  const auto corpus = read_corpus(fuzz_folder + "/corpus/" + target.name);
  if (corpus.empty()) return std::string("there is no corpus for ") + target.name;
  Mutator mutate(read_dictionary(fuzz_folder + "/" + target.name + ".dict"));
  for (const auto& bytes : corpus)
    if (const auto broken = target.law(bytes); !broken.empty()) return "a seed: " + broken;
  std::mt19937_64 random(seed);
  std::string bytes;
  for (int round = 0; round < rounds; ++round) {
    // Changes pile up for a while, then a new file.
    if (round % 4 == 0 || bytes.size() > 20'000) bytes = corpus[random() % corpus.size()];
    bytes = mutate(bytes, corpus[random() % corpus.size()], random());
    if (const auto broken = target.law(bytes); !broken.empty())
      return "round " + std::to_string(round) + ": " + broken + "\n" + bytes;
  }
  return {};
}

/// An error that a person can act on: says what, in which file, and what to do.
template <class E>
std::string useless(const E& error, const std::string& file) {
  if (!error.message.empty() && !error.remedy.empty() && error.file == file) return {};
  return "an error without message, remedy or file: " + error.text();
}

}  // namespace palp::fuzz
