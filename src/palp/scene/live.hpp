// A scene that runs on the clock in the background while the application does something else:
// draws what it sees, changes friction, stops. The application's thread and the haptic threads never wait for
// each other.
#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "palp/base/triple_buffer.hpp"
#include "palp/scene/realtime_run.hpp"

namespace palp {

/// What an application draws: the scene as the last low-rate step left it.
struct LiveView {
  struct Contact {
    int body1 = 0, body2 = -1;     ///< numbers in Scene::model.bodies; −1 = the world
    Vec3 position = Vec3::Zero();  ///< on body 1
    Vec3 normal = Vec3::Zero();    ///< from body 2 into body 1
    Vec3 force_N = Vec3::Zero();   ///< on body 1, world axes
    SkinPoint P = {}, Q = {};      ///< on the skins of body 1 and body 2
    bool bilateral = false;        ///< of an attachment
  };
  double time_s = 0;                     ///< of the tick that the step started from; 0 before the first
  std::vector<std::vector<Vec3>> skins;  ///< by body: the vertices of its skin (Body::skin has the triangles)
  std::vector<VecX> x;                   ///< by body: its generalised positions (BodyState)
  std::vector<Contact> contacts;         ///< at most `most_contacts`
  double certificate = 0;                ///< worst of the step's own contact problems
  static constexpr std::size_t most_contacts = 2048;
};

class LiveScene final : public LowRateGuest {
 public:
  /// Starts its threads; `scene` must outlive this. To hold a device of one's own, put it into scene.devices
  /// first.
  static Result<std::unique_ptr<LiveScene>> start(Scene& scene, const RealTimeOptions& options = {},
                                                  Recorder* recorder = nullptr);
  ~LiveScene() override;

  bool running() const { return !over_.load(std::memory_order_acquire); }
  /// The newest view, valid until the next call. From one thread only.
  const LiveView& view();
  /// μ between two bodies, from the next low-rate step on. False when the scene has no such pair or μ is no
  /// friction coefficient. Bodies by their names in the scene, in any order.
  bool set_friction(const std::string& body1, const std::string& body2, double mu);
  /// Ends the run (the devices are given zero force) and tells how it went.
  Result<RealTimeReport> stop();

  // On the low-rate thread.
  void before_low_step() override;
  void after_low_step(const State& state, const Workspace& ws, double time_s) override;

 private:
  explicit LiveScene(Scene& scene);

  Scene& scene_;
  std::unique_ptr<std::atomic<double>[]> mu_;  ///< wanted, by rule
  TripleBuffer<LiveView> views_;
  std::atomic<bool> stop_ = false, over_ = false;
  Result<RealTimeReport> report_ = RealTimeReport{};
  std::thread thread_;
};

}  // namespace palp
