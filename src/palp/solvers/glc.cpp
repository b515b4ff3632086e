#include "palp/solvers/glc.hpp"

#include <cmath>
#include <string>

namespace palp {

bool convex_pair(const Glc& a, const Glc& b, double slack) {
  const Vec3 ab = b.p - a.p;
  return a.n.dot(ab) <= slack && -b.n.dot(ab) <= slack;
}

void set_rigid_response(GlcProblem& problem) {
  const int proxies = static_cast<int>(problem.proxy.size());
  problem.W.setZero(3L * problem.rows(), 3L * problem.rows());
  problem.C.setZero(3L * proxies, 3L * proxies);
  for (int p = 0; p < proxies; ++p)
    problem.C.diagonal().segment<3>(3 * p).setConstant(problem.proxy[p].compliance);
}

namespace {

Result<void> check_symmetric(const GrowingMatrix& A, const std::string& name) {
  if (!A.allFinite()) return Error{.message = name + " holds values that are not finite"};
  const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0;
  for (long j = 0; j < A.cols(); ++j)
    for (long i = 0; i < j; ++i)
      if (std::abs(A(i, j) - A(j, i)) > 0.01 * largest)
        return Error{.message = name + " is not symmetric at row " + std::to_string(i) + ", column " +
                                std::to_string(j)};
  return {};
}

}  // namespace

Result<void> validate(const GlcProblem& problem) {
  const int proxies = static_cast<int>(problem.proxy.size());
  for (int p = 0; p < proxies; ++p) {
    const GlcProxy& proxy = problem.proxy[p];
    const std::string where = "proxy " + std::to_string(p);
    if (p > 0 && proxy.tool < problem.proxy[p - 1].tool)
      return Error{.message = where + " is not beside the others of its tool"};
    if (!proxy.trust_centre.allFinite() || !(proxy.trust_half.minCoeff() > 0))
      return Error{.message = where + " has an impossible trust region", .remedy = "half sizes are positive"};
  }
  for (size_t i = 0; i < problem.glc.size(); ++i) {
    const Glc& g = problem.glc[i];
    const std::string where = "GLC " + std::to_string(i);
    if (g.proxy < 0 || g.proxy >= proxies) return Error{.message = where + " belongs to no proxy"};
    Mat3 frame;
    frame << g.n, g.t1, g.t2;
    if (!((frame.transpose() * frame - Mat3::Identity()).norm() < 1e-6))
      return Error{.message = where + " has a frame that is not orthonormal"};
    if (!g.p.allFinite() || !(g.s1 > 0) || !(g.s2 > 0) || !(g.d > 0) || !(g.mu >= 0) || !std::isfinite(g.mu))
      return Error{.message = where + " has a centre, extent, depth or friction that is not possible",
                   .remedy = "extents and depth are positive lengths, mu is not negative"};
    for (int k = 0; k < 3; ++k)
      if (g.node[k] >= problem.nodes || !std::isfinite(g.weight[k]))
        return Error{.message = where + " bears on a node that is not there"};
    bool sides_possible = g.sides >= 0 && g.sides <= Glc::most_sides;
    for (int k = 0; sides_possible && k < g.sides; ++k)
      sides_possible = std::abs(std::hypot(g.side[k].a1, g.side[k].a2) - 1) < 1e-6 && g.side[k].b > 0 &&
                       std::isfinite(g.side[k].b);
    if (!sides_possible)
      return Error{.message = where + " has sides that are not possible",
                   .remedy = "unit vectors and positive distances from the centre"};
  }
  for (size_t i = 0; i < problem.other.size(); ++i) {
    const OtherConstraint& c = problem.other[i];
    if (c.proxy >= proxies || c.second >= proxies || !c.frame.allFinite() || !(c.mu >= 0) ||
        !std::isfinite(c.mu))
      return Error{.message = "constraint " + std::to_string(i) + " has an impossible proxy, frame or mu"};
  }
  const long rows = 3L * problem.rows();
  if (problem.W.rows() != rows || problem.W.cols() != rows)
    return Error{.message = "W is not a square of three rows per node and other constraint"};
  if (problem.C.rows() != 3L * proxies || problem.C.cols() != 3L * proxies)
    return Error{.message = "C is not a square of three rows per proxy"};
  if (auto ok = check_symmetric(problem.W, "W"); !ok) return ok;
  return check_symmetric(problem.C, "C");
}

}  // namespace palp
