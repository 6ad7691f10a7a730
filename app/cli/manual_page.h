// The manual page reduction-lab-cli(1), and what --help says at its end.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lab::cli {

std::string manual_page(const CLI::App& app);
std::string help_footer();

}  // namespace lab::cli
