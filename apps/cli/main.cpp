// palp: one program, one sub-command per job.
#include <cstdio>
#include <exception>

#include "commands.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Palp: touching deformable things. Contact mechanics and haptic rendering."};
  app.set_version_flag("--version", PALP_VERSION);
  app.require_subcommand(1);
  palp::cli::add_converge(app);
  palp::cli::add_devices(app);
  palp::cli::add_doctor(app);
  palp::cli::add_emulate(app);
  palp::cli::add_mesh(app);
  palp::cli::add_replay(app);
  palp::cli::add_reproduce(app);
  palp::cli::add_run(app);
  palp::cli::add_soak(app);
  palp::cli::add_solve(app);
  palp::cli::add_sweep(app);
  palp::cli::add_view(app);
  CLI11_PARSE(app, argc, argv);
  return palp::cli::exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // Caught here, an exception unwinds: devices are let go of with zero force.
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "palp: %s\n", e.what());
    return 1;
  }
}
