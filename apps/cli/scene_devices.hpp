// --device: real devices, opened for a command and put into its scenes.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "palp/devices/backends/kinds.hpp"
#include "palp/scene/attach_device.hpp"

namespace palp::cli {

class SceneDevices {
 public:
  SceneDevices() = default;
  ~SceneDevices() { close(); }
  SceneDevices(const SceneDevices&) = delete;

  /// Makes the devices; hardware is not touched. False: see trouble(). The page (`hand=page`) can be one of
  /// them when `with_page`: see pages().
  bool make(const std::vector<std::string>& specs, bool with_page = false);
  /// Opens those that are not open yet, puts them into the scene, and prints what had to be lowered.
  /// False, with everything closed: see trouble().
  bool attach(Scene& scene, bool quiet = false);
  void close();
  bool empty() const { return devices_.empty() && pages_.empty(); }
  /// Names of the scene's devices that are the page's; empty: its first one.
  const std::vector<std::string>& pages() const { return pages_; }
  const std::string& trouble() const { return trouble_; }

 private:
  bool open();
  struct One {
    DeviceSpec spec;
    std::string text;  ///< as it was written
    std::shared_ptr<Device> device;
  };
  std::vector<One> devices_;
  std::vector<std::string> pages_;
  std::string trouble_;
};

}  // namespace palp::cli
