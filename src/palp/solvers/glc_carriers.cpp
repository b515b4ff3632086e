// Who may carry a force in an iteration of GlcPgs: the active GLCs, of them the largest ψ of every convex
// set.
//
// Sets. K16 §3.3 puts every active GLC in one set, the first that stays convex with it. Two neighbours A, A'
// that are concave to each other and both convex with B then make {A, B} and {A'}, or {A} and {A', B},
// whichever comes first: A' holds the proxy in the free space beyond B, and the answer changes with the order
// and with the list of active GLCs. Here the sets are all the largest ones, {A, B} and {A', B}.
//
// Heirs. On a soft body every GLC moves with the force on it, neighbours less. It can so be pushed behind its
// neighbour by its own force, or out of its own range. With the force taken away both would be violated, the
// old carrier less than the right one, and would be chosen again, without end. So whoever is in range then
// takes part in the same iteration, also with ψ > 0.
//
// Holding. Neighbours move apart or into each other under load: at such a step the surface has no point that
// satisfies all conditions. When carriers begin to repeat themselves, who has a force keeps it for the rest
// of the solve while it is near its range. What is chosen now only grows, so the solve ends. The proxy is
// held at the border of the old carrier, outside of the body; GlcReport says by how much.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "palp/solvers/glc_pgs.hpp"

