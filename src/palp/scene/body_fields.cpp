#include "palp/scene/body_fields.hpp"

#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace palp {
namespace {

size_t node_count(const BodyVolume& volume) {
  return std::visit([](const auto& mesh) { return mesh.nodes.size(); }, volume.mesh);
}

/// visit(element number, its nodes)
template <class Visit>
void each_element(const VolumeMesh& mesh, const Visit& visit) {
  const auto all = [&](const auto& elements) {
    for (size_t e = 0; e < elements.size(); ++e) visit(e, elements[e]);
  };
  if (const auto* hexes = std::get_if<HexMesh>(&mesh)) return all(hexes->hexes);
  std::visit(
      [&](const auto& m) {
        if constexpr (requires { m.tets; }) all(m.tets);
      },
      mesh);
}

}  // namespace

std::vector<Vec3> node_positions(const Body& body, const BodyState& state, size_t nodes) {
  std::vector<Vec3> out;
  if (const auto* global = dynamic_cast<const GlobalCorotationalBody*>(&body)) {
    for (size_t n = 0; n < nodes; ++n) out.push_back(global->node_position(state, static_cast<int>(n)));
  } else if (state.x.size() == static_cast<Eigen::Index>(3 * nodes)) {
    for (size_t n = 0; n < nodes; ++n) out.push_back(state.x.segment<3>(3 * static_cast<Eigen::Index>(n)));
  }
  return out;
}

ElementFields element_fields(const BodyVolume& volume, std::span<const Vec3> positions) {
  ElementFields out{.strain = element_strains(volume.mesh, volume.hex_fill, positions), .stress = {}};
  for (size_t e = 0; e < out.strain.size(); ++e)
    out.stress.push_back(stress_of(out.strain[e], volume.material(e)));
  return out;
}

SkinMeasures::SkinMeasures(std::shared_ptr<const Body> body, std::shared_ptr<const BodyVolume> volume)
    : body_(std::move(body)), volume_(std::move(volume)), elements_at_(node_count(*volume_), 0) {
  each_element(volume_->mesh, [&](size_t, const auto& nodes) {
    for (int n : nodes) ++elements_at_[n];
  });
  // The body knows which nodes carry a vertex. A frame, whose blocks come first, carries them all and
  // deforms nothing; at rest it is not turned.
  const BodyState rest = body_->rest_state();
  const int frame = body_->blocks() - static_cast<int>(elements_at_.size());
  PointJacobian H;
  for (int v = 0; v < body_->skin().vertices; ++v) {
    H.clear();
    body_->append_vertex(rest, v, 1, H);
    for (size_t k = 0; k < H.column.size(); ++k)
      if (H.column[k] >= frame) nodes_of_.add(H.column[k] - frame, H.block[k]);
    nodes_of_.end_point();
  }
}

std::vector<double> SkinMeasures::at(const VecX& x, SkinMeasure measure) const {
  const ElementFields fields =
      element_fields(*volume_, node_positions(*body_, {.x = x, .v = {}}, elements_at_.size()));
  std::vector<double> node(elements_at_.size(), 0), out;
  each_element(volume_->mesh, [&](size_t e, const auto& nodes) {
    const double value = measure == SkinMeasure::stress ? equivalent_stress(fields.stress[e])
                                                        : equivalent_strain(fields.strain[e]);
    for (int n : nodes) node[n] += value / elements_at_[n];
  });
  for (int v = 0; v < nodes_of_.points(); ++v) {
    double sum = 0;
    for (int k = nodes_of_.start[v]; k < nodes_of_.start[v + 1]; ++k)
      sum += nodes_of_.block[k](0, 0) * node[nodes_of_.column[k]];
    out.push_back(std::max(0.0, sum));  // outside its element a vertex has negative weights
  }
  return out;
}

std::vector<double> body_pressure(const Scene& scene, const SceneRun& run, int body) {
  const Skin& skin = scene.model.bodies[static_cast<size_t>(body)].body->skin();
  std::vector<SkinLoad> loads;
  run.for_each_contact(
      [&](const Contact& c, const Vec3& f, double) { add_contact_load(c, f[0], body, loads); });
  std::vector<Vec3> positions(static_cast<size_t>(skin.vertices));
  if (!loads.empty())
    scene.model.bodies[static_cast<size_t>(body)].body->skin_positions(
        run.state().bodies[static_cast<size_t>(body)], VecX(), positions);
  return contact_pressure(skin, positions, loads);
}

}  // namespace palp
