// Random GLC problems: whatever comes in, the answer is finite, within its limits and made without
// allocating; what is called converged satisfies K16's conditions, checked here from the geometry and
// independently of the solver's sets.
#include <numbers>
#include <random>

#include "solvers/glc_scene.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace glc_fuzz_test {

using cases::face;
using cases::GlcScene;
using Random = std::mt19937_64;
constexpr double mm = 1e-3;

Vec3 random_direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

GlcScene random_scene(Random& random) {
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  GlcScene scene;
  const int proxies = 1 + static_cast<int>(random() % 3), m = static_cast<int>(random() % 24);
  for (int p = 0; p < proxies; ++p) {
    scene.add_proxy(Vec3::Zero());
    if (random() % 3 == 0) scene.problem.proxy[p].trust_half = Vec3::Constant((1 + 5 * uniform(random)) * mm);
  }
  for (int i = 0; i < m; ++i)
    scene.add(face(3 * mm * random_direction(random) * uniform(random), random_direction(random),
                   (0.2 + 4 * uniform(random)) * mm, (0.2 + 4 * uniform(random)) * mm,
                   (0.1 + 3 * uniform(random)) * mm, random() % 2 ? uniform(random) : 0,
                   static_cast<int>(random() % proxies)));
  for (Glc& g : scene.problem.glc) {
    if (random() % 2) continue;
    for (g.sides = 0; g.sides < 1 + static_cast<int>(random() % Glc::most_sides); ++g.sides) {
      const double angle = 2 * std::numbers::pi * uniform(random);
      g.side[g.sides] = {std::cos(angle), std::sin(angle), (0.1 + uniform(random)) * std::max(g.s1, g.s2)};
    }
  }
  for (int k = static_cast<int>(random() % 4); k > 0; --k) {
    OtherConstraint other{.kind = random() % 2 ? ContactKind::bilateral : ContactKind::unilateral,
                          .mu = uniform(random),
                          .proxy = static_cast<int>(random() % (proxies + 1)) - 1};
    if (other.proxy >= 0)
      other.frame = cases::frame_rows(face(Vec3::Zero(), random_direction(random), 1, 1, 1));
    scene.problem.other.push_back(other);
  }
  scene.assemble();
  const int rows = 3 * scene.problem.size();
  for (int r = 3 * m; r < rows; ++r) scene.problem.W(r, r) += 3e-4;  // the others hold on to something soft
  if (random() % 2 && rows > 0) {  // the touched body gives way: it couples everything
    MatX Y(5, rows);
    for (double& y : Y.reshaped()) y = normal(random);
    scene.problem.W += 1e-4 / 5 * Y.transpose() * Y;
  }
  return scene;
}

void random_motion(Random& random, GlcScene& scene) {
  std::uniform_real_distribution<double> uniform;
  std::vector<Vec3> a, b;
  for (size_t p = 0; p < scene.problem.proxy.size(); ++p) {
    a.push_back(4 * mm * uniform(random) * random_direction(random));
    b.push_back(a.back() + 6 * mm * uniform(random) * random_direction(random));
  }
  scene.move(a, b);
  for (int i = static_cast<int>(scene.problem.glc.size()); i < scene.problem.size(); ++i)
    scene.motion.delta_free.segment<3>(3 * i) = mm * random_direction(random);
}

