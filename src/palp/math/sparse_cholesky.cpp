#include "palp/math/sparse_cholesky.hpp"

#include <algorithm>
#include <numeric>

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
};

}  // namespace

struct SparseCholesky::Impl {
  NodeGraph graph;
  std::vector<int> pattern_start, pattern_row;
  Symbolic plain;    // best order without constraint
  Symbolic current;  // the one in use
  CholeskyOptions options;
  bool last_last = false;
  Engine<double> full;

  void solve(Engine<double>& e, VecRef b) const {
    const int n = current.nodes();
    for (int k = 0; k < n; ++k)
      for (int a = 0; a < 3; ++a) e.x[3 * k + a] = b[3 * current.order[k] + a];
    e.factor.forward(std::span(e.x));
    e.factor.backward(std::span(e.x));
    for (int k = 0; k < n; ++k)
      for (int a = 0; a < 3; ++a) b[3 * current.order[k] + a] = e.x[3 * k + a];
  }
};

SparseCholesky::SparseCholesky() : impl_(std::make_unique<Impl>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::analyze(const BlockSymmetric& pattern, std::span<const int> last,
                             const CholeskyOptions& options) {
  Impl& I = *impl_;
  I.options = options;
  if (pattern.start != I.pattern_start || pattern.row != I.pattern_row) {
    I.pattern_start = pattern.start;
    I.pattern_row = pattern.row;
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
  I.full.factor.prepare(I.current);
  I.full.x.assign(3 * I.current.nodes(), 0);
}

bool SparseCholesky::factor(const BlockSymmetric& A) { return impl_->full.factor.factor(A); }

void SparseCholesky::solve(VecRef b) const { impl_->solve(impl_->full, b); }

void SparseCholesky::project(const PointJacobian& H, MatRef G) const {
  impl_->full.projection.add(impl_->full.factor, H, G);
}

CholeskyStatistics SparseCholesky::statistics() const {
  return {static_cast<int>(impl_->current.supernodes.size()), impl_->current.factor_flops,
          impl_->current.factor_blocks, impl_->last_last};
}

}  // namespace palp
