// The high rate of K16 (§3.2 H1-H5): point proxies on springs against the GLCs of the last snapshot, all
// proxies in one problem. One tick of length h:
//     x_free = x + C (m v/h + k (x_dev − x) + d v_dev + m g),     C = 1/(m/h² + d/h + k)
//     ψ_free = n·(x_free − p_free),   slip_free = t·(x_free − x) − u_t,   τ_start = t·(x − p_free) + u_t
//     solve for f;   x ← x_free + C Σ Nᵀ f,   v ← Δx/h;   force from the coupling.
// u is the displacement that the forces of the tick before gave the surface relative to its free motion
// (W f without the proxies' share): the slip is measured on the moving surface.
#pragma once
#include <span>
#include <vector>

#include "palp/contact/glc_builder.hpp"
#include "palp/haptics/coupling.hpp"
#include "palp/solvers/glc_pgs.hpp"

namespace palp {

/// A point proxy in the hand of a device.
struct GlcHand {
  int device = 0;
  int body = 0;  ///< of the model: the point proxy
  double mass_kg = 1e-3;
  double damping_N_s_per_m = 0;  ///< against the world
  double radius_m = 0;
  Vec3 lever = Vec3::Zero();  ///< the spring is relaxed when the device is at x + lever
  CouplingSettings coupling;
};

struct ProxyState {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
};

/// What the low rate hands to the high rate. Its one reader may use the scratch.
struct GlcSnapshot {
  long sequence = 0;         ///< 0: none yet
  long tick = 0;             ///< whose proxies it was made from: the synchronisation
  GlcProblem problem;        ///< proxies with compliance and trust region, GLCs, others, W
  GlcPlaces places;          ///< of the GLCs, then contacts of the others
  VecX delta_other;          ///< 3o: δ_free of the others, constant until the next snapshot
  VecX f;                    ///< forces that the low rate found
  mutable GlcMotion motion;  ///< scratch of the ticks, of the right size
  bool compliant = false;    ///< some constraint touches a body that gives way
};

struct GlcTickReport {
  GlcReport solve;
  int glcs = 0;
  int failed_hand = -1;  ///< whose proxy would not be at a number: all stand still, nothing is felt
  double total_us = 0;  ///< the whole tick
};

class GlcTick {
 public:
  GlcTick(std::vector<GlcHand> hands, GlcSizes sizes, const SolveOptions& options, GlcSettings settings = {});

  void place(int hand, const ProxyState& state) { proxies_[hand] = state; }
  const ProxyState& proxy(int hand) const { return proxies_[hand]; }
  std::span<const ProxyState> proxies() const { return proxies_; }
  std::span<const GlcHand> hands() const { return hands_; }

  /// From now on ticks use this snapshot; it must live until the next call. An error when it is larger than
  /// the sizes; there is none then.
  Result<void> adopt(const GlcSnapshot& snapshot);

  /// One tick. `poses`: one per device, where it is at the end of the tick; one that is not finite lets go.
  /// `wrenches`: what each user feels. Never allocates, locks, throws or prints.
  GlcTickReport tick(std::span<const DevicePose> poses, const Vec3& gravity, double h,
                     std::span<Wrench> wrenches);

  /// Of the snapshot in use; 0 = none.
  long sequence() const { return snapshot_ ? snapshot_->sequence : 0; }
  const GlcSnapshot* snapshot() const { return snapshot_; }
  ConstVecRef f() const { return f_.head(rows_); }
  const GlcPgs& solver() const { return pgs_; }

 private:
  void free_motion(std::span<const DevicePose> poses, const Vec3& gravity, double h);
  void surface_displacement();
  void relative_motion();
  int lost_hand(double h) const;

  std::vector<GlcHand> hands_;
  std::vector<ProxyState> proxies_;
  SolveOptions options_;
  GlcPgs pgs_;
  const GlcSnapshot* snapshot_ = nullptr;
  VecX f_, u_;             ///< forces; W f, zero when no surface gives way. The first rows_ are in use
  std::vector<Vec3> own_;  ///< per proxy: how far the forces on it move it
  Eigen::Index rows_ = 0;
};

}  // namespace palp
