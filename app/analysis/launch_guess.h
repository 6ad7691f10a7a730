// A launch for a kernel of which nothing is known but its text, found by running it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/simulate.h"
#include "catalogue/form.h"

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
    catalogue::HostGiven known;  // of it, by the host's code
    int runs = 0;                // on the simulator
    bool ended = false;          // the last of them came to its end
    bool in_bounds = false;      // the last of them met no index outside of an array
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

// A kernel of a file without a header, launched for any n in groups of any size.
struct PlannedKernel {
    catalogue::Kernel kernel;
    std::string header;  // the comment that would make it such a kernel
    // The type of its elements and the operator; sizes and numbers of a launch that was given.
    catalogue::Shape shape;
    bool judged = false;  // it reduces by that operator, as runs show; else nothing is known
};
// Rows of numbers by which an operator is guessed. By one alone the first number may be the least.
inline constexpr int kGuessRows = 4;

// Works out the header that a kernel could have from its guessed launch: what is as long as the
// elements, as a group, or has a cell per group. Which buffer is the result, and of which operator,
// is found by running it on rows of random numbers. What `form` gives of numbers and contents
// stays, its sizes do not. Throws Problem for a kernel that is of another kind, or that is not seen
// to reduce by the operator that is asked for.
PlannedKernel planned_kernel(const catalogue::LaunchForm& form, const SimulatorOptions& machine,
                             std::optional<catalogue::Op> asked = {});

// Its run. What `shape` leaves open, n, the group or the numbers, is as in the launch that was
// given.
struct PlannedRun {
    RunSpec spec;
    bool judged = true;  // what it reduces by is known
};
PlannedRun planned_run(const PlannedKernel& planned, catalogue::Shape shape,
                       const SimulatorOptions& machine);

// True if a form has all of a launch.
bool tells_launch(const catalogue::LaunchForm& form);
// True if other numbers can go through the guessed header: it has one row of them, and comes to the
// very launch that the form tells, if any. Else they can go into that launch alone.
bool varies_as_told(const PlannedKernel& planned, const catalogue::LaunchForm& form,
                    const SimulatorOptions& machine);

// "--global 64 --local 16 --arg data:int[64]=ramp", for the command line.
std::string launch_text(const catalogue::LaunchForm& kernel);

}  // namespace lab::analysis
