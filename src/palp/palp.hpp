// All that an application needs of Palp. What each header is for:
// clang-format off
//   scene/scene.hpp        a scene file becomes a model and its devices
//   scene/run.hpp          stepped on a virtual clock
//   scene/live.hpp         a scene that runs on the clock in the background, to look at and to change
//   devices/device.hpp     the interface of a haptic device of one's own
//   devices/simulated.hpp  a simulated hand
//   sim/step.hpp           the engine without scene files: Model, State, step; bodies in mechanics/, meshes in mesh/
//   solvers/solver.hpp     a frictional contact problem and everything that solves it
//   io/…, draw/…, study/…  mesh files, contact problems, recordings; pictures and plots; studies (libraries of their own)
// clang-format on
#pragma once
#include "palp/base/processor.hpp"
#include "palp/base/result.hpp"
#include "palp/devices/backends/kinds.hpp"
#include "palp/devices/device.hpp"
#include "palp/devices/simulated.hpp"
#include "palp/draw/picture.hpp"
#include "palp/draw/plot.hpp"
#include "palp/io/fclib.hpp"
#include "palp/io/mesh_file.hpp"
#include "palp/io/problem_json.hpp"
#include "palp/io/recorder.hpp"
#include "palp/io/recording.hpp"
#include "palp/mechanics/beam_body.hpp"
#include "palp/mechanics/fem_body.hpp"
#include "palp/mechanics/global_corotational_body.hpp"
#include "palp/mechanics/obstacle.hpp"
#include "palp/mechanics/point_proxy.hpp"
#include "palp/mechanics/rigid_body.hpp"
#include "palp/mesh/embedding.hpp"
#include "palp/mesh/generators.hpp"
#include "palp/mesh/topology.hpp"
#include "palp/scene/attach_device.hpp"
#include "palp/scene/live.hpp"
#include "palp/scene/run.hpp"
#include "palp/scene/scene.hpp"
#include "palp/sim/step.hpp"
#include "palp/solvers/certificate.hpp"
#include "palp/solvers/solver.hpp"
#include "palp/study/report.hpp"
#include "palp/study/sweep.hpp"
