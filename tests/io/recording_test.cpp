#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "recording_samples.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

namespace palp {
namespace recording_test {

using namespace samples;

class RecordingTest : public ::testing::Test {
 protected:
  std::string path_ = ::testing::TempDir() + "palp_" + std::to_string(getpid()) + "_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5";
  void TearDown() override { std::filesystem::remove(path_); }

  static RecorderOptions patient() {
    RecorderOptions o;
    o.patient = true;
    o.ring_bytes = 1 << 20;
    return o;
  }
  std::unique_ptr<Recorder> start(const RecorderOptions& o = patient()) {
    auto made = Recorder::create(path_, recording_setup(), o);
    EXPECT_TRUE(made) << made.error().text();
    return std::move(*made);
  }
  static void push(Recorder& r, std::uint64_t i) {
    r.tick(tick_number(i), SampleContacts(i).view());
    if (i % 20 != 0) return;
    auto room = r.begin_frame(i, 0.001 * static_cast<double>(i));
    for (size_t k = 0; k < room.size(); ++k) room[k] = Vec3(double(i), double(k), 0.5);
    if (!room.empty()) r.end_frame();
  }
  /// Rows first … end are what push made of their numbers.
  static void expect_rows(const Recording& r, std::size_t end) {
    auto ticks = r.read_ticks(0, end);
    ASSERT_TRUE(ticks) << ticks.error().text();
    for (std::size_t i = 0; i < end; ++i) {
      ASSERT_TRUE(same_bits((*ticks)[i], tick_number(i))) << i;
      auto contacts = r.read_contacts(i);
      ASSERT_TRUE(contacts) << contacts.error().text();
      ASSERT_TRUE(SampleContacts(i).same(*contacts)) << i;
    }
  }
};

TEST_F(RecordingTest, everything_comes_back_bit_for_bit) {
  auto recorder = start();
  for (std::uint64_t i = 0; i < 1000; ++i) push(*recorder, i);
  ASSERT_TRUE(recorder->close());
  EXPECT_EQ(recorder->status().dropped_ticks, 0u);

  auto r = Recording::open(path_);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_TRUE(r->finished());
  EXPECT_EQ(r->status().ticks, 1000u);
  ASSERT_EQ(r->ticks(), 1000u);
  expect_rows(*r, 1000);

  const RecordingSetup &s = r->setup(), expected = recording_setup();
  EXPECT_EQ(s.program_version, expected.program_version);
  EXPECT_EQ(s.scene_file, expected.scene_file);
  EXPECT_EQ(s.scene_text, expected.scene_text);
  EXPECT_EQ(s.overrides, expected.overrides);
  EXPECT_EQ(s.files, expected.files);
  EXPECT_EQ(*s.setting("seed"), "42");
  EXPECT_EQ(s.setting("other"), nullptr);
  EXPECT_EQ(s.h_s, expected.h_s);
  EXPECT_EQ(s.devices, expected.devices);
  EXPECT_EQ(s.stages, expected.stages);
  ASSERT_EQ(s.grips.size(), 1u);
  EXPECT_EQ(s.grips[0].device, 1);
  EXPECT_EQ(s.grips[0].frame, 3);
  EXPECT_EQ(s.grips[0].lever, expected.grips[0].lever);
  EXPECT_EQ(s.grips[0].turn.coeffs(), expected.grips[0].turn.coeffs());
  EXPECT_EQ(s.grips[0].coupling.angular_damping_Nm_s_per_rad, 0.1);

  ASSERT_EQ(s.bodies.size(), 3u);
  EXPECT_EQ(s.bodies[1].name, "floor");
  EXPECT_TRUE(s.bodies[0].moves && !s.bodies[1].moves && s.bodies[2].moves);
  EXPECT_EQ(s.bodies[0].triangles, expected.bodies[0].triangles);
  EXPECT_EQ(s.bodies[2].segments, expected.bodies[2].segments);
  EXPECT_EQ(s.bodies[1].vertices, expected.bodies[1].vertices);
  ASSERT_EQ(r->frames().size(), 50u);
  EXPECT_EQ(r->frames()[7].tick, 140u);
  EXPECT_EQ(r->frames()[7].time_s, 0.001 * 140);
  // The rod's vertices come after the ball's three.
  EXPECT_EQ(*r->read_vertices(2, 7), (std::vector<float>{140, 3, 0.5, 140, 4, 0.5}));
  EXPECT_EQ(*r->read_vertices(1, 7), (std::vector<float>{0, 0, -1, 2, 0, -1, 0, 2, -1}));
}

TEST_F(RecordingTest, asking_for_what_is_not_there_is_an_error) {
  auto recorder = start();
  push(*recorder, 0);
  ASSERT_TRUE(recorder->close());
  auto r = Recording::open(path_);
  ASSERT_TRUE(r);
  EXPECT_FALSE(r->read_ticks(0, 2));
  EXPECT_FALSE(r->read_ticks(5, 1));
  EXPECT_FALSE(r->read_ticks(~std::size_t(0), ~std::size_t(0)));
  EXPECT_FALSE(r->read_vertices(3, 0));
  EXPECT_FALSE(r->read_vertices(-1, 0));
  EXPECT_FALSE(r->read_vertices(0, 9));
}

TEST_F(RecordingTest, a_full_ring_drops_and_counts_and_the_gap_shows_in_the_sequence) {
  // A ring for four ticks and a producer that never waits.
  RecorderOptions o;
  o.ring_bytes = 1;
  o.max_contacts = 0;
  auto recorder = start(o);
  constexpr std::uint64_t pushed = 3000;
  for (std::uint64_t i = 0; i < pushed; ++i) recorder->tick(tick_number(i));
  const RecorderStatus status = recorder->status();
  ASSERT_TRUE(recorder->close());
  EXPECT_GT(status.dropped_ticks, 0u);
  EXPECT_EQ(status.ticks + status.dropped_ticks, pushed);
  auto r = Recording::open(path_);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->status().dropped_ticks, status.dropped_ticks);
  ASSERT_EQ(r->ticks(), status.ticks);
  auto ticks = r->read_ticks(0, r->ticks());
  ASSERT_TRUE(ticks);
  for (std::size_t i = 0; i < ticks->size(); ++i) {
    ASSERT_TRUE(same_bits((*ticks)[i], tick_number((*ticks)[i].sequence)));
    if (i > 0) {
      ASSERT_GT((*ticks)[i].sequence, (*ticks)[i - 1].sequence);
    }
  }
}

TEST_F(RecordingTest, large_problems_lose_W_and_very_large_ones_are_counted) {
  RecorderOptions o = patient();
  o.max_W_contacts = 2;
  o.max_contacts = 3;
  auto recorder = start(o);
  for (std::uint64_t i = 0; i < 10; ++i) push(*recorder, i);  // 0 … 4 contacts, twice
  ASSERT_TRUE(recorder->close());
  auto r = Recording::open(path_);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->status().left_out, 2u);
  EXPECT_EQ(r->read_contacts(2)->W.rows(), 6);
  EXPECT_EQ(r->read_contacts(3)->W.rows(), 0);
  EXPECT_EQ(r->read_contacts(3)->lambda.size(), 9);
  EXPECT_EQ(r->read_contacts(4)->lambda.size(), 0);
}

