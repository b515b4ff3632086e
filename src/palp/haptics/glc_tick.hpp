// The high rate of K16 (§3.2 H1-H5): point proxies on springs against the GLCs of the last snapshot, all
// proxies in one problem. One tick of length h:
//     x_free = x + C (m v/h + k (x_dev − x) + d v_dev + m g),     C = 1/(m/h² + d/h + k)
//     ψ_free = n·(x_free − p) + s_n,   slip_free = t·(x_free − x) + s_t − s_t(before),   τ_start = t·(x − p)
//     + s_t(before) solve for f;   x ← x_free + C Σ Nᵀ f,   v ← Δx/h;   force from the coupling.
// p is where the constraint was at the synchronisation and s how far the low-rate bodies have moved since, as
// seen by the constraint: they are moved tick by tick within few motions (reduced_body.hpp).
#pragma once
#include <span>
#include <vector>

#include "palp/contact/glc_builder.hpp"
#include "palp/haptics/coupling.hpp"
#include "palp/haptics/reduced_body.hpp"
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
  long sequence = 0;        ///< 0: none yet
  long tick = 0;            ///< whose proxies it was made from: the synchronisation
  GlcProblem problem;       ///< proxies with compliance and trust region, GLCs, others, W
  GlcPlaces places;         ///< of the GLCs, then contacts of the others
  std::vector<Vec3> place;  ///< m+o: of every constraint at the synchronisation
  VecX delta_other;         ///< 3o: of the others, at the synchronisation; no slip
  VecX bend;  ///< 3(m+o): what N H Δx_free does not show of the bodies' free motion (snapshot.hpp)
  VecX f;     ///< forces at the synchronisation
  std::vector<ReducedBody> bodies;  ///< the first `body_count` are in use
  int body_count = 0;
  int ticks = 1;  ///< of the low-rate step
  bool settles =
      false;  ///< GlcTick::settle; not with bodies at the end of their step, nor with endless planes
  /// What the news it was made from said.
  long told_sequence = 0;
  std::vector<Vec3> told_sum;
  mutable GlcMotion motion;  ///< scratch of the ticks, of the right size
};

struct GlcTickReport {
  GlcReport solve;
  int glcs = 0;
  int failed_hand = -1;  ///< whose proxy would not be at a number: all stand still, nothing is felt
  double total_us = 0;   ///< the whole tick
};

/// What the high rate tells the low rate before a tick.
struct GlcNews {
  long tick = 0;  ///< that is about to be made
  std::vector<ProxyState> proxies;
  std::vector<DevicePose> poses;  ///< at the end of the tick
  long sequence = 0;              ///< of the snapshot that the rest belongs to
  VecX f;                         ///< forces of the last tick, the first `rows` of them
  Eigen::Index rows = 0;
  std::vector<Vec3> sum;              ///< per constraint: of its forces over the ticks; world
  std::vector<ReducedMotion> bodies;  ///< of the snapshot's, in its order
};

class GlcTick {
 public:
  /// `bodies`: most low-rate bodies in a snapshot.
  GlcTick(std::vector<GlcHand> hands, GlcSizes sizes, int bodies, const SolveOptions& options,
          GlcSettings settings = {});

  void place(int hand, const ProxyState& state) { proxies_[hand] = state; }
  const ProxyState& proxy(int hand) const { return proxies_[hand]; }
  std::span<const ProxyState> proxies() const { return proxies_; }
  std::span<const GlcHand> hands() const { return hands_; }

  /// News with memory for whatever a tick may have to tell, and what there is to tell.
  GlcNews nothing_yet(int devices) const;
  void tell(std::span<const DevicePose> poses, GlcNews& out) const;
  long ticks() const { return ticks_; }  ///< made so far

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
  void catch_up(const GlcSnapshot& snapshot);
  void settle(const GlcSnapshot& snapshot);
  void free_motion(std::span<const DevicePose> poses, const Vec3& gravity, double h);
  void surface_displacement(double h);
  void relative_motion();
  int lost_hand(double h) const;

  std::vector<GlcHand> hands_;
  std::vector<ProxyState> proxies_;
  SolveOptions options_;
  GlcPgs pgs_;
  const GlcSnapshot* snapshot_ = nullptr;
  VecX f_, now_, free_;  ///< forces; s before the tick and after its free motion. The first rows_ are in use
  Eigen::Index rows_ = 0;
  std::vector<ReducedMotion> bodies_;
  /// Constraints of the snapshot that was adopted last, which may be gone.
  struct Known {
    ContactId id;
    Vec3 at, sum, force;  ///< its place; its forces over the ticks and in the last one, world
  };
  std::vector<Known> known_;
  std::vector<Vec3> shift_;  ///< per proxy: settle
  long known_sequence_ = 0, ticks_ = 0, adopted_ = 0;
  double h_ = 0;  ///< of the last tick
};

}  // namespace palp
