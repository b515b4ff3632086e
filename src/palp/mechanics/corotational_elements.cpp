#include "palp/mechanics/corotational_elements.hpp"

#include <limits>

#include "palp/math/rotation.hpp"

namespace palp {
namespace {

// Below this the sum of two principal stretches counts as this: R is about to jump (an element turned inside
// out).
constexpr double kLeastStretchSum = 1e-2;

template <int N>
void deformation_gradient(const ElementBatch<N>& e, ConstVecRef x, LaneMat3& F) {
  for (auto& row : F)
    for (Lane& entry : row) entry = Lane{};
  for (int a = 0; a < N; ++a) {
    Lane xa[3];
    for (int l = 0; l < kLanes; ++l)
      for (int i = 0; i < 3; ++i) xa[i][l] = x[3 * e.node[a][l] + i];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < kLanes; ++l) F[i][j][l] += xa[i][l] * e.g[a][j][l];
  }
}

/// Principal stresses σ_i, and T_i, the eigenvalues of T (both belong to the axes of the singular vectors).
void principal_values(const Lame& material, const CorotationalParameters& p, const LaneSvd& svd,
                      Lane (&sigma)[3], Lane (&T)[3]) {
  const double lambda = material.lambda, mu = material.mu;
  const double floor = p.tangent == Tangent::exact ? -std::numeric_limits<double>::infinity() : -mu;
  const bool frozen = p.tangent == Tangent::rotation_frozen;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int l = 0; l < kLanes; ++l) {
      const double trace = lambda * (svd.s[0][l] + svd.s[1][l] + svd.s[2][l] - 3);
      const double sum = std::max(svd.s[j][l] + svd.s[k][l], kLeastStretchSum);
      sigma[i][l] = 2 * mu * (svd.s[i][l] - 1) + trace;
      T[i][l] = frozen ? -mu : std::max((trace - 2 * mu) / sum, floor);
    }
  }
}

/// out = A diag(d) Bᵀ.
void scaled_product(const LaneMat3& A, const Lane (&d)[3], const LaneMat3& B, LaneMat3& out) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < kLanes; ++l)
        out[i][j][l] = A[i][0][l] * d[0][l] * B[j][0][l] + A[i][1][l] * d[1][l] * B[j][1][l] +
                       A[i][2][l] * d[2][l] * B[j][2][l];
}

template <int N>
void add_mean_force(const ElementBatch<N>& e, const LaneMat3& stress /* R σ */, VecRef f) {
  for (int a = 0; a < N; ++a) {
    Lane fa[3];
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < kLanes; ++l)
        fa[i][l] = e.volume[l] * (stress[i][0][l] * e.g[a][0][l] + stress[i][1][l] * e.g[a][1][l] +
                                  stress[i][2][l] * e.g[a][2][l]);
    for (int l = 0; l < kLanes; ++l)
      for (int i = 0; i < 3; ++i) f[3 * e.node[a][l] + i] += fa[i][l];
  }
}

/// V (2μ (g_a·g_b) I + λ g'_a g'_bᵀ + [g'_a]ᵀ T [g'_b]) for all pairs.
template <int N>
void add_mean_tangent(const ElementBatch<N>& e, const CorotationalParameters& p, const LaneMat3& R,
                      const LaneMat3& T, BlockSymmetric& K) {
  Lane g[N][3];  // g'
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < kLanes; ++l)
        g[a][i][l] = R[i][0][l] * e.g[a][0][l] + R[i][1][l] * e.g[a][1][l] + R[i][2][l] * e.g[a][2][l];
  Lane V;
  for (int l = 0; l < kLanes; ++l) V[l] = p.stiffness_factor * e.volume[l];
  const double lambda = e.material.lambda, two_mu = 2 * e.material.mu;

  for (int b = 0; b < N; ++b) {
    LaneMat3 Tb;  // V T [g'_b]
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < kLanes; ++l) {
        const double b0 = g[b][0][l], b1 = g[b][1][l], b2 = g[b][2][l];
        Tb[i][0][l] = V[l] * (T[i][1][l] * b2 - T[i][2][l] * b1);
        Tb[i][1][l] = V[l] * (T[i][2][l] * b0 - T[i][0][l] * b2);
        Tb[i][2][l] = V[l] * (T[i][0][l] * b1 - T[i][1][l] * b0);
      }
    for (int a = b; a < N; ++a) {
      alignas(64) double block[kLanes][9];  // column-major 3×3 per lane
      Lane k[9];
      for (int l = 0; l < kLanes; ++l) {
        const double a0 = g[a][0][l], a1 = g[a][1][l], a2 = g[a][2][l];
        const double dot = two_mu * V[l] * (a0 * g[b][0][l] + a1 * g[b][1][l] + a2 * g[b][2][l]);
        for (int c = 0; c < 3; ++c) {
          const double vb = lambda * V[l] * g[b][c][l];
          k[3 * c + 0][l] = vb * a0 + a2 * Tb[1][c][l] - a1 * Tb[2][c][l];
          k[3 * c + 1][l] = vb * a1 + a0 * Tb[2][c][l] - a2 * Tb[0][c][l];
          k[3 * c + 2][l] = vb * a2 + a1 * Tb[0][c][l] - a0 * Tb[1][c][l];
        }
        k[0][l] += dot;
        k[4][l] += dot;
        k[8][l] += dot;
      }
      for (int i = 0; i < 9; ++i)
        for (int l = 0; l < kLanes; ++l) block[l][i] = k[i][l];
      const int* entry = e.entry[a * (a + 1) / 2 + b];
      for (int l = 0; l < kLanes; ++l) K.value[entry[l]] += Eigen::Map<const Mat3>(block[l]);
    }
  }
}

