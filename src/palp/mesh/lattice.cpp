#include "palp/mesh/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace palp {

HexMesh lattice_hexes(const Cells& cells, const std::function<bool(int, int, int)>& keep,
                      const std::function<Vec3(int, int, int)>& position) {
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  const auto index = [&](int i, int j, int k) {
    return (static_cast<size_t>(k) * (ny + 1) + j) * (nx + 1) + i;
  };
  constexpr int unused = -1, wanted = -2;
  std::vector<int> node(index(nx, ny, nz) + 1, unused);
  constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

  std::vector<Cells> kept;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        if (!keep(i, j, k)) continue;
        kept.push_back({i, j, k});
        for (const auto& c : corner) node[index(i + c[0], j + c[1], k + c[2])] = wanted;
      }

  HexMesh mesh;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        int& n = node[index(i, j, k)];
        if (n != wanted) continue;
        n = static_cast<int>(mesh.nodes.size());
        mesh.nodes.push_back(position(i, j, k));
      }
  mesh.hexes.reserve(kept.size());
  for (const auto& [i, j, k] : kept) {
    Hex hex;
    for (int c = 0; c < 8; ++c) hex[c] = node[index(i + corner[c][0], j + corner[c][1], k + corner[c][2])];
    mesh.hexes.push_back(hex);
  }
  return mesh;
}

HexMesh sweep(const QuadMesh& section, double z_low, double z_high, int layers) {
  HexMesh mesh;
  const int count = static_cast<int>(section.nodes.size());
  mesh.nodes.reserve(static_cast<size_t>(count) * (layers + 1));
  for (int l = 0; l <= layers; ++l) {
    const double z = z_low + (z_high - z_low) * l / layers;
    for (const Vec2& p : section.nodes) mesh.nodes.emplace_back(p.x(), p.y(), z);
  }
  mesh.hexes.reserve(section.quads.size() * static_cast<size_t>(layers));
  for (int l = 0; l < layers; ++l)
    for (const auto& q : section.quads) {
      const int low = l * count, high = low + count;
      mesh.hexes.push_back({low + q[0], low + q[1], low + q[2], low + q[3],  //
                            high + q[0], high + q[1], high + q[2], high + q[3]});
    }
  return mesh;
}

TetMesh split_hexes(const HexMesh& mesh) {
  TetMesh out;
  out.nodes = mesh.nodes;
  out.tets.reserve(mesh.hexes.size() * 6);
  for (const Hex& hex : mesh.hexes) {
    const int apex = *std::min_element(hex.begin(), hex.end());
    for (const auto& face : hex_faces) {
      std::array<int, 4> q;
      for (int c = 0; c < 4; ++c) q[c] = hex[face[c]];
      if (std::find(q.begin(), q.end(), apex) != q.end()) continue;
      std::rotate(q.begin(), std::min_element(q.begin(), q.end()), q.end());
      // The face is counter-clockwise from outside and the apex is inside: (a, c, b, apex) has positive
      // volume.
      out.tets.push_back({q[0], q[2], q[1], apex});
      out.tets.push_back({q[0], q[3], q[2], apex});
    }
  }
  return out;
}

Result<TetMesh> split_hexes(const Result<HexMesh>& mesh) {
  if (!mesh) return mesh.error();
  return split_hexes(*mesh);
}

namespace {
std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}
}  // namespace

ParameterCheck& ParameterCheck::require(bool holds, const std::string& otherwise) {
  if (!holds) message_ += (message_.empty() ? "" : "; ") + otherwise;
  return *this;
}

ParameterCheck& ParameterCheck::positive(const char* name, double value) {
  return require(std::isfinite(value) && value > 0,
                 std::string(name) + " must be positive and finite, not " + number(value));
}

ParameterCheck& ParameterCheck::finite(const char* name, const Vec3& value) {
  return require(value.allFinite(), std::string(name) + " must be finite");
}

ParameterCheck& ParameterCheck::between(const char* name, long value, long low, long high) {
  return require(value >= low && value <= high, std::string(name) + " must be between " +
                                                    std::to_string(low) + " and " + std::to_string(high) +
                                                    ", not " + std::to_string(value));
}

ParameterCheck& ParameterCheck::within(const char* name, double value, double low, double high) {
  return require(value >= low && value <= high, std::string(name) + " must be between " + number(low) +
                                                    " and " + number(high) + ", not " + number(value));
}

ParameterCheck& ParameterCheck::total_cells(double count) {
  constexpr double most = 4e6;
  return require(count <= most, "the mesh would have " + number(count) + " cells; at most " + number(most) +
                                    " are made: ask for a coarser one");
}

Error ParameterCheck::error() const { return {.message = generator_ + ": " + message_}; }

}  // namespace palp
