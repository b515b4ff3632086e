// The bar that the tests of the global corotational body share.
#pragma once
#include "mechanics/fem_support.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/global_corotational_body.hpp"

namespace palp::test {

/// A small irregular bar; frame nodes at its left end, or none.
inline GlobalCorotationalSpec corotational_bar(bool dirichlet, double E = 1e6) {
  GlobalCorotationalSpec spec;
  TetMesh mesh =
      box_tets({.size_m = Vec3(0.1, 0.03, 0.02), .centre_m = Vec3(0.2, 0, 0.1), .cells = {5, 2, 2}}).value();
  spec.mesh = distorted(mesh, 0.001);
  spec.young_modulus_Pa = E;
  spec.density_kg_per_m3 = 900;
  if (dirichlet) spec.frame_nodes = nodes_where(mesh.nodes, [](const Vec3& x) { return x.x() < 0.1501; });
  return spec;
}

inline std::unique_ptr<GlobalCorotationalBody> made(const GlobalCorotationalSpec& spec) {
  auto body = GlobalCorotationalBody::make(spec);
  EXPECT_TRUE(body) << (body ? "" : body.error().text());
  return std::move(*body);
}

}  // namespace palp::test
