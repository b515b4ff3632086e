// Pairs against exact geometry: bodies that are apart, that touch in a plane, that coincide, that overlap.
#include <cstdlib>
#include <set>

#include "proximity/shapes.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace exact_pairs_test {

using namespace testing;

/// A prism over a regular polygon, or a box when n = 4 and turned; closed, convex.
Shape prism(int n, double radius, double height) {
  Shape s;
  for (int layer = 0; layer < 2; ++layer)
    for (int i = 0; i < n; ++i)
      s.x.push_back(
          {radius * std::cos(2 * M_PI * i / n), radius * std::sin(2 * M_PI * i / n), (layer - 0.5) * height});
  for (int i = 1; i + 1 < n; ++i) {
    s.triangles.push_back({0, i + 1, i});
    s.triangles.push_back({n, n + i, n + i + 1});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    s.triangles.push_back({i, j, n + j});
    s.triangles.push_back({i, n + j, n + i});
  }
  return s;
}

Shape random_convex(std::mt19937& engine) {
  std::uniform_real_distribution<> size(0.2, 1);
  switch (engine() % 3) {
    case 0: {
      Shape s = cube(1, Vec3::Zero());
      const Vec3 half(size(engine), size(engine), size(engine));
      for (Vec3& p : s.x) p = p.cwiseProduct(half);
      return s;
    }
    case 1:
      return prism(3 + static_cast<int>(engine() % 5), size(engine), size(engine));
    default:
      return bumpy_sphere(1, 0.6 * size(engine), Vec3::Zero(), 0, 1);
  }
}

void place(Shape& s, const Mat3& R, const Vec3& p) {
  for (Vec3& x : s.x) x = R * x + p;
}

Mat3 random_turn(std::mt19937& engine) {
  std::normal_distribution<> normal;
  return Quat(normal(engine), normal(engine), normal(engine), normal(engine)).normalized().toRotationMatrix();
}

/// Largest height of x above the planes of a convex shape: negative inside.
double outside(const Shape& s, const Vec3& x) {
  double worst = -1e300;
  for (const auto& [a, b, c] : s.triangles) {
    const Vec3 n = (s.x[b] - s.x[a]).cross(s.x[c] - s.x[a]).normalized();
    worst = std::max(worst, n.dot(x - s.x[a]));
  }
  return worst;
}

