// An option of CLI11 in words, as --help and the manual page have it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lab::manual {

std::vector<std::string> names(
    const CLI::Option& option);                // "-o", "--output"; for a positional: one
std::string value(const CLI::Option& option);  // "FILE ...", or nothing for a flag
// What it does, what may be chosen where the description leaves that out, and in brackets what
// holds without it.
std::string description(const CLI::Option& option);

}  // namespace lab::manual
