// The manual page reduction-lab(1): the options, and every command of the window with its key.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lab::gui {

std::string manual_page(const CLI::App& options);

}  // namespace lab::gui
