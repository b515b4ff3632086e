// palp run and palp check as a user meets them: the program is run, its output, files and exit code are read.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "program.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/io/mesh_file.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace run_test {

namespace fs = std::filesystem;
using nlohmann::json;

using palp::testing::Outcome;

class RunCommand : public ::testing::Test {
 protected:
  fs::path folder = fs::temp_directory_path() / ("palp_run_" + std::to_string(getpid()));
  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "ball.yaml") << R"(dt: 0.005
seconds: 0.3
contact: {mu: 0.4, alarmDistance: 0.01}
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.05, cellsAcross: 4}
    position: [0, 0, 0.06]
    youngModulus: 2e4
  floor:
    model: obstacle
    mesh: {generator: box, size: [0.4, 0.4, 0.02], cells: [1, 1, 1], centre: [0, 0, -0.01]}
)";
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string file(const char* name) const { return (folder / name).string(); }
  /// `with_errors`: standard error too.
  static Outcome palp_command(const std::string& arguments, bool with_errors = true) {
    return palp::testing::palp_program(arguments, with_errors ? "2>&1" : "2>/dev/null");
  }
};

TEST_F(RunCommand, the_summary_for_machines_has_ordered_percentiles_of_every_stage) {
  const Outcome out = palp_command("run " + file("ball.yaml") + " --json", false);
  ASSERT_EQ(out.code, 0) << out.text;
  const json summary = json::parse(out.text);
  EXPECT_EQ(summary["steps"], 60);
  EXPECT_EQ(summary["unconverged_steps"], 0);
  EXPECT_GE(summary["late_steps"], 0);
  for (const char* stage : {"free motion", "proximity", "contacts", "delassus", "solve", "motion", "step"}) {
    const json& t = summary["stages_us"][stage];
    EXPECT_LE(t["p50"], t["p99"]) << stage;
    EXPECT_LE(t["p99"], t["p999"]) << stage;
    EXPECT_LE(t["p999"], t["max"]) << stage;
    EXPECT_GT(t["max"], 0) << stage;
  }
}

TEST_F(RunCommand, the_contact_problem_of_a_step_comes_out_and_can_be_solved) {
  const Outcome run = palp_command("run " + file("ball.yaml") + " --problem-at 0.25 " + file("p.hdf5"));
  ASSERT_EQ(run.code, 0) << run.text;
  const Outcome solve = palp_command("solve " + file("p.hdf5") + " --tol 1e-9 --json", false);
  ASSERT_EQ(solve.code, 0) << solve.text;
  const json answer = json::parse(solve.text);
  EXPECT_TRUE(answer["converged"]);
  EXPECT_GT(answer["contacts"], 0);
  // Nearly at rest: the normal forces carry about the weight of the ball.
  double up = 0;
  for (size_t i = 0; i < answer["r"].size(); i += 3) up += answer["r"][i].get<double>();
  const double weight = 9.81 * 1000 * 4.0 / 3.0 * 3.14159 * 0.05 * 0.05 * 0.05;
  EXPECT_GT(up, 0.3 * weight);
  EXPECT_LT(up, 4 * weight);
}

TEST_F(RunCommand, a_problem_that_is_not_there_is_an_error) {
  const Outcome early =
      palp_command("run " + file("ball.yaml") +
                   " --set 'bodies.ball.position=[0, 0, 0.2]' --problem-at 0.005 " + file("p.hdf5"));
  EXPECT_NE(early.code, 0);
  EXPECT_NE(early.text.find("nothing touches"), std::string::npos) << early.text;
  const Outcome late = palp_command("run " + file("ball.yaml") + " --problem-at 9 " + file("p.hdf5"));
  EXPECT_NE(late.code, 0);
  EXPECT_NE(late.text.find("--seconds"), std::string::npos) << late.text;
}

TEST_F(RunCommand, the_same_scene_writes_the_same_series_but_for_the_times) {
  const auto series = [&](const char* name) {
    EXPECT_EQ(palp_command("run " + file("ball.yaml") + " --csv " + file(name)).code, 0);
    std::ifstream in(file(name));
    std::string line, all;
    while (std::getline(in, line)) {
      size_t comma = 0;  // the first eleven columns; then come the stage times
      for (int k = 0; k < 11; ++k) comma = line.find(',', comma + 1);
      all += line.substr(0, comma) + "\n";
    }
    return all;
  };
  const std::string first = series("a.csv");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(first, series("b.csv"));
}

