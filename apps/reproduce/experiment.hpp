// The experiments of the papers, re-measured. Each is a scene file (scenes/, with --set-like changes made in
// code), a measurement built from public parts of the library, and the papers' claim it is held against.
//
//     Experiment   what is claimed and where, constant
//     Context      where scenes are found, where tables and pictures go, the progress line
//     Outcome      what was measured: rows, a verdict, tables, pictures
//
// A claim that does not hold is a result, with its reason; an experiment that cannot be run is an Error.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "palp/draw/picture.hpp"
#include "palp/draw/plot.hpp"
#include "palp/scene/scene.hpp"

namespace palp::reproduce {

enum class Verdict { holds, does_not_hold, not_applicable };
const char* text(Verdict verdict);

/// "14.2 ± 0.2": with as many digits as the error bar lets stand.
std::string bar_text(double value, double error);

/// One measured number. With `want` it is part of the claim and `ok` says whether it is met.
struct Measured {
  std::string what;
  double value = 0;
  std::string unit = {};
  std::string paper = {};  ///< what the paper reports for it; empty: nothing
  std::string want = {};   ///< the requirement in words, with the reason of its threshold; empty: none
  bool ok = true;
  double error = 0;  ///< value ± error, of limits; 0: none
  int digits = 3;    ///< of the value; more where a difference of two rows is what counts

  std::string value_text() const;  ///< with its error bar and its unit
};

struct Image {
  std::string file;  ///< in the folder of pictures
  std::string caption;
};

struct Outcome {
  std::vector<Measured> rows;
  std::string summary;     ///< one sentence with the numbers that matter
  std::string remarks;     ///< why the claim does not hold or is not applicable; what differs from the paper
  bool applicable = true;  ///< false: the claim makes no sense here; `remarks` says why
  std::vector<Image> images;        ///< Context::write fills
  std::vector<std::string> tables;  ///< Context::write fills

  void report(std::string what, double value, std::string unit, std::string paper = {});
  void require(std::string what, double value, std::string unit, std::string paper, std::string want,
               bool ok);
  Verdict verdict() const;  ///< holds when every requirement is met
};

/// Columns of numbers, written as CSV.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  void add(std::vector<double> row) { rows.push_back(std::move(row)); }
};

class Context {
 public:
  std::string scenes;            ///< folder of the scene files
  std::string tables, pictures;  ///< folders; empty: these are not written
  std::string id;                ///< of the experiment at work: names of files begin with it
  std::function<void(double share, const std::string& what)> on_progress;

  /// Reads scenes/FILE; the first error of the file is the result's.
  Result<std::unique_ptr<Scene>> load(const std::string& file, const std::vector<SceneOverride>& changes = {},
                                      const SceneRefinement& refinement = {}) const;
  void progress(double share, const std::string& what = {}) const;

  /// ID-NAME.csv, ID-NAME.png. A failure to write is kept and told by failure().
  void write(const Table& table, const std::string& name, Outcome& outcome);
  void write(Plot plot, const std::string& name, const std::string& caption, Outcome& outcome);
  void write(const Picture& picture, const std::string& name, const std::string& caption, Outcome& outcome,
             const Camera& camera = {});
  const Result<void>& failure() const { return failure_; }

 private:
  std::string path(const std::string& name, const char* extension) const;
  Result<void> failure_;
};

struct Experiment {
  const char* id;      ///< D06.7
  const char* source;  ///< D06 §7.2, fig. 14 and 16
  const char* title;
  const char* scene;          ///< file in scenes/ that it starts from
  const char* claim;          ///< what must be shown
  const char* paper_reports;  ///< the paper's numbers
  Result<Outcome> (*run)(Context&);
};

/// All, in the order of the papers.
std::vector<Experiment> all_experiments();

// One per paper, each in its own file.
std::vector<Experiment> d04_experiments();
std::vector<Experiment> d06_experiments();
std::vector<Experiment> h08_experiments();
std::vector<Experiment> p11_experiments();
std::vector<Experiment> k16_experiments();
std::vector<Experiment> truth_experiments();  ///< beyond the papers: two rates against one
std::vector<Experiment> c_experiments();      ///< beyond the papers: convergence
std::vector<Experiment> v_experiments();      ///< beyond the papers: validation

}  // namespace palp::reproduce
