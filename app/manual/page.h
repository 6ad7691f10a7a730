// The parts of a manual page that both programs have, made from what they already say of
// themselves: CLI11's options and the statuses with which they end.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"

namespace lab::manual {

// Troff for each option of `app`, its arguments first; none of `but`.
std::string options(const CLI::App& app, std::span<const CLI::Option* const> but = {});

// The commands of `app`, each with its own options. Options that mean the same in several commands
// are described once, after them.
std::string commands(const CLI::App& app);

struct Status {
    Exit exit;
    const char* when;
};
std::string statuses(std::span<const Status> all);

// Where the programs look for their data and settings, the same for both.
std::string environment();

}  // namespace lab::manual
