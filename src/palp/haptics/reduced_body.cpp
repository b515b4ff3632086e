#include "palp/haptics/reduced_body.hpp"

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

int other_body(const Contact& c, int number) { return c.id.body1 == number ? c.id.body2 : c.id.body1; }

double gap(const Contact& c) {
  return c.bilateral ? 0 : std::max(0.0, std::min(c.gap_start, c.delta_free[0]));
}

}  // namespace

// ------------------------------------------------------------------------------------------------- for the
// ticks

void ReducedBody::add_compliance(MatRef W) const {
  const int n = static_cast<int>(contact.size());
  MatX G = MatX::Zero(3 * n, 3 * n);
  if (motions() > 0) G.noalias() += B * S_Bt;
  if (C.size() > 0) G += theta * C;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      W.block<3, 3>(3 * contact[i], 3 * contact[j]) +=
          0.5 * (G.block<3, 3>(3 * i, 3 * j) + G.block<3, 3>(3 * j, 3 * i).transpose());
}

ReducedMotion::ReducedMotion(int motions, int contacts) {
  for (GrowingVector* v : {&q, &rate, &momentum, &q_free}) v->setZero(motions);
  for (GrowingVector* v : {&g, &change}) v->setZero(3 * contacts);
  work.setZero(std::max(motions, 3 * contacts));
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

/// out += C v. Few contacts bear forces: the columns of the others are left out.
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
  for (size_t i = 0; i < body.contact.size(); ++i)
    delta.segment<3>(3 * body.contact[i]) += work.segment<3>(3 * i);
}

void ReducedMotion::end_tick(const ReducedBody& body, double h, ConstVecRef f) {
  for (size_t i = 0; i < body.contact.size(); ++i)
    change.segment<3>(3 * i) = f.segment<3>(3 * body.contact[i]);
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
  for (size_t i = 0; i < body.contact.size(); ++i)
    delta.segment<3>(3 * body.contact[i]) += work.segment<3>(3 * i);
}

// --------------------------------------------------------------------------------------------------- the low
// rate

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

void Reduction::share_rows(int number, const BodyContacts& body_rows, std::span<const int> shared,
                           ReducedBody& out) {
  out.body = number;
  out.contact.clear();
  row_of.clear();
  rows = body_rows.H.points();
  for (int i = 0; i < rows; ++i)
    if (const int known = shared[body_rows.contact[i]]; known >= 0) {
      out.contact.push_back(known);
      row_of.push_back(i);
    }
  contact = out.contact;
}

