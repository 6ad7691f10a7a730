#include "analysis/rows/stale_rows.h"

#include <algorithm>
#include <optional>

#include "analysis/races/race_detector.h"
#include "analysis/rows/trace_passes.h"
#include "lang/code/value.h"

namespace lab::analysis {
namespace {

// The row that a read of that pass belongs to: rather one in which its work-item wrote. Where the
// pass gave none, as a turn of a loop that only reads, the next one, if the read is not of somebody
// who waits.
std::optional<std::size_t> row_of(const std::vector<Pass>& rows,
                                  const std::vector<RowTrace>& traces, const StaleRead& read) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < traces.size() && i + 1 < rows.size(); ++i) {
        if (traces[i].launch != read.launch || traces[i].pass < read.pass) continue;
        const std::size_t row = i + 1;
        if (found && traces[i].pass != traces[*found - 1].pass) return found;
        if (traces[i].pass > read.pass && read.reread) return std::nullopt;
        for (const Cell& cell : rows[row].cells)
            if (cell.written && cell.item == static_cast<std::int64_t>(read.item)) return row;
        if (!found) found = row;
    }
    return found;
}

std::uint32_t number_of(const std::vector<Pass>& rows, const std::vector<RowTrace>& traces,
                        std::uint32_t launch, std::uint32_t pass) {
    for (std::size_t i = 0; i < traces.size() && i + 1 < rows.size(); ++i)
        if (traces[i].launch == launch && traces[i].pass == pass) return rows[i + 1].number;
    return 0;
}

StaleValue told(const machine::Run& run, const StaleRead& read) {
    const machine::Context& context = run.machine().context(read.launch);
    StaleValue made;
    made.item = static_cast<std::int64_t>(read.item);
    made.array = context.objects[read.object].name;
    made.cell = read.cell;
    made.took = lang::text_of(read.took, read.type);
    made.missed = lang::text_of(read.missed, read.type);
    made.writer = static_cast<std::int64_t>(read.writer);
    made.line = context.code->places[read.place].line;
    made.write_line = context.code->places[read.write_place].line;
    made.too_new = read.too_new;
    made.update = read.update;
    made.time = read.time;
    return made;
}

// Whether the row shows the object's array, in a pass of the race's launch.
bool shows(const RowTrace& trace, const Pass& row, const machine::ObjectInfo& object,
           const Race& race) {
    if (trace.launch != race.launch) return false;
    if (object.space == machine::Space::local) return trace.local && row.array == object.name;
    return !trace.local && trace.buffer == object.buffer;
}

// The row that shows the array in that pass; where the pass wrote to others alone, the last before
// it, whose cells are what was read.
std::optional<std::size_t> row_of(const std::vector<Pass>& rows,
                                  const std::vector<RowTrace>& traces,
                                  const machine::ObjectInfo& object, const Race& race,
                                  std::uint32_t pass) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < traces.size() && i + 1 < rows.size(); ++i)
        if (traces[i].pass <= pass && shows(traces[i], rows[i + 1], object, race)) found = i;
    return found;
}

RacedCell told(const machine::Context& context, const Race& race, const Race::Spot& spot) {
    const auto line = [&](const Race::Side& side) { return context.code->places[side.place].line; };
    RacedCell made;
    made.cell = spot.cell;
    made.first = static_cast<std::int64_t>(spot.first);
    made.second = static_cast<std::int64_t>(spot.second);
    made.first_writes = race.example.first.writes;
    made.second_writes = race.example.second.writes;
    made.first_line = line(race.example.first);
    made.second_line = line(race.example.second);
    made.across_groups = race.across_groups;
    return made;
}

// Of cells that race with several, one is named.
void add(Pass& row, const RacedCell& raced) {
    const auto same = [&](const RacedCell& of) { return of.cell == raced.cell; };
    if (raced.cell < row.cells.size() && std::none_of(row.raced.begin(), row.raced.end(), same))
        row.raced.push_back(raced);
}

// Marks the last row before that pass of the launch, or takes the mark away.
void hand_over(std::vector<Pass>& rows, const std::vector<RowTrace>& traces, std::uint32_t launch,
               std::uint32_t pass, bool handed_over) {
    Pass* last = nullptr;
    for (std::size_t i = 0; i < traces.size() && i + 1 < rows.size(); ++i)
        if (traces[i].launch == launch && traces[i].pass < pass) last = &rows[i + 1];
    if (last != nullptr) last->handed_over = handed_over;
}

void add_races(std::vector<Pass>& rows, const std::vector<RowTrace>& traces,
               const machine::Run& run) {
    RaceDetector detector;
    detector.begin(run.machine());
    run.trace().replay(detector);
    // Where some accesses race, what others hand over orders no groups.
    for (const bool by_atomics : {true, false})
        for (const Race& race : detector.races())
            if (race.by_atomics == by_atomics && is_read_across_groups(race))
                for (const Race::Spot& spot : race.spots)
                    if (by_atomics ? spot.other_pass < spot.pass : spot.other_pass != spot.pass)
                        hand_over(rows, traces, race.launch, spot.pass, by_atomics);
    for (const Race& race : detector.races()) {
        if (race.by_atomics || race.same_value) continue;
        const machine::Context& context = run.machine().context(race.launch);
        for (const Race::Spot& spot : race.spots) {
            const machine::ObjectInfo& object = context.objects[spot.object];
            const auto at = row_of(rows, traces, object, race, spot.pass);
            if (!at) continue;
            RacedCell raced = told(context, race, spot);
            if (traces[*at].local) raced.cell += traces[*at].group_cells * spot.group;
            add(rows[*at + 1], raced);
        }
    }
}

}  // namespace

std::vector<Pass> stale_rows(const machine::Run& run, std::size_t start, bool* all) {
    std::vector<RowTrace> traces;
    std::vector<Pass> rows = trace_passes(run, start, &traces);
    if (all != nullptr) *all = false;
    if (run.trace().events() > kMostEventsForStale) return rows;
    add_races(rows, traces, run);
    for (const StaleRead& read : stale_reads(run, all)) {
        const auto row = row_of(rows, traces, read);
        if (!row) continue;
        StaleValue made = told(run, read);
        made.pass = number_of(rows, traces, read.launch, read.write_pass);
        for (Cell& cell : rows[*row].cells)
            cell.stale = cell.stale || (cell.written && cell.item == made.item);
        rows[*row].stale.push_back(std::move(made));
    }
    return rows;
}

}  // namespace lab::analysis
