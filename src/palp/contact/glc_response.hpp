// Constraint response of all GLCs and all other constraints of one problem (K16 eq. 10, 12, 17): A_ψ, A_τ and
// the response of the slip are rows of one matrix,
//     W = Σ_b N H_b A_b⁻¹ H_bᵀ Nᵀ + Σ_p C_p R_p R_pᵀ,      C_p = 1/(m/h² + d/h + k),
// so that what one proxy does to a body is felt by every other proxy on it.
#pragma once
#include "palp/contact/delassus.hpp"
#include "palp/contact/glc_builder.hpp"

namespace palp {

/// A low-rate body of the problem, factored by free_motion.
struct GlcBody {
  int number = 0;  ///< as in ContactId
  const Body* body = nullptr;
  const BodyState* state = nullptr;
  BodyWorkspace* ws = nullptr;
};

/// `constraints`: the contacts beside the GLCs (GlcPlaces::contact), then those of the other constraints,
/// whose id.body1 and id.body2 both are bodies. `rows`: one per body, kept for glc_motion; each body's own
/// part of W stays in rows.G with keep_G. Fills problem.W.
void assemble_glc_response(std::span<const GlcBody> bodies, std::span<const Contact> constraints,
                           GlcProblem& problem, std::vector<BodyContacts>& rows, bool keep_G = false);

/// The proxies' part alone: problem.W += Σ_p C_p R_p R_pᵀ.
void add_proxy_response(std::span<const Contact> constraints, GlcProblem& problem);

/// dx_c = A⁻¹ Hᵀ Nᵀ f of body number k of the same list.
void glc_motion(const GlcBody& body, std::span<const Contact> constraints, ConstVecRef f, BodyContacts& rows,
                VecRef dx_c);

}  // namespace palp
