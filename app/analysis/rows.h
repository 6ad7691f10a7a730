// Makes the rows of the step view from a run with a trace: the arrays that each pass writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/lattice.h"
#include "analysis/race_detector.h"
#include "analysis/stale_reads.h"
#include "analysis/step_table.h"
#include "analysis/warps.h"
#include "machine/job.h"
#include "machine/run.h"
#include "machine/trace.h"
namespace lab::analysis {

inline constexpr std::uint64_t kMostRowCells = 4096;  // cells of an array; a larger one has no rows
// Accesses of a run; of more, stale reads are not looked for, and that is said.
inline constexpr std::uint64_t kMostEventsForStale = 4'000'000;

// The first row is buffer `start` at the beginning. The run's races and stale reads are marked: a
// stale read is in the row of its pass (if the pass has several arrays, in that of one that its
// work-item wrote), with the cells that it wrote there. `all`: whether every cell was checked, see
// stale_reads().
std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all = nullptr);

// How many barriers each group passed, by launch and group.
std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run);

// Numbers passes for users: from 1 in each launch, counting only passes in which something
// happened. Without barriers a pass is an iteration of a loop; one that stores nothing, such as
// that of a loop that loads, belongs to the next that does, or at the end to the last.

class PassNumbers {
  public:
    explicit PassNumbers(const machine::Run& run)
        : PassNumbers(run.machine(), run.trace(), 0, run.trace().size()) {}
    // Actions [first, end) only.
    PassNumbers(const machine::Machine& machine, const machine::Trace& trace, std::uint64_t first,
                std::uint64_t end) {
        std::map<std::uint32_t, Launch> launches;
        for (std::uint64_t time = first; time < end; ++time) {
            const machine::Action& action = trace.action(time);
            if (action.kind == machine::ActionKind::barrier) continue;
            Launch& launch = launches[action.launch];
            launch.has_barrier = machine.context(action.launch).code->has_barrier;
            bool& stores = launch.passes[action.pass];
            stores = stores || action.kind == machine::ActionKind::store ||
                     action.kind == machine::ActionKind::atomic;
        }
        for (const auto& [number, launch] : launches)
            add(number, launch);
    }

    // Returns the row of Action::pass; 0: in that pass all only waited.
    std::uint32_t of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? 0 : found->second.number;
    }
    // The last Action::pass of those that have its number; its own if all only waited.
    std::uint32_t last_of(std::uint32_t launch, std::uint32_t pass) const {
        const auto found = passes_.find({launch, pass});
        return found == passes_.end() ? pass : found->second.last;
    }

  private:
    struct Launch {
        bool has_barrier = false;
        std::map<std::uint32_t, bool> passes;  // whether anybody stores in it
    };
    struct Numbered {
        std::uint32_t number, last;
    };

    void add(std::uint32_t launch, const Launch& found) {
        std::vector<std::uint32_t> together;
        std::uint32_t number = 0;
        const auto close = [&] {
            for (const std::uint32_t pass : together)
                passes_[{launch, pass}] = {number, together.back()};
        };
        std::uint32_t last_store = 0;
        for (const auto& [pass, stores] : found.passes)
            if (stores) last_store = pass;
        for (const auto& [pass, stores] : found.passes) {
            together.push_back(pass);
            const bool ends = found.has_barrier || (stores && pass != last_store);
            if (!ends) continue;
            ++number;
            close();
            together.clear();
        }
        ++number;
        close();
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Numbered> passes_;
};

// Ways through a trace: launch by launch, and the accesses of an action by work-item.

// Calls each(first, end) for the actions of each launch; `end` is not one of them.
template <typename Each>
void for_launches(const machine::Trace& trace, Each&& each) {
    for (std::uint64_t first = 0, end = 0; first < trace.size(); first = end) {
        while (end < trace.size() && trace.action(end).launch == trace.action(first).launch)
            ++end;
        each(first, end);
    }
}

// Calls each(item, access) in the order of lanes; items are global ids.
template <typename Each>
void for_accesses(const machine::Trace& trace, const machine::Context& context,
                  const machine::Action& action, Each&& each) {
    const std::span<const machine::Access> all = trace.accesses(action);
    machine::SetBits lanes = machine::set_bits(action.mask);
    for (std::size_t i = 0; i < all.size(); ++lanes) {
        const std::uint64_t item = context.item(action.group, action.warp, *lanes);
        for (std::uint8_t k = 0; k < action.count; ++k, ++i)
            each(item, all[i]);
    }
}

class RowBuilder;

// Builds a Lattice during a run. It keeps the trace of one launch at a time, so that a run of many
// elements needs no whole trace.

// Cells of all rows of a picture; of more rows, the last has the count of those left out.
inline constexpr std::uint64_t kMostLatticeBytes = std::uint64_t{1} << 24U;
// Accesses of a launch, and of a run that is checked for stale reads; more are refused, and not
// checked, which is said.
inline constexpr std::uint64_t kMostLaunchEvents = 12'000'000, kMostLatticeEvents = 4'000'000;

class LatticeObserver : public machine::Observer {
  public:
    // `start` is the buffer that the first row shows. `progress` receives the share that is done,
    // approximately.
    explicit LatticeObserver(std::size_t start, std::atomic<float>* progress = nullptr);
    ~LatticeObserver() override;

    void begin(const machine::Machine& machine) override;
    // Throws Problem if a launch has too many accesses to keep.
    void observe(const machine::Action& action, std::span<const machine::Access> accesses,
                 bool continues) override;
    void detail(const machine::Detail& detail) override;

    // Call after the run, also if it ended with a fault.
    Lattice take();
    // After that: whether all cells were checked for stale reads.
    bool stale_known() const;

  private:
    bool too_long_for_stale() const { return events_ > kMostLatticeEvents; }
    void end_launch();

    std::size_t start_;
    std::atomic<float>* progress_;
    const machine::Machine* machine_ = nullptr;
    const machine::Context* context_ = nullptr;
    std::uint32_t group_ = 0;                // seen last
    std::unique_ptr<machine::Trace> trace_;  // of the launch
    std::uint64_t events_ = 0, times_ = 0;   // so far; actions of earlier launches
    std::unique_ptr<RowBuilder> rows_;
    RaceDetector races_;
};

}  // namespace lab::analysis
