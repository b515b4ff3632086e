#include "palp/mesh/cut_hexes.hpp"

#include <limits>
#include <map>

#include "palp/mesh/disjoint_sets.hpp"
#include "palp/mesh/scan_lines.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/mesh/triangle_geometry.hpp"

namespace palp {
namespace {

constexpr int kLines = 6;        // along every edge of a cell
constexpr double kGraze = 1e-6;  // what reaches less than this share of a cell into it does not count
constexpr double kFloor = 1e-4;  // every cell is filled by at least this share: A stays regular
constexpr int kPlus[3][4] = {{1, 2, 6, 5}, {3, 2, 6, 7}, {4, 5, 6, 7}},
              kMinus[3][4] = {{0, 3, 7, 4}, {0, 1, 5, 4}, {0, 1, 2, 3}};  // corners of opposite faces
constexpr int kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

bool segment_meets_box(const Vec3& a, const Vec3& b, const Vec3& centre, const Vec3& half) {
  double from = 0, to = 1;
  for (int k = 0; k < 3; ++k) {
    const double p = a[k] - centre[k], d = b[k] - a[k];
    if (d == 0) {
      if (std::abs(p) > half[k]) return false;
      continue;
    }
    const double s = (-half[k] - p) / d, t = (half[k] - p) / d;
    from = std::max(from, std::min(s, t));
    to = std::min(to, std::max(s, t));
  }
  return from <= to;
}

/// A part of a line inside the material of one cell that the surface meets.
struct Stretch {
  int slot;
  signed char axis, u, v;  ///< which of the cell's lines
  float from, to;          ///< 0 … 1 through the cell
};

/// Where material of one cell goes on in the next one along `axis`.
struct Passage {
  int member, next;
  int axis;
};

class Cutter {
 public:
  Cutter(const TriMesh& surface, const BoxLattice& lattice, const EnclosedCells& enclosed)
      : surface_(surface), lattice_(lattice), enclosed_(enclosed), kind_(enclosed.slot) {
    find_fragments();
    join_at_edges();
    follow_lines();
    join_slivers();
    follow_triangles();
    make_elements();
    join_elements();
    merge_elements();
    number_nodes();
    find_homes();
  }
  CutHexes out;

 private:
  // Members of pieces: fragments of triangles in cut cells, then full cells, then stretches.
  int slots() const { return static_cast<int>(enclosed_.cell.size()); }

  /// Fragments are the triangles that reach into the cell, not only to its border. A cell without any is full
  /// or empty.
  void find_fragments() {
    first_.assign(1, 0);
    const Vec3 half = (0.5 - kGraze) * lattice_.cell();
    for (int s = 0; s < slots(); ++s) {
      const Vec3 centre = lattice_.centre(lattice_.at(enclosed_.cell[s]));
      for (const CellPiece& piece : enclosed_.pieces[s])
        if (touches(piece.triangle, centre, half)) {
          fragment_.push_back(piece.triangle);
          inside_.push_back(piece.inside);
        }
      first_.push_back(static_cast<int>(fragment_.size()));
      if (first_[s] == first_[s + 1])
        kind_[enclosed_.cell[s]] =
            std::abs(enclosed_.moments[s][0]) > 4 ? EnclosedCells::full : EnclosedCells::empty;
    }
    members_ = DisjointSets(fragment_.size());
    full_member_.assign(kind_.size(), -1);
    for (size_t c = 0; c < kind_.size(); ++c)
      if (kind_[c] == EnclosedCells::full) full_member_[c] = members_.add();
  }

  bool touches(int t, const Vec3& centre, const Vec3& half) const {
    const auto& [a, b, c] = surface_.triangles[t];
    return triangle_touches_box(surface_.nodes[a], surface_.nodes[b], surface_.nodes[c], centre, half);
  }

  /// The member of triangle t in slot s; −1: none.
  int fragment(int s, int t) const {
    const auto begin = fragment_.begin() + first_[s], end = fragment_.begin() + first_[s + 1];
    const auto at = std::lower_bound(begin, end, t);
    return at != end && *at == t ? static_cast<int>(at - fragment_.begin()) : -1;
  }

