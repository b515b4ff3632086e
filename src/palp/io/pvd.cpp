#include "palp/io/pvd.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "palp/io/cursor.hpp"
#include "palp/io/formats.hpp"

namespace palp {
namespace {

std::string document(const std::string& entries) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n" + entries +
         "</Collection>\n</VTKFile>\n";
}

}  // namespace

Result<PvdSeries> PvdSeries::create(const std::string& path) {
  const std::filesystem::path p(path);
  if (p.extension() != ".pvd")
    return Error{"a time series must end in .pvd", path, 0, 0, "add .pvd to the name"};
  if (p.stem().string().find_first_of("<>&\"") != std::string::npos)
    return Error{"the name may not contain < > & or \"", path, 0, 0, "choose another name"};
  PvdSeries series;
  series.path_ = path;
  series.stem_ = (p.parent_path() / p.stem()).string();
  if (const auto written = io::write_bytes(path, document("")); !written) return written.error();
  return series;
}

Result<void> PvdSeries::add(double time_s, const MeshFile& mesh, int part, const std::string& name) {
  if (!std::isfinite(time_s) || (files_ > 0 && time_s < time_s_))
    return Error{"the times of a series must be finite and rise", path_, 0, 0, "add the steps in order"};
  char number[16];
  std::snprintf(number, sizeof number, "_%04d.vtu", files_);
  const std::string file = stem_ + number;
  if (const auto notes = write_mesh(file, mesh); !notes) return notes.error();
  std::string entry = "<DataSet timestep=\"";
  // Twelve digits: sums of steps have rounding tails (0.30000000000000004) that nobody wants to read.
  char time[32];
  std::snprintf(time, sizeof time, "%.12g", time_s);
  entry += time;
  entry += "\" part=\"" + std::to_string(part) + (name.empty() ? "" : "\" name=\"" + io::xml_text(name)) +
           "\" file=\"" + std::filesystem::path(file).filename().string() + "\"/>\n";
  if (const auto written = io::write_bytes(path_, document(entries_ + entry)); !written) return written;
  entries_ += entry;
  time_s_ = time_s;
  ++files_;
  return {};
}

}  // namespace palp
