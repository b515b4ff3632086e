// Recordings that lie, as the page would open them: an error or a stream, never a wild read; and frames whose
// bodies are nowhere.
#include <cmath>
#include <filesystem>

#include "../fuzz/hdf5_edit.hpp"
#include "io/recording_samples.hpp"
#include "messages.hpp"
#include "recording_stream.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

namespace palp::view {
namespace forged_stream_test {

using namespace samples;

struct Forged {
  std::string file = ::testing::TempDir() + "palp_stream_" + std::to_string(getpid()) + ".h5";
  explicit Forged(std::int32_t devices, double coordinate = 0.5, double time_s = 0.001) {
    RecorderOptions options;
    options.patient = true;
    auto made = Recorder::create(file, recording_setup(), options);
    EXPECT_TRUE(made) << made.error().text();
    for (std::uint64_t i = 0; i < 4; ++i) {
      TickRecord tick = tick_number(i);
      tick.time_s = time_s * static_cast<double>(i);
      tick.devices = devices;
      (*made)->tick(tick, SampleContacts(4).view());
      for (Vec3& x : (*made)->begin_frame(i, 0.001 * static_cast<double>(i)))
        x = Vec3(coordinate, -coordinate, 1);
      (*made)->end_frame();
    }
    EXPECT_TRUE((*made)->close());
  }
  ~Forged() { std::filesystem::remove(file); }
};

TEST(ForgedStream, ticks_of_more_devices_than_a_tick_has_room_for_are_refused) {
  for (const std::int32_t devices : {100, 1'000'000, -1}) {
    const Forged forged(devices);
    EXPECT_FALSE(stream_recording(forged.file, false)) << devices;
  }
  const Forged honest(2);
  EXPECT_TRUE(stream_recording(honest.file, false));
}

TEST(ForgedStream, vertices_that_are_nowhere_are_refused) {
  for (const double x : {std::nan(""), HUGE_VAL, 1e30}) {
    const Forged forged(2, x);
    EXPECT_FALSE(stream_recording(forged.file, false)) << x;
  }
}

TEST(ForgedStream, contact_problems_with_entries_that_are_no_numbers_are_drawn_without_them) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300}) {
    const Forged forged(2);
    {
      const fuzz::Hdf5Edit edit(forged.file);
      ASSERT_TRUE(edit.ok());
      for (hsize_t k = 0; k < 576; ++k) edit.set_number("contacts/W", k, value);
    }
    EXPECT_TRUE(stream_recording(forged.file, false)) << value;
  }
}

TEST(ForgedStream, a_frame_whose_bodies_are_nowhere_is_encoded_like_any_other) {
  // A live simulation may fail in this way; the page must get its message all the same.
  const float nowhere = std::nanf(""), far = 3e38f, endless = HUGE_VALF;
  ViewFrame frame;
  frame.bodies.resize(3);
  frame.bodies[0] = {1, {Vec3f(nowhere, 0, 0), Vec3f(1, endless, -endless), Vec3f(0, 1, 2), Vec3f(4, 3, 2)}};
  frame.bodies[1] = {1, {Vec3f(-far, -far, -far), Vec3f(far, far, far)}};
  frame.bodies[2] = {1, {Vec3f(nowhere, nowhere, nowhere)}};
  EncodedFrame encoded;
  encode_frame(frame, encoded);
  ASSERT_EQ(encoded.bodies.size(), 3u);
  // The box of the first body is that of its finite vertices, and they keep their places in it.
  const Bytes& s = encoded.bodies[0].section;
  float box[6];
  std::uint16_t last[6];
  ASSERT_GE(s.size(), 8u + 8 + 24 + 24);
  std::memcpy(box, s.data() + 16, 24);
  std::memcpy(last, s.data() + 40 + 12, 12);
  EXPECT_EQ(box[0], 0);
  EXPECT_EQ(box[3], 4);
  EXPECT_EQ(last[0], 0);
  EXPECT_EQ(last[3], 65535);
}

}  // namespace forged_stream_test
}  // namespace palp::view