TEST_F(RecordingTest, ticks_and_frames_are_handed_over_without_an_allocation) {
  RecorderOptions o;
  o.ring_bytes = 1 << 16;  // full now and then: dropping must not allocate either
  auto recorder = start(o);
  const TickRecord tick = tick_number(1);
  const SampleContacts contacts(4);
  const long before = palp::testing::allocations();
  for (int i = 0; i < 2000; ++i) {
    recorder->tick(tick, contacts.view());
    if (!recorder->begin_frame(1, 0).empty()) recorder->end_frame();
  }
  EXPECT_EQ(palp::testing::allocations(), before);
  EXPECT_EQ(recorder->status().ticks + recorder->status().dropped_ticks, 2000u);
  EXPECT_TRUE(recorder->close());
}

TEST_F(RecordingTest, two_threads_record_at_once) {
  auto recorder = start();
  std::thread low([&] {
    for (std::uint64_t i = 0; i < 500; ++i) {
      auto room = recorder->begin_frame(i, 0);
      for (Vec3& v : room) v.setConstant(double(i));
      recorder->end_frame();
    }
  });
  for (std::uint64_t i = 0; i < 5000; ++i) recorder->tick(tick_number(i), SampleContacts(i).view());
  low.join();
  ASSERT_TRUE(recorder->close());
  auto r = Recording::open(path_);
  ASSERT_TRUE(r) << r.error().text();
  ASSERT_EQ(r->ticks(), 5000u);
  expect_rows(*r, 5000);
  ASSERT_EQ(r->frames().size(), 500u);
  for (std::size_t f = 0; f < 500; ++f) ASSERT_EQ((*r->read_vertices(0, f))[5], float(f));
}

