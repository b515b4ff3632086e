// Recordings that are valid HDF5 with sound check sums, and lie: counts, numbers of bodies, sizes,
// coordinates. Each lie is refused with the file and a remedy before anything is indexed or allocated by it.
#include <filesystem>

#include "../fuzz/hdf5_edit.hpp"
#include "recording_samples.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

namespace palp {
namespace forged_recording_test {

using namespace samples;

class ForgedRecording : public ::testing::Test {
 protected:
  std::string path_ = ::testing::TempDir() + "palp_" + std::to_string(getpid()) + "_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5";
  void TearDown() override { std::filesystem::remove(path_); }

  void record(std::int32_t devices = 2, double coordinate = 0.5, RecordingSetup setup = recording_setup()) {
    RecorderOptions options;
    options.patient = true;
    auto made = Recorder::create(path_, setup, options);
    ASSERT_TRUE(made) << made.error().text();
    for (std::uint64_t i = 0; i < 8; ++i) {
      TickRecord tick = tick_number(i);
      tick.time_s = 0.001 * static_cast<double>(i);
      tick.devices = devices;
      (*made)->tick(tick, SampleContacts(4).view());
      auto room = (*made)->begin_frame(i, 0.001 * static_cast<double>(i));
      for (Vec3& x : room) x = Vec3(coordinate, 0, 1);
      (*made)->end_frame();
    }
    ASSERT_TRUE((*made)->close());
  }
  template <class Edit>
  void forge(Edit&& edit) {
    const fuzz::Hdf5Edit file(path_);
    ASSERT_TRUE(file.ok());
    edit(file);
    file.renew_checks();
  }
  /// Everything that can be read is; what went wrong first, or nothing.
  std::string refused() {
    const testing::PeakMemory peak;
    const std::string why = read_all();
    EXPECT_LT(peak.bytes(), 200u << 20);
    return why;
  }

 private:
  std::string read_all() {
    const auto told = [this](const Error& e) {
      EXPECT_EQ(e.file, path_);
      EXPECT_FALSE(e.remedy.empty()) << e.text();
      return e.message;
    };
    const auto r = Recording::open(path_);
    if (!r) return told(r.error());
    const auto ticks = r->read_ticks(0, r->ticks());
    if (!ticks) return told(ticks.error());
    for (std::size_t i = 0; i < r->ticks(); ++i)
      if (const auto c = r->read_contacts(i); !c) return told(c.error());
    for (std::size_t b = 0; b < r->setup().bodies.size(); ++b)
      for (std::size_t f = 0; f < r->frames().size(); ++f)
        if (const auto x = r->read_vertices(static_cast<int>(b), f); !x) return told(x.error());
    return {};
  }
};

TEST_F(ForgedRecording, an_honest_one_is_read) {
  record();
  EXPECT_EQ(refused(), "");
  record(0);
  EXPECT_EQ(refused(), "");
}

TEST_F(ForgedRecording, ticks_with_more_devices_than_there_are_or_fewer_than_none_are_refused) {
  for (const std::int32_t devices : {3, 5, 100, 1 << 30, -1, INT32_MIN}) {
    record(devices);
    EXPECT_NE(refused(), "") << devices;
  }
}

TEST_F(ForgedRecording, a_fifth_device_is_refused) {
  record();
  forge([](const auto& file) {
    for (const char* name : {"devices/2", "devices/3", "devices/4"})
      H5Lcreate_hard(file.file(), "devices/0", file.file(), name, H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_NE(refused(), "");
}

TEST_F(ForgedRecording, grips_of_strangers_and_with_numbers_out_of_bounds_are_refused) {
  // device, body, frame, lever (3), turn (4), coupling (4)
  for (const auto& lie : {std::pair(0, 2.0),
                          {0, -1.0},
                          {0, 0.5},
                          {1, 3.0},
                          {1, 1e8},
                          {1, -1.0},
                          {2, -1.0},
                          {2, 3e9},
                          {2, 1.5},
                          {3, std::nan("")},
                          {3, 1e300},
                          {6, HUGE_VAL},
                          {9, 10.0},
                          {10, -1.0},
                          {10, 1e300},
                          {13, std::nan("")}}) {
    record();
    forge([&](const auto& file) {
      EXPECT_TRUE(file.set_number("grips", static_cast<hsize_t>(lie.first), lie.second));
    });
    EXPECT_NE(refused(), "") << lie.first << " " << lie.second;
  }
}

TEST_F(ForgedRecording, coordinates_that_are_no_numbers_are_refused) {
  for (const double x : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    record(2, x);
    EXPECT_NE(refused(), "") << x;
    RecordingSetup setup = recording_setup();
    setup.bodies[1].vertices[2].y() = x;  // the floor, which never moves
    record(2, 0.5, setup);
    EXPECT_NE(refused(), "") << x;
    setup = recording_setup();
    setup.bodies[2].radius = x;
    record(2, 0.5, setup);
    EXPECT_NE(refused(), "") << x;
  }
}

TEST_F(ForgedRecording, contact_problems_larger_than_the_file_are_refused) {
  for (const std::uint64_t contacts : {20'000ull, 99'999ull, 1ull << 62}) {
    record();
    forge([&](const auto& file) {
      EXPECT_TRUE(file.set_member("contacts/index", 3, "contacts", contacts));
      EXPECT_TRUE(file.set_member("contacts/index", 3, "W_size", 9 * contacts * contacts));
    });
    EXPECT_NE(refused(), "") << contacts;
  }
  record();
  forge([&](const auto& file) { EXPECT_TRUE(file.set_member("contacts/index", 3, "first", 1ull << 63)); });
  EXPECT_NE(refused(), "");
}

TEST_F(ForgedRecording, data_sets_that_claim_more_than_the_file_holds_are_refused) {
  // HDF5 lets a file of a few kilobytes declare data sets of any size: what was never written reads as zeros.
  const hsize_t most = 99'000'000;
  const auto sets = [](const fuzz::Hdf5Edit& file, const char* path, const std::vector<hsize_t>& size,
                       hid_t type) { EXPECT_TRUE(file.replace(path, size, type)) << path; };
  for (int which = 0; which < 7; ++which) {
    record();
    forge([&](const auto& f) {
      if (which == 0) sets(f, "bodies/1/vertices", {1, most, 3}, H5T_NATIVE_FLOAT);
      if (which == 1) sets(f, "bodies/1/triangles", {most, 3}, H5T_NATIVE_INT32);
      if (which == 2) sets(f, "grips", {most / 5, 14}, H5T_NATIVE_DOUBLE);
      if (which == 3) sets(f, "frames", {most}, recording::frame_row_type());
      if (which == 4) sets(f, "scene/files/0/value", {3 * most}, H5T_NATIVE_UINT8);
      if (which == 5) sets(f, "contacts/index", {most}, recording::contact_row_type());
      if (which == 6) {
        sets(f, "ticks", {most}, recording::tick_type(true));
        sets(f, "checks", {most}, H5T_NATIVE_UINT64);
        for (const char* d : {"devices/0", "devices/1"}) {
          H5Ldelete(f.file(), d, H5P_DEFAULT);  // no devices: nothing bounds the rows but the file
        }
      }
    });
    EXPECT_NE(refused(), "") << which;
  }
}

TEST_F(ForgedRecording, a_step_that_is_no_time_is_refused) {
  for (const double h : {0.0, -1.0, HUGE_VAL, 1e300}) {
    record();
    forge([&](const auto& file) { EXPECT_TRUE(file.set_number("h_s", 0, h)); });
    EXPECT_NE(refused(), "") << h;
  }
}

}  // namespace forged_recording_test
}  // namespace palp
