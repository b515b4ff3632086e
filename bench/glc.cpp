// Cost of K16's solver per haptic tick against the number of GLCs: a proxy with friction swiped over a sine
// surface (5 mm, 25 mm: K16 §7.1) that gives way under it, 1 ms steps. Printed beside the tick: one dense
// product W·f of the same size, timed in the same run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "timing.hpp"

#include "palp/solvers/glc_pgs.hpp"

namespace {

using namespace palp;
constexpr double mm = 1e-3;
constexpr double kCompliance = 1 / (1e-3 / 1e-6 + 0.8 / 1e-3 + 1000);  // K16: 1 g, 0.8 N·s/m, 1000 N/m, 1 ms

double height(double x) { return 5 * mm * std::sin(2 * std::numbers::pi * x / (25 * mm)); }

/// A closed surface of flat facets over 40 mm × 40 mm, columns × rows of them, and a GLC along every concave
/// edge: the boxes below two facets that meet in a valley leave a wedge between them, which the edge's own
/// GLC fills.
GlcProblem sine_surface(int columns, int rows_along_y) {
  GlcProblem problem;
  problem.proxy.push_back({.compliance = kCompliance, .trust_half = Vec3::Constant(20 * mm)});
  const double cell = 40 * mm / columns, width = 40 * mm / rows_along_y, depth = 2 * mm;
  const auto vertex = [&](int a, double y) {
    const double x = -20 * mm + a * cell;
    return Vec3(x, y, height(x));
  };
  const auto add = [&](const Vec3& p, const Vec3& t1, double s1) {
    Glc g{.p = p, .s1 = s1, .s2 = 0.51 * width, .d = depth, .mu = 0.1};
    g.t1 = t1.normalized();
    g.t2 = Vec3::UnitY();
    g.n = g.t1.cross(g.t2);
    problem.glc.push_back(g);
  };
  for (int b = 0; b < rows_along_y; ++b) {
    const double y = -20 * mm + (b + 0.5) * width;
    for (int a = 0; a < columns; ++a) {
      const Vec3 left = vertex(a, y), right = vertex(a + 1, y);
      add(0.5 * (left + right), right - left, 0.5 * (right - left).norm() * (1 + 1e-6));
      if (a == 0) continue;
      const Vec3 before = (left - vertex(a - 1, y)).normalized(), after = (right - left).normalized();
      const double turn = std::asin(before.x() * after.z() - before.z() * after.x());
      if (turn > 0) add(left, before + after, 1.1 * depth * std::sin(turn / 2) + 1e-6);
    }
  }
  // The proxy's compliance, and a body whose response falls off with the distance.
  const int m = problem.nodes = problem.size();
  set_rigid_response(problem);
  for (int i = 0; i < m; ++i) {
    problem.glc[i].node[0] = i;
    problem.glc[i].weight = Vec3::UnitX();
    for (int j = 0; j < m; ++j) {
      const double away = (problem.glc[i].p - problem.glc[j].p).squaredNorm();
      problem.W.block<3, 3>(3 * i, 3 * j) =
          0.3 * kCompliance * std::exp(-away / (50 * mm * mm)) * Mat3::Identity();
    }
  }
  return problem;
}

void move(const GlcProblem& problem, const Vec3& from, const Vec3& to, GlcMotion& motion) {
  motion.x_old[0] = from;
  motion.x_free[0] = to;
  for (int i = 0; i < problem.size(); ++i) {
    const Glc& g = problem.glc[i];
    motion.delta_free.segment<3>(3 * i) << g.n.dot(to - g.p), g.t1.dot(to - from), g.t2.dot(to - from);
    motion.tau_start.segment<2>(2 * i) << g.t1.dot(from - g.p), g.t2.dot(from - g.p);
  }
}

double percentile(const std::vector<double>& sorted, double p) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(p * static_cast<double>(sorted.size())))];
}

}  // namespace

int main(int argc, char** argv) {
  const int ticks = argc > 1 ? std::max(100, std::atoi(argv[1])) : 4000;
  std::printf(
      "K16 solver on a compliant sine surface with friction, %d ticks of 1 ms, tolerance 1e-6, warm start\n",
      ticks);
  std::printf("%6s %8s %8s %8s %8s %8s %9s %8s %8s %7s %7s %9s\n", "GLCs", "mean_us", "p50_us", "p99_us",
              "p99.9_us", "max_us", "share_%", "Wf_us", "mean/Wf", "sweeps", "active", "unsettled");
  double log_n_first = 0, log_t_first = 0;
  for (int columns : {6, 9, 13, 18, 26}) {
    const GlcProblem problem = sine_surface(columns, columns / 2);
    const int m = problem.size();
    GlcPgs pgs({.glc = m, .nodes = m, .other = 0, .proxies = 1});
    if (const auto ok = validate(problem); !ok) return std::puts(ok.error().text().c_str()), 1;
    if (const auto ok = pgs.set_problem(problem); !ok) return std::puts(ok.error().text().c_str()), 1;
    GlcMotion motion;
    motion.delta_free.resize(3 * m);
    motion.tau_start.resize(2 * m);
    motion.x_old.resize(1);
    motion.x_free.resize(1);
    VecX f = VecX::Zero(3 * m);
    Vec3 x(-15 * mm, 0, height(-15 * mm));
    std::vector<double> times;
    double mean = 0, sweeps = 0, active = 0;
    int unsettled = 0;
    for (int tick = 0; tick < ticks; ++tick) {
      const double t =
          1e-3 * tick;  // swipes of 1.5 Hz along x, 0.4 Hz along y, the input 1 mm below the surface
      const Vec3 input(15 * mm * std::sin(2 * std::numbers::pi * 1.5 * t),
                       12 * mm * std::sin(2 * std::numbers::pi * 0.4 * t), 0);
      move(problem, x, {input.x(), input.y(), height(input.x()) - 1 * mm}, motion);
      const double start = cpu_us();
      const GlcReport report = pgs.solve({.warm_start = true}, motion, f);
      const double time = cpu_us() - start;
      times.push_back(time);
      mean += time / ticks;
      sweeps += static_cast<double>(report.sweeps) / ticks;
      active += static_cast<double>(report.active) / ticks;
      unsettled += !report.converged();
      x = pgs.proxy_position(0);
    }
    std::sort(times.begin(), times.end());
    VecX product(3 * m), dense = VecX::Random(3 * m);
    std::vector<double> products;
    for (int k = 0; k < 200; ++k) {
      const double start = cpu_us();
      product.noalias() = problem.W * dense;
      products.push_back(cpu_us() - start);
      dense[k % (3 * m)] += 1e-9 * product[0];
    }
    std::sort(products.begin(), products.end());
    const double wf = percentile(products, 0.5);
    std::printf("%6d %8.2f %8.2f %8.2f %8.2f %8.2f %9.2f %8.2f %8.2f %7.1f %7.1f %9d\n", m, mean,
                percentile(times, 0.5), percentile(times, 0.99), percentile(times, 0.999), times.back(),
                100 * mean / 1000, wf, mean / wf, sweeps, active, unsettled);
    if (log_n_first == 0) {
      log_n_first = std::log(m);
      log_t_first = std::log(percentile(times, 0.5));
    } else if (columns == 26) {
      std::printf("growth exponent of the median tick, fewest to most GLCs: %.2f (W f: 2)\n",
                  (std::log(percentile(times, 0.5)) - log_t_first) / (std::log(m) - log_n_first));
    }
  }
  return 0;
}
