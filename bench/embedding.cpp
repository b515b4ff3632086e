// Embedding of a surface in a lattice: time by the number of triangles, with default settings, over the time
// to write and read the same surface as a binary STL in memory.
#include <cmath>
#include <cstdio>
#include <string>

#include "timing.hpp"

#include "palp/base/clock.hpp"
#include "palp/io/mesh_file.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/voxels.hpp"

using namespace palp;

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  std::printf("%-10s %8s %8s %10s %10s %10s %8s\n", "triangles", "cells", "through", "p50 (ms)", "p99 (ms)",
              "STL (ms)", "ratio");
  for (int subdivisions : {3, 5, 6, 7}) {
    if (quick && subdivisions > 6) break;
    // A dented ball: 20 · 4ⁿ triangles, with features of every size.
    TriMesh part = *icosphere({.radius_m = 0.05, .subdivisions = subdivisions});
    for (Vec3& p : part.nodes) {
      const Vec3 d = p.normalized();
      p *= 1 + 0.15 * std::sin(9 * d.x()) * std::sin(7 * d.y()) * std::cos(8 * d.z());
    }
    Times times, files;
    int cells = 0;
    double through = 0;
    for (int i = 0; i < (quick ? 3 : 10); ++i) {
      double begin = now_us();
      const auto laid = embed_in_voxel_hexes(part);
      times.us.push_back(now_us() - begin);
      cells = static_cast<int>(laid->mesh.hexes.size());
      through = laid->report.cells_through;
      begin = now_us();
      std::string bytes;
      (void)format_mesh(bytes, "part.stl", mesh_file(part));
      const auto back = parse_mesh(bytes, "part.stl");
      files.us.push_back(now_us() - begin);
      if (!back) return 1;
    }
    std::printf("%-10zu %8d %8.2g %10.1f %10.1f %10.1f %8.1f\n", part.triangles.size(), cells, through,
                1e-3 * times.at(0.5), 1e-3 * times.at(0.99), 1e-3 * files.at(0.5),
                times.at(0.5) / files.at(0.5));
  }
}
