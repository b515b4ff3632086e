// What all viewers of one server share: the simulation, the newest encoded frame, who holds which device,
// figures. Used by the server's thread only, but for the figures.
#pragma once
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <set>

#include "messages.hpp"
#include "server.hpp"

namespace palp::view {

class Viewer;

struct Hub {
  Simulation* simulation = nullptr;
  ServerSettings settings;
  std::set<std::shared_ptr<Viewer>> viewers;
  EncodedFrame frame;
  std::shared_ptr<const SceneText> scene;
  std::string trouble;
  std::deque<ViewSample> samples;  ///< the newest; the last has number `sample_end` − 1
  long sample_end = 0;
  std::array<const Viewer*, Simulation::devices> holder{};  ///< null: nobody

  struct {
    std::atomic<int> viewers{0};
    std::atomic<long> frames{0}, bytes{0}, thinned{0}, dropped{0}, refused{0};
  } figures;

  /// Takes what is new from the simulation; true when there is a frame for the viewers.
  bool refresh();
  /// Encodes a colour of the newest frame, unless that has been done. False: the frame does not hold it.
  bool colour(Colour colour);
  /// Tells the simulation who watches.
  void count_audience();
};

}  // namespace palp::view
