// The commands of the program: each adds itself to the command line and runs when it was chosen.
#pragma once
#include <CLI/CLI.hpp>

namespace palp::cli {

/// Exit code of the chosen command; 0 only on success.
inline int exit_code = 0;

void add_converge(CLI::App& app);
void add_devices(CLI::App& app);
void add_doctor(CLI::App& app);
void add_emulate(CLI::App& app);
void add_keys(CLI::App& app);
void add_mesh(CLI::App& app);
void add_replay(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_run(CLI::App& app);  ///< run and check
void add_soak(CLI::App& app);
void add_solve(CLI::App& app);
void add_sweep(CLI::App& app);
void add_view(CLI::App& app);

}  // namespace palp::cli
