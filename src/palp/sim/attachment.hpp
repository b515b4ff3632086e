// Attachments: bilateral rows in the contact problem (P11's thread on an organ). A point P of body 1 is kept
// at a point Q of body 2, or of the world, in all directions or in some:
//
//     point      P = Q                                        a knot, a ball joint
//     line       P on the line through Q and Q2               beside a point on it: a hinge; two on it: a
//     slider that turns plane      P in the plane through Q with normal Q2 − Q  beside two lines: a slider
//     that does not turn distance   |P − Q| = length                             a rod, or a spring
//
// Directions that are free have a zero row in the contact's frame: their force is zero. Where P may slide,
// body 2 is met where P is: Q is then a point of a rigid skin (rigid_point).
//
// Springs and dampers are the same rows with a compliance: from f = −k e − d ė, taken with the rule of the
// step (θ = 1 implicit Euler, ½ mid-point), e the way apart before (e₀) and after,
//     0 = e + C f + c e₀,     C = 1/(θk + d/h),   c = ((1 − θ) k − d/h) C,
// so that any stiffness is stable and both bodies feel it within the step.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "palp/contact/contact.hpp"

namespace palp {

/// When an attachment or a hold is there: from one time until another, while a button is pressed, until it
/// breaks.
struct Switch {
  double from_s = -std::numeric_limits<double>::infinity();
  double until_s = std::numeric_limits<double>::infinity();
  double break_N = std::numeric_limits<double>::infinity();  ///< more than this in a step breaks it for good
  int device = -1;                                           ///< whose button; −1: none
  unsigned button = 1;                                       ///< mask of that button

  bool always() const;
  /// Whether it is there in the step that ends at `end_s`, if it is not broken.
  bool on(double end_s, const std::vector<unsigned>& buttons) const;
};

struct Attachment {
  enum class Keeps : unsigned char { point, line, plane, distance };

  int body1 = 0, body2 = -1;  ///< body2 < 0: held in the world
  SkinPoint P, Q;
  Vec3 anchor = Vec3::Zero();  ///< Q in the world
  Keeps keeps = Keeps::point;
  SkinPoint Q2 = {};  ///< line, plane
  Vec3 anchor2 = Vec3::Zero();
  double length_m = 0;                                                 ///< distance
  double stiffness_N_per_m = std::numeric_limits<double>::infinity();  ///< point, distance
  double damping_N_s_per_m = 0;                                        ///< of a spring
  Switch when = {};
  int joint = -1;  ///< number of the first of those that break together; −1: itself

  bool spring() const { return stiffness_N_per_m < std::numeric_limits<double>::infinity(); }
};

/// What a simulation remembers of an attachment.
struct AttachmentState {
  bool on = false, broken = false;
  Vec3 apart = Vec3::Zero();  ///< P − Q when it was taken, if that was after the start: kept so
};

/// The rows of an attachment, from the skins of its bodies at the start of the step and after the free motion
/// (empty for the world). θ: of the rule of the step.
Contact contact_from_attachment(const Attachment& a, int index, const Vec3& apart,
                                std::span<const Vec3> start1, std::span<const Vec3> start2,
                                std::span<const Vec3> free1, std::span<const Vec3> free2, double h,
                                double theta);

/// Whether the contact's identity is an attachment's.
bool is_attachment(const ContactId& id);
/// Of which attachment it is.
size_t attachment_index(const ContactId& id);

/// A point that moves with a rigid skin, wherever it is: as a sum of four vertices that span space, the same
/// for every point. False: the skin is flat.
bool rigid_point(std::span<const Vec3> skin, const Vec3& at, SkinPoint& out);

}  // namespace palp
