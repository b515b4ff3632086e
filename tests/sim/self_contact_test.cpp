// Bodies that touch themselves: folded, pinched, pressed flat.
#include <cmath>
#include <numbers>

#include "sim/simple_models.hpp"
#include "support/allocation_counter.hpp"
#include <gtest/gtest.h>

#include "palp/mechanics/beam_body.hpp"

namespace palp {
namespace self_contact_test {

using namespace testing;

void add_self_rule(Model& model, int body, double mu, double alarm) {
  add_rule(model, body, body, mu, alarm);
}

double total_energy(const Model& model, const State& state) {
  double sum = 0;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = *model.bodies[b].body;
    sum += body.kinetic_energy(state.bodies[b]) + body.elastic_energy(state.bodies[b]);
    if (const auto* fem = dynamic_cast<const FemBody*>(&body))
      for (int n = 0; n < fem->blocks(); ++n)
        sum -= fem->node_mass()[n] * model.gravity.dot(state.bodies[b].x.segment<3>(3 * n));
  }
  return sum;
}

constexpr double thickness = 0.004, length = 0.12, slit = 0.004;

/// A strip bent to a U that lies on its side: legs along x, `slit` between them, the bend at the right.
Vec3 bent(const Vec3& x) {
  const double radius = 0.5 * (slit + thickness), leg = 0.5 * (length - std::numbers::pi * radius);
  if (x.x() <= leg) return x;
  const double angle = std::min((x.x() - leg) / radius, std::numbers::pi);
  const double beyond = std::max(0.0, x.x() - leg - std::numbers::pi * radius), r = radius - x.z();
  return {leg + r * std::sin(angle) - beyond, x.y(), radius - r * std::cos(angle)};
}

struct Strip {
  std::shared_ptr<const FemBody> body;
  std::vector<int> inner;  ///< nodes of the slit's sides
};

Strip strip(double young, bool held) {
  BoxShape shape;
  shape.size_m = Vec3(length, 0.012, thickness);
  shape.centre_m = Vec3(0.5 * length, 0, 0);
  shape.cells = {36, 3, 1};
  HexMesh mesh = *box_hexes(shape);
  FemSpec spec;
  Strip out;
  for (size_t i = 0; i < mesh.nodes.size(); ++i) {
    const bool upper_side = mesh.nodes[i].z() > 0;
    if (upper_side) out.inner.push_back(static_cast<int>(i));
    if (held && !upper_side && mesh.nodes[i].x() < 0.4 * length)
      spec.fixed_nodes.push_back(static_cast<int>(i));
    mesh.nodes[i] = bent(mesh.nodes[i]);
  }
  spec.mesh = mesh;
  spec.model = FemModel::corotational;
  spec.young_modulus_Pa = young;
  spec.poisson_ratio = 0.3;
  spec.density_kg_per_m3 = 1000;
  spec.rayleigh_stiffness_s = 0.002;
  out.body = std::shared_ptr<const FemBody>(std::move(*FemBody::make(spec)));
  return out;
}

/// Height of the upper leg's inner side above the lower leg's, at the places of its nodes.
double narrowest(const Strip& s, const BodyState& state, const BodyState& rest) {
  double least = 1e9;
  for (int i : s.inner) {
    const Vec3 x = state.x.segment<3>(3 * i), r = rest.x.segment<3>(3 * i);
    if (r.z() < 0.5 * slit + 0.5 * thickness || r.x() > 0.045) continue;
    // The lower leg is held: its inner side stays a plane but for what the load presses in.
    double below = -1e9, nearest = 1e9;
    for (int j : s.inner) {
      const Vec3 y = state.x.segment<3>(3 * j), q = rest.x.segment<3>(3 * j);
      if (q.z() > 0.5 * slit) continue;
      const double d = (x - y).head<2>().norm();
      if (d < nearest) nearest = d, below = y.z();
    }
    least = std::min(least, x.z() - below);
  }
  return least;
}

TEST(SelfContact, a_folded_strip_sinks_on_itself_and_comes_to_rest_without_overlap) {
  for (const bool itself : {true, false}) {
    const Strip s = strip(3e4, true);
    Model model;
    model.bodies = {{"strip", s.body}};
    if (itself) add_self_rule(model, 0, 0.3, 0.002);
    model.h_s = 0.005;
    model.solver.options.tolerance = 1e-8;
    State state = make_state(model);
    const State start = state;
    Workspace ws = make_workspace(model);
    double energy = total_energy(model, state), kinetic = 0;
    int touching = 0;
    for (int i = 0; i < 300; ++i) {
      const StepReport report = step(model, state, ws);
      ASSERT_EQ(report.status, StepStatus::ok);
      touching = report.active_contacts;
      const double now = total_energy(model, state);
      EXPECT_LE(now, energy + 1e-9 + 1e-6 * std::abs(energy)) << i;
      energy = now;
      kinetic = s.body->kinetic_energy(state.bodies[0]);
      if (itself) {
        ASSERT_GT(narrowest(s, state.bodies[0], start.bodies[0]), -1e-4) << i;
      }
    }
    if (itself) {
      EXPECT_GT(touching, 3);
      EXPECT_LT(kinetic, 1e-10);
    } else {
      EXPECT_LT(narrowest(s, state.bodies[0], start.bodies[0]), -0.002);  // it would have passed through
    }
  }
}

// Forces of a body on itself move it nowhere.
TEST(SelfContact, a_strip_that_snaps_shut_in_flight_keeps_its_momentum) {
  const Strip s = strip(1e5, false);
  Model model;
  model.bodies = {{"strip", s.body}};
  add_self_rule(model, 0, 0.5, 0.002);
  model.gravity.setZero();
  model.h_s = 0.002;
  model.solver.options.tolerance = 1e-10;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const State rest = state;
  for (int n = 0; n < s.body->blocks(); ++n)  // legs towards each other, not quite alike
    state.bodies[0].v.segment<3>(3 * n) =
        Vec3(0.1, 0, rest.bodies[0].x[3 * n + 2] > 0.5 * (slit + thickness) ? -1.3 : 0.9);
  const auto momentum = [&] {
    Vec3 p = Vec3::Zero();
    for (int n = 0; n < s.body->blocks(); ++n)
      p += s.body->node_mass()[n] * state.bodies[0].v.segment<3>(3 * n);
    return p;
  };
  const Vec3 before = momentum();
  double energy = total_energy(model, state), pressed = 0;
  for (int i = 0; i < 60; ++i) {
    const StepReport report = step(model, state, ws);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_LT((momentum() - before).norm(), 1e-9 * s.body->mass());
    const double now = total_energy(model, state);
    EXPECT_LE(now, energy * (1 + 1e-6)) << i;
    energy = now;
    for (int g = 0; g < ws.group_count; ++g) pressed = std::max(pressed, ws.groups[g].f.maxCoeff());
  }
  EXPECT_GT(pressed, 1e-3);
}

TEST(SelfContact, what_is_not_folded_has_none_and_steps_to_the_same_bits) {
  const auto run = [](bool itself) {
    Model model = two_bodies(soft_box(Vec3(0.1, 0.1, 0.02), Vec3(0, 0, 0.0101), 1e5),
                             obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05))), 0.3);
    if (itself) add_self_rule(model, 0, 0.3, 0.03);
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(step(model, state, ws).status, StepStatus::ok);
    return state.bodies[0].x;
  };
  const VecX with = run(true), without = run(false);
  EXPECT_TRUE((with.array() == without.array()).all());
}

