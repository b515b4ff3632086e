#include "palp/mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>
#include <tuple>

#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

struct DefectText {
  Defect defect;
  bool fatal, of_nodes;
  const char *name, *what, *remedy;
};
constexpr DefectText texts[] = {
    {Defect::empty, true, false, "empty", "the mesh is empty",
     "check that the file holds elements of this kind"},
    {Defect::not_finite, true, true, "not finite", "nodes with NaN or infinite coordinates",
     "export the mesh again"},
    {Defect::index_out_of_range, true, false, "index out of range", "elements name nodes that do not exist",
     "is the file 1-based, or truncated?"},
    {Defect::repeated_node, true, false, "repeated node", "elements use a node twice",
     "remove these elements or mesh anew"},
    {Defect::inverted, true, false, "inverted", "elements are inverted (negative volume)",
     "swap two nodes of each, or check the node order of the file"},
    {Defect::degenerate, true, false, "degenerate", "elements are flat (quality near zero)",
     "improve the mesh, e.g. with Gmsh -optimize"},
    {Defect::duplicate_element, true, false, "duplicate element", "elements repeat another element",
     "remove the copies"},
    {Defect::duplicate_node, false, true, "duplicate node", "nodes lie on top of another node",
     "merge them: parts that only look joined move apart"},
    {Defect::unused_node, false, true, "unused node", "nodes belong to no element",
     "harmless in a surface; remove them from a volume mesh: they have no mass or stiffness"},
    {Defect::open_edge, true, false, "open surface", "triangles lie at a rim of the surface",
     "close the holes: inside and outside are undefined"},
    {Defect::non_manifold_edge, true, false, "non-manifold edge", "triangles meet three or more at an edge",
     "separate the sheets, or remove inner walls"},
    {Defect::non_manifold_vertex, false, true, "non-manifold vertex", "nodes join sheets in a single point",
     "duplicate the node for each sheet"},
    {Defect::orientation, true, false, "inconsistent orientation", "triangles run against a neighbour",
     "make the normals consistent"},
    {Defect::inside_out, true, false, "inside out", "the surface is inside out", "flip all triangles"},
    {Defect::several_parts, false, false, "several parts",
     "elements belong to parts apart from the first one",
     "intended? parts that share no node move independently"},
    {Defect::suspicious_units, false, false, "suspicious units", "the size is unlikely in metres",
     "scale the mesh: coordinates are metres"},
};

const DefectText& text_of(Defect defect) {
  return *std::find_if(std::begin(texts), std::end(texts),
                       [&](const DefectText& t) { return t.defect == defect; });
}

void add(MeshReport& report, Defect defect, std::vector<int> items, const std::string& detail = "") {
  const DefectText& text = text_of(defect);
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  std::ostringstream message;
  constexpr size_t shown = 8;
  if (!items.empty()) message << items.size() << ' ';
  message << text.what;
  if (!detail.empty()) message << ": " << detail;
  if (!items.empty()) {
    message << (text.of_nodes ? ": node" : ": element") << (items.size() > 1 ? "s " : " ");
    for (size_t k = 0; k < std::min(shown, items.size()); ++k) message << (k ? ", " : "") << items[k];
    if (items.size() > shown) message << ", … (" << items.size() - shown << " more)";
  }
  report.findings.push_back(
      {defect, text.fatal, text.of_nodes, std::move(items), message.str(), text.remedy});
}

void add_if_any(MeshReport& report, Defect defect, std::vector<int> items) {
  if (!items.empty()) add(report, defect, std::move(items));
}

bool usable(const Vec3& p) { return p.allFinite(); }