TEST_F(RunCommand, check_names_line_column_and_remedy) {
  std::ofstream(folder / "bad.yaml")
      << "dt: 0.005\nbodies:\n  ball: {model: rigd, mesh: {generator: sphere}}\n";
  const Outcome out = palp_command("check " + file("bad.yaml"));
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("bad.yaml:3:17"), std::string::npos) << out.text;
  EXPECT_NE(out.text.find("rigid"), std::string::npos) << out.text;
  EXPECT_EQ(palp_command("check " + file("ball.yaml")).code, 0);
  EXPECT_NE(palp_command("check " + file("nothing.yaml")).code, 0);
}

TEST_F(RunCommand, a_run_that_leaves_the_numbers_behind_does_not_end_as_if_nothing_had_happened) {
  const Outcome out = palp_command("run " + file("ball.yaml") + " --set 'gravity=[0, 0, -1e300]'");
  EXPECT_EQ(out.code, 1) << out.text;
  EXPECT_TRUE(out.text.find("'ball'") != std::string::npos || out.text.find("gravity") != std::string::npos)
      << out.text;
}

TEST_F(RunCommand, contacts_beyond_the_bound_are_left_out_and_told) {
  const std::string bounded = "run " + file("ball.yaml") + " --set solver.maxContacts=3";
  const Outcome text = palp_command(bounded, false);
  ASSERT_EQ(text.code, 0) << text.text;
  EXPECT_NE(text.text.find("solver.maxContacts"), std::string::npos) << text.text;
  const json summary = json::parse(palp_command(bounded + " --json", false).text);
  EXPECT_EQ(summary["contacts_max"], 3);
  EXPECT_GT(summary["steps_with_contacts_left_out"], 0);
  EXPECT_EQ(palp_command("check " + file("ball.yaml") + " --set solver.maxContacts=6000").code, 1);
}

TEST_F(RunCommand, frames_begin_at_zero_and_hold_volumes_with_stress_skins_and_contacts) {
  const fs::path frames = folder / "deep" / "er";  // made by the command
  const Outcome out = palp_command("run " + file("ball.yaml") + " --fps 10 --vtu " + frames.string());
  ASSERT_EQ(out.code, 0) << out.text;
  std::ifstream list(frames / "scene.pvd");
  std::string line, last;
  std::vector<std::string> times, names, files;
  while (std::getline(list, line)) {
    const auto value = [&](const std::string& key) {
      const size_t at = line.find(key + "=\"");
      if (at == std::string::npos) return std::string();
      const size_t from = at + key.size() + 2;
      return line.substr(from, line.find('"', from) - from);
    };
    if (value("file").empty()) continue;
    times.push_back(value("timestep"));
    names.push_back(value("name"));
    files.push_back(value("file"));
  }
  ASSERT_EQ(files.size(), 16u);  // four frames: volume and skin of the ball, the floor, contacts
  EXPECT_EQ(times.front(), "0");
  EXPECT_EQ(times[4], "0.1");
  EXPECT_EQ(times.back(), "0.3");
  EXPECT_EQ(names[12], "ball");
  EXPECT_EQ(names[13], "ball skin");
  EXPECT_EQ(names[15], "contacts");
  const auto volume = palp::read_mesh((frames / files[12]).string());
  ASSERT_TRUE(volume) << volume.error().text();
  EXPECT_GT(volume->hexes.size(), 0u);
  std::set<std::string> data;
  for (const auto& a : volume->point_data) data.insert(a.name);
  for (const auto& a : volume->cell_data) data.insert(a.name);
  for (const char* name :
       {"displacement_m", "velocity_m_per_s", "strain_normal", "strain_shear", "strain_equivalent",
        "stress_normal_Pa", "stress_shear_Pa", "stress_equivalent_Pa"})
    EXPECT_TRUE(data.contains(name)) << name;
  // The pressure on the skin is the force of the contacts: in z both are the same, on a flat floor.
  const auto skin = palp::read_mesh((frames / files[13]).string());
  ASSERT_TRUE(skin) << skin.error().text();
  const auto area = palp::vertex_areas(skin->triangles, skin->nodes);
  double pressed = 0;
  for (const auto& a : skin->point_data)
    for (size_t n = 0; a.name == "pressure_Pa" && n < area.size(); ++n) pressed += area[n] * a.values[n];
  const auto contacts = palp::read_mesh((frames / files[15]).string());
  ASSERT_TRUE(contacts) << contacts.error().text();
  ASSERT_GT(contacts->nodes.size(), 0u);  // the ball lies on the floor by then
  EXPECT_EQ(contacts->cells(), 0u);
  for (const auto& a : contacts->point_data)
    if (a.name == "normal")
      for (size_t n = 0; n < contacts->nodes.size(); ++n) {
        EXPECT_NEAR(std::abs(a.values[3 * n + 2]), 1, 1e-2);
      }
  double force = 0;
  for (const auto& a : contacts->point_data)
    for (size_t n = 0; a.name == "force_N" && n < contacts->nodes.size(); ++n)
      force += std::abs(a.values[3 * n + 2]);
  EXPECT_GT(force, 0);
  EXPECT_NEAR(pressed, force, 0.01 * force);
}

