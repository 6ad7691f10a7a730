// The commands of reduction-lab-cli, and what they share.
#pragma once

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/outcomes.h"
#include "analysis/simulate.h"
#include "base/messages.h"
#include "base/problem.h"
#include "catalogue/kernel.h"
#include "catalogue/shape.h"

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
Action sizes_command(CLI::App& app);
Action inputs_command(CLI::App& app);
Action barriers_command(CLI::App& app);
Action prove_command(CLI::App& app);
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
void add_look(CLI::App& app, std::string& theme, std::string& language);  // of a drawing
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

// The result of `method` with `parameters`, as device::methods() has it, from a worker process: if
// a driver or a kernel crashes or hangs there, only that process ends. Throws Problem. `limit`: the
// longest time without a sign of life.
nlohmann::json ask(const std::string& method, const nlohmann::json& parameters,
                   const OnProgress& progress = {},
                   std::chrono::milliseconds limit = std::chrono::seconds(120));

// Returns the Problem that ends a command after Ctrl+C; `kept` says what is not lost.
Problem interrupted(const std::string& what, const std::string& kept);

std::uint64_t parse_count(const std::string& text);  // of runs; throws Problem

// Notes Ctrl+C and termination requests while it lives, instead of ending the program. Searches and
// runs ask seen(). What does not ask, as a report on a million rows or a write to a pipe that
// nobody reads, may not make the program deaf: soon after the request it ends wherever it is. Files
// are put into place whole, and workers end with the program.
class ScopedSignalFlag {
  public:
    ScopedSignalFlag() {
        std::signal(SIGALRM, end);
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            before_[i] = std::signal(kSignals[i], note);
    }
    ~ScopedSignalFlag() {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            std::signal(kSignals[i], before_[i]);
    }
    ScopedSignalFlag(const ScopedSignalFlag&) = delete;
    ScopedSignalFlag& operator=(const ScopedSignalFlag&) = delete;

    // Lock-free, so that a signal may set it.
    static std::atomic<bool>& seen() {
        static std::atomic<bool> noted = false;
        static_assert(std::atomic<bool>::is_always_lock_free);
        return noted;
    }

  private:
    static constexpr std::array kSignals{SIGINT, SIGTERM};
    static constexpr itimerval kGrace{{0, 0}, {0, 700'000}};  // seconds, microseconds

    static void note(int) {
        if (!seen().exchange(true)) ::setitimer(ITIMER_REAL, &kGrace, nullptr);
    }
    static void end(int) {
        constexpr std::string_view kText =
            "error: The run was interrupted\n"
            "  why:  Ctrl+C was pressed, or it was asked to end\n"
            "  hint: It could not print in time all that it had found\n";
        pollfd standard_error{STDERR_FILENO, POLLOUT, 0};
        [[maybe_unused]] const bool told = ::poll(&standard_error, 1, 0) == 1 &&
                                           ::write(STDERR_FILENO, kText.data(), kText.size()) > 0;
        ::_exit(static_cast<int>(Exit::interrupted));
    }

    std::array<void (*)(int), kSignals.size()> before_{};
};

// The options that describe the machine: --machine, those of its shape, --order, --budget.
struct MachineOptions {
    std::string preset, order, budget;  // preset: empty for the usual one
    catalogue::MachineShapeOptions shape;

    void add_to(CLI::App& app);
    bool any() const;  // whether one of them was given
    // Returns the options for a shipped variant: the classroom's lanes, which its pictures show.
    // Throws Problem.
    analysis::SimulatorOptions options() const { return options("classroom"); }
    // Returns the options for a kernel from a file: independent items, for OpenCL promises no
    // lockstep, unless lanes are asked for or the kernel asks for sub-groups. Throws Problem.
    analysis::SimulatorOptions own_options(const char* of_lanes) const;

  private:
    analysis::SimulatorOptions options(const char* usual) const;
};

// Bytes of a kernel's file; more are refused.
inline constexpr std::size_t kMostText = std::size_t{1} << 22;

bool is_kernel_file(const std::string& subject);  // a path, and no id

// How a kernel of a file without a header is launched.
struct LaunchOptions {
    std::string kernel, global, local, offset;
    std::vector<std::string> arguments, folders;

    void add_to(CLI::App& app);
    bool any() const;
    // Throws Problem for sizes that are no numbers.
    catalogue::LaunchForm kernel_of(const std::string& file, std::string text,
                                    const std::vector<std::string>& defines) const;
};

struct SubjectOptions {
    std::string variant, terms;  // terms: an API; empty: of the kernel's text
    catalogue::ShapeOptions shape;
    MachineOptions machine;
    LaunchOptions launch;
    bool guesses = true;  // the launch of a file that is told none

    void add_to(CLI::App& app, bool on_device = false);  // for runs of the device alone
    bool is_file() const { return is_kernel_file(variant); }
    Api api() const;  // whose terms reports are in
};

// Guesses the launch of a file's kernel that has none, and says it on standard error: a small one,
// to step, or for `n` elements in groups of `group`. Throws Problem if that one would go wrong.
struct GuessedSize {
    std::uint64_t n, group;
};
catalogue::LaunchForm guess_launch_for(catalogue::LaunchForm kernel, const MachineOptions& machine,
                                       const std::optional<GuessedSize>& size = {});

// Prints a report on the subject; runs its command, whose problems are in the same terms.
void print_report(const SubjectOptions& options, std::string_view text);
Exit in_terms(const SubjectOptions& options, const std::function<Exit()>& command);
Problem in_terms(const SubjectOptions& options, const Problem& problem);

// Its text; a kernel in it has no header like those of kernels/, or its launch is told all the
// same.
std::string kernel_file_text(const std::string& file);
bool needs_launch(const std::string& text, const LaunchOptions& launch);

// A kernel of the catalogue, or of a file with such a header; or one whose launch the options tell.
// Throws Problem.
catalogue::Kernel choose(const SubjectOptions& options);

// The variant with that id, or of the file at that path, which has to have a header. Throws
// Problem.
catalogue::Kernel variant_named(const std::string& id_or_path);

// Returns the run for a worker to make, on the usual machine.
analysis::RunChoice choice_of(const SubjectOptions& options, const catalogue::Kernel& kernel);

// The run that the options ask for. Throws Problem.
analysis::RunSpec spec_of(const SubjectOptions& options, catalogue::Kernel kernel);

// The same for reports, with the job that it comes to.
struct AskedRun {
    std::string title;     // "span-modulo, 8 elements in groups of 4, add, int"
    nlohmann::json shape;  // the same for JSON
    analysis::RunSpec spec;
    machine::Job job;

    const analysis::SimulatorOptions& machine() const { return spec.machine; }
};
AskedRun asked_run(const SubjectOptions& options);

}  // namespace lab::cli