  void join_at_edges() {
    std::map<Edge, std::vector<int>> at_edge;
    const Vec3 half = (0.5 - kGraze) * lattice_.cell();
    for (int s = 0; s < slots(); ++s) {
      at_edge.clear();
      for (int f = first_[s]; f < first_[s + 1]; ++f) {
        const Triangle& t = surface_.triangles[fragment_[f]];
        for (int k = 0; k < 3; ++k)
          at_edge[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}].push_back(f);
      }
      const Vec3 centre = lattice_.centre(lattice_.at(enclosed_.cell[s]));
      for (const auto& [edge, list] : at_edge)
        if (list.size() > 1 &&
            segment_meets_box(surface_.nodes[edge[0]], surface_.nodes[edge[1]], centre, half))
          for (int f : list) members_.unite(list[0], f);
    }
  }

  void follow_lines() {
    sample_.assign(static_cast<size_t>(slots()) * kLines * kLines * kLines, -1);
    odd_.assign(slots(), 0);
    first_stretch_ = static_cast<int>(members_.size());
    const Vec3 cell = lattice_.cell();
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      LineGrid grid{axis,
                    {},
                    Vec2(cell[u], cell[v]) / kLines,
                    {lattice_.count[u] * kLines, lattice_.count[v] * kLines}};
      grid.first = Vec2(lattice_.low[u], lattice_.low[v]) + 0.5 * grid.step;
      const LineScan scan = scan_lines(surface_, grid);
      for (int j = 0; j < grid.count[1]; ++j)
        for (int i = 0; i < grid.count[0]; ++i)
          for_stretches(scan.line(i, j), [&](const SurfaceCrossing& in, const SurfaceCrossing& end,
                                             int winding) { follow(axis, i, j, in, end, winding); });
    }
  }

  void follow(int axis, int i, int j, const SurfaceCrossing& in, const SurfaceCrossing& end, int winding) {
    const double scale = lattice_.cell()[axis];
    const double a = (in.at - lattice_.low[axis]) / scale, b = (end.at - lattice_.low[axis]) / scale;
    Cells c;
    c[(axis + 1) % 3] = i / kLines;
    c[(axis + 2) % 3] = j / kLines;
    int before = -1;
    const int last = lattice_.clamped(axis, b);
    for (int k = lattice_.clamped(axis, a); k <= last; ++k) {
      c[axis] = k;
      const double from = std::max(a - k, 0.0), to = std::min(b - k, 1.0);
      const size_t cell = lattice_.index(c);
      int member = -1;
      if (to - from > kGraze && kind_[cell] != EnclosedCells::empty) {
        if (winding != 1) out.overlaps = true;
        member = full_member_[cell];
        if (member < 0) {
          const int s = kind_[cell];
          if (winding != 1) odd_[s] = 1;
          member = members_.add();
          stretch_.push_back({s, static_cast<signed char>(axis), static_cast<signed char>(i % kLines),
                              static_cast<signed char>(j % kLines), static_cast<float>(from),
                              static_cast<float>(to)});
          if (const int f = a >= k ? fragment(s, in.triangle) : -1; f >= 0) members_.unite(f, member);
          if (const int f = b <= k + 1 ? fragment(s, end.triangle) : -1; f >= 0) members_.unite(f, member);
          for (int m = 0; m < kLines; ++m) {
            const double at = (m + 0.5) / kLines;
            if (at < from || at > to) continue;
            int& sample = sample_[sample_index(s, axis, i % kLines, j % kLines, m)];
            if (sample < 0) sample = member;
            members_.unite(sample, member);
          }
        }
      }
      if (before >= 0 && member >= 0) passages_.push_back({before, member, axis});
      before = member;
    }
  }

  static size_t sample_index(int slot, int axis, int u, int v, int along) {
    int at[3];
    at[axis] = along;
    at[(axis + 1) % 3] = u;
    at[(axis + 2) % 3] = v;
    return ((static_cast<size_t>(slot) * kLines + at[2]) * kLines + at[1]) * kLines + at[0];
  }

