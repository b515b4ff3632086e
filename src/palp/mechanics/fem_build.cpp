// FemBody::make: checks the specification, then lays out elements, pattern, mass, constraints and skin.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "palp/math/dense.hpp"
#include "palp/math/rotation.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/quadratic_tet_element.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {
namespace {

/// What the body needs of one element besides K_hg, in the element's own node order.
template <int N>
struct ElementAtRest {
  Eigen::Matrix<double, 3, N> g;  ///< (mean) gradients
  double volume = 0;
  double least_jacobian = 0;           ///< ≤ 0: inverted or flat
  Eigen::Matrix<double, N, N> mass;    ///< consistent, per axis
  Eigen::Matrix<double, N, 1> lumped;  ///< the same, lumped
};

}  // namespace

struct FemBuilder {
  const FemSpec& spec;
  std::unique_ptr<FemBody> body{new FemBody};
  int nodes = 0;

  explicit FemBuilder(const FemSpec& s) : spec(s) {}

  const std::vector<Vec3>& positions() const {
    return std::visit([](const auto& mesh) -> const std::vector<Vec3>& { return mesh.nodes; }, spec.mesh);
  }

  static Error error(const std::string& message, const std::string& remedy) {
    return Error{.message = message, .remedy = remedy};
  }

  Material own() const { return {spec.young_modulus_Pa, spec.poisson_ratio, spec.density_kg_per_m3}; }

  /// Which material element e is made of, and that material.
  int part_of(size_t e) const { return spec.parts.of_element.empty() ? 0 : spec.parts.of_element[e]; }
  Material material_of(size_t e) const {
    return part_of(e) == 0 ? own() : spec.parts.materials[part_of(e) - 1];
  }
  Lame lame_of(size_t e) const {
    const Material m = material_of(e);
    return lame(m.young_modulus_Pa, m.poisson_ratio);
  }

  Result<void> check_material(const Material& m) const {
    if (!valid_material(m.young_modulus_Pa, m.poisson_ratio))
      return error("Young's modulus " + std::to_string(m.young_modulus_Pa) + " Pa with Poisson ratio " +
                       std::to_string(m.poisson_ratio) + " is not an elastic material",
                   "choose a positive modulus and a ratio above -1 and below 0.5, e.g. 0.45 for soft tissue");
    const double density = m.density_kg_per_m3;
    if (!std::isfinite(density) || density < 0 || (density == 0 && !spec.quasi_static))
      return error("density " + std::to_string(density) + " kg/m3 is impossible",
                   "choose a positive density");
    return {};
  }

  Result<void> check_numbers() const {
    if (auto r = check_material(own()); !r) return r;
    for (const Material& m : spec.parts.materials)
      if (auto r = check_material(m); !r) return r;
    for (double rate : {spec.rayleigh_mass_per_s, spec.rayleigh_stiffness_s})
      if (!std::isfinite(rate) || rate < 0)
        return error("Rayleigh coefficient " + std::to_string(rate) + " is impossible",
                     "choose zero or more");
    return {};
  }

  template <class Element>
  Result<void> check_mesh(const std::vector<Element>& elements) {
    const auto& x = positions();
    nodes = static_cast<int>(x.size());
    if (!spec.hex_fill.empty() && spec.hex_fill.size() != elements.size())
      return error("hex_fill has " + std::to_string(spec.hex_fill.size()) + " entries, the mesh has " +
                       std::to_string(elements.size()) + " elements",
                   "give one entry per hexahedron, or none");
    const auto& parts = spec.parts.of_element;
    const int materials = static_cast<int>(spec.parts.materials.size());
    if ((!parts.empty() && parts.size() != elements.size()) ||
        std::any_of(parts.begin(), parts.end(), [&](int k) { return k < 0 || k > materials; }))
      return error("the parts of the body do not fit its elements and materials",
                   "give one number per element, 0 to " + std::to_string(materials));
    if (elements.empty()) return error("the mesh has no elements", "give a mesh of tetrahedra or hexahedra");
    for (int n = 0; n < nodes; ++n)
      if (!x[n].allFinite())
        return error("node " + std::to_string(n) + " has no finite position", "repair the mesh");
    std::vector<char> used(nodes, 0);
    for (size_t e = 0; e < elements.size(); ++e)
      for (int n : elements[e]) {
        if (n < 0 || n >= nodes)
          return error("element " + std::to_string(e) + " names node " + std::to_string(n) +
                           ", the mesh has " + std::to_string(nodes),
                       "repair the mesh");
        used[n] = 1;
      }
    for (int n = 0; n < nodes; ++n)
      if (!used[n])
        return error("node " + std::to_string(n) + " belongs to no element",
                     "remove unused nodes from the mesh");
    return {};
  }