void no_two_are_the_same(const Shape& a, const Shape& b, const std::vector<ProximityPair>& pairs,
                         const std::string& what) {
  for (size_t i = 0; i < pairs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE((pairs[i].P.at(a.x) - pairs[j].P.at(a.x)).norm() < 1e-9 &&
                   (pairs[i].Q.at(b.x) - pairs[j].Q.at(b.x)).norm() < 1e-9 &&
                   pairs[i].normal.dot(pairs[j].normal) > 1 - 1e-9)
          << what;
}

/// Two convex bodies at random. Apart: every gap is at least their distance, the smallest is their distance.
/// Overlapping: a vertex behind a face is inside the other body, and no pair is deeper than the other body
/// around it.
void expect_no_ghost(unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<> number(-1, 1);
  Shape a = random_convex(engine), b = random_convex(engine);
  place(a, random_turn(engine), Vec3::Zero());
  const Vec3 where = Vec3(number(engine), number(engine), number(engine)).normalized();
  place(b, random_turn(engine), (0.6 + 0.6 * std::abs(number(engine))) * where);
  const double range = 0.15;
  std::vector<ProximityPair> pairs;
  testing::find_pairs(touch(a), touch(b), {.range_m = range, .max_depth_m = range}, pairs);
  const std::string what = "seed " + std::to_string(seed);
  no_two_are_the_same(a, b, pairs, what);
  bool overlap = false;
  for (const Vec3& x : a.x) overlap |= outside(b, x) < 0;
  for (const Vec3& x : b.x) overlap |= outside(a, x) < 0;
  const double distance = brute_distance(a, b);
  overlap |= distance == 0;
  double smallest = 1e300;
  for (const ProximityPair& p : pairs) {
    smallest = std::min(smallest, p.gap);
    const double depth = -p.gap;
    if (depth < 1e-5) continue;
    for (int skin = 0; skin < 2; ++skin)
      if (p.vertex(skin) >= 0) {
        const Shape &mine = skin == 0 ? a : b, &other = skin == 0 ? b : a;
        EXPECT_LT(outside(other, mine.x[p.vertex(skin)]), 1e-9) << what;
      }
    if (p.kind == PairKind::edge_edge) {
      EXPECT_LT(outside(b, p.P.at(a.x)), 1e-9) << what;
      EXPECT_LT(outside(a, p.Q.at(b.x)), 1e-9) << what;
    }
  }
  // Edges may cross without a vertex inside: then some triangles intersect, and brute_distance (of features,
  // not of intersections) says nothing.
  bool cross = false;
  for (int round = 0; round < 2 && !overlap; ++round) {
    const Shape &mine = round ? b : a, &other = round ? a : b;
    for (const auto& t : mine.triangles)
      for (int k = 0; k < 3 && !cross; ++k) {
        const Vec3 &p = mine.x[t[k]], &q = mine.x[t[(k + 1) % 3]];
        double lo = 0, hi = 1;  // the part of the edge that is inside all planes
        for (const auto& [i, j, l] : other.triangles) {
          const Vec3 n = (other.x[j] - other.x[i]).cross(other.x[l] - other.x[i]);
          const double hp = n.dot(p - other.x[i]), hq = n.dot(q - other.x[i]);
          if (hp > 0 && hq > 0) hi = -1;
          if ((hp > 0) != (hq > 0))
            (hp > 0 ? lo : hi) = hp > 0 ? std::max(lo, hp / (hp - hq)) : std::min(hi, hp / (hp - hq));
        }
        cross |= lo < hi;
      }
  }
  if (overlap || cross) return;
  if (distance < range) {
    EXPECT_NEAR(smallest, distance, 1e-9) << what;
  }
  EXPECT_GE(smallest, distance - 1e-9) << what;
}

TEST(ExactPairs, convex_bodies_at_random_no_gap_below_their_distance_and_nobody_inside_who_is_not) {
  for (unsigned seed = 0; seed < 3000; ++seed) expect_no_ghost(seed);
}

TEST(ExactPairs, slow_random_configurations_without_a_ghost) {
  // PALP_CONFIGURATIONS=1000000 for the whole million (some minutes).
  const char* wanted = std::getenv("PALP_CONFIGURATIONS");
  const unsigned count = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 20000;
  for (unsigned seed = 10000; seed < 10000 + count && !HasFailure(); ++seed) expect_no_ghost(seed);
}

/// Flat top of a box made of cells × cells squares.
Shape grid_box(int cells, double side, const Vec3& centre) {
  Shape s;
  std::map<std::array<int, 3>, int> node;
  const auto id = [&](int i, int j, int k) {
    const auto [it, fresh] = node.try_emplace({i, j, k}, static_cast<int>(s.x.size()));
    if (fresh) s.x.push_back(centre + side * (Vec3(i, j, k) / cells - Vec3::Constant(0.5)));
    return it->second;
  };
  const auto quad = [&](int a, int b, int c, int d) {
    s.triangles.push_back({a, b, c});
    s.triangles.push_back({a, c, d});
  };
  const int n = cells;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      quad(id(i, j, 0), id(i, j + 1, 0), id(i + 1, j + 1, 0), id(i + 1, j, 0));
      quad(id(i, j, n), id(i + 1, j, n), id(i + 1, j + 1, n), id(i, j + 1, n));
      quad(id(i, 0, j), id(i + 1, 0, j), id(i + 1, 0, j + 1), id(i, 0, j + 1));
      quad(id(i, n, j), id(i, n, j + 1), id(i + 1, n, j + 1), id(i + 1, n, j));
      quad(id(0, i, j), id(0, i, j + 1), id(0, i + 1, j + 1), id(0, i + 1, j));
      quad(id(n, i, j), id(n, i + 1, j), id(n, i + 1, j + 1), id(n, i, j + 1));
    }
  return s;
}