  /// What the lines have missed, a corner that a wall cuts off: two fragments bound the same material when
  /// the straight way from one to the other leads into it, out of it, and through no third one.
  void join_slivers() {
    for (int s = 0; s < slots(); ++s) {
      if (first_[s + 1] - first_[s] > 200) continue;  // a ball of yarn: leave it as it is
      for (int f = first_[s]; f < first_[s + 1]; ++f)
        for (int g = f + 1; g < first_[s + 1]; ++g) {
          const int a = members_.find(f), b = members_.find(g);
          if (a != b && straight_way(s, f, g)) members_.unite(a, b);
        }
    }
  }

  Vec3 normal(int t) const {
    const auto& [a, b, c] = surface_.triangles[t];
    return (surface_.nodes[b] - surface_.nodes[a]).cross(surface_.nodes[c] - surface_.nodes[a]);
  }

  bool straight_way(int s, int f, int g) const {
    const Vec3 &a = inside_[f], &b = inside_[g], way = b - a;
    if (!(way.dot(normal(fragment_[f])) < 0 && way.dot(normal(fragment_[g])) > 0)) return false;
    for (int h = first_[s]; h < first_[s + 1]; ++h)
      if (h != f && h != g && crosses(a, b, fragment_[h])) return false;
    return true;
  }

  /// Whether the segment from a to b passes triangle t: its ends on both sides, its line inside all edges.
  bool crosses(const Vec3& a, const Vec3& b, int t) const {
    const auto& [i, j, k] = surface_.triangles[t];
    const Vec3 x = surface_.nodes[i] - a, y = surface_.nodes[j] - a, z = surface_.nodes[k] - a, d = b - a;
    const Vec3 n = (y - x).cross(z - x);
    if ((n.dot(x) > 0) == (n.dot(x - d) > 0)) return false;
    const double u = d.dot(x.cross(y)), v = d.dot(y.cross(z)), w = d.dot(z.cross(x));
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  }

  /// Where a triangle passes through the face between two cells, so does the material under it.
  void follow_triangles() {
    for (int s = 0; s < slots(); ++s) {
      const Cells here = lattice_.at(enclosed_.cell[s]);
      for (int axis = 0; axis < 3; ++axis) {
        Cells there = here;
        if (++there[axis] >= lattice_.count[axis]) continue;
        const int next = kind_[lattice_.index(there)];
        if (next < 0) continue;
        Vec3 half = (0.5 - kGraze) * lattice_.cell(), centre = lattice_.centre(here);
        centre[axis] += 0.5 * lattice_.cell()[axis];
        half[axis] = 0;
        for (int f = first_[s]; f < first_[s + 1]; ++f)
          if (const int g = fragment(next, fragment_[f]); g >= 0 && touches(fragment_[f], centre, half))
            passages_.push_back({f, g, axis});
      }
    }
  }

  int slot_of_member(int m) const {
    if (m >= first_stretch_) return stretch_[m - first_stretch_].slot;
    if (m >= static_cast<int>(fragment_.size())) return -1;
    return static_cast<int>(std::upper_bound(first_.begin(), first_.end(), m) - first_.begin()) - 1;
  }