namespace palp {

namespace {
constexpr int kMostInSets = 64;       // active GLCs that may share sets; any others carry for themselves
constexpr int kCliqueSteps = 200;     // of a search; when they are spent, the GLC carries
constexpr double kLastBorder = 0.25;  // of its extents: how far beyond them a GLC may be held

/// Whether there is a set within `members`, convex with each other, that none of `higher` could join.
bool set_without(std::uint64_t members, std::uint64_t higher, const std::uint64_t* convex, int& steps) {
  if (higher == 0 || --steps < 0) return true;
  const int h = std::countr_zero(higher);
  for (std::uint64_t left = members & ~convex[h]; left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    if (set_without(members & convex[k], higher & convex[k], convex, steps)) return true;
  }
  return false;
}

std::uint64_t bit(int a) { return std::uint64_t(1) << a; }
}  // namespace

// Eq. 10 and 12 at the tentative positions. Active GLCs may carry; one that still has a force keeps that
// right when its ψ has become positive: Gauss-Seidel takes the force back in measured steps. Witnesses (0 < ψ
// ≤ d) follow; they are not counted.
int GlcPgs::collect_active(ConstVecRef f) {
  const GlcMotion& motion = *motion_;
  active_.clear();
  witnesses_.clear();
  std::fill(lost_.begin(), lost_.end(), 0);
  for (int i = 0; i < m_; ++i) {
    const Glc& g = problem_->glc[i];
    const Vec3 at = end_delta(i);
    const double psi = at[0];
    const bool loaded = f[3 * i] > 0;
    if (!loaded && psi > g.d) continue;
    const double scale = loaded && holding_ ? 1 + kLastBorder : 1;
    if (psi < -g.d * scale ||
        !g.in_range(motion.tau_start[2 * i] + at[1], motion.tau_start[2 * i + 1] + at[2], scale)) {
      lost_[g.proxy] |= loaded;
      continue;
    }
    const bool may_carry = psi <= 0 || loaded;
    (may_carry ? active_ : witnesses_).push_back({i, psi, may_carry});
  }
  const int active = static_cast<int>(active_.size());
  active_.insert(active_.end(), witnesses_.begin(), witnesses_.end());
  return active;
}

// Eq. 13. The present carrier keeps its place against a tie.
void GlcPgs::choose_carriers(ConstVecRef f) {
  std::swap(old_carriers_, older_carriers_);
  std::swap(carriers_, old_carriers_);
  carriers_.clear();
  held_ = 0;
  const int count = std::min(static_cast<int>(active_.size()), kMostInSets);
  std::array<std::uint64_t, kMostInSets> convex{}, higher{};  // per member: with whom; of them, larger ψ
  const auto is_loaded = [&](int a) { return f[3 * active_[a].glc] > 0; };
  for (int a = 0; a < count && settings_.convex_sets; ++a) {
    const Glc& g = problem_->glc[active_[a].glc];
    const double slack = slack_[g.proxy], own = active_[a].psi + (is_loaded(a) ? slack : 0);
    for (int b = 0; b < a; ++b) {
      const Glc& other = problem_->glc[active_[b].glc];
      if (other.proxy != g.proxy || !convex_pair(g, other, slack)) continue;
      convex[a] |= bit(b);
      convex[b] |= bit(a);
      if (active_[b].psi + (is_loaded(b) ? slack : 0) >= own)
        higher[a] |= bit(b);
      else
        higher[b] |= bit(a);
    }
  }
  const auto largest_of_a_set = [&](int a) {
    int steps = kCliqueSteps;
    return a >= count || set_without(convex[a] & ~higher[a], higher[a], convex.data(), steps);
  };
  std::uint64_t heirs = 0;
  for (int a = 0; a < static_cast<int>(active_.size()); ++a) {
    if (!active_[a].may_carry) {
      if (a < count && lost_[problem_->glc[active_[a].glc].proxy] && largest_of_a_set(a)) heirs |= bit(a);
      continue;
    }
    const bool largest = largest_of_a_set(a);
    if (largest || (holding_ && is_loaded(a))) {
      carriers_.push_back(active_[a].glc);
      held_ += !largest;
    } else if (is_loaded(a)) {
      int heir = -1;
      for (std::uint64_t left = higher[a]; left != 0; left &= left - 1) {
        const int b = std::countr_zero(left);
        if (heir < 0 || active_[b].psi > active_[heir].psi) heir = b;
      }
      if (!active_[heir].may_carry) heirs |= bit(heir);
    }
  }
  for (; heirs != 0; heirs &= heirs - 1) carriers_.push_back(active_[std::countr_zero(heirs)].glc);
  std::sort(carriers_.begin(), carriers_.end());
  for (int i : carriers_)
    if (!prepared_[i]) prepare(i);
}

// A surface that gives way comes back when its force is taken: by W_nn f_n. The inner trust region
// bounds that way too, or a soft surface would leap over the proxy. True when forces are left for the next
// iteration.
bool GlcPgs::unload_idle(VecRef f) {
  for (int i : old_carriers_) is_carrier_[i] = 0;
  for (int i : carriers_) is_carrier_[i] = 1;
  bool left = false;
  size_t kept = 0;
  for (int i : loaded_) {
    if (is_carrier_[i]) continue;
    const int p = problem_->glc[i].proxy;
    const double recoil = given_way(i, i)(0, 0) * f[3 * i];
    if (!settings_.inner_trust || !(recoil > trust_step_[p])) {
      apply(i, -f.segment<3>(3 * i), f);
    } else {
      apply(i, -(trust_step_[p] / recoil) * f.segment<3>(3 * i), f);
      loaded_[kept++] = i;
      left = true;
    }
  }
  loaded_.resize(kept);
  loaded_.insert(loaded_.end(), carriers_.begin(), carriers_.end());
  return left;
}

double GlcPgs::overstep(ConstVecRef f) const {
  double largest = 0;
  for (int i : carriers_) {
    if (!(f[3 * i] > 0)) continue;
    const Glc& g = problem_->glc[i];
    const Vec3 at = end_delta(i);
    const Vec2 tau = motion_->tau_start.segment<2>(2 * i) + at.tail<2>();
    largest =
        std::max({largest, std::abs(tau.x()) / g.s1 - 1, std::abs(tau.y()) / g.s2 - 1, -at[0] / g.d - 1});
    for (int k = 0; k < g.sides; ++k)
      largest = std::max(largest, (g.side[k].a1 * tau.x() + g.side[k].a2 * tau.y()) / g.side[k].b - 1);
  }
  return largest;
}

}  // namespace palp
