// A body within a few motions: a Galerkin projection of its equation of motion, made by whoever steps the
// whole body with a long step H and integrated by whoever steps it with a short one, h. Two rates are made of
// it: the low rate projects, the ticks integrate. With Vᵀ A V = 1, A = M/H² + D/H + K the matrix of the long
// step,
//
//     (M_r/h² + D_r/h + K_r) Δq = r − K_r q + p/h + Bᵀ f,      p = M_r q̇,   Δx = V q            (1)
//     r = Vᵀ (f_ext − f_int(x)),   B = N H V,   p = Vᵀ M v at the start.
//
// V holds the body's rigid motions (momentum is then the integral of the forces f), the motion that it has (H
// v) and would make without contact (A⁻¹ …), how it answers to the forces it bears and to pushes that the
// caller names, and A⁻¹M of all these while β < H/2: how they go on. On a bar in one dimension the forces are
// those of the whole bar stepped with h to 0.01 %. What V cannot show of the answer to a change of the forces
// f − f₀ is local, too stiff to swing, and follows its load in the time β of D = αM + βK,
//
//     Δx = V q + (A⁻¹ − V Vᵀ) Hᵀ Nᵀ b g,    g ← g + θ (f − f₀ − g),    θ = 1/(1 + β/h),   b = 1 + β/H (2) C =
//     b (N H A⁻¹ Hᵀ Nᵀ − B Bᵀ)  ⪰ 0.
//
// Both parts are implicit Euler steps of passive systems. With h = H they are the long step itself, whatever
// V is. Without any V the body is seen at the end of its long step, pushed by the forces of one short one.
#pragma once
#include <span>
#include <vector>

#include "palp/math/growing.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

/// What the short steps need of a body; constant until it is projected again.
struct ReducedBody {
  int body = 0;           ///< for whoever has several
  std::vector<int> row;   ///< n: the number of each of its rows in the vectors and matrices below that say so
  GrowingMatrix B;        ///< 3n × k
  GrowingMatrix S, S_Bt;  ///< k × k, k × 3n: (M_r/h² + D_r/h + K_r)⁻¹ and its product with Bᵀ
  GrowingMatrix M, K;     ///< k × k
  GrowingVector r, p;     ///< k
  GrowingVector f0;       ///< 3n: the forces at the start, which the body has given way to
  GrowingMatrix C;        ///< 3n × 3n; empty when V shows everything
  double theta = 1;

  int motions() const { return static_cast<int>(r.size()); }
  /// W += B S Bᵀ + θ C at the body's rows: what a force of one short step does within it.
  void add_compliance(MatRef W) const;
};

/// Where the short steps have brought it.
struct ReducedMotion {
  GrowingVector q, rate, momentum;  ///< k
  GrowingVector g;                  ///< 3n
  GrowingVector q_free, work, change;

  ReducedMotion() = default;
  ReducedMotion(int motions, int rows);  ///< with memory for so many
  void begin(const ReducedBody& body);
  /// The motion of a step without contact; its displacements at the rows are added to `delta`.
  void free_tick(const ReducedBody& body, double h, VecRef delta);
  /// The motion of the step with the forces `f`, after free_tick.
  void end_tick(const ReducedBody& body, double h, ConstVecRef f);
  /// Displacements at the rows since the start, added to `delta`.
  void displace(const ReducedBody& body, VecRef delta);
};

/// Where forces act on a body, and which.
struct ReducedLoads {
  const PointJacobian& rows;     ///< N H
  const MatX& G;                 ///< N H A⁻¹ Hᵀ Nᵀ
  std::span<const int> known;    ///< per row its number for the short steps, −1 where they do not know it
  ConstVecRef f0;                ///< 3 per row: the forces at the start
  std::span<const VecX> pushes;  ///< 3 per row each: whose answers belong to V
};

/// What the long step keeps of it.
struct Reduction {
  static constexpr int most_motions = 40;
  MatX V, MV, DV, AV;  ///< dof × k used
  int motions = 0;
  double b = 1;
  std::vector<int> row, row_of;  ///< of each row that the short steps know: its number there, and here

  /// Of a body after its free motion and its compliance. `in_motion` false: without V.
  void make(const Body& body, int number, const BodyState& start, BodyWorkspace& ws,
            const ReducedLoads& loads, bool in_motion, double h, ReducedBody& out);
  /// The body `elapsed` after its start: dx_c = Δx − Δx_free and its velocity; without V dx_c alone.
  void lift(const Body& body, BodyWorkspace& ws, const PointJacobian& rows, const ReducedMotion& motion,
            double elapsed, VecRef dx_c, VecX& v);

 private:
  void choose_motions(const Body& body, const BodyState& start, BodyWorkspace& ws, const ReducedLoads& loads);
  void add(const Body& body, const BodyState& start, const BodyWorkspace& ws, ConstVecRef motion);
  VecX c_, mc_, dc_, ac_, force_;
  PointJacobian all_;  ///< every degree of freedom
  MatX B_;
};

}  // namespace palp
