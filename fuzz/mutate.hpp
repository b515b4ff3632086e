// Mutations that know what a file is made of. A piece begins at every line whose first word is in the
// target's dictionary, and at every bracket of formats that have brackets; pieces are repeated, dropped,
// exchanged and taken from other files, counts and numbers become absurd ones, words become other words of
// the dictionary. Bytes are changed too. Everything follows from the seed: the fuzzers and tests/io make the
// same changes.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace palp::fuzz {

/// The words of a libFuzzer dictionary: lines "word" or name="word", with \xAB for bytes.
inline std::vector<std::string> read_dictionary(const std::string& file) {
  std::vector<std::string> words;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find('"'), end = line.rfind('"');
    if (line.empty() || line[0] == '#' || begin == line.npos || end <= begin) continue;
    std::string word;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (line[i] == '\\' && line[i + 1] == 'x' && i + 3 < end) {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[i] == '\\' ? line[++i] : line[i];
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// The files of a folder, in the order of their names.
inline std::vector<std::string> read_corpus(const std::string& folder) {
  std::set<std::string> names;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code))
    names.insert(entry.path().string());
  std::vector<std::string> files;
  for (const auto& name : names) {
    std::ifstream in(name, std::ios::binary);
    files.emplace_back((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  }
  return files;
}

class Mutator {
 public:
  explicit Mutator(std::vector<std::string> dictionary) : words_(std::move(dictionary)) {
    for (const auto& word : words_) starts_.insert(word.substr(0, word.find_first_of(" :=")));
  }

  /// `bytes` with one to four changes; `other` lends its pieces.
  std::string operator()(std::string bytes, const std::string& other, std::uint64_t seed) {
    random_.seed(seed);
    const std::size_t changes = 1 + pick(4);
    for (std::size_t k = 0; k < changes; ++k) change(bytes, other);
    return bytes;
  }

 private:
  struct Part {
    std::size_t begin, end;
  };
  std::size_t pick(std::size_t n) { return n < 2 ? 0 : random_() % n; }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  static bool in_number(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e';
  }

  std::vector<Part> pieces(std::string_view bytes) const {
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool line = i > 0 && bytes[i - 1] == '\n';
      if (line) {
        std::size_t from = i;
        while (from < bytes.size() && (bytes[from] == ' ' || bytes[from] == '-')) ++from;
        const std::size_t end = std::min(bytes.find_first_of(" \t\r\n:=", from), bytes.size());
        if (end - from < 32 && starts_.count(std::string(bytes.substr(from, end - from))))
          begins.push_back(i);
      } else if (bytes[i] == '<' || bytes[i] == '{' || bytes[i] == '[') {
        begins.push_back(i);
      }
    }
    std::vector<Part> parts;
    for (std::size_t k = 0; k < begins.size(); ++k)
      parts.push_back({begins[k], k + 1 < begins.size() ? begins[k + 1] : bytes.size()});
    return parts;
  }
  std::vector<Part> numbers(std::string_view bytes) const {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool digit = (bytes[i] >= '0' && bytes[i] <= '9') || bytes[i] == '-';
      if (!digit ||
          (i > 0 && (in_number(bytes[i - 1]) || std::isalpha(static_cast<unsigned char>(bytes[i - 1])))))
        continue;
      std::size_t end = i;
      while (end < bytes.size() && in_number(bytes[end])) ++end;
      parts.push_back({i, end});
      i = end;
    }
    return parts;
  }
  static std::string cut(const std::string& s, Part p) { return s.substr(p.begin, p.end - p.begin); }

  std::string absurd(std::string_view was) {
    static const std::vector<std::string> list{
        "-1",     "0",     "1",   "2",   "3",     "4",      "5",           "8",
        "12",     "1e5",   "255", "-2",  "65536", "1e300",  "2147483647",  "4294967295",
        "1e-300", "1e999", "nan", "inf", "-inf",  "-1e300", "99999999999", "18446744073709551615",
        "0.5",    "1e8",   "-0"};
    long long value = 0;
    const bool whole =
        std::from_chars(was.data(), was.data() + was.size(), value).ptr == was.data() + was.size();
    if (whole && pick(3) == 0 && value > -1'000'000 && value < 1'000'000)
      return std::to_string(value + (pick(2) ? 1 : -1));
    return list[pick(list.size())];
  }

  void change(std::string& s, const std::string& other) {
    if (s.empty()) s = other;
    const auto parts = pieces(s);
    const Part a = parts[pick(parts.size())], b = parts[pick(parts.size())];
    switch (pick(12)) {
      case 0:  // a piece again, elsewhere
        s.insert(b.begin, cut(s, a));
        break;
      case 1:  // twice in a row
        s.insert(a.end, cut(s, a));
        break;
      case 2:
        s.erase(a.begin, a.end - a.begin);
        break;
      case 3: {  // exchanged
        if (a.begin >= b.begin) break;
        s = s.substr(0, a.begin) + cut(s, b) + s.substr(a.end, b.begin - a.end) + cut(s, a) + s.substr(b.end);
        break;
      }
      case 4: {  // a stranger's
        const auto theirs = pieces(other);
        s.insert(a.begin, cut(other, theirs[pick(theirs.size())]));
        break;
      }
      case 5:
      case 6:
      case 7: {
        const auto all = numbers(s);
        if (all.empty()) break;
        // The first number of a piece is often a count.
        Part n = all[pick(all.size())];
        if (pick(2))
          for (const Part& p : all)
            if (p.begin >= a.begin) {
              n = p;
              break;
            }
        s.replace(n.begin, n.end - n.begin, absurd(std::string_view(s).substr(n.begin, n.end - n.begin)));
        break;
      }
      case 8: {  // another word
        std::size_t from = pick(s.size());
        while (from > 0 && !is_space(s[from - 1])) --from;
        std::size_t end = from;
        while (end < s.size() && !is_space(s[end])) ++end;
        if (!words_.empty()) s.replace(from, end - from, words_[pick(words_.size())]);
        break;
      }
      case 9:
        if (!words_.empty()) s.insert(a.begin, words_[pick(words_.size())] + (pick(2) ? "\n" : " "));
        break;
      case 10: {  // binary numbers
        static const std::vector<std::string> raw{
            std::string(8, '\xff'),         std::string(4, '\x7f'),
            std::string(8, '\0'),           std::string("\x01\0\0\0", 4),
            std::string("\0\0\xc0\x7f", 4), std::string("\0\0\0\0\0\0\xf8\x7f", 8),
            std::string("\0\0\0\x80", 4)};
        const auto& what = raw[pick(raw.size())];
        const std::size_t at = pick(s.size());
        s.replace(at, std::min(what.size(), s.size() - at), what);
        break;
      }
      default: {
        const std::size_t at = pick(s.size());
        if (pick(4) == 0)
          s.resize(at);
        else if (pick(2))
          s[at] = static_cast<char>(random_());
        else
          s.erase(at, 1 + pick(16));
      }
    }
  }

  std::vector<std::string> words_;
  std::set<std::string> starts_;
  std::mt19937_64 random_;
};

}  // namespace palp::fuzz
