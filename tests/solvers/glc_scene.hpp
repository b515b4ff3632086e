// Rigid surfaces made of GLCs and the point proxies that touch them; the body may add a compliance of its
// own. Parameters of K16 §7: proxy 1 g, 1000 N/m, 0.8 N·s/m, step 1 ms.
#pragma once
#include <gtest/gtest.h>

#include "palp/solvers/glc_pgs.hpp"

namespace palp::cases {

constexpr double mm = 1e-3;
const Vec3 kUp = Vec3::UnitZ(), kRight = Vec3::UnitX();
constexpr double kProxyCompliance = 1 / (1e-3 / 1e-6 + 0.8 / 1e-3 + 1000);

inline Glc face(const Vec3& p, const Vec3& normal, double s1, double s2, double d, double mu = 0,
                int proxy = 0, const Vec3& along = Vec3::UnitX()) {
  Glc g{.proxy = proxy, .p = p, .s1 = s1, .s2 = s2, .d = d, .mu = mu};
  g.n = normal.normalized();
  const Vec3 t = along - along.dot(g.n) * g.n;
  g.t1 = t.norm() > 1e-9 ? Vec3(t.normalized()) : g.n.unitOrthogonal();
  g.t2 = g.n.cross(g.t1);
  return g;
}

inline Mat3 frame_rows(const Glc& g) { return frame_of(g); }

/// The matrix of the whole contact problem, N (E W Eᵀ + C) Nᵀ, by its definition.
inline MatX whole_response(const GlcProblem& problem) {
  const int m = static_cast<int>(problem.glc.size()), all = problem.size();
  MatX N = MatX::Zero(3 * all, problem.C.rows()), E = MatX::Zero(3 * all, problem.W.rows());
  for (int i = 0; i < all; ++i) {
    const int p = i < m ? problem.glc[i].proxy : problem.other[i - m].proxy;
    if (p >= 0) N.block<3, 3>(3 * i, 3 * p) = i < m ? frame_rows(problem.glc[i]) : problem.other[i - m].frame;
    if (i >= m) E.block<3, 3>(3 * i, 3 * (problem.nodes + i - m)).setIdentity();
    for (int k = 0; i < m && k < 3; ++k)
      if (const Glc& g = problem.glc[i]; g.node[k] >= 0)
        E.block<3, 3>(3 * i, 3 * g.node[k]) += g.weight[k] * frame_rows(g);
  }
  return E * problem.W * E.transpose() + N * problem.C * N.transpose();
}

struct GlcScene {
  GlcProblem problem;
  GlcMotion motion;

  int add_proxy(const Vec3& x) {
    problem.proxy.push_back({.compliance = kProxyCompliance});
    motion.x_old.push_back(x);
    motion.x_free.push_back(x);
    return static_cast<int>(problem.proxy.size()) - 1;
  }
  void add(const Glc& g) { problem.glc.push_back(g); }

  /// Points against rigid ground; every GLC has a node of its own.
  void assemble() {
    const int m = static_cast<int>(problem.glc.size()), all = problem.size();
    problem.nodes = m;
    for (int i = 0; i < m; ++i) {
      problem.glc[i].node[0] = i;
      problem.glc[i].weight = Vec3::UnitX();
    }
    for (size_t p = 0; p < problem.proxy.size(); ++p) problem.proxy[p].tool = static_cast<int>(p);
    set_rigid_response(problem);
    motion.delta_free = VecX::Zero(3 * all);
    motion.tau_start = VecX::Zero(2 * m);
  }

  /// The ground gives way by B, in the axes of the GLCs.
  void give(const MatX& B) {
    MatX R = MatX::Identity(B.rows(), B.cols());
    for (size_t i = 0; i < problem.glc.size(); ++i) R.block<3, 3>(3 * i, 3 * i) = frame_rows(problem.glc[i]);
    problem.W += R.transpose() * B * R;
  }

  /// A step of every proxy from x_old to x_free.
  void move(const std::vector<Vec3>& x_old, const std::vector<Vec3>& x_free) {
    motion.x_old = x_old;
    motion.x_free = x_free;
    for (size_t i = 0; i < problem.glc.size(); ++i) {
      const Glc& g = problem.glc[i];
      const Vec3 a = x_old[g.proxy], b = x_free[g.proxy];
      motion.delta_free.segment<3>(3 * i) << g.n.dot(b - g.p), g.t1.dot(b - a), g.t2.dot(b - a);
      motion.tau_start.segment<2>(2 * i) << g.t1.dot(a - g.p), g.t2.dot(a - g.p);
    }
  }
};

/// One proxy over the given GLCs.
inline GlcScene scene_of(const std::vector<Glc>& glcs) {
  GlcScene scene;
  scene.add_proxy(Vec3::Zero());
  for (const Glc& g : glcs) scene.add(g);
  scene.assemble();
  return scene;
}

/// One solve of a scene with one proxy.
struct GlcStep {
  GlcReport report;
  VecX f;
  Vec3 x;  ///< where the proxy ends
};

/// `start`: the first guess of the forces.
inline GlcStep solve_step(const GlcScene& scene, const GlcSettings& settings, const SolveOptions& options,
                          const VecX& start) {
  GlcPgs pgs({}, settings);
  EXPECT_TRUE(validate(scene.problem));
  EXPECT_TRUE(pgs.set_problem(scene.problem));
  GlcStep s;
  s.f = start;
  s.report = pgs.solve(options, scene.motion, s.f);
  s.x = pgs.proxy_position(0);
  return s;
}

}  // namespace palp::cases
