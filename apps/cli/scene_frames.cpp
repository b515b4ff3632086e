#include "scene_frames.hpp"

#include <filesystem>

#include "palp/contact/glc_builder.hpp"
#include "palp/scene/body_fields.hpp"
#include "palp/sim/contact_pressure.hpp"

namespace palp {
namespace {

DataArray vectors(const char* name, const std::vector<Vec3>& list) {
  DataArray out{name, 3, {}};
  for (const Vec3& v : list) out.values.insert(out.values.end(), v.begin(), v.end());
  return out;
}

DataArray scalars(const char* name, const auto& list) {
  return {name, 1, std::vector<double>(list.begin(), list.end())};
}

/// Tensors as two vectors (xx, yy, zz and xy, yz, zx) and von Mises' measure.
void add_tensors(MeshFile& file, const std::string& name, const std::string& unit,
                 const std::vector<Mat3>& tensors, double (*equivalent)(const Mat3&)) {
  std::vector<Vec3> normal, shear;
  std::vector<double> mises;
  for (const Mat3& t : tensors) {
    normal.push_back(t.diagonal());
    shear.push_back({t(0, 1), t(1, 2), t(2, 0)});
    mises.push_back(equivalent(t));
  }
  file.cell_data.push_back(vectors((name + "_normal" + unit).c_str(), normal));
  file.cell_data.push_back(vectors((name + "_shear" + unit).c_str(), shear));
  file.cell_data.push_back(scalars((name + "_equivalent" + unit).c_str(), mises));
}

/// The elements of a body with what they feel; quadratic tets by their corners.
MeshFile volume_of(const BodyVolume& volume, const Body& body, const BodyState& state) {
  MeshFile file;
  const auto& rest =
      std::visit([](const auto& m) -> const std::vector<Vec3>& { return m.nodes; }, volume.mesh);
  file.nodes = node_positions(body, state, rest.size());
  if (file.nodes.empty()) return file;
  if (const auto* tets = std::get_if<TetMesh>(&volume.mesh)) file.tets = tets->tets;
  if (const auto* hexes = std::get_if<HexMesh>(&volume.mesh)) file.hexes = hexes->hexes;
  if (const auto* quadratic_mesh = std::get_if<QuadraticTetMesh>(&volume.mesh))
    for (const QuadraticTet& t : quadratic_mesh->tets) file.tets.push_back({t[0], t[1], t[2], t[3]});
  std::vector<Vec3> moved(rest.size()), velocity(rest.size(), Vec3::Zero());
  for (size_t n = 0; n < rest.size(); ++n) {
    moved[n] = file.nodes[n] - rest[n];
    if (state.v.size() == static_cast<Eigen::Index>(3 * rest.size()))
      velocity[n] = state.v.segment<3>(3 * static_cast<Eigen::Index>(n));
  }
  file.point_data.push_back(vectors("displacement_m", moved));
  if (state.v.size() == static_cast<Eigen::Index>(3 * rest.size()))
    file.point_data.push_back(vectors("velocity_m_per_s", velocity));
  const ElementFields fields = element_fields(volume, file.nodes);
  add_tensors(file, "strain", "", fields.strain, equivalent_strain);
  add_tensors(file, "stress", "_Pa", fields.stress, equivalent_stress);
  if (!volume.hex_fill.empty()) {
    DataArray fill{"fill", 1, {}};
    for (const CellFill& cell : volume.hex_fill) {
      double sum = cell.empty() ? 8 : 0;
      for (const CellSample& q : cell) sum += q.weight;
      fill.values.push_back(sum / 8);
    }
    file.cell_data.push_back(std::move(fill));
  }
  return file;
}

/// What touches, at the end of the last step. World axes, forces on the first body of each pair.
struct ContactPoints {
  std::vector<Vec3> at, force, normal;
  std::vector<double> gap;       ///< at the end of the step, in the linearised problem
  std::vector<double> pressure;  ///< of the skin there, Pa
  std::vector<int> state;        ///< 0 open, 1 sticks, 2 slips, 3 held (attachment)
  std::vector<int> body1, body2;
};

/// `pressure`: of every body, at the vertices of its skin.
ContactPoints contact_points(const Scene& scene, const SceneRun& run,
                             const std::vector<std::vector<double>>& pressure) {
  ContactPoints out;
  std::vector<std::vector<Vec3>> skin(scene.model.bodies.size());
  const auto skin_of = [&](int b) -> const std::vector<Vec3>& {
    if (skin[b].empty()) skin[b] = run.skin(b).nodes;
    return skin[b];
  };
  run.for_each_contact([&](const Contact& c, const Vec3& f, double gap) {
    if (is_idle_patch(c, f)) return;
    out.at.push_back(c.P.at(skin_of(c.id.body1)));
    out.force.push_back(c.frame.transpose() * f);
    out.normal.push_back(c.frame.row(0).transpose());
    out.gap.push_back(gap);
    const double tangential = f.tail<2>().norm();
    out.state.push_back(c.bilateral ? 3 : !(f[0] > 0) ? 0 : tangential < c.mu * f[0] * (1 - 1e-4) ? 1 : 2);
    // Of the two skins that of a body that moves, the first when both do: obstacles are often coarse.
    const bool first = scene.model.bodies[c.id.body1].body->movable() || c.id.body2 < 0;
    const int b = first ? c.id.body1 : c.id.body2;
    const SkinPoint at = on_surface(scene.model.bodies[b].body->skin(), skin_of(b), first ? c.P : c.Q);
    double sum = 0;
    for (int k = 0; k < 3 && !pressure[b].empty(); ++k) sum += at.weight[k] * pressure[b][at.vertex[k]];
    out.pressure.push_back(sum);
    out.body1.push_back(c.id.body1);
    out.body2.push_back(c.id.body2);
  });
  return out;
}

}  // namespace

Result<SceneFrames> SceneFrames::create(const std::string& folder, const Scene& scene) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) return Error{"the folder cannot be made: " + code.message(), folder, 0, 0, "choose another one"};
  auto series = PvdSeries::create((std::filesystem::path(folder) / "scene.pvd").string());
  if (!series) return series.error();
  SceneFrames out(std::move(*series));
  out.first_.resize(scene.model.bodies.size());
  return out;
}

