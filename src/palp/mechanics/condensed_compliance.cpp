#include "palp/mechanics/condensed_compliance.hpp"

#include <algorithm>

namespace palp {
void CondensedCompliance::set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes,
                                 std::span<const int> held_blocks) {
  blocks_ = blocks;
  nodes_.assign(nodes.begin(), nodes.end());
  surface_.assign(blocks, unknown);
  for (int block : held_blocks) surface_[block] = held;
  const size_t s = nodes_.size();
  for (size_t a = 0; a < s; ++a) surface_[nodes_[a]] = static_cast<int>(a);
  const size_t room = s == 0 ? 0 : std::min(s, memory_bound_bytes / (s * sizeof(Mat3)));
  slot_.assign(s, -1);
  local_.assign(s, -1);
  owner_.assign(room, -1);
  work_.resize(3 * blocks);
  reset();
}

void CondensedCompliance::reset() {
  std::fill(slot_.begin(), slot_.end(), -1);
  std::fill(owner_.begin(), owner_.end(), -1);
  columns_.reset();  // allocated on first use
}

void CondensedCompliance::fill(const MatX& C) {
  reset();
  const int s = static_cast<int>(nodes_.size());
  columns_ = std::make_shared<std::vector<Mat3>>(static_cast<size_t>(s) * s + 1);
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
      if (H.column[k] < frame_blocks) {
        entry_[k] = H.column[k];
        continue;
      }
      const int a = surface_[H.column[k] - frame_blocks];
      if (a < 0) {
        entry_[k] = -1;
        known = known && a == held;
        continue;
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
  if (!columns_) columns_ = std::make_shared<std::vector<Mat3>>(owner_.size() * s + 1);
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

bool CondensedCompliance::project(const Solve& solve, const PointJacobian& H, MatRef G,
                                  const CarryingFrame* frame) {
  if (!find_touched(H, frame ? 2 : 0)) return false;
  if (!find_columns(solve)) return false;
  row_.clear();
  column_.clear();
  for (int a : touched_) {
    row_.push_back(9L * a);
    column_.push_back(9L * slot_[a] * static_cast<long>(nodes_.size()));
  }
  CondensedMatrix C{.C = columns_->data()->data(), .row = row_, .column = column_};
  if (frame) {
    C.frame = &frame->inverse;
    C.R = frame->R;
    C.scale = frame->scale;
  }
  product_.add(H, entry_, reach_, C, G);
  return true;
}

}  // namespace palp