/// Distance of the two inner sides of a tube at its middle, where a press has closed it.
struct Pressed {
  double inner_low = -1e9, inner_high = 1e9;  ///< highest of the lower inner half, lowest of the upper
  int self_contacts = 0;
  double energy = 0;
};

/// A tube of 20 mm between two plates; those come together so far that less than two walls are between them.
Pressed press(bool itself, double plates_m, double width_m) {
  TubeShape shape;
  shape.inner_radius_m = 0.008;
  shape.outer_radius_m = 0.010;
  shape.length_m = 0.008;
  shape.cells_around = 20;
  shape.cells_through = 1;
  shape.cells_along = 1;
  HexMesh mesh = *tube_hexes(shape);
  FemSpec spec;
  spec.mesh = mesh;
  spec.model = FemModel::corotational;
  spec.young_modulus_Pa = 1e5;
  spec.poisson_ratio = 0.3;
  spec.density_kg_per_m3 = 1000;
  spec.rayleigh_stiffness_s = 0.01;
  spec.rayleigh_mass_per_s = 5;
  auto tube = std::shared_ptr<const FemBody>(std::move(*FemBody::make(spec)));
  Model model;
  model.bodies = {{"tube", tube},
                  {"low", obstacle(box_surface(Vec3(width_m, 0.02, 0.1), Vec3(0, -0.0201, 0)))},
                  {"high", obstacle(box_surface(Vec3(width_m, 0.02, 0.1), Vec3(0, 0.0201, 0)))}};
  add_rule(model, 0, 1, 0.3, 0.002);
  add_rule(model, 0, 2, 0.3, 0.002);
  if (itself) add_self_rule(model, 0, 0.3, 0.002);
  model.gravity.setZero();
  model.h_s = 0.005;
  model.solver.options.tolerance = 1e-7;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  const int moving = 100, resting = 30;
  const double way = 0.5 * (0.0202 - plates_m) / moving;
  Pressed out;
  for (int i = 0; i < moving + resting; ++i) {
    const double d = i < moving ? way : 0;
    ws.bodies[1].loads.prescribed = {Vec3(0, d, 0), Vec3::Zero()};
    ws.bodies[2].loads.prescribed = {Vec3(0, -d, 0), Vec3::Zero()};
    const StepReport report = step(model, state, ws);
    EXPECT_EQ(report.status, StepStatus::ok) << i;
    const double now = total_energy(model, state);
    // The sharp edges of narrow plates go on trembling by themselves (docs/contact.md); what is at rest, by what the
    // tolerance of the solve leaves over.
    if (i > moving + 1 && width_m > 0.02) {
      EXPECT_LE(now, out.energy * (1 + 1e-5)) << i;
    }
    out.energy = now;
  }
  for (int g = 0; g < ws.group_count; ++g)
    for (size_t i = 0; i < ws.groups[g].contacts.size(); ++i)
      if (ws.groups[g].contacts[i].id.body2 == 0)
        out.self_contacts += ws.groups[g].f[3 * static_cast<int>(i)] > 0;
  for (size_t i = 0; i < mesh.nodes.size(); ++i) {
    const Vec3& r = mesh.nodes[i];
    if (r.head<2>().norm() > 0.0085 || std::abs(r.x()) > 0.003) continue;
    const double y = state.bodies[0].x[3 * static_cast<int>(i) + 1];
    if (r.y() > 0)
      out.inner_high = std::min(out.inner_high, y);
    else
      out.inner_low = std::max(out.inner_low, y);
  }
  return out;
}

