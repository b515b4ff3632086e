// A low-rate body between two of its steps, as the ticks see it. The ticks cannot step the whole body, but
// they can step it within a few motions V: a Galerkin projection of its equation of motion, made by the low
// rate and integrated by the ticks with their own step h. With Vᵀ A V = 1, A = M/H² + D/H + K the low rate's
// matrix,
//
//     (M_r/h² + D_r/h + K_r) Δq = r − K_r q + p/h + Bᵀ f,      p = M_r q̇,   Δx = V q            (1)
//     r = Vᵀ (f_ext − f_int(x)),   B = N H V,   p = Vᵀ M v at the start.
//
// V holds the body's rigid motions (momentum is then the integral of the ticks' forces), the motion that it
// has (H v) and would make without contact (A⁻¹ …), how it answers to the forces it bears and to pushes
// from every body that touches it, and A⁻¹M of all these while β < H/2: how they go on. On a bar in one
// dimension the forces are those of the whole bar stepped with h to 0.01 %. What V cannot show of the answer
// to a change of the forces f − f₀ is local, too stiff to swing, and follows its load in the time β of D = αM
// + βK,
//
//     Δx = V q + (A⁻¹ − V Vᵀ) Hᵀ Nᵀ b g,    g ← g + θ (f − f₀ − g),    θ = 1/(1 + β/h),   b = 1 + β/H (2) C =
//     b (N H A⁻¹ Hᵀ Nᵀ − B Bᵀ)  ⪰ 0.
//
// Both parts are implicit Euler steps of passive systems. With h = H they are the low-rate step itself,
// whatever V is.
#pragma once
#include <span>
#include <vector>

#include "palp/contact/delassus.hpp"
#include "palp/math/growing.hpp"

namespace palp {

/// What the ticks need of a body; constant until the next snapshot.
struct ReducedBody {
  int body = 0;              ///< of the model
  std::vector<int> contact;  ///< n: the contact of each row, as the ticks number them
  GrowingMatrix B;           ///< 3n × k
  GrowingMatrix S, S_Bt;     ///< k × k, k × 3n: (M_r/h² + D_r/h + K_r)⁻¹ and its product with Bᵀ
  GrowingMatrix M, K;        ///< k × k
  GrowingVector r, p;        ///< k
  GrowingVector f0;          ///< 3n: the forces at the start, which the body has given way to
  GrowingMatrix C;           ///< 3n × 3n; empty when V shows everything
  double theta = 1;

  int motions() const { return static_cast<int>(r.size()); }
  /// W += B S Bᵀ + θ C at the body's contacts: what a force of one tick does within it.
  void add_compliance(MatRef W) const;
};

/// Where the ticks have brought it.
struct ReducedMotion {
  GrowingVector q, rate, momentum;  ///< k
  GrowingVector g;                  ///< 3n
  GrowingVector q_free, work, change;

  ReducedMotion() = default;
  ReducedMotion(int motions, int contacts);  ///< with memory for so many
  void begin(const ReducedBody& body);
  /// The tick's motion without contact; its displacements at the contacts are added to `delta` (3m).
  void free_tick(const ReducedBody& body, double h, VecRef delta);
  /// The tick's motion with the forces `f` (3m), after free_tick.
  void end_tick(const ReducedBody& body, double h, ConstVecRef f);
  /// Displacements at the contacts since the start, added to `delta` (3m).
  void displace(const ReducedBody& body, VecRef delta);
};

/// What the low rate keeps of it.
struct Reduction {
  static constexpr int most_motions = 40;
  MatX V, MV, DV, AV;  ///< dof × k used
  int motions = 0;
  double b = 1;
  int rows = 0;                      ///< of the body's BodyContacts
  std::vector<int> contact, row_of;  ///< of each contact that the ticks know: its number there, its row here

  /// Of a body after its free motion and its compliance (rows.NH and rows.G are filled). `f0`: 3 per row of
  /// H, in the contacts' axes; `shared`: per contact of `contacts` its number among the ticks', −1 where they
  /// do not know it.
  void make(const Body& body, int number, const BodyState& start, BodyWorkspace& ws, const BodyContacts& rows,
            std::span<const Contact> contacts, std::span<const int> shared, ConstVecRef f0, double h,
            ReducedBody& out);
  /// The same without V: the ticks see the body at the end of its step, pushed by their own forces (P11).
  void make_end(int number, const BodyContacts& rows, std::span<const int> shared, ReducedBody& out);
  /// The body `elapsed` after its start: dx_c = Δx − Δx_free and its velocity; without V dx_c alone.
  void lift(const Body& body, BodyWorkspace& ws, const BodyContacts& rows, const ReducedMotion& motion,
            double elapsed, VecRef dx_c, VecX& v);

 private:
  void add(const Body& body, const BodyState& start, const BodyWorkspace& ws, ConstVecRef motion);
  void share_rows(int number, const BodyContacts& rows, std::span<const int> shared, ReducedBody& out);
  VecX c_, mc_, dc_, ac_, force_;
  PointJacobian all_;  ///< every degree of freedom
  MatX B_;
};

}  // namespace palp
