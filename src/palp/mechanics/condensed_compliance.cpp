#include "palp/mechanics/condensed_compliance.hpp"

#include <algorithm>

namespace palp {
void CondensedCompliance::set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes) {
  blocks_ = blocks;
  nodes_.assign(nodes.begin(), nodes.end());
  surface_.assign(blocks, -1);
  const size_t s = nodes_.size();
  for (size_t a = 0; a < s; ++a) surface_[nodes_[a]] = static_cast<int>(a);
  const size_t held = s == 0 ? 0 : std::min(s, memory_bound_bytes / (s * sizeof(Mat3)));
  slot_.assign(s, -1);
  local_.assign(s, -1);
  owner_.assign(held, -1);
  work_.resize(3 * blocks);
  reset();
}

void CondensedCompliance::reset() {
  std::fill(slot_.begin(), slot_.end(), -1);
  std::fill(owner_.begin(), owner_.end(), -1);
  gathered_.clear();
  columns_.reset();  // allocated on first use
}

void CondensedCompliance::fill(const MatX& C) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  columns_ = std::make_shared<std::vector<Mat3>>(static_cast<size_t>(s) * s);
  for (int b = 0; b < s; ++b) {
    slot_[b] = owner_[b] = b;
    for (int a = 0; a < s; ++a) (*columns_)[static_cast<size_t>(b) * s + a] = C.block<3, 3>(3 * a, 3 * b);
  }
}

bool CondensedCompliance::condense(const BlockSymmetric& A) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  if (s == 0 || !fits()) return true;
  SparseCholesky surface_last;
  surface_last.analyze(A, nodes_);
  if (!surface_last.factor(A)) return false;
  PointJacobian each;
  for (int node : nodes_) {
    each.add(node, Mat3::Identity());
    each.end_point();
  }
  MatX C = MatX::Zero(3 * s, 3 * s);
  surface_last.project(each, C);
  if (!C.allFinite()) return false;
  fill(C);
  return true;
}

bool CondensedCompliance::find_touched(const PointJacobian& H, int frame_blocks) {
  touched_.clear();
  entry_.resize(H.column.size());
  reach_.resize(H.points());
  bool known = true;
  for (int j = 0; j < H.points() && known; ++j) {
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
      if (H.column[k] >= blocks_) {
        entry_[k] = H.column[k] - blocks_;
        known = known && entry_[k] < frame_blocks;
        continue;
      }
      const int a = surface_[H.column[k]];
      if (a < 0) {
        known = false;
        break;
      }
      if (local_[a] < 0) {
        local_[a] = static_cast<int>(touched_.size());
        touched_.push_back(a);
      }
      entry_[k] = frame_blocks + local_[a];
    }
    reach_[j] = frame_blocks + static_cast<int>(touched_.size());
  }
  for (int a : touched_) local_[a] = -1;
  return known;
}

bool CondensedCompliance::find_columns(const Solve& solve) {
  const size_t s = nodes_.size();
  if (touched_.size() > owner_.size()) return false;
  if (!columns_) columns_ = std::make_shared<std::vector<Mat3>>(owner_.size() * s);
  size_t next = 0, unused = 0;
  for (int b : touched_) local_[b] = 0;  // these must not be thrown out
  for (int b : touched_) {
    if (slot_[b] >= 0) continue;
    while (unused < owner_.size() && owner_[unused] >= 0) ++unused;
    while (owner_[next] >= 0 && local_[owner_[next]] == 0) ++next;
    const size_t place = unused < owner_.size() ? unused : next;  // throw out only when all are in use
    if (owner_[place] >= 0) slot_[owner_[place]] = -1;
    owner_[place] = b;
    slot_[b] = static_cast<int>(place);
    for (int c = 0; c < 3; ++c) {
      work_.setZero();
      work_[3 * nodes_[b] + c] = 1;
      solve(work_);
      for (size_t a = 0; a < s; ++a) (*columns_)[place * s + a].col(c) = work_.segment<3>(3 * nodes_[a]);
    }
  }
  for (int b : touched_) local_[b] = -1;
  return true;
}

void CondensedCompliance::gather() {
  const size_t t = touched_.size(), s = nodes_.size();
  C_tt_.resize(9 * t * t);
  double* to = C_tt_.data();
  for (int b : touched_) {
    const Mat3* column = columns_->data() + slot_[b] * s;
    for (int a : touched_) to = std::copy_n(column[a].data(), 9, to);
  }
  gathered_ = touched_;
}

bool CondensedCompliance::project(const Solve& solve, const PointJacobian& H, MatRef G,
                                  const CarryingFrame* frame) {
  if (!find_touched(H, frame ? 2 : 0)) return false;
  if (touched_ != gathered_) {
    if (!find_columns(solve)) return false;
    gather();
  }
  CondensedMatrix C{.C = C_tt_.data(), .nodes = static_cast<int>(touched_.size())};
  if (frame) {
    C.frame = &frame->inverse;
    C.R = frame->R;
    C.scale = frame->scale;
  }
  product_.add(H, entry_, reach_, C, G);
  return true;
}

}  // namespace palp
