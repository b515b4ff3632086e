// A GLC tick in the words of the other ticks (tick.hpp): for the safety chain, summaries and the recorder.
#pragma once
#include "palp/haptics/glc_tick.hpp"
#include "palp/haptics/tick.hpp"
#include "palp/haptics/tick_record.hpp"

namespace palp {

/// `tick`: number of the tick just made. Contacts: GLCs and the contacts beside them; active: those that may
/// carry a force.
inline TickReport tick_report(const GlcTick& high, const GlcTickReport& r, long tick) {
  TickReport t;
  t.tick = tick;
  t.sequence = high.sequence();
  t.age_ticks = high.snapshot() ? tick - high.snapshot()->tick : tick;
  t.contacts = high.snapshot() ? high.snapshot()->problem.size() : 0;
  t.active_contacts = r.solve.carriers;
  t.sweeps = r.solve.sweeps;
  t.held_back = r.solve.outer_hits;
  if (high.snapshot()) {
    t.certificate = r.solve.certificate;
    t.converged = r.solve.converged();
  }
  t.times.solve_us = r.solve.time_us;
  t.times.motion_us = r.total_us - r.solve.time_us;
  if (r.failed_hand >= 0) {
    t.status = TickStatus::not_finite;
    t.body = high.hands()[r.failed_hand].body;
  }
  return t;
}

/// The problem that the tick has just solved, where it keeps it. Empty before the first snapshot; valid until
/// the next tick.
inline ContactView tick_contacts(const GlcTick& high) {
  ContactView view;
  if (!high.snapshot()) return view;
  const GlcSnapshot& s = *high.snapshot();
  const auto size = static_cast<std::size_t>(3 * s.problem.size());
  view.contacts = s.problem.size();
  view.delta_free = {s.motion.delta_free.data(), size};
  view.lambda = {high.f().data(), size};
  view.W = {s.problem.W.data(), static_cast<std::size_t>(s.problem.W.size())};
  view.W_stride = static_cast<int>(s.problem.W.outerStride());
  return view;
}

}  // namespace palp
