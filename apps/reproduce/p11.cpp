// The experiments of P11: objects at different rates that share one contact problem.
#include <algorithm>
#include <cmath>

#include "measure.hpp"

namespace palp::reproduce {
namespace {

/// What a hand did and felt, tick by tick.
struct Trace {
  std::vector<double> time, force, along, speed, given, energy;
  int most_contacts = 0;
  double worst_certificate = 0;
  bool finished = true;  ///< no step failed

  /// Of the samples from `from_s` to the end.
  std::vector<double> since(const std::vector<double>& values, double from_s) const {
    std::vector<double> out;
    for (size_t i = 0; i < time.size(); ++i)
      if (time[i] >= from_s) out.push_back(values[i]);
    return out;
  }
  double rms_speed(double from_s) const {
    double sum = 0;
    const auto v = since(speed, from_s);
    for (double x : v) sum += x * x;
    return std::sqrt(sum / static_cast<double>(std::max<size_t>(v.size(), 1)));
  }
  double given_since(double from_s) const {
    const auto g = since(given, from_s);
    return g.empty() ? 0 : g.back() - g.front();
  }
};

/// `direction`: the force is counted along it, against the hand.
Trace play(Simulation& s, const Vec3& direction, double seconds) {
  Trace t;
  while (s.time_s() < seconds - 1e-9) {
    if (!s.run->advance()) {
      t.finished = false;
      break;
    }
    const StepRecord& r = s.run->record();
    t.time.push_back(r.time_s);
    t.force.push_back(r.hands[0].wrench.force.dot(direction));
    t.along.push_back(r.hands[0].pose.position.dot(direction));
    t.speed.push_back(r.hands[0].pose.velocity.norm());
    t.given.push_back(r.given_J);
    t.energy.push_back(r.kinetic_J + r.elastic_J);
    t.most_contacts = std::max(t.most_contacts, r.report.contacts);
    t.worst_certificate = std::max(t.worst_certificate, r.report.certificate);
  }
  return t;
}

/// The soft cylinder of hexes that bend, without a bound on the contacts.
std::vector<SceneOverride> cylinder_of_hexes(int across) {
  return {set("bodies.cylinder.mesh",
              "{generator: cylinder, radius: 0.015, length: 0.04, cellsAcross: " + std::to_string(across) +
                  ", cellsAlong: " + std::to_string(across / 2) + ", elements: hexes}"),
          set("haptics.maxContacts", 200), set("contact.maxContacts", 200)};
}

/// The same scene at 1 kHz and with the tool at the low rate: in the last second the hand's aim stands still.
struct RatePair {
  Trace high, low;
  double calm_from_s = 0;
};

Result<RatePair> both_rates(Context& context, const char* file, const Vec3& direction,
                            const std::vector<SceneOverride>& changes = {}) {
  RatePair p;
  for (bool high : {true, false}) {
    context.progress(high ? 0.1 : 0.6, high ? "1 kHz" : "50 Hz");
    std::vector<SceneOverride> all = changes;
    all.push_back(set("haptics.rate", high ? 1000.0 : 50.0));
    auto s = Simulation::start(context, file, all);
    if (!s) return s.error();
    p.calm_from_s = s->scene->seconds - 1;
    (high ? p.high : p.low) = play(*s, direction, s->scene->seconds);
  }
  return p;
}

void require_rates(const RatePair& p, Outcome& out) {
  const double high = p.high.rms_speed(p.calm_from_s), low = p.low.rms_speed(p.calm_from_s);
  out.require("speed of the hand while its aim stands still, 1 kHz (rms)", high, "m/s", "stable",
              "below 1 mm/s: at rest", p.high.finished && high < 1e-3);
  out.require("speed of the hand while its aim stands still, 50 Hz (rms)", low, "m/s", "unstable",
              "above 1 cm/s, or the simulation ended: it oscillates", !p.low.finished || low > 0.01);
  out.require("energy given to the hand meanwhile, 1 kHz", p.high.given_since(p.calm_from_s), "J", "",
              "not above 1 µJ: the loop dissipates", p.high.given_since(p.calm_from_s) < 1e-6);
  out.require("energy given to the hand meanwhile, 50 Hz", p.low.given_since(p.calm_from_s), "J", "",
              "above 1 mJ, or the simulation ended: the loop feeds the oscillation",
              !p.low.finished || p.low.given_since(p.calm_from_s) > 1e-3);
}

void write_rates(Context& context, const RatePair& p, const char* title, Outcome& out) {
  Plot plot;
  plot.title = title;
  plot.x_label = "time (s)";
  plot.y_label = "force against the hand (N)";
  plot.add_line("thread at 50 Hz", p.low.time, p.low.force);
  plot.add_line("thread at 1 kHz", p.high.time, p.high.force);
  context.write(std::move(plot), "force", "The same thread and hand; only the rate of the thread differs.",
                out);
  Plot energy;
  energy.title = "Energy given to the hand";
  energy.x_label = "time (s)";
  energy.y_label = "energy (J)";
  energy.add_line("thread at 50 Hz", p.low.time, p.low.given);
  energy.add_line("thread at 1 kHz", p.high.time, p.high.given);
  context.write(std::move(energy), "energy", "A loop that gives more and more energy is unstable.", out);
  Table table{{"rate_Hz", "time_s", "force_N", "hand_m", "hand_speed_m_per_s", "given_J"}, {}};
  for (const Trace* t : {&p.high, &p.low})
    for (size_t i = 0; i < t->time.size(); ++i)
      table.add(
          {t == &p.high ? 1000.0 : 50.0, t->time[i], t->force[i], t->along[i], t->speed[i], t->given[i]});
  context.write(table, "series", out);
}

/// A thread of `segments` instead of the scene's ten, held at its end.
std::vector<SceneOverride> thread_of(int segments) {
  return {set("bodies.thread.mesh.segments", segments), set("devices.hand.holds.frame", segments)};
}

struct Wall {
  double bent_N = 0;     ///< largest force while the thread is bent
  double pulled_N = 0;   ///< mean force at the end
  double stiffness = 0;  ///< where it has just become straight: over the rise from 10 % to 90 % of the pull
};

Wall measure_wall(const Trace& t, double calm_from_s) {
  Wall w;
  for (size_t i = 0; i < t.time.size(); ++i)
    if (t.time[i] > 0.3 && t.time[i] < 1.2) w.bent_N = std::max(w.bent_N, std::abs(t.force[i]));
  w.pulled_N = mean(t.since(t.force, calm_from_s));
  std::vector<double> x, f;
  for (size_t i = 0; i < t.time.size(); ++i)
    if (t.time[i] > 1.2 && t.force[i] > 0.1 * w.pulled_N && t.force[i] < 0.9 * w.pulled_N) {
      x.push_back(-t.along[i]);
      f.push_back(t.force[i]);
    }
  if (x.size() > 2) w.stiffness = slope(x, f);
  return w;
}

/// What a finer thread does at both rates.
void report_rates(const std::string& what, const RatePair& p, Outcome& out) {
  out.report(what + "speed of the hand, 1 kHz (rms)", p.high.rms_speed(p.calm_from_s), "m/s");
  out.report(what + "speed of the hand, 50 Hz (rms)", p.low.rms_speed(p.calm_from_s), "m/s");
}

/// The claim about the two rates, of finer meshes: rests at 1 kHz, is shaken at 50 Hz.
bool rates_differ(const RatePair& p) {
  return p.high.finished && p.high.rms_speed(p.calm_from_s) < 1e-3 &&
         (!p.low.finished || p.low.rms_speed(p.calm_from_s) > 0.01);
}

Result<Outcome> thread_wall(Context& context) {
  auto p = both_rates(context, "p11-thread-wall.yaml", -Vec3::UnitX());
  if (!p) return p.error();
  Outcome out;
  const Wall wall = measure_wall(p->high, p->calm_from_s);
  const double bent = wall.bent_N, pulled = wall.pulled_N;
  out.require("largest force while the thread is bent", bent, "N", "nearly null", "below 2 % of the pull",
              bent < 0.02 * pulled);
  out.report("force when it is pulled", pulled, "N");
  out.require("stiffness felt when it becomes straight", wall.stiffness, "N/m", "a virtual wall",
              "above half of the coupling's 2000 N/m", wall.stiffness > 1000);
  require_rates(*p, out);
  // The same with more segments, and with a faster tick.
  Refined by_mesh{{1}, {pulled}}, by_step{{1}, {pulled}};
  bool same = true;
  for (int finer : {2, 4}) {
    const std::string what = std::to_string(10 * finer) + " segments: ";
    auto fine = both_rates(context, "p11-thread-wall.yaml", -Vec3::UnitX(), thread_of(10 * finer));
    if (!fine) return fine.error();
    const Wall w = measure_wall(fine->high, fine->calm_from_s);
    by_mesh.add(1.0 / finer, w.pulled_N);
    out.report(what + "largest force while bent", w.bent_N, "N");
    out.report(what + "force when pulled", w.pulled_N, "N");
    out.report(what + "stiffness when it becomes straight", w.stiffness, "N/m");
    report_rates(what, *fine, out);
    same = same && w.bent_N < 0.02 * w.pulled_N && w.stiffness > 1000 && rates_differ(*fine);
  }
  for (int finer : {2, 4}) {
    auto s = Simulation::start(context, "p11-thread-wall.yaml", {set("haptics.rate", 1000.0 * finer)});
    if (!s) return s.error();
    const Trace t = play(*s, -Vec3::UnitX(), s->scene->seconds);
    const Wall w = measure_wall(t, p->calm_from_s);
    by_step.add(1.0 / finer, w.pulled_N);
    const std::string what = std::to_string(finer) + " kHz: ";
    out.report(what + "largest force while bent", w.bent_N, "N");
    out.report(what + "force when pulled", w.pulled_N, "N");
    out.report(what + "stiffness when it becomes straight", w.stiffness, "N/m");
  }
  out.summary = "At most " + digits(bent) + " N while bent, " + digits(pulled) +
                " N when straight; the hand rests at 1 kHz (" +
                digits(1e3 * p->high.rms_speed(p->calm_from_s)) + " mm/s) and is shaken at 50 Hz (" +
                digits(1e3 * p->low.rms_speed(p->calm_from_s)) + " mm/s).";
  out.remarks =
      "The paper gives no numbers for thread, coupling and hand: they are our own choice. Converged: four "
      "times "
      "the segments change the pull by " +
      digits(100 * (by_mesh.value.back() / pulled - 1)) + " %, a tick four times as fast by " +
      digits(100 * (by_step.value.back() / pulled - 1)) + " %; " +
      (same ? "the verdict stays." : "the verdict would be another.");
  write_rates(context, *p, "A thread that becomes straight", out);
  return out;
}

Result<Outcome> thread_on_cylinder(Context& context) {
  auto p = both_rates(context, "p11-thread.yaml", -Vec3::UnitX());
  if (!p) return p.error();
  Outcome out;
  out.report("contacts and attachments at most", p->high.most_contacts, "", "contacts beside the attachment");
  require_rates(*p, out);
  const auto pull = [](const RatePair& r) { return mean(r.high.since(r.high.force, r.calm_from_s)); };
  out.report("force against the hand at the end, 1 kHz", pull(*p), "N");
  // The same with a finer thread, and with it on finer cylinders.
  Refined threads{{1}, {pull(*p)}}, cylinders;
  bool thread_same = true, same = true;
  double shaken = 0;
  const auto fine = [&](int segments, int across) -> Result<bool> {
    std::vector<SceneOverride> changes = thread_of(segments);
    std::string what = "thread of " + std::to_string(segments) + " segments";
    if (across > 0) {
      for (const SceneOverride& change : cylinder_of_hexes(across)) changes.push_back(change);
      what += ", cylinder of hexes, " + std::to_string(across) + " cells across";
    }
    auto r = both_rates(context, "p11-thread.yaml", -Vec3::UnitX(), changes);
    if (!r) return r.error();
    out.report(what + ": force against the hand at the end, 1 kHz", pull(*r), "N");
    report_rates(what + ": ", *r, out);
    (across > 0 ? cylinders.add(10.0 / across, pull(*r)) : threads.add(10.0 / segments, pull(*r)));
    shaken = r->low.rms_speed(r->calm_from_s);
    return rates_differ(*r);
  };
  for (const auto& [segments, across] : {std::pair{20, 0}, {40, 0}, {20, 10}, {20, 20}}) {
    const auto differ = fine(segments, across);
    if (!differ) return differ.error();
    (across > 0 ? same : thread_same) &= *differ;
  }
  out.summary = "The hand rests with the thread at 1 kHz (" +
                digits(1e3 * p->high.rms_speed(p->calm_from_s)) +
                " mm/s) and is shaken with the thread at 50 Hz (" +
                digits(1e3 * p->low.rms_speed(p->calm_from_s)) + " mm/s).";
  out.remarks =
      "Changed after first runs: the hand pulls the thread around the cylinder instead of straight away"
      " from it, so that there are contacts beside the attachment; the thread begins on the surface "
      "instead of 0.7 mm above it; the tick's tolerance is 1e-7 instead of 1e-5. Material, coupling and"
      " hand are our own choice. Finer threads on the scene's cylinder change the pull by " +
      digits(100 * (threads.value.back() / threads.value[0] - 1)) + " %, and the verdict " +
      (thread_same ? "stays." : "would be another.") +
      " Finer cylinders show no limit: of hexes that bend, with 10 and 20 cells across, the pull is " +
      digits(cylinders.value[0]) + " and " + digits(cylinders.value[1]) + " N instead of " +
      digits(pull(*p)) + " N, and what holds the thread becomes so soft that the hand is shaken by " +
      digits(1e3 * shaken) + " mm/s only with the thread at 50 Hz: " +
      (same ? "the verdict stays." : "there the verdict would be another, since 1 cm/s is asked for.") +
      " The thread is tied to one point, and a force at a point sinks into an elastic body without bound as"
      " its mesh is refined.";
  write_rates(context, *p, "A thread tied to a soft cylinder", out);
  return out;
}

struct TwoBeams {
  std::vector<double> time, bend_low_mm, bend_high_mm;
  double bends = 0, forces = 0;  ///< differences at rest, relative
  double moving = 0;             ///< of the bendings on the way
  Table table{{"time_s", "bend_low_m", "bend_high_m", "force_on_low_N", "force_felt_N"}, {}};
};

Result<TwoBeams> bend_beams(Context& context, int segments, double steps_finer) {
  auto s = Simulation::start(
      context, "p11-action-reaction.yaml",
      {set("bodies.low.mesh.segments", segments), set("bodies.high.mesh.segments", segments),
       set("devices.hand.holds.frame", segments)},
      {.time = steps_finer});
  if (!s) return s.error();
  const int low = s->body("low"), high = s->body("high");
  TwoBeams out;
  while (s->time_s() < s->scene->seconds - 1e-9) {
    if (auto ok = s->advance(); !ok) return ok.error();
    const State& state = s->run->state();
    const Body &b1 = *s->scene->model.bodies[low].body, &b2 = *s->scene->model.bodies[high].body;
    BodyFrame clamp1, tip1, clamp2, tip2;
    b1.frame(state.bodies[low], 0, clamp1);
    b1.frame(state.bodies[low], segments, tip1);
    b2.frame(state.bodies[high], segments, clamp2);
    b2.frame(state.bodies[high], 0, tip2);
    const double d1 = (clamp1.orientation.conjugate() * (tip1.position - clamp1.position)).z();
    const double d2 = (clamp2.orientation.conjugate() * (tip2.position - clamp2.position)).z();
    VecX f(b1.dof());
    b1.internal_force(state.bodies[low], f);
    const Vec3 felt = s->run->record().hands[0].wrench.force, reaction = f.head<3>();
    out.table.add({s->time_s(), d1, d2, reaction.norm(), felt.norm()});
    out.time.push_back(s->time_s());
    out.bend_low_mm.push_back(1e3 * std::abs(d1));
    out.bend_high_mm.push_back(1e3 * std::abs(d2));
    const double apart = std::abs(std::abs(d1) - std::abs(d2)) / std::abs(d1);
    if (s->time_s() > 0.5 && s->time_s() < 1) out.moving = std::max(out.moving, apart);
    if (s->time_s() < 1.5) continue;
    out.bends = std::max(out.bends, apart);
    out.forces = std::max(out.forces, (reaction - felt).norm() / felt.norm());
  }
  return out;
}

Result<Outcome> action_reaction(Context& context) {
  auto r = bend_beams(context, 5, 1);
  if (!r) return r.error();
  Outcome out;
  out.require("difference of the two bendings at rest", 100 * r->bends, "%", "identical", "below 1 %",
              r->bends < 0.01);
  out.require("force on the low-rate beam against the force felt, at rest", 100 * r->forces, "%",
              "action = reaction", "below 1 %", r->forces < 0.01);
  out.report("difference of the two bendings on the way (0.02 m/s)", 100 * r->moving, "%");
  out.report("bending", r->bend_low_mm.back(), "mm");
  Refined bending{{1}, {r->bend_low_mm.back()}}, force{{1}, {r->table.rows.back()[4]}};
  out.report("force felt at the end", force.value[0], "N");
  bool same = true;
  for (int finer : {2, 4}) {
    auto fine = bend_beams(context, 5 * finer, 1);
    if (!fine) return fine.error();
    const std::string what = std::to_string(5 * finer) + " segments each: ";
    bending.add(1.0 / finer, fine->bend_low_mm.back());
    force.add(1.0 / finer, fine->table.rows.back()[4]);
    out.report(what + "difference of the two bendings at rest", 100 * fine->bends, "%");
    out.report(what + "force on the low-rate beam against the force felt", 100 * fine->forces, "%");
    out.report(what + "bending", bending.value.back(), "mm");
    out.report(what + "force felt at the end", force.value.back(), "N");
    same = same && fine->bends < 0.01 && fine->forces < 0.01;
  }
  const GridConvergence limit = report_limit(out, "force felt at the end", force, "N");
  auto steps = bend_beams(context, 5, 2);
  if (!steps) return steps.error();
  out.report("both rates doubled: difference of the bendings on the way", 100 * steps->moving, "%");
  out.report("both rates doubled: bending", steps->bend_low_mm.back(), "mm");
  out.summary = "Two equal beams at 50 Hz and 1 kHz bend alike within " + digits(100 * r->bends) +
                " %; forces agree within " + digits(100 * r->forces) + " %.";
  out.remarks =
      "Changed after a first run: the hand's way ended 1.5 mm nearer to the clamp, which buckled the "
      "beams; two buckled beams need not bend alike. On the way the beam at 50 Hz follows the other one"
      " by a step of its own, hence the difference while they move. Converged: four times the segments"
      " change the bending by " +
      digits(100 * (bending.value.back() / bending.value[0] - 1)) + " %; the force felt is " +
      digits(100 * (force.value[0] / limit.value - 1)) + " % from its limit; " +
      (same ? "the verdict stays." : "the verdict would be another.");
  Plot plot;
  plot.title = "Two equal beams at different rates";
  plot.x_label = "time (s)";
  plot.y_label = "bending (mm)";
  plot.add_line("beam at 50 Hz", r->time, r->bend_low_mm);
  plot.add_line("beam at 1 kHz", r->time, r->bend_high_mm);
  context.write(std::move(plot), "bending", "Bending of each beam as its own clamp sees it.", out);
  context.write(r->table, "series", out);
  return out;
}

/// Snap-in of the clip: until its lips have passed the cylinder's widest place, and at rest.
struct ClipRun {
  Trace trace;
  double push_N = 0, calm_speed = 0;
  bool seated = false;
  bool calm() const { return trace.finished && calm_speed < 2e-3; }
};

ClipRun push_clip(Simulation& s, int middle_frame) {
  ClipRun r;
  r.trace = play(s, Vec3::UnitY(), s.scene->seconds);
  // Seated: the centre of the clip's arc has come to the axis of the cylinder.
  BodyFrame top;
  const int clip = s.body("clip");
  s.scene->model.bodies[clip].body->frame(s.run->state().bodies[clip], middle_frame, top);
  r.seated = std::abs(top.position.y() - 0.0168) < 0.004;
  r.calm_speed = r.trace.rms_speed(s.scene->seconds - 0.5);
  for (size_t i = 0; i < r.trace.time.size() && r.trace.along[i] > 0.021; ++i)
    r.push_N = std::max(r.push_N, r.trace.force[i]);
  return r;
}

/// A clip of more beams on a cylinder of hexes.
std::vector<SceneOverride> fine_clip(int finer, double clip_Pa, double cylinder_Pa) {
  std::vector<SceneOverride> changes = cylinder_of_hexes(10 * finer);
  for (const SceneOverride& change :
       {set("bodies.clip.mesh.segments", 40 * finer), set("devices.hand.holds.frame", 20 * finer),
        set("bodies.clip.youngModulus", clip_Pa), set("bodies.cylinder.youngModulus", cylinder_Pa)})
    changes.push_back(change);
  return changes;
}

Result<Outcome> beam_snap_in(Context& context) {
  Outcome out;
  Table table{{"clip_Pa", "cylinder_Pa", "push_N", "calm_speed_m_per_s", "seated", "contacts", "certificate"},
              {}};
  Plot plot;
  plot.title = "Snap-in of a clip of 20 beams";
  plot.x_label = "time (s)";
  plot.y_label = "force against the hand (N)";
  const double clips[] = {5e8, 2e9, 8e9}, cylinders[] = {5e5, 2e6, 8e6};
  int runs = 0, stable = 0, seated = 0, most = 0;
  double middle_push = 0, seated_N = 0, fine_seated_N = 0;  // clip of 2 GPa, cylinder of 2 MPa
  for (double clip : clips)
    for (double cylinder : cylinders) {
      context.progress(runs / 9.0, "clip " + digits(clip) + " Pa");
      auto s = Simulation::start(
          context, "p11-snap-in.yaml",
          {set("bodies.clip.youngModulus", clip), set("bodies.cylinder.youngModulus", cylinder)});
      if (!s) return s.error();
      const ClipRun r = push_clip(*s, 10);
      const Trace& t = r.trace;
      table.add({clip, cylinder, r.push_N, r.calm_speed, r.seated ? 1.0 : 0.0,
                 static_cast<double>(t.most_contacts), t.worst_certificate});
      ++runs;
      stable += r.calm();
      seated += r.seated;
      if (clip == 2e9 && cylinder == 2e6) middle_push = r.push_N, seated_N = t.force.back();
      most = std::max(most, t.most_contacts);
      if (cylinder == 2e6) plot.add_line("clip of " + digits(1e-9 * clip) + " GPa", t.time, t.force);
      if (clip == 2e9 && cylinder == 2e6)
        context.write(draw(*s), "seated", "The clip on the cylinder at the end of the push.", out);
    }
  out.require("combinations of stiffness that end calm", stable, "of 9", "various rigidities, stable", "all",
              stable == 9);
  out.require("combinations that snap in", seated, "of 9", "",
              "at least the middle clip on every cylinder: 3", seated >= 3);
  out.require("contacts at most", most, "", "up to 20", "at most 20", most <= 20);
  out.report("push, clip of 2 GPa, cylinder of 2 MPa", middle_push, "N");
  // The same with a clip and a cylinder that are converged, and with faster ticks.
  int fine_calm = 0, fine_seated = 0;
  Refined by_mesh;
  for (double clip : clips)
    for (double cylinder : cylinders) {
      context.progress(0.9, "cylinder of hexes");
      auto s = Simulation::start(context, "p11-snap-in.yaml", fine_clip(1, clip, cylinder));
      if (!s) return s.error();
      const ClipRun r = push_clip(*s, 20);
      fine_calm += r.calm();
      fine_seated += r.seated;
      if (clip == 2e9 && cylinder == 2e6) {
        by_mesh.add(1, r.push_N);
        fine_seated_N = r.trace.force.back();
        plot.add_line("2 GPa, finer meshes", r.trace.time, r.trace.force, {.dashed = true});
      }
    }
  const std::string hexes = "clip of 40 beams, cylinder of hexes, 10 cells across: ";
  out.report(hexes + "combinations that end calm", fine_calm, "of 9");
  out.report(hexes + "combinations that snap in", fine_seated, "of 9");
  out.report(hexes + "push, clip of 2 GPa, cylinder of 2 MPa", by_mesh.value[0], "N");
  const auto again = [&](const char* what, int finer, const SceneRefinement& steps) -> Result<double> {
    auto s = Simulation::start(context, "p11-snap-in.yaml", fine_clip(finer, 2e9, 2e6), steps);
    if (!s) return s.error();
    const double push = push_clip(*s, 20 * finer).push_N;
    out.report(what, push, "N");
    return push;
  };
  const auto finest = again("clip of 80 beams, 20 cells across: push", 2, {});
  if (!finest) return finest.error();
  by_mesh.add(0.5, *finest);
  const auto faster = again("clip of 40 beams, 10 cells across, both rates doubled: push", 1, {.time = 2});
  if (!faster) return faster.error();
  out.summary = std::to_string(stable) +
                " of 9 combinations of stiffness (clip 0.5 to 8 GPa, cylinder 0.5 to 8 MPa) end calm, " +
                std::to_string(seated) + " snap in.";
  out.remarks =
      "The cylinder has 144 tetrahedra (paper: 103), the material of the paper is not known. The steps "
      "in the force while the lips pass are the facets of this coarse cylinder: contact directions "
      "change with the snapshots, 25 times a second, which the paper names as a limit of the method. "
      "Changed after first runs: the push in the table is the largest force until the lips have passed,"
      " no longer the largest of the whole run. With a clip of 40 beams on a cylinder of hexes, 10 cells "
      "across, " +
      std::to_string(fine_calm) + " of 9 combinations end calm and " + std::to_string(fine_seated) +
      " snap in; the push is " + digits(by_mesh.value[0]) + " N instead of " + digits(middle_push) +
      " N. A mesh twice as fine changes that by " + digits(100 * (*finest / by_mesh.value[0] - 1)) +
      " %, rates twice as fast by " + digits(100 * (*faster / by_mesh.value[0] - 1)) +
      " %: the push is known no better than that, a peak of a force that jumps with the snapshots on a body "
      "of"
      " which other nodes are fixed (5, 25 and 85 a layer lie in the core that the scene fixes). The force on"
      " the seated clip changes from " +
      digits(seated_N) + " to " + digits(fine_seated_N) + " N; " +
      (fine_calm == 9 && fine_seated >= 3 ? "the verdict stays." : "the verdict would be another.");
  context.write(std::move(plot), "force",
                "Cylinder of 2 MPa; the force rises, the lips pass, the clip is on.", out);
  context.write(table, "stiffness", out);
  return out;
}

constexpr double budgets_us[] = {5, 10, 20, 50, 100, 200, 500};
constexpr int budgets = 7;

/// Certificates that Algorithm 1 reaches on the clock, on the ticks' own problems: from the forces of the
/// tick before, and from nothing.
struct TimedSolves {
  std::vector<double> warm[budgets], cold[budgets];
  double contacts = 0, active = 0;  ///< mean
};

Result<TimedSolves> time_solves(Context& context, const char* file,
                                const std::vector<SceneOverride>& changes = {},
                                const SceneRefinement& finer = {}) {
  auto s = Simulation::start(context, file, changes, finer);
  if (!s) return s.error();
  auto solver = make_solver("coulomb_gs");
  if (!solver) return solver.error();
  TimedSolves out;
  VecX f;
  std::vector<std::pair<ContactId, Vec3>> before;  // forces of the tick before, world
  while (s->time_s() < s->scene->seconds - 1e-9) {
    if (auto ok = s->advance(); !ok) return ok.error();
    const HapticLoop& loop = *s->run->loop();
    const Snapshot& snap = loop.snapshot();
    const StepReport& r = s->run->record().report;
    if (r.active_contacts >= 2 && !before.empty() && loop.high().tick % 3 == 0) {
      if (auto ok = (*solver)->set_problem(snap.problem); !ok) return ok.error();
      out.contacts += r.contacts;
      out.active += r.active_contacts;
      for (int k = 0; k < budgets; ++k)
        for (bool warm : {true, false}) {
          f.setZero(3 * static_cast<long>(snap.contacts.size()));
          for (size_t i = 0; i < snap.contacts.size(); ++i)
            for (const auto& [id, force] : before)
              if (id == snap.contacts[i].id)
                f.segment<3>(3 * static_cast<long>(i)) = snap.contacts[i].frame * force;
          const SolveOptions options{
              .tolerance = 1e-6, .max_sweeps = 1 << 20, .budget_us = budgets_us[k], .warm_start = warm};
          (warm ? out.warm : out.cold)[k].push_back((*solver)->solve(options, f).certificate);
        }
    }
    before.clear();
    for (size_t i = 0; i < snap.contacts.size(); ++i)
      before.emplace_back(snap.contacts[i].id, snap.contacts[i].frame.transpose() *
                                                   loop.high().lambda.segment<3>(3 * static_cast<long>(i)));
  }
  if (out.warm[0].size() < 50)
    return Error{.message = std::string(file) +
                            ": fewer than 50 ticks with contact forces, too few for a percentile"};
  out.contacts /= static_cast<double>(out.warm[0].size());
  out.active /= static_cast<double>(out.warm[0].size());
  return out;
}

Result<Outcome> timed_solve(Context& context) {
  Outcome out;
  Table table{{"scene", "contacts", "budget_us", "warm_median", "warm_p90", "cold_median", "cold_p90"}, {}};
  Plot plot;
  plot.title = "Timed Gauss-Seidel on the ticks' own problems";
  plot.x_label = "budget (µs)";
  plot.y_label = "certificate, 90th percentile";
  plot.log_x = plot.log_y = true;
  const std::vector<double> x(budgets_us, budgets_us + budgets);
  int which = 0;
  bool same = true;
  for (const auto& [file, name] :
       {std::pair{"p11-snap-in.yaml", "clip"}, std::pair{"two-hands.yaml", "two hands"}}) {
    context.progress(0.1 + 0.5 * which, name);
    auto t = time_solves(context, file);
    if (!t) return t.error();
    std::vector<double> warm, cold;
    bool better = true;
    for (int k = 0; k < budgets; ++k) {
      warm.push_back(std::max(quantile(t->warm[k], 0.9), 1e-9));
      cold.push_back(std::max(quantile(t->cold[k], 0.9), 1e-9));
      table.add({static_cast<double>(which), t->contacts, budgets_us[k], quantile(t->warm[k], 0.5), warm[k],
                 quantile(t->cold[k], 0.5), cold[k]});
      better = better && (warm[k] <= cold[k] || warm[k] <= 2e-6);
    }
    const std::string what = std::string(name) + ", " + digits(t->contacts) + " contacts of which " +
                             digits(t->active) + " press: certificate after 20 µs (90 % of the ticks)";
    out.require(what + ", from the last forces", warm[2], "", "",
                "not above the one from nothing at any budget, or below 2e-6: solved", better);
    out.report(what + ", from nothing", cold[2], "");
    out.require(std::string(name) + ": certificate after 500 µs, from the last forces", warm[6], "",
                "converges in the given time", "below 1e-3: half a tick is enough", warm[6] < 1e-3);
    plot.add_line(std::string(name) + ", from the last forces", x, warm);
    plot.add_line(std::string(name) + ", from nothing", x, cold);
    out.summary += (which ? "; " : "Within 20 µs, 90 % of the ticks: ") + std::string(name) + " " +
                   digits(warm[2]) + " from the last forces, " + digits(cold[2]) + " from nothing";
    ++which;
  }
  out.summary += ".";
  // The same with finer meshes: more contacts, and other problems.
  const auto fine_problems = [&](const char* name, const Result<TimedSolves>& t) -> Result<void> {
    if (!t) return t.error();
    const std::string what = std::string(name) + ", finer, " + digits(t->contacts) + " contacts of which " +
                             digits(t->active) + " press: certificate after 20 µs, ";
    out.report(what + "from the last forces", quantile(t->warm[2], 0.9), "");
    out.report(what + "from nothing", quantile(t->cold[2], 0.9), "");
    out.report(std::string(name) + ", finer: certificate after 500 µs, from the last forces",
               quantile(t->warm[6], 0.9), "");
    same =
        same && (quantile(t->warm[2], 0.9) <= quantile(t->cold[2], 0.9) || quantile(t->warm[2], 0.9) < 2e-6);
    return {};
  };
  bool enough = true;
  const auto fine_clip_solves = time_solves(context, "p11-snap-in.yaml", fine_clip(1, 2e9, 2e6));
  if (auto ok = fine_problems("clip", fine_clip_solves); !ok) return ok.error();
  const auto fine_hands = time_solves(context, "two-hands.yaml", {}, {.mesh = 1.5});
  if (auto ok = fine_problems("two hands", fine_hands); !ok) return ok.error();
  for (const auto* t : {&fine_clip_solves, &fine_hands})
    enough = enough && quantile((*t)->warm[6], 0.9) < 1e-3;
  out.remarks =
      "Measured on the clock: the numbers differ a little between runs. Changed after first runs: nine "
      "ticks in ten are judged instead of the median, at every budget instead of those up to 50 µs, and"
      " a certificate below 2e-6 counts as solved whatever the other start reached; ticks with two "
      "pressing contacts are taken instead of three; the scene with two hands was added, because the "
      "clip's problems are solved within 20 µs from either start and tell nothing about it. Forces depend on "
      "the"
      " mesh, this claim on the number and the kind of contacts only: with finer meshes (clip as in P11.3, "
      "two"
      " hands 1.5 times as fine) the last forces are " +
      std::string(same ? "as good a start" : "not always the better start") + ", and half a tick is " +
      (enough ? "enough too." : "not always enough.");
  context.write(std::move(plot), "certificate", "Algorithm 1's sweeps, stopped on the clock or at 1e-6.",
                out);
  context.write(table, "budgets", out);
  return out;
}

}  // namespace

std::vector<Experiment> p11_experiments() {
  return {
      {.id = "P11.1",
       .source = "P11 §I, fig. 1",
       .title = "A thread that becomes straight",
       .scene = "p11-thread-wall.yaml",
       .claim = "A thread fixed at one end and pulled at the other gives nearly no force while bent and a "
                "sharp rise "
                "when straight; stable at 1 kHz, unstable at 50 Hz with the same parameters.",
       .paper_reports = "null force while bent, a wall when straight",
       .run = thread_wall},
      {.id = "P11.2",
       .source = "P11 §V, fig. 3",
       .title = "Action and reaction across rates",
       .scene = "p11-action-reaction.yaml",
       .claim =
           "Two identical beams joined end to end, one at the low rate, one at the high rate, deform alike.",
       .paper_reports = "identical deformations",
       .run = action_reaction},
      {.id = "P11.3",
       .source = "P11 §V, fig. 4",
       .title = "Snap-in of a beam clip on a deformable cylinder",
       .scene = "p11-snap-in.yaml",
       .claim = "A clip of 20 beams at 1 kHz snaps on a deformable cylinder at 25 Hz, stable over a range of "
                "stiffnesses, with up to 20 constraints.",
       .paper_reports = "stable; 103 tetrahedra, up to 20 constraints",
       .run = beam_snap_in},
      {.id = "P11.4",
       .source = "P11 §V, fig. 5",
       .title = "A thread tied to a deformable cylinder",
       .scene = "p11-thread.yaml",
       .claim = "A thread of 10 beams attached to a cylinder at 50 Hz, with contacts between them, is stable "
                "with the "
                "thread at 1 kHz and unstable with the thread at 50 Hz.",
       .paper_reports = "stable at 1 kHz; rapidly unstable at 50 Hz when pulled",
       .run = thread_on_cylinder},
      {.id = "P11.5",
       .source = "P11 §IV.B",
       .title = "The timed solve",
       .scene = "p11-snap-in.yaml",
       .claim = "A solve that stops on the clock converges further when it starts from the last forces.",
       .paper_reports = "no numbers",
       .run = timed_solve},
  };
}

}  // namespace palp::reproduce
