// An option of CLI11 in words, the same in --help and in the manual page.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lab::manual {

std::vector<std::string> names(
    const CLI::Option& option);                // "-o", "--output"; of a positional: one
std::string value(const CLI::Option& option);  // "FILE ...", or nothing for a flag
// What it does, what may be chosen where the description leaves that out, and in brackets what
// holds without it.
std::string description(const CLI::Option& option);

bool shown(
    const CLI::Option& option);  // an option without a group is for the build, not for people

}  // namespace lab::manual