void Reduction::make(const Body& body, int number, const BodyState& start, BodyWorkspace& ws,
                     const BodyContacts& body_rows, std::span<const Contact> contacts,
                     std::span<const int> shared, ConstVecRef f0, double h, ReducedBody& out) {
  const double H = ws.h;
  const int n = body.dof(), all = body_rows.H.points();
  share_rows(number, body_rows, shared, out);
  for (MatX* m : {&V, &MV, &DV, &AV})
    if (m->rows() != n) m->setZero(n, std::min(n, most_motions));
  for (VecX* v : {&c_, &mc_, &dc_, &ac_}) v->resize(n);
  motions = 0;

  const MatX rigid = body.rigid_motions(start);
  for (int j = 0; j < rigid.cols(); ++j) add(body, start, ws, rigid.col(j));
  if (motions < n) {
    add(body, start, ws, ws.dx_free);
    add(body, start, ws, start.v);
    // Touching bodies one by one: the answer to what they press with, then to pushes along the axes, mostly
    // at the closest contacts.
    std::vector<int> touching;
    for (int i = 0; i < all; ++i) touching.push_back(other_body(contacts[body_rows.contact[i]], number));
    std::vector<int> others = touching;
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    VecX answer(n), push(3 * all);
    const auto add_answer = [&] {
      if (push.isZero(0)) return;
      answer.setZero();
      body.response(body_rows.NH, push, ws, answer);
      add(body, start, ws, answer);
    };
    push = f0;
    add_answer();  // first: (1) and (2) are the low-rate step when h = H only with A⁻¹ Hᵀ f₀ in V
    for (int other : others) {
      double least = 1e300, most = 0;
      for (int i = 0; i < all; ++i)
        if (touching[i] == other) {
          least = std::min(least, gap(contacts[body_rows.contact[i]]));
          most = std::max(most, gap(contacts[body_rows.contact[i]]));
        }
      if (others.size() > 1) {
        for (int i = 0; i < all; ++i)
          push.segment<3>(3 * i) = touching[i] == other ? Vec3(f0.segment<3>(3 * i)) : Vec3(Vec3::Zero());
        add_answer();
      }
      for (int axis = 0; axis < 3; ++axis) {
        push.setZero();
        for (int i = 0; i < all; ++i) {
          if (touching[i] != other) continue;
          const Contact& c = contacts[body_rows.contact[i]];
          const double closeness = most > least ? 1 - (gap(c) - least) / (most - least) : 1;
          push.segment<3>(3 * i) =
              (c.id.body1 == number ? 1 : -1) * (0.01 + closeness * closeness) * c.frame.col(axis);
        }
        add_answer();
      }
    }
    // How these go on within the step: A⁻¹M of each, the next vectors of the Krylov space that they begin.
    // Where deformations die away in about a step they are not worth their cost.
    if (3 * all_.points() != n) {
      all_.clear();
      for (int block = 0; 3 * block < n; ++block) {
        all_.add(block, Mat3::Identity());
        all_.end_point();
      }
    }
    const int first = body.relaxation_s() <= 0.5 * H ? motions : 0;
    for (int j = static_cast<int>(rigid.cols()); j < first; ++j) {
      body.response(all_, MV.col(j), ws, answer);
      add(body, start, ws, answer);
    }
  }

  // The equation of motion in V, and the contacts' rows of it.
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
  for (int j = 0; j < k; ++j) apply_rows(body_rows.NH, V.col(j), B_.col(j));
  out.r = av.transpose() * ws.dx_free - out.p / H;
  for (int i = 0; i < all; ++i)  // forces that the ticks do not know act on
    if (shared[body_rows.contact[i]] < 0) out.r += B_.middleRows<3>(3 * i).transpose() * f0.segment<3>(3 * i);

  const int known = static_cast<int>(row_of.size());
  b = 1 + body.relaxation_s() / H;
  out.theta = 1 / (1 + body.relaxation_s() / h);
  out.B.resize(3 * known, k);
  out.f0.resize(3 * known);
  for (int i = 0; i < known; ++i) {
    out.B.middleRows<3>(3 * i) = B_.middleRows<3>(3 * row_of[i]);
    out.f0.segment<3>(3 * i) = f0.segment<3>(3 * row_of[i]);
  }
  out.S_Bt = out.S * out.B.transpose();
  if (k == n) {
    out.C.resize(0, 0);
    return;
  }
  out.C.resize(3 * known, 3 * known);
  for (int j = 0; j < known; ++j)
    for (int i = 0; i < known; ++i)
      out.C.block<3, 3>(3 * i, 3 * j) = b * body_rows.G.block<3, 3>(3 * row_of[i], 3 * row_of[j]);
  out.C.noalias() -= b * (out.B * out.B.transpose());
}

void Reduction::make_end(int number, const BodyContacts& body_rows, std::span<const int> shared,
                         ReducedBody& out) {
  share_rows(number, body_rows, shared, out);
  motions = 0;
  b = 1;
  const int known = static_cast<int>(row_of.size());
  for (GrowingVector* x : {&out.r, &out.p}) x->resize(0);
  for (GrowingMatrix* x : {&out.M, &out.K, &out.S}) x->resize(0, 0);
  out.B.resize(3 * known, 0);
  out.S_Bt.resize(0, 3 * known);
  out.f0.setZero(3 * known);
  out.theta = 1;
  out.C.resize(3 * known, 3 * known);
  for (int j = 0; j < known; ++j)
    for (int i = 0; i < known; ++i)
      out.C.block<3, 3>(3 * i, 3 * j) = body_rows.G.block<3, 3>(3 * row_of[i], 3 * row_of[j]);
}

void Reduction::lift(const Body& body, BodyWorkspace& ws, const BodyContacts& body_rows,
                     const ReducedMotion& motion, double elapsed, VecRef dx_c, VecX& v) {
  force_.setZero(3 * rows);
  for (size_t i = 0; i < row_of.size(); ++i)
    force_.segment<3>(3 * row_of[i]) = b * motion.g.segment<3>(3 * static_cast<int>(i));
  dx_c.setZero();
  const bool whole = motions == body.dof();
  if (!whole && !force_.isZero(0)) {
    body.response(body_rows.NH, force_, ws, dx_c);
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