void check_nodes(MeshReport& report, const std::vector<Vec3>& nodes, const QualityLimits& limits) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<int> bad, order;
  Vec3 low = Vec3::Constant(infinity), high = -low;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!usable(nodes[n])) {
      bad.push_back(static_cast<int>(n));
      continue;
    }
    order.push_back(static_cast<int>(n));
    low = low.cwiseMin(nodes[n]);
    high = high.cwiseMax(nodes[n]);
  }
  add_if_any(report, Defect::not_finite, bad);
  if (order.empty()) return;
  report.diagonal_m = (0.5 * high - 0.5 * low).stableNorm() * 2;
  if (report.diagonal_m > limits.largest_m || (report.diagonal_m < limits.smallest_m && nodes.size() > 1)) {
    std::ostringstream detail;
    detail << "bounding box diagonal " << report.diagonal_m << " m";
    add(report, Defect::suspicious_units, {}, detail.str());
  }

  // Sorted along a direction that no structured mesh is aligned with, copies are neighbours in a short
  // window.
  const double near = limits.duplicate_node_distance * report.diagonal_m;
  const Vec3 direction = Vec3(0.6180339887, 0.4142135624, 0.7320508076).normalized();
  std::vector<double> along(nodes.size(), 0);
  for (int n : order) along[n] = direction.dot(0.25 * nodes[n]);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::tie(along[a], a) < std::tie(along[b], b); });
  std::vector<int> copies;
  for (size_t a = 0; a < order.size(); ++a)
    for (size_t b = a + 1; b < order.size() && !(along[order[b]] - along[order[a]] > near); ++b)
      if ((nodes[order[b]] - nodes[order[a]]).stableNorm() <= near) {
        copies.push_back(std::max(order[a], order[b]));
        break;  // the next one of a heap of copies is found from this one
      }
  add_if_any(report, Defect::duplicate_node, copies);
}

/// Elements whose indices are good and whose nodes are all finite and different; reports the others.
template <size_t N>
std::vector<int> sound_elements(MeshReport& report, const std::vector<Vec3>& nodes,
                                const std::vector<std::array<int, N>>& elements) {
  std::vector<int> sound, range, repeated;
  for (size_t e = 0; e < elements.size(); ++e) {
    auto sorted = elements[e];
    std::sort(sorted.begin(), sorted.end());
    const int number = static_cast<int>(e);
    if (sorted.front() < 0 || static_cast<size_t>(sorted.back()) >= nodes.size())
      range.push_back(number);
    else if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      repeated.push_back(number);
    else if (std::all_of(sorted.begin(), sorted.end(), [&](int n) { return usable(nodes[n]); }))
      sound.push_back(number);
  }
  add_if_any(report, Defect::index_out_of_range, range);
  add_if_any(report, Defect::repeated_node, repeated);
  return sound;
}

