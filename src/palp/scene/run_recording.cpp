#include "palp/scene/run_recording.hpp"

#include "palp/scene/recorded_scene.hpp"

namespace palp {

Result<RunRecording> RunRecording::start(const std::string& path, const Scene& scene,
                                         const std::vector<SceneOverride>& overrides,
                                         const std::string& program_version, double frame_rate_Hz) {
  auto setup = describe_scene(scene, overrides, program_version);
  if (!setup) return setup.error();
  setup->stages = {"free motion", "proximity", "contacts", "delassus", "solve", "motion"};
  setup->settings = {{"runner", "single rate"}, {"clock", "virtual"}};
  RecorderOptions options;
  options.patient = true;
  auto recorder = Recorder::create(path, *setup, options);
  if (!recorder) return recorder.error();
  return RunRecording(std::move(*recorder), scene.model, frame_rate_Hz);
}

void RunRecording::add(SceneRun& run) {
  const TickRecord tick = run.tick_record();
  recorder_->tick(tick, run.contacts());
  if (tick.time_s < next_frame_s_ - 1e-9) return;
  recorder_->frame(tick.sequence, tick.time_s, *model_, run.state().bodies);
  next_frame_s_ += period_s_;
}

}  // namespace palp
