// What the viewer shows of a simulation at one instant. The simulation's thread fills a frame about 60 times
// a second (capture) and publishes it through a triple buffer; the network's thread turns it into messages.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "palp/scene/run.hpp"

namespace palp::view {

using Vec3f = Eigen::Vector3f;
using Quatf = Eigen::Quaternionf;

/// Skin vertices of one body. `version` grows when the body has moved: a viewer that has seen it needs no
/// copy.
struct ViewBody {
  std::uint32_t version = 0;
  std::vector<Vec3f> x;
};

enum class Touch : std::uint32_t { open, stick, slip, joint };

struct ViewContact {
  Vec3f at, normal, force;  ///< world axes; normal and force towards body 1
  float mu = 0;
  Touch touch = Touch::open;
  std::int32_t body1 = 0, body2 = 0;
};

/// A device, and the point of the body that its coupling holds.
struct ViewHand {
  Vec3f position, grip_position;
  Quatf orientation, grip_orientation;
  Vec3f force, torque;     ///< what the user feels
  std::int32_t body = -1;  ///< the held body; −1: holds nothing
  bool taken = false;      ///< a visitor moves it, not the scene
};

/// A geometrically limited constraint (K16 §3.3): the convex piece of the surface that it stands for.
struct ViewPatch {
  enum class Use : std::uint32_t { idle, chosen, carries };
  Vec3f at, normal;
  float depth = 0;      ///< m
  Use use = Use::idle;  ///< chosen: the solver may load it; carries: it does
  std::uint32_t proxy = 0;
  std::uint32_t corners = 0;
  std::array<Vec3f, 4 + Glc::most_sides> corner;  ///< one after the other around the normal
};

/// The box around a proxy that its patches describe completely (K16 eq. 14).
struct ViewRegion {
  Vec3f centre, half;
  std::uint32_t proxy = 0;
  bool holds = false;  ///< the proxy would leave it
};

/// What bodies may be coloured by.
enum class Colour : std::uint32_t { none, stress, strain, pressure };

/// What a frame holds only when a viewer wants it: bits.
inline constexpr unsigned wish_delassus = 1, wish_positions = 2, wish_pressure = 4;

/// The wish behind a colour: stress and strain are computed from the nodes' positions (colours.hpp).
constexpr unsigned wish_for(Colour colour) {
  return colour == Colour::none ? 0 : colour == Colour::pressure ? wish_pressure : wish_positions;
}

/// |W| of the largest contact group: largest entry of each cell of a grid, on a logarithmic scale over three
/// decades.
struct ViewDelassus {
  std::int32_t contacts = 0, side = 0;
  std::vector<std::uint8_t> cell;  ///< side × side
  std::vector<float> largest;      ///< scratch of picture_of: kept, so that nothing is allocated
};

/// One step's figures: all steps reach the plots, also those between two frames.
struct ViewSample {
  static constexpr int size = 20;
  float time_s = 0;
  float force[6] = {};  ///< of the first two devices, N
  float contacts = 0, active = 0, certificate = 0, penetration_m = 0;
  float kinetic_J = 0, elastic_J = 0, given_J = 0;
  float stage_us[6] = {};  ///< in the order of StepReport::Times
};
static_assert(sizeof(ViewSample) == ViewSample::size * sizeof(float));

struct ViewFrame {
  std::uint32_t generation = 0;  ///< of the scene: bodies and their topology belong to it
  std::uint32_t serial = 0;
  double time_s = 0, h_s = 0;
  std::int64_t step = 0;
  bool playing = false, failed = false, two_rates = false;
  float speed = 1;  ///< asked for, times real time
  float rate = 0;   ///< reached
  std::vector<ViewBody> bodies;
  std::vector<ViewContact> contacts;
  std::vector<ViewHand> hands;
  std::vector<ViewPatch> patches;  ///< `contact: glc` only
  std::vector<ViewRegion> regions;
  ViewDelassus delassus;
  std::vector<VecX> x;                        ///< generalised positions by body, if wanted
  std::vector<std::vector<double>> pressure;  ///< at the skin's vertices by body, Pa, if wanted
};

ViewSample sample_of(const StepRecord& record);

/// The picture of a Delassus operator; `out.contacts` is a third of its rows.
void picture_of(ConstMatRef W, ViewDelassus& out);

/// Fills frames from a run. One per run; remembers what each body looked like.
class Capture {
 public:
  /// `after`: the newest version that viewers have seen of bodies of the same topology.
  explicit Capture(const Scene& scene, std::uint32_t after = 0);
  std::uint32_t newest() const;
  /// `out` may hold an older frame: only what has changed since is written.
  void take(const SceneRun& run, unsigned wishes, ViewFrame& out);

 private:
  void bodies(const State& state, ViewFrame& out);
  void contacts(const Workspace& ws, ViewFrame& out);
  void tick_contacts(const HapticLoop& loop, ViewFrame& out);
  void hands(const SceneRun& run, ViewFrame& out);

  const Scene& scene_;
  std::vector<VecX> seen_;              ///< generalised positions at the last change
  std::vector<std::uint32_t> version_;  ///< per body
  std::vector<Vec3> scratch_;
};

}  // namespace palp::view
