#include "palp/mechanics/element_strain.hpp"

#include "palp/mechanics/quadratic_tet_element.hpp"

namespace palp {
namespace {

template <int N>
Mat3 strain(const std::array<int, N>& element, const Eigen::Matrix<double, 3, N>& g,
            std::span<const Vec3> positions) {
  Mat3 F = Mat3::Zero();
  for (int a = 0; a < N; ++a) F += positions[element[a]] * g.col(a).transpose();
  const SignedSvd svd = signed_svd(F);
  return svd.U * (svd.s - Vec3::Ones()).asDiagonal() * svd.U.transpose();
}

template <size_t N>
TetShape shape_of(const std::vector<Vec3>& x, const std::array<int, N>& t) {
  return tet_shape(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
}

}  // namespace

std::vector<Mat3> element_strains(const VolumeMesh& mesh, const std::vector<CellFill>& fill,
                                  std::span<const Vec3> positions) {
  std::vector<Mat3> out;
  if (const auto* tets = std::get_if<TetMesh>(&mesh)) {
    for (const Tet& t : tets->tets) out.push_back(strain<4>(t, shape_of(tets->nodes, t).g, positions));
  } else if (const auto* hexes = std::get_if<HexMesh>(&mesh)) {
    for (size_t e = 0; e < hexes->hexes.size(); ++e) {
      const Hex& h = hexes->hexes[e];
      HexNodes X;
      for (int a = 0; a < 8; ++a) X.col(a) = hexes->nodes[h[a]] - hexes->nodes[h[0]];
      out.push_back(strain<8>(h, hex_shape(X, e < fill.size() ? fill[e] : CellFill{}).g, positions));
    }
  } else {
    const auto& quadratic_mesh = std::get<QuadraticTetMesh>(mesh);
    for (const QuadraticTet& t : quadratic_mesh.tets)
      out.push_back(
          strain<10>(t, quadratic_tet_mean_gradients(shape_of(quadratic_mesh.nodes, t)), positions));
  }
  return out;
}

}  // namespace palp
