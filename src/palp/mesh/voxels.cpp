#include "palp/mesh/voxels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "palp/mesh/cut_hexes.hpp"
#include "palp/mesh/lattice.hpp"
#include "palp/mesh/part_axes.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/walls.hpp"

namespace palp {
namespace {

/// Closed: every edge is run along as often as against. That is what makes inside and outside well defined.
Result<void> check_closed(const TriMesh& surface) {
  const auto fail = [](std::string what, std::string remedy) {
    return Error{.message = "voxels: " + std::move(what), .remedy = std::move(remedy)};
  };
  if (surface.triangles.empty()) return fail("the surface has no triangles", "");
  for (size_t t = 0; t < surface.triangles.size(); ++t)
    for (int n : surface.triangles[t]) {
      if (n < 0 || static_cast<size_t>(n) >= surface.nodes.size())
        return fail("triangle " + std::to_string(t) + " names a node that does not exist", "");
      if (!surface.nodes[n].allFinite()) return fail("node " + std::to_string(n) + " is not finite", "");
    }
  int open = 0, unbalanced = 0, first = -1;
  for (const EdgeUse& use : edge_uses(surface.triangles)) {
    if (use.edge[0] == use.edge[1] || use.forward == use.backward) continue;
    ++(use.uses() % 2 ? open : unbalanced);
    if (first < 0) first = use.triangles[0];
  }
  const std::string where = ", first at triangle " + std::to_string(first);
  if (open > 0)
    return fail("the surface is not closed: " + std::to_string(open) + " open edges" + where,
                "merge duplicate nodes and close the holes");
  if (unbalanced > 0)
    return fail(
        "neighbouring triangles run in opposite senses at " + std::to_string(unbalanced) + " edges" + where,
        "make the normals consistent");
  return {};
}

constexpr double kThrough = 6;     // cells through the thinnest walls, when the budget allows
constexpr double kLongest = 3;     // longest over shortest edge of a cell …
constexpr double kStretched = 10;  // … where the budget is short: what is alike along an axis needs few
constexpr double kAskewExcess =
    0.55;  // a wall askew in the lattice with n cells through is stiffer by this/n²
constexpr double kAskewEnough = 2.5;  // cells through it: a tenth too stiff
constexpr double kThinShare = 0.02;   // of the surface bounds the walls that count as the thinnest

/// A part that is fit to be laid in a lattice, its normals outwards, in its own axes.
struct Part {
  TriMesh surface;
  Mat3 axes = Mat3::Identity();
  Eigen::AlignedBox3d box;
  double volume = 0, area = 0;
  std::vector<Wall> walls;

  bool turned() const { return axes != Mat3::Identity(); }
  /// Back into the axes of the world.
  void turn_back(std::span<Vec3> points) const {
    if (turned())
      for (Vec3& p : points) p = axes * p;
  }

