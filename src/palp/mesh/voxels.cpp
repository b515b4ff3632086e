#include "palp/mesh/voxels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "palp/mesh/lattice.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/triangle_geometry.hpp"

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

/// A grid of cubes around the surface, one empty layer on every side.
class VoxelGrid {
 public:
  VoxelGrid(const TriMesh& surface, double cell) : surface_(surface), cell_(cell) {
    Eigen::AlignedBox3d box;
    for (const Triangle& t : surface.triangles)
      for (int n : t) box.extend(surface.nodes[n]);
    for (int k = 0; k < 3; ++k) cells_[k] = cells_along(box.sizes()[k], cell);
    origin_ = box.center() - 0.5 * cell * Vec3(cells_[0], cells_[1], cells_[2]);
    kind_.assign(static_cast<size_t>(cells_[0]) * cells_[1] * cells_[2], unknown);
    classify();
  }
  static int cells_along(double extent, double cell) {
    // A surface that fits the grid exactly (a box of whole cubes) gets no extra cube.
    return std::max(1, static_cast<int>(std::ceil(extent / cell - 1e-6))) + 2;
  }

  long kept() const { return std::count_if(kind_.begin(), kind_.end(), keeps); }

  HexMesh hexes() const {
    return lattice_hexes(
        cells_,
        [&](int i, int j, int k) {
          return keeps(kind_[index({i, j, k})]);
        },
        [&](int i, int j, int k) -> Vec3 { return origin_ + cell_ * Vec3(i, j, k); });
  }

 private:
  enum Kind : char { unknown, outside, inside, crossed, grazed };
  static bool keeps(Kind k) { return k == inside || k == crossed; }

  size_t index(const Cells& c) const {
    return (static_cast<size_t>(c[2]) * cells_[1] + c[1]) * cells_[0] + c[0];
  }
  Cells cell_at(size_t i) const {
    return {static_cast<int>(i % cells_[0]), static_cast<int>(i / cells_[0] % cells_[1]),
            static_cast<int>(i / cells_[0] / cells_[1])};
  }
  Vec3 centre(const Cells& c) const { return origin_ + cell_ * Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5); }
  bool is_inside(const Cells& c) const { return std::abs(winding_number(surface_, centre(c))) > 0.5; }

  /// Crossed by a triangle, or merely touched at the border: no more than rounding reaches into it.
  void mark_surface() {
    const Vec3 wide = Vec3::Constant(cell_ * (0.5 + 1e-9)), narrow = Vec3::Constant(cell_ * (0.5 - 1e-9));
    for (const Triangle& t : surface_.triangles) {
      const Vec3 &a = surface_.nodes[t[0]], &b = surface_.nodes[t[1]], &c = surface_.nodes[t[2]];
      const Vec3 low = (a.cwiseMin(b).cwiseMin(c) - origin_) / cell_,
                 high = (a.cwiseMax(b).cwiseMax(c) - origin_) / cell_;
      Cells from, to;
      for (int k = 0; k < 3; ++k) {
        from[k] = std::clamp(static_cast<int>(std::floor(low[k] - 1e-6)), 0, cells_[k] - 1);
        to[k] = std::clamp(static_cast<int>(std::floor(high[k] + 1e-6)), 0, cells_[k] - 1);
      }
      for (int k = from[2]; k <= to[2]; ++k)
        for (int j = from[1]; j <= to[1]; ++j)
          for (int i = from[0]; i <= to[0]; ++i) {
            Kind& kind = kind_[index({i, j, k})];
            if (kind == crossed || !triangle_touches_box(a, b, c, centre({i, j, k}), wide)) continue;
            kind = triangle_touches_box(a, b, c, centre({i, j, k}), narrow) ? crossed : grazed;
          }
    }
  }

  /// Calls visit on every cell that whole faces join to `first` through cells for which passable holds; each
  /// once.
  void flood(size_t first, std::vector<char>& seen, const std::function<bool(size_t)>& passable,
             const std::function<void(size_t)>& visit) const {
    std::vector<size_t> open{first};
    seen[first] = 1;
    while (!open.empty()) {
      const size_t at = open.back();
      open.pop_back();
      visit(at);
      for (int axis = 0; axis < 3; ++axis)
        for (int side : {-1, 1}) {
          Cells next = cell_at(at);
          next[axis] += side;
          if (next[axis] < 0 || next[axis] >= cells_[axis]) continue;
          const size_t n = index(next);
          if (seen[n] || !passable(n)) continue;
          seen[n] = 1;
          open.push_back(n);
        }
    }
  }

  int parts() const {
    int count = 0;
    std::vector<char> seen(kind_.size(), 0);
    for (size_t c = 0; c < kind_.size(); ++c)
      if (keeps(kind_[c]) && !seen[c]) {
        ++count;
        flood(
            c, seen, [&](size_t n) { return keeps(kind_[n]); }, [](size_t) {});
      }
    return count;
  }

  void classify() {
    mark_surface();
    // No path leads through the marked cells, so each region between them is inside or outside as a whole.
    std::vector<char> seen(kind_.size(), 0);
    const auto free = [&](size_t n) { return kind_[n] == unknown; };
    for (size_t c = 0; c < kind_.size(); ++c) {
      if (seen[c] || kind_[c] != unknown) continue;
      const Kind kind = c != 0 && is_inside(cell_at(c)) ? inside : outside;
      std::vector<size_t> region;
      flood(c, seen, free, [&](size_t n) { region.push_back(n); });
      for (size_t n : region) kind_[n] = kind;
    }
    // A grazed cell is wholly on one side.
    std::vector<size_t> shaved;
    for (size_t c = 0; c < kind_.size(); ++c)
      if (kind_[c] == grazed) {
        if (is_inside(cell_at(c)))
          kind_[c] = inside;
        else
          shaved.push_back(c);
      }
    // A surface that runs exactly along the grid could hang together by edges only without the outer grazed
    // cells, or, where it encloses nothing, be left without any.
    if (!shaved.empty() && (!covers_all_nodes() || parts() > connected_components(surface_.triangles).count))
      for (size_t c : shaved) kind_[c] = crossed;
  }

  bool covers_all_nodes() const {
    for (const Triangle& t : surface_.triangles)
      for (int n : t) {
        const Vec3 p = (surface_.nodes[n] - origin_) / cell_;
        bool covered = false;
        for (int corner = 0; corner < 8 && !covered; ++corner) {
          Cells c;
          for (int k = 0; k < 3; ++k) {
            const double nudge = corner >> k & 1 ? 1e-9 : -1e-9;
            c[k] = std::clamp(static_cast<int>(std::floor(p[k] + nudge)), 0, cells_[k] - 1);
          }
          covered = keeps(kind_[index(c)]);
        }
        if (!covered) return false;
      }
    return true;
  }

  const TriMesh& surface_;
  double cell_;
  Cells cells_{};
  Vec3 origin_;
  std::vector<Kind> kind_;
};

