#include "palp/contact/delassus.hpp"

namespace palp {

void append_point(const Body& body, const BodyState& state, const SkinPoint& point, double sign,
                  PointJacobian& H) {
  for (const SkinShare& share : point.area) body.append_vertex(state, share.vertex, sign * share.weight, H);
  if (!point.area.empty()) return;
  for (int k = 0; k < 3; ++k)
    if (point.weight[k] != 0) body.append_vertex(state, point.vertex[k], sign * point.weight[k], H);
  if (point.apex >= 0) body.append_vertex(state, point.apex, sign * point.apex_weight, H);
}

void append_contact(const Body& body, const BodyState& state, const Contact& contact, int index,
                    bool is_first, bool is_second, BodyContacts& rows) {
  if (is_first) append_point(body, state, contact.P, 1, rows.H);
  if (is_second) append_point(body, state, contact.Q, -1, rows.H);
  rows.H.end_point();
  rows.contact.push_back(index);
}

void add_compliance(const Body& body, BodyWorkspace& ws, std::span<const Contact> contacts,
                    BodyContacts& rows, MatRef W, bool keep_G) {
  const int n = rows.H.points();
  if (n == 0) return;
  // N H: the body itself then forms N H A⁻¹ Hᵀ Nᵀ, which saves a pass over a matrix that leaves the cache.
  rows.NH.start = rows.H.start;
  rows.NH.column = rows.H.column;
  rows.NH.vertex = rows.H.vertex;
  rows.NH.block.resize(rows.H.block.size());
  for (int i = 0; i < n; ++i)
    for (int k = rows.H.start[i]; k < rows.H.start[i + 1]; ++k)
      rows.NH.block[k].noalias() = contacts[rows.contact[i]].frame * rows.H.block[k];
  project_rows(body, ws, rows.NH, rows, W, keep_G);
}

void project_rows(const Body& body, BodyWorkspace& ws, const PointJacobian& NH, BodyContacts& rows, MatRef W,
                  bool keep_G) {
  const int n = NH.points();
  if (3 * n == W.rows() && !keep_G) return body.project_compliance(NH, ws, W);  // every contact, in order
  if (rows.G.rows() < 3 * n) rows.G.resize(3 * n, 3 * n);
  auto G = rows.G.topLeftCorner(3 * n, 3 * n);
  G.setZero();
  body.project_compliance(NH, ws, G);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      W.block<3, 3>(3 * rows.contact[i], 3 * rows.contact[j]) += G.block<3, 3>(3 * i, 3 * j);
}

void take_forces(std::span<const Contact> contacts, ConstVecRef f, BodyContacts& rows) {
  const int n = rows.H.points();
  if (rows.lambda.size() < 3 * n) rows.lambda.resize(3 * n);
  for (int i = 0; i < n; ++i)
    rows.lambda.segment<3>(3 * i) =
        contacts[rows.contact[i]].frame.transpose() * f.segment<3>(3 * rows.contact[i]);
}

void add_response(const Body& body, BodyWorkspace& ws, std::span<const Contact> contacts, ConstVecRef f,
                  BodyContacts& rows, VecRef dx_c) {
  const int n = rows.H.points();
  if (n == 0) {
    dx_c.setZero();
    return;
  }
  take_forces(contacts, f, rows);
  body.response(rows.H, rows.lambda.head(3 * n), ws, dx_c);
}

}  // namespace palp
