#include "palp/io/fclib.hpp"

#include <filesystem>
#include <fstream>
#include <random>

#include "solvers/plain.hpp"
#include "solvers/stored_problems.hpp"
#include <gtest/gtest.h>
#include <hdf5.h>

#include "palp/io/problem_json.hpp"

namespace palp {
namespace fclib_test {

namespace fs = std::filesystem;

/// A folder of its own that disappears with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / std::to_string(std::random_device{}());
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

Problem random_problem(int m, bool with_bilateral, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  MatX Y(3 * m + 2, 3 * m);
  for (double& y : Y.reshaped()) y = normal(random);
  Problem p;
  p.W.dense = Y.transpose() * Y;
  p.W.dense = (p.W.dense + p.W.dense.transpose()).eval() / 2;
  p.delta_free.resize(3 * m);
  for (double& d : p.delta_free) d = normal(random);
  p.mu = VecX::LinSpaced(m, 0.0, 1.0);
  if (with_bilateral) {  // at the end, where the format keeps them
    p.kind.assign(m, ContactKind::unilateral);
    p.kind.back() = ContactKind::bilateral;
    p.mu[m - 1] = 0;
  }
  return p;
}

void expect_same(const Problem& a, const Problem& b) {
  EXPECT_EQ(a.delta_free, b.delta_free);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(testing::plain_dense(a), testing::plain_dense(b));
  for (int i = 0; i < a.contacts(); ++i) EXPECT_EQ(a.bilateral(i), b.bilateral(i));
}

/// Changes one array of a written file: removes it, or puts these values in its place.
void replace(const std::string& file, const char* name, std::vector<double> values = {},
             bool as_text = false) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(f, 0);
  ASSERT_GE(H5Ldelete(f, name, H5P_DEFAULT), 0) << name;
  if (!values.empty() || as_text) {
    const hsize_t size = std::max<size_t>(1, values.size());
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t type = as_text ? H5T_C_S1 : H5T_NATIVE_DOUBLE;
    const hid_t set = H5Dcreate2(f, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!as_text) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Fclose(f);
}

TEST(Fclib, a_written_problem_reads_back_the_same) {
  const Folder folder;
  for (bool bilateral : {false, true})
    for (int m : {1, 2, 5}) {
      const Problem p = random_problem(m, bilateral, 7 + m);
      ASSERT_TRUE(write_fclib(p, folder.file("p.hdf5"), "round trip"));
      auto back = read_problem(folder.file("p.hdf5"));
      ASSERT_TRUE(back) << back.error().text();
      expect_same(p, *back);
    }
}

TEST(Fclib, a_sparse_problem_reads_back_the_same_through_both_formats) {
  const int m = 12;
  std::vector<int> i, j;
  std::vector<double> v;
  for (int r = 0; r < 3 * m; ++r) {
    i.push_back(r), j.push_back(r), v.push_back(2 + 0.1 * r);
    if (r + 3 < 3 * m) {
      i.push_back(r), j.push_back(r + 3), v.push_back(0.5);
      i.push_back(r + 3), j.push_back(r), v.push_back(0.5);
    }
  }
  Problem p;
  p.W = *delassus_from_entries(m, i, j, v);
  ASSERT_FALSE(p.W.is_dense);
  p.delta_free = VecX::LinSpaced(3 * m, -1, 1);
  p.mu = VecX::Constant(m, 0.3);
  const Folder folder;
  ASSERT_TRUE(write_fclib(p, folder.file("p.hdf5")));
  ASSERT_TRUE(write_problem_json(p, folder.file("p.json")));
  for (const char* name : {"p.hdf5", "p.json"}) {
    auto back = read_problem(folder.file(name));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_FALSE(back->W.is_dense);
    expect_same(p, *back);
  }
}

TEST(Fclib, every_stored_problem_loads) {
  PALP_NEEDS_STORED_PROBLEMS();
  for (const std::string& file : testing::stored_problems()) {
    auto problem = read_problem(file);
    ASSERT_TRUE(problem) << problem.error().text();
    EXPECT_GT(problem->contacts(), 0) << file;
    auto info = validate(*problem);
    ASSERT_TRUE(info);
    EXPECT_LE(info->asymmetry, 2.6e-3) << file;
  }
}

TEST(Fclib, a_damaged_file_is_an_error_that_names_the_file) {
  const Folder folder;
  const std::string file = folder.file("bad.hdf5");
  const auto expect_error = [&](const char* about) {
    auto p = read_problem(file);
    ASSERT_FALSE(p) << about;
    EXPECT_NE(p.error().text().find("bad.hdf5"), std::string::npos) << p.error().text();
    EXPECT_NE(p.error().text().find(about), std::string::npos) << p.error().text();
  };
  const auto fresh = [&] { ASSERT_TRUE(write_fclib(random_problem(2, false, 3), file)); };
  const double nan = std::nan("");
  for (const char* name :
       {"W", "vectors", "spacedim", "W/p", "W/i", "W/x", "W/m", "vectors/mu", "vectors/q"}) {
    fresh();
    replace(file, (fs::path("fclib_local") / name).c_str());
    expect_error(fs::path(name).filename().c_str());
  }
  fresh(), replace(file, "fclib_local"), expect_error("fclib_local");
  fresh(), replace(file, "fclib_local/vectors/q", {1, 2, 3}), expect_error("sizes");
  fresh(), replace(file, "fclib_local/vectors/q", {1, 2, 3, nan, 5, 6}), expect_error("not finite");
  fresh(), replace(file, "fclib_local/vectors/mu", {0.5, -1}), expect_error("negative");
  fresh(), replace(file, "fclib_local/vectors/mu", {}, true), expect_error("'mu'");
  fresh(), replace(file, "fclib_local/spacedim", {2}), expect_error("2 rows");
  fresh(), replace(file, "fclib_local/W/m", {2e9}), expect_error("sizes");
  fresh(), replace(file, "fclib_local/W/n", {2e9}), expect_error("'p'");
  fresh(), replace(file, "fclib_local/W/nz", {-7}), expect_error("'nz'");
  fresh(), replace(file, "fclib_local/W/nz", {1e9}), expect_error("'nz'");
  fresh(), replace(file, "fclib_local/W/p", {0, 6, 12, 18, 24, 30, 1e9}), expect_error("'p'");
  fresh(), replace(file, "fclib_local/W/p", {0, -6, 12, 18, 24, 30, 36}), expect_error("'p'");
  fresh(), replace(file, "fclib_local/W/i", std::vector<double>(36, 6.0)), expect_error("outside");
  fresh(), replace(file, "fclib_local/W/x", std::vector<double>(36, nan)), expect_error("not finite");
  std::ofstream(file) << "\x89HDF\r\n\x1a\n and then nothing";
  expect_error("HDF5");
  fresh(), fs::resize_file(file, fs::file_size(file) / 2), expect_error("bad.hdf5");
  fs::remove(file);
  expect_error("cannot be read");
  EXPECT_FALSE(write_fclib(random_problem(1, false, 1), folder.file("no/such/folder/p.hdf5")));
}

}  // namespace fclib_test
}  // namespace palp
