// A scene file (YAML, strict, SI units) comes to life in three steps:
//     read_scene     what was written, and what is to be changed in it:  SceneSpec
//     build_scene    the model, its devices and what to do with them:    Scene
//     attach_device  what touches hardware (attach_device.hpp)
// docs/scene.md is the user's description; the words that a file may have are in scene_keys.hpp.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "palp/devices/device.hpp"
#include "palp/hands/single_rate.hpp"
#include "palp/haptics/two_rate_model.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mesh/voxels.hpp"
#include "palp/safety/device_profile.hpp"

namespace palp {

/// A change to the file's content before it is built: `key` is a path like bodies.clip.mu, `value` is YAML.
struct SceneOverride {
  std::string key, value;
};

/// What a scene is built from: by commands, sliders, sweeps, replay and Python, as often as they like.
struct SceneSpec {
  std::string file;  ///< stands in errors; paths in the text are relative to it
  std::string text;  ///< as it was written
  std::vector<SceneOverride> changes = {};
};

struct SceneDevice {
  std::string name;
  std::unique_ptr<Device> device;
  DeviceProfile profile = DeviceProfile::unlimited();
  Course<double> button = {};  ///< its first button by a script: pressed where this is above a half
};

/// The elements of a deformable body, where they start: for files and pictures.
struct BodyVolume {
  VolumeMesh mesh;
  std::vector<CellFill> hex_fill;
  std::vector<Lame> materials;  ///< the body's own, then those of its parts
  std::vector<int> of_element;  ///< as in MaterialParts

  const Lame& material(size_t element) const {
    return materials[of_element.empty() ? 0 : static_cast<size_t>(of_element[element])];
  }
};

/// What a body is made of, for reports.
struct BodyMesh {
  int cells = 0;         ///< tets, hexes, triangles or segments
  bool refined = false;  ///< SceneRefinement changes it: a generator or a lattice, not a file
  /// A translation that is held or moved along some directions, on which `directions` projects.
  struct Held {
    int block = 0;
    Mat3 directions = Mat3::Identity();
  };
  std::vector<Held> supports = {};                ///< nodes that the scene fixes, pins or supports
  std::vector<Held> moved = {};                   ///< nodes that the scene moves
  std::shared_ptr<const BodyVolume> volume = {};  ///< of deformable volumes
  std::optional<VoxelReport> lattice = {};        ///< of a surface laid in a lattice
};

struct Scene {
  SceneSpec spec;  ///< what it was built from; with what a device has changed in it
  double seconds = 1;
  Model model;
  std::vector<BodyMesh> meshes;  ///< one per body
  std::vector<SceneDevice> devices;
  std::vector<Grip> grips;
  std::vector<Grasp> grasps;
  std::optional<TwoRateModel> two_rate;  ///< a scene with `haptics:`; model.h_s is then the low rate's step
  std::vector<std::optional<HapticContact>> pair_contact;  ///< per rule, where the pair says so
};

/// The same scene in finer steps, to see what its steps cost in accuracy.
struct SceneRefinement {
  double mesh = 1;  ///< cells per length, of generators and lattices
  double time = 1;  ///< steps per time, of every rate
};

struct SceneResult {
  std::unique_ptr<Scene> scene;       ///< null when there are errors
  std::vector<Error> errors;          ///< all of them, in the file's order
  std::vector<std::string> warnings;  ///< suspicions: units, mesh quality
};

/// The text of a file.
Result<SceneSpec> read_scene(const std::string& file, std::vector<SceneOverride> changes = {});
/// Checks and builds. No device is opened.
SceneResult build_scene(const SceneSpec& spec, const SceneRefinement& refinement = {});
/// Both.
SceneResult load_scene(const std::string& file, const std::vector<SceneOverride>& changes = {},
                       const SceneRefinement& refinement = {});

}  // namespace palp
