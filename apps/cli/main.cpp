// palp: one program, one sub-command per job.
// Exit codes: 0 done; 1 it could not be done, or the answer is no; 2 the command line is wrong; 69 the
// processor lacks what the program was built for (processor_check.cpp).
#include <algorithm>
#include <cstdio>
#include <exception>

#include "commands.hpp"

#include "palp/scene/strict_yaml.hpp"

namespace {

/// Says what a word that is no command may have meant.
void explain_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const auto near = palp::nearest_name(word, names);
  std::fprintf(stderr, "palp: there is no command '%s'", word.c_str());
  if (near) std::fprintf(stderr, "; did you mean 'palp %s'?", near->c_str());
  std::fprintf(stderr, "\nRun 'palp --help' for the list.\n");
}

int run(int argc, char** argv) {
  CLI::App app{"Palp: touching deformable things. Contact mechanics and haptic rendering."};
  app.set_version_flag("--version", PALP_VERSION);
  app.require_subcommand(1);
  palp::cli::add_converge(app);
  palp::cli::add_devices(app);
  palp::cli::add_doctor(app);
  palp::cli::add_emulate(app);
  palp::cli::add_keys(app);
  palp::cli::add_mesh(app);
  palp::cli::add_replay(app);
  palp::cli::add_reproduce(app);
  palp::cli::add_run(app);
  palp::cli::add_soak(app);
  palp::cli::add_solve(app);
  palp::cli::add_sweep(app);
  palp::cli::add_view(app);
  app.footer("Exit codes: 0 done; 1 it could not be done, or the answer is no; 2 the command line is wrong");
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (argc > 1 && argv[1][0] != '-' &&
      std::none_of(commands.begin(), commands.end(), [&](CLI::App* c) { return c->check_name(argv[1]); })) {
    explain_command(app, argv[1]);
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
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