  /// One element per set of members; its number is kept at the set's smallest member.
  void make_elements() {
    element_.assign(members_.size(), -1);
    std::vector<std::vector<int>> of_slot(slots());
    const auto add = [&](int root, size_t cell) {
      if (element_[root] >= 0) return;
      element_[root] = static_cast<int>(cell_.size());
      cell_.push_back(cell);
      moments_.push_back({});
      if (const int s = slot_of_member(root); s >= 0) of_slot[s].push_back(element_[root]);
    };
    for (size_t c = 0; c < kind_.size(); ++c)
      if (full_member_[c] >= 0) add(full_member_[c], c);
    for (size_t f = 0; f < fragment_.size(); ++f)
      add(members_.find(static_cast<int>(f)), enclosed_.cell[slot_of_member(static_cast<int>(f))]);
    for (size_t t = 0; t < stretch_.size(); ++t)
      add(members_.find(first_stretch_ + static_cast<int>(t)), enclosed_.cell[stretch_[t].slot]);

    add_stretches();
    for (int s = 0; s < slots(); ++s) {
      const auto& list = of_slot[s];
      const CellMoments& exact = enclosed_.moments[s];
      if (odd_[s] || list.empty()) continue;  // the lines count overlapping material once
      double seen = 0;
      for (int e : list) seen += moments_[e][0];
      for (int e : list)
        for (int q = 0; q < 27; ++q)
          moments_[e][q] = list.size() == 1 || !(seen > 0) ? exact[q] / static_cast<double>(list.size())
                                                           : moments_[e][q] * (exact[0] / seen);
    }
  }

  /// Moments by the three families of lines, each a third; a line stands for the square around it.
  void add_stretches() {
    const double w = 4.0 / (kLines * kLines) / 3;
    for (size_t t = 0; t < stretch_.size(); ++t) {
      const Stretch& p = stretch_[t];
      CellMoments& m = moments_[element_[members_.find(first_stretch_ + static_cast<int>(t))]];
      double power[3][3];
      const auto across = [&](int axis, int line) {
        const double x = (2 * line + 1.0) / kLines - 1;
        power[axis][0] = 1;
        power[axis][1] = x;
        power[axis][2] = x * x + 1.0 / (3 * kLines * kLines);
      };
      across((p.axis + 1) % 3, p.u);
      across((p.axis + 2) % 3, p.v);
      const double a = 2 * p.from - 1, b = 2 * p.to - 1;
      for (int d = 0; d < 3; ++d) power[p.axis][d] = (std::pow(b, d + 1) - std::pow(a, d + 1)) / (d + 1);
      for (int q = 0; q < 27; ++q) m[q] += w * power[0][q % 3] * power[1][q / 3 % 3] * power[2][q / 9];
    }
  }

  int element_of(int member) {
    const int e = element_[members_.find(member)];
    return merged_.empty() ? e : merged_[e];
  }

  void join_elements() {
    corners_ = DisjointSets(8 * cell_.size());
    DisjointSets parts(cell_.size());
    const auto join = [&](int a, int b, int axis) {
      parts.unite(a, b);
      for (int c = 0; c < 4; ++c) corners_.unite(8 * a + kPlus[axis][c], 8 * b + kMinus[axis][c]);
    };
    for (const Passage& p : passages_) join(element_of(p.member), element_of(p.next), p.axis);
    // A surface in one piece bounds one part. Should rounding have hidden where it passes a face, its
    // elements are joined there all the same; those of one cell become one.
    DisjointSets sheets(surface_.triangles.size());
    const auto neighbours = triangle_neighbours(surface_.triangles);
    for (size_t t = 0; t < neighbours.size(); ++t)
      for (int n : neighbours[t])
        if (n >= 0) sheets.unite(static_cast<int>(t), n);
    std::vector<int> skin(cell_.size(), -1);
    for (size_t f = 0; f < fragment_.size(); ++f)
      skin[element_of(static_cast<int>(f))] = sheets.find(fragment_[f]);
    std::map<size_t, std::vector<int>> in_cell;
    for (size_t e = 0; e < cell_.size(); ++e)
      if (skin[e] >= 0) in_cell[cell_[e]].push_back(static_cast<int>(e));
    for (const auto& [cell, list] : in_cell)
      for (int axis = 0; axis < 3; ++axis) {
        Cells next = lattice_.at(cell);
        if (++next[axis] >= lattice_.count[axis]) continue;
        const auto other = in_cell.find(lattice_.index(next));
        if (other == in_cell.end()) continue;
        for (int a : list)
          for (int b : other->second)
            if (skin[a] == skin[b] && parts.find(a) != parts.find(b)) join(a, b, axis);
      }
    for (const auto& [cell, list] : in_cell)
      for (int a : list)
        for (int b : list) {
          if (skin[a] != skin[b] || parts.find(a) == parts.find(b)) continue;
          parts.unite(a, b);
          for (int c = 0; c < 8; ++c) corners_.unite(8 * a + c, 8 * b + c);
        }
  }