// K16's conditions at the end of a converged solve.
void check_answer(const GlcScene& scene, const GlcPgs& pgs, const VecX& f, const GlcReport& report,
                  double tolerance, int trial) {
  const GlcProblem& problem = scene.problem;
  const int m = static_cast<int>(problem.glc.size());
  // What the certificate promises in metres: ρ|ψ| ≤ tolerance · max(‖f‖, ‖ρ δ_free‖).
  const MatX W = cases::whole_response(problem);
  double softest = 0, stiffest = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const double rho = contact_rho(W.block<3, 3>(3 * i, 3 * i));
    if (rho > 0) softest = std::max(softest, 1 / rho);
    stiffest = std::max(stiffest, rho);
  }
  const double near =
      1e-9 + 4 * tolerance * softest * std::max(f.norm(), stiffest * scene.motion.delta_free.norm());
  std::vector<Vec3> x(problem.proxy.size());
  for (size_t p = 0; p < x.size(); ++p) {
    Vec3 force = pgs.trust_force(static_cast<int>(p));
    for (int i = 0; i < problem.size(); ++i) {
      const int owner = i < m ? problem.glc[i].proxy : problem.other[i - m].proxy;
      if (owner != static_cast<int>(p)) continue;
      const Mat3 R = i < m ? cases::frame_rows(problem.glc[i]) : problem.other[i - m].frame;
      force += R.transpose() * f.segment<3>(3 * i);
    }
    x[p] = scene.motion.x_free[p] + problem.proxy[p].compliance * force;
    EXPECT_LT((x[p] - pgs.proxy_position(static_cast<int>(p))).norm(), near) << trial;
    EXPECT_LE((x[p] - problem.proxy[p].trust_centre - problem.proxy[p].trust_half).maxCoeff(), near) << trial;
  }
  VecX delta = W * f + scene.motion.delta_free;
  const auto coordinates = [&](int i) -> Vec3 {
    const Vec3 shift = pgs.trust_force(problem.glc[i].proxy) * problem.proxy[problem.glc[i].proxy].compliance;
    Vec3 c = delta.segment<3>(3 * i) + cases::frame_rows(problem.glc[i]) * shift;
    c.tail<2>() += scene.motion.tau_start.segment<2>(2 * i);
    return c;
  };
  const auto in_range = [&](int i, double slack) {
    const Vec3 c = coordinates(i);
    const Glc& g = problem.glc[i];
    bool in = std::abs(c[1]) <= g.s1 + slack && std::abs(c[2]) <= g.s2 + slack && c[0] >= -g.d - slack;
    for (int k = 0; k < g.sides; ++k)
      in = in && g.side[k].a1 * c[1] + g.side[k].a2 * c[2] <= g.side[k].b + slack;
    return in;
  };
  for (int i = 0; i < m; ++i) {
    const double psi = coordinates(i)[0];
    if (f.segment<3>(3 * i) != Vec3::Zero()) {
      const Glc& g = problem.glc[i];
      EXPECT_TRUE(in_range(i, near + report.overstep * std::max({g.s1, g.s2, g.d})))
          << trial << " GLC " << i << " carries outside its region";
      EXPECT_NEAR(psi, 0, near) << trial;
      EXPECT_LE(f.segment<2>(3 * i + 1).norm(), problem.glc[i].mu * f[3 * i] * (1 + 1e-9)) << trial;
    }
    if (psi > -near || !in_range(i, -near)) continue;
    bool excused = false;  // a partner in the convex sense that is not violated
    for (int j = 0; j < m && !excused; ++j)
      excused = problem.glc[j].proxy == problem.glc[i].proxy && coordinates(j)[0] >= -near &&
                in_range(j, near + report.overstep *
                                       std::max({problem.glc[j].s1, problem.glc[j].s2, problem.glc[j].d})) &&
                convex_pair(problem.glc[i], problem.glc[j], 1e-8);
    EXPECT_TRUE(excused) << trial << " GLC " << i << " is violated by " << psi;
  }
}

