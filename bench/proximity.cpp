// What the proximity search costs: refitting the tree, walking two trees, judging the pairs; and the same two
// first steps by Embree (refit of user geometry, rtcCollide), when it is installed. Two deforming balls that
// touch lightly or overlap, of growing resolution. Both trees see the same boxes and the same margin; the
// bench stops when they do not report the same pairs. One thread. Ratios come from one run; times are given
// for orientation only.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

#include "palp/base/clock.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/proximity/pairs.hpp"

#ifdef PALP_BENCH_EMBREE
#include <embree3/rtcore.h>
#endif

namespace {
using namespace palp;

double median_us(double seconds, const std::function<void()>& work) {
  std::vector<double> us;
  double total = 0;
  while (us.size() < 9 || (total < seconds * 1e6 && us.size() < 5000)) {
    const double start = now_us();
    work();
    us.push_back(now_us() - start);
    total += us.back();
  }
  std::nth_element(us.begin(), us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2), us.end());
  return us[us.size() / 2];
}

/// A ball that breathes: positions at two instants of a step.
struct Ball {
  TriMesh mesh;
  std::vector<Vec3> start, free;
  std::unique_ptr<TouchSurface> touch;
  std::vector<Box> boxes;

  Ball(int subdivisions, const Vec3& centre) {
    IcosphereShape shape;
    shape.radius_m = 0.05;
    shape.centre_m = centre;
    shape.subdivisions = subdivisions;
    mesh = *icosphere(shape);
    touch = std::make_unique<TouchSurface>(
        TouchTopology::make(static_cast<int>(mesh.nodes.size()), mesh.triangles, {}));
    boxes.resize(mesh.triangles.size());
    breathe(0);
    touch->update(start, free);
  }
  void breathe(double phase) {
    start = free = mesh.nodes;
    for (size_t i = 0; i < start.size(); ++i) {
      const Vec3 d(std::sin(40 * start[i].y() + phase), std::sin(40 * start[i].z() + phase),
                   std::sin(40 * start[i].x() + phase));
      start[i] += 1e-3 * d;
      free[i] = start[i] + 1e-4 * d;
    }
  }
  void fill_boxes() {
    for (size_t t = 0; t < boxes.size(); ++t) {
      boxes[t] = Box::empty();
      for (int v : mesh.triangles[t]) {
        boxes[t].grow(start[v]);
        boxes[t].grow(free[v]);
      }
    }
  }
};

/// A sum over the pairs that does not depend on their order: equal sets, equal sums.
struct PairSum {
  size_t count = 0;
  std::uint64_t sum = 0;
  void add(std::uint64_t a, std::uint64_t b) {
    ++count;
    std::uint64_t h = (a << 32 | b) * 0x9E3779B97F4A7C15ull;
    sum += h ^ (h >> 29);
  }
};

#ifdef PALP_BENCH_EMBREE
/// One skin as Embree's user geometry: a box per triangle, `margin` around it.
class EmbreeSkin {
 public:
  EmbreeSkin(RTCDevice device, const std::vector<Box>& boxes, float margin) : boxes_(boxes), margin_(margin) {
    geometry_ = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry_, this);
    rtcSetGeometryBuildQuality(geometry_, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryBoundsFunction(geometry_, bounds, this);
    rtcCommitGeometry(geometry_);
    scene_ = rtcNewScene(device);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
    rtcAttachGeometry(scene_, geometry_);
    rtcCommitScene(scene_);
  }
  ~EmbreeSkin() {
    rtcReleaseGeometry(geometry_);
    rtcReleaseScene(scene_);
  }
  EmbreeSkin(const EmbreeSkin&) = delete;
  EmbreeSkin& operator=(const EmbreeSkin&) = delete;

  void refit() {
    rtcUpdateGeometryBuffer(geometry_, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry_);
    rtcCommitScene(scene_);
  }
  RTCScene scene() const { return scene_; }

 private:
  static void bounds(const RTCBoundsFunctionArguments* a) {
    const auto& self = *static_cast<const EmbreeSkin*>(a->geometryUserPtr);
    const Box& box = self.boxes_[a->primID];
    const float m = self.margin_;
    *a->bounds_o = {box.lo[0] - m, box.lo[1] - m, box.lo[2] - m, 0,
                    box.hi[0] + m, box.hi[1] + m, box.hi[2] + m, 0};
  }
  const std::vector<Box>& boxes_;
  float margin_;
  RTCGeometry geometry_;
  RTCScene scene_;
};
#endif

