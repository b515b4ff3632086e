#include "markdown.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace palp::reproduce {
namespace {

// The index reads these lines of a page back.
const std::string verdict_line = "**Verdict: ", summary_line = "**In short:** ";

Result<void> save(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (file.flush()) return {};
  return Error{.message = "cannot be written",
               .file = path.string(),
               .remedy = "give a folder that exists: --markdown docs/experiments"};
}

/// A bar inside a cell would end it.
std::string cell(std::string text) {
  for (size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

std::string rest_of_line(const std::string& page, const std::string& start) {
  const size_t at = page.find(start);
  if (at == std::string::npos) return {};
  const size_t begin = at + start.size();
  return page.substr(begin, page.find('\n', begin) - begin);
}

}  // namespace

Result<void> write_page(const std::string& folder, const Experiment& e, const Outcome& o) {
  std::ostringstream s;
  s << "# " << e.id << " " << e.title << "\n\n";
  s << "Source: " << e.source << ". Scene: [`" << e.scene << "`](../../scenes/" << e.scene
    << "). Again: `palp reproduce " << e.id << " --out DIR`.\n\n";
  s << "**Claim.** " << e.claim << "\n\n**The paper reports.** " << e.paper_reports << "\n\n";
  s << summary_line << o.summary << "\n\n";
  s << verdict_line << text(o.verdict()) << ".**\n\n";
  if (!o.remarks.empty()) s << o.remarks << "\n\n";
  for (const Image& image : o.images)
    s << "![" << image.caption << "](../pictures/" << image.file << ")\n" << image.caption << "\n\n";
  s << "| measured | here | paper | required for the verdict | |\n|---|---|---|---|---|\n";
  for (const Measured& m : o.rows)
    s << "| " << cell(m.what) << " | " << m.value_text() << " | " << cell(m.paper) << " | " << cell(m.want)
      << " | "
      << (m.want.empty() ? ""
          : m.ok         ? "yes"
                         : "**no**")
      << " |\n";
  s << "\nThe numbers of this page were written by the command above with `--markdown docs/experiments`.";
  if (!o.tables.empty()) {
    s << " `--out DIR` also writes";
    for (size_t i = 0; i < o.tables.size(); ++i) s << (i ? ", `" : " `") << o.tables[i] << '`';
    s << '.';
  }
  s << '\n';
  return save(std::filesystem::path(folder) / (std::string(e.id) + ".md"), s.str());
}

Result<void> write_index(const std::string& folder, std::span<const Experiment> experiments) {
  std::ostringstream s;
  s << "# The papers' experiments, re-measured\n\n"
       "`palp reproduce` runs them, `palp reproduce --list` names them, `palp reproduce D06.7 --out DIR` "
       "runs one "
       "and writes\nits numbers (CSV) and pictures. All are deterministic and need no device; only times "
       "depend on "
       "the machine. This table\nand the pages behind it are written by `palp reproduce --markdown "
       "docs/experiments`.\n\n"
       "| experiment | what | the paper reports | measured here | verdict |\n|---|---|---|---|---|\n";
  for (const Experiment& e : experiments) {
    const std::string name = std::string(e.id) + ".md";
    std::ifstream file(std::filesystem::path(folder) / name);
    if (!file) continue;
    std::stringstream page;
    page << file.rdbuf();
    std::string verdict = rest_of_line(page.str(), verdict_line);
    verdict = verdict.substr(0, verdict.find('.'));
    s << "| [" << e.id << "](" << name << ") | " << cell(e.title) << " | " << cell(e.paper_reports) << " | "
      << cell(rest_of_line(page.str(), summary_line)) << " | "
      << (verdict == text(Verdict::holds) ? verdict : "**" + verdict + "**") << " |\n";
  }
  return save(std::filesystem::path(folder) / "README.md", s.str());
}

}  // namespace palp::reproduce
