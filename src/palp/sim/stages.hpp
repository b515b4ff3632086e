// The stages of a step, in their order. `step` (step.cpp) calls them for one rate; the low rate of the
// two-rate scheme (haptics/low_step.cpp) calls the same ones. Each reads what the one before it left in the
// workspace.
#pragma once
#include <memory>
#include <span>

#include "palp/sim/step.hpp"

namespace palp::stages {

/// Whether the workspace was made for a model that passed check(). False: report.status says so.
bool fits(const Workspace& ws, StepReport& report);
/// A Δx_free = f_ext − f_int(x) + (M/h) v for every body, each with its own h. False: report.status says why.
bool free_motion(const Model& model, const State& state, Workspace& ws, StepReport& report);
/// Skins at the start and after the free motion; boxes refitted over the way between.
void place_skins(const Model& model, const State& state, Workspace& ws);
/// Whether all bodies are finite after their free motion; false: report names the one that is not. For steps
/// that hand the bodies on before constrained_motion has looked at them.
bool free_is_finite(const Model& model, const Workspace& ws, StepReport& report);
/// Pairs of every rule, and the attachments, as contacts with frames and δ_free. `elsewhere`: per rule, not
/// to be looked for here.
void find_contacts(const Model& model, const State& state, Workspace& ws, StepReport& report,
                   std::span<const char> elsewhere = {});
/// At most `most` contacts stay: the attachments, then those that the step brings closest, in their order.
/// `urgency`: scratch. Adds to `left_out`.
void keep_closest(int most, std::vector<Contact>& contacts, std::vector<double>& urgency, int& left_out);
/// Bodies that contacts connect form one group (D06 §3.4), of at most model.max_contacts contacts. A body
/// that nothing can move does not pass forces on.
void group_contacts(const Model& model, Workspace& ws, StepReport& report);
/// What a bilateral contact adds to the diagonal of W at number i: the compliance of a spring; where a
/// direction is free, something positive.
Vec3 own_compliance(const Contact& contact, const Delassus& W, int i);
/// W = Σ_b N H_b A_b⁻¹ H_bᵀ Nᵀ, δ_free and μ of one group; H of the bodies after their free motion.
void assemble_delassus(const Model& model, Workspace& ws, ContactGroup& group);
/// f of one group, warm-started from the step before. False: the problem is not finite.
bool solve(const Model& model, const State& state, ContactGroup& group, StepReport& report);
/// x = x_free + A⁻¹ Hᵀ f of all bodies; false: some body's state would not be finite, or its energy.
bool respond(const Model& model, const State& state, Workspace& ws, StepReport& report);
/// The only stage that writes the state: what `respond` found finite.
void constrained_motion(const Model& model, State& state, Workspace& ws);

// No way through (passage.cpp). Bodies that move against each other by more than a hundredth of the smaller
// one's size are fast: ordinary contact does not find everything that they meet.
/// Leaves out contacts that do not touch yet and whose features do not meet in the free motion (of bodies
/// that go far, all that do not touch): whether something is met there, add_crossings tells.
void leave_to_crossings(const Model& model, Workspace& ws);
/// Looks along the way of fast bodies to where `respond` has brought them. Where skins would pass through
/// each other it adds contacts: true, solve again. After some passes it cuts the motion short instead
/// (report.shortened).
bool add_crossings(const Model& model, const State& state, Workspace& ws, int pass, StepReport& report);
/// What the ways of bodies are looked at with.
std::shared_ptr<Passage> make_passage(const Model& model);

// The same where contact forces are found by others than the step, at two rates.
/// Of the contacts of these rules: leaves out those of fast bodies that do not touch yet, would bear a force,
/// and whose features do not meet in the free motion. Unless all are followed, of bodies that nowhere touch.
void leave_near_misses(const Model& model, std::span<const int> rules, Workspace& ws);
/// Looks along the way of fast bodies to Workspace::PerBody::next, and cuts it short there before they pass
/// through each other. Not for bodies b with elsewhere[b] ≥ 0, which others
/// move.
void cut_crossings(const Model& model, const State& state, Workspace& ws, std::span<const int> elsewhere);
/// How many bodies it has cut short the last time.
int shortened_ways(const Workspace& ws);
/// Sorts Workspace::memory, and adds what has entered something a little without being a contact.
void remember_sides(Workspace& ws);

}  // namespace palp::stages
