#include "insight/stale_rows.h"

#include <optional>

#include "insight/trace_passes.h"
#include "lang/value.h"

namespace lab {
namespace {

// The row that a read of that pass belongs to: rather one in which its work-item wrote.
std::optional<std::size_t> row_of(const std::vector<Pass>& rows,
                                  const std::vector<RowTrace>& traces, const StaleRead& read) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < traces.size() && i + 1 < rows.size(); ++i) {
        if (traces[i].launch != read.launch || traces[i].pass != read.pass) continue;
        const std::size_t row = i + 1;
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

}  // namespace

std::vector<Pass> stale_rows(const machine::Run& run, std::size_t start) {
    std::vector<RowTrace> traces;
    std::vector<Pass> rows = trace_passes(run, start, &traces);
    if (run.trace().events() > kMostEventsForStale) return rows;
    for (const StaleRead& read : stale_reads(run)) {
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

}  // namespace lab