// Two walls of 2 mm between plates 3.6 mm apart: they are squeezed, and do not pass through each other.
TEST(SelfContact, a_ring_pressed_flat_rests_on_itself) {
  const Pressed free = press(false, 0.0036, 0.1), held = press(true, 0.0036, 0.1);
  EXPECT_GT(held.inner_high - held.inner_low, -1e-4);
  EXPECT_GT(held.self_contacts, 3);
  EXPECT_GT(held.energy, free.energy);
}

TEST(SelfContact, a_pinched_tube_rests_on_itself) {
  const Pressed held = press(true, 0.0036, 0.006);
  EXPECT_GT(held.inner_high - held.inner_low, -1e-4);
  EXPECT_GT(held.self_contacts, 1);
}

// A thread with its end laid over its beginning: gravity presses the crossing, nothing passes.
TEST(SelfContact, a_loop_of_thread_lies_on_itself) {
  BeamSpec spec;
  const double radius = 0.03, r = 0.001;
  const int n = 48;
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n, a = -0.5 + (2 * std::numbers::pi + 1) * s;
    spec.curve.nodes.push_back(Vec3(radius * std::sin(a), -radius * std::cos(a), 0.0045 * s) +
                               Vec3(0, 0, 0.002));
  }
  // Ends cross: pull the first inwards and the last outwards.
  for (int i = 0; i <= 6; ++i) spec.curve.nodes[i] *= 1.0, spec.curve.nodes[i].y() += 0.002 * (6 - i) / 6.0;
  spec.section = BeamSection::circle(r);
  spec.young_modulus_Pa = 1e6;
  spec.density_kg_per_m3 = 1000;
  spec.rayleigh_mass_per_s = 4;
  spec.rayleigh_stiffness_s = 0.01;
  auto thread = std::shared_ptr<const Body>(std::move(*BeamBody::make(spec)));
  for (const bool itself : {true, false}) {
    Model model;
    model.bodies = {{"thread", thread}, {"floor", obstacle(box_surface(Vec3(1, 1, 0.1), Vec3(0, 0, -0.05)))}};
    add_rule(model, 0, 1, 0.5, 0.001);
    if (itself) add_self_rule(model, 0, 0.3, 0.001);
    model.h_s = 0.005;
    State state = make_state(model);
    Workspace ws = make_workspace(model);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(step(model, state, ws).status, StepStatus::ok) << i;
    std::vector<Vec3> x(thread->skin().vertices);
    thread->skin_positions(state.bodies[0], VecX(), x);
    double least = 1e9;  // of points far apart along the thread
    for (size_t i = 0; i < x.size(); ++i)
      for (size_t j = i + x.size() / 2; j < x.size(); ++j) least = std::min(least, (x[i] - x[j]).norm());
    if (itself) {
      EXPECT_GT(least, 2 * r * 0.98);
    } else {
      EXPECT_LT(least, 1.9 * r);
    }
  }
}

TEST(SelfContact, a_steady_step_leaves_the_heap_alone) {
  if (!watches_allocations()) GTEST_SKIP() << "malloc cannot be watched here";
  const Strip s = strip(3e4, true);
  Model model;
  model.bodies = {{"strip", s.body}};
  add_self_rule(model, 0, 0.3, 0.002);
  model.h_s = 0.005;
  State state = make_state(model);
  Workspace ws = make_workspace(model);
  for (int i = 0; i < 150; ++i) step(model, state, ws);
  const long before = allocations();
  StepReport report;
  for (int i = 0; i < 5; ++i) report = step(model, state, ws);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_GT(report.active_contacts, 0);
}

}  // namespace self_contact_test
}  // namespace palp