/// The hourglass part of one element, in the axes turned by R.
template <int N>
struct Hourglass {
  Eigen::Matrix<double, 3, N> y, ky;  ///< y_a = Rᵀ x_a, (K_hg y)_a
  Mat3 R, G_inverse;                  ///< (tr S I − S)⁻¹
  Mat3 S;
  Vec3 q;
};

template <int N>
Hourglass<N> hourglass_state(const ElementBatch<N>& e, int l, const LaneSvd& svd,
                             const ElementStiffness<N>& K, ConstVecRef x) {
  Hourglass<N> h;
  Mat3 U, V;
  Vec3 s, inverse;
  for (int i = 0; i < 3; ++i) {
    s[i] = svd.s[i][l];
    for (int j = 0; j < 3; ++j) U(i, j) = svd.U[i][j][l], V(i, j) = svd.V[i][j][l];
  }
  for (int i = 0; i < 3; ++i) inverse[i] = 1 / std::max(s[(i + 1) % 3] + s[(i + 2) % 3], kLeastStretchSum);
  h.R = U * V.transpose();
  h.S = V * s.asDiagonal() * V.transpose();
  h.G_inverse = V * inverse.asDiagonal() * V.transpose();
  // K_hg ignores translations: measuring from one node keeps y small and the products accurate.
  const Vec3 origin = x.segment<3>(3 * e.node[0][l]);
  for (int a = 0; a < N; ++a)
    h.y.col(a).noalias() = h.R.transpose() * (x.segment<3>(3 * e.node[a][l]) - origin);
  Eigen::Map<Eigen::Matrix<double, 3 * N, 1>>(h.ky.data()).noalias() =
      K * Eigen::Map<const Eigen::Matrix<double, 3 * N, 1>>(h.y.data());
  Vec3 m = Vec3::Zero();
  for (int a = 0; a < N; ++a) m += h.y.col(a).cross(h.ky.col(a));
  h.q = h.G_inverse * m;
  return h;
}

template <int N>
Vec3 gradient(const ElementBatch<N>& e, int a, int l) {
  return Vec3(e.g[a][0][l], e.g[a][1][l], e.g[a][2][l]);
}

/// What ½ yᵀ K_hg y adds to K_hg when R turns with x: the Hessian of E(y, ω(y)) by the adjoint rule
///     H_ab = K_ab + B_aᵀP_b + P_aᵀB_b + P_aᵀ L P_b,   ω = Σ P_b d_b,
/// where B and L are the mixed and the second derivatives in ω of E − q·(the condition that defines R). Blocks on
/// and below the diagonal.
template <int N>
ElementStiffness<N> exact_hourglass_tangent(const ElementBatch<N>& e, int l, const Hourglass<N>& h,
                                            const ElementStiffness<N>& K) {
  std::array<Mat3, N> P, B, Y;  // Y: columns of ω → d y, [y_a]
  for (int a = 0; a < N; ++a) {
    const Vec3 g = gradient(e, a, l);
    P[a] = h.G_inverse * cross_matrix(g);
    B[a] = cross_matrix(h.ky.col(a) + g.cross(h.q));
    Y[a] = cross_matrix(h.y.col(a));
  }
  const Mat3 Sq = h.S * cross_matrix(h.q);
  Mat3 L = 0.5 * (Sq + Sq.transpose());
  for (int a = 0; a < N; ++a) {
    Mat3 KY = Mat3::Zero();
    for (int b = 0; b < N; ++b) KY += K.template block<3, 3>(3 * a, 3 * b) * Y[b];
    B[a] += KY.transpose();  // −Σ_b [y_b] K_ba = ([y] stacked)ᵀ K, since [y]ᵀ = −[y]
    const Mat3 fy = h.ky.col(a) * h.y.col(a).transpose();
    L += Y[a].transpose() * KY + 0.5 * (fy + fy.transpose()) - fy.trace() * Mat3::Identity();
  }
  ElementStiffness<N> H = K;
  for (int b = 0; b < N; ++b)
    for (int a = b; a < N; ++a)
      H.template block<3, 3>(3 * a, 3 * b) +=
          B[a].transpose() * P[b] + P[a].transpose() * (B[b] + L * P[b]);
  return H;
}

