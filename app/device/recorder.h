// Runs a job with a text that records every access, or that waits before them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/problem.h"
#include "device/device.h"
#include "device/job_run.h"
#include "device/program.h"
#include "lang/record.h"

namespace lab::device {

// Accesses of a launch that is recorded; more are only counted, and the run is refused.
inline constexpr std::uint32_t kMostRecorded = 1U << 20U;

// A launch that makes more accesses than that.
struct TooLong : Problem {
    using Problem::Problem;
};

// How a recording is built at first. A processor's compiler makes loops of work-groups, and
// PoCL 3.1 does not survive that with some of these texts when it optimises.
Optimise first_choice(const Device& device);

class Recorder {
  public:
    // `inputs`, as JobRun has them, must outlive it. Throws Problem if the text cannot be recorded
    // or does not build.
    Recorder(const Device& device, const catalogue::Kernel& kernel, const catalogue::Shape& shape,
             catalogue::Job job, Inputs* inputs, const lang::RecordOptions& options,
             Optimise optimise = Optimise::yes);

    // Runs all launches; `seed` is that of the waits. The first run only counts, and where items
    // spin longer than in the one before, there is more room and another run. Returns whether no
    // spin gave up. Throws TooLong.
    bool run(std::uint32_t seed);

    const lang::RecordedText& text() const { return text_; }
    // Returns the launches of the last run; empty if a spin gave up and there was no room for all.
    std::vector<lang::RecordedLaunch> read() const;
    // All buffers as they are now; empty for those that nobody writes.
    std::vector<std::vector<std::byte>> buffers() const { return run_.contents(); }
    // The same, at the start of a run.
    const std::vector<std::vector<std::byte>>& before() const { return before_; }

  private:
    struct Trace {
        cl::Buffer buffer;
        std::uint32_t head = 0, capacity = 0, tickets = 0;
    };
    void make(Trace& trace, std::size_t launch, std::uint32_t capacity) const;
    bool run_once(std::uint32_t seed);
    bool make_room();  // returns whether there was enough
    std::vector<std::uint64_t> bytes_of_objects(std::size_t launch) const;

    const Device& device_;
    bool records_;
    lang::RecordedText text_;
    Program program_;
    JobRun run_;
    std::vector<Trace> traces_;  // of each launch
    std::vector<std::vector<std::byte>> before_;
};

}  // namespace lab::device
