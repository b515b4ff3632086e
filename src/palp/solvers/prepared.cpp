#include "palp/solvers/prepared.hpp"

#include <utility>

namespace palp {

Result<void> Prepared::set(const Problem& p) {
  const int contacts = p.contacts();
  if (p.delta_free.size() != 3 * contacts || p.mu.size() != contacts || p.W.contacts() != contacts ||
      (p.W.is_dense && (p.W.dense.rows() != 3 * contacts || p.W.dense.cols() != 3 * contacts)) ||
      (!p.kind.empty() && static_cast<int>(p.kind.size()) != contacts))
    return Error{.message = "the sizes of W, delta_free, mu and kind do not fit together",
                 .remedy = "three rows per contact, one mu and one kind per contact"};
  problem = &p;
  m = contacts;
  delta_free.resize(3 * m);
  delta_free = p.delta_free;
  diagonal.resize(m);
  rho.resize(m);
  for (int i = 0; i < m; ++i) {
    diagonal[i] = diagonal_block(p.W, i);
    rho[i] = contact_rho(diagonal[i]);
  }
  if (p.W.is_dense) return {};

  const BlockSparse& S = p.W.sparse;  // transpose the pattern: rows → columns
  column_start.assign(m + 1, 0);
  column_row.resize(S.column.size());
  column_block.resize(S.column.size());
  for (int j : S.column) ++column_start[j + 1];
  for (int j = 0; j < m; ++j) column_start[j + 1] += column_start[j];
  for (int i = 0; i < m; ++i)
    for (int k = S.start[i]; k < S.start[i + 1]; ++k) {
      const int at = column_start[S.column[k]]++;
      column_row[at] = i;
      column_block[at] = S.value[k];
    }
  for (int j = m; j > 0; --j) column_start[j] = column_start[j - 1];
  column_start[0] = 0;
  return {};
}

void Prepared::residual(ConstVecRef f, VecRef delta) const {
  if (!dense()) {
    multiply_by_rows(f.data(), delta.data());
    delta += delta_free;
    return;
  }
  const auto& W = problem->W.dense;
  delta = delta_free;
  int waiting = -1;  // columns of two contacts at a time: half the traffic of δ
  for (int i = 0; i < m; ++i) {
    const Vec3 f_i = f.segment<3>(3 * i);
    if (f_i == Vec3::Zero()) continue;
    if (waiting < 0) {
      waiting = i;
      continue;
    }
    const int j = std::exchange(waiting, -1);
    delta.noalias() += f_i[0] * W.col(3 * i) + f_i[1] * W.col(3 * i + 1) + f_i[2] * W.col(3 * i + 2) +
                       f[3 * j] * W.col(3 * j) + f[3 * j + 1] * W.col(3 * j + 1) +
                       f[3 * j + 2] * W.col(3 * j + 2);
  }
  if (waiting >= 0) add_column(waiting, f.segment<3>(3 * waiting), delta);
}

void Prepared::multiply_by_rows(const double* f, double* out) const {
  // Columns of blocks, four numbers at a time; the third from one before it, so as to stay within the block.
  typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
  const auto four = [](const double* p) { return *reinterpret_cast<const Four*>(p); };
  const BlockSparse& S = problem->W.sparse;
  for (int i = 0; i < m; ++i) {
    Four by_n{}, by_1{}, by_2{};
    for (int k = S.start[i]; k < S.start[i + 1]; ++k) {
      const double *W = S.value[k].data(), *f_j = f + 3 * S.column[k];
      by_n += f_j[0] * four(W);
      by_1 += f_j[1] * four(W + 3);
      by_2 += f_j[2] * four(W + 5);
    }
    by_n += by_1;
    for (int r = 0; r < 3; ++r) out[3 * i + r] = by_n[r] + by_2[r + 1];
  }
}

}  // namespace palp