template <int N>
void add_hourglass(const ElementBatch<N>& e, const std::vector<ElementStiffness<N>>& hourglass,
                   const CorotationalParameters& p, const LaneSvd& svd, ConstVecRef x, VecRef f,
                   BlockSymmetric* K) {
  ElementStiffness<N> exact;
  for (int l = 0; l < kLanes; ++l) {
    if (e.hourglass[l] < 0) continue;
    const ElementStiffness<N>& K_hg = hourglass[e.hourglass[l]];
    const Hourglass<N> h = hourglass_state(e, l, svd, K_hg, x);
    for (int a = 0; a < N; ++a)
      f.segment<3>(3 * e.node[a][l]) += h.R * (h.ky.col(a) + gradient(e, a, l).cross(h.q));
    if (!K) continue;
    const bool is_exact = p.tangent == Tangent::exact;
    if (is_exact) exact = exact_hourglass_tangent(e, l, h, K_hg);
    const ElementStiffness<N>& local = is_exact ? exact : K_hg;
    for (int b = 0; b < N; ++b)
      for (int a = b; a < N; ++a) {
        const Mat3 turned = local.template block<3, 3>(3 * a, 3 * b) * h.R.transpose();
        K->value[e.entry[a * (a + 1) / 2 + b][l]] += p.stiffness_factor * (h.R * turned);
      }
  }
}

}  // namespace

template <int N>
void add_corotational(const Elements<N>& elements, const CorotationalParameters& p, ConstVecRef x, VecRef f,
                      BlockSymmetric* K) {
  Lane one[3];
  for (Lane& lane : one)
    for (double& v : lane.v) v = 1;
  for (const ElementBatch<N>& e : elements.batches) {
    LaneMat3 F, stress;
    LaneSvd svd;
    Lane sigma[3], T[3];
    deformation_gradient(e, x, F);
    signed_svd(F, svd);
    principal_values(e.material, p, svd, sigma, T);
    scaled_product(svd.U, sigma, svd.V, stress);
    add_mean_force(e, stress, f);
    if (K) {
      LaneMat3 R, turned_T;
      scaled_product(svd.U, one, svd.V, R);
      scaled_product(svd.U, T, svd.U, turned_T);
      add_mean_tangent(e, p, R, turned_T, *K);
    }
    if constexpr (N != 4) add_hourglass(e, elements.hourglass, p, svd, x, f, K);
  }
}

template <int N>
double corotational_energy(const Elements<N>& elements, ConstVecRef x) {
  double energy = 0;
  for (const ElementBatch<N>& e : elements.batches) {
    const Lame& m = e.material;
    LaneMat3 F;
    LaneSvd svd;
    deformation_gradient(e, x, F);
    signed_svd(F, svd);
    for (int l = 0; l < kLanes; ++l) {
      const Vec3 strain(svd.s[0][l] - 1, svd.s[1][l] - 1, svd.s[2][l] - 1);
      energy += e.volume[l] * (m.mu * strain.squaredNorm() + 0.5 * m.lambda * strain.sum() * strain.sum());
      if constexpr (N != 4)
        if (e.hourglass[l] >= 0) {
          const Hourglass<N> h = hourglass_state(e, l, svd, elements.hourglass[e.hourglass[l]], x);
          energy += 0.5 * h.y.cwiseProduct(h.ky).sum();
        }
    }
  }
  return energy;
}

#define PALP_INSTANTIATE(N)                                                                                 \
  template void add_corotational<N>(const Elements<N>&, const CorotationalParameters&, ConstVecRef, VecRef, \
                                    BlockSymmetric*);                                                       \
  template double corotational_energy<N>(const Elements<N>&, ConstVecRef);
PALP_INSTANTIATE(4)
PALP_INSTANTIATE(8)
PALP_INSTANTIATE(10)
#undef PALP_INSTANTIATE

}  // namespace palp
