// Between a scene and a recording: what a recording has to know so that it can be run again anywhere, and the
// way back from it to a scene that plays the recorded hands.
#pragma once
#include <map>

#include "palp/io/recording.hpp"
#include "palp/scene/scene.hpp"

namespace YAML {
class Node;
}

namespace palp {

/// The files beside a scene that its texts name: as they are spelled, and where they are.
std::map<std::string, std::string> files_named(const YAML::Node& tree, const std::string& folder);

/// What the scene was built from, the files that it names, its bodies, devices and grips.
Result<RecordingSetup> describe_scene(const Scene& scene, const std::string& program_version);

/// Builds the scene of a recording, with its files as they were, in a folder of its own that goes with it;
/// every device plays what was recorded. `ticks`: the rows to play.
class RecordedScene {
 public:
  static Result<RecordedScene> build(const RecordingSetup& setup, std::span<const TickRecord> ticks);
  RecordedScene(RecordedScene&& other) noexcept
      : scene_(std::move(other.scene_)), folder_(std::move(other.folder_)) {
    other.folder_.clear();
  }
  RecordedScene& operator=(RecordedScene&&) = delete;
  ~RecordedScene();
  Scene& scene() { return *scene_; }

 private:
  RecordedScene() = default;
  std::unique_ptr<Scene> scene_;
  std::string folder_;
};

}  // namespace palp
