// Records a scene's run step by step: what `palp run --record` does. Off the clock, so nothing is dropped.
#pragma once
#include "palp/io/recorder.hpp"
#include "palp/scene/run.hpp"

namespace palp {

/// A recorder for the scene; on the real clock unless options.patient.
Result<std::unique_ptr<Recorder>> make_recorder(const std::string& path, const Scene& scene,
                                                const std::string& program_version,
                                                const RecorderOptions& options);

class RunRecording {
 public:
  /// `frame_rate_Hz`: pictures of the bodies per simulated second.
  static Result<RunRecording> start(const std::string& path, const Scene& scene,
                                    const std::string& program_version, double frame_rate_Hz = 50,
                                    RecorderOptions options = {});
  /// After each successful step.
  void add(SceneRun& run);
  Result<void> close() { return recorder_->close(); }
  RecorderStatus status() const { return recorder_->status(); }

 private:
  RunRecording(std::unique_ptr<Recorder> recorder, const Model& model, double frame_rate_Hz)
      : recorder_(std::move(recorder)), model_(&model), period_s_(1 / frame_rate_Hz) {}
  std::unique_ptr<Recorder> recorder_;
  const Model* model_;
  double period_s_, next_frame_s_ = 0;
  long glc_sequence_ = 0;  ///< of the last snapshot recorded
};

}  // namespace palp
