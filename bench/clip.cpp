// Error against time of every kind of element on the clip: the peak force of the push of scenes/snap-in.yaml
// by mesh, over its limit (14.2 ± 0.2 N, docs/accuracy.md), and the processor time of the run, set-up
// included, over that of the scene as shipped.    [--quick]
#include <cstdio>
#include <cstring>
#include <string>

#include "timing.hpp"

#include "palp/scene/quantities.hpp"
#include "palp/scene/scene.hpp"

using namespace palp;

namespace {

struct Run {
  double peak_N = 0, us = 0;
  int unknowns = 0;
};

Run run(const std::vector<SceneOverride>& changes) {
  Run out;
  const double begin = cpu_us();
  SceneResult loaded = load_scene(PALP_SCENES "/snap-in.yaml", changes);
  if (!loaded.scene) return out;
  out.unknowns = loaded.scene->model.bodies[0].body->dof();
  const auto measured = measure_run(*loaded.scene, 1.5);
  out.us = cpu_us() - begin;
  if (measured)
    for (const Quantity& q : *measured)
      if (q.name == "hand.peakForce") out.peak_N = q.value;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  constexpr double limit_N = 14.2;
  const Run shipped = run({});
  std::printf("%-16s %6s %9s %10s %8s %8s\n", "elements", "mesh", "unknowns", "peak (N)", "error", "time");
  for (const char* kind : {"tets", "quadraticTets", "trilinearHexes", "hexes"})
    for (int finer : {2, 3, 4, 6}) {
      if (finer > (quick ? 2 : std::strcmp(kind, "quadraticTets") ? 6 : 3)) break;
      const auto cells = [&](int of_two) { return std::to_string(of_two * finer / 2); };
      const Run r = run({{"bodies.clip.mesh.elements", kind},
                         {"bodies.clip.mesh.cellsAround", cells(24)},
                         {"bodies.clip.mesh.cellsThrough", cells(2)},
                         {"bodies.clip.mesh.cellsWide", cells(5)}});
      if (r.peak_N == 0) return std::fprintf(stderr, "bench_clip: a run failed\n"), 1;
      std::printf("%-16s %6g %9d %10.2f %+7.1f%% %8.2f\n", kind, finer / 2.0, r.unknowns, r.peak_N,
                  100 * (r.peak_N / limit_N - 1), r.us / shipped.us);
      std::fflush(stdout);
    }
}
