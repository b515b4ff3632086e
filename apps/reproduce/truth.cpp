// Two-rate forces against the truth: the same scene with the low rate equal to the haptic rate, i.e. stepped
// whole with every tick. No paper has measured it.
#include <cmath>
#include <complex>
#include <cstdio>

#include "measure.hpp"

namespace palp::reproduce {
namespace {

/// What all hands felt, tick by tick.
struct Felt {
  std::vector<double> time;
  std::vector<std::vector<Vec3>> force;  ///< per hand
  double momentum = 0;                   ///< of body 1 at the end, along x
};

Result<Felt> feel(const Context& context, const std::string& file, std::vector<SceneOverride> changes) {
  auto s = Simulation::start(context, file, changes);
  if (!s) return s.error();
  Felt felt;
  felt.force.resize(s->scene->devices.size());
  // But for the end, where scripted paths stop: that jerk of the coupling is no contact.
  for (long i = std::lround(s->scene->seconds / s->run->step_s()) - 2; i > 0; --i) {
    if (auto ok = s->advance(); !ok) return ok.error();
    const StepRecord& r = s->run->record();
    felt.time.push_back(r.time_s);
    for (size_t d = 0; d < felt.force.size(); ++d) felt.force[d].push_back(r.hands[d].wrench.force);
  }
  felt.momentum = s->scene->model.bodies[1].body->mass() * s->run->state().bodies[1].v[0];
  return felt;
}

struct Difference {
  double rms = 0;   ///< over the rms of the truth
  double jump = 0;  ///< largest in one tick, over the truth's
  double buzz = 0;  ///< amplitude of the error at the low rate and its first three harmonics together, N
};

Difference difference(const Felt& truth, const Felt& two, double low_rate) {
  double sum = 0, error = 0, jump_truth = 0, jump_two = 0, buzz = 0;
  for (size_t d = 0; d < truth.force.size(); ++d) {
    const auto &a = truth.force[d], &b = two.force[d];
    const size_t n = std::min(a.size(), b.size());
    for (size_t i = 0; i < n; ++i) {
      sum += a[i].squaredNorm();
      error += (a[i] - b[i]).squaredNorm();
      if (i == 0) continue;
      jump_truth = std::max(jump_truth, (a[i] - a[i - 1]).norm());
      jump_two = std::max(jump_two, (b[i] - b[i - 1]).norm());
    }
    double squares = 0;
    for (int harmonic = 1; harmonic <= 4; ++harmonic)
      for (int axis = 0; axis < 3; ++axis) {
        std::complex<double> amplitude = 0;
        for (size_t i = 0; i < n; ++i)
          amplitude +=
              (b[i] - a[i])[axis] * std::polar(2.0 / static_cast<double>(n),
                                               -2 * 3.14159265358979 * harmonic * low_rate * truth.time[i]);
        squares += std::norm(amplitude);
      }
    buzz = std::max(buzz, std::sqrt(squares));
  }
  return {std::sqrt(error / sum), jump_two / jump_truth, buzz};
}

/// One scene: its low rate, and the body whose damping is varied (empty: none).
struct Case {
  const char* file;
  const char* body;
  double low_rate;
  bool limited =
      false;  ///< K16's scenes bound their constraints as the paper does; here: as many as are needed
};

Result<Outcome> against_truth(Context& context, const Case& c) {
  Outcome out;
  const double H = 1 / c.low_rate;
  const int half = static_cast<int>(std::lround(500 / c.low_rate));
  struct Variant {
    std::string name;
    std::vector<SceneOverride> changes;
  };
  std::vector<Variant> variants{{"as shipped", {}}};
  if (*c.body)
    for (double steps : {0.0, 1.0, 2.0})
      variants.push_back({"damping of " + digits(steps) + " low-rate steps",
                          {set(std::string("bodies.") + c.body + ".rayleighStiffness", steps * H)}});
  if (c.limited)
    for (Variant& v : variants)
      v.changes.push_back({"haptics", "{rate: 1000, lowRate: 30.3030303, contact: glc, range: 0.02}"});
  Table table{{"damping_s", "delay_ticks", "end", "error_percent", "jump_ratio", "buzz_N"}, {}};
  double worst = 0, worst_jump = 0, shipped = 0, before = 0;
  double done = 0;
  for (size_t v = 0; v < variants.size(); ++v) {
    context.progress(done++ / static_cast<double>(variants.size()), variants[v].name);
    auto changes = variants[v].changes;
    changes.push_back(set("haptics.lowRate", 1000));
    auto truth = feel(context, c.file, changes);
    if (!truth) return truth.error();
    for (int delay : {0, half})
      for (bool end : {false, true}) {
        if (end && (delay > 0 || v > 0)) continue;
        changes = variants[v].changes;
        changes.push_back(set("haptics.delay", delay));
        if (end) changes.push_back(set("haptics.handOver", std::string("end")));
        auto two = feel(context, c.file, changes);
        if (!two) return two.error();
        const Difference d = difference(*truth, *two, c.low_rate);
        table.add({v == 0 ? -1.0 : static_cast<double>(v - 1) * H, static_cast<double>(delay),
                   end ? 1.0 : 0.0, 100 * d.rms, d.jump, d.buzz});
        const std::string name = variants[v].name + (delay ? ", half a step late" : "");
        if (end) {
          before = d.rms;
          out.report("error, " + name + ", bodies seen at the end of their step", 100 * d.rms, "%");
          out.report("largest jump over the truth's, the same", d.jump, "");
          continue;
        }
        if (v == 0 && delay == 0) shipped = d.rms;
        worst = std::max(worst, d.rms);
        worst_jump = std::max(worst_jump, d.jump);
        out.require("error, " + name, 100 * d.rms, "% rms", "", "at most 1 %", d.rms <= 0.01);
        out.require("largest jump per tick over the truth's, " + name, d.jump, "", "", "at most 1.2",
                    d.jump <= 1.2);
        out.report("error at the low rate and three harmonics, " + name, 1e3 * d.buzz, "mN");
        if (v > 0 || delay > 0) continue;
        Plot plot;
        plot.title = "Force: the truth and two rates";
        plot.x_label = "time (s)";
        plot.y_label = "force (N)";
        for (size_t hand = 0; hand < truth->force.size(); ++hand) {
          std::vector<double> a, b;
          for (const Vec3& f : truth->force[hand]) a.push_back(f.norm());
          for (const Vec3& f : two->force[hand]) b.push_back(f.norm());
          b.resize(a.size());
          const std::string of = truth->force.size() > 1 ? " (hand " + std::to_string(hand + 1) + ")" : "";
          plot.add_line("stepped whole at 1 kHz" + of, truth->time, a);
          plot.add_line("two rates" + of, truth->time, b);
        }
        context.write(std::move(plot), "force", "What the hands feel.", out);
      }
  }
  context.write(table, "differences", out);
  out.summary = "As shipped the force is off by " + digits(100 * shipped) +
                " % of the truth (rms), against " + digits(100 * before) +
                " % with bodies seen at the end of their step; at worst " + digits(100 * worst) +
                " %, jumps " + digits(worst_jump) + " times the truth's.";
  return out;
}

Result<Outcome> truth_of_two_hands(Context& c) { return against_truth(c, {"two-hands.yaml", "bar", 50}); }
Result<Outcome> truth_of_soft_sine(Context& c) {
  return against_truth(c, {"k16-soft-sine.yaml", "surface", 1 / 0.033, true});
}
Result<Outcome> truth_of_soft_statue(Context& c) {
  return against_truth(c, {"k16-soft-statue.yaml", "", 1 / 0.033, true});
}
Result<Outcome> truth_of_k16_hands(Context& c) {
  return against_truth(c, {"k16-two-hands.yaml", "bar", 1 / 0.033, true});
}
Result<Outcome> truth_of_beam_clip(Context& c) {
  return against_truth(c, {"p11-snap-in.yaml", "cylinder", 25});
}
Result<Outcome> truth_of_thread(Context& c) { return against_truth(c, {"p11-thread.yaml", "cylinder", 50}); }

Result<Outcome> truth_of_moving_bodies(Context& context) {
  Outcome out;
  Table table{{"scene", "lowRate_Hz", "force_N", "truth_N", "error_percent", "jump_ratio"}, {}};
  Plot plot;
  plot.title = "A box pushed over a table";
  plot.x_label = "time (s)";
  plot.y_label = "force against the hand (N)";
  const struct {
    const char *file, *what;
    double analytic;  ///< N; 0: none
  } scenes[] = {{"two-rates-box.yaml", "box over a table", 0.5 * 0.1 * 9.81},
                {"two-rates-free.yaml", "free body accelerated", 0.18},
                {"two-rates-impact.yaml", "impact", 0}};
  double worst = 0;
  for (int s = 0; s < 3; ++s) {
    auto truth = feel(context, scenes[s].file, {set("haptics.lowRate", 1000)});
    if (!truth) return truth.error();
    for (double rate : {20.0, 50.0, 200.0}) {
      context.progress(s / 3.0, std::string(scenes[s].what) + ", " + digits(rate) + " Hz");
      const std::string name = std::string(scenes[s].what) + ", " + digits(rate) + " Hz";
      auto two = feel(context, scenes[s].file, {set("haptics.lowRate", rate)});
      if (!two) return two.error();
      const Difference d = difference(*truth, *two, rate);
      worst = std::max(worst, d.rms);
      const auto mean = [](const Felt& f) {
        double sum = 0;
        const size_t n = f.force[0].size();
        for (size_t i = n / 2; i < n; ++i) sum -= f.force[0][i].x() / static_cast<double>(n - n / 2);
        return sum;
      };
      table.add({static_cast<double>(s), rate, mean(*two), mean(*truth), 100 * d.rms, d.jump});
      out.require("error of the force, " + name, 100 * d.rms, "% rms", "", "at most 3 %", d.rms <= 0.03);
      if (scenes[s].analytic > 0)
        out.require("mean force, " + name, mean(*two), "N", "",
                    "within 3 % of " + digits(scenes[s].analytic) + " N",
                    std::abs(mean(*two) / scenes[s].analytic - 1) < 0.03);
      else {
        // The tip comes to rest again: what the hand has given is in the body.
        double impulse = 0;
        for (const Vec3& f : two->force[0]) impulse -= 1e-3 * f.x();
        out.require("momentum of the body over the hand's impulse, " + name, two->momentum / impulse, "", "",
                    "within 1 % of 1", std::abs(two->momentum / impulse - 1) < 0.01);
      }
      if (s == 0) {
        std::vector<double> f;
        for (const Vec3& x : two->force[0]) f.push_back(-x.x());
        plot.add_line(digits(rate) + " Hz", two->time, f);
      }
    }
    auto end = feel(context, scenes[s].file,
                    {set("haptics.lowRate", 50), set("haptics.handOver", std::string("end"))});
    if (!end) return end.error();
    out.report(std::string("error, ") + scenes[s].what + ", 50 Hz, bodies seen at the end of their step",
               100 * difference(*truth, *end, 50).rms, "%");
    if (s == 0) {
      std::vector<double> f, g;
      for (const Vec3& x : end->force[0]) f.push_back(-x.x());
      for (const Vec3& x : truth->force[0]) g.push_back(-x.x());
      plot.add_line("50 Hz, box seen at the end of its step", end->time, f);
      plot.add_line("1 kHz", truth->time, g);
    }
  }
  context.write(std::move(plot), "box", "μmg = 0.49 N.", out);
  context.write(table, "forces", out);
  out.summary =
      "Forces of moving bodies are off by at most " + digits(100 * worst) + " % (rms) at 20, 50 and 200 Hz.";
  return out;
}

/// The path of k16-statue.yaml at another speed, over a finer mesh, with the default settings of its
/// contacts.
Result<Outcome> truth_of_fast_points(Context& context) {
  Outcome out;
  auto shipped = Simulation::start(context, "k16-statue.yaml", {});
  if (!shipped) return shipped.error();
  const double seconds = shipped->scene->seconds;
  Table table{{"speed_m_per_s", "force_N", "truth_N", "error_percent", "held_back_ticks"}, {}};
  double worst = 0;
  for (double speed : {0.05, 0.15, 0.3}) {
    context.progress(speed / 0.35, digits(speed) + " m/s");
    const double slower = 0.1 / speed;  // the scene's own is 0.1 m/s
    std::string path = "[";
    for (double t = 0; t <= seconds; t += 0.01) {
      const Vec3 x = shipped->scene->devices[0].device->read(t).pose.position;
      char point[160];
      std::snprintf(point, sizeof(point), "%s{time: %.6f, position: [%.7f, %.7f, %.7f]}", t > 0 ? ", " : "",
                    t * slower, x.x(), x.y(), x.z());
      path += point;
    }
    Felt felt[2];
    long held_back = 0;
    for (const bool truth : {true, false}) {
      auto s = Simulation::start(context, "k16-statue.yaml",
                                 {{"haptics", std::string("{rate: 1000, contact: glc, lowRate: ") +
                                                  (truth ? "1000}" : "30.3030303}")},
                                  {"bodies.statue.mesh.cell", "0.0025"},
                                  {"devices.hand.path", path + "]"}});
      if (!s) return s.error();
      Felt& f = felt[truth ? 0 : 1];
      f.force.resize(1);
      for (long i = std::lround(seconds * slower / s->run->step_s()); i > 0; --i) {
        if (auto ok = s->advance(); !ok) return ok.error();
        f.time.push_back(s->run->record().time_s);
        f.force[0].push_back(s->run->record().hands[0].wrench.force);
        held_back += !truth && s->run->record().held_back > 0;
      }
    }
    const Difference d = difference(felt[0], felt[1], 1000.0 / 33);
    double most[2] = {0, 0};
    for (int k = 0; k < 2; ++k)
      for (const Vec3& f : felt[k].force[0]) most[k] = std::max(most[k], f.norm());
    worst = std::max(worst, d.rms);
    table.add({speed, most[1], most[0], 100 * d.rms, static_cast<double>(held_back)});
    const std::string at = " at " + digits(speed) + " m/s";
    out.require("error of the force" + at, 100 * d.rms, "% rms", "", "at most 5 %", d.rms <= 0.05);
    out.require("largest force over the truth's" + at, most[1] / most[0], "", "", "within 5 %",
                std::abs(most[1] / most[0] - 1) <= 0.05);
    out.require("ticks that a region held back" + at, static_cast<double>(held_back), "", "", "none",
                held_back == 0);
  }
  context.write(table, "speeds", out);
  out.summary = "With default settings the forces are off by at most " + digits(100 * worst) +
                " % (rms) between 0.05 and 0.3 m/s.";
  return out;
}

constexpr const char* same_claim =
    "Error of the force (rms / rms of the truth) at most 1 %, largest jump per tick at most 1.2 times the "
    "truth's, for "
    "dampings 0 to 2 low-rate steps and delays 0 to half a step. Truth: the same scene with lowRate = rate.";

}  // namespace

std::vector<Experiment> truth_experiments() {
  return {
      {"T.1", "beyond the papers", "Truth: two hands on a soft bar", "two-hands.yaml", same_claim, "nothing",
       truth_of_two_hands},
      {"T.2", "beyond the papers", "Truth: K16's soft sine", "k16-soft-sine.yaml", same_claim, "nothing",
       truth_of_soft_sine},
      {"T.3", "beyond the papers", "Truth: K16's soft statue", "k16-soft-statue.yaml", same_claim, "nothing",
       truth_of_soft_statue},
      {"T.4", "beyond the papers", "Truth: K16's two hands", "k16-two-hands.yaml", same_claim, "nothing",
       truth_of_k16_hands},
      {"T.5", "beyond the papers", "Truth: P11's snap-in", "p11-snap-in.yaml", same_claim, "nothing",
       truth_of_beam_clip},
      {"T.6", "beyond the papers", "Truth: P11's thread", "p11-thread.yaml", same_claim, "nothing",
       truth_of_thread},
      {"T.7", "beyond the papers", "Truth: a finely meshed statue, swept fast", "k16-statue.yaml",
       "A point is swept over a finely meshed statue at 0.05 to 0.3 m/s with default settings: force within "
       "5 % "
       "of the truth's, the point never lost.",
       "nothing", truth_of_fast_points},
      {"T.8", "beyond the papers", "Truth: bodies that move", "two-rates-box.yaml",
       "A box pushed over a table (μmg), a free body accelerated (ma), an impact: force within 3 % of the "
       "single rate, "
       "momentum of the body = impulse of the hand within 1 %, at 20, 50 and 200 Hz.",
       "nothing", truth_of_moving_bodies},
  };
}

}  // namespace palp::reproduce
