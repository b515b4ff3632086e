#include "palp/contact/glc_response.hpp"

namespace palp {

void assemble_glc_response(std::span<const GlcBody> bodies, std::span<const Contact> constraints,
                           GlcProblem& problem, std::vector<BodyContacts>& rows, bool keep_G) {
  const int m = static_cast<int>(problem.glc.size()), all = problem.size();
  problem.W.setZero(3 * all, 3 * all);
  if (rows.size() < bodies.size()) rows.resize(bodies.size());
  for (size_t k = 0; k < bodies.size(); ++k) {
    const GlcBody& b = bodies[k];
    rows[k].clear();
    if (!b.body->movable()) continue;
    for (int i = 0; i < all; ++i) {
      const Contact& c = constraints[i];
      const bool first = i >= m && c.id.body1 == b.number, second = c.id.body2 == b.number;
      if (first || second) append_contact(*b.body, *b.state, c, i, first, second, rows[k]);
    }
    add_compliance(*b.body, *b.ws, constraints, rows[k], problem.W, keep_G);
  }
  add_proxy_response(constraints, problem);
}

void add_proxy_response(std::span<const Contact> constraints, GlcProblem& problem) {
  const int m = static_cast<int>(problem.glc.size());  // those of a proxy stand together
  for (int begin = 0; begin < m;) {
    const int proxy = problem.glc[begin].proxy;
    int end = begin;
    while (end < m && problem.glc[end].proxy == proxy) ++end;
    Eigen::Matrix<double, Eigen::Dynamic, 3> R(3 * (end - begin), 3);
    for (int i = begin; i < end; ++i) R.block<3, 3>(3 * (i - begin), 0) = constraints[i].frame;
    problem.W.block(3 * begin, 3 * begin, R.rows(), R.rows()).noalias() +=
        problem.proxy[proxy].compliance * (R * R.transpose());
    begin = end;
  }
}

void glc_motion(const GlcBody& b, std::span<const Contact> constraints, ConstVecRef f, BodyContacts& rows,
                VecRef dx_c) {
  add_response(*b.body, *b.ws, constraints, f, rows, dx_c);
}

}  // namespace palp
