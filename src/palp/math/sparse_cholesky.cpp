#include "palp/math/sparse_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "palp/math/multifrontal.hpp"
#include "palp/math/projection.hpp"

namespace palp {

namespace {

// Orders tried by an analysis; the one with the cheapest factorisation is kept.
constexpr int kSeeds = 3;

template <class T>
struct Engine {
  Multifrontal<T> factor;
  Projection<T> projection;
  std::vector<T> x;  // a vector by places

  void prepare(const Symbolic& symbolic) {
    factor.prepare(symbolic);
    x.assign(3 * symbolic.nodes(), 0);
  }
  // out = (L Lᵀ)⁻¹ in
  void apply(const VecX& in, VecX& out) {
    const Symbolic& S = factor.symbolic();
    for (int k = 0; k < S.nodes(); ++k)
      for (int a = 0; a < 3; ++a) x[3 * k + a] = static_cast<T>(in[3 * S.order[k] + a]);
    factor.forward(std::span(x));
    factor.backward(std::span(x));
    for (int k = 0; k < S.nodes(); ++k)
      for (int a = 0; a < 3; ++a) out[3 * S.order[k] + a] = x[3 * k + a];
  }
};

}  // namespace

struct SparseCholesky::Impl {
  NodeGraph graph;
  BlockSymmetric A;  // pattern of the analysis; values only in single precision, for the refinement
  Symbolic plain;    // best order without constraint
  Symbolic current;  // the one in use
  bool single = false, last_last = false;
  Engine<double> in_double;  // unless `single`
  Engine<float> in_single;   // when `single`
  VecX r, z, p, Ap, x;       // dof each: of the refinement; r and z also of a plain solve

  // Conjugate gradients preconditioned by the single precision factor: a few rounds reach double precision.
  void refined_solve(VecRef b) {
    constexpr int kMostRounds = 40;
    constexpr double kTolerance = 1e-15;  // of the error's energy norm, relative
    r = b;
    in_single.apply(r, z);
    p = z;
    x.setZero();
    double rz = r.dot(z);
    if (!std::isfinite(rz)) {  // say so instead of returning the zero start
      b.setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const double enough = kTolerance * kTolerance * rz;
    for (int round = 0; round < kMostRounds && rz > enough; ++round) {
      Ap.setZero();
      A.multiply_add(p, Ap);
      const double alpha = rz / p.dot(Ap);
      x += alpha * p;
      r -= alpha * Ap;
      in_single.apply(r, z);
      const double next = r.dot(z);
      p = z + (next / rz) * p;
      rz = next;
    }
    b = x;
  }
};

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyze(const BlockSymmetric& pattern, std::span<const int> last,
                             const CholeskyOptions& options) {
  Impl& I = *impl_;
  if (pattern.start != I.A.start || pattern.row != I.A.row) {
    I.A = pattern;
    I.graph = node_graph(pattern);
    I.plain = analyze_order(pattern, I.graph, amd_order(I.graph));
    for (int seed = 1; seed <= kSeeds; ++seed) {
      Symbolic other = analyze_order(pattern, I.graph, nested_dissection_order(I.graph, seed));
      if (other.factor_cost < I.plain.factor_cost) I.plain = std::move(other);
    }
  }
  I.last_last = false;
  I.current = I.plain;
  if (!last.empty() && options.order != CholeskyOptions::Order::plain) {
    std::vector<int> distinct(last.begin(), last.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    Symbolic moved = analyze_order(pattern, I.graph, with_last(I.plain.order, distinct));
    const auto cost = [&](const Symbolic& s) { return s.factor_cost + s.projection_cost(distinct); };
    if (options.order == CholeskyOptions::Order::last_last || cost(moved) < cost(I.plain)) {
      I.current = std::move(moved);
      I.last_last = true;
    }
  }
  I.single = options.precision == CholeskyOptions::Precision::single;
  I.in_double = {};
  I.in_single = {};
  if (I.single)
    I.in_single.prepare(I.current);
  else
    I.in_double.prepare(I.current);
  for (VecX* v : {&I.r, &I.z, &I.p, &I.Ap, &I.x}) v->setZero(3 * I.current.nodes());
}

bool SparseCholesky::factor(const BlockSymmetric& A) {
  Impl& I = *impl_;
  if (!I.single) return I.in_double.factor.factor(A);
  std::copy(A.value.begin(), A.value.end(), I.A.value.begin());
  return I.in_single.factor.factor(A);
}

void SparseCholesky::solve(VecRef b) const {
  Impl& I = *impl_;
  if (I.single) return I.refined_solve(b);
  I.r = b;
  I.in_double.apply(I.r, I.z);
  b = I.z;
}

void SparseCholesky::solve(const PointJacobian& H, MatX& X) const {
  Impl& I = *impl_;
  if (!I.single) return I.in_double.projection.columns(I.in_double.factor, H, X);
  if (X.rows() != 3 * I.current.nodes() || X.cols() < 3 * H.points())
    X.resize(3 * I.current.nodes(), 3 * H.points());
  X.leftCols(3 * H.points()).setZero();
  for (int i = 0; i < H.points(); ++i)
    for (int c = 0; c < 3; ++c) {
      for (int k = H.start[i]; k < H.start[i + 1]; ++k)
        X.col(3 * i + c).segment<3>(3 * H.column[k]) += H.block[k].row(c).transpose();
      I.refined_solve(X.col(3 * i + c));
    }
}

void SparseCholesky::project(const PointJacobian& H, MatRef G) const {
  Impl& I = *impl_;
  if (I.single)
    I.in_single.projection.add(I.in_single.factor, H, G);
  else
    I.in_double.projection.add(I.in_double.factor, H, G);
}

CholeskyStatistics SparseCholesky::statistics() const {
  return {static_cast<int>(impl_->current.supernodes.size()), impl_->current.factor_flops,
          impl_->current.factor_blocks, impl_->last_last};
}

}  // namespace palp
