#include "palp/solvers/problem.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseCholesky>

namespace palp {
namespace {

/// Largest contact problem that is accepted: a guard against nonsense, far above anything solvable.
constexpr int max_contacts = 1'000'000;
constexpr int max_dense_contacts = 3000;  // 650 MB

Result<void> check_sizes(const Problem& p) {
  const auto n = p.delta_free.size();
  const auto say = [](const std::string& what, auto got, auto expected) {
    return Error{
        .message = what + " has " + std::to_string(got) + " entries where " + std::to_string(expected) +
                   " are expected",
        .remedy = "three rows per contact in the order n, t1, t2; one friction coefficient per contact"};
  };
  if (n % 3 != 0) return say("delta_free (q)", n, 3 * (n / 3 + 1));
  const int m = p.contacts();
  if (p.mu.size() != m) return say("mu", p.mu.size(), m);
  if (!p.kind.empty() && static_cast<int>(p.kind.size()) != m) return say("kind", p.kind.size(), m);
  if (p.W.is_dense) {
    if (p.W.dense.rows() != n || p.W.dense.cols() != n) return say("W", p.W.dense.size(), n * n);
    return {};
  }
  const BlockSparse& S = p.W.sparse;
  if (static_cast<int>(S.start.size()) != m + 1) return say("W.start", S.start.size(), m + 1);
  if (S.start.front() != 0 || S.start.back() != static_cast<int>(S.column.size()) ||
      !std::is_sorted(S.start.begin(), S.start.end()) || S.column.size() != S.value.size())
    return Error{.message = "the block rows of W do not fit together"};
  for (int column : S.column)
    if (column < 0 || column >= m) return Error{.message = "W has a block outside its columns"};
  return {};
}

Result<void> check_numbers(const Problem& p) {
  for (int i = 0; i < p.contacts(); ++i) {
    const std::string where = " of contact " + std::to_string(i);
    if (!p.delta_free.segment<3>(3 * i).allFinite())
      return Error{.message = "delta_free (q)" + where + " is not finite"};
    if (p.bilateral(i)) continue;
    if (!std::isfinite(p.mu[i])) return Error{.message = "mu" + where + " is not finite"};
    if (p.mu[i] < 0)
      return Error{.message = "mu" + where + " is negative", .remedy = "friction coefficients are ≥ 0"};
  }
  bool finite = true;
  if (p.W.is_dense)
    finite = p.W.dense.allFinite();
  else
    for (const Mat3& block : p.W.sparse.value) finite = finite && block.allFinite();
  if (!finite) return Error{.message = "W holds values that are not finite"};
  return {};
}

Eigen::SparseMatrix<double> scalar_sparse(const Delassus& W) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * W.sparse.value.size());
  for_each_entry(W, [&](int i, int j, double v) { entries.emplace_back(i, j, v); });
  Eigen::SparseMatrix<double> A(3 * W.contacts(), 3 * W.contacts());
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

double largest_entry(const Eigen::SparseMatrix<double>& A) {
  double largest = 0;
  for (int k = 0; k < A.nonZeros(); ++k) largest = std::max(largest, std::abs(A.valuePtr()[k]));
  return largest;
}

}  // namespace

