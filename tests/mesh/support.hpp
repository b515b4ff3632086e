// Independent measures for the mesh tests.
#pragma once
#include <gtest/gtest.h>

#include "palp/mesh/lattice.hpp"
#include "palp/mesh/quality.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {

/// Sound, all volumes positive, closed manifold skin seen from outside, and the skin encloses the sum of the
/// elements. A hex mesh is compared through its tets: the skin of warped hexes is only defined up to the
/// diagonals.
inline void expect_sound_solid(const TetMesh& mesh, double worst_quality) {
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.findings.empty()) << report.text();
  EXPECT_GE(report.worst_quality, worst_quality) << report.text();
  double sum = 0;
  for (const Tet& t : mesh.tets) {
    ASSERT_GT(tet_volume(mesh.nodes, t), 0);
    sum += tet_volume(mesh.nodes, t);
  }
  const Surface skin = extract_surface(mesh);
  const MeshReport skin_report = check_mesh(skin.mesh);
  EXPECT_TRUE(skin_report.findings.empty()) << skin_report.text();
  EXPECT_EQ(orientation(skin.mesh), Orientation::outward);
  EXPECT_NEAR(enclosed_volume(skin.mesh), sum, 1e-12 * sum);
  for (size_t v = 0; v < skin.node_of_vertex.size(); ++v)
    ASSERT_EQ(skin.mesh.nodes[v], mesh.nodes[skin.node_of_vertex[v]]);
}

/// Sound hexes whose split is a sound tet mesh with the same skin.
inline void expect_sound_solid(const HexMesh& mesh, double worst_quality, double worst_tet_quality) {
  const MeshReport report = check_mesh(mesh);
  EXPECT_TRUE(report.findings.empty()) << report.text();
  EXPECT_GE(report.worst_quality, worst_quality) << report.text();
  const TetMesh tets = split_hexes(mesh);
  expect_sound_solid(tets, worst_tet_quality);
  auto a = extract_surface(mesh).mesh.triangles, b = extract_surface(tets).mesh.triangles;
  const auto canonical = [](std::vector<Triangle>& list) {
    for (Triangle& t : list) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(list.begin(), list.end());
  };
  canonical(a);
  canonical(b);
  EXPECT_EQ(a, b);
}

}  // namespace palp
