// The experiments of K16: the list, and the trace that they share.
#include "k16.hpp"

#include <algorithm>
#include <cmath>

#include "palp/proximity/distance.hpp"

namespace palp::reproduce {
namespace {

/// Distance from a surface, by trying every triangle whose box is near.
double distance_from(const TriMesh& mesh, const Vec3& x) {
  double best = 1;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]];
    const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    if ((low - x).maxCoeff() > best || (x - high).maxCoeff() > best) continue;
    const Vec3 w = closest_on_triangle(x, a, b, c);
    best = std::min(best, (w[0] * a + w[1] * b + w[2] * c - x).norm());
  }
  return best;
}

}  // namespace

std::vector<double> TouchTrace::magnitude(int hand) const {
  std::vector<double> out;
  for (const Vec3& f : force[hand]) out.push_back(f.norm());
  return out;
}

double TouchTrace::largest_jump(int hand, double from_s) const {
  double jump = 0;
  for (size_t i = 1; i < time.size(); ++i)
    if (time[i - 1] >= from_s) jump = std::max(jump, (force[hand][i] - force[hand][i - 1]).norm());
  return jump;
}

double TouchTrace::largest_away(double from_s) const {
  double largest = 0;
  for (size_t i = 0; i < away.size(); ++i)
    if (time[i] >= from_s) largest = std::max(largest, away[i]);
  return largest;
}

Result<TouchTrace> touch(Context& context, const std::string& file, const std::vector<SceneOverride>& changes,
                         bool measure_away, std::unique_ptr<Simulation>* keep) {
  auto s = Simulation::start(context, file, changes);
  if (!s) return s.error();
  const HapticLoop* loop = s->run->loop();
  if (!loop || loop->model().limited_tools.empty())
    return Error{.message = "the scene's haptic contacts are not GLCs", .file = file};
  const size_t hands = loop->model().limited_tools.size();
  TouchTrace t;
  t.input.resize(hands);
  t.proxy.resize(hands);
  t.force.resize(hands);
  TriMesh skin;
  for (long tick = 0; s->time_s() < s->scene->seconds - 1e-9; ++tick) {
    if (auto ok = s->advance(); !ok) return ok.error();
    const StepRecord& r = s->run->record();
    t.time.push_back(r.time_s);
    for (size_t k = 0; k < hands; ++k) {
      t.input[k].push_back(r.hands[k].pose.position);
      t.proxy[k].push_back(loop->high().tools[static_cast<size_t>(loop->model().limited_tools[k])].state.x);
      t.force[k].push_back(r.hands[k].wrench.force);
    }
    if (measure_away) {
      if (r.low_step) skin = s->run->skin(0);
      t.away.push_back(distance_from(skin, t.proxy[0].back()));
    }
    const TickReport& report = loop->report();
    t.tick_us.push_back(report.times.total_us());
    t.glcs.push_back(report.limited);
    t.sweeps.push_back(report.sweeps);
    t.unsettled += !report.converged;
    t.held_back += report.held_back > 0;
    t.held += report.held > 0 || report.overstep > 0;
    if (report.converged) t.certificate = std::max(t.certificate, report.certificate);
    if (loop->made_low_step()) {
      t.low_us.push_back(loop->low_report().times.total_us());
      t.low_glcs.push_back(loop->low_report().limited);
      t.region.push_back(loop->low_report().smallest_region_m);
    }
    if (tick % 100 == 0) context.progress(s->time_s() / s->scene->seconds, file);
  }
  if (keep) *keep = std::make_unique<Simulation>(std::move(*s));
  return t;
}

std::vector<Experiment> k16_experiments() {
  return {
      {"K16.1", "K16 §7.1, figure 6 above", "A fast swipe over a rigid sine", "k16-sine.yaml",
       "With GLCs the proxy stays on the surface and the force is smooth; with the standard contact model it "
       "leaves the "
       "surface and snaps back when the low rate brings the next contact.",
       "Trajectories and forces: on the surface and smooth against off the surface and jumping; no numbers.",
       rigid_sine},
      {"K16.2", "K16 §7.1, figures 6 below and 7", "The same surface, soft", "k16-soft-sine.yaml",
       "The same comparison with the surface embedded in a deformable grid.",
       "Smooth forces that follow the sine against large jumps; no numbers.", soft_sine},
      {"K16.3", "K16 §7.1, figures 8 and 9", "A rigid shape with saddles, arms and edges", "k16-statue.yaml",
       "Also where a surface is convex one way and concave the other the forces stay smooth, and the "
       "standard model "
       "jumps. The paper's statue is replaced by an implicit one.",
       "Force curves: smooth against jumps and kinks.", rigid_statue},
      {"K16.4", "K16 §7.1, figures 8 and 10", "The same shape, soft", "k16-soft-statue.yaml",
       "The same comparison with the shape embedded in a deformable grid.",
       "Force curves: smooth against jumps and kinks.", soft_statue},
      {"K16.5", "K16 §7.2, figures 11 and 12", "Two hands on a soft bar", "k16-two-hands.yaml",
       "One hand presses from below and stays, the other slides over the top: both feel more force the "
       "closer they are.",
       "Both forces rise as the hands approach.", two_hands},
      {"K16.6", "K16 §7.3, figures 13 and 14", "Time of both rates", "k16-soft-statue.yaml",
       "The soft statue and the two hands keep 1 kHz and 30 Hz; the solver always converges.",
       "Statue: tick 0.09 ms on average, 0.41 ms at most; low rate 15.2 and 32.3 ms. Two hands: 0.01 and 0.9 "
       "ms; 20.8 and "
       "28.8 ms. 50 to 100 GLCs, below 30 iterations (2.53 GHz Xeon).",
       times},
      {"K16.7", "K16 §6 and §7.4, figures 15 to 17", "A bound on the number of constraints",
       "k16-graded.yaml",
       "Where the mesh is fine, a bound on the number of constraints shrinks the region and keeps the time "
       "of the low rate "
       "bounded; without it the time grows with the resolution.",
       "100 constraints stay below 33 ms; without the bound 120 exceed it.", varying_resolution},
      {"K16.8", "K16 §3.5, figures 4 and 5", "Motions that overleap constraints", "k16-statue.yaml",
       "Without the inner trust region a fast motion passes through opposite walls and around a concave "
       "corner; with it "
       "never.",
       "Drawings of both situations.", tunnelling},
      {"K16.9", "beyond K16 §8", "Limited constraints for tools with a shape", "k16-tools.yaml",
       "A rigid tip, a beam hook and a soft finger go over a sine, an edge and a statue at 0.3 m/s, with "
       "limited "
       "constraints and with ordinary contact, of the snapshot as in P11 and found by the ticks.",
       "Not in the paper, whose tools are points.", shaped_tools},
  };
}

}  // namespace palp::reproduce
