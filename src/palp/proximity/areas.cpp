#include "palp/proximity/areas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "palp/proximity/distance.hpp"
#include "palp/proximity/smooth_faces.hpp"
#include "palp/proximity/turned_core.hpp"

namespace palp {
namespace {

constexpr double radius_in_cells = 1.6;     // ρ: less ripples, more lets a tool sink in before it is felt
constexpr double least_in_cells = 1.0;      // where the tool turns too much for that
constexpr double radius_in_spacings = 1.0;  // at least, where a bound spreads the places
constexpr double spacing_in_cells = 0.7;    // at most
constexpr int most_levels = 16;             // of a bound that spreads them
constexpr double looking = 0.2;             // cosine: a face of the soft skin looks at the tool
constexpr double most_turn = 0.45;          // rad: of the tool within ρ of the middle
constexpr double sharp_cosine = 0.7;        // it turns more within an area: an edge
constexpr double least_covered = 0.25;      // of an area, where the skin ends

/// K over (r/ρ)²; its integral over the disc is π ρ²/3.
double kernel(double r2) { return r2 < 1 ? (1 - r2) * (1 - r2) : 0; }

/// Where the tool is nearest to a point.
struct Near {
  SkinPoint on;  ///< of its skin or core
  Vec3 arm = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  ///< outwards; zero: sharp
  double gap = 0;              ///< from the core
  Vec3 place = Vec3::Zero();   ///< where the skins touch
};

struct Tool {
  const TouchSurface& s;
  bool rounded;
  double thickness;

  /// False when it is further away than `reach`.
  bool nearest(const Vec3& x, double reach, Near& out) const {
    if (s.turned) {
      const PlacedCore core{s};
      const NearTurned near = core.nearest(core.start, x);
      out = {core.on_axis(near.height), near.arm, near.normal, near.distance, {}};
    } else if (!nearest_feature(x, reach, out)) {
      return false;
    }
    if (out.gap > reach) return false;
    out.place = x + (thickness - out.gap) * out.normal;
    return true;
  }

  bool nearest_feature(const Vec3& x, double reach, Near& out) const {
    Box box = Box::empty();
    box.grow(x);
    int face = -1;
    bool any = false;
    // Most points are near: what is found within a small reach is the nearest.
    for (double within = reach / 16; !any && within <= reach; within *= 2) {
      double best2 = within * within;
      const auto take = [&](const SkinPoint& on, int f) {
        const double d2 = (x - on.at(s.start())).squaredNorm();
        if (d2 > best2 || (any && d2 == best2)) return;
        best2 = d2, face = f, any = true;
        out.on = on;
      };
      s.tree().for_each_near(box, static_cast<float>(within) * 1.0001f, [&](int i) {
        const auto& p = s.topology().primitives[i];
        const Vec3& a = s.start()[p.vertex[0]];
        if (p.triangle >= 0) {
          const Triangle& t = s.topology().triangles[p.triangle];
          take({t, closest_on_triangle(x, s.start()[t[0]], s.start()[t[1]], s.start()[t[2]])}, p.triangle);
        } else if (p.edge >= 0) {
          const double t = closest_on_segment(x, a, s.start()[p.vertex[1]]);
          take({{p.vertex[0], p.vertex[1], p.vertex[0]}, {1 - t, t, 0}}, -1);
        } else {
          take({{p.vertex[0], p.vertex[0], p.vertex[0]}, {1, 0, 0}}, -1);
        }
      });
    }
    if (!any) return false;
    out.arm.setZero();
    const Vec3 apart = x - out.on.at(s.start());
    if (rounded) {
      const bool inside = face >= 0 && s.face_normal(face).dot(apart) <= 0;
      const double distance = apart.norm();
      out.gap = inside ? -distance : distance;
      out.normal = inside ? s.face_normal(face) : distance > 0 ? Vec3(apart / distance) : Vec3(Vec3::Zero());
      return true;
    }
    const SeenPatch seen = seen_patch(s, x, out.on, face);
    out.normal = seen.normal;
    out.gap = seen.gap;
    return true;
  }
};

struct Areas {
  const TouchSurface& soft;
  const Tool tool;
  const ProximitySettings& set;
  bool soft_first;
  AreaScratch& scratch;
  Vec3 origin = Vec3::Zero();    ///< the middle of what is near, on the tool
  Mat3 axes = Mat3::Identity();  ///< columns, the last one out of the tool there
  double spacing = 0;
  double in_cells = radius_in_cells;  ///< ρ
  double widest = 0;                  ///< largest ρ

  double radius(const AreaSample& q) const {
    return std::max(in_cells * q.cell_m, radius_in_spacings * spacing);
  }

