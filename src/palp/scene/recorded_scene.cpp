#include "palp/scene/recorded_scene.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <unistd.h>

#include "palp/devices/recorded.hpp"
#include "palp/io/cursor.hpp"
#include "palp/scene/strict_yaml.hpp"

namespace palp {
namespace {

namespace fs = std::filesystem;

/// How many folders a relative path climbs.
int climbs(const std::string& name) {
  int depth = 0, most = 0;
  for (const auto& part : fs::path(name)) {
    if (part == "..")
      most = std::max(most, ++depth);
    else if (part != ".")
      --depth;
  }
  return most;
}

RecordingSetup::Body describe_body(const Model::Entry& entry) {
  const Body& body = *entry.body;
  RecordingSetup::Body out;
  out.name = entry.name;
  out.moves = body.movable();
  out.radius = body.skin().radius;
  out.vertices.resize(static_cast<size_t>(body.skin().vertices));
  body.skin_positions(body.rest_state(), VecX(), out.vertices);
  out.triangles = body.skin().triangles;
  out.segments = body.skin().segments;
  return out;
}

}  // namespace

std::map<std::string, std::string> files_named(const YAML::Node& node, const std::string& folder) {
  std::map<std::string, std::string> out;
  if (node.IsMap())
    for (const auto& entry : node) out.merge(files_named(entry.second, folder));
  else if (node.IsSequence())
    for (const auto& entry : node) out.merge(files_named(entry, folder));
  else if (node.IsScalar() && !node.Scalar().empty()) {
    const fs::path path = folder / fs::path(node.Scalar());  // an absolute path stays what it is
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) out[node.Scalar()] = path.string();
  }
  return out;
}

Result<RecordingSetup> describe_scene(const Scene& scene, const std::string& program_version) {
  RecordingSetup s;
  s.program_version = program_version;
  s.scene_file = scene.spec.file;
  s.scene_text = scene.spec.text;
  for (const SceneOverride& o : scene.spec.changes) s.overrides.emplace_back(o.key, o.value);
  std::map<std::string, std::string> files;
  const std::string folder = fs::path(scene.spec.file).parent_path().string();
  std::vector<std::string> texts{s.scene_text};
  for (const SceneOverride& o : scene.spec.changes) texts.push_back(o.value);
  for (const std::string& part : texts) {
    const auto tree = parse_yaml(part, scene.spec.file);
    if (!tree)
      return Error{.message = "the scene is not the one that was built: " + tree.error().message,
                   .file = scene.spec.file};
    files.merge(files_named(*tree, folder));
  }
  for (const auto& [name, path] : files) {
    auto bytes = io::read_bytes(path);
    if (!bytes) return bytes.error();
    s.files.emplace_back(name, std::move(*bytes));
  }
  s.h_s = scene.two_rate ? scene.two_rate->settings.h_high_s : scene.model.h_s;
  for (const SceneDevice& d : scene.devices) s.devices.push_back(d.name);
  s.grips = scene.grips;
  for (const auto& entry : scene.model.bodies) s.bodies.push_back(describe_body(entry));
  return s;
}

Result<RecordedScene> RecordedScene::build(const RecordingSetup& setup, std::span<const TickRecord> ticks) {
  RecordedScene out;
  const auto failed = [&setup](const std::string& why) {
    return Error{.message = "the recorded scene '" + setup.scene_file + "' cannot be built again: " + why,
                 .remedy = "use the version of the program that recorded it"};
  };
  // A folder deep enough for names that climb.
  std::error_code error;
  std::string root = (fs::temp_directory_path(error) / "palp-replay-XXXXXX").string();
  if (error || !mkdtemp(root.data())) return failed("no temporary folder can be made");
  out.folder_ = root;
  int depth = 0;
  for (const auto& [name, bytes] : setup.files) depth = std::max(depth, climbs(name));
  fs::path folder = root;
  for (int i = 0; i < depth; ++i) folder /= "d";
  const auto write = [&error](const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    return file.good();
  };
  for (const auto& [name, bytes] : setup.files) {
    if (fs::path(name).is_absolute()) {
      auto now = io::read_bytes(name);
      if (!now || *now != bytes)
        return failed("'" + name +
                      "' is not there any more, or has changed (name files relative to the scene)");
    } else if (!write(folder / name, bytes)) {
      return failed("'" + name + "' cannot be written to a temporary folder");
    }
  }
  const fs::path file = folder / "recorded-scene.yaml";
  if (!write(file, setup.scene_text)) return failed("it cannot be written to a temporary folder");
  SceneSpec spec{file.string(), setup.scene_text};
  for (const auto& [key, value] : setup.overrides) spec.changes.push_back({key, value});
  SceneResult loaded = build_scene(spec);
  if (!loaded.scene) return failed(loaded.errors.empty() ? "unknown" : loaded.errors[0].text());
  out.scene_ = std::move(loaded.scene);
  Scene& scene = *out.scene_;
  scene.spec.file = setup.scene_file;
  if (scene.devices.size() != setup.devices.size() || scene.model.bodies.size() != setup.bodies.size())
    return failed("it has other devices or bodies now");
  // The scene tells what is held; the recording only how (the hand may have taken it elsewhere).
  const auto same_hold = [](const Grip& a, const Grip& b) {
    return a.device == b.device && a.body == b.body && a.frame == b.frame;
  };
  if (!std::equal(scene.grips.begin(), scene.grips.end(), setup.grips.begin(), setup.grips.end(), same_hold))
    return failed("its devices hold other bodies or frames now");
  for (size_t i = 0; i < scene.grips.size(); ++i) {
    const Switch when = scene.grips[i].when;
    scene.grips[i] = setup.grips[i];
    scene.grips[i].when = when;
  }
  if (scene.two_rate) scene.two_rate->grips = setup.grips;
  for (size_t d = 0; d < scene.devices.size(); ++d) {
    std::vector<RecordedDevice::Sample> samples;
    for (const TickRecord& t : ticks)
      samples.push_back(
          {t.time_s, {device_pose(t.device[d]), t.device[d].buttons, t.device[d].present != 0}});
    scene.devices[d].device =
        std::make_unique<RecordedDevice>(scene.devices[d].device->read(0), std::move(samples));
  }
  return out;
}

RecordedScene::~RecordedScene() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

}  // namespace palp
