// Times kernels on a device, in turns with the read ceiling and loops on the host.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalogue/plan.h"
#include "device/benchmark_cases.h"
#include "device/device.h"
#include "device/shape_search.h"
#include "results/request.h"
#include "results/result.h"
namespace lab::device {

struct MeasureProgress {
    std::size_t done = 0, total = 0;  // rows
    double seconds_left = 0;          // approximately
    const results::Measurements* results =
        nullptr;  // so far; of the rows, those of the size under way
};
using OnMeasureProgress = std::function<void(const MeasureProgress&)>;

// At each size every row takes one turn per round, so that drift (clocks, heat, other work) affects
// all alike. Compiling, filling and one warm-up run each are not timed; each run is checked against
// the host's reference, outside its time. A size ends after `repeat` rounds, or once all medians
// are as precise as requested; a row drops out when its time limit is used up. What cannot be
// measured becomes a Problem in the result; the others go on. Throws Problem only if nothing can
// start.
// The launch of a kernel by a form, which is measured alone, is timed as it is.
results::Measurements measure(const Device& device,
                              const std::vector<const catalogue::Kernel*>& kernels,
                              const results::MeasureRequest& request,
                              const OnMeasureProgress& progress = {});

// The requested kernels of the catalogue, each once. Throws Problem for an unknown one, or a toggle
// that none has.
std::vector<const catalogue::Kernel*> chosen(const catalogue::Catalogue& catalogue,
                                             const results::MeasureRequest& request);

// Runs the rows of a measurement round-robin until they are precise enough, and reports progress.
// Each case decides what runs in its turn.

// Returns what is known before anything runs: the request, the host, the time.
results::Measurements started(const results::DeviceInfo& device,
                              const results::MeasureRequest& request);

// Throws Problem for an impossible number of runs.
void check_repeat(const results::MeasureRequest& request);

class Rounds {
  public:
    // The request and `on_progress` must outlive it.
    Rounds(results::Measurements measurements, const results::MeasureRequest& request,
           const OnMeasureProgress& on_progress);

    // Each size in turn, as the request has them; empty if the input has its own number of
    // elements. `size` makes the cases and calls take_turns(); a problem that it throws ends only
    // that size.
    using Size = std::function<void(std::optional<std::uint64_t> n)>;
    results::Measurements run(std::size_t rows_a_size, const Size& size);
    // A warm-up, then rounds of all cases together until all are precise, so that all cover the
    // same rounds. A case drops out early only if its time is used up.
    void take_turns(std::vector<BenchmarkCase>& entries);

    bool has_its_own_n() const;
    // Returns the group sizes that were asked for; 0: one that suits.
    std::vector<std::uint64_t> groups() const {
        return request_.groups.empty() ? std::vector<std::uint64_t>{0} : request_.groups;
    }
    // Returns how the variant runs best there, as far as the header says or a search has found.
    // Notes why a kept launch shape is of no use.
    LaunchChoice launch_choice(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                               const catalogue::Shape& asked, std::uint64_t n);
    // Keeps what a search found; notes why it cannot.
    void keep(const KeptShape& found);

    void note(const std::string& line);  // once
    void skip(const std::string& line) { made_.skipped.push_back(line); }
    void problem(const Problem& problem) { made_.problems.push_back(problem); }
    // Does it; a problem that it throws ends no more than that.
    template <typename Do>
    void attempt(Do&& act) {
        if (const auto thrown = thrown_by(act)) problem(*thrown);
    }
    // Why a variant does not allow that n: for `all` one line for all sizes, else a problem.
    void leave_out(const Problem& problem, std::uint64_t n);
    // If its groups waited in vain at some n, they need not wait again at a larger one.
    bool known_stuck(const catalogue::Kernel& variant, std::uint64_t group, std::uint64_t n) const;
    void built_with(const std::string& options) { made_.build_options = options; }

  private:
    using Clock = std::chrono::steady_clock;

    void turn(BenchmarkCase& entry, bool counted);
    void fail(BenchmarkCase& entry, const Problem& problem);
    bool is_done(const BenchmarkCase& entry) const;
    bool all_done(const std::vector<BenchmarkCase>& entries) const;
    double seconds_left(const BenchmarkCase& entry) const;
    void tell_now_and_then(const std::vector<BenchmarkCase>& entries);
    void say(double left_s);

    struct Stuck {
        std::string variant;
        std::uint64_t group, n;
    };

    const results::MeasureRequest& request_;
    const OnMeasureProgress& on_progress_;
    results::Measurements made_;      // its rows: of the current size
    std::vector<results::Row> rows_;  // of the finished sizes
    std::vector<Stuck> stuck_;
    KeptShapes kept_{kept_shapes_file()};
    std::map<std::string, std::uint64_t> left_out_;  // what and why -> the first n
    MeasureProgress at_;
    std::size_t sizes_left_ = 0;
    double last_s_ = 0, before_last_s_ = 0;  // of a size
    Clock::time_point reported_ = Clock::now();
};

}  // namespace lab::device