Result<Delassus> delassus_from_entries(int contacts, std::span<const int> i, std::span<const int> j,
                                       std::span<const double> v) {
  if (contacts < 0 || contacts > max_contacts)
    return Error{.message = std::to_string(contacts) + " contacts are out of range"};
  if (i.size() != v.size() || j.size() != v.size())
    return Error{.message = "W has " + std::to_string(i.size()) + " row indices, " +
                            std::to_string(j.size()) + " column indices and " + std::to_string(v.size()) +
                            " values",
                 .remedy = "give one row and one column index per value"};
  const int n = 3 * contacts;
  std::vector<std::vector<int>> columns(contacts);  // per block row
  for (size_t k = 0; k < v.size(); ++k) {
    if (i[k] < 0 || i[k] >= n || j[k] < 0 || j[k] >= n)
      return Error{.message = "entry " + std::to_string(k) + " of W lies at (" + std::to_string(i[k]) + ", " +
                              std::to_string(j[k]) + "), outside its " + std::to_string(n) + " rows",
                   .remedy = "indices start at 0"};
    auto& row = columns[i[k] / 3];
    if (row.empty() || row.back() != j[k] / 3) row.push_back(j[k] / 3);
  }
  size_t blocks = 0;
  for (auto& row : columns) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    blocks += row.size();
  }
  Delassus W;
  W.is_dense = contacts <= max_dense_contacts && 4.0 * blocks >= static_cast<double>(contacts) * contacts;
  if (W.is_dense) {
    W.dense = MatX::Zero(n, n);
    for (size_t k = 0; k < v.size(); ++k) W.dense(i[k], j[k]) += v[k];
    return W;
  }
  for (auto& row : columns) {
    W.sparse.column.insert(W.sparse.column.end(), row.begin(), row.end());
    W.sparse.start.push_back(static_cast<int>(W.sparse.column.size()));
  }
  W.sparse.value.assign(blocks, Mat3::Zero());
  for (size_t k = 0; k < v.size(); ++k) {
    const auto begin = W.sparse.column.begin() + W.sparse.start[i[k] / 3];
    const auto end = W.sparse.column.begin() + W.sparse.start[i[k] / 3 + 1];
    const auto at = std::lower_bound(begin, end, j[k] / 3) - W.sparse.column.begin();
    W.sparse.value[at](i[k] % 3, j[k] % 3) += v[k];
  }
  return W;
}

void multiply(const Problem& p, ConstVecRef f, VecRef delta) {
  delta = p.delta_free;
  if (p.W.is_dense) {
    delta.noalias() += p.W.dense * f;
    return;
  }
  const BlockSparse& S = p.W.sparse;
  for (int i = 0; i < p.contacts(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (int k = S.start[i]; k < S.start[i + 1]; ++k) sum += S.value[k] * f.segment<3>(3 * S.column[k]);
    delta.segment<3>(3 * i) += sum;
  }
}

Problem scaled(const Problem& problem, double compliance, double length) {
  Problem p = problem;
  p.W.dense *= compliance;
  for (Mat3& block : p.W.sparse.value) block *= compliance;
  p.delta_free *= length;
  return p;
}

Result<ProblemInfo> validate(const Problem& p) {
  if (auto ok = check_sizes(p); !ok) return ok.error();
  if (auto ok = check_numbers(p); !ok) return ok.error();
  ProblemInfo info;
  if (p.contacts() == 0) return info;

  const Error indefinite{
      .message = "W is indefinite: a force would do work against its own motion",
      .remedy = "W = H A⁻¹ Hᵀ must be symmetric positive semi-definite; check signs and frames"};
  // Negative eigenvalues up to the size of the asymmetry, or of single-precision rounding (exchanged problems
  // are often written with seven digits), are noise and not a property of the bodies.
  constexpr double rounding = 1e-6;
  const auto too_asymmetric = [&info]() -> Error {
    return {.message = "W is asymmetric by " + std::to_string(100 * info.asymmetry) + " %",
            .remedy = "at most 1 % is accepted; check that the same H is used on both sides"};
  };
  if (p.W.is_dense) {
    const double size = p.W.dense.cwiseAbs().maxCoeff();
    if (size == 0) return info;
    info.asymmetry = (p.W.dense - p.W.dense.transpose()).cwiseAbs().maxCoeff() / size;
    if (info.asymmetry > 0.01) return too_asymmetric();
    MatX S = (p.W.dense + p.W.dense.transpose()) * (0.5 / size);
    const double norm = S.cwiseAbs().rowwise().sum().maxCoeff();
    S.diagonal().array() += std::max(rounding, info.asymmetry) * norm;
    if (Eigen::LLT<Eigen::Ref<MatX>>(S).info() != Eigen::Success) return indefinite;
    return info;
  }
  const Eigen::SparseMatrix<double> W = scalar_sparse(p.W), Wt = W.transpose();
  const double size = largest_entry(W);
  if (size == 0) return info;
  info.asymmetry = largest_entry(W - Wt) / size;
  if (info.asymmetry > 0.01) return too_asymmetric();
  Eigen::SparseMatrix<double> S = (W + Wt) * (0.5 / size);
  double norm = 0;
  for (int c = 0; c < S.outerSize(); ++c) norm = std::max(norm, S.col(c).cwiseAbs().sum());
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt;
  llt.setShift(std::max(rounding, info.asymmetry) * norm);
  llt.compute(S);
  if (llt.info() != Eigen::Success) return indefinite;
  return info;
}

}  // namespace palp
