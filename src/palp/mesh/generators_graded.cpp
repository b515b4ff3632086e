// A round block that is fine where something is pressed into it.
#include <cmath>
#include <numbers>

#include "palp/mesh/generators.hpp"
#include "palp/mesh/lattice.hpp"

namespace palp {
namespace {

/// 0, s, 2s, … up to `even_until`, then growing by `ratio`; the last one is `last`.
std::vector<double> graded(double s, double even_until, double ratio, double last) {
  std::vector<double> r{0};
  while (r.back() < even_until - 1e-9 * s) r.push_back(r.back() + s);
  double step = s * ratio;
  for (; r.back() + step < last; step *= ratio) r.push_back(r.back() + step);
  if (r.size() > 2 && last - r.back() < 0.5 * step) r.pop_back();
  r.push_back(last);
  return r;
}

struct Disc {
  std::vector<Vec2> nodes;
  std::vector<std::array<int, 4>> quads;
};

/// A square of n × n cells in the middle, rings of 4n sectors around it.
Disc graded_disc(int n, const std::vector<double>& ring, double s) {
  const int sectors = 4 * n;
  const double angle = 2 * std::numbers::pi / sectors;
  Disc disc;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) disc.nodes.emplace_back(s * (i - 0.5 * n), s * (j - 0.5 * n));
  const auto square = [&](int i, int j) { return j * (n + 1) + i; };
  std::vector<int> rim;  // of the square, counter-clockwise
  for (int k = 0; k < n; ++k) rim.push_back(square(k, 0));
  for (int k = 0; k < n; ++k) rim.push_back(square(n, k));
  for (int k = 0; k < n; ++k) rim.push_back(square(n - k, n));
  for (int k = 0; k < n; ++k) rim.push_back(square(0, n - k));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      disc.quads.push_back({square(i, j), square(i + 1, j), square(i + 1, j + 1), square(i, j + 1)});
  std::vector<int> last = rim;
  for (size_t r = n / 2 + 1; r < ring.size(); ++r) {
    std::vector<int> next;
    // From the square to the circle within as many rings as the square has on its side.
    const double roundness = std::min(1.0, (static_cast<double>(r) - n / 2) / std::max(2.0, 0.7 * n));
    for (int k = 0; k < sectors; ++k) {
      const double theta = -0.75 * std::numbers::pi + k * angle;
      const Vec2 circle = ring[r] * Vec2(std::cos(theta), std::sin(theta));
      const Vec2 straight = disc.nodes[rim[k]] * (ring[r] / (0.5 * s * n));
      next.push_back(static_cast<int>(disc.nodes.size()));
      disc.nodes.push_back(roundness * circle + (1 - roundness) * straight);
    }
    for (int k = 0; k < sectors; ++k) {
      const int m = (k + 1) % sectors;
      disc.quads.push_back({last[k], next[k], next[m], last[m]});
    }
    last = std::move(next);
  }
  return disc;
}

}  // namespace

Result<HexMesh> graded_hexes(const GradedShape& shape) {
  ParameterCheck check("graded");
  check.positive("radius_m", shape.radius_m)
      .positive("height_m", shape.height_m)
      .positive("cell_m", shape.cell_m);
  check.between("sectors", shape.sectors, 8, 4096);
  check.require(shape.sectors % 8 == 0, "sectors must be a multiple of 8");
  check.require(shape.growth > 1 && shape.growth <= 3, "growth must be above 1 and at most 3");
  check.require(shape.even_m >= shape.sectors / 8 * shape.cell_m && shape.even_m < shape.radius_m &&
                    shape.even_m < shape.height_m,
                "even_m must be less than radius and height, and at least sectors / 8 cells");
  if (check.failed()) return check.error();
  const std::vector<double> ring = graded(shape.cell_m, shape.even_m, shape.growth, shape.radius_m),
                            layer = graded(shape.cell_m, 0.5 * shape.even_m, shape.growth, shape.height_m);
  check.total_cells(1.0 * shape.sectors * static_cast<double>(ring.size()) *
                    static_cast<double>(layer.size()));
  if (check.failed()) return check.error();
  const Disc disc = graded_disc(shape.sectors / 4, ring, shape.cell_m);
  HexMesh mesh;
  const auto per_layer = static_cast<int>(disc.nodes.size()), layers = static_cast<int>(layer.size());
  for (int l = layers - 1; l >= 0; --l)  // from below
    for (const Vec2& p : disc.nodes) mesh.nodes.emplace_back(p.x(), p.y(), -layer[l]);
  for (int l = 0; l + 1 < layers; ++l)
    for (const auto& q : disc.quads) {
      Hex hex;
      for (int k = 0; k < 4; ++k) {
        hex[k] = q[k] + l * per_layer;
        hex[4 + k] = q[k] + (l + 1) * per_layer;
      }
      mesh.hexes.push_back(hex);
    }
  return mesh;
}

}  // namespace palp
