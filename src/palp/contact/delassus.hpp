// The Delassus operator W = Σ_b N H_b A_b⁻¹ H_bᵀ Nᵀ (D06 eq. 17-18, 30). H gives displacements in world axes,
// N (the contact frames) turns them into those of the contacts; each body forms the product with N H.
#pragma once
#include <span>
#include <vector>

#include "palp/contact/contact.hpp"
#include "palp/mechanics/body.hpp"

namespace palp {

/// The contacts of one body within a problem: row i of H is the displacement of the contact's point on this
/// body, negative where the body is the contact's second (δ = P − Q).
struct BodyContacts {
  std::vector<int> contact;  ///< index in the problem of each row of H, ascending
  PointJacobian H;
  PointJacobian NH;  ///< H in the axes of the contacts; add_compliance fills
  MatX G;       ///< N H A⁻¹ Hᵀ Nᵀ by row of H, when keep_G or the body is not in every contact; grows
  VecX lambda;  ///< world force per row of H

  void clear() {
    contact.clear();
    H.clear();
  }
};

/// Adds sign · (displacement of a point of the skin) to the row of H under construction.
void append_point(const Body& body, const BodyState& state, const SkinPoint& point, double sign,
                  PointJacobian& H);

/// Appends to `rows` the row of contact number `index` on body `body`; both points when the contact is with
/// itself.
void append_contact(const Body& body, const BodyState& state, const Contact& contact, int index,
                    bool is_first, bool is_second, BodyContacts& rows);

/// W += N (H A⁻¹ Hᵀ) Nᵀ for one body. W is 3m × 3m. keep_G: the body's part stays in rows.G for the caller.
void add_compliance(const Body& body, BodyWorkspace& ws, std::span<const Contact> contacts,
                    BodyContacts& rows, MatRef W, bool keep_G = false);

/// The same with the rows already in the axes of the contacts: W += (N H) A⁻¹ (N H)ᵀ at rows.contact.
void project_rows(const Body& body, BodyWorkspace& ws, const PointJacobian& NH, BodyContacts& rows, MatRef W,
                  bool keep_G = false);

/// rows.lambda = Nᵀ f: the forces on one body, world axes.
void take_forces(std::span<const Contact> contacts, ConstVecRef f, BodyContacts& rows);

/// dx_c = A⁻¹ Hᵀ Nᵀ f for one body.
void add_response(const Body& body, BodyWorkspace& ws, std::span<const Contact> contacts, ConstVecRef f,
                  BodyContacts& rows, VecRef dx_c);

}  // namespace palp
