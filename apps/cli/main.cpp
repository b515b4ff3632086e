// palp: one program, one sub-command per job.
#include <cstdio>

#include "commands.hpp"

int main(int argc, char** argv) {
  CLI::App app{"Palp: touching deformable things. Contact mechanics and haptic rendering."};
  app.set_version_flag("--version", PALP_VERSION);
  app.require_subcommand(1);
  palp::cli::add_converge(app);
  palp::cli::add_doctor(app);
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