  /// Pieces of a cell that came to share all nodes, by ways around it, are one element.
  void merge_elements() {
    merged_.resize(cell_.size());
    std::map<size_t, std::vector<int>> in_cell;
    for (int e = 0; e < static_cast<int>(cell_.size()); ++e) {
      merged_[e] = e;
      auto& list = in_cell[cell_[e]];
      for (int other : list) {
        bool same = true;
        for (int c = 0; c < 8 && same; ++c) same = corners_.find(8 * e + c) == corners_.find(8 * other + c);
        if (!same) continue;
        merged_[e] = other;
        for (int q = 0; q < 27; ++q) moments_[other][q] += moments_[e][q];
        break;
      }
      if (merged_[e] == e) list.push_back(e);
    }
    for (const auto& [cell, list] : in_cell) {
      out.doubled += list.size() > 1;
      if (const int s = kind_[cell]; list.size() == 1 && s >= 0 && !odd_[s])
        moments_[list[0]] = enclosed_.moments[s];
    }
  }

  CellFill fill_of_element(int e) const {
    if (kind_[cell_[e]] == EnclosedCells::full || moments_[e][0] > 8 * (1 - kGraze)) return {};
    CellMoments m = full_moments();
    for (int q = 0; q < 27; ++q) m[q] = kFloor * m[q] + (moments_[e][0] > 0 ? moments_[e][q] : 0);
    return fill_of(m);
  }

