// FemBody::make: checks the specification, then lays out elements, pattern, mass, constraints and skin.
#include <algorithm>
#include <map>
#include <numeric>

#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/tet_element.hpp"
#include "palp/mesh/topology.hpp"

namespace palp {

struct FemBuilder {
  const FemSpec& spec;
  std::unique_ptr<FemBody> body{new FemBody};
  int nodes = 0;

  explicit FemBuilder(const FemSpec& s) : spec(s) {}

  const std::vector<Vec3>& positions() const {
    if (const auto* tets = std::get_if<TetMesh>(&spec.mesh)) return tets->nodes;
    return std::get<HexMesh>(spec.mesh).nodes;
  }

  static Error error(const std::string& message, const std::string& remedy) {
    return Error{.message = message, .remedy = remedy};
  }

  Result<void> check_numbers() const {
    if (!valid_material(spec.young_modulus_Pa, spec.poisson_ratio))
      return error("Young's modulus " + std::to_string(spec.young_modulus_Pa) + " Pa with Poisson ratio " +
                       std::to_string(spec.poisson_ratio) + " is not an elastic material",
                   "choose a positive modulus and a ratio above -1 and below 0.5, e.g. 0.45 for soft tissue");
    const double density = spec.density_kg_per_m3;
    if (!std::isfinite(density) || density < 0 || (density == 0 && !spec.quasi_static))
      return error("density " + std::to_string(density) + " kg/m3 is impossible",
                   "choose a positive density");
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

  Result<void> check_constraints() {
    auto& b = *body;
    b.free_of_node_.assign(nodes, 0);
    for (const auto* list : {&spec.fixed_nodes, &spec.driven_nodes})
      for (int n : *list)
        if (n < 0 || n >= nodes)
          return error("fixed or driven node " + std::to_string(n) + " does not exist, the mesh has " +
                           std::to_string(nodes) + " nodes",
                       "nodes count from 0");
    for (int n : spec.fixed_nodes) b.free_of_node_[n] = -1;
    for (int n : spec.driven_nodes) {
      if (b.free_of_node_[n] < 0)
        return error("node " + std::to_string(n) + " is driven twice, or both fixed and driven",
                     "name it once");
      b.free_of_node_[n] = -1;
    }
    if (spec.quasi_static && spec.rayleigh_mass_per_s * spec.density_kg_per_m3 == 0 && !held())
      return error("a quasi-static body needs three fixed or driven nodes that are not in a line, or damping",
                   "fix nodes, or set a positive rayleigh_mass_per_s");
    return {};
  }

  /// Do the given nodes leave no rigid motion?
  bool held() const {
    const auto& x = positions();
    std::vector<int> given = spec.fixed_nodes;
    given.insert(given.end(), spec.driven_nodes.begin(), spec.driven_nodes.end());
    if (given.size() < 3) return false;
    int far = given[0];
    for (int n : given)
      if ((x[n] - x[given[0]]).norm() > (x[far] - x[given[0]]).norm()) far = n;
    const Vec3 axis = x[far] - x[given[0]];
    return std::any_of(given.begin(), given.end(), [&](int n) {
      return axis.cross(x[n] - x[given[0]]).norm() > 1e-9 * axis.squaredNorm();
    });
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

  template <size_t N>
  void add_to_batch(std::vector<ElementBatch<static_cast<int>(N)>>& batches, size_t e,
                    const std::array<int, N>& element, const std::array<int, N>& order,
                    const Eigen::Matrix<double, 3, static_cast<int>(N)>& g, double volume, int hourglass,
                    const Eigen::Matrix<double, static_cast<int>(N), static_cast<int>(N)>& M) {
    const int l = static_cast<int>(e % kLanes);
    if (l == 0) batches.emplace_back();
    auto& batch = batches.back();
    // The first element also fills the lanes after it, with no volume: padding, until they get their own.
    for (int lane = l; lane < kLanes; ++lane) {
      batch.volume[lane] = lane == l ? volume : 0;
      batch.hourglass[lane] = lane == l ? hourglass : -1;
      for (size_t a = 0; a < N; ++a) {
        batch.node[a][lane] = element[order[a]];
        for (int i = 0; i < 3; ++i) batch.g[a][i][lane] = g(i, order[a]);
        for (size_t b = 0; b <= a; ++b)
          batch.entry[a * (a + 1) / 2 + b][lane] = entry(element[order[a]], element[order[b]]);
      }
    }
    for (size_t a = 0; a < N; ++a) {
      body->node_mass_[element[a]] += M.row(a).sum();
      if (!spec.lumped_mass)
        for (size_t b = 0; b < N; ++b)
          if (element[a] >= element[b]) body->mass_[entry(element[a], element[b])] += M(a, b);
    }
  }

  Result<void> add_tets(const std::vector<Tet>& tets) {
    const auto& x = positions();
    for (size_t e = 0; e < tets.size(); ++e) {
      const Tet& t = tets[e];
      const TetShape s = tet_shape(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
      double size = 0;
      for (int a = 1; a < 4; ++a) size = std::max(size, (x[t[a]] - x[t[0]]).norm());
      if (!(s.volume > 1e-12 * size * size * size)) return inverted(e);
      add_to_batch<4>(body->tets_, e, t, ascending(t), s.g, s.volume, -1,
                      tet_consistent_mass(s, spec.density_kg_per_m3));
    }
    return {};
  }

  Result<void> add_hexes(const std::vector<Hex>& hexes) {
    const auto& x = positions();
    std::map<std::array<long long, 32>, int> known;  // equal hexes (voxels) share one K_hg
    double unit = 0;
    for (size_t e = 0; e < hexes.size(); ++e) {
      HexNodes X;
      for (int a = 0; a < 8; ++a) X.col(a) = x[hexes[e][a]] - x[hexes[e][0]];
      const HexShape s = hex_shape(X);
      const double size = X.colwise().norm().maxCoeff();
      if (!(s.least_jacobian > 1e-12 * size * size * size)) return inverted(e);
      const auto order = ascending(hexes[e]);
      if (e == 0) unit = size;
      std::array<long long, 32> key;
      for (int i = 0; i < 24; ++i) key[i] = std::llround(std::ldexp(X(i % 3, i / 3) / unit, 40));
      for (int a = 0; a < 8; ++a) key[24 + a] = order[a];
      const auto [shape, is_new] = known.try_emplace(key, static_cast<int>(body->hourglass_.size()));
      if (is_new) {
        const HexStiffness K = hex_hourglass_stiffness(X, s, body->material_);
        HexStiffness sorted;
        for (int a = 0; a < 8; ++a)
          for (int b = 0; b < 8; ++b)
            sorted.block<3, 3>(3 * a, 3 * b) = K.block<3, 3>(3 * order[a], 3 * order[b]);
        body->hourglass_.push_back(sorted);
      }
      add_to_batch<8>(body->hexes_, e, hexes[e], order, s.g, s.volume, shape->second,
                      hex_consistent_mass(X, spec.density_kg_per_m3));
    }
    return {};
  }

  static Error inverted(size_t e) {
    return error("element " + std::to_string(e) + " is inverted or flat",
                 "repair the mesh or its node order");
  }

  void lay_out_constraints() {
    auto& b = *body;
    for (int n = 0; n < nodes; ++n)
      if (b.free_of_node_[n] >= 0) {
        b.free_of_node_[n] = static_cast<int>(b.node_of_free_.size());
        b.node_of_free_.push_back(n);
      }
    if (static_cast<int>(b.node_of_free_.size()) == nodes) return;
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
      const Surface surface = std::holds_alternative<TetMesh>(spec.mesh)
                                  ? extract_surface(std::get<TetMesh>(spec.mesh))
                                  : extract_surface(std::get<HexMesh>(spec.mesh));
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
      return add_tets(elements);
    else
      return add_hexes(elements);
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
    b.material_ = lame(spec.young_modulus_Pa, spec.poisson_ratio);
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
  return builder.build(std::get<HexMesh>(spec.mesh).hexes);
}

}  // namespace palp
