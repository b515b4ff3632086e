#include "palp/contact/contact.hpp"

#include <random>

#include "support/dense.hpp"
#include <gtest/gtest.h>

#include "palp/contact/delassus.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace contact_test {

Vec3 random_unit(std::mt19937& random) {
  std::normal_distribution<double> gauss;
  return Vec3(gauss(random), gauss(random), gauss(random)).normalized();
}

TEST(ContactFrame, is_right_handed_and_orthonormal_for_any_normal) {
  std::mt19937 random(1);
  std::vector<Vec3> normals{Vec3::UnitX(),
                            Vec3::UnitY(),
                            Vec3::UnitZ(),
                            -Vec3::UnitZ(),
                            Vec3(1, 1, 1).normalized(),
                            Vec3(1, 1e-12, 0).normalized()};
  for (int i = 0; i < 200; ++i) normals.push_back(random_unit(random));
  for (const Vec3& n : normals) {
    const Mat3 frame = contact_frame(n);
    EXPECT_LT((frame * frame.transpose() - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1, 1e-14);
    EXPECT_LT((frame.row(0).transpose() - n).norm(), 1e-15);
  }
}

TEST(ContactFrame, does_not_flip_when_the_normal_turns_all_the_way_round) {
  // In small steps along a closed way over the sphere: the tangent never turns by more than the normal did,
  // although the world axis that a fresh frame starts from changes several times on the way.
  Vec3 n = Vec3(1, 0.2, 0.1).normalized();
  Vec3 t1 = contact_frame(n).row(1);
  const int steps = 720;
  for (int i = 1; i <= steps; ++i) {
    const double a = 2 * 3.14159265358979 * i / steps;
    const Vec3 next = Vec3(std::cos(a), std::sin(a) + 0.2, 0.4 * std::sin(2 * a) + 0.1).normalized();
    const Mat3 frame = contact_frame(next, &t1);
    const double normal_turn = std::acos(std::min(1.0, n.dot(next)));
    const double tangent_turn = std::acos(std::min(1.0, t1.dot(frame.row(1).transpose())));
    EXPECT_LE(tangent_turn, normal_turn + 1e-7);
    n = next;
    t1 = frame.row(1);
  }
}

TEST(ContactFrame, survives_a_memory_that_is_parallel_to_the_normal) {
  const Vec3 n = Vec3(0.3, -0.5, 0.8).normalized(), zero = Vec3::Zero();
  EXPECT_LT((contact_frame(n, &n) - contact_frame(n)).norm(), 1e-14);
  EXPECT_LT((contact_frame(n, &zero) - contact_frame(n)).norm(), 1e-14);
}

TEST(ContactMemory, is_found_by_its_identity_only) {
  std::vector<ContactMemory> memory;
  for (int b = 0; b < 3; ++b)
    for (std::uint64_t f : {1ull, 5ull, 9ull << 40})
      memory.push_back({{b, b + 1, f}, Vec3::UnitX(), Vec3(b, double(f), 0)});
  for (const ContactMemory& m : memory) {
    const ContactMemory* found = find(memory, m.id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->force_world, m.force_world);
  }
  EXPECT_FALSE(find(memory, {0, 1, 2}));
  EXPECT_FALSE(find(memory, {1, 0, 1}));
  EXPECT_FALSE(find({}, {0, 1, 1}));
}

TEST(PairKey, different_features_have_different_keys) {
  std::vector<std::uint64_t> keys;
  for (int kind = 0; kind < 6; ++kind)
    for (int f1 : {0, 1, 7, 1000, 1 << 20, (1 << 28) + 3})
      for (int f2 : {0, 1, 7, 1000, 1 << 20, (1 << 28) + 3}) {
        ProximityPair pair;
        pair.kind = static_cast<PairKind>(kind);
        pair.feature1 = f1;
        pair.feature2 = f2;
        keys.push_back(pair.key());
      }
  const size_t all = keys.size();
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()) - keys.begin(), static_cast<std::ptrdiff_t>(all));
}

/// A soft and a rigid box with random contacts between them, and one of the soft box with itself.
struct TwoBoxes {
  std::shared_ptr<const Body> body[2];
  BodyState state[2];
  std::unique_ptr<BodyWorkspace> ws[2];
  std::vector<Contact> contacts;
  BodyContacts rows[2];
  Loads loads;
  double h = 0.01;

