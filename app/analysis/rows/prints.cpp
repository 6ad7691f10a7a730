#include "analysis/rows/prints.h"

#include <algorithm>

namespace lab::analysis {
namespace {

// By launch: the time of its first action; where it has none, of the next launch's.
std::vector<std::uint64_t> first_actions(const machine::Run& run) {
    std::vector<std::uint64_t> firsts(run.machine().job().launches.size(), run.trace().size());
    std::size_t launch = 0;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time)
        while (launch < firsts.size() && launch <= run.trace().action(time).launch)
            firsts[launch++] = time;
    return firsts;
}

}  // namespace

bool calls_printf(const machine::Run& run) {
    const std::vector<machine::Launch>& launches = run.machine().job().launches;
    return std::any_of(launches.begin(), launches.end(), [](const machine::Launch& launch) {
        return launch.code != nullptr && !launch.code->prints.empty();
    });
}

std::uint32_t line_of(const machine::Run& run, const machine::Print& print) {
    return run.machine().context(print.launch).code->places[print.place].line;
}

std::vector<PrintedText> printed_texts(const machine::Run& run) {
    std::vector<PrintedText> texts;
    if (run.prints().empty()) return texts;
    const std::vector<std::uint64_t> firsts = first_actions(run);
    std::uint64_t before = 0;
    for (const machine::Print& print : run.prints()) {
        PrintedText& text = texts.emplace_back();
        text.item = print.item;
        text.item_name = run.machine().context(print.launch).item_name(print.item);
        text.launch = print.launch + 1;
        text.line = line_of(run, print);
        const std::uint64_t first = std::min(firsts[print.launch] + 1, run.trace().size());
        text.time = std::max({print.time, first, before});
        before = text.time;
        text.text = print.text;
        if (text.text.ends_with('\n')) text.text.pop_back();
    }
    return texts;
}

}  // namespace lab::analysis