const double offsets[] = {0,      1e-16, -1e-16, 1e-13, -1e-13, 1e-11, -1e-11, 1e-10,
                          -1e-10, 1e-9,  -1e-9,  1e-8,  -1e-8,  5e-8,  -5e-8,  1e-7,
                          -1e-7,  1e-6,  -1e-6,  1e-5,  -1e-5,  1e-3,  -1e-3};

TEST(ExactPairs, aligned_boxes_carry_each_other_at_every_offset_and_push_only_upwards) {
  const double side = 0.1;
  for (int cells : {1, 2})
    for (double dx : offsets)
      for (double dy : offsets)
        for (double height : {1e-4, 1e-7, 1e-9, 0.0, -1e-10, -1e-9, -1e-8, -1e-7, -1e-6}) {
          const Shape low = grid_box(cells, side, Vec3::Zero()),
                      high = grid_box(cells, side, Vec3(dx, dy, side + height));
          std::vector<ProximityPair> pairs;
          testing::find_pairs(touch(high), touch(low), {.range_m = 0.005, .max_depth_m = 0.005}, pairs);
          Vec3 lo = Vec3::Constant(1), hi = -lo;
          const std::string what = std::to_string(cells) + " cells, dx " + std::to_string(1e9 * dx) +
                                   " nm, dy " + std::to_string(1e9 * dy) + " nm, height " +
                                   std::to_string(1e9 * height) + " nm";
          for (const auto& p : pairs) {
            EXPECT_GT(p.normal.z(), 0.995) << what << " kind " << int(p.kind) << " gap " << p.gap;
            EXPECT_NEAR(p.gap, height, 1e-9 + 1e-3 * std::abs(height)) << what;
            lo = lo.cwiseMin(p.P.at(high.x)), hi = hi.cwiseMax(p.P.at(high.x));
          }
          // The corners of what they share.
          EXPECT_GT(hi.x() - lo.x(), side - std::abs(dx) - 1e-6) << what;
          EXPECT_GT(hi.y() - lo.y(), side - std::abs(dy) - 1e-6) << what;
          no_two_are_the_same(high, low, pairs, what);
        }
}

TEST(ExactPairs, coincident_meshes_have_one_pair_per_node) {
  for (int cells : {1, 4, 8}) {
    const Shape low = grid_box(cells, 0.1, Vec3::Zero()), high = grid_box(cells, 0.1, Vec3(0, 0, 0.1));
    for (double height : {0.0, 1e-10, -1e-10, 1e-5}) {
      Shape lifted = high;
      for (Vec3& p : lifted.x) p.z() += height;
      std::vector<ProximityPair> pairs;
      testing::find_pairs(touch(lifted), touch(low), {.range_m = 0.001, .max_depth_m = 0.001}, pairs);
      EXPECT_EQ(pairs.size(), size_t(cells + 1) * (cells + 1)) << cells << " cells, height " << height;
    }
  }
}

TEST(ExactPairs, an_alarm_distance_larger_than_a_plate_finds_only_its_near_side) {
  Shape plate = grid_box(4, 0.1, Vec3::Zero());
  for (Vec3& p : plate.x) p.z() *= 0.02;  // 2 mm
  const Shape box = grid_box(2, 0.04, Vec3(0.003, 0.002, 0.001 + 0.02 + 1e-4));
  for (double range : {0.0005, 0.003, 0.01, 0.03}) {
    std::vector<ProximityPair> pairs;
    testing::find_pairs(touch(box), touch(plate), {.range_m = range, .max_depth_m = range}, pairs);
    ASSERT_FALSE(pairs.empty());
    for (const auto& p : pairs) {
      EXPECT_GT(p.normal.z(), 1 - 1e-9) << "range " << range;
      EXPECT_NEAR(p.gap, 1e-4, 1e-9) << "range " << range;
    }
  }
}

