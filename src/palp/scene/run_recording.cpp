#include "palp/scene/run_recording.hpp"

#include "palp/scene/recorded_scene.hpp"

namespace palp {

Result<std::unique_ptr<Recorder>> make_recorder(const std::string& path, const Scene& scene,
                                                const std::string& program_version,
                                                const RecorderOptions& options) {
  auto setup = describe_scene(scene, program_version);
  if (!setup) return setup.error();
  if (scene.two_rate)
    setup->stages = {"free motion", "violations", "compliance", "solve", "motion"};
  else
    setup->stages = {"free motion", "proximity", "contacts", "delassus", "solve", "motion"};
  setup->settings = {
      {"runner", scene.two_rate && !scene.two_rate->limited_tools.empty() ? "two rates, limited constraints"
                 : scene.two_rate                                         ? "two rates"
                                                                          : "single rate"},
      {"clock", options.patient ? "virtual" : "real"}};
  return Recorder::create(path, *setup, options);
}

Result<RunRecording> RunRecording::start(const std::string& path, const Scene& scene,
                                         const std::string& program_version, double frame_rate_Hz,
                                         RecorderOptions options) {
  options.patient = true;
  auto recorder = make_recorder(path, scene, program_version, options);
  if (!recorder) return recorder.error();
  return RunRecording(std::move(*recorder), scene.model, frame_rate_Hz);
}

void RunRecording::add(SceneRun& run) {
  const TickRecord tick = run.tick_record();
  recorder_->tick(tick, run.contacts());
  const Snapshot* snapshot = run.loop() ? &run.loop()->snapshot() : nullptr;
  if (snapshot && snapshot->boxed && snapshot->sequence != glc_sequence_) {
    recorder_->glcs(*snapshot);
    glc_sequence_ = snapshot->sequence;
  }
  if (tick.time_s < next_frame_s_ - 1e-9) return;
  recorder_->frame(tick.sequence, tick.time_s, *model_, run.state().bodies);
  next_frame_s_ += period_s_;
}

}  // namespace palp