  /// The projector on the directions of either.
  static Mat3 join(const Mat3& a, const Mat3& b) {
    const SymmetricEigen axes = symmetric_eigen(a + b);
    Mat3 joined = Mat3::Zero();
    for (int k = 0; k < 3; ++k)
      if (axes.values[k] > 1e-9) joined += axes.vectors.col(k) * axes.vectors.col(k).transpose();
    return joined;
  }

  std::vector<Mat3> held;  ///< per node: projector on the directions in which it is held or driven

  Result<void> check_constraints() {
    auto& b = *body;
    const auto missing = [&](int n) {
      return error("fixed or driven node " + std::to_string(n) + " does not exist, the mesh has " +
                       std::to_string(nodes) + " nodes",
                   "nodes count from 0");
    };
    held.assign(nodes, Mat3::Zero());
    for (int n : spec.fixed_nodes) {
      if (n < 0 || n >= nodes) return missing(n);
      held[n].setIdentity();
    }
    for (const NodeSupport& s : spec.supports) {
      if (s.node < 0 || s.node >= nodes) return missing(s.node);
      if (!((s.held * s.held - s.held).norm() < 1e-9) || !((s.held - s.held.transpose()).norm() < 1e-9))
        return error("the support of node " + std::to_string(s.node) + " is no projector on directions",
                     "give n nᵀ for a plane with the normal n");
      held[s.node] = join(held[s.node], s.held);
    }
    b.driven_directions_ = spec.driven_directions;
    b.driven_directions_.resize(spec.driven_nodes.size(), Mat3::Identity());
    for (size_t i = 0; i < spec.driven_nodes.size(); ++i) {
      const int n = spec.driven_nodes[i];
      if (n < 0 || n >= nodes) return missing(n);
      if ((held[n] * b.driven_directions_[i]).norm() > 1e-9)
        return error("node " + std::to_string(n) + " is driven twice, or both fixed and driven",
                     "name it once");
      held[n] += b.driven_directions_[i];
    }
    b.free_of_node_.assign(nodes, 0);
    for (int n = 0; n < nodes; ++n)
      if (held[n].trace() > 2.5) b.free_of_node_[n] = -1;
    if (spec.quasi_static && spec.rayleigh_mass_per_s * spec.density_kg_per_m3 == 0 && !is_held())
      return error("a quasi-static body needs three fixed or driven nodes that are not in a line, or damping",
                   "fix nodes, or set a positive rayleigh_mass_per_s");
    return {};
  }

  /// Do the held directions leave no rigid motion? Σ Φᵀ (held) Φ over the nodes is then regular.
  bool is_held() const {
    const auto& x = positions();
    Vec3 lo = x[0], hi = x[0];
    for (const Vec3& p : x) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
    const double size = (hi - lo).norm();
    Mat6 sum = Mat6::Zero();
    for (int n = 0; n < nodes; ++n) {
      if (held[n].trace() < 0.5) continue;
      Eigen::Matrix<double, 3, 6> rigid;
      rigid << Mat3::Identity(), -cross_matrix((x[n] - 0.5 * (lo + hi)) / size);
      sum += rigid.transpose() * held[n] * rigid;
    }
    return smallest_eigenvalue(sum) > 1e-12;
  }

  int entry(int row, int column) const {
    const auto& p = body->pattern_;
    const auto begin = p.row.begin() + p.start[column], end = p.row.begin() + p.start[column + 1];
    return static_cast<int>(std::lower_bound(begin, end, row) - p.row.begin());
  }

  /// Element e in ascending node order: permutation[a] = its original local index.
  template <size_t N>
  static std::array<int, N> ascending(const std::array<int, N>& element) {
    std::array<int, N> permutation;
    std::iota(permutation.begin(), permutation.end(), 0);
    std::sort(permutation.begin(), permutation.end(), [&](int a, int b) { return element[a] < element[b]; });
    return permutation;
  }

