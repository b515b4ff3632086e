#include "palp/math/block_symmetric.hpp"

#include <algorithm>

namespace palp {

void BlockSymmetric::multiply_add(ConstVecRef x, VecRef y) const {
  for (int j = 0; j < blocks(); ++j) {
    const Vec3 xj = x.segment<3>(3 * j);
    Vec3 sum = value[start[j]].selfadjointView<Eigen::Lower>() * xj;
    for (int k = start[j] + 1; k < start[j + 1]; ++k) {
      y.segment<3>(3 * row[k]).noalias() += value[k] * xj;
      sum.noalias() += value[k].transpose() * x.segment<3>(3 * row[k]);
    }
    y.segment<3>(3 * j) += sum;
  }
}

MatX BlockSymmetric::dense() const {
  MatX full = MatX::Zero(3 * blocks(), 3 * blocks());
  for (int j = 0; j < blocks(); ++j)
    for (int k = start[j]; k < start[j + 1]; ++k) {
      full.block<3, 3>(3 * row[k], 3 * j) = value[k];
      full.block<3, 3>(3 * j, 3 * row[k]) = value[k].transpose();
    }
  return full;
}

BlockSymmetric block_pattern(int blocks, std::span<const int> elements, int nodes_per_element) {
  std::vector<std::vector<int>> rows(blocks);
  for (int j = 0; j < blocks; ++j) rows[j].push_back(j);
  for (size_t e = 0; e + nodes_per_element <= elements.size(); e += nodes_per_element)
    for (int a = 0; a < nodes_per_element; ++a)
      for (int b = 0; b < nodes_per_element; ++b)
        if (elements[e + a] > elements[e + b]) rows[elements[e + b]].push_back(elements[e + a]);
  BlockSymmetric A;
  for (auto& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    A.row.insert(A.row.end(), column.begin(), column.end());
    A.start.push_back(static_cast<int>(A.row.size()));
  }
  A.value.assign(A.row.size(), Mat3::Zero());
  return A;
}

}  // namespace palp