Result<void> SceneFrames::add(const Scene& scene, const SceneRun& run) {
  int part = 0;
  std::vector<std::vector<double>> pressure(scene.model.bodies.size());
  for (size_t b = 0; b < scene.model.bodies.size(); ++b) {
    const std::string& name = scene.model.bodies[b].name;
    const Body& body = *scene.model.bodies[b].body;
    const BodyState& state = run.state().bodies[b];
    if (scene.meshes[b].volume) {
      const MeshFile volume = volume_of(*scene.meshes[b].volume, body, state);
      if (!volume.nodes.empty())
        if (auto ok = series_.add(run.state().time_s, volume, part++, name); !ok) return ok;
    }
    MeshFile skin;
    skin.nodes = run.skin(static_cast<int>(b)).nodes;
    skin.triangles = body.skin().triangles;
    skin.segments = body.skin().segments;
    if (first_[b].empty()) first_[b] = skin.nodes;
    std::vector<Vec3> moved;
    for (size_t n = 0; n < skin.nodes.size(); ++n) moved.push_back(skin.nodes[n] - first_[b][n]);
    skin.point_data.push_back(vectors("displacement_m", moved));
    pressure[b] = body_pressure(scene, run, static_cast<int>(b));
    if (!pressure[b].empty()) skin.point_data.push_back(scalars("pressure_Pa", pressure[b]));
    if (auto ok = series_.add(run.state().time_s, skin, part++, name + " skin"); !ok) return ok;
  }
  const ContactPoints touching = contact_points(scene, run, pressure);
  MeshFile contacts;
  contacts.nodes = touching.at;
  contacts.point_data = {vectors("force_N", touching.force), vectors("normal", touching.normal),
                         scalars("gap_m", touching.gap),     scalars("pressure_Pa", touching.pressure),
                         scalars("state", touching.state),   scalars("body1", touching.body1),
                         scalars("body2", touching.body2)};
  return series_.add(run.state().time_s, contacts, part, "contacts");
}

}  // namespace palp
