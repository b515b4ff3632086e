// What a run comes to, in numbers with names: the one list that `palp run` prints and `palp converge`
// follows.
//
// clang-format off
//     DEVICE.peakForce, DEVICE.meanForce      N     size of the force on the hand: the largest, its mean over time
//     DEVICE.peakTorque, DEVICE.meanTorque    N·m   the same of the torque
//     BODY.reaction, BODY.peakReaction        N     size of the force that the supports of a body with fixed or pinned
//                                                   nodes carry, at the end and at most
//     BODY.movingForce, BODY.peakMovingForce  N     the same of what moves its nodes (`moves`)
//     BODY.pressure, BODY.peakPressure        Pa    largest contact pressure on the skin of a body that others can touch
//                                                   (sim/contact_pressure.hpp), at the end and at most
// clang-format on
//
// Peaks carry their time. The forces are those that the devices were given, after their safety chains.
#pragma once
#include "palp/scene/run.hpp"

namespace palp {

struct Quantity {
  std::string name;
  const char* unit = "";
  double value = 0;
  std::optional<double> at_s;  ///< of peaks
};

class RunQuantities {
 public:
  /// `scene` must outlive this.
  explicit RunQuantities(const Scene& scene);
  /// After every step that succeeded.
  void add(SceneRun& run);
  std::vector<Quantity> list() const;

 private:
  struct Course {
    std::string peak, second;  ///< names; second: the mean over time of a device's, the end of a body's
    const char* unit;
    int body = -1;
    double (*of_body)(const Scene& scene, SceneRun& run, int body) = nullptr;
    double largest = 0, at_s = 0, sum = 0, last = 0;
    void add(double size, double time_s);
  };
  const Scene* scene_;
  std::vector<Course> courses_;  ///< two per device, then those of the bodies
  size_t devices_ = 0;
  long steps_ = 0;
};

/// The names that a scene has.
std::vector<std::string> quantity_names(const Scene& scene);

/// Runs the scene to its end, or for `seconds` if they are positive. Errors: a step that failed.
Result<std::vector<Quantity>> measure_run(Scene& scene, double seconds = 0);

}  // namespace palp