TEST_F(RunCommand, the_series_has_bodies_pairs_and_reactions) {
  std::ofstream(folder / "pad.yaml") << R"(dt: 0.01
seconds: 2
contact: {mu: 0.4, alarmDistance: 0.002}
bodies:
  pad:
    model: linear
    mesh: {generator: box, size: [0.1, 0.1, 0.02], cells: [4, 4, 2], centre: [0, 0, -0.01]}
    youngModulus: 1e5
    rayleighMass: 20
    fixed: {box: [[-1, -1, -1], [1, 1, -0.0199]]}
  block:
    model: rigid
    mesh: {generator: box, size: [0.04, 0.04, 0.04], cells: [1, 1, 1], centre: [0, 0, 0]}
    rayleighMass: 20
    position: [0, 0, 0.0201]
)";
  const Outcome out = palp_command("run " + file("pad.yaml") + " --csv " + file("new/pad.csv"));
  ASSERT_EQ(out.code, 0) << out.text;
  std::ifstream csv(folder / "new" / "pad.csv");
  std::string header, row, last;
  std::getline(csv, header);
  while (std::getline(csv, row)) last = row;
  std::map<std::string, double> value;
  std::stringstream names(header), numbers(last);
  for (std::string name, number; std::getline(names, name, ',') && std::getline(numbers, number, ',');)
    value[name] = std::stod(number);
  const double weight = 1000 * 0.04 * 0.04 * 0.04 * 9.81, own = 1000 * 0.1 * 0.1 * 0.02 * 9.81;
  const double pair =
      value.contains("block-pad_fz_N") ? value["block-pad_fz_N"] : -value.at("pad-block_fz_N");
  EXPECT_NEAR(pair, weight, 0.02 * weight);
  EXPECT_NEAR(value.at("pad_reaction_z_N"), weight + own, 0.02 * (weight + own));
  EXPECT_NEAR(value.at("block_qw"), 1, 1e-3);
  EXPECT_LT(value.at("block_z_m"), 0.0201);
  EXPECT_GT(value.at("block_z_m"), 0.015);
  EXPECT_NEAR(value.at("pad_z_m"), -0.01, 0.002);
}

TEST_F(RunCommand, paths_are_tried_before_the_run) {
  for (const char* option : {"--plot out.jpg", "--picture out.svg", "--csv /proc/none/x.csv"}) {
    const Outcome out = palp_command("run " + file("ball.yaml") + " --seconds 1e5 " + option);
    EXPECT_EQ(out.code, 1) << option;
    EXPECT_LT(out.text.size(), 400u) << out.text;
  }
}

TEST_F(RunCommand, a_wrong_command_line_is_exit_code_2_and_suggests_what_was_meant) {
  const Outcome rum = palp_command("rum " + file("ball.yaml"));
  EXPECT_EQ(rum.code, 2);
  EXPECT_NE(rum.text.find("did you mean 'palp run'"), std::string::npos) << rum.text;
  EXPECT_EQ(palp_command("run " + file("ball.yaml") + " --fsp 3").code, 2);
  EXPECT_EQ(palp_command("run").code, 2);
  EXPECT_EQ(palp_command("--help").code, 0);
  EXPECT_EQ(palp_command("run " + file("none.yaml")).code, 1);
}

// Points on limited constraints (haptics: {contact: glc}) are in every output.
TEST_F(RunCommand, limited_contacts_show_in_series_frames_pictures_and_problems) {
  const Outcome run = palp_command(
      "run " PALP_SOURCE_DIR "/scenes/k16-sine.yaml --seconds 0.1 --problem-at 0.1 " + file("p.hdf5") +
      " --csv " + file("s.csv") + " --vtu " + file("frames") + " --picture " + file("p.png"));
  ASSERT_EQ(run.code, 0) << run.text;
  std::ifstream csv(folder / "s.csv");
  std::string line, last;
  std::getline(csv, line);
  std::map<std::string, double> value;
  std::vector<std::string> names;
  std::stringstream head(line);
  for (std::string name; std::getline(head, name, ',');) names.push_back(name);
  while (std::getline(csv, line)) last = line;
  std::stringstream row(last);
  for (size_t k = 0; std::getline(row, line, ',') && k < names.size(); ++k) value[names[k]] = std::stod(line);
  const auto length = [&](const std::string& of) {
    return std::hypot(value.at(of + "x_N"), value.at(of + "y_N"), value.at(of + "z_N"));
  };
  const double felt = length("hand_f");
  EXPECT_GT(felt, 0.5);
  EXPECT_GT(value.at("contacts"), 10);
  EXPECT_GE(value.at("active"), 1);
  // The solution of the tick's problem is what the hand feels: the point weighs a gram.
  const Outcome solve = palp_command("solve " + file("p.hdf5") + " --tol 1e-9 --json", false);
  ASSERT_EQ(solve.code, 0) << solve.text;
  double squares = 0;
  const json answer = json::parse(solve.text);
  for (const auto& r : answer["r"]) squares += r.get<double>() * r.get<double>();
  EXPECT_NEAR(std::sqrt(squares), felt, 0.2 * felt);
  EXPECT_TRUE(fs::exists(folder / "p.png"));
  int with_one_contact = 0;
  for (const auto& entry : fs::directory_iterator(folder / "frames")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    with_one_contact += text.str().find("force_N") != std::string::npos &&
                        text.str().find("NumberOfPoints=\"1\"") != std::string::npos;
  }
  EXPECT_GT(with_one_contact, 0);
}