TEST(GlcFuzz, answers_are_finite_bounded_without_allocation_and_right_when_converged) {
  Random random(31);
  GlcPgs pgs({.glc = 24, .other = 4, .proxies = 3});
  int converged = 0, total = 0, budget_spent = 0, oversteps = 0;
  VecX f(3 * 28);
  for (int trial = 0; trial < 2000; ++trial) {
    GlcScene scene = random_scene(random);
    ASSERT_TRUE(validate(scene.problem)) << trial;
    const long before_set = testing::allocations();
    const auto set = pgs.set_problem(scene.problem);
    EXPECT_EQ(testing::allocations(), before_set) << trial;
    ASSERT_TRUE(set);
    f.conservativeResize(3 * scene.problem.size());
    f.setZero();
    for (int tick = 0; tick < 3; ++tick) {
      random_motion(random, scene);
      SolveOptions options{.tolerance = 1e-7, .max_sweeps = 300, .warm_start = tick > 0};
      if (random() % 8 == 0) options.budget_us = static_cast<double>(random() % 3);
      const long before = testing::allocations();
      const GlcReport report = pgs.solve(options, scene.motion, f);
      EXPECT_EQ(testing::allocations(), before) << trial;
      ASSERT_TRUE(f.allFinite()) << trial;
      EXPECT_LE(report.sweeps, options.max_sweeps);
      EXPECT_EQ(report.converged(), report.status == SolveStatus::converged);
      budget_spent += report.status == SolveStatus::budget_spent;
      if (std::isfinite(options.budget_us)) continue;
      ++total;
      if (!report.converged()) continue;
      ++converged;
      EXPECT_LE(report.certificate, options.tolerance);
      check_answer(scene, pgs, f, report, options.tolerance, trial);
      oversteps += report.overstep > 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(budget_spent, 100);
  EXPECT_LT(oversteps, 0.1 * converged);
  // Random features make no surface: where a patch simply ends, the proxy may be pushed off it and fall back
  // on it without end. Most problems have an answer.
  EXPECT_GT(converged, 0.8 * total) << converged << " of " << total;
}

// A closed convex solid: a ball of flat facets, each GLC the rectangle around its facet. From outside no
// motion enters it.
struct FacetBall {
  std::vector<Vec3> normals;
  double radius = 8 * mm;
  explicit FacetBall(int facets) {
    for (int i = 0; i < facets; ++i) {  // Fibonacci sphere
      const double z = 1 - 2 * (i + 0.5) / facets, a = 2 * std::numbers::pi * 0.6180339887498949 * i;
      normals.emplace_back(std::sqrt(1 - z * z) * std::cos(a), std::sqrt(1 - z * z) * std::sin(a), z);
    }
  }
  double outside(const Vec3& x) const {  // largest plane distance: ≥ 0 outside
    double largest = -1;
    for (const Vec3& n : normals) largest = std::max(largest, n.dot(x) - radius);
    return largest;
  }
};

TEST(GlcFuzz, no_motion_enters_a_closed_convex_solid) {
  Random random(32);
  std::uniform_real_distribution<double> uniform;
  const FacetBall ball(60);
  for (double mu : {0.0, 0.3}) {
    GlcScene scene;
    scene.add_proxy(Vec3::Zero());
    const double half = 1.3 * ball.radius * std::sqrt(4 * std::numbers::pi / 60) / 2;
    for (const Vec3& n : ball.normals)
      scene.add(face(ball.radius * n, n, 1.5 * half, 1.5 * half, 0.4 * ball.radius, mu));
    scene.assemble();
    GlcPgs pgs({.glc = 60, .other = 0, .proxies = 1});
    ASSERT_TRUE(pgs.set_problem(scene.problem));
    VecX f = VecX::Zero(180);
    Vec3 x(2 * ball.radius, 0, 0);
    int touching = 0, unsettled = 0;
    for (int tick = 0; tick < 3000; ++tick) {
      const Vec3 input =
          1.2 * ball.radius * uniform(random) * random_direction(random);  // anywhere, often inside
      const Vec3 pull = x + 0.5 * (input - x);
      scene.move({x}, {pull});
      const GlcReport report =
          pgs.solve({.tolerance = 1e-9, .max_sweeps = 400, .warm_start = true}, scene.motion, f);
      x = pgs.proxy_position(0);
      unsettled += !report.converged();
      touching += f.norm() > 0;
      ASSERT_GE(ball.outside(x), report.converged() ? -1e-8 : -0.4 * ball.radius) << tick;
      if (!report.converged()) x = 1.5 * ball.radius * x.normalized();
    }
    EXPECT_GT(touching, 500) << mu;
    EXPECT_LT(unsettled, 10) << mu;
  }
}

// K16's first experiment with rigid facets: a swipe over a sine (5 mm, 25 mm), the input 1 mm below it.
// Concave edges have GLCs of their own, which fill the wedge between the regions below their facets. The
// proxy never leaves the facets.
TEST(GlcFuzz, fast_swipe_over_sine_facets_stays_on_them) {
  const int columns = 40;
  const double length = 100 * mm, cell = length / columns, depth = 2 * mm;
  const auto height = [](double x) { return 5 * mm * std::sin(2 * std::numbers::pi * x / (25 * mm)); };
  const auto vertex = [&](int a) { return Vec3(a * cell, 0, height(a * cell)); };
  const auto facets = [&](double x) {
    const int a = std::clamp(static_cast<int>(x / cell), 0, columns - 1);
    return vertex(a).z() + (x / cell - a) * (vertex(a + 1).z() - vertex(a).z());
  };
  GlcScene scene;
  scene.add_proxy(Vec3::Zero());
  for (int a = 0; a < columns; ++a) {
    const Vec3 along = vertex(a + 1) - vertex(a), up = along.cross(Vec3::UnitY());
    scene.add(face(0.5 * (vertex(a) + vertex(a + 1)), up, 0.5 * along.norm() * (1 + 1e-9), 5 * mm, depth, 0.1,
                   0, along));
    if (a == 0) continue;
    const Vec3 before = (vertex(a) - vertex(a - 1)).normalized(), after = along.normalized();
    const double turn = std::asin(before.x() * after.z() - before.z() * after.x());
    if (turn > 0)
      scene.add(face(vertex(a), (before + after).cross(Vec3::UnitY()), 1.1 * depth * std::sin(turn / 2),
                     5 * mm, depth, 0.1, 0, before + after));
  }
  scene.assemble();
  GlcPgs pgs;
  ASSERT_TRUE(pgs.set_problem(scene.problem));
  VecX f = VecX::Zero(3 * scene.problem.size());
  Vec3 x(1 * mm, 0, facets(1 * mm));
  for (int tick = 1; tick <= 120; ++tick) {  // 0.8 m/s
    const double at = (1 + 0.8 * tick) * mm;
    scene.move({x}, {Vec3(at, 0, height(at) - 1 * mm)});
    const GlcReport report =
        pgs.solve({.tolerance = 1e-9, .max_sweeps = 500, .warm_start = true}, scene.motion, f);
    ASSERT_TRUE(report.converged()) << tick << " certificate " << report.certificate << " sweeps "
                                    << report.sweeps;
    x = pgs.proxy_position(0);
    ASSERT_NEAR(x.z(), facets(x.x()), 1e-7) << tick;
  }
  EXPECT_GT(x.x(), 90 * mm);
}

// A closed room seen from inside: every corner is concave. No motion leaves it.
TEST(GlcFuzz, no_motion_leaves_a_closed_room) {
  Random random(33);
  std::uniform_real_distribution<double> uniform;
  for (double mu : {0.0, 0.2}) {
    GlcScene scene;
    scene.add_proxy(Vec3::Zero());
    const double half = 5 * mm, wall = 1 * mm;
    for (int axis = 0; axis < 3; ++axis)
      for (double side : {-1.0, 1.0})
        scene.add(face(side * half * Vec3::Unit(axis), -side * Vec3::Unit(axis), half + wall, half + wall,
                       wall, mu, 0, Vec3::Unit((axis + 1) % 3)));
    scene.assemble();
    GlcPgs pgs;
    ASSERT_TRUE(pgs.set_problem(scene.problem));
    VecX f = VecX::Zero(18);
    Vec3 x = Vec3::Zero();
    for (int tick = 0; tick < 2000; ++tick) {
      const Vec3 input = 20 * mm * uniform(random) * random_direction(random);
      scene.move({x}, {input});
      const GlcReport report =
          pgs.solve({.tolerance = 1e-9, .max_sweeps = 2000, .warm_start = true}, scene.motion, f);
      ASSERT_LT(report.certificate, 1e-7) << tick << " " << input.transpose();
      x = pgs.proxy_position(0);
      ASSERT_LE(x.cwiseAbs().maxCoeff(), half + 1e-8) << tick;
      if (mu == 0) {  // the box is convex from inside: the answer is the clamped input
        ASSERT_TRUE(report.converged()) << tick;
        ASSERT_LT((x - input.cwiseMax(-half).cwiseMin(half)).norm(), 1e-8) << tick;
      }
    }
  }
}

}  // namespace glc_fuzz_test
}  // namespace palp
