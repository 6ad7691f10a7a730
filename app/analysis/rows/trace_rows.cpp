#include "analysis/rows/trace_rows.h"

#include <algorithm>
#include <limits>

#include "analysis/rows/row_builder.h"
#include "analysis/rows/trace_walk.h"

namespace lab::analysis {
namespace {

constexpr RowLimits kStepLimits{kMostRowCells, kMostRowCells* kMostRows,
                                std::numeric_limits<std::size_t>::max()};

}  // namespace

std::vector<Row> trace_rows(const machine::Run& run, std::size_t start,
                            std::vector<RowTrace>* traces) {
    RowLimits limits = kStepLimits;
    limits.cell_traces = traces != nullptr;
    RowBuilder rows(run.machine(), start, limits);
    for_launches(run.trace(), [&](std::uint64_t first, std::uint64_t end) {
        rows.add_launch(run.trace(), first, end);
    });
    if (traces != nullptr) *traces = rows.take_traces();
    return whole_rows(rows.take());
}

std::vector<Row> stale_rows(const machine::Run& run, std::size_t start, bool* all) {
    if (all != nullptr) *all = false;
    if (run.trace().events() > kMostEventsForStale) return trace_rows(run, start);
    RowBuilder rows(run.machine(), start, kStepLimits);
    for_launches(run.trace(), [&](std::uint64_t first, std::uint64_t end) {
        rows.add_launch(run.trace(), first, end);
        rows.add_stale_reads(run.trace(), first, end, 0);
    });
    RaceDetector races;
    races.begin(run.machine());
    run.trace().replay(races);
    rows.add_races(races);
    if (all != nullptr) *all = rows.all_compared();
    return whole_rows(rows.take());
}

std::vector<std::vector<std::uint32_t>> barriers_passed(const machine::Run& run) {
    std::vector<std::vector<std::uint32_t>> all;
    for (std::uint32_t launch = 0; launch < run.machine().job().launches.size(); ++launch)
        all.emplace_back(run.machine().context(launch).groups);
    for (std::uint64_t time = 0; time < run.trace().size(); ++time) {
        const machine::Action& action = run.trace().action(time);
        if (action.kind != machine::ActionKind::barrier) continue;
        std::uint32_t& passed = all[action.launch][action.group];
        passed = std::max(passed, action.pass + 1);
    }
    return all;
}

}  // namespace lab::analysis