TEST_F(RecordingTest, a_growing_file_can_be_read_up_to_the_last_sync) {
  auto recorder = start();
  for (std::uint64_t i = 0; i < 700; ++i) push(*recorder, i);
  ASSERT_TRUE(recorder->sync());
  auto r = Recording::open(path_);
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_FALSE(r->finished());
  ASSERT_GE(r->ticks(), 700u);
  expect_rows(*r, 700);
  EXPECT_EQ(r->frames().size(), 35u);
}

TEST_F(RecordingTest, after_kill_9_everything_before_the_last_sync_is_there_and_all_rows_are_whole) {
  for (int trial = 0; trial < 12; ++trial) {
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(channel[0]);
      auto made = Recorder::create(path_, recording_setup(), patient());
      if (!made) _exit(1);
      std::uint64_t i = 0;
      for (; i < 400u + 37u * static_cast<unsigned>(trial); ++i) push(**made, i);
      if (!(*made)->sync()) _exit(2);
      if (write(channel[1], &i, sizeof(i)) != sizeof(i)) _exit(3);
      for (;; ++i) push(**made, i);  // until it is shot
    }
    ::close(channel[1]);
    std::uint64_t safe = 0;
    ASSERT_EQ(read(channel[0], &safe, sizeof(safe)), static_cast<ssize_t>(sizeof(safe)));
    std::this_thread::sleep_for(std::chrono::milliseconds(3 * trial));  // shot at another moment each time
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ::close(channel[0]);
    ASSERT_TRUE(WIFSIGNALED(status));

    auto r = Recording::open(path_);
    ASSERT_TRUE(r) << r.error().text();
    EXPECT_FALSE(r->finished());
    ASSERT_GE(r->ticks(), safe);
    expect_rows(*r, r->ticks());
    for (std::size_t f = 0; f < r->frames().size(); ++f) {
      auto x = r->read_vertices(2, f);
      ASSERT_TRUE(x) << x.error().text();
      if (r->frames()[f].tick < safe) {
        ASSERT_EQ((*x)[0], static_cast<float>(r->frames()[f].tick));
      }
    }
  }
}

TEST_F(RecordingTest, foreign_files_are_refused_with_a_remedy) {
  const auto refused = [&] {
    auto r = Recording::open(path_);
    return !r && r.error().file == path_ && !r.error().remedy.empty();
  };
  EXPECT_TRUE(refused());  // missing
  std::ofstream(path_) << "";
  EXPECT_TRUE(refused());
  std::ofstream(path_) << "time_s,force\n0,1\n";
  EXPECT_TRUE(refused());
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "ticks", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  EXPECT_TRUE(refused());
}

TEST_F(RecordingTest, a_folder_that_is_not_there_is_an_error) {
  auto made = Recorder::create("/nowhere/at/all.h5", recording_setup());
  ASSERT_FALSE(made);
  EXPECT_FALSE(made.error().remedy.empty());
}

TEST_F(RecordingTest, a_damaged_file_is_refused_or_read_as_it_was_written) {
  {
    auto recorder = start();
    for (std::uint64_t i = 0; i < 300; ++i) push(*recorder, i);
    ASSERT_TRUE(recorder->close());
  }
  std::ifstream in(path_, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  in.close();
  std::mt19937 random(7);
  int refused = 0, read = 0;
  for (int trial = 0; trial < 150; ++trial) {
    std::string bad = good;
    if (trial % 3 == 0)
      bad.resize(random() % good.size());
    else
      for (int k = 0; k < 1 + trial % 7; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bad;
    auto r = Recording::open(path_);
    auto ticks = r ? r->read_ticks(0, r->ticks()) : Result<std::vector<TickRecord>>(r.error());
    if (!ticks) {
      EXPECT_FALSE(ticks.error().text().empty());
      ++refused;
      continue;
    }
    ++read;
    for (std::size_t i = 0; i < ticks->size(); ++i) ASSERT_TRUE(same_bits((*ticks)[i], tick_number(i)));
    for (std::size_t i = 0; i < ticks->size(); ++i) (void)r->read_contacts(i);
    for (std::size_t f = 0; f < r->frames().size(); ++f) (void)r->read_vertices(0, f);
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(read, 5);
}

}  // namespace recording_test
}  // namespace palp
