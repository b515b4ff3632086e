#include "scene_devices.hpp"

#include <algorithm>
#include <cstdio>

namespace palp::cli {

bool SceneDevices::make(const std::vector<std::string>& specs, bool with_page) {
  for (const std::string& text : specs) {
    auto spec = DeviceSpec::parse(text);
    if (!spec) {
      trouble_ = spec.error().text();
      break;
    }
    if (spec->kind == "page" && with_page) {
      pages_.push_back(spec->name);
      continue;
    }
    auto device = make_device(*spec);
    if (!device) {
      trouble_ = device.error().text();
      break;
    }
    devices_.push_back({std::move(*spec), text, std::move(*device)});
  }
  return trouble_.empty();
}

bool SceneDevices::open() {
  for (One& one : devices_) {
    if (auto ok = one.device->open(); !ok) {
      trouble_ = "--device " + one.text + ": " + ok.error().text();
      close();
      return false;
    }
  }
  return true;
}

bool SceneDevices::attach(Scene& scene, bool quiet) {
  for (const std::string& name : pages_) {
    const auto is = [&](const SceneDevice& d) { return name == d.name; };
    if (name.empty() || std::any_of(scene.devices.begin(), scene.devices.end(), is)) continue;
    trouble_ = scene.spec.file + ": the scene has no device '" + name + "' for the page";
    return false;
  }
  if (!open()) return false;
  for (const One& one : devices_) {
    auto attached = attach_device(scene, one.spec.name, one.device, one.spec.insist);
    if (!attached) {
      trouble_ = attached.error().text();
      return false;
    }
    for (const std::string& notice : attached->notices)
      if (!quiet) std::fprintf(stderr, "note: %s\n", notice.c_str());
  }
  return true;
}

void SceneDevices::close() {
  for (One& one : devices_) one.device->close();
  devices_.clear();
  pages_.clear();
}

}  // namespace palp::cli