  /// Nodes in the order of the lattice, those at the same place by element.
  void number_nodes() {
    std::vector<std::pair<size_t, int>> order;  // lattice node, representative
    const Cells nodes{lattice_.count[0] + 1, lattice_.count[1] + 1, lattice_.count[2] + 1};
    const auto place = [&](int corner) {
      Cells c = lattice_.at(cell_[corner / 8]);
      for (int k = 0; k < 3; ++k) c[k] += kCorner[corner % 8][k];
      return c;
    };
    for (int c = 0; c < static_cast<int>(corners_.size()); ++c)
      if (corners_.find(c) == c) {
        const Cells p = place(c);
        order.push_back({(static_cast<size_t>(p[2]) * nodes[1] + p[1]) * nodes[0] + p[0], c});
      }
    std::sort(order.begin(), order.end());
    std::vector<int> number(corners_.size(), -1);
    for (const auto& [where, c] : order) {
      number[c] = static_cast<int>(out.mesh.nodes.size());
      out.mesh.nodes.push_back(lattice_.corner(place(c)));
    }
    // Elements in the order of the lattice, too.
    std::vector<int> sorted;
    for (int e = 0; e < static_cast<int>(cell_.size()); ++e)
      if (merged_[e] == e) sorted.push_back(e);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return cell_[a] < cell_[b]; });
    rank_.assign(cell_.size(), -1);
    for (int e : sorted) {
      rank_[e] = static_cast<int>(out.mesh.hexes.size());
      Hex& hex = out.mesh.hexes.emplace_back();
      for (int c = 0; c < 8; ++c) hex[c] = number[corners_.find(8 * e + c)];
      out.fill.push_back(fill_of_element(e));
    }
  }

  void find_homes() {
    out.home.assign(surface_.nodes.size(), -1);
    std::vector<Vec3> normal(surface_.nodes.size(), Vec3::Zero());
    std::vector<std::vector<int>> at_node(surface_.nodes.size());
    for (size_t t = 0; t < surface_.triangles.size(); ++t) {
      const auto& [a, b, c] = surface_.triangles[t];
      const Vec3 n = (surface_.nodes[b] - surface_.nodes[a]).cross(surface_.nodes[c] - surface_.nodes[a]);
      for (int k : surface_.triangles[t]) {
        normal[k] += n;
        at_node[k].push_back(static_cast<int>(t));
      }
    }
    for (size_t n = 0; n < surface_.nodes.size(); ++n)
      if (!at_node[n].empty()) out.home[n] = rank_[home(surface_.nodes[n], normal[n], at_node[n])];
  }

  /// The element that carries a node: one that a triangle at the node reaches into, else the one under it.
  int home(const Vec3& p, const Vec3& normal, const std::vector<int>& triangles) {
    const Vec3 at = lattice_.in_cells(p);
    std::vector<size_t> near;
    for (int c = 0; c < 8; ++c) {
      Cells cell;
      for (int k = 0; k < 3; ++k) cell[k] = lattice_.clamped(k, at[k] + (kCorner[c][k] ? 1e-6 : -1e-6));
      near.push_back(lattice_.index(cell));
    }
    for (size_t cell : near)
      if (kind_[cell] >= 0)
        for (int t : triangles)
          if (const int f = fragment(kind_[cell], t); f >= 0) return element_of(f);
    const Vec3 under = at - 1e-3 * normal.cwiseQuotient(lattice_.cell()).stableNormalized();
    near.insert(near.begin(), lattice_.index({lattice_.clamped(0, under.x()), lattice_.clamped(1, under.y()),
                                              lattice_.clamped(2, under.z())}));
    for (size_t cell : near) {
      if (full_member_[cell] >= 0) return element_of(full_member_[cell]);
      if (kind_[cell] < 0) continue;
      if (const int m = nearest_member(kind_[cell], under); m >= 0) return element_of(m);
    }
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (size_t e = 0; e < cell_.size(); ++e)
      if (const double d = (lattice_.centre(lattice_.at(cell_[e])) - p).squaredNorm(); d < least) {
        least = d;
        best = merged_[e];
      }
    return best;
  }

  /// The material of a cut cell nearest to a point given in cells.
  int nearest_member(int slot, const Vec3& p) {
    int best = first_[slot] < first_[slot + 1] ? first_[slot] : -1;
    double least = std::numeric_limits<double>::infinity();
    const Cells cell = lattice_.at(enclosed_.cell[slot]);
    for (int k = 0; k < kLines; ++k)
      for (int j = 0; j < kLines; ++j)
        for (int i = 0; i < kLines; ++i) {
          const int m = sample_[sample_index(slot, 2, i, j, k)];
          const Vec3 x = Vec3(cell[0], cell[1], cell[2]) + Vec3(i + 0.5, j + 0.5, k + 0.5) / kLines;
          if (m < 0 || !((x - p).squaredNorm() < least)) continue;
          least = (x - p).squaredNorm();
          best = m;
        }
    return best;
  }

  const TriMesh& surface_;
  const BoxLattice& lattice_;
  const EnclosedCells& enclosed_;
  std::vector<int> kind_;  // as EnclosedCells::slot, but cells that are merely grazed are full or empty
  std::vector<int> fragment_, first_;  // triangle of each fragment; fragments of slot s: first_[s] …
  std::vector<Vec3> inside_;           // [fragments]: a point of it in the cell
  std::vector<int> full_member_;       // [cells]; −1: not full
  DisjointSets members_;
  int first_stretch_ = 0;
  std::vector<Stretch> stretch_;
  std::vector<int> sample_;  // [slots × kLines³]: a stretch through the sample; −1: outside
  std::vector<char> odd_;    // [slots]: enclosed more than once
  std::vector<Passage> passages_;
  std::vector<int> element_;          // [members], at the smallest of a set
  std::vector<size_t> cell_;          // [elements]
  std::vector<CellMoments> moments_;  // [elements]
  DisjointSets corners_;              // [elements × 8]
  std::vector<int> merged_;           // [elements]: the one it became part of
  std::vector<int> rank_;             // [elements]: place in the mesh
};

}  // namespace

CutHexes cut_hexes(const TriMesh& surface, const BoxLattice& lattice, const EnclosedCells& enclosed) {
  return std::move(Cutter(surface, lattice, enclosed).out);
}

}  // namespace palp
