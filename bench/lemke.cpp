// D06 figure 8: Algorithm 1 on the true cone (coulomb_gs) against the eight-sided pyramid with Lemke, over
// the number of contacts; medians over random tangential motions and friction coefficients. Both in one run;
// no absolute time counts.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include "palp/solvers/pyramid_lemke.hpp"

namespace {

using namespace palp;

/// Contacts under the four feet of a table: W = near field of each foot + the sway of the whole.
Problem table(int m, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  std::vector<Vec3> points;
  for (int i = 0; i < m; ++i) {
    const Vec3 foot(i % 2 ? 0.3 : -0.3, i / 2 % 2 ? 0.2 : -0.2, 0);
    points.push_back(foot + 0.03 * Vec3(uniform(random), uniform(random), 0));
  }
  Problem p;
  p.W.dense.setZero(3 * m, 3 * m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const double local = std::exp(-(points[i] - points[j]).squaredNorm() / (0.015 * 0.015));
      const bool same_foot = i % 4 == j % 4;
      Mat3 block = Mat3::Identity() * (local + 0.1);
      if (same_foot) block.bottomRightCorner<2, 2>() += 0.8 * Mat2::Identity();  // legs bend
      p.W.dense.block<3, 3>(3 * i, 3 * j) = 1e-5 * block;
    }
  const double angle = 6.283185307179586 * uniform(random), slide = 1e-4 * uniform(random);
  p.delta_free.resize(3 * m);
  p.mu = VecX::Constant(m, 0.05 + 0.75 * uniform(random));
  for (int i = 0; i < m; ++i)
    p.delta_free.segment<3>(3 * i) << -1e-4 * (0.5 + uniform(random)), slide * std::cos(angle),
        slide * std::sin(angle);
  return p;
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<long>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int tests = argc > 1 ? std::max(1, std::atoi(argv[1])) : 10;
  std::mt19937_64 random(6);
  auto made = make_solver("coulomb_gs");
  if (!made) return std::puts(made.error().text().c_str()), 1;
  Solver& gs = **made;
  PyramidLemke pyramid(8);
  std::printf("coulomb_gs (certificate 1e-4) against 8-sided pyramid + Lemke, medians of %d problems\n",
              tests);
  std::printf("%9s %10s %8s %12s %8s %8s %10s %10s %8s\n", "contacts", "gs_us", "sweeps", "lemke_us", "rows",
              "pivots", "lemke/gs", "gamma_%", "failed");
  double first_gs = 0, first_lemke = 0, last_gs = 0, last_lemke = 0;
  const int counts[] = {4, 8, 12, 20, 30, 40, 60};
  for (int m : counts) {
    std::vector<double> gs_us, lemke_us, sweeps, pivots, gamma;
    int failed = 0;
    for (int test = 0; test < (m > 30 ? std::min(tests, 5) : tests); ++test) {
      const Problem p = table(m, random);
      VecX f_gs = VecX::Zero(3 * m), f_lcp = VecX::Zero(3 * m);
      if (!gs.set_problem(p) || !pyramid.set_problem(p)) return 1;
      const SolveReport a = gs.solve({.tolerance = 1e-4}, f_gs);
      const SolveReport b = pyramid.solve({.tolerance = 1e-4}, f_lcp);
      failed += !a.converged() || !pyramid.lcp_solved();
      gs_us.push_back(a.time_us);
      sweeps.push_back(a.sweeps);
      lemke_us.push_back(b.time_us);
      pivots.push_back(b.sweeps);
      gamma.push_back(100 * (f_lcp - f_gs).norm() / f_gs.norm());  // D06 eq. 26
    }
    last_gs = median(gs_us);
    last_lemke = median(lemke_us);
    if (m == counts[0]) {
      first_gs = last_gs;
      first_lemke = last_lemke;
    }
    std::printf("%9d %10.1f %8.0f %12.1f %8d %8.0f %10.1f %10.2f %8d\n", m, last_gs, median(sweeps),
                last_lemke, pyramid.lcp_rows(), median(pivots), last_lemke / last_gs, median(gamma), failed);
  }
  const double octaves = std::log(60.0 / 4.0);
  std::printf("growth exponents, 4 to 60 contacts: gs %.2f, lemke %.2f\n",
              std::log(last_gs / first_gs) / octaves, std::log(last_lemke / first_lemke) / octaves);
  return 0;
}
