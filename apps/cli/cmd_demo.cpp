#include <cstdio>

#include "commands.hpp"

namespace palp::cli {

void add_demo(CLI::App& app) {
  auto* cmd = app.add_subcommand("demo", "Runs the demonstration and writes its picture");
  auto out = std::make_shared<std::string>("out");
  cmd->add_option("--out", *out, "Folder for pictures and data")->capture_default_str();
  cmd->callback([out] { std::printf("demo: %s\n", out->c_str()); });
}

}  // namespace palp::cli
