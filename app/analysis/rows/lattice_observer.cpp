#include "analysis/rows/lattice_observer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/problem.h"

namespace lab::analysis {

using machine::Action;
using machine::ActionKind;

LatticeObserver::LatticeObserver(std::size_t start, std::atomic<float>* progress)
    : start_(start), progress_(progress) {}

void LatticeObserver::begin(const machine::Machine& machine) {
    machine_ = &machine;
    races_.begin(machine);
    rows_.emplace(machine, start_,
                  RowLimits{kMostLatticeCells, kMostLatticeBytes, Lattice::kMostTold});
}

void LatticeObserver::observe(const Action& action, std::span<const machine::Access> accesses,
                              bool continues) {
    if (context_ == nullptr || context_->launch != action.launch) {
        end_launch();
        context_ = &machine_->context(action.launch);
        trace_ = std::make_unique<machine::Trace>();
        group_ = 0;
    }
    if (progress_ != nullptr && action.group != group_) {
        group_ = action.group;
        const auto launches = static_cast<float>(machine_->job().launches.size());
        const float share = static_cast<float>(group_) / static_cast<float>(context_->groups);
        progress_->store((static_cast<float>(action.launch) + share) / launches);
    }
    events_ += accesses.size();
    if (trace_->events() > kMostLaunchEvents)
        throw Problem("The run is too long for the lattice",
                      fmt::format("More than {} loads and stores in one launch", kMostLaunchEvents),
                      "Choose fewer elements");
    // Barriers tell nothing here, and there are many.
    if (action.kind != ActionKind::barrier) trace_->add(action, accesses, continues);
    if (events_ <= kMostLatticeEvents) races_.observe(action, accesses, continues);
}

void LatticeObserver::end_launch() {
    if (trace_ == nullptr) return;
    if (trace_->size() > 0) {
        rows_->add_launch(*trace_, 0, trace_->size());
        if (!too_long_for_stale()) rows_->add_stale_reads(*trace_, 0, trace_->size(), times_);
    }
    times_ += trace_->size();
    trace_.reset();
}

Lattice LatticeObserver::take() {
    end_launch();
    if (!too_long_for_stale()) rows_->add_races(races_);
    Lattice lattice = rows_->take();
    add_states(lattice);
    std::stable_sort(lattice.stale.begin(), lattice.stale.end(),
                     [](const LatticeStale& a, const LatticeStale& b) {
                         return std::pair(a.row, a.read.item) < std::pair(b.row, b.read.item);
                     });
    std::stable_sort(lattice.raced.begin(), lattice.raced.end(),
                     [](const LatticeRace& a, const LatticeRace& b) {
                         return std::pair(a.row, a.raced.cell) < std::pair(b.row, b.raced.cell);
                     });
    if (progress_ != nullptr) progress_->store(1);
    return lattice;
}

}  // namespace lab::analysis