void compare(int subdivisions, double distance, const char* what, double seconds) {
  Ball a(subdivisions, Vec3(0, 0, 0)), b(subdivisions, Vec3(0.003, 0.002, distance));
  const float margin = 0.001f;
  a.breathe(1);
  b.breathe(2);
  a.fill_boxes();
  b.fill_boxes();
  BoxTree tree_a, tree_b;
  tree_a.build(a.boxes);
  tree_b.build(b.boxes);
  const double boxes = median_us(seconds, [&] { a.fill_boxes(), b.fill_boxes(); });
  const double refit = median_us(seconds, [&] { tree_a.refit(a.boxes), tree_b.refit(b.boxes); });
  PairSum ours;
  const double walk = median_us(seconds, [&] {
    ours = {};
    BoxTree::for_each_near_pair(tree_a, tree_b, margin, [&](int i, int j) { ours.add(i, j); });
  });
  const double update =
      median_us(seconds, [&] { a.touch->update(a.start, a.free), b.touch->update(b.start, b.free); });
  ProximitySettings settings;
  settings.range_m = settings.max_depth_m = margin;
  std::vector<ProximityPair> pairs;
  ProximityScratch scratch;
  const double search = median_us(seconds, [&] { find_pairs(*a.touch, *b.touch, settings, scratch, pairs); });
  std::printf("%8zu %-8s %9zu %6zu %9.0f %9.0f %9.0f %9.0f %10.1f", a.boxes.size(), what, ours.count,
              pairs.size(), boxes, refit, walk, update + search, (update + search) / (boxes + refit));
#ifdef PALP_BENCH_EMBREE
  RTCDevice device = rtcNewDevice("threads=1");
  {
    EmbreeSkin skin_a(device, a.boxes, margin), skin_b(device, b.boxes, 0);
    const double embree_refit = median_us(seconds, [&] { skin_a.refit(), skin_b.refit(); });
    // Embree hands over whole leaves: the boxes of the primitives themselves are left to the callback.
    struct Judge {
      const std::vector<Box>&a, &b;
      float margin;
      PairSum pairs;
    } judge{a.boxes, b.boxes, margin, {}};
    const double embree_walk = median_us(seconds, [&] {
      judge.pairs = {};
      rtcCollide(
          skin_a.scene(), skin_b.scene(),
          [](void* out, RTCCollision* c, unsigned n) {
            Judge& to = *static_cast<Judge*>(out);
            for (unsigned k = 0; k < n; ++k)
              if (to.a[c[k].primID0].near(to.b[c[k].primID1], to.margin))
                to.pairs.add(c[k].primID0, c[k].primID1);
          },
          &judge);
    });
    std::printf(" %9.0f %9.0f %8.2f %8.2f", embree_refit, embree_walk, embree_refit / refit,
                (embree_refit + embree_walk) / (refit + walk));
    if (judge.pairs.count != ours.count || judge.pairs.sum != ours.sum) {
      std::printf("\nthe pairs differ: %zu against %zu\n", ours.count, judge.pairs.count);
      std::exit(1);
    }
  }
  rtcReleaseDevice(device);
#endif
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && !std::strcmp(argv[1], "--quick");
  std::printf(
      "Two balls of as many triangles each; µs, medians. whole/refit: everything the step does for "
      "proximity, over\n"
      "boxes and refit alone.\n");
  std::printf("%8s %-8s %9s %6s %9s %9s %9s %9s %10s", "tris", "balls", "box pairs", "kept", "boxes", "refit",
              "walk", "whole", "whole/refit");
#ifdef PALP_BENCH_EMBREE
  std::printf(" %9s %9s %8s %8s   (Embree: its time over ours, of the refit, of refit and walk)", "E refit",
              "E walk", "refit", "both");
#endif
  std::printf("\n");
  for (int subdivisions = 3; subdivisions <= (quick ? 4 : 6); ++subdivisions) {
    compare(subdivisions, 0.1, "touch", quick ? 0.02 : 0.2);
    compare(subdivisions, 0.09, "overlap", quick ? 0.02 : 0.2);
  }
  return 0;
}
