// The contact problem that a tick has just solved, where the high rate keeps it.
#pragma once
#include "palp/haptics/tick.hpp"
#include "palp/haptics/tick_record.hpp"

namespace palp {

/// Empty before the first snapshot. Valid until the next tick.
inline ContactView tick_contacts(const Snapshot& snapshot, const HighRate& high) {
  const auto size = static_cast<std::size_t>(3 * snapshot.contacts.size());
  const auto& W = snapshot.problem.W.dense;
  ContactView view;
  if (size == 0 || static_cast<std::size_t>(high.lambda.size()) < size ||
      static_cast<std::size_t>(snapshot.problem.delta_free.size()) < size)
    return view;
  view.contacts = static_cast<int>(snapshot.contacts.size());
  view.delta_free = {snapshot.problem.delta_free.data(), size};
  view.lambda = {high.lambda.data(), size};
  if (static_cast<std::size_t>(W.cols()) >= size) {
    view.W = {W.data(), static_cast<std::size_t>(W.size())};
    view.W_stride = static_cast<int>(W.outerStride());
  }
  return view;
}

/// What the report says, without devices: the caller adds those.
inline void fill(const TickReport& r, double h_s, TickRecord& t) {
  t.sequence = static_cast<std::uint64_t>(r.tick);
  t.snapshot_sequence = static_cast<std::uint64_t>(r.sequence);
  t.snapshot_age_s = h_s * static_cast<double>(r.age_ticks);
  t.contacts = r.contacts;
  t.active_contacts = r.active_contacts;
  t.sweeps = r.sweeps;
  t.converged = r.converged ? 1 : 0;
  t.certificate = r.certificate;
  t.penetration_m = r.violation_m;
  t.stage_us = {r.times.free_motion_us, r.times.violations_us, r.times.compliance_us, r.times.solve_us,
                r.times.motion_us};
}

}  // namespace palp