  TwoBoxes() {
    BoxShape shape;
    shape.cells = {2, 2, 2};
    FemSpec fem;
    fem.mesh = *box_tets(shape);
    body[0] = std::shared_ptr<const Body>(std::move(*FemBody::make(fem)));
    RigidSpec stiff;
    stiff.surface = extract_surface(*box_hexes(shape)).mesh;
    stiff.density_kg_per_m3 = 500;
    body[1] = std::shared_ptr<const Body>(std::move(*RigidBody::make(stiff)));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> share(0.1, 1);
    const auto point = [&](const Body& b) {
      const Triangle& t = b.skin().triangles[random() % b.skin().triangles.size()];
      Vec3 w(share(random), share(random), share(random));
      return SkinPoint{t, w / w.sum()};
    };
    for (int i = 0; i < 6; ++i) {
      Contact c;
      c.id = {0, i == 5 ? 0 : 1, static_cast<std::uint64_t>(i)};
      c.P = point(*body[0]);
      c.Q = point(*body[c.id.body2]);
      c.frame = contact_frame(random_unit(random));
      contacts.push_back(c);
    }
    for (int b = 0; b < 2; ++b) {
      state[b] = body[b]->rest_state();
      ws[b] = body[b]->make_workspace();
      EXPECT_TRUE(body[b]->free_motion(state[b], loads, h, *ws[b]));
      for (int i = 0; i < 6; ++i)
        if (contacts[i].id.body1 == b || contacts[i].id.body2 == b)
          append_contact(*body[b], state[b], contacts[i], i, contacts[i].id.body1 == b,
                         contacts[i].id.body2 == b, rows[b]);
    }
  }

  /// N H of one body as a dense matrix, from how the points move when a degree of freedom does.
  MatX dense_rows(int b) {
    MatX J = MatX::Zero(18, body[b]->dof());
    std::vector<Vec3> at(body[b]->skin().vertices), moved(at.size());
    body[b]->skin_positions(state[b], VecX(), at);
    const double e = 1e-6;
    for (int k = 0; k < body[b]->dof(); ++k) {
      body[b]->skin_positions(state[b], e * VecX::Unit(body[b]->dof(), k), moved);
      for (int i = 0; i < 6; ++i) {
        Vec3 d = Vec3::Zero();
        if (contacts[i].id.body1 == b) d += contacts[i].P.at(moved) - contacts[i].P.at(at);
        if (contacts[i].id.body2 == b) d -= contacts[i].Q.at(moved) - contacts[i].Q.at(at);
        J.block<3, 1>(3 * i, k) = contacts[i].frame * d / e;
      }
    }
    return J;
  }
};

TEST(Delassus, is_the_sum_over_the_bodies_of_rows_inverse_and_rows_again) {
  TwoBoxes boxes;
  MatX W = MatX::Zero(18, 18), expected = MatX::Zero(18, 18);
  for (int b = 0; b < 2; ++b) {
    add_compliance(*boxes.body[b], *boxes.ws[b], boxes.contacts, boxes.rows[b], W);
    const MatX J = boxes.dense_rows(b), A = boxes.body[b]->dense_system(boxes.state[b], boxes.loads, boxes.h);
    expected += J * testing::solve_symmetric(A, J.transpose());
  }
  EXPECT_LT((W - expected).norm(), 1e-5 * expected.norm());
  EXPECT_LT((W - W.transpose()).norm(), 1e-12 * W.norm());
  EXPECT_GT(testing::eigenvalues(W).minCoeff(), -1e-12 * W.norm());
}

TEST(Delassus, the_response_moves_the_contacts_by_what_W_says) {
  TwoBoxes boxes;
  MatX W = MatX::Zero(18, 18);
  const VecX f = VecX::LinSpaced(18, -1, 2);
  VecX moved = VecX::Zero(18);
  for (int b = 0; b < 2; ++b) {
    add_compliance(*boxes.body[b], *boxes.ws[b], boxes.contacts, boxes.rows[b], W);
    VecX dx(boxes.body[b]->dof());
    add_response(*boxes.body[b], *boxes.ws[b], boxes.contacts, f, boxes.rows[b], dx);
    moved += boxes.dense_rows(b) * dx;
  }
  EXPECT_LT((W * f - moved).norm(), 1e-5 * moved.norm());
}

}  // namespace contact_test
}  // namespace palp
