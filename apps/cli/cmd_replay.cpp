// palp replay: runs a recording again and compares bit for bit.
#include <cstdio>

#include "commands.hpp"
#include "progress_bar.hpp"
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

void run_replay(const std::string& path, bool json) {
  auto recording = Recording::open(path);
  if (!recording) return fail(recording.error());
  auto report = [&] {
    ProgressBar bar;
    return replay(*recording, PALP_VERSION, [&](double share) { bar.show(share); });
  }();
  if (!report) return fail(report.error());
  if (report->difference) exit_code = 1;
  if (json) {
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
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto* command = app.add_subcommand("replay", "Runs a recording again, reports the first difference");
  command->footer("Example:  palp run scenes/snap-in.yaml --record snap-in.h5 && palp replay snap-in.h5");
  command->add_option("recording", *path, "File written by palp run --record")->required();
  command->add_flag("--json", *json, "Answer for machines");
  command->callback([path, json] { run_replay(*path, *json); });
}

}  // namespace palp::cli