  /// The points q of all faces near the tool: three inside each, exact for parabolas.
  void take_samples() {
    scratch.sample.clear();
    scratch.seen.assign(soft.topology().primitives.size(), 0);
    const std::vector<double>& cell = soft.at_rest.cell_m;
    const double reach = set.range_m + radius_in_cells * *std::max_element(cell.begin(), cell.end());
    BoxTree::for_each_near_pair(soft.tree(), tool.s.tree(), static_cast<float>(reach), [&](int i, int) {
      const int f = soft.topology().primitives[i].triangle;
      if (f < 0 || scratch.seen[i]) return;
      scratch.seen[i] = 1;
      const Triangle& t = soft.topology().triangles[f];
      const auto x = soft.start();
      const double third = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm() / 6;
      for (int k = 0; k < 3; ++k) {
        AreaSample q;
        q.on = {t, Vec3::Constant(1.0 / 6)};
        q.on.weight[k] = 2.0 / 3;
        Near near;
        if (!tool.nearest(q.on.at(x) + patch_over(soft, q.on, f).lift, reach, near)) continue;
        if (!near.normal.isZero(0) && near.normal.dot(soft.face_normal(f)) > -looking) continue;
        q.place = near.place;
        q.normal = near.normal;
        q.gap = near.gap;
        q.area_m2 = third;
        q.cell_m = cell[f];
        scratch.sample.push_back(q);
      }
    });
    std::sort(scratch.sample.begin(), scratch.sample.end(), [](const AreaSample& a, const AreaSample& b) {
      return a.place.x() != b.place.x() ? a.place.x() < b.place.x() : a.place.y() < b.place.y();
    });
  }

  std::array<int, 3> cell_of(const Vec3& place) const {
    const Vec3 c = axes.transpose() * (place - origin) / spacing + Vec3::Constant(0.5);
    return {static_cast<int>(std::floor(c.x())), static_cast<int>(std::floor(c.y())),
            static_cast<int>(std::floor(c.z()))};
  }

  /// Places: a grid whose cells have one each, the point of the tool that is nearest to their middle, if it
  /// lies in them. Here the cells near samples in range, and their neighbours.
  void take_cells() {
    scratch.cell.clear();
    for (const AreaSample& q : scratch.sample) {
      if (q.gap > set.range_m) continue;
      const auto c = cell_of(q.place);
      for (int k = 0; k < 27; ++k)
        scratch.cell.push_back({c[0] + k % 3 - 1, c[1] + k / 3 % 3 - 1, c[2] + k / 9 - 1});
    }
    std::sort(scratch.cell.begin(), scratch.cell.end());
    scratch.cell.erase(std::unique(scratch.cell.begin(), scratch.cell.end()), scratch.cell.end());
  }

  bool place_in(const std::array<int, 3>& cell, Near& near) const {
    const Vec3 middle = origin + spacing * (axes * Vec3(cell[0], cell[1], cell[2]));
    return tool.nearest(middle, set.thickness_m + 2 * spacing, near) && !near.normal.isZero(0) &&
           cell_of(near.place) == cell;
  }

  /// The area around a place as a pair; its shares go to scratch.weight and scratch.vertices. False: none.
  bool make(const Near& at, const std::array<int, 3>& cell, int level, ProximityPair& pair) {
    for (int v : scratch.vertices) scratch.weight[v] = 0;
    scratch.vertices.clear();
    double sum = 0, gap = 0, least = 1e300, best = 0;
    Vec3 normal = Vec3::Zero(), place = Vec3::Zero();
    const AreaSample* middle = nullptr;
    auto q = std::lower_bound(scratch.sample.begin(), scratch.sample.end(), at.place.x() - widest,
                              [](const AreaSample& s, double x) { return s.place.x() < x; });
    for (; q != scratch.sample.end() && q->place.x() <= at.place.x() + widest; ++q) {
      const double rho = radius(*q);
      const double K = kernel((q->place - at.place).squaredNorm() / (rho * rho));
      if (K == 0) continue;
      if (q->normal.dot(at.normal) < sharp_cosine) return false;
      const double w = q->area_m2 * K / (rho * rho);
      sum += w;
      gap += w * q->gap;
      normal += w * q->normal;
      place += w * q->place;
      least = std::min(least, q->gap);
      if (K > best) best = K, middle = &*q;
      for (int k = 0; k < 3; ++k) {
        const int v = q->on.vertex[k];
        if (scratch.weight[v] == 0) scratch.vertices.push_back(v);
        scratch.weight[v] += w * q->on.weight[k];
      }
    }
    if (sum < least_covered * std::numbers::pi / 3 || least > set.range_m) return false;
    for (int v : scratch.vertices) scratch.weight[v] /= sum;
    normal.normalize();
    (soft_first ? pair.P : pair.Q) = middle->on;
    (soft_first ? pair.Q : pair.P) = at.on;
    pair.arm = {Vec3::Zero(), Vec3::Zero()};
    pair.arm[soft_first ? 1 : 0] = place / sum - tool.thickness * normal - at.on.at(tool.s.start());
    pair.kind = PairKind::area;
    pair.feature1 = (cell[0] & 0x7fff) << 15 | (cell[1] & 0x7fff);
    pair.feature2 = (level & 0xff) << 15 | (cell[2] & 0x7fff);
    pair.normal = soft_first ? normal : Vec3(-normal);
    pair.gap = gap / sum;
    Vec3 way = at.on.at(tool.s.start()) - at.on.at(tool.s.free());
    for (int v : scratch.vertices) way += scratch.weight[v] * (soft.free()[v] - soft.start()[v]);
    pair.gap_free = pair.gap + normal.dot(way);
    return true;
  }