struct Hexes {
  HexMesh mesh;
  double cell_m;
};

Result<Hexes> voxel_hexes(const TriMesh& surface, const VoxelOptions& options) {
  if (const auto closed = check_closed(surface); !closed) return closed.error();
  ParameterCheck check("voxels");
  check.require(std::isfinite(options.cell_m) && options.cell_m >= 0,
                "cell_m must be positive, or 0 to have it chosen");
  check.between("wanted_cells", options.wanted_cells, 1, 1000000);
  if (check.failed()) return check.error();

  Eigen::AlignedBox3d box;
  for (const Triangle& t : surface.triangles)
    for (int n : t) box.extend(surface.nodes[n]);
  const double diagonal = box.diagonal().norm();
  if (!(diagonal > 0) || !std::isfinite(diagonal))
    return Error{.message = "voxels: the surface has no extent", .remedy = "check its units"};
  const auto fits = [&](double cell, double most) {
    double count = 1;
    for (double extent : box.sizes()) count *= extent / cell + 3;
    return count <= most;
  };
  if (options.cell_m > 0) {
    if (!fits(options.cell_m, 8e6))
      return Error{
          .message = "voxels: cell_m is too small for a surface of " + std::to_string(diagonal) + " m",
          .remedy = "choose larger cubes"};
    return Hexes{VoxelGrid(surface, options.cell_m).hexes(), options.cell_m};
  }

  // Cubes of the wanted number by volume, by area for a thin shape, by length for a needle; then correct a
  // few times.
  const double wanted = options.wanted_cells;
  double cell = std::max({std::cbrt(std::abs(enclosed_volume(surface)) / wanted),
                          std::sqrt(area(surface) / wanted), diagonal / wanted});
  double best_cell = 0, best_miss = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    while (!fits(cell, std::min(8e6, 1e5 + 500 * wanted)))
      cell *= 1.2;  // scattered specks never fill many cubes
    const double ratio = static_cast<double>(VoxelGrid(surface, cell).kept()) / wanted;
    const double miss = std::abs(std::log(ratio));
    if (best_cell == 0 || miss < best_miss) {
      best_cell = cell;
      best_miss = miss;
    }
    if (miss < 0.1) break;
    cell *= std::cbrt(ratio);
  }
  return Hexes{VoxelGrid(surface, best_cell).hexes(), best_cell};
}

}  // namespace

Result<VoxelHexes> embed_in_voxel_hexes(const TriMesh& surface, const VoxelOptions& options) {
  auto hexes = voxel_hexes(surface, options);
  if (!hexes) return hexes.error();
  auto embedding = embed(surface.nodes, hexes->mesh);
  if (!embedding) return embedding.error();
  return VoxelHexes{std::move(hexes->mesh), std::move(*embedding), hexes->cell_m};
}

Result<VoxelTets> embed_in_voxel_tets(const TriMesh& surface, const VoxelOptions& options) {
  auto hexes = voxel_hexes(surface, options);
  if (!hexes) return hexes.error();
  TetMesh tets = split_hexes(hexes->mesh);
  auto embedding = embed(surface.nodes, tets);
  if (!embedding) return embedding.error();
  return VoxelTets{std::move(tets), std::move(*embedding), hexes->cell_m};
}

}  // namespace palp
