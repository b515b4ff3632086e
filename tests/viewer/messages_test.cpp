// The viewer's messages, decoded here a second time from their description in apps/viewer/README.md.
#include "messages.hpp"

#include <random>

#include <gtest/gtest.h>

namespace palp::view {
namespace messages_test {

template <class T>
T get(const Bytes& bytes, size_t at) {
  T value;
  EXPECT_LE(at + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

ViewFrame frame_with_body(const std::vector<Vec3f>& x) {
  ViewFrame frame;
  frame.generation = 3;
  frame.bodies.resize(1);
  frame.bodies[0].version = 1;
  frame.bodies[0].x = x;
  return frame;
}

TEST(Messages, positions_arrive_within_half_a_65535th_of_the_bodys_box) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> coordinate(-0.3f, 0.7f);
  std::vector<Vec3f> x(500);
  for (auto& p : x) p = Vec3f(coordinate(random), 10 * coordinate(random), 0.001f * coordinate(random));
  EncodedFrame encoded;
  encode_frame(frame_with_body(x), encoded);
  const Bytes& section = encoded.bodies[0].section;
  ASSERT_EQ(get<std::uint32_t>(section, 0), tag("BODY"));
  ASSERT_EQ(get<std::uint32_t>(section, 12), x.size());
  for (int k = 0; k < 3; ++k) {
    const float low = get<float>(section, 16 + 4 * k), size = get<float>(section, 28 + 4 * k);
    float error = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const auto q = get<std::uint16_t>(section, 40 + 6 * i + 2 * k);
      error = std::max(error, std::abs(low + size / 65535.f * q - x[i][k]));
    }
    EXPECT_LT(error, 0.51f * size / 65535.f + 2e-6f * std::abs(low));
  }
}

TEST(Messages, a_flat_or_empty_body_is_encoded_without_dividing_by_zero) {
  EncodedFrame encoded;
  encode_frame(frame_with_body({Vec3f(1, 2, 3), Vec3f(1, 5, 3)}), encoded);
  EXPECT_EQ(get<float>(encoded.bodies[0].section, 16), 1.f);
  EXPECT_EQ(get<std::uint16_t>(encoded.bodies[0].section, 40), 0);
  encode_frame(frame_with_body({}), encoded);
}

TEST(Messages, a_body_that_has_not_moved_is_not_encoded_again) {
  ViewFrame frame = frame_with_body({Vec3f(0, 0, 0), Vec3f(1, 1, 1)});
  EncodedFrame encoded;
  encode_frame(frame, encoded);
  const Bytes first = encoded.bodies[0].section;
  frame.bodies[0].x[1] = Vec3f(2, 2, 2);  // without a new version: nobody may look
  encode_frame(frame, encoded);
  EXPECT_EQ(encoded.bodies[0].section, first);
  frame.bodies[0].version = 2;
  encode_frame(frame, encoded);
  EXPECT_NE(encoded.bodies[0].section, first);
}

TEST(Messages, a_patch_takes_40_bytes_and_12_a_corner_a_region_32_and_scenes_without_have_no_such_sections) {
  ViewFrame frame = frame_with_body({});
  EncodedFrame encoded;
  encode_frame(frame, encoded);
  const size_t without = encoded.common.size();
  ViewPatch patch;
  patch.at = Vec3f(1, 2, 3);
  patch.normal = Vec3f(0, 0, 1);
  patch.depth = 5;
  patch.use = ViewPatch::Use::carries;
  patch.proxy = 1;
  patch.corners = 3;
  patch.corner[2] = Vec3f(11, 12, 13);
  frame.patches = {patch, patch};
  frame.regions.push_back({.centre = Vec3f(6, 7, 8), .half = Vec3f(9, 9, 9), .proxy = 1, .holds = true});
  encode_frame(frame, encoded);
  const Bytes& c = encoded.common;
  constexpr size_t size = 40 + 3 * 12;
  ASSERT_EQ(c.size(), without + 8 + 2 * size + 8 + 32);
  ASSERT_EQ(get<std::uint32_t>(c, without), tag("PTCH"));
  const size_t second = without + 8 + size;
  EXPECT_EQ(get<float>(c, second + 8), 3.f);
  EXPECT_EQ(get<float>(c, second + 24), 5.f);
  EXPECT_EQ(get<std::uint32_t>(c, second + 28), 2u);
  EXPECT_EQ(get<std::uint32_t>(c, second + 32), 1u);
  EXPECT_EQ(get<std::uint32_t>(c, second + 36), 3u);
  EXPECT_EQ(get<float>(c, second + 40 + 32), 13.f);
  ASSERT_EQ(get<std::uint32_t>(c, second + size), tag("REGN"));
  EXPECT_EQ(get<float>(c, second + size + 8), 6.f);
  EXPECT_EQ(get<std::uint32_t>(c, second + size + 8 + 28), 1u);
}

TEST(Messages, sections_say_their_length_and_are_aligned_to_four_bytes) {
  ViewFrame frame = frame_with_body({Vec3f(0, 0, 0), Vec3f(1, 1, 1), Vec3f(1, 0, 1)});
  frame.contacts.resize(2);
  frame.hands.resize(1);
  frame.delassus.contacts = 2;
  frame.delassus.side = 3;
  frame.delassus.cell.assign(9, 5);
  EncodedFrame encoded;
  encode_frame(frame, encoded);
  Bytes whole = encoded.common;
  for (const Bytes* part : {&encoded.bodies[0].section, &encoded.delassus})
    put_bytes(whole, part->data(), part->size());
  const ViewSample sample{};
  put_samples({&sample, 1}, whole);
  std::vector<std::uint32_t> tags;
  size_t at = 40;
  while (at + 8 <= whole.size()) {
    EXPECT_EQ(at % 4, 0u);
    tags.push_back(get<std::uint32_t>(whole, at));
    at += 8 + ((get<std::uint32_t>(whole, at + 4) + 3) & ~3u);
  }
  EXPECT_EQ(at, whole.size());
  EXPECT_EQ(tags,
            (std::vector<std::uint32_t>{tag("CNTC"), tag("HAND"), tag("BODY"), tag("DELA"), tag("SAMP")}));
}

TEST(Messages, commands_are_understood) {
  EXPECT_EQ(parse_request(R"({"cmd":"play"})")->command.kind, Command::Kind::play);
  EXPECT_EQ(parse_request(R"({"cmd":"speed","value":0.5})")->command.value, 0.5);
  const auto slider = parse_request(R"({"cmd":"slider","index":2,"value":1e9})");
  EXPECT_EQ(slider->command.index, 2);
  EXPECT_EQ(slider->command.value, 1e9);
  const auto hold = parse_request(R"({"cmd":"hold","device":1,"p":[1,2,3],"q":[0,0,1,0]})");
  ASSERT_TRUE(hold);
  EXPECT_EQ(hold->device, 1);
  EXPECT_EQ(hold->position, Vec3(1, 2, 3));
  EXPECT_EQ(hold->orientation.z(), 1);
  EXPECT_EQ(parse_request(R"({"cmd":"release","device":0})")->kind, Request::Kind::let_go);
  EXPECT_TRUE(parse_request(R"({"cmd":"delassus","on":true})")->on);
  const auto colour = parse_request(R"({"cmd":"colour","of":"pressure"})");
  ASSERT_TRUE(colour);
  EXPECT_EQ(colour->kind, Request::Kind::colour);
  EXPECT_EQ(colour->colour, Colour::pressure);
  EXPECT_EQ(parse_request(R"({"cmd":"colour","of":"none"})")->colour, Colour::none);
}

TEST(Messages, what_is_no_command_is_refused) {
  for (const char* text : {"",
                           "{",
                           "[]",
                           "null",
                           "42",
                           "\"play\"",
                           "{}",
                           R"({"cmd":7})",
                           R"({"cmd":"format-disk"})",
                           R"({"cmd":"speed"})",
                           R"({"cmd":"speed","value":"fast"})",
                           R"({"cmd":"speed","value":1e999})",
                           R"({"cmd":"scene","index":-1})",
                           R"({"cmd":"scene","index":1.5})",
                           R"({"cmd":"scene","index":"../x"})",
                           R"({"cmd":"slider","index":99999999999999999999,"value":1})",
                           R"({"cmd":"colour"})",
                           R"({"cmd":"colour","of":1})",
                           R"({"cmd":"colour","of":"Stress"})",
                           R"({"cmd":"hold","device":0})",
                           R"({"cmd":"hold","device":0,"p":[1,2],"q":[0,0,0,1]})",
                           R"({"cmd":"hold","device":0,"p":[1,2,null],"q":[0,0,0,1]})",
                           R"({"cmd":"hold","device":0,"p":[1,2,3],"q":[0,0,0]})",
                           R"({"cmd":"hold","device":-1,"p":[1,2,3],"q":[0,0,0,1]})",
                           "\xff\xfe\x00",
                           "{\"cmd\":\"\xff\"}"})
    EXPECT_FALSE(parse_request(text)) << text;
  EXPECT_FALSE(parse_request(std::string(16000, '[')));
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep.append("{\"a\":");
  EXPECT_FALSE(parse_request(deep));
}

TEST(Messages, damaged_commands_never_do_harm) {
  std::mt19937 random(11);
  const std::string good = R"({"cmd":"hold","device":0,"p":[0.1,-2e-3,3],"q":[0,0,0,1]})";
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (unsigned k = random() % 4 + 1; k > 0; --k) bad[random() % bad.size()] = static_cast<char>(random());
    bad.resize(random() % (bad.size() + 1));
    const auto request = parse_request(bad);
    EXPECT_TRUE(!request || request->position.allFinite());
  }
}

}  // namespace messages_test
}  // namespace palp::view
