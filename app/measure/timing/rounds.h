// The turns that the rows of a measurement take, until they have what was asked for, and what is
// told meanwhile. What runs in a turn is the entries' own.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measure/timing/benchmark_cases.h"
#include "measure/timing/measure.h"
#include "results/request.h"

namespace lab::measure {

using OnMeasureProgress = std::function<void(const MeasureProgress&)>;

// What is known before anything ran: the request, the host, the time.
results::Measurements started(const results::DeviceInfo& device,
                              const results::MeasureRequest& request);

// Throws Problem for a number of runs that there is not.
void check_repeat(const results::MeasureRequest& request);

// The variants asked for, each once. Throws Problem for an unknown one, or a toggle of none.
std::vector<const catalogue::Variant*> chosen(const catalogue::Catalogue& catalogue,
                                              const results::MeasureRequest& request);

class Rounds {
  public:
    // The request and `on_progress` must outlive it.
    Rounds(results::Measurements measurements, const results::MeasureRequest& request,
           const OnMeasureProgress& on_progress);

    // Each size in turn, as the request has them; empty if the input has its own number of
    // elements. `size` makes the entries and gives them to take_turns(); a problem it throws ends
    // that size alone.
    using Size = std::function<void(std::optional<std::uint64_t> n)>;
    results::Measurements run(std::size_t rows_a_size, const Size& size);
    // A warm-up and rounds of all entries together, so that they cover the same ones, until all are
    // precise. Only one that has used up its time leaves before.
    void take_turns(std::vector<BenchmarkCase>& entries);

    bool has_its_own_n() const;
    void note(const std::string& line) { made_.notes.push_back(line); }
    void skip(const std::string& line) { made_.skipped.push_back(line); }
    void problem(const Problem& problem) { made_.problems.push_back(problem); }
    // Why a variant does not take that n: of `all` one line for all the sizes, else a problem.
    void leave_out(const Problem& problem, std::uint64_t n);
    // What waited in vain at some n need not wait again at a larger one.
    bool known_stuck(const catalogue::Variant& variant, std::uint64_t group, std::uint64_t n) const;
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
        Stuck(std::string id, std::uint64_t g, std::uint64_t count)
            : variant(std::move(id)), group(g), n(count) {}
    };

    const results::MeasureRequest& request_;
    const OnMeasureProgress& on_progress_;
    results::Measurements made_;      // its rows: those of the size under way
    std::vector<results::Row> rows_;  // of the sizes that are done
    std::vector<Stuck> stuck_;
    std::map<std::string, std::uint64_t> left_out_;  // what and why -> the first n
    MeasureProgress at_;
    std::size_t sizes_left_ = 0;
    double last_s_ = 0, before_last_s_ = 0;  // that a size took
    Clock::time_point reported_ = Clock::now();
};

}  // namespace lab::measure
