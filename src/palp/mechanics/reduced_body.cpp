#include "palp/mechanics/reduced_body.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace palp {
namespace {

/// N H x, three entries per row.
template <class Out>
void apply_rows(const PointJacobian& NH, ConstVecRef x, Out&& out) {
  for (int i = 0; i < NH.points(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (int k = NH.start[i]; k < NH.start[i + 1]; ++k)
      sum.noalias() += NH.block[k] * x.segment<3>(3 * NH.column[k]);
    out.template segment<3>(3 * i) = sum;
  }
}

}  // namespace

// The short steps.

void ReducedBody::add_compliance(MatRef W) const {
  const int n = static_cast<int>(row.size());
  MatX G = MatX::Zero(3 * n, 3 * n);
  if (motions() > 0) G.noalias() += B * S_Bt;
  if (C.size() > 0) G += theta * C;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      W.block<3, 3>(3 * row[i], 3 * row[j]) +=
          0.5 * (G.block<3, 3>(3 * i, 3 * j) + G.block<3, 3>(3 * j, 3 * i).transpose());
}

ReducedMotion::ReducedMotion(int motions, int rows) {
  for (GrowingVector* v : {&q, &rate, &momentum, &q_free}) v->setZero(motions);
  for (GrowingVector* v : {&g, &change}) v->setZero(3 * rows);
  work.setZero(std::max(motions, 3 * rows));
}

void ReducedMotion::begin(const ReducedBody& body) {
  const int k = body.motions();
  q.setZero(k);
  rate.setZero(k);
  q_free.setZero(k);
  momentum = body.p;
  g.setZero(body.f0.size());
  change.setZero(body.f0.size());
}

namespace {

/// out += C v. Few rows bear forces: the columns of the others are left out.
void add_product(const GrowingMatrix& C, const GrowingVector& v, GrowingVector& out) {
  for (Eigen::Index i = 0; i < v.size(); i += 3) {
    const Vec3 at = v.segment<3>(i);
    if (!at.isZero(0)) out.noalias() += C.middleCols<3>(i) * at;
  }
}

}  // namespace

void ReducedMotion::free_tick(const ReducedBody& body, double h, VecRef delta) {
  if (body.motions() > 0) {
    work.resize(body.motions());
    work = body.r;
    work.noalias() -= body.K * q;
    work += momentum / h;
    q_free = q;
    q_free.noalias() += body.S * work;
  }
  work.setZero(g.size());
  if (body.motions() > 0) work.noalias() += body.B * q_free;
  if (body.C.size() > 0 && body.motions() > 0) {
    change = (1 - body.theta) * g;
    change -= body.theta * body.f0;
    add_product(body.C, change, work);
  }
  for (size_t i = 0; i < body.row.size(); ++i) delta.segment<3>(3 * body.row[i]) += work.segment<3>(3 * i);
}

void ReducedMotion::end_tick(const ReducedBody& body, double h, ConstVecRef f) {
  for (size_t i = 0; i < body.row.size(); ++i) change.segment<3>(3 * i) = f.segment<3>(3 * body.row[i]);
  if (body.motions() > 0) q_free.noalias() += body.S_Bt * change;
  g *= 1 - body.theta;
  g += body.theta * (change - body.f0);
  if (body.motions() == 0) return;
  rate = (q_free - q) / h;
  q = q_free;
  momentum.noalias() = body.M * rate;
}

void ReducedMotion::displace(const ReducedBody& body, VecRef delta) {
  work.setZero(g.size());
  if (body.motions() > 0) work.noalias() += body.B * q;
  if (body.C.size() > 0) add_product(body.C, g, work);
  for (size_t i = 0; i < body.row.size(); ++i) delta.segment<3>(3 * body.row[i]) += work.segment<3>(3 * i);
}

// The long step.

/// One motion more, of length 1 and orthogonal to the others in the sense of A; none when they show it
/// already.
void Reduction::add(const Body& body, const BodyState& start, const BodyWorkspace& ws, ConstVecRef motion) {
  const int n = body.dof();
  if (motions == std::min(n, most_motions)) return;
  c_ = motion;
  const double size = c_.cwiseAbs().maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return;
  c_ /= size;
  body.apply_system(start, ws, c_, mc_, dc_, ac_);
  const double whole = std::sqrt(std::max(c_.dot(ac_), 0.0));
  double left = whole;
  for (int pass = 0; pass < 2; ++pass) {
    for (int j = 0; j < motions; ++j) {
      const double share = AV.col(j).dot(c_);
      c_ -= share * V.col(j);
      ac_ -= share * AV.col(j);
      mc_ -= share * MV.col(j);
      dc_ -= share * DV.col(j);
    }
    left = std::sqrt(std::max(c_.dot(ac_), 0.0));
    if (!(left > 1e-9 * whole)) return;
    if (pass == 0 && left < 1e-3 * whole)
      body.apply_system(start, ws, c_, mc_, dc_, ac_);  // rounding grew with it
  }
  V.col(motions) = c_ / left;
  AV.col(motions) = ac_ / left;
  MV.col(motions) = mc_ / left;
  DV.col(motions) = dc_ / left;
  ++motions;
}

void Reduction::choose_motions(const Body& body, const BodyState& start, BodyWorkspace& ws,
                               const ReducedLoads& loads) {
  const int n = body.dof();
  const MatX rigid = body.rigid_motions(start);
  for (int j = 0; j < rigid.cols(); ++j) add(body, start, ws, rigid.col(j));
  if (motions == n) return;
  add(body, start, ws, ws.dx_free);
  add(body, start, ws, start.v);
  VecX answer(n);
  const auto add_answer = [&](const PointJacobian& at, ConstVecRef push) {
    if (push.isZero(0)) return;
    answer.setZero();
    body.response(at, push, ws, answer);
    add(body, start, ws, answer);
  };
  add_answer(loads.rows, loads.f0);  // (1) and (2) are the long step when h = H only with A⁻¹ Hᵀ f₀ in V
  for (const VecX& push : loads.pushes) add_answer(loads.rows, push);
  // How these go on within the step: A⁻¹M of each, the next vectors of the Krylov space that they begin.
  // Where deformations die away in about a step they are not worth their cost.
  if (body.relaxation_s() > 0.5 * ws.h) return;
  if (3 * all_.points() != n) {
    all_.clear();
    for (int block = 0; 3 * block < n; ++block) {
      all_.add(block, Mat3::Identity());
      all_.end_point();
    }
  }
  for (int j = static_cast<int>(rigid.cols()), first = motions; j < first; ++j) add_answer(all_, MV.col(j));
}

void Reduction::make(const Body& body, int number, const BodyState& start, BodyWorkspace& ws,
                     const ReducedLoads& loads, bool in_motion, double h, ReducedBody& out) {
  const double H = ws.h, beta = in_motion ? body.relaxation_s() : 0;
  const int n = body.dof(), all = loads.rows.points();
  out.body = number;
  out.row.clear();
  row_of.clear();
  for (int i = 0; i < all; ++i)
    if (loads.known[i] >= 0) {
      out.row.push_back(loads.known[i]);
      row_of.push_back(i);
    }
  row = out.row;
  for (MatX* m : {&V, &MV, &DV, &AV})
    if (m->rows() != n) m->setZero(n, std::min(n, most_motions));
  for (VecX* v : {&c_, &mc_, &dc_, &ac_}) v->resize(n);
  motions = 0;
  if (in_motion) choose_motions(body, start, ws, loads);

  // The equation of motion in V, and the rows of it.
  const int k = motions;
  const auto v = V.leftCols(k), av = AV.leftCols(k), mv = MV.leftCols(k), dv = DV.leftCols(k);
  MatX M = v.transpose() * mv, D = v.transpose() * dv;
  M = (0.5 * (M + M.transpose())).eval();
  D = (0.5 * (D + D.transpose())).eval();
  const MatX K = MatX::Identity(k, k) - M / (H * H) - D / H;
  const Eigen::LLT<MatX> at_tick(M / (h * h) + D / h + K);
  out.M = M;
  out.K = K;
  out.S = at_tick.solve(MatX::Identity(k, k));
  out.p = mv.transpose() * start.v;
  B_.resize(3 * all, k);
  for (int j = 0; j < k; ++j) apply_rows(loads.rows, V.col(j), B_.col(j));
  out.r = av.transpose() * ws.dx_free - out.p / H;
  for (int i = 0; i < all; ++i)  // forces that the short steps do not know act on
    if (loads.known[i] < 0) out.r += B_.middleRows<3>(3 * i).transpose() * loads.f0.segment<3>(3 * i);

  const int known = static_cast<int>(row_of.size());
  b = 1 + beta / H;
  out.theta = 1 / (1 + beta / h);
  out.B.resize(3 * known, k);
  out.f0.setZero(3 * known);
  for (int i = 0; i < known; ++i) {
    out.B.middleRows<3>(3 * i) = B_.middleRows<3>(3 * row_of[i]);
    if (in_motion) out.f0.segment<3>(3 * i) = loads.f0.segment<3>(3 * row_of[i]);
  }
  out.S_Bt = out.S * out.B.transpose();
  if (k == n) {
    out.C.resize(0, 0);
    return;
  }
  out.C.resize(3 * known, 3 * known);
  for (int j = 0; j < known; ++j)
    for (int i = 0; i < known; ++i)
      out.C.block<3, 3>(3 * i, 3 * j) = b * loads.G.block<3, 3>(3 * row_of[i], 3 * row_of[j]);
  out.C.noalias() -= b * (out.B * out.B.transpose());
}

void Reduction::lift(const Body& body, BodyWorkspace& ws, const PointJacobian& rows,
                     const ReducedMotion& motion, double elapsed, VecRef dx_c, VecX& v) {
  force_.setZero(3 * rows.points());
  for (size_t i = 0; i < row_of.size(); ++i)
    force_.segment<3>(3 * row_of[i]) = b * motion.g.segment<3>(3 * static_cast<int>(i));
  dx_c.setZero();
  const bool whole = motions == body.dof();
  if (!whole && !force_.isZero(0)) {
    body.response(rows, force_, ws, dx_c);
    if (motions > 0) {
      c_.noalias() = B_.transpose() * force_;
      dx_c.noalias() -= V.leftCols(motions) * c_;
    }
  }
  if (motions == 0) return;
  v = dx_c / elapsed;
  v.noalias() += V.leftCols(motions) * motion.rate;
  dx_c.noalias() += V.leftCols(motions) * motion.q;
  dx_c -= ws.dx_free;
}

}  // namespace palp
