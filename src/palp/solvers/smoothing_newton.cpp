#include "palp/solvers/smoothing_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "palp/solvers/cone.hpp"

namespace palp {
namespace {

constexpr double wide_neighbourhood = 3;  ///< |R| ≤ this · √(m τ) keeps close enough to the path
/// |U_t| → √(|U_t|² + slip_smoothing τ). Hardly any: smoothing that is felt bends the path of sliding piles
/// until it folds (with 1e-2 they took five times as long).
constexpr double slip_smoothing = 1e-6;
constexpr double first_opening = 0.3;  ///< √τ at the start, at most, in units of the forces
constexpr double largest_G = 1e13;     ///< G of an open contact, bounded for the linear algebra
constexpr double open_G = 1e9;         ///< above it in both eigenvalues the contact leaves the dense system
constexpr double linear_regularisation =
    1e-10;  ///< of a step on the path: redundant contacts make W singular
constexpr double polish_regularisation = 1e-9;
/// When two proximal steps in a row count as one drift, and how many more of it to take at once.
constexpr double steady_cosine = 0.9, steady_error = 0.2, farthest_jump = 5;

/// The smoothed positive part of one eigenvalue and what derives from it, without cancellation.
struct Eigen1 {
  double f, u, dtau, G;
  Eigen1(double a, double tau) {
    const double root = std::sqrt(a * a + 4 * tau), large = (root + std::abs(a)) / 2;
    const double small = large > 0 ? tau / large : 0;
    f = a > 0 ? large : small;
    u = a > 0 ? small : large;
    dtau = root > 0 ? 1 / root : 0;
    G = f > 0 ? std::min(u / f, largest_G) : (u > 0 ? largest_G : 1);
  }
};

}  // namespace

void SmoothingNewton::set(const Prepared& prepared) {
  P_ = &prepared;
  m_ = prepared.m;
  dense_ = prepared.dense();
  kind_.resize(m_);
  for (GrowingVector* v :
       {&T_,     &free_, &w_,    &polished_, &accepted_, &trial_, &F_,      &U_,        &R_,       &R_tau_,
        &F_tau_, &b_,    &dw_R_, &dw_tau_,   &y_,        &Wy_,    &centre_, &physical_, &product_, &drift_})
    v->resize(3 * m_);
  G_.resize(m_);
  CG_.resize(m_);
  h_.resize(m_);
  in_system_.reserve(m_);
  column_of_.resize(m_);
  x_.resize(3 * m_);
  for (int i = 0; i < m_; ++i) {
    const double r = std::sqrt(prepared.rho[i]), mu = prepared.bilateral(i) ? 1 : prepared.mu(i);
    const bool dead = !(r > 0) || (!prepared.bilateral(i) && !(prepared.diagonal[i](0, 0) > 0));
    kind_[i] = dead                    ? Kind::dead
               : prepared.bilateral(i) ? Kind::bilateral
               : mu > 0                ? Kind::friction
                                       : Kind::normal_only;
    T_.segment<3>(3 * i) = dead ? Vec3::Zero() : Vec3(kind_[i] == Kind::friction ? r / mu : r, r, r);
  }
  if (dense_)
    dense_lu_.reserve(3 * m_);
  else
    sparse_lu_.analyse(prepared);
}

double SmoothingNewton::flops() const {
  // Factorisation, about a dozen products with W, and the cone functions of as many evaluations.
  const double factorisation = dense_ ? DenseLu::flops(3 * m_) : sparse_lu_.flops();
  const double product = dense_ ? 18.0 * m_ * m_ : 18.0 * P_->column_row.size();
  return factorisation + 12 * product + 6000.0 * m_;
}

SmoothingNewton::Smooth SmoothingNewton::smooth(int i, double tau, bool derivatives) const {
  Smooth o;
  const Vec3 w = trial_.segment<3>(3 * i);
  o.h.setZero();
  o.s = 0;
  switch (kind_[i]) {
    case Kind::dead:
      o.F = o.U = o.dtau = Vec3::Zero();
      o.G = largest_G * Mat3::Identity();
      return o;
    case Kind::bilateral:
      o.F = w;
      o.U = o.dtau = Vec3::Zero();
      o.G = Mat3::Zero();
      return o;
    case Kind::normal_only: {
      const Eigen1 n(w[0], tau);
      o.F = Vec3(n.f, 0, 0);
      o.U = Vec3(n.u, 0, 0);
      o.dtau = Vec3(n.dtau, 0, 0);
      o.G = Vec3(n.G, largest_G, largest_G).asDiagonal();
      return o;
    }
    case Kind::friction:
      break;
  }
  const double t = std::sqrt(w[1] * w[1] + w[2] * w[2]);
  const Vec2 e = t > 0 ? Vec2(w[1] / t, w[2] / t) : Vec2(1, 0);
  const Eigen1 a(w[0] + t, tau), b(w[0] - t, tau);
  const auto vector = [&](double x, double y) {
    const double half = 0.5 * (x - y);
    return Vec3(0.5 * (x + y), half * e[0], half * e[1]);
  };
  o.F = vector(a.f, b.f);
  o.U = vector(a.u, b.u);
  const Vec2 U_t = o.U.tail<2>();
  o.s = std::sqrt(U_t.squaredNorm() + slip_smoothing * tau);
  if (!derivatives) return o;
  o.dtau = vector(a.dtau, b.dtau);
  if (o.s > 0) o.h = U_t / o.s;
  const double side = a.f - b.f > 1e-14 * a.f ? std::min((b.u - a.u) / (a.f - b.f), largest_G) : a.G;
  const double p = 0.5 * (a.G + b.G), q = 0.5 * (a.G - b.G);
  o.G << p, q * e[0], q * e[1],                                                  //
      q * e[0], p * e[0] * e[0] + side * e[1] * e[1], (p - side) * e[0] * e[1],  //
      q * e[1], (p - side) * e[0] * e[1], p * e[1] * e[1] + side * e[0] * e[0];
  return o;
}

void SmoothingNewton::apply_W(ConstVecRef x, VecRef out) {
  if (dense_) {
    product_.setZero();
    const double negligible = 1e-30 * scale_ * scale_;
    for (int i = 0; i < m_; ++i) {
      const Vec3 x_i = x.segment<3>(3 * i);
      if (x_i.squaredNorm() > negligible) P_->add_column(i, T_.segment<3>(3 * i).cwiseProduct(x_i), product_);
    }
  } else {
    physical_ = T_.cwiseProduct(x);
    P_->multiply_by_rows(physical_.data(), product_.data());
  }
  out = T_.cwiseProduct(product_) + alpha_ * x;
}

double SmoothingNewton::evaluate(ConstVecRef w, double tau) {
  if (w.data() != trial_.data()) trial_ = w;
  for (int i = 0; i < m_; ++i) {
    const Smooth s = smooth(i, tau, false);
    F_.segment<3>(3 * i) = s.F;
    U_.segment<3>(3 * i) = s.U;
    b_[3 * i] = s.s;
  }
  apply_W(F_, R_);
  R_ += free_ - U_;
  if (alpha_ > 0) R_ -= alpha_ * centre_;
  for (int i = 0; i < m_; ++i) {
    R_[3 * i] += b_[3 * i];
    if (kind_[i] == Kind::dead) R_.segment<3>(3 * i).setZero();
    if (kind_[i] == Kind::normal_only) R_.segment<2>(3 * i + 1).setZero();
  }
  return R_.norm();
}

void SmoothingNewton::set_w(ConstVecRef f, ConstVecRef delta) {
  for (int i = 0; i < m_; ++i) {
    Vec3 F = Vec3::Zero(), U = Vec3::Zero();
    if (kind_[i] != Kind::dead) {
      F = f.segment<3>(3 * i).cwiseQuotient(T_.segment<3>(3 * i));
      if (kind_[i] != Kind::bilateral) U = delta.segment<3>(3 * i).cwiseProduct(T_.segment<3>(3 * i));
      if (kind_[i] == Kind::friction) U[0] += U.tail<2>().norm();
      if (kind_[i] == Kind::normal_only) F.tail<2>().setZero(), U.tail<2>().setZero();
    }
    F_.segment<3>(3 * i) = F;
    w_.segment<3>(3 * i) = F - U;
  }
}

void SmoothingNewton::start(ConstVecRef f, ConstVecRef delta, double e, bool again) {
  free_ = T_.cwiseProduct(P_->delta_free);
  set_w(f, delta);
  scale_ = F_.norm();
  for (int i = 0; i < m_; ++i) scale_ = std::max(scale_, std::max(0.0, -free_[3 * i]));
  scale_ = std::max(scale_ / std::sqrt(std::max(m_, 1)), 1e-300);
  // Dense problems are nearly solved when they come here; piles rarely are, whatever e says.
  const double least = dense_ ? 0.1 * first_opening : first_opening;
  const double opening = scale_ * (again ? std::min(10 * e, 1.0) : std::clamp(10 * e, least, first_opening));
  tau_ = opening * opening;
  alpha_ = again ? std::clamp(alpha_, 1e-4, 1e-2) : 0;
  centre_.noalias() = F_;
  epsilon_ = linear_regularisation;
  short_steps_ = troubles_ = inner_ = 0;
  inner_done_ = false;
  reached_ = e;
  drift_.setZero();
  drift_error_ = 0;
  norm_R_ = evaluate(w_, tau_);
}

bool SmoothingNewton::recentre(ConstVecRef f, ConstVecRef delta, double e) {
  if (!inner_solved_)
    alpha_ *= 3;
  else if (inner_ <= 12)
    alpha_ *= 0.5;
  else if (inner_ > 18)
    alpha_ *= 1.5;
  alpha_ = std::min(alpha_, 1.0);
  set_w(f, delta);
  const bool jumped = inner_solved_ && jump(e);
  centre_.noalias() = F_;
  const double opening = scale_ * std::clamp(10 * e, 1e-12, 1.0);
  tau_ = opening * opening;
  reached_ = e;
  inner_ = 0;
  short_steps_ = 0;
  inner_done_ = false;
  norm_R_ = evaluate(w_, tau_);
  return jumped;
}

bool SmoothingNewton::jump(double e) {
  y_ = F_ - centre_;
  const double size = y_.norm();
  const bool steady =
      y_.dot(drift_) > steady_cosine * size * drift_.norm() && std::abs(e - drift_error_) < steady_error * e;
  drift_.noalias() = y_;
  drift_error_ = e;
  if (!steady) return false;
  double far = farthest_jump;
  for (int i = 0; i < m_; ++i) {
    const Vec3 F = F_.segment<3>(3 * i), d = y_.segment<3>(3 * i);
    if (kind_[i] != Kind::friction || !(d.norm() > 1e-3 * size)) continue;
    const bool on_edge = F.tail<2>().squaredNorm() - F[0] * F[0] >= -1e-6 * F[0] * F[0];
    if (!on_edge) far = std::min(far, room_in_cone(F.data(), d.data(), 1));
  }
  if (far < 1) return false;
  w_ -= F_;
  F_ += far * y_;
  for (int i = 0; i < m_; ++i) {
    if (kind_[i] == Kind::friction) F_.segment<3>(3 * i) = project_on_cone(F_.segment<3>(3 * i), 1);
    if (kind_[i] == Kind::normal_only) F_[3 * i] = std::max(F_[3 * i], 0.0);
  }
  w_ += F_;
  return true;
}

bool SmoothingNewton::assemble_and_factor() {
  trial_.noalias() = w_;
  for (int i = 0; i < m_; ++i) {
    const Smooth s = smooth(i, tau_, true);
    G_[i] = s.G;
    h_[i] = s.h;
    Mat3 CG = s.G;
    CG.row(0) -= s.h[0] * s.G.row(1) + s.h[1] * s.G.row(2);
    CG.diagonal().array() += alpha_ + epsilon_;
    CG_[i] = CG;
    F_tau_.segment<3>(3 * i) = s.dtau;
    b_[3 * i] = s.s > 0 ? s.h.dot(s.dtau.tail<2>()) + 0.5 * slip_smoothing / s.s : 0;
  }
  apply_W(F_tau_, R_tau_);
  R_tau_ -= F_tau_;
  for (int i = 0; i < m_; ++i) {
    R_tau_[3 * i] += b_[3 * i];
    if (kind_[i] == Kind::dead) R_tau_.segment<3>(3 * i).setZero();
    if (kind_[i] == Kind::normal_only) R_tau_.segment<2>(3 * i + 1).setZero();
  }

  if (!dense_) {
    sparse_lu_.clear();
    for (int j = 0; j < m_; ++j)
      for (int k = P_->column_start[j]; k < P_->column_start[j + 1]; ++k)
        sparse_lu_.add(sparse_lu_.position_of_column_block(k),
                       T_.segment<3>(3 * P_->column_row[k]).asDiagonal() * P_->column_block[k] *
                           T_.segment<3>(3 * j).asDiagonal());
    for (int i = 0; i < m_; ++i) sparse_lu_.add(sparse_lu_.position_of_diagonal(i), CG_[i]);
    return sparse_lu_.factor();
  }
  in_system_.clear();
  for (int i = 0; i < m_; ++i) {
    const bool out =
        kind_[i] == Kind::dead || G_[i](0, 0) - std::abs(G_[i](0, 1)) - std::abs(G_[i](0, 2)) > open_G;
    column_of_[i] = out ? -1 : static_cast<int>(in_system_.size());
    if (!out) in_system_.push_back(i);
  }
  const int k = static_cast<int>(in_system_.size());
  dense_lu_.resize(3 * k);
  const auto& W = P_->problem->W.dense;
  for (int a = 0; a < k; ++a) {
    const int i = in_system_[a];
    for (int r = 0; r < 3; ++r) {
      double* row = dense_lu_.row(3 * a + r);
      const double T_r = T_[3 * i + r];
      for (int b = 0; b < k; ++b) {
        const int j = in_system_[b];
        for (int c = 0; c < 3; ++c) row[3 * b + c] = T_r * W(3 * i + r, 3 * j + c) * T_[3 * j + c];
      }
      for (int c = 0; c < 3; ++c) row[3 * a + c] += CG_[i](r, c);
    }
  }
  return dense_lu_.factor();
}

void SmoothingNewton::linear_solve(ConstVecRef b, VecRef dw) {
  if (dense_) {
    for (std::size_t a = 0; a < in_system_.size(); ++a)
      for (int r = 0; r < 3; ++r) x_[3 * a + r] = b[3 * in_system_[a] + r];
    dense_lu_.solve(x_.data());
    y_.setZero();
    for (std::size_t a = 0; a < in_system_.size(); ++a)
      for (int r = 0; r < 3; ++r) y_[3 * in_system_[a] + r] = x_[3 * a + r];
  } else {
    y_ = b;
    sparse_lu_.solve(y_.data());
  }
  // dw = y + G y, with G y from the equation: G itself is too large to multiply by.
  apply_W(y_, Wy_);
  for (int i = 0; i < m_; ++i) {
    Vec3 rest = b.segment<3>(3 * i) - Wy_.segment<3>(3 * i);
    rest[0] += h_[i].dot(rest.tail<2>());  // C⁻¹
    Vec3 y = y_.segment<3>(3 * i);
    if (kind_[i] == Kind::bilateral) rest.setZero();
    if (kind_[i] == Kind::dead) rest.setZero(), y.setZero();
    if (kind_[i] == Kind::normal_only) rest.tail<2>().setZero(), y.tail<2>().setZero();
    dw.segment<3>(3 * i) = y + rest;
  }
}

bool SmoothingNewton::iterate() {
  if (!assemble_and_factor()) {
    trouble();
    return troubles_ < 40;
  }
  b_ = -R_;
  linear_solve(b_, dw_R_);
  b_ = -R_tau_;
  linear_solve(b_, dw_tau_);
  ++inner_;
  const double root_m = std::sqrt(static_cast<double>(m_));
  bool moved = false;
  // Predictor: as far down the path as stays near it. A tenth first; if that is easy, much more.
  const double from = tau_;
  for (double g : {0.1, 1e-2, 1e-4, 1e-8, 0.4, 0.7}) {
    if (moved ? g > 0.1 : g < 0.1) continue;
    const double tau = g * from;
    trial_ = w_ + dw_R_ + (tau - from) * dw_tau_;
    const double norm = evaluate(trial_, tau);
    const bool near = norm <= wide_neighbourhood * root_m * std::sqrt(tau);
    if (near) {
      accepted_.noalias() = trial_;
      tau_ = tau;
      norm_R_ = norm;
      moved = true;
    }
    if (near ? g > 0.1 : moved) break;
  }
  if (moved) {
    w_.noalias() = accepted_;
    short_steps_ = 0;
    norm_R_ = evaluate(w_, tau_);
  }
  if (!moved) {  // corrector: towards the path, with a line search
    double t = 1, norm = 0;
    for (;; t *= 0.5) {
      trial_ = w_ + t * dw_R_;
      norm = evaluate(trial_, tau_);
      if (norm < (1 - 0.1 * t) * norm_R_ || t < 1e-3) break;
    }
    if (!std::isfinite(norm)) {
      norm_R_ = evaluate(w_, tau_);
      trouble();
      return troubles_ < 40;
    }
    w_.noalias() = trial_;
    norm_R_ = norm;
    short_steps_ = t < 0.05 ? short_steps_ + 1 : t > 0.4 ? 0 : short_steps_;
    if (short_steps_ >= 3) trouble();
  }
  if (alpha_ > 0) {
    const double inner_error = (std::sqrt(tau_) + norm_R_ / root_m) / scale_;
    inner_solved_ = inner_error < 0.05 * reached_;
    inner_done_ = inner_solved_ || inner_ > 30;
  }
  return troubles_ < 40;
}

bool SmoothingNewton::polish(bool first, VecRef f) {
  if (first) polished_.noalias() = w_;
  w_.swap(polished_);
  const double tau = std::exchange(tau_, 1e-20 * scale_ * scale_), alpha = std::exchange(alpha_, 0.0);
  const double epsilon = std::exchange(epsilon_, polish_regularisation);
  evaluate(w_, tau_);
  bool solved = assemble_and_factor();
  if (solved) {
    b_ = -R_;
    linear_solve(b_, dw_R_);
    w_ += dw_R_;
    solved = w_.allFinite();
    if (solved) force(f);
  }
  w_.swap(polished_);
  tau_ = tau;
  alpha_ = alpha;
  epsilon_ = epsilon;
  norm_R_ = evaluate(w_, tau_);
  return solved;
}

void SmoothingNewton::trouble() {
  ++troubles_;
  short_steps_ = 0;
  if (alpha_ == 0 && troubles_ >= 2) {  // the path folds: proximal steps from here
    alpha_ = 1e-3;
    inner_done_ = inner_solved_ = true;
    inner_ = 15;
    return;
  }
  tau_ *= 10;
  epsilon_ = std::min(10 * epsilon_, 1e-8);
  norm_R_ = evaluate(w_, tau_);
}

void SmoothingNewton::force(VecRef f) const {
  for (int i = 0; i < m_; ++i) {
    Vec3 F = w_.segment<3>(3 * i);
    if (kind_[i] == Kind::friction) F = project_on_cone(F, 1);
    if (kind_[i] == Kind::normal_only) F = Vec3(std::max(F[0], 0.0), 0, 0);
    f.segment<3>(3 * i) = F.cwiseProduct(T_.segment<3>(3 * i));
  }
}

}  // namespace palp
