#include "palp/mechanics/polar.hpp"

namespace palp {
namespace {

/// One Jacobi rotation that zeroes C(p,q), p < q, r the third index; accumulated in V.
inline void rotate(LaneMat3& C, LaneMat3& V, int p, int q, int r) {
  for (int l = 0; l < kLanes; ++l) {
    const double app = C[p][p][l], aqq = C[q][q][l], apq = C[p][q][l];
    const double arp = C[r][p][l], arq = C[r][q][l];
    const double d = aqq - app;
    const double root = std::sqrt(d * d + 4 * apq * apq);
    const double t = 2 * apq / (d + std::copysign(root, d) + std::copysign(1e-300, d));
    const double c = 1 / std::sqrt(1 + t * t), s = t * c;
    C[p][p][l] = app - t * apq;
    C[q][q][l] = aqq + t * apq;
    C[p][q][l] = C[q][p][l] = 0;
    C[r][p][l] = C[p][r][l] = c * arp - s * arq;
    C[r][q][l] = C[q][r][l] = s * arp + c * arq;
    for (int i = 0; i < 3; ++i) {
      const double vp = V[i][p][l], vq = V[i][q][l];
      V[i][p][l] = c * vp - s * vq;
      V[i][q][l] = s * vp + c * vq;
    }
  }
}

/// Puts the larger eigenvalue first.
inline void order(LaneMat3& C, LaneMat3& V, int p, int q) {
  for (int l = 0; l < kLanes; ++l) {
    const bool swap = C[p][p][l] < C[q][q][l];
    const double a = C[p][p][l], b = C[q][q][l];
    C[p][p][l] = swap ? b : a;
    C[q][q][l] = swap ? a : b;
    for (int i = 0; i < 3; ++i) {
      // A swap with one sign changed is a rotation: V stays proper.
      const double x = V[i][p][l], y = V[i][q][l];
      V[i][p][l] = swap ? y : x;
      V[i][q][l] = swap ? -x : y;
    }
  }
}

/// F flattened to a line or a point: u1 is free to choose, any direction normal to u0 will do.
void complete(const Mat3& F, Mat3& U, Mat3& V, Vec3& s) {
  const double scale = F.cwiseAbs().maxCoeff();
  if (scale < 1e-100) {  // squares underflow; a deformation gradient is of order one
    U = V;
    s.setZero();
    return;
  }
  U.col(0) = (F * V.col(0)).normalized();
  // Of all choices the one nearest to V: the rotation then turns no more than it must.
  Vec3 u = V.col(1) - U.col(0) * U.col(0).dot(V.col(1));
  if (u.norm() < 1e-6) u = U.col(0).unitOrthogonal();
  U.col(1) = u.normalized();
  U.col(2) = U.col(0).cross(U.col(1));
  for (int i = 0; i < 3; ++i) s[i] = U.col(i).dot(F * V.col(i));
}

}  // namespace

void signed_svd(const LaneMat3& F, LaneSvd& out) {
  LaneMat3 C;
  LaneMat3 &U = out.U, &V = out.V;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < kLanes; ++l) {
        C[i][j][l] = F[0][i][l] * F[0][j][l] + F[1][i][l] * F[1][j][l] + F[2][i][l] * F[2][j][l];
        V[i][j][l] = i == j;
      }
  // Quadratic convergence: four sweeps reach rounding from any start, the fifth is for safety.
  for (int sweep = 0; sweep < 5; ++sweep) {
    rotate(C, V, 0, 1, 2);
    rotate(C, V, 0, 2, 1);
    rotate(C, V, 1, 2, 0);
  }
  order(C, V, 0, 1);
  order(C, V, 0, 2);
  order(C, V, 1, 2);

  LaneMat3 B;  // F V
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < kLanes; ++l)
        B[i][j][l] = F[i][0][l] * V[0][j][l] + F[i][1][l] * V[1][j][l] + F[i][2][l] * V[2][j][l];
  Lane flat;
  for (int l = 0; l < kLanes; ++l) {
    const double s0 = std::sqrt(B[0][0][l] * B[0][0][l] + B[1][0][l] * B[1][0][l] + B[2][0][l] * B[2][0][l]);
    const double a0 = B[0][0][l] / s0, a1 = B[1][0][l] / s0, a2 = B[2][0][l] / s0;
    const double along = a0 * B[0][1][l] + a1 * B[1][1][l] + a2 * B[2][1][l];
    const double w0 = B[0][1][l] - along * a0, w1 = B[1][1][l] - along * a1, w2 = B[2][1][l] - along * a2;
    const double s1 = std::sqrt(w0 * w0 + w1 * w1 + w2 * w2);
    const double b0 = w0 / s1, b1 = w1 / s1, b2 = w2 / s1;
    const double c0 = a1 * b2 - a2 * b1, c1 = a2 * b0 - a0 * b2, c2 = a0 * b1 - a1 * b0;
    U[0][0][l] = a0, U[1][0][l] = a1, U[2][0][l] = a2;
    U[0][1][l] = b0, U[1][1][l] = b1, U[2][1][l] = b2;
    U[0][2][l] = c0, U[1][2][l] = c1, U[2][2][l] = c2;
    out.s[0][l] = s0;
    out.s[1][l] = s1;
    out.s[2][l] = c0 * B[0][2][l] + c1 * B[1][2][l] + c2 * B[2][2][l];
    flat[l] = s1 > 1e-7 * s0 ? 0.0 : 1.0;
  }
  for (int l = 0; l < kLanes; ++l) {
    if (flat[l] == 0.0) continue;
    Mat3 f, u, v;
    Vec3 s;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) f(i, j) = F[i][j][l], v(i, j) = V[i][j][l];
    if (!f.allFinite()) continue;  // stays not-a-number: the caller sees it
    complete(f, u, v, s);
    for (int i = 0; i < 3; ++i) {
      out.s[i][l] = s[i];
      for (int j = 0; j < 3; ++j) U[i][j][l] = u(i, j);
    }
  }
}

SignedSvd signed_svd(const Mat3& F) {
  LaneMat3 lanes;
  LaneSvd svd;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < kLanes; ++l) lanes[i][j][l] = F(i, j);
  signed_svd(lanes, svd);
  SignedSvd out;
  for (int i = 0; i < 3; ++i) {
    out.s[i] = svd.s[i][0];
    for (int j = 0; j < 3; ++j) out.U(i, j) = svd.U[i][j][0], out.V(i, j) = svd.V[i][j][0];
  }
  return out;
}

}  // namespace palp
