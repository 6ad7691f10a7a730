// The commands of reduction-lab-cli, and what they share.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/variant.h"

namespace lab::cli {

// A command adds its options and returns what runs once they are parsed.
using Action = std::function<Exit()>;

Action measure_command(CLI::App& app);
Action plot_command(CLI::App& app);
Action step_command(CLI::App& app);
Action text_command(CLI::App& app);
Action host_command(CLI::App& app);
Action check_command(CLI::App& app);
Action trials_command(CLI::App& app);
Action record_command(CLI::App& app);
Action hazards_command(CLI::App& app);
Action outcomes_command(CLI::App& app);
Action lesson_command(CLI::App& app);

// Options live as long as the command's action.
template <typename Options>
std::shared_ptr<Options> make() {
    return std::make_shared<Options>();
}

template <typename Data>
void print_json(const Data& data) {
    std::cout << nlohmann::json(data).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
}

void add_json(CLI::App& app, bool& json);
void add_delays(CLI::App& app, std::optional<std::uint32_t>& seed);

// The shipped kernels. What a kernel folder's broken files are is said, but never stops what does
// not need them.
catalogue::Catalogue catalogue();

// `all`, or these, each once. Throws Problem for one that there is not.
std::vector<std::string> variant_ids(const std::vector<std::string>& asked,
                                     const catalogue::Catalogue& all);

using OnProgress = std::function<void(const nlohmann::json&)>;

void warn(const Problem& problem);  // on standard error
// Given a progress (done, total, seconds_left), keeps one line on standard error up to date, as "3
// of 17 rows"; empty if that is no terminal.
OnProgress progress_line(const std::string& unit);

// The result of `method` with `parameters`, as server::methods() has it, from a worker process: if
// a driver or a kernel crashes or hangs there, only that process ends. Throws Problem. `limit`: the
// longest time without a sign of life.
nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress = {},
                   std::chrono::milliseconds limit = std::chrono::seconds(120));

// What ends a command after Ctrl+C; `kept` says what is not lost.
Problem interrupted(const std::string& what, const std::string& kept);

std::uint64_t parse_count(const std::string& text);  // of runs; throws Problem

// While it lives, Ctrl+C and termination requests are noted and do not end the program.
class InterruptsNoted {
  public:
    InterruptsNoted() {
        seen() = false;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], [](int) { seen() = true; });
    }
    ~InterruptsNoted() {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            std::signal(kSignals[i], before_[i]);
    }
    InterruptsNoted(const InterruptsNoted&) = delete;
    InterruptsNoted& operator=(const InterruptsNoted&) = delete;

    // Lock-free, so that a signal may set it.
    static std::atomic<bool>& seen() {
        static std::atomic<bool> noted = false;
        static_assert(std::atomic<bool>::is_always_lock_free);
        return noted;
    }

  private:
    static constexpr std::array kSignals{SIGINT, SIGTERM};
    std::array<void (*)(int), kSignals.size()> before_{};
};

}  // namespace lab::cli
