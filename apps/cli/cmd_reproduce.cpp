// palp reproduce: the papers' experiments on the command line.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "../reproduce/markdown.hpp"
#include "commands.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "palp/base/clock.hpp"

namespace palp::cli {
namespace reproduce_command {

using Json = nlohmann::ordered_json;
using namespace reproduce;

struct Options {
  std::vector<std::string> ids;
  std::string out, markdown, scenes;
  bool list = false, json = false;
};

struct Ran {
  const Experiment* experiment;
  Outcome outcome;
  double seconds;
};

void fail(const std::string& text, int code) {
  std::fprintf(stderr, "palp reproduce: %s\n", text.c_str());
  exit_code = code;
}

/// D06.7 names one experiment, D06 all of a paper, nothing all of them.
std::vector<const Experiment*> choose(const std::vector<Experiment>& all,
                                      const std::vector<std::string>& ids) {
  std::vector<const Experiment*> chosen;
  for (const std::string& id : ids) {
    const std::string paper = id + ".";
    bool found = false;
    for (const Experiment& e : all)
      if (id == e.id || std::string_view(e.id).starts_with(paper)) found = true;
    if (!found) {
      std::string known;
      for (const Experiment& e : all) known.append(known.empty() ? "" : " ").append(e.id);
      fail(std::string("no experiment '").append(id).append("'; there are ").append(known), 2);
      return {};
    }
  }
  for (const Experiment& e : all) {
    const auto names = [&](const std::string& id) {
      return id == e.id || std::string_view(e.id).starts_with(id + ".");
    };
    if (ids.empty() || std::any_of(ids.begin(), ids.end(), names)) chosen.push_back(&e);
  }
  return chosen;
}

/// Where the scene files are: told, in the working folder, beside the installed program, in the sources.
std::string find_scenes(const std::string& told) {
  if (!told.empty()) return told;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  for (const std::filesystem::path& folder :
       {std::filesystem::path("scenes"), program / "../share/palp/scenes",
        std::filesystem::path(PALP_SCENES)})
    if (std::filesystem::exists(folder / "snap-in.yaml", none)) return folder.string();
  return "scenes";
}

void print_list(const std::vector<const Experiment*>& chosen, bool json) {
  if (json) {
    Json list = Json::array();
    for (const Experiment* e : chosen)
      list.push_back({{"id", e->id},
                      {"title", e->title},
                      {"source", e->source},
                      {"scene", e->scene},
                      {"claim", e->claim},
                      {"paper_reports", e->paper_reports}});
    std::printf("%s\n", list.dump(2).c_str());
    return;
  }
  for (const Experiment* e : chosen) std::printf("%-6s  %s (%s)\n", e->id, e->title, e->source);
}

/// The line "D06.7 [####      ] 40 % pull-out", on a terminal only.
void show_progress(const char* id, double share, const std::string& what) {
  if (!isatty(2)) return;
  static double last_us = 0;  // the terminal is one for the whole program
  if (share > 0 && now_us() - last_us < 1e5) return;
  last_us = now_us();
  const int filled = static_cast<int>(30 * std::clamp(share, 0.0, 1.0));
  std::fprintf(stderr, "\r\033[K%s [%-30.*s] %3.0f %% %s", id, filled, "##############################",
               100 * share, what.c_str());
}

/// Of a UTF-8 text: bytes that do not continue a letter.
size_t letters(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void print(const Ran& r) {
  const Experiment& e = *r.experiment;
  std::printf("%s  %s (%s)\n  claim     %s\n  paper     %s\n", e.id, e.title, e.source, e.claim,
              e.paper_reports);
  size_t width = 0;
  for (const Measured& m : r.outcome.rows) width = std::max(width, letters(m.what));
  for (const Measured& m : r.outcome.rows) {
    std::printf("  measured  %s%*s  %s", m.what.c_str(), static_cast<int>(width - letters(m.what)), "",
                m.value_text().c_str());
    if (!m.paper.empty()) std::printf("  [paper: %s]", m.paper.c_str());
    if (!m.want.empty()) std::printf("  (%s: %s)", m.want.c_str(), m.ok ? "yes" : "NO");
    std::printf("\n");
  }
  std::printf("  verdict   %s\n", text(r.outcome.verdict()));
  if (!r.outcome.remarks.empty()) std::printf("  remarks   %s\n", r.outcome.remarks.c_str());
  std::printf("  took      %.1f s\n\n", r.seconds);
  std::fflush(stdout);
}

Json to_json(const Ran& r) {
  Json rows = Json::array(), images = Json::array();
  for (const Measured& m : r.outcome.rows) {
    Json row{{"what", m.what}, {"value", m.value}, {"unit", m.unit}};
    if (m.error > 0) row["error"] = m.error;
    if (!m.paper.empty()) row["paper"] = m.paper;
    if (!m.want.empty()) {
      row["required"] = m.want;
      row["ok"] = m.ok;
    }
    rows.push_back(row);
  }
  for (const Image& i : r.outcome.images) images.push_back({{"file", i.file}, {"caption", i.caption}});
  return {{"id", r.experiment->id},
          {"title", r.experiment->title},
          {"source", r.experiment->source},
          {"scene", r.experiment->scene},
          {"claim", r.experiment->claim},
          {"paper_reports", r.experiment->paper_reports},
          {"summary", r.outcome.summary},
          {"verdict", text(r.outcome.verdict())},
          {"remarks", r.outcome.remarks},
          {"measured", rows},
          {"images", images},
          {"tables", r.outcome.tables},
          {"seconds", r.seconds}};
}

/// Pages of documentation keep their pictures beside them.
std::string pictures_folder(const Options& o) {
  if (o.markdown.empty()) return o.out;
  return (std::filesystem::absolute(o.markdown).lexically_normal().parent_path() / "pictures").string();
}

/// One experiment; an error is printed and counts as not run.
std::optional<Ran> run_one(const Experiment& e, const Options& o, const std::string& scenes) {
  Context context;
  context.scenes = scenes;
  context.tables = o.out;
  context.pictures = pictures_folder(o);
  context.id = e.id;
  context.on_progress = [&](double share, const std::string& what) { show_progress(e.id, share, what); };
  const double begin = now_us();
  context.progress(0);
  auto outcome = e.run(context);
  if (isatty(2)) std::fprintf(stderr, "\r\033[K");
  if (!outcome || !context.failure()) {
    fail(std::string(e.id).append(": ").append(outcome ? context.failure().error().text()
                                                       : outcome.error().text()),
         1);
    return std::nullopt;
  }
  return Ran{&e, std::move(*outcome), 1e-6 * (now_us() - begin)};
}

void run(const Options& o) {
  const std::vector<Experiment> all = all_experiments();
  const auto chosen = choose(all, o.ids);
  if (chosen.empty()) return;
  if (o.list) return print_list(chosen, o.json);
  std::error_code error;
  for (const std::string& folder : {o.out, o.markdown, pictures_folder(o)})
    if (!folder.empty() && (std::filesystem::create_directories(folder, error), error))
      return fail(folder + ": cannot be made: " + error.message(), 1);
  const std::string scenes = find_scenes(o.scenes);

  Json results = Json::array();
  int count[3] = {0, 0, 0};
  for (const Experiment* e : chosen) {
    auto ran = run_one(*e, o, scenes);
    if (!ran) continue;
    ++count[static_cast<int>(ran->outcome.verdict())];
    if (o.json)
      results.push_back(to_json(*ran));
    else
      print(*ran);
    if (!o.markdown.empty())
      if (auto ok = write_page(o.markdown, *e, ran->outcome); !ok) return fail(ok.error().text(), 1);
  }
  if (!o.markdown.empty())
    if (auto ok = write_index(o.markdown, all); !ok) return fail(ok.error().text(), 1);
  if (o.json)
    std::printf("%s\n", results.dump(2).c_str());
  else if (chosen.size() > 1)
    std::printf("%zu experiments: %d hold, %d do not hold, %d not applicable, %d could not be run\n",
                chosen.size(), count[0], count[1], count[2],
                static_cast<int>(chosen.size()) - count[0] - count[1] - count[2]);
}

}  // namespace reproduce_command

void add_reproduce(CLI::App& app) {
  using namespace reproduce_command;
  auto* command = app.add_subcommand("reproduce", "Re-measures the experiments of the papers");
  auto o = std::make_shared<Options>();
  command->add_option("ids", o->ids, "Experiments (D06.7) or papers (D06); none: all");
  command->add_flag("--list", o->list, "Names them and runs nothing");
  command->add_option("--out", o->out, "Folder for the numbers (CSV) and pictures (PNG)");
  command->add_option("--markdown", o->markdown,
                      "Folder for one page each and a table of verdicts; pictures then go to the folder "
                      "'pictures' beside it");
  command->add_option("--scenes", o->scenes, "Folder of the scene files");
  command->add_flag("--json", o->json, "Results as JSON");
  command->footer(
      "Example: palp reproduce D06.7 --out out\n"
      "Exit code: 0 when every chosen experiment ran, whatever its verdict (a claim that does not hold is a\n"
      "result); 1 when one could not be run or written; 2 for an unknown name.");
  command->callback([o] { run(*o); });
}

}  // namespace palp::cli
