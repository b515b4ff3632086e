// G += H C Hᵀ for a small dense C in 3×3 blocks: the gather behind a constant compliance (D04 §III, D06 eq.
// 30).
//
// A point that a skin carries has one matrix in all its blocks, H_ik = w_ik Q_i (barycentric weights; Q_i:
// the axes of the body's frame, turned into those in which the point's displacement is asked for). With
// weights alone,
//     S_ij = Σ_k Σ_l w_ik w_jl C_kl,        G_ij = Q_i S_ij Q_jᵀ.
// On top of the nodes the body may have a moving frame with a compliance F of its own (axes R); such a point
// adds
//     Q_i [a_i I, −[ρ_i]×] diag(R, R)ᵀ F …      to G_ij, i.e. J_i = Q_i [a_i Rᵀ, −[ρ_i]× Rᵀ].
// Rows of H that are not of this kind are multiplied block by block.
//
// Four points j at a time make twelve columns: T = C H_jᵀ on the nodes that the points up to j touch, then
// for every point i ≤ j a tile of three rows × twelve columns, in registers. A tile is added where it belongs
// below the diagonal (its twelve numbers lie in one column of G) and, four tiles at a time, transposed, above
// it: both triangles are exact mirror images. Nodes are numbered by first appearance, so that the points up
// to j need only a leading part of T.
#pragma once
#include <span>

#include "palp/math/aligned.hpp"
#include "palp/math/point_jacobian.hpp"

namespace palp {

/// diag(F, scale · C_tt): the frame's own six degrees of freedom, if there is one, and t nodes.
struct CondensedMatrix {
  const Mat6* frame = nullptr;  ///< F, world axes
  Mat3 R = Mat3::Identity();    ///< the frame's axes
  double scale = 1;
  const double* C = nullptr;     ///< blocks of nine numbers by columns, one more number after the last
  std::span<const long> row;     ///< C_ab of the touched nodes a, b starts at C + row[a] + column[b] …
  std::span<const long> column;  ///< … so nothing is copied when other nodes are touched

  int nodes() const { return static_cast<int>(row.size()); }  ///< t
  int frame_blocks() const { return frame ? 2 : 0; }
};

/// A node of a point: where its block column of C starts, and its weight.
struct CondensedCorner {
  const double* C = nullptr;
  double weight = 0;
};

class CondensedProduct {
 public:
  /// entry[k]: block row of the matrix that entry k of H stands on; the frame's two come first; −1: does not
  /// move. reach[j]: block rows that the points up to j need. Allocates only for more points or nodes than
  /// ever before.
  void add(const PointJacobian& H, std::span<const int> entry, std::span<const int> reach,
           const CondensedMatrix& C, MatRef G);

 private:
  struct Point {
    Mat3 Q = Mat3::Identity();
    double a = 0;
    Vec3 rho = Vec3::Zero();
  };
  bool split(const PointJacobian& H, std::span<const int> entry, const CondensedMatrix& C);
  void carry_frame(const PointJacobian& H, std::span<const int> entry, const CondensedMatrix& C, int j,
                   double* T);
  void carry_blocks(const PointJacobian& H, std::span<const int> entry, const CondensedMatrix& C, int j,
                    int rows, double* T) const;
  void carry_weights(const CondensedMatrix& C, int j, int rows, double* T);

  bool weighted_ = false;        // every point is of the kind w Q
  bool turned_ = false;          // weighted_, and not every Q is I
  Mat6 frame_ = Mat6::Zero();    // weighted_: diag(R, R)ᵀ F diag(R, R)
  std::vector<Point> point_;     // weighted_
  std::vector<int> node_start_;  // weighted_: point → its entries on nodes, in …
  std::vector<int> node_row_;    // … the first row of T
  std::vector<double> node_weight_;
  std::vector<CondensedCorner> corners_;  // of one point
  AlignedVector<double> T_;               // [row][12 columns]
};

}  // namespace palp
