// The three parts of a simulation: Model (constant), State (what a step advances), Workspace (scratch, made
// once).
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "palp/contact/contact.hpp"
#include "palp/contact/delassus.hpp"
#include "palp/math/course.hpp"
#include "palp/mechanics/body.hpp"
#include "palp/sim/actions.hpp"
#include "palp/sim/attachment.hpp"
#include "palp/solvers/solver.hpp"

namespace palp {

/// How two bodies touch, or a soft one itself.
struct TouchRule {
  int body1 = 0, body2 = 0;
  double mu = 0;
  double alarm_distance_m = 0;    ///< pairs closer than this become contacts
  double contact_distance_m = 0;  ///< thickness kept between the skins, beside their own radii
  int max_contacts = 1 << 20;     ///< of rigid bodies those that cover the patch, of soft ones the closest
  Course<double> mu_course = {};  ///< μ over time; empty: `mu`
  /// Static friction: μ of contacts whose points did not pass each other faster than stick_speed in the step
  /// before. 0: the same as μ.
  double static_mu = 0;
  double stick_speed_m_per_s = 1e-4;

  double mu_at(double time_s) const { return mu_course.empty() ? mu : mu_course.at(time_s); }
};

struct SolverSettings {
  std::string name = "coulomb";
  SolveOptions options{.tolerance = 1e-6, .max_sweeps = 1000, .warm_start = true};
};

/// Which bodies are followed along their way through the step, so that what they would pass through becomes a
/// contact (sim/passage.hpp): none, those so fast that ordinary contact may miss what they meet, or all that
/// move. At two rates bodies of the low rate are followed; tools never are.
enum class Continuous { off, fast, all };

struct Model {
  struct Entry {
    std::string name;
    std::shared_ptr<const Body> body;
    double h_s = 0;  ///< its own step (a tool at the high rate); 0 = the model's
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< at the start: of the centre of mass and about it
  };
  double h_s = 0.01;
  Vec3 gravity{0, 0, -9.81};
  Course<Vec3> gravity_course = {};  ///< over time; empty: `gravity`
  /// Of bodies that no contact has pushed in the step before; the others take implicit Euler steps.
  Scheme scheme = Scheme::euler;
  Continuous continuous = Continuous::fast;
  std::vector<Entry> bodies;
  std::vector<TouchRule> rules;
  std::vector<Attachment> attachments;
  Actions actions;
  SolverSettings solver;
  /// Contacts and attachments in one problem, whose W takes 72 m² bytes: beyond it contacts are left out for
  /// which others stand (StepReport::left_out_contacts), attachments never.
  int max_contacts = 2000;
  static constexpr int most_contacts = 5000;  ///< that max_contacts may be set to: W of 1.8 GB

  /// By how many metres a solution may miss the contact law (StepReport::misfit_m): far below what the
  /// scene's finest rule looks at.
  double misfit_m() const {
    double finest = std::numeric_limits<double>::infinity();
    for (const TouchRule& rule : rules) finest = std::min(finest, rule.alarm_distance_m);
    return 1e-4 * finest;
  }
  double h_of(size_t body) const { return bodies[body].h_s > 0 ? bodies[body].h_s : h_s; }
  Vec3 gravity_at(double time_s) const {
    return gravity_course.empty() ? gravity : gravity_course.at(time_s);
  }
};

struct State {
  double time_s = 0;
  long step = 0;
  std::vector<BodyState> bodies;
  std::vector<ContactMemory>
      memory;  ///< contacts of the last step, sorted by id: frames and warm starts follow them
  std::vector<AttachmentState> attachments;  ///< one per attachment
};

/// Contacts that are coupled through bodies: one problem each.
struct ContactGroup {
  std::vector<Contact> contacts;   ///< build_contacts
  std::vector<int> bodies;         ///< build_contacts
  std::vector<BodyContacts> rows;  ///< assemble_delassus: one per entry of `bodies`
  Problem problem;                 ///< assemble_delassus
  GrowingVector f;                 ///< solve: 3 per contact, newtons, in the contact's frame
  GrowingVector delta;             ///< solve: W f + δ_free
  std::unique_ptr<Solver> solver;
  SolveReport report;  ///< solve
};

class SelfTouch;
struct Passage;

struct Workspace {
  struct PerBody {
    std::unique_ptr<BodyWorkspace> mechanics;  ///< free_motion
    Loads loads;                              ///< the caller: couplings, grasps; gravity is added by the step
    std::vector<Vec3> skin_start, skin_free;  ///< find_proximity
    std::unique_ptr<TouchSurface> touch;      ///< find_proximity
    std::shared_ptr<SelfTouch> self;          ///< make_workspace: of a body that touches itself
    BodyState free;                           ///< find_proximity: the body after its free motion
    VecX still_x;           ///< find_proximity: where an obstacle at rest was placed
    bool still = false;     ///< find_proximity: it is there, the skin need not be placed again
    VecX dx_c;              ///< respond
    BodyState next;         ///< respond: the state after the step
    VecX constraint_force;  ///< the caller: scratch of a grasp's reaction, dof()
    int group = -1;         ///< build_contacts
    ActionScratch acting;   ///< free_motion
  };
  std::vector<PerBody> bodies;
  std::vector<ProximityPair> pairs;  ///< find_proximity, one rule at a time
  std::vector<CameFrom> came_from;   ///< find_proximity, one rule at a time
  ProximityScratch proximity;
  /// step: by rule, what contacts that stand for areas refer to until the next step; empty at two rates
  std::vector<std::vector<SkinShare>> areas;
  int left_out_pairs = 0;            ///< find_contacts: beyond TouchRule::max_contacts
  std::vector<Contact> contacts;     ///< build_contacts: all, before they are grouped
  std::vector<ContactGroup> groups;  ///< the first `group_count` are in use
  int group_count = 0;
  bool fits = false;          ///< make_workspace: the model has passed check()
  bool keep_G = false;        ///< the caller: every body's own part of W stays in ContactGroup::rows[k].G
  std::vector<char> without;  ///< the caller, per body: its part of W is not wanted; empty: all are
  std::vector<int> group_of_root;     ///< group_contacts, per body
  std::vector<double> urgency;        ///< group_contacts, per contact of a group with too many
  std::vector<ContactMemory> memory;  ///< constrained_motion: becomes State::memory
  std::vector<unsigned> buttons;      ///< the caller: of every device, for attachments that one takes
  std::vector<AttachmentState>
      attachments;                   ///< find_contacts; constrained_motion: becomes State::attachments
  PointJacobian slip_rows;           ///< find_contacts, add_crossings: of one contact
  std::shared_ptr<Passage> passage;  ///< add_crossings (passage.hpp)
};

/// Checks the model (finite numbers, bodies exist, rules and attachments refer to them, known solver).
Result<void> check(const Model& model);
State make_state(const Model& model);
/// Made for a model that has not passed check(), it lets every step fail with StepStatus::bad_model.
Workspace make_workspace(const Model& model);

}  // namespace palp
