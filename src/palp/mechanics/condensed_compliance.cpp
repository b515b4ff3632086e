#include "palp/mechanics/condensed_compliance.hpp"

#include <algorithm>

namespace palp {
namespace {

constexpr size_t kBatch = 32;        // units solved for at a time
constexpr size_t kOnDemand = 4;      // memory for columns on demand, in bounds of a complete C
constexpr double kMostFlops = 1e11;  // for columns before they are needed: some seconds

}  // namespace

void CondensedCompliance::set_up(int blocks, std::span<const int> nodes, size_t memory_bound_bytes,
                                 std::span<const int> held_blocks) {
  by_vertex_ = false;
  units_.clear();
  unit_.assign(blocks, unknown);
  for (int block : held_blocks) unit_[block] = held;
  for (int node : nodes) {
    unit_[node] = units_.points();
    units_.add(node, Mat3::Identity());
    units_.end_point();
  }
  set_up_units(memory_bound_bytes);
}

void CondensedCompliance::set_up(PointJacobian vertices, size_t memory_bound_bytes) {
  by_vertex_ = true;
  units_ = std::move(vertices);
  set_up_units(memory_bound_bytes);
}

void CondensedCompliance::set_up_units(size_t memory_bound_bytes) {
  const size_t s = units_.points(), column = s * sizeof(Mat3);
  fits_ = s * column <= memory_bound_bytes;
  slot_.assign(s, -1);
  local_.assign(s, -1);
  owner_.assign(s == 0 ? 0 : std::min(s, kOnDemand * memory_bound_bytes / column), -1);
  reset();
}

void CondensedCompliance::reset() {
  std::fill(slot_.begin(), slot_.end(), -1);
  std::fill(owner_.begin(), owner_.end(), -1);
  columns_.reset();  // allocated on first use
}

void CondensedCompliance::fill(const MatX& C) {
  reset();
  const int s = units_.points();
  columns_ = std::make_shared<std::vector<Mat3>>(static_cast<size_t>(s) * s + 1);
  for (int b = 0; b < s; ++b) {
    slot_[b] = owner_[b] = b;
    for (int a = 0; a < s; ++a) (*columns_)[static_cast<size_t>(b) * s + a] = C.block<3, 3>(3 * a, 3 * b);
  }
}

bool CondensedCompliance::condense(const BlockSymmetric& A) {
  reset();
  const int s = units_.points();
  if (s == 0 || !fits()) return true;
  SparseCholesky surface_last;
  surface_last.analyze(A, units_.column);
  if (!surface_last.factor(A)) return false;
  MatX C = MatX::Zero(3 * s, 3 * s);
  surface_last.project(units_, C);
  if (!C.allFinite()) return false;
  fill(C);
  return true;
}

/// by_units_ = H with one entry per vertex: weights of a vertex add up to one, so its blocks add up to what
/// its displacement is multiplied by.
bool CondensedCompliance::gather_vertices(const PointJacobian& H, int frame_blocks) {
  by_units_.clear();
  if (H.vertex.size() != H.column.size()) return H.column.empty();
  for (int j = 0; j < H.points(); ++j) {
    int open = -1;  // the vertex whose entries are being added up
    for (int k = H.start[j]; k < H.start[j + 1]; ++k) {
      if (H.column[k] < frame_blocks) {
        by_units_.add(H.column[k], H.block[k]);
        open = -1;
      } else if (H.vertex[k] < 0) {
        return false;
      } else if (H.vertex[k] == open) {
        by_units_.block.back() += H.block[k];
      } else {
        open = H.vertex[k];
        by_units_.add(frame_blocks + open, H.block[k]);
      }
    }
    by_units_.end_point();
  }
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
      const int block = H.column[k] - frame_blocks, a = by_vertex_ ? block : unit_[block];
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

void CondensedCompliance::make_columns(const Solve& solve, double flops) {
  if (room() < size() || static_cast<double>(size()) * flops > kMostFlops) return;
  touched_.clear();
  for (size_t a = 0; a < size(); ++a) touched_.push_back(static_cast<int>(a));
  find_columns(solve);
}

bool CondensedCompliance::find_columns(const Solve& solve) {
  if (touched_.size() > room()) return false;
  if (!columns_) columns_ = std::make_shared<std::vector<Mat3>>(1);
  missing_.clear();
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
    missing_.push_back(b);
  }
  for (int b : touched_) local_[b] = -1;
  for (size_t begin = 0; begin < missing_.size(); begin += kBatch)
    compute_columns(solve, std::span(missing_).subspan(begin, std::min(kBatch, missing_.size() - begin)));
  return true;
}

void CondensedCompliance::compute_columns(const Solve& solve, std::span<const int> units) {
  loads_.clear();
  size_t columns = 0;
  for (int b : units) {
    for (int k = units_.start[b]; k < units_.start[b + 1]; ++k) loads_.add(units_.column[k], units_.block[k]);
    loads_.end_point();
    columns = std::max(columns, static_cast<size_t>(slot_[b]) + 1);
  }
  solve(loads_, response_);
  const size_t s = size();
  if (columns_->size() < columns * s + 1)  // grows in leaps: memory follows what is touched
    columns_->resize(std::min(room(), std::max(columns, 2 * (columns_->size() / s))) * s + 1);
  for (size_t i = 0; i < units.size(); ++i) {
    Mat3* C = columns_->data() + slot_[units[i]] * s;
    for (size_t a = 0; a < s; ++a) {
      C[a].setZero();
      for (int k = units_.start[a]; k < units_.start[a + 1]; ++k)
        C[a] += units_.block[k] * response_.block<3, 3>(3 * units_.column[k], 3 * static_cast<int>(i));
    }
  }
}

bool CondensedCompliance::project(const Solve& solve, const PointJacobian& H, MatRef G,
                                  const CarryingFrame* frame) {
  const int frame_blocks = frame ? 2 : 0;
  if (by_vertex_ && !gather_vertices(H, frame_blocks)) return false;
  const PointJacobian& rows = by_vertex_ ? by_units_ : H;
  if (!find_touched(rows, frame_blocks) || !find_columns(solve)) return false;
  row_.clear();
  column_.clear();
  for (int a : touched_) {
    row_.push_back(9L * a);
    column_.push_back(9L * slot_[a] * static_cast<long>(size()));
  }
  CondensedMatrix C{.C = columns_->data()->data(), .row = row_, .column = column_};
  if (frame) {
    C.frame = &frame->inverse;
    C.R = frame->R;
    C.scale = frame->scale;
  }
  product_.add(rows, entry_, reach_, C, G);
  return true;
}

}  // namespace palp
