// palp replay: runs a recording again and compares bit for bit.
#include <cstdio>

#include "commands.hpp"
#include "progress_bar.hpp"
#include "run_files.hpp"
#include <nlohmann/json.hpp>

#include "palp/scene/replay.hpp"

namespace palp::cli {
namespace replay_command {

using Json = nlohmann::ordered_json;

void fail(const Error& error) {
  std::fprintf(stderr, "palp replay: %s\n", error.text().c_str());
  exit_code = 1;
}

Json to_json(const std::string& path, const ReplayReport& r) {
  Json out{{"recording", path}, {"ticks", r.rows}, {"compared", r.compared}, {"same_bits", !r.difference}};
  if (r.difference)
    out["first_difference"] = {{"tick", r.difference->tick},
                               {"time_s", r.difference->time_s},
                               {"quantity", r.difference->quantity},
                               {"recorded", r.difference->recorded},
                               {"replayed", r.difference->replayed}};
  out["notes"] = r.notes;
  return out;
}

struct Options {
  std::string recording;
  RunFileOptions files;
  bool json = false;
};

void run_replay(const Options& o) {
  const std::string& path = o.recording;
  if (auto ready = o.files.prepare(); !ready) return fail(ready.error());
  auto recording = Recording::open(path);
  if (!recording) return fail(recording.error());
  RunFiles files(o.files);
  auto report = [&] {
    ProgressBar bar;
    return replay(
        *recording, PALP_VERSION, [&](double share) { bar.show(share); }, o.files.any() ? &files : nullptr);
  }();
  if (!report) return fail(report.error());
  if (report->difference) exit_code = 1;
  if (o.json) {
    std::printf("%s\n", to_json(path, *report).dump(2).c_str());
    return;
  }
  for (const auto& note : report->notes) std::printf("note: %s\n", note.c_str());
  if (const auto& d = report->difference)
    std::printf("%s: first difference in tick %llu at %g s: %s\n  recorded %s\n  replayed %s\n", path.c_str(),
                static_cast<unsigned long long>(d->tick), d->time_s, d->quantity.c_str(), d->recorded.c_str(),
                d->replayed.c_str());
  else
    std::printf("%s: same bits in %zu of %zu ticks\n", path.c_str(), report->compared, report->rows);
}

}  // namespace replay_command

void add_replay(CLI::App& app) {
  using namespace replay_command;
  auto o = std::make_shared<Options>();
  auto* command = app.add_subcommand("replay", "Runs a recording again, reports the first difference");
  command->footer("Example:  palp run scenes/snap-in.yaml --record snap-in.h5 && palp replay snap-in.h5");
  command->add_option("recording", o->recording, "File written by palp run --record")->required();
  o->files.add_to(*command);
  command->add_flag("--json", o->json, "Answer for machines");
  command->callback([o] { run_replay(*o); });
}

}  // namespace palp::cli
