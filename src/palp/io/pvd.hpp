// A time series for ParaView: one .vtu per step and a .pvd that lists them. The list is complete after every
// step, so that it stays readable when the program dies.
#pragma once
#include "palp/io/mesh_file.hpp"

namespace palp {

class PvdSeries {
 public:
  /// `path` ends in .pvd; the steps go beside it as NAME_0000.vtu, NAME_0001.vtu, ...
  static Result<PvdSeries> create(const std::string& path);
  /// Adds a step; times must rise. `part` tells bodies of one time apart (0, 1, ...), `name` says what they
  /// are.
  Result<void> add(double time_s, const MeshFile& mesh, int part = 0, const std::string& name = "");

 private:
  std::string path_, stem_, entries_;
  int files_ = 0;
  double time_s_ = 0;
};

}  // namespace palp