template <size_t N>
void check_copies(MeshReport& report, const std::vector<std::array<int, N>>& elements,
                  const std::vector<int>& sound) {
  std::vector<std::pair<std::array<int, N>, int>> keys;
  keys.reserve(sound.size());
  for (int e : sound) {
    keys.emplace_back(elements[e], e);
    std::sort(keys.back().first.begin(), keys.back().first.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> copies;
  for (size_t k = 1; k < keys.size(); ++k)
    if (keys[k].first == keys[k - 1].first) copies.push_back(keys[k].second);
  add_if_any(report, Defect::duplicate_element, copies);
}

template <size_t N>
void check_unused(MeshReport& report, size_t nodes, const std::vector<std::array<int, N>>& elements) {
  std::vector<char> used(nodes, 0);
  for (const auto& e : elements)
    for (int n : e)
      if (n >= 0 && static_cast<size_t>(n) < nodes) used[n] = 1;
  std::vector<int> unused;
  for (size_t n = 0; n < nodes; ++n)
    if (!used[n]) unused.push_back(static_cast<int>(n));
  add_if_any(report, Defect::unused_node, unused);
}

template <size_t N>
void check_parts(MeshReport& report, const std::vector<std::array<int, N>>& elements,
                 const std::vector<int>& sound) {
  std::vector<std::array<int, N>> kept;
  kept.reserve(sound.size());
  for (int e : sound) kept.push_back(elements[e]);
  const Components parts = connected_components(kept);
  if (parts.count < 2) return;
  std::vector<int> others;
  for (size_t k = 0; k < sound.size(); ++k)
    if (parts.of_element[k] != 0) others.push_back(sound[k]);
  add(report, Defect::several_parts, others, std::to_string(parts.count) + " parts in all");
}

template <class Quality>
void check_quality(MeshReport& report, const std::vector<int>& sound, const QualityLimits& limits,
                   Quality quality) {
  std::vector<int> inverted, flat;
  double sum = 0;
  for (int e : sound) {
    const double q = quality(e);
    sum += q;
    if (report.worst_element < 0 || q < report.worst_quality) {
      report.worst_quality = q;
      report.worst_element = e;
    }
    if (q < -limits.degenerate_quality)
      inverted.push_back(e);
    else if (!(q > limits.degenerate_quality))
      flat.push_back(e);
  }
  if (!sound.empty()) report.mean_quality = sum / static_cast<double>(sound.size());
  add_if_any(report, Defect::inverted, inverted);
  add_if_any(report, Defect::degenerate, flat);
}

/// Edges, fans around vertices and the sense of a triangle surface.
void check_surface(MeshReport& report, const TriMesh& mesh, const std::vector<int>& sound, bool closed) {
  TriMesh kept{mesh.nodes, {}};
  for (int e : sound) kept.triangles.push_back(mesh.triangles[e]);
  std::vector<int> rim, crowded, reversed;
  std::vector<Edge> joined;  // pairs (3·triangle + corner) of one fan around a vertex
  const auto corner = [&](int t, int node) {
    for (int k = 0; k < 3; ++k)
      if (kept.triangles[t][k] == node) return 3 * t + k;
    return 3 * t;
  };
  const auto uses = edge_uses(kept.triangles);
  for (const EdgeUse& use : uses) {
    const auto [a, b] = use.triangles;
    if (use.uses() == 1) rim.push_back(sound[a]);
    if (use.uses() == 2)
      for (int n : use.edge) joined.push_back({corner(a, n), corner(b, n)});
    if (use.uses() == 2 && !use.regular()) reversed.insert(reversed.end(), {sound[a], sound[b]});
  }
  for (size_t t = 0; t < kept.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = kept.triangles[t][k], b = kept.triangles[t][(k + 1) % 3];
      const Edge edge{std::min(a, b), std::max(a, b)};
      const auto use = std::lower_bound(uses.begin(), uses.end(), edge,
                                        [](const EdgeUse& u, const Edge& e) { return u.edge < e; });
      if (use->uses() > 2) {
        crowded.push_back(sound[t]);
        // Around a crowded edge the sheets count as one: it is reported as an edge, not also as two vertices.
        for (int n : edge) joined.push_back({corner(static_cast<int>(t), n), corner(use->triangles[0], n)});
      }
    }

  std::vector<int> parent(3 * kept.triangles.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (const auto& [a, b] : joined) parent[root(a)] = root(b);
  std::vector<int> fan(mesh.nodes.size(), -1), touching;
  for (size_t t = 0; t < kept.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int n = kept.triangles[t][k], r = root(static_cast<int>(3 * t) + k);
      if (fan[n] < 0) fan[n] = r;
      if (fan[n] != r) touching.push_back(n);
    }

  const bool whole = rim.empty() && crowded.empty() && reversed.empty() && !kept.triangles.empty();
  if (closed) add_if_any(report, Defect::open_edge, rim);
  add_if_any(report, Defect::non_manifold_edge, crowded);
  add_if_any(report, Defect::non_manifold_vertex, touching);
  add_if_any(report, Defect::orientation, reversed);
  if (whole && enclosed_volume(kept) < 0) add(report, Defect::inside_out, {});
}

template <size_t N, class Quality>
MeshReport check_volume(const char* kind, const std::vector<Vec3>& nodes,
                        const std::vector<std::array<int, N>>& elements, const QualityLimits& limits,
                        Quality quality) {
  MeshReport report{.kind = kind, .nodes = nodes.size(), .elements = elements.size()};
  if (nodes.empty() || elements.empty()) add(report, Defect::empty, {});
  check_nodes(report, nodes, limits);
  const auto sound = sound_elements(report, nodes, elements);
  check_quality(report, sound, limits, [&](int e) { return quality(nodes, elements[e]); });
  check_copies(report, elements, sound);
  check_unused(report, nodes.size(), elements);
  check_parts(report, elements, sound);
  return report;
}

}  // namespace

const char* name(Defect defect) { return text_of(defect).name; }

MeshReport check_mesh(const TetMesh& mesh, const QualityLimits& limits) {
  return check_volume("tet mesh", mesh.nodes, mesh.tets, limits, tet_quality);
}

MeshReport check_mesh(const HexMesh& mesh, const QualityLimits& limits) {
  return check_volume("hex mesh", mesh.nodes, mesh.hexes, limits, hex_quality);
}

MeshReport check_mesh(const TriMesh& mesh, bool closed, const QualityLimits& limits) {
  MeshReport report = check_volume("surface", mesh.nodes, mesh.triangles, limits, triangle_quality);
  // A flat triangle has no volume to lose: contact tolerates it, finite elements would not.
  for (Finding& f : report.findings)
    if (f.defect == Defect::degenerate) f.fatal = false;
  MeshReport quiet;  // which triangles are sound was reported already
  check_surface(report, mesh, sound_elements(quiet, mesh.nodes, mesh.triangles), closed);
  return report;
}

MeshReport check_mesh(const Curve& curve, const QualityLimits& limits) {
  std::vector<Edge> segments;
  for (size_t n = 0; n + 1 < curve.nodes.size(); ++n)
    segments.push_back({static_cast<int>(n), static_cast<int>(n) + 1});
  if (curve.closed && curve.nodes.size() > 2)
    segments.push_back({static_cast<int>(curve.nodes.size()) - 1, 0});
  double longest = 0;
  for (const auto& [a, b] : segments)
    if (usable(curve.nodes[a]) && usable(curve.nodes[b]))
      longest = std::max(longest, (curve.nodes[b] - curve.nodes[a]).stableNorm());
  // Quality of a segment: its length relative to the longest.
  return check_volume("curve", curve.nodes, segments, limits,
                      [&](std::span<const Vec3> nodes, const Edge& e) {
                        return longest > 0 ? (nodes[e[1]] - nodes[e[0]]).stableNorm() / longest : 0.0;
                      });
}

double tet_quality(std::span<const Vec3> nodes, const Tet& tet) {
  // Scaled to unit size first, so that neither tiny nor huge coordinates leave the range of double.
  Vec3 d[6] = {nodes[tet[1]] - nodes[tet[0]], nodes[tet[2]] - nodes[tet[0]], nodes[tet[3]] - nodes[tet[0]],
               nodes[tet[2]] - nodes[tet[1]], nodes[tet[3]] - nodes[tet[1]], nodes[tet[3]] - nodes[tet[2]]};
  double scale = 0, squares = 0;
  for (const Vec3& e : d) scale = std::max(scale, e.cwiseAbs().maxCoeff());
  if (!(scale > 0) || !std::isfinite(scale)) return 0;
  for (Vec3& e : d) squares += (e /= scale).squaredNorm();
  const double six_volume = d[0].cross(d[1]).dot(d[2]);
  return std::copysign(12.0 * std::cbrt(six_volume * six_volume / 4.0), six_volume) / squares;
}

double hex_quality(std::span<const Vec3> nodes, const Hex& hex) {
  // Corner c and its three neighbours, right-handed.
  constexpr int arm[8][3] = {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7},
                             {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}};
  double worst = 1;
  for (int c = 0; c < 8; ++c) {
    Mat3 arms;
    for (int k = 0; k < 3; ++k) {
      const Vec3 edge = nodes[hex[arm[c][k]]] - nodes[hex[c]];
      const double length = edge.stableNorm();
      if (!(length > 0) || !std::isfinite(length)) return 0;
      arms.col(k) = edge / length;
    }
    worst = std::min(worst, arms.determinant());
  }
  return worst;
}

double triangle_quality(std::span<const Vec3> nodes, const Triangle& triangle) {
  Vec3 d[3];
  double scale = 0, squares = 0;
  for (int k = 0; k < 3; ++k) {
    d[k] = nodes[triangle[(k + 1) % 3]] - nodes[triangle[k]];
    scale = std::max(scale, d[k].cwiseAbs().maxCoeff());
  }
  if (!(scale > 0) || !std::isfinite(scale)) return 0;
  for (Vec3& e : d) squares += (e /= scale).squaredNorm();
  return 2.0 * std::sqrt(3.0) * d[0].cross(d[1]).norm() / squares;
}

bool MeshReport::ok() const {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.fatal; });
}

const Finding* MeshReport::find(Defect defect) const {
  for (const Finding& f : findings)
    if (f.defect == defect) return &f;
  return nullptr;
}

std::string MeshReport::text() const {
  std::ostringstream out;
  out << kind << ": " << nodes << " nodes, " << elements << " elements, diagonal " << diagonal_m << " m";
  if (worst_element >= 0)
    out << ", quality mean " << mean_quality << ", worst " << worst_quality << " (element " << worst_element
        << ")";
  out << '\n';
  for (const Finding& f : findings)
    out << (f.fatal ? "error: " : "warning: ") << f.message << " — " << f.remedy << '\n';
  if (findings.empty()) out << "no defects\n";
  return out.str();
}

}  // namespace palp
