// A box on a soft pad comes to rest: no contact comes and goes by itself.
#include "sim/simple_models.hpp"
#include <gtest/gtest.h>

namespace palp {
namespace soft_pad_test {

std::shared_ptr<const Body> pad(double young, bool tets) {
  BoxShape shape;
  shape.size_m = Vec3(0.12, 0.12, 0.03);
  shape.centre_m = Vec3(0, 0, -0.015);
  shape.cells = {10, 10, 3};
  FemSpec spec;
  const auto hold = [&](const auto& mesh) {
    for (int i = 0; i < static_cast<int>(mesh.nodes.size()); ++i)
      if (mesh.nodes[i].z() < -0.03 + 1e-9) spec.fixed_nodes.push_back(i);
    spec.mesh = mesh;
  };
  if (tets)
    hold(*box_tets(shape));
  else
    hold(*box_hexes(shape));
  spec.model = FemModel::corotational;
  spec.young_modulus_Pa = young;
  spec.density_kg_per_m3 = 1000;
  spec.rayleigh_stiffness_s = 0.005;
  return std::shared_ptr<const Body>(std::move(*FemBody::make(spec)));
}

TEST(SoftPad, a_box_comes_to_rest_on_it) {
  for (bool tets : {true, false})
    for (double turn : {0.0, 0.3})
      for (double mu : {0.3, 0.6}) {
        const Mat3 R = Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
        const Vec3 size(0.06, 0.05, 0.05);
        Model model = testing::two_bodies(
            testing::rigid(testing::box_surface(size, Vec3(0.003, -0.002, 0.0255), R), 0.3 / size.prod()),
            pad(3e4, tets), mu);
        model.h_s = 0.005;
        model.solver.name = "coulomb";
        State state = make_state(model);
        Workspace ws = make_workspace(model);
        double energy = 0;
        for (int i = 0; i < 400; ++i) {
          ASSERT_EQ(step(model, state, ws).status, StepStatus::ok);
          energy = model.bodies[0].body->kinetic_energy(state.bodies[0]) +
                   model.bodies[1].body->kinetic_energy(state.bodies[1]);
        }
        EXPECT_LT(energy, 1e-12) << "tets " << tets << ", turned " << turn << ", mu " << mu;
      }
}

}  // namespace soft_pad_test
}  // namespace palp
