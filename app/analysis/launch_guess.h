// A launch for a kernel of which nothing is known but its text, found by running it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/simulate.h"

namespace lab::analysis {

class LaunchRepair;

// Guesses what of the launch is not given from the text, as fit_launch() does; then runs on the
// simulator show where that is too little. A buffer that is too short for the kernel is made
// longer, and numbers that lead an index astray become 0 or 1. Unchanged if the text does not
// compile, or has several kernels of which none is named. The launch may still fault.
catalogue::LaunchForm guessed_launch(catalogue::LaunchForm kernel, const SimulatorOptions& machine);

// The same, with how it was found.
struct LaunchGuess {
    catalogue::LaunchForm kernel;
    int runs = 0;            // on the simulator
    bool ended = false;      // the last of them came to its end
    bool in_bounds = false;  // the last of them met no index outside of an array
    // The arguments that differ from what the text alone suggests: "data:int[256]=ramp".
    std::vector<std::string> changed;
};
struct GuessLimits {
    std::uint64_t bytes = std::uint64_t{1} << 24, elements = UINT64_MAX;  // of a buffer
    const std::atomic<bool>* cancel = nullptr;  // it ends soon once this is set
};
LaunchGuess guess_launch(catalogue::LaunchForm kernel, const SimulatorOptions& machine,
                         const GuessLimits& limits = {});

// guess_launch() in parts, for a page of a browser, which has one thread.
class LaunchSearch {
  public:
    LaunchSearch(catalogue::LaunchForm kernel, const SimulatorOptions& machine,
                 const GuessLimits& limits = {});
    ~LaunchSearch();
    LaunchSearch(const LaunchSearch&) = delete;
    LaunchSearch& operator=(const LaunchSearch&) = delete;
    // Does at least `actions` more: empty until it has a result, which it gives once.
    std::optional<LaunchGuess> go_on(std::uint64_t actions);

  private:
    void begin_run();
    bool mend();

    catalogue::LaunchForm given_;
    SimulatorOptions machine_;
    GuessLimits limits_;
    catalogue::CompiledKernel code_;
    std::unique_ptr<LaunchRepair> launch_;  // empty: nothing can be guessed of such a text
    std::vector<std::string> first_;        // its arguments as the text suggests them
    std::unique_ptr<machine::Run> run_;
    LaunchGuess found_;
};

// "--global 64 --local 16 --arg data:int[64]=ramp", for the command line.
std::string launch_text(const catalogue::LaunchForm& kernel);

}  // namespace lab::analysis