  /// Of hex number e.
  const CellFill& fill_of(size_t e) const {
    static const CellFill full;
    return e < spec.hex_fill.size() ? spec.hex_fill[e] : full;
  }

  // One overload per kind of element, chosen by the number of nodes. X: node positions from node 0.
  ElementAtRest<4> at_rest(const Eigen::Matrix<double, 3, 4>& X, size_t e) const {
    const TetShape s = tet_shape(X.col(0), X.col(1), X.col(2), X.col(3));
    const Eigen::Matrix4d M = tet_consistent_mass(s, material_of(e).density_kg_per_m3);
    return {s.g, s.volume, s.volume, M, M.rowwise().sum()};
  }
  ElementAtRest<8> at_rest(const HexNodes& X, size_t e) const {
    const HexShape s = hex_shape(X, fill_of(e));
    const HexMass M = hex_consistent_mass(X, material_of(e).density_kg_per_m3, fill_of(e));
    return {s.g, s.volume, s.least_jacobian, M, M.rowwise().sum()};
  }
  ElementAtRest<10> at_rest(const Eigen::Matrix<double, 3, 10>& X, size_t e) const {
    const TetShape s = tet_shape(X.col(0), X.col(1), X.col(2), X.col(3));
    return {quadratic_tet_mean_gradients(s), s.volume, s.volume,
            quadratic_tet_consistent_mass(s, material_of(e).density_kg_per_m3),
            quadratic_tet_lumped_mass(s, material_of(e).density_kg_per_m3)};
  }
  HexStiffness hourglass(const HexNodes& X, size_t e) const {
    return hex_hourglass_stiffness(X, hex_shape(X, fill_of(e)), lame_of(e), spec.hex_modes, fill_of(e));
  }
  ElementStiffness<10> hourglass(const Eigen::Matrix<double, 3, 10>& X, size_t e) const {
    return quadratic_tet_hourglass_stiffness(tet_shape(X.col(0), X.col(1), X.col(2), X.col(3)), lame_of(e));
  }

  template <int N>
  void add_to_batch(std::vector<ElementBatch<N>>& batches, int l, size_t e, const std::array<int, N>& element,
                    const std::array<int, N>& order, const ElementAtRest<N>& rest, int hourglass) {
    if (l == 0) batches.emplace_back();
    auto& batch = batches.back();
    batch.material = lame_of(e);
    // The first element also fills the lanes after it, with no volume: padding, until they get their own.
    for (int lane = l; lane < kLanes; ++lane) {
      batch.volume[lane] = lane == l ? rest.volume : 0;
      batch.hourglass[lane] = lane == l ? hourglass : -1;
      for (int a = 0; a < N; ++a) {
        batch.node[a][lane] = element[order[a]];
        for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = rest.g(i, order[a]);
        for (int b = 0; b <= a; ++b)
          batch.entry[a * (a + 1) / 2 + b][lane] = entry(element[order[a]], element[order[b]]);
      }
    }
    for (int a = 0; a < N; ++a) {
      body->node_mass_[element[a]] += spec.lumped_mass ? rest.lumped[a] : rest.mass.row(a).sum();
      if (!spec.lumped_mass)
        for (int b = 0; b < N; ++b)
          if (element[a] >= element[b]) body->mass_[entry(element[a], element[b])] += rest.mass(a, b);
    }
  }

