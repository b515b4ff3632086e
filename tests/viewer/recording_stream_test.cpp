// A recording of palp run, as the page opens it: the same positions, every tick's samples.
#include "recording_stream.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "bytes.hpp"
#include "frame.hpp"
#include <gtest/gtest.h>

namespace palp::view {
namespace recording_stream_test {

struct Message {
  std::uint32_t kind = 0;
  const char* data = nullptr;
  size_t size = 0;
  template <class T>
  T at(size_t offset) const {
    T value;
    EXPECT_LE(offset + sizeof value, size);
    std::memcpy(&value, data + offset, sizeof value);
    return value;
  }
};

std::vector<Message> messages_of(const std::string& stream) {
  std::vector<Message> messages;
  EXPECT_EQ(stream.substr(0, 8), "PALPREC1");
  for (size_t at = 8; at + 8 <= stream.size();) {
    std::uint32_t length, kind;
    std::memcpy(&length, stream.data() + at, 4);
    std::memcpy(&kind, stream.data() + at + 4, 4);
    messages.push_back({kind, stream.data() + at + 4, length});
    at += 4 + length;
  }
  return messages;
}

/// A recording of palp run that is gone at the end.
struct Recorded {
  std::string file;
  explicit Recorded(const std::string& name, const std::string& scene, const std::string& options)
      : file((std::filesystem::temp_directory_path() / name).string()) {
    const std::string command = std::string(PALP_BINARY_DIR) + "/palp run " + PALP_SOURCE_DIR + "/scenes/" +
                                scene + " " + options + " --record " + file + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  ~Recorded() { std::filesystem::remove(file); }
};

/// Begin and length of the sections with this name.
std::vector<std::pair<size_t, size_t>> sections(const Message& m, std::uint32_t name) {
  std::vector<std::pair<size_t, size_t>> found;
  for (size_t at = 40; at + 8 <= m.size; at += 8 + ((m.at<std::uint32_t>(at + 4) + 3) & ~3u))
    if (m.at<std::uint32_t>(at) == name) found.push_back({at + 8, m.at<std::uint32_t>(at + 4)});
  return found;
}

std::vector<ViewSample> samples_of(const std::vector<Message>& messages) {
  std::vector<ViewSample> samples;
  for (size_t i = 1; i < messages.size(); ++i)
    for (const auto& [begin, length] : sections(messages[i], tag("SAMP")))
      for (size_t at = begin; at < begin + length; at += sizeof(ViewSample))
        samples.push_back(messages[i].at<ViewSample>(at));
  return samples;
}

TEST(RecordingStream, shows_the_positions_and_every_tick_of_the_file) {
  const Recorded recorded("palp-viewer-recording.h5", "falling-ball.yaml", "--seconds 0.3");
  const std::string& file = recorded.file;
  auto recording = Recording::open(file);
  ASSERT_TRUE(recording) << recording.error().text();
  auto stream = stream_recording(file);
  ASSERT_TRUE(stream) << stream.error().text();
  const auto messages = messages_of(stream->bytes);
  ASSERT_EQ(messages.size(), 1 + recording->frames().size());
  EXPECT_EQ(messages[0].kind, tag("SCEN"));
  for (size_t i = 0; i + 1 < messages.size(); ++i) {
    const Message& m = messages[i + 1];
    ASSERT_EQ(m.kind, tag("FRAM"));
    EXPECT_EQ(m.at<double>(16), recording->frames()[i].time_s);
    for (const auto& [at, length] : sections(m, tag("BODY"))) {
      if (m.at<std::uint32_t>(at) != 0) continue;
      const auto x = recording->read_vertices(0, i);  // the ball
      ASSERT_TRUE(x);
      ASSERT_EQ(3 * m.at<std::uint32_t>(at + 4), x->size());
      for (size_t v = 0; v < x->size(); ++v) {
        const float low = m.at<float>(at + 8 + 4 * (v % 3)), size = m.at<float>(at + 20 + 4 * (v % 3));
        ASSERT_NEAR(low + size / 65535 * m.at<std::uint16_t>(at + 32 + 2 * v), (*x)[v], size / 65535);
      }
    }
  }
  EXPECT_EQ(samples_of(messages).size(), recording->ticks());
}

// The kinetic energy of free fall gives the mass, ½ m (g t)²; the contacts of the resting ball carry its
// weight.
TEST(RecordingStream, contacts_and_energies_are_computed_again_as_they_were) {
  const Recorded recorded("palp-viewer-contacts.h5", "falling-ball.yaml", "--seconds 2.5");
  auto stream = stream_recording(recorded.file);
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ(stream->note, "");  // every bit was the same
  const auto messages = messages_of(stream->bytes);
  const auto samples = samples_of(messages);
  const double g = 9.81;
  const auto mass = [&](const ViewSample& s) { return 2 * s.kinetic_J / std::pow(g * s.time_s, 2); };
  size_t landing = 0;
  while (landing < samples.size() && samples[landing].active == 0) ++landing;
  ASSERT_GT(landing, 10u);
  ASSERT_LT(landing, samples.size());
  const double m = mass(samples[landing - 1]);
  for (size_t i = 0; i < landing; ++i) EXPECT_NEAR(mass(samples[i]), m, 1e-3 * m) << samples[i].time_s;
  EXPECT_GT(samples[landing + 10].elastic_J, 0);
  double weight = 0;
  for (const auto& [begin, length] : sections(messages.back(), tag("CNTC")))
    for (size_t at = begin; at < begin + length; at += 52)
      weight += std::abs(messages.back().at<float>(at + 32));
  EXPECT_NEAR(weight, m * g, 0.02 * m * g);
  std::set<std::pair<std::uint32_t, std::uint32_t>> colours;  // body, quantity
  for (const auto& [at, length] : sections(messages.back(), tag("COLR")))
    colours.emplace(messages.back().at<std::uint32_t>(at), messages.back().at<std::uint32_t>(at + 4));
  EXPECT_EQ(colours, (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {0, 3}, {1, 3}}));
}

TEST(RecordingStream, without_computing_energies_are_unknown_and_no_contact_is_made_up) {
  const Recorded recorded("palp-viewer-bare.h5", "falling-ball.yaml", "--seconds 1.2");
  auto stream = stream_recording(recorded.file, false);
  ASSERT_TRUE(stream) << stream.error().text();
  const auto messages = messages_of(stream->bytes);
  for (const ViewSample& s : samples_of(messages))
    EXPECT_TRUE(std::isnan(s.kinetic_J) && std::isnan(s.elastic_J));
  for (size_t i = 1; i < messages.size(); ++i)
    for (const auto& [begin, length] : sections(messages[i], tag("CNTC"))) EXPECT_EQ(length, 0u);
}

TEST(RecordingStream, patches_and_trust_regions_are_computed_again_too) {
  const Recorded recorded("palp-viewer-patches.h5", "k16-statue.yaml", "--seconds 0.3");
  auto stream = stream_recording(recorded.file);
  ASSERT_TRUE(stream) << stream.error().text();
  EXPECT_EQ(stream->note, "");
  const auto messages = messages_of(stream->bytes);
  const auto patches = sections(messages.back(), tag("PTCH")),
             regions = sections(messages.back(), tag("REGN"));
  ASSERT_EQ(patches.size(), 1u);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_GT(patches[0].second, 0u);
  EXPECT_EQ(regions[0].second, 32u);
}

TEST(RecordingStream, a_file_that_is_no_recording_is_an_error) {
  EXPECT_FALSE(stream_recording("/no/such/file.h5"));
  EXPECT_FALSE(stream_recording(std::string(PALP_SOURCE_DIR) + "/scenes/falling-ball.yaml"));
}

}  // namespace recording_stream_test
}  // namespace palp::view