  /// The thinnest walls by a measure of thickness and normal.
  template <class Measure>
  double thinnest(const Measure& measure) const {
    std::vector<std::pair<double, double>> list;
    for (const Wall& w : walls)
      if (const double m = measure(w); std::isfinite(m)) list.push_back({m, w.area_m2});
    return thin_walls(std::move(list), area, kThinShare);
  }
};

Result<Part> make_part(const TriMesh& surface) {
  if (const auto closed = check_closed(surface); !closed) return closed.error();
  Part part{surface, part_axes(surface), {}, enclosed_volume(surface), area(surface), {}};
  if (part.turned())
    for (Vec3& p : part.surface.nodes) p = part.axes.transpose() * p;
  for (const Triangle& t : surface.triangles)
    for (int n : t) part.box.extend(part.surface.nodes[n]);
  const double diagonal = part.box.diagonal().norm();
  if (!(diagonal > 0) || !std::isfinite(diagonal))
    return Error{.message = "voxels: the surface has no extent", .remedy = "check its units"};
  if (!(std::abs(part.volume) > 1e-9 * part.area * diagonal) || !(part.box.sizes().minCoeff() > 0))
    return Error{.message = "voxels: the surface encloses no volume",
                 .remedy = "a body of no thickness has no weight: give its sheets a thickness"};
  if (part.volume < 0) {
    for (Triangle& t : part.surface.triangles) std::swap(t[1], t[2]);
    part.volume = -part.volume;
  }
  part.walls = find_walls(part.surface);
  return part;
}

/// Proportions of the cells: edges such that kThrough of them pass through the thinnest walls across each
/// axis. A wall counts as one across an axis when it climbs by about a cell along one of the longest.
Vec3 cell_by_walls(const Part& part, double longest) {
  Vec3 cell;
  for (int k = 0; k < 3; ++k)
    cell[k] = part.thinnest([&](const Wall& w) {
      const double along = std::abs(w.normal[k]);
      return along > 0.9 / longest ? w.thickness_m / along : std::numeric_limits<double>::infinity();
    }) / kThrough;
  const Vec3 size = part.box.sizes();
  const double shortest = std::min(cell.minCoeff(), size.minCoeff());
  return cell.cwiseMin(longest * shortest).cwiseMin(size);
}

size_t count_elements(const EnclosedCells& cells) {
  size_t count = 0;
  for (int s : cells.slot) count += s == EnclosedCells::full;
  for (const CellMoments& m : cells.moments) count += std::abs(m[0]) > 1e-6;
  return count;
}

/// Cells as `cell`, all edges scaled until there are about `wanted`.
Vec3 scaled_to(const Part& part, Vec3 cell, double wanted) {
  const double most = std::min(4e6, 1e5 + 500 * wanted);  // scattered specks never fill many cells
  Vec3 best = cell;
  double best_miss = std::numeric_limits<double>::infinity();
  // By volume, and half of the cells that the surface cuts.
  cell *= std::cbrt((part.volume / cell.prod() + 0.5 * part.area / std::pow(cell.prod(), 2.0 / 3)) / wanted);
  for (int attempt = 0; attempt < 8; ++attempt) {
    BoxLattice lattice = BoxLattice::around(part.box, cell);
    while (static_cast<double>(lattice.count[0]) * lattice.count[1] * lattice.count[2] > most) {
      cell *= 1.2;
      lattice = BoxLattice::around(part.box, cell);
    }
    const double ratio = static_cast<double>(count_elements(enclosed_cells(part.surface, lattice))) / wanted;
    const double miss = std::abs(std::log(ratio));
    if (miss < best_miss) {
      best = cell;
      best_miss = miss;
    }
    if (miss < 0.1) break;
    cell *= std::cbrt(ratio);
  }
  return best;
}

Result<Vec3> choose_cell(const Part& part, const VoxelOptions& o) {
  ParameterCheck check("voxels");
  check.require(std::isfinite(o.cell_m) && o.cell_m >= 0, "cell_m must be positive, or 0 to have it chosen");
  check.between("wanted_cells", o.wanted_cells, 0, 1000000);
  check.between("least_cells", o.least_cells, 1, 1000000);
  check.between("most_cells", o.most_cells, o.least_cells, 1000000);
  check.within("finer", o.finer, 1e-3, 1e3);
  if (check.failed()) return check.error();
  if (o.cell_m > 0) {
    double count = 1;
    for (double extent : part.box.sizes()) count *= extent / o.cell_m + 1;
    if (!(count <= 4e6))
      return Error{.message = "voxels: cell_m is too small for a surface of " +
                              std::to_string(part.box.diagonal().norm()) + " m",
                   .remedy = "choose larger cells"};
    return Vec3::Constant(o.cell_m / o.finer).eval();
  }
  const double finer = std::pow(o.finer, 3);
  const double most = o.wanted_cells > 0 ? o.wanted_cells : o.most_cells;
  const double least = o.wanted_cells > 0 ? o.wanted_cells : o.least_cells;
  const auto count = [&](const Vec3& cell) {
    const double least_count = part.volume / cell.prod();
    if (least_count > 2 * most) return least_count;
    return static_cast<double>(
        count_elements(enclosed_cells(part.surface, BoxLattice::around(part.box, cell))));
  };
  Vec3 cell = cell_by_walls(part, kLongest);
  double by_walls = count(cell);
  if (by_walls > most) {
    cell = cell_by_walls(part, kStretched);
    by_walls = count(cell);
  }
  const double wanted = std::clamp(by_walls, least, most);
  if (wanted == by_walls) return (cell / o.finer).eval();
  return scaled_to(part, cell, wanted * finer);
}

struct Laid {
  Part part;
  BoxLattice lattice;
  CutHexes cut;
};

Result<Laid> lay(const TriMesh& surface, const VoxelOptions& options) {
  auto part = make_part(surface);
  if (!part) return part.error();
  const auto cell = choose_cell(*part, options);
  if (!cell) return cell.error();
  Laid laid{std::move(*part), {}, {}};
  laid.lattice = BoxLattice::around(laid.part.box, *cell);
  laid.cut = cut_hexes(laid.part.surface, laid.lattice, enclosed_cells(laid.part.surface, laid.lattice));
  if (laid.cut.mesh.hexes.empty())
    return Error{.message = "voxels: the surface encloses no volume",
                 .remedy = "its parts cancel out: check their normals (palp mesh repair)"};
  return laid;
}

/// Weights of a point in a box-shaped cell: trilinear, continued beyond its border.
std::array<double, 8> trilinear(const Vec3& at) {
  std::array<double, 8> w;
  for (int c = 0; c < 8; ++c) {
    const bool x = c % 4 == 1 || c % 4 == 2, y = c % 4 >= 2, z = c >= 4;
    w[c] = (x ? at.x() : 1 - at.x()) * (y ? at.y() : 1 - at.y()) * (z ? at.z() : 1 - at.z());
  }
  return w;
}

Embedding embedding_in(const Laid& laid) {
  Embedding out;
  out.nodes_per_element = 8;
  const HexMesh& mesh = laid.cut.mesh;
  const Vec3 cell = laid.lattice.cell();
  for (size_t n = 0; n < laid.part.surface.nodes.size(); ++n) {
    const Vec3& p = laid.part.surface.nodes[n];
    const int home = std::max(laid.cut.home[n], 0);
    const Hex& hex = mesh.hexes[home];
    const Vec3 at = (p - mesh.nodes[hex[0]]).cwiseQuotient(cell);
    const Vec3 beyond = (at - at.cwiseMax(0.0).cwiseMin(1.0)).cwiseProduct(cell);
    if (beyond.cwiseQuotient(cell).cwiseAbs().maxCoeff() > 1e-5) {
      out.extrapolated.push_back(static_cast<int>(n));
      out.farthest_m = std::max(out.farthest_m, beyond.norm());
    }
    const auto weight = trilinear(at);
    out.element.push_back(home);
    out.node.insert(out.node.end(), hex.begin(), hex.end());
    out.weight.insert(out.weight.end(), weight.begin(), weight.end());
  }
  return out;
}

/// The same in the six tets of each hex, by the one that holds the node best.
Embedding in_tets(Embedding hexes, const TriMesh& surface, const TetMesh& mesh) {
  Embedding out = std::move(hexes);
  out.nodes_per_element = 4;
  out.node.clear();
  out.weight.clear();
  for (size_t n = 0; n < surface.nodes.size(); ++n) {
    const int first = 6 * out.element[n];
    Eigen::Vector4d best = Eigen::Vector4d::Constant(-std::numeric_limits<double>::infinity());
    for (int t = first; t < first + 6; ++t) {
      const Tet& tet = mesh.tets[t];
      Mat3 edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = mesh.nodes[tet[k + 1]] - mesh.nodes[tet[0]];
      Eigen::Vector4d w;
      w.tail<3>() = edges.inverse() * (surface.nodes[n] - mesh.nodes[tet[0]]);
      w[0] = 1 - w.tail<3>().sum();
      if (!(w.minCoeff() > best.minCoeff())) continue;
      best = w;
      out.element[n] = t;
    }
    const Tet& tet = mesh.tets[out.element[n]];
    out.node.insert(out.node.end(), tet.begin(), tet.end());
    out.weight.insert(out.weight.end(), best.begin(), best.end());
  }
  return out;
}

/// `fill`: empty for full elements.
VoxelReport report_on(const Laid& laid, const std::vector<CellFill>& fill) {
  VoxelReport r;
  const TriMesh& s = laid.part.surface;
  r.surface_volume_m3 = laid.part.volume;
  r.surface_diagonal_m = laid.part.box.diagonal().norm();
  const Vec3 origin = laid.part.box.center();
  for (const auto& [a, b, c] : s.triangles) {
    const Vec3 x = s.nodes[a] - origin, y = s.nodes[b] - origin, z = s.nodes[c] - origin;
    r.surface_centre_m += x.cross(y).dot(z) / 24 * (x + y + z);
  }
  r.surface_centre_m = origin + r.surface_centre_m / laid.part.volume;
  const Vec3 cell = laid.lattice.cell();
  for (size_t e = 0; e < laid.cut.mesh.hexes.size(); ++e) {
    const Vec3 centre = laid.cut.mesh.nodes[laid.cut.mesh.hexes[e][0]] + 0.5 * cell;
    double v = fill[e].empty() ? 8 : 0;
    Vec3 moment = Vec3::Zero();
    for (const CellSample& q : fill[e]) {
      v += q.weight;
      moment += q.weight * q.xi;
    }
    r.volume_m3 += v * cell.prod() / 8;
    r.centre_m += cell.prod() / 8 * (v * (centre - origin) + 0.5 * moment.cwiseProduct(cell));
  }
  r.centre_m = origin + r.centre_m / r.volume_m3;
  r.thinnest_wall_m = laid.part.thinnest([](const Wall& w) { return w.thickness_m; });
  const auto through = [&](const Wall& w) { return w.thickness_m / w.normal.cwiseProduct(cell).norm(); };
  r.cells_through = laid.part.thinnest(through);
  r.askew_through = laid.part.thinnest([&](const Wall& w) {
    return w.normal.cwiseAbs().maxCoeff() < 0.97 ? through(w) : std::numeric_limits<double>::infinity();
  });
  r.cells = static_cast<int>(laid.cut.mesh.hexes.size());
  laid.part.turn_back({&r.surface_centre_m, 1});
  laid.part.turn_back({&r.centre_m, 1});
  r.parts = connected_components(laid.cut.mesh.hexes).count;
  r.doubled_cells = laid.cut.doubled;
  r.overlaps = laid.cut.overlaps;
  return r;
}

std::string text_of(double value, const char* format = "%.3g") {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::vector<std::string> VoxelReport::warnings() const {
  std::vector<std::string> out;
  if (overlaps)
    out.push_back(
        "the surface runs through itself, or some of it is inside out: what it encloses twice counts "
        "once; unite its parts where the file is made");
  else if (std::abs(volume_error()) > 0.01)
    out.push_back("the body's volume and mass are " + text_of(100 * std::abs(volume_error())) + " % " +
                  (volume_error() > 0 ? "above" : "below") +
                  " the surface's; elements: hexes count what is inside, tets whole cells");
  if (cells_through < 1)
    out.push_back("walls of " + text_of(1000 * thinnest_wall_m) + " mm are thinner than a cell (" +
                  text_of(cells_through) +
                  " cells through): they bend only roughly right; ask for more cells");
  else if (askew_through < kAskewEnough)
    out.push_back(
        "walls that run askew in the lattice, as curved ones do, have " + text_of(askew_through, "%.1f") +
        " cells through them: they bend about " +
        text_of(100 * kAskewExcess / (askew_through * askew_through), "%.0f") + " % too little; cells: " +
        std::to_string(1000 * std::lround(1e-3 * cells * std::pow(kAskewEnough / askew_through, 3))) +
        " makes it " + text_of(100 * kAskewExcess / (kAskewEnough * kAskewEnough), "%.0f") + " %");
  if (parts > 1)
    out.push_back("the body falls into " + std::to_string(parts) +
                  " parts that no material joins; a body should be one part, make several bodies of it");
  return out;
}

Result<VoxelHexes> embed_in_voxel_hexes(const TriMesh& surface, const VoxelOptions& options) {
  auto laid = lay(surface, options);
  if (!laid) return laid.error();
  VoxelReport report = report_on(*laid, laid->cut.fill);
  Embedding embedding = embedding_in(*laid);
  laid->part.turn_back(laid->cut.mesh.nodes);
  return VoxelHexes{std::move(laid->cut.mesh), std::move(laid->cut.fill), std::move(embedding),
                    laid->lattice.cell(), std::move(report)};
}

Result<VoxelTets> embed_in_voxel_tets(const TriMesh& surface, const VoxelOptions& options) {
  auto laid = lay(surface, options);
  if (!laid) return laid.error();
  TetMesh tets = split_hexes(laid->cut.mesh);
  Embedding embedding = in_tets(embedding_in(*laid), laid->part.surface, tets);
  laid->part.turn_back(tets.nodes);
  return VoxelTets{std::move(tets), std::move(embedding), laid->lattice.cell(),
                   report_on(*laid, std::vector<CellFill>(laid->cut.mesh.hexes.size()))};
}

}  // namespace palp
