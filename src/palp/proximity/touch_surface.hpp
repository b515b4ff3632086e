// What touches, seen by the proximity search: the features of one body's skin (vertices, edges, faces) and
// their current geometry. A triangle surface has all three, a curve has vertices and edges, a point has one
// vertex.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "palp/mesh/rounded.hpp"
#include "palp/proximity/box_tree.hpp"

namespace palp {

/// Constant: who is whose neighbour.
struct TouchTopology {
  int vertices = 0;
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;                    ///< of the triangles, then the segments
  std::vector<std::array<int, 2>> edge_face;  ///< triangles on either side, −1 = none
  std::vector<std::array<int, 2>> edge_apex;  ///< their corners that are not on the edge, −1 = none
  std::vector<int> neighbour_start;           ///< vertices + 1
  std::vector<int> neighbour;                 ///< vertices joined to each vertex by an edge
  std::vector<int> ring_start;                ///< vertices + 1
  std::vector<int> ring;                      ///< triangles at each vertex

  /// A leaf of the tree: a triangle, a segment without triangle, or a lone vertex. Each vertex and each edge
  /// is owned by exactly one primitive, so that a pair of features is looked at once.
  struct Primitive {
    int triangle = -1;
    int edge = -1;  ///< when triangle < 0
    std::array<int, 3> vertex{-1, -1, -1};
    std::array<int, 3> owned_vertex{-1, -1, -1};
    std::array<int, 3> owned_edge{-1, -1, -1};
  };
  std::vector<Primitive> primitives;

  static TouchTopology make(int vertices, std::span<const Triangle> triangles,
                            std::span<const Edge> segments);
};

/// Current geometry of one skin. `update` is called once a step; it allocates nothing.
class TouchSurface {
 public:
  explicit TouchSurface(TouchTopology topology);

  /// Positions at the start of the step, and at the end of the free motion (may be the same span): the boxes
  /// cover the way between them.
  void update(std::span<const Vec3> start, std::span<const Vec3> free);
  /// From now on `update` looks at these primitives and what is around them; the rest of the skin stays where
  /// it is and touches nothing. Allocates nothing once the surface was updated as a whole.
  void focus(std::span<const int> primitives);

  const TouchTopology& topology() const { return topology_; }
  std::span<const Vec3> start() const { return start_; }
  std::span<const Vec3> free() const { return free_; }
  const Vec3& face_normal(int triangle) const { return face_normal_[triangle]; }
  /// Zero where the vertex carries no triangle.
  const Vec3& vertex_normal(int vertex) const { return vertex_normal_[vertex]; }
  /// Sum of the outward normals of the faces at the edge; zero for a segment.
  Vec3 edge_normal(int edge) const;
  /// Sum of the normals of the faces at the vertex, each weighted with its angle there: a point whose nearest
  /// point of a closed surface is this vertex lies outside when it lies on the side of this vector
  /// (Baerentzen & Aanaes 2005).
  Vec3 pseudo_normal(int vertex) const;
  /// The same over those faces of the ring that are of one group of `smooth_group` (below).
  Vec3 pseudo_normal(int vertex, std::span<const int> smooth_group, int group) const;
  /// The same over a group of `at_rest`, as a unit vector; made once a step.
  const Vec3& smooth_normal(int vertex, int group) const;
  /// n·n' of the two faces at the edge; −1 where there are not two.
  double edge_cosine(int edge) const { return edge_cosine_[edge]; }
  /// What of the skin is round at rest (curved_edges.hpp); empty: nothing.
  struct RestShape {
    std::vector<char> curved_edge;  ///< per edge: a chord of a round surface
    std::vector<int>
        smooth_group;  ///< per entry of `ring`: equal for faces that go on smoothly round the vertex
    std::vector<double> cell_m;  ///< per face: how far apart vertices are there
  } at_rest;
  /// The exact shape that the triangles stand for; the last three vertices are the ends of its axis and a
  /// point beside the middle (rounded.hpp). Contacts are those of turned_pairs.hpp then.
  std::optional<TurnedCore> turned;
  /// The longest way of a vertex during the free motion; of those that `update` looks at.
  double largest_motion() const { return largest_motion_; }
  /// The way of a vertex, and of all vertices of a primitive, during the free motion.
  const Box& vertex_box(int vertex) const { return vertex_box_[vertex]; }
  const Box& box(int primitive) const { return box_[primitive]; }
  const BoxTree& tree() const { return tree_; }

 private:
  TouchTopology topology_;
  std::vector<Vec3> start_, free_;
  std::vector<Vec3> face_normal_, vertex_normal_;
  std::vector<double> edge_cosine_;
  mutable std::vector<Vec3>
      smooth_normal_;  // by group, which is the number of a place in the rings; zero: not yet made
  double largest_motion_ = 0;
  /// What `update` looks at: all, until focus() was called.
  struct Seen {
    std::vector<int> primitives, vertices, faces, edges;
    std::vector<char> has_vertex, has_face, has_edge;
  } seen_;
  std::vector<Box> vertex_box_;
  std::vector<Box> box_;  // per primitive
  BoxTree tree_;
  bool built_ = false;
};

}  // namespace palp
