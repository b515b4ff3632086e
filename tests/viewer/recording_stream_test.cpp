// A recording of palp run, as the page opens it: the same positions, every tick's samples.
#include "recording_stream.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "bytes.hpp"
#include "frame.hpp"
#include <gtest/gtest.h>

namespace palp::view {
namespace {

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

TEST(RecordingStream, shows_the_positions_and_every_tick_of_the_file) {
  const auto file = (std::filesystem::temp_directory_path() / "palp-viewer-recording.h5").string();
  const std::string command = std::string(PALP_BINARY_DIR) + "/palp run " + PALP_SOURCE_DIR +
                              "/scenes/falling-ball.yaml --seconds 0.3 --record " + file + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  auto recording = Recording::open(file);
  ASSERT_TRUE(recording) << recording.error().text();
  auto stream = stream_recording(file);
  ASSERT_TRUE(stream) << stream.error().text();
  const auto messages = messages_of(*stream);
  ASSERT_EQ(messages.size(), 1 + recording->frames().size());
  EXPECT_EQ(messages[0].kind, tag("SCEN"));
  size_t samples = 0;
  for (size_t i = 0; i + 1 < messages.size(); ++i) {
    const Message& m = messages[i + 1];
    ASSERT_EQ(m.kind, tag("FRAM"));
    EXPECT_EQ(m.at<double>(16), recording->frames()[i].time_s);
    for (size_t at = 40; at + 8 <= m.size; at += 8 + ((m.at<std::uint32_t>(at + 4) + 3) & ~3u)) {
      const auto section = m.at<std::uint32_t>(at);
      if (section == tag("SAMP")) samples += m.at<std::uint32_t>(at + 4) / (4 * ViewSample::size);
      if (section != tag("BODY") || m.at<std::uint32_t>(at + 8) != 0) continue;
      const auto x = recording->read_vertices(0, i);  // the ball
      ASSERT_TRUE(x);
      ASSERT_EQ(3 * m.at<std::uint32_t>(at + 12), x->size());
      for (size_t v = 0; v < x->size(); ++v) {
        const float low = m.at<float>(at + 16 + 4 * (v % 3)), size = m.at<float>(at + 28 + 4 * (v % 3));
        ASSERT_NEAR(low + size / 65535 * m.at<std::uint16_t>(at + 40 + 2 * v), (*x)[v], size / 65535);
      }
    }
  }
  EXPECT_EQ(samples, recording->ticks());
  std::filesystem::remove(file);
}

TEST(RecordingStream, a_file_that_is_no_recording_is_an_error) {
  EXPECT_FALSE(stream_recording("/no/such/file.h5"));
  EXPECT_FALSE(stream_recording(std::string(PALP_SOURCE_DIR) + "/scenes/falling-ball.yaml"));
}

}  // namespace
}  // namespace palp::view