TEST_F(RunCommand, a_run_on_the_clock_leaves_the_same_files_as_its_replay) {
  const Outcome out =
      palp_command("run " + file("ball.yaml") + " --realtime --json --seconds 0.05 --csv " + file("s.csv") +
                       " --record " + file("r.h5") + " --picture " + file("s.png"),
                   false);
  ASSERT_EQ(out.code, 0) << out.text;
  // The table without the times that computing took.
  const auto table = [&](const char* name) {
    std::ifstream file(folder / name);
    std::vector<std::vector<std::string>> rows;
    for (std::string line, cell; std::getline(file, line);) {
      std::stringstream cells(line);
      for (rows.emplace_back(); std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    for (size_t k = rows.front().size(); k-- > 0;)
      if (rows.front()[k].ends_with("_us"))
        for (auto& row : rows) row.erase(row.begin() + static_cast<long>(k));
    return rows;
  };
  const auto rows = table("s.csv");
  const size_t ticks = json::parse(out.text)["recording"]["ticks"];
  EXPECT_GT(ticks, 0u);
  EXPECT_EQ(rows.size(), 2 + ticks);  // names, start
  EXPECT_TRUE(fs::exists(folder / "s.png"));
  ASSERT_EQ(palp_command("replay " + file("r.h5") + " --csv " + file("again.csv")).code, 0);
  EXPECT_EQ(table("again.csv"), rows);
}

TEST_F(RunCommand, a_run_on_the_clock_checks_its_files_before) {
  std::ofstream(folder / "taken") << "a file";
  const Outcome out = palp_command("run " + file("ball.yaml") + " --realtime --csv " + file("taken/s.csv"));
  EXPECT_EQ(out.code, 1);
  EXPECT_NE(out.text.find("choose another path"), std::string::npos) << out.text;
}

TEST_F(RunCommand, pictures_take_a_camera_and_a_size) {
  const Outcome out = palp_command("run " + file("ball.yaml") + " --seconds 0.02 --picture " +
                                   file("p/b.png") + " --picture-from 0 0 1 --picture-size 320 200");
  ASSERT_EQ(out.code, 0) << out.text;
  std::ifstream png(folder / "p" / "b.png", std::ios::binary);
  unsigned char head[24] = {};
  png.read(reinterpret_cast<char*>(head), 24);
  EXPECT_EQ(head[18] * 256 + head[19], 320);
  EXPECT_EQ(head[22] * 256 + head[23], 200);
}

TEST_F(RunCommand, check_compares_a_part_with_its_surface) {
  std::ofstream(folder / "tip.obj")
      << "v 0 0 0\nv 40 0 0\nv 0 30 0\nv 0 0 20\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder / "tip.yaml")
      << "bodies:\n  tip: {model: corotational, mesh: {file: tip.obj}, scale: 0.001, "
         "youngModulus: 1e6, density: 2000}\n";
  const Outcome out = palp_command("check --json " + file("tip.yaml"), false);
  ASSERT_EQ(out.code, 0) << out.text;
  const json tip = json::parse(out.text)["lattices"]["tip"];
  EXPECT_NEAR(tip["surface_volume_m3"].get<double>(), 4e-6, 1e-12);
  EXPECT_NEAR(tip["volume_m3"].get<double>(), 4e-6, 4e-8);
  EXPECT_NEAR(tip["mass_kg"].get<double>(), 8e-3, 8e-5);
  EXPECT_NEAR(tip["centre_m"][0].get<double>(), 0.010, 1e-4);
  EXPECT_NEAR(tip["surface_centre_m"][2].get<double>(), 0.005, 1e-9);
}

}  // namespace run_test