  /// The elements, those of one material after those of another.
  std::vector<size_t> by_material(size_t count) const {
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return part_of(a) < part_of(b); });
    return order;
  }

  template <int N>
  Result<void> add_elements(const std::vector<std::array<int, N>>& list, Elements<N>& out) {
    const auto& x = positions();
    std::map<std::array<long long, 4 * N + 1>, int> known;  // equal whole elements share one K_hg
    double unit = 0;
    int lane = 0, part = -1;
    for (const size_t e : by_material(list.size())) {
      if (part_of(e) != std::exchange(part, part_of(e))) lane = 0;  // a batch is made of one material
      Eigen::Matrix<double, 3, N> X;
      for (int a = 0; a < N; ++a) X.col(a) = x[list[e][a]] - x[list[e][0]];
      const double size = X.colwise().norm().maxCoeff();
      const ElementAtRest<N> rest = at_rest(X, e);
      if (!(rest.least_jacobian > 1e-12 * size * size * size))
        return error("element " + std::to_string(e) + " is inverted or flat",
                     "repair the mesh or its node order");
      if constexpr (N == 10)
        for (int k = 0; k < 6; ++k)
          if (!((X.col(4 + k) - 0.5 * (X.col(kTetEdges[k][0]) + X.col(kTetEdges[k][1]))).norm() <
                1e-6 * size))
            return error("element " + std::to_string(e) + " has a curved side",
                         "put its middle nodes in the middle of the edges");
      const auto order = ascending(list[e]);
      int shape = -1;
      if constexpr (N != 4) {
        if (unit == 0) unit = size;
        std::array<long long, 4 * N + 1> key;
        key.back() = part;
        for (int i = 0; i < 3 * N; ++i) key[i] = std::llround(std::ldexp(X(i % 3, i / 3) / unit, 40));
        for (int a = 0; a < N; ++a) key[3 * N + a] = order[a];
        shape = static_cast<int>(out.hourglass.size());
        const bool own = N == 8 && !fill_of(e).empty();  // a cell that is cut has a K_hg of its own
        if (!own) shape = known.try_emplace(key, shape).first->second;
        if (shape == static_cast<int>(out.hourglass.size())) {
          const ElementStiffness<N> K = hourglass(X, e);
          ElementStiffness<N>& sorted = out.hourglass.emplace_back();
          for (int a = 0; a < N; ++a)
            for (int b = 0; b < N; ++b)
              sorted.template block<3, 3>(3 * a, 3 * b) = K.template block<3, 3>(3 * order[a], 3 * order[b]);
        }
      }
      add_to_batch<N>(out.batches, lane, e, list[e], order, rest, shape);
      lane = (lane + 1) % kLanes;
    }
    return {};
  }

  void lay_out_constraints() {
    auto& b = *body;
    for (int n = 0; n < nodes; ++n)
      if (b.free_of_node_[n] >= 0) {
        b.free_of_node_[n] = static_cast<int>(b.node_of_free_.size());
        b.node_of_free_.push_back(n);
      }
    for (size_t i = 0; i < b.node_of_free_.size(); ++i)
      if (const Mat3& P = held[b.node_of_free_[i]]; P.trace() > 0.5) {
        if (b.partly_.empty()) b.partly_.assign(b.node_of_free_.size(), -1);
        b.partly_[i] = static_cast<int>(b.partly_free_.size());
        b.partly_free_.push_back(static_cast<int>(i));
        b.free_projector_.push_back(Mat3::Identity() - P);
      }
    if (static_cast<int>(b.node_of_free_.size()) == nodes && b.partly_.empty()) return;
    b.free_pattern_ = BlockSymmetric{};
    for (int n : b.node_of_free_) {
      for (int k = b.pattern_.start[n]; k < b.pattern_.start[n + 1]; ++k)
        if (const int row = b.free_of_node_[b.pattern_.row[k]]; row >= 0) b.free_pattern_.row.push_back(row);
      b.free_pattern_.start.push_back(static_cast<int>(b.free_pattern_.row.size()));
    }
    b.free_pattern_.value.assign(b.free_pattern_.row.size(), Mat3::Zero());
  }

  Result<void> lay_out_skin() {
    auto& b = *body;
    b.embedding_ = spec.skin;
    auto& skin = b.embedding_;
    if (skin.vertices() == 0) {
      const Surface surface = std::visit([](const auto& mesh) { return extract_surface(mesh); }, spec.mesh);
      skin.triangles = surface.mesh.triangles;
      skin.node = surface.node_of_vertex;
      skin.weight.assign(skin.node.size(), 1.0);
      skin.start.resize(skin.node.size() + 1);
      std::iota(skin.start.begin(), skin.start.end(), 0);
    }
    if (skin.node.size() != skin.weight.size() || skin.start.front() != 0 ||
        !std::is_sorted(skin.start.begin(), skin.start.end()) ||
        skin.start.back() != static_cast<int>(skin.node.size()))
      return error("the skin's arrays start, node and weight do not fit together", "rebuild the embedding");
    for (int v = 0; v < skin.vertices(); ++v) {
      double sum = 0;
      for (int k = skin.start[v]; k < skin.start[v + 1]; ++k) {
        if (skin.node[k] < 0 || skin.node[k] >= nodes)
          return error("skin vertex " + std::to_string(v) + " rides on node " + std::to_string(skin.node[k]) +
                           ", which does not exist",
                       "rebuild the embedding");
        sum += skin.weight[k];
      }
      if (!(std::abs(sum - 1) < 1e-6))
        return error("the weights of skin vertex " + std::to_string(v) + " do not sum to one",
                     "rebuild the embedding");
    }
    for (size_t t = 0; t < skin.triangles.size(); ++t)
      for (int v : skin.triangles[t])
        if (v < 0 || v >= skin.vertices())
          return error("skin triangle " + std::to_string(t) + " names vertex " + std::to_string(v) +
                           ", the skin has " + std::to_string(skin.vertices()),
                       "rebuild the skin");
    b.skin_.vertices = skin.vertices();
    b.skin_.triangles = skin.triangles;
    b.skin_.smooth = spec.smooth_skin;
    std::vector<char> carries(b.node_of_free_.size(), 0);
    for (int n : skin.node)
      if (b.free_of_node_[n] >= 0) carries[b.free_of_node_[n]] = 1;
    for (size_t i = 0; i < carries.size(); ++i)
      if (carries[i]) b.contact_nodes_.push_back(static_cast<int>(i));
    return {};
  }

  template <class Element>
  Result<void> lay_out_elements(const std::vector<Element>& elements) {
    auto& b = *body;
    b.rest_.resize(3 * nodes);
    for (int n = 0; n < nodes; ++n) b.rest_.segment<3>(3 * n) = positions()[n];
    const std::span<const int> flat(elements.front().data(), elements.size() * std::tuple_size_v<Element>);
    b.pattern_ = block_pattern(nodes, flat, static_cast<int>(std::tuple_size_v<Element>));
    b.node_mass_ = VecX::Zero(nodes);
    if (!spec.lumped_mass) b.mass_.assign(b.pattern_.row.size(), 0.0);
    if constexpr (std::is_same_v<Element, Tet>)
      return add_elements<4>(elements, b.tets_);
    else if constexpr (std::is_same_v<Element, Hex>)
      return add_elements<8>(elements, b.hexes_);
    else
      return add_elements<10>(elements, b.quadratic_tets_);
  }

  template <class Element>
  Result<std::unique_ptr<FemBody>> build(const std::vector<Element>& elements) {
    auto& b = *body;
    b.model_ = spec.model;
    b.tangent_ = spec.tangent;
    b.alpha_ = spec.rayleigh_mass_per_s;
    b.beta_ = spec.rayleigh_stiffness_s;
    b.quasi_static_ = spec.quasi_static;
    b.lumped_ = spec.lumped_mass;
    b.condensation_bound_ = spec.condensation_bound_bytes;
    b.driven_ = spec.driven_nodes;
    if (auto r = check_numbers(); !r) return r.error();
    if (auto r = check_mesh(elements); !r) return r.error();
    if (auto r = check_constraints(); !r) return r.error();
    if (auto r = lay_out_elements(elements); !r) return r.error();
    lay_out_constraints();
    if (auto r = lay_out_skin(); !r) return r.error();
    if (spec.model == FemModel::linear) {  // K of linear elasticity is the tangent at rest
      VecX f = VecX::Zero(b.dof());
      b.add_elements(Tangent::rotation_frozen, 1, b.rest_, f, &b.pattern_);
    }
    return std::move(body);
  }
};

SkinEmbedding embedded_skin(const Embedding& embedding, std::vector<Triangle> triangles) {
  SkinEmbedding skin;
  skin.triangles = std::move(triangles);
  skin.node = embedding.node;
  skin.weight = embedding.weight;
  for (int v = 1; v <= embedding.vertices(); ++v) skin.start.push_back(v * embedding.nodes_per_element);
  return skin;
}

Result<std::unique_ptr<FemBody>> FemBody::make(const FemSpec& spec) {
  FemBuilder builder(spec);
  if (const auto* tets = std::get_if<TetMesh>(&spec.mesh)) return builder.build(tets->tets);
  if (const auto* hexes = std::get_if<HexMesh>(&spec.mesh)) return builder.build(hexes->hexes);
  return builder.build(std::get<QuadraticTetMesh>(spec.mesh).tets);
}

}  // namespace palp
