#include "palp/solvers/reduced_newton.hpp"

#include <algorithm>
#include <cmath>

#include "palp/solvers/cone.hpp"

namespace palp {
namespace {

constexpr double regularisation = 1e-9;
constexpr double on_edge = 1 - 1e-6;  ///< |f_t|/(μ f_n) from which a contact slips

}  // namespace

void ReducedNewton::set(const Prepared& prepared) {
  P_ = &prepared;
  state_.resize(prepared.m);
  unknown_.reserve(prepared.m);
  x_.resize(3 * prepared.m);
  lu_.reserve(3 * prepared.m);
}

void ReducedNewton::classify(ConstVecRef f) {
  for (int i = 0; i < P_->m; ++i) {
    const double f_n = f[3 * i], f_1 = f[3 * i + 1], f_2 = f[3 * i + 2], limit = on_edge * P_->mu(i) * f_n;
    state_[i] = P_->bilateral(i)                         ? State::stick
                : !(f_n > 0)                             ? State::open
                : f_1 * f_1 + f_2 * f_2 >= limit * limit ? State::slip
                                                         : State::stick;
  }
}

bool ReducedNewton::direction(ConstVecRef f, ConstVecRef delta) {
  unknown_.clear();
  int n = 0;
  for (int i = 0; i < P_->m; ++i) {
    if (state_[i] == State::open) continue;
    Unknown u{.contact = i, .first = n, .count = 3, .e_1 = 0, .e_2 = 0, .length = 0};
    if (state_[i] == State::slip) {
      const double f_1 = f[3 * i + 1], f_2 = f[3 * i + 2];
      u.length = std::sqrt(f_1 * f_1 + f_2 * f_2);
      u.count = u.length > 0 ? 2 : 1;
      if (u.length > 0) u.e_1 = f_1 / u.length, u.e_2 = f_2 / u.length;
    }
    n += u.count;
    unknown_.push_back(u);
  }
  if (n == 0) return false;
  lu_.resize(n);
  const auto& W = P_->problem->W.dense;
  for (const Unknown& u : unknown_) {
    const int i = u.contact;
    // A row of the system from a row of W: what f_n, f_1 and f_2 of every contact give to it. Slipping, f_t
    // grows with f_n and turns.
    const auto put = [&](int row, auto&& W_at) {
      double* to = lu_.row(u.first + row);
      for (const Unknown& v : unknown_) {
        const double by_n = W_at(3 * v.contact), by_1 = W_at(3 * v.contact + 1),
                     by_2 = W_at(3 * v.contact + 2);
        if (v.count == 3) {
          to[v.first] = by_n;
          to[v.first + 1] = by_1;
          to[v.first + 2] = by_2;
          continue;
        }
        to[v.first] = by_n + P_->mu(v.contact) * (by_1 * v.e_1 + by_2 * v.e_2);
        if (v.count == 2) to[v.first + 1] = by_2 * v.e_1 - by_1 * v.e_2;
      }
      to[u.first + row] += regularisation / P_->rho[i];
    };
    // W's own columns serve as its rows: it is symmetric up to noise, and the residual is exact anyway.
    const double *W_n = &W(0, 3 * i), *W_1 = &W(0, 3 * i + 1), *W_2 = &W(0, 3 * i + 2);
    const double d_n = delta[3 * i], d_1 = delta[3 * i + 1], d_2 = delta[3 * i + 2];
    put(0, [&](int k) { return W_n[k]; });
    x_[u.first] = -d_n;
    if (u.count == 3) {
      put(1, [&](int k) { return W_1[k]; });
      put(2, [&](int k) { return W_2[k]; });
      x_[u.first + 1] = -d_1;
      x_[u.first + 2] = -d_2;
    } else if (u.count == 2) {  // e⊥ᵀ(δ + W df) = 0, where e⊥ turns with f_t
      put(1, [&](int k) { return u.e_1 * W_2[k] - u.e_2 * W_1[k]; });
      lu_.row(u.first + 1)[u.first + 1] += std::max(-(u.e_1 * d_1 + u.e_2 * d_2), 0.0) / u.length;
      x_[u.first + 1] = u.e_2 * d_1 - u.e_1 * d_2;
    }
  }
  if (!lu_.factor()) return false;
  lu_.solve(x_.data());
  return Eigen::Map<const VecX>(x_.data(), n).allFinite();
}

void ReducedNewton::advance(VecRef f, double t) const {
  for (const Unknown& u : unknown_) {
    double* f_i = &f[3 * u.contact];
    const double *x = x_.data() + u.first, mu = P_->mu(u.contact);
    f_i[0] += t * x[0];
    if (u.count == 3) {
      f_i[1] += t * x[1];
      f_i[2] += t * x[2];
    } else if (u.count == 2) {
      f_i[1] += t * (mu * x[0] * u.e_1 - x[1] * u.e_2);
      f_i[2] += t * (mu * x[0] * u.e_2 + x[1] * u.e_1);
      const double length2 = f_i[1] * f_i[1] + f_i[2] * f_i[2];
      if (!(f_i[0] > 0) || !(length2 > 0)) continue;
      const double scale = mu * f_i[0] / std::sqrt(length2);
      f_i[1] *= scale;
      f_i[2] *= scale;
    }
  }
}

bool ReducedNewton::advance_in_cones(VecRef f) {
  double room = 1;
  int first = -1;  // contact to leave its cone, for the state `next`
  State next = State::open;
  const auto limit = [&](double t, int contact, State state) {
    if (t < room) room = t, first = contact, next = state;
  };
  for (const Unknown& u : unknown_) {
    if (P_->bilateral(u.contact)) continue;
    const double *f_i = &f[3 * u.contact], *x = x_.data() + u.first;
    if (x[0] < 0) limit(f_i[0] / -x[0], u.contact, State::open);
    if (u.count == 2) limit(u.length / std::abs(x[1]), u.contact, State::slip);  // turns by 45° at most
    if (u.count == 3) limit(room_in_cone(f_i, x, P_->mu(u.contact)), u.contact, State::slip);
  }
  advance(f, room);
  if (first < 0) return true;
  state_[first] = next;
  if (next == State::open) f[3 * first] = f[3 * first + 1] = f[3 * first + 2] = 0;
  return false;
}

}  // namespace palp