TEST(ExactPairs, a_vertex_on_a_face_close_to_its_rim_has_not_entered_through_the_side) {
  // The nodes of a fine flat surface under a box: whatever their distance from the rim, they touch its
  // bottom.
  const Shape box = cube(0.02, Vec3(0, 0, 0.01));
  for (double rim : {0.0, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3})
    for (double height : {0.0, 1e-10, -1e-10, -1e-9, 1e-7, -1e-7, -1e-6}) {
      Shape block = grid_box(8, 0.08, Vec3(0, 0, -0.04 + height));
      for (Vec3& p : block.x) p.x() += rim;  // nodes at ±0.01 come to lie on and beside the rim
      std::vector<ProximityPair> pairs;
      testing::find_pairs(touch(block), touch(box), {.range_m = 0.005, .max_depth_m = 0.005}, pairs);
      EXPECT_GE(pairs.size(), 4u);
      for (const auto& p : pairs)
        EXPECT_LT(p.normal.z(), -0.995)
            << "rim " << rim << ", height " << height << ", gap " << p.gap << ", kind " << int(p.kind);
    }
}

TEST(ExactPairs, a_point_that_has_passed_the_middle_of_a_plate_goes_back_where_it_came_from) {
  Shape plate = cube(1, Vec3::Zero());
  for (Vec3& p : plate.x) p.z() *= 0.01;
  const CameFrom above{.skin = 0, .vertex = 0, .normal = Vec3::UnitZ(), .touched = true};
  for (double z : {0.004, 0.0, -0.004, -0.0049}) {
    const Shape point{{Vec3(0.1, 0.2, z)}, {}, {}};
    std::vector<ProximityPair> pairs;
    testing::find_pairs(touch(point), touch(plate),
                        {.range_m = 0.02, .max_depth_m = 0.02, .came_from = std::span(&above, 1)}, pairs);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_LT((pairs[0].normal - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(pairs[0].gap, z - 0.005, 1e-12);
  }
}

TEST(ExactPairs, a_vertex_sunk_in_a_concave_corner_is_pushed_out_of_floor_and_wall) {
  // An L-shaped sheet: floor z = 0 for x > 0, wall x = 0 for z > 0.
  const Shape corner{{{0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0, 1, 0}, {0, -1, 1}, {0, 1, 1}},
                     {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}},
                     {}};
  for (double sunk : {1e-9, 1e-6, 1e-4, 1e-3}) {
    const Shape point{{Vec3(-sunk, 0.1, -2 * sunk)}, {}, {}};
    std::vector<ProximityPair> pairs;
    testing::find_pairs(touch(point), touch(corner), {.range_m = 0.01, .max_depth_m = 0.01}, pairs);
    bool floor = false, wall = false;
    for (const auto& p : pairs) {
      floor |= p.normal.z() > 0.999 && std::abs(p.gap + 2 * sunk) < 1e-9;
      wall |= p.normal.x() > 0.999 && std::abs(p.gap + sunk) < 1e-9;
    }
    EXPECT_TRUE(floor && wall) << sunk;
  }
}

/// The bottom of a pit between three planes: an inverted cube from −1 to 1, sheared so that its folds have
/// angles of their own.
Shape pit(const Mat3& shear) {
  Shape s = cube(2, Vec3::Zero());
  for (Vec3& x : s.x) x = shear * x;
  for (Triangle& t : s.triangles) std::swap(t[1], t[2]);
  return s;
}

/// The nearest place with no negative height over three planes: some of them bear it.
Vec3 out_of(const Mat3& normals, const Vec3& height) {
  Vec3 best = Vec3::Constant(1e300);
  for (int bears = 0; bears < 8; ++bears) {
    // Moved along the normals of those that bear; the others press nothing.
    Mat3 A = Mat3::Identity();
    Vec3 b = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      if (bears >> k & 1) A.row(k) = (normals * normals.transpose()).row(k), b[k] = -height[k];
    const Vec3 pressed = A.inverse() * b, then = height + normals * normals.transpose() * pressed;
    if (pressed.minCoeff() >= 0 && then.minCoeff() > -1e-14) best = then;
  }
  return best;
}

// What has sunk a hair into one side of a fold would otherwise go on behind the other one. Every plane holds
// it that holds the place where it comes out.
TEST(ExactPairs, a_vertex_that_has_sunk_into_one_side_of_a_pit_is_held_by_the_others) {
  std::mt19937 engine(7);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(engine); };
  constexpr double range = 0.05;
  int expected = 0, beyond_borders = 0;
  for (int round = 0; round < 20000; ++round) {
    Mat3 shear = Mat3::Identity();
    if (round % 4) shear << 1, between(-0.7, 0.7), between(-0.5, 0.5), 0, 1, between(-0.5, 0.5), 0, 0, 1;
    const Shape walls = pit(shear);
    // Inward normals of the planes at the corner −(1, 1, 1) and the heights over them.
    Mat3 normals = shear.inverse();
    for (int k = 0; k < 3; ++k) normals.row(k).normalize();
    Vec3 height;
    for (int k = 0; k < 3; ++k)
      height[k] = k == round % 3 ? -std::pow(10, between(-5, -3)) : std::pow(10, between(-12, -1.5));
    if (engine() % 3 == 0) height[(round + 1) % 3] = 0.4;
    if (engine() % 3 == 0) height[(round + 1) % 3] = -std::pow(10, between(-12, -3));
    const Vec3 corner = shear * Vec3::Constant(-1);
    const Shape point{{corner + normals.inverse() * height}, {}, {}};
    std::vector<ProximityPair> pairs;
    const bool first = engine() % 2;
    const ProximitySettings settings{.range_m = range, .max_depth_m = range};
    if (first)
      testing::find_pairs(touch(point), touch(walls), settings, pairs);
    else
      testing::find_pairs(touch(walls), touch(point), settings, pairs);
    const Vec3 out = out_of(normals, height);
    ASSERT_LT(out.maxCoeff(), 1);
    for (int k = 0; k < 3; ++k) {
      const Vec3 foot = out - out[k] * (normals * normals.row(k).transpose()),
                 own_foot = height - height[k] * (normals * normals.row(k).transpose());
      if (height[k] > 0.6 * range || foot.minCoeff() < -1e-14) continue;
      ++expected;
      beyond_borders += own_foot.minCoeff() < -1e-8;
      const Vec3 n = normals.row(k) * (first ? 1 : -1);
      const bool held = std::any_of(pairs.begin(), pairs.end(), [&](const ProximityPair& p) {
        return (p.normal - n).norm() < 1e-9 && std::abs(p.gap - height[k]) < 1e-12;
      });
      EXPECT_TRUE(held) << "round " << round << ", plane " << k << ", heights " << height.transpose();
    }
  }
  EXPECT_GT(expected, 30000);
  EXPECT_GT(beyond_borders, 10000);
}

// The back of a sheet of 1 mm has sunk 0.1 mm into a plate of 2 mm: its front goes back where it came from,
// and the back has no way out through the plate, though it looks at the other side.
TEST(ExactPairs, the_back_of_a_thin_sheet_does_not_leave_through_the_far_side_of_a_plate) {
  Shape plate = cube(1, Vec3::Zero()), sheet = cube(1, Vec3::Zero());
  for (Vec3& x : plate.x) x.z() *= 0.002;
  for (Vec3& x : sheet.x) x = Vec3(0.1 * x.x(), 0.08 * x.y(), 0.0004 + 0.001 * x.z());
  for (double turn : {0.0, 0.001, -0.001}) {
    Shape tilted = sheet;
    for (Vec3& x : tilted.x) x.z() += turn * x.x();
    std::vector<ProximityPair> pairs;
    testing::find_pairs(touch(tilted), touch(plate), {.range_m = 0.003, .max_depth_m = 0.003}, pairs);
    int held = 0;
    for (const ProximityPair& p : pairs) {
      EXPECT_GT(p.normal.z(), 0.999);
      held += p.gap < -0.0005;
    }
    EXPECT_GT(held, 0);
  }
}

}  // namespace exact_pairs_test
}  // namespace palp