  /// Size of the cells of the soft skin, at rest.
  double mean_cell() const {
    const std::vector<double>& cell = soft.at_rest.cell_m;
    return std::accumulate(cell.begin(), cell.end(), 0.0) / static_cast<double>(cell.size());
  }

  /// Does the tool turn too much for areas of radius ρ around the middle?
  bool turns_within(double rho) const {
    return std::ranges::any_of(scratch.sample, [&](const AreaSample& q) {
      const double away = (q.place - origin).norm();
      return away > 0.5 * rho && away < rho && (q.normal - axes.col(2)).norm() > most_turn * away / rho;
    });
  }

  /// Puts the places around the middle of what is less than half a cell further away than the nearest: they
  /// then go with the contact over both skins. False: nothing is near, or the tool is too small for such
  /// areas, which would let it sink in far before they feel it.
  bool find_middle(double cell) {
    double least = set.range_m;
    for (const AreaSample& q : scratch.sample) least = std::min(least, q.gap);
    Vec3 middle = Vec3::Zero();
    double sum = 0;
    for (const AreaSample& q : scratch.sample) {
      const double closer = std::max(0.0, 1 - (q.gap - least) / (0.5 * cell));
      sum += q.area_m2 * closer * closer;
      middle += q.area_m2 * closer * closer * q.place;
    }
    Near near;
    if (!(sum > 0) || !tool.nearest(middle / sum, set.range_m + cell, near) || near.normal.isZero(0))
      return false;
    origin = near.place;
    int across = 0;
    near.normal.cwiseAbs().minCoeff(&across);
    axes.col(2) = near.normal;
    axes.col(0) = near.normal.cross(Vec3::Unit(across)).normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    for (const double cells : {radius_in_cells, least_in_cells}) {
      in_cells = cells;
      if (!turns_within(cells * cell)) return true;
    }
    return false;
  }

  /// All areas with places so far apart, in steps of √2: what is counted so does not move when it is counted
  /// again. Appended to the pairs, their shares to set.areas.
  void make_all(int level, std::vector<ProximityPair>& pairs) {
    spacing = std::exp2(0.5 * level);
    widest = 0;
    for (const AreaSample& q : scratch.sample) widest = std::max(widest, radius(q));
    take_cells();
    std::vector<SkinShare>& shares = *set.areas;
    shares.clear();
    scratch.shares.clear();
    scratch.vertices.clear();
    scratch.weight.assign(soft.start().size(), 0);
    scratch.covered.assign(soft.start().size(), 0);
    for (const auto& cell : scratch.cell) {
      Near near;
      ProximityPair pair;
      if (!place_in(cell, near) || !make(near, cell, level, pair)) continue;
      for (int v : scratch.vertices) scratch.covered[v] = 1;
      if (std::min(pair.gap, pair.gap_free) > set.range_m) continue;
      scratch.shares.push_back({shares.size(), shares.size() + scratch.vertices.size()});
      for (int v : scratch.vertices) shares.push_back({v, scratch.weight[v]});
      pairs.push_back(pair);
    }
  }

  /// Do areas speak for a point of the skin? Where it lies on a crease it speaks for itself.
  bool covers(const SkinPoint& on) const {
    for (int k = 0; k < 3; ++k)
      if (on.weight[k] > 0 && (!scratch.covered[on.vertex[k]] || !is_smooth_vertex(soft, on.vertex[k])))
        return false;
    return true;
  }
};

}  // namespace

void make_areas(const TouchSurface& s1, const TouchSurface& s2, const ProximitySettings& settings,
                AreaScratch& scratch, std::vector<ProximityPair>& pairs) {
  const bool soft_first = settings.leading == 1;
  const TouchSurface &soft = soft_first ? s1 : s2, &rigid = soft_first ? s2 : s1;
  Areas areas{soft,
              {rigid, settings.rounded[soft_first ? 1 : 0], settings.thickness_m},
              settings,
              soft_first,
              scratch};
  if (soft.at_rest.cell_m.empty()) return;
  areas.take_samples();
  const double cell = areas.mean_cell();
  if (!(cell > 0) || !areas.find_middle(cell)) return;
  const auto ordinary = pairs.size();
  int level = static_cast<int>(std::floor(2 * std::log2(spacing_in_cells * cell)));
  for (const int finest = level; level < finest + most_levels; ++level) {
    pairs.resize(ordinary);
    areas.make_all(level, pairs);
    if (static_cast<int>(pairs.size() - ordinary) <= settings.max_areas) break;
  }
  for (size_t i = 0; i < scratch.shares.size(); ++i) {
    const auto [first, end] = scratch.shares[i];
    ProximityPair& pair = pairs[ordinary + i];
    (soft_first ? pair.P : pair.Q).area = std::span(*settings.areas).subspan(first, end - first);
  }
  std::erase_if(pairs, [&](const ProximityPair& p) {
    return p.kind != PairKind::area && areas.covers(soft_first ? p.P : p.Q);
  });
}

}  // namespace palp
