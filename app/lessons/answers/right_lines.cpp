// The lines of a kernel that a question may ask for.
#include <algorithm>

#include "analysis/lanes/memory_request.h"
#include "lessons/answers/question.h"

namespace lab::lessons {
namespace {

using Lines = std::set<std::uint64_t>;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// The line in "kernel.cl:12:3".
void add_place(Lines& lines, const std::string& where) {
    const auto colon = where.find(':');
    if (colon == std::string::npos) return;
    const unsigned long line = std::strtoul(where.c_str() + colon + 1, nullptr, 10);
    if (line > 0) lines.insert(line);
}

Lines of_races(Facts& facts, const char* does) {
    Lines lines;
    for (const analysis::Hazard& hazard : facts.run().hazards)
        if (hazard.severity == analysis::Hazard::Severity::race)
            for (const analysis::HazardSide& side : hazard.sides)
                if (does == nullptr || side.does == does) lines.insert(side.line);
    return lines;
}

Lines of_stale_reads(Facts& facts) {
    Lines lines;
    for (const analysis::Row& row : facts.table().rows)
        for (const analysis::StaleValue& stale : row.stale)
            lines.insert(stale.line);
    return lines;
}

Lines of_fault(Facts& facts) {
    Lines lines;
    if (const auto& fault = facts.plain_run().fault) add_place(lines, fault->where);
    return lines;
}

Lines of_divergence(Facts& facts) {
    Lines lines;
    for (const analysis::DivergentBranch& branch : facts.run().lanes.branches)
        if (branch.splits > 0) lines.insert(branch.line);
    return lines;
}

Lines of_expensive(Facts& facts) {
    Lines lines;
    if (const machine::Run* run = facts.plain_run().run)
        if (const auto request = analysis::most_expensive_request(*run))
            lines.insert(request->line);
    return lines;
}

// Where work-items stand in a schedule that never ends.
Lines of_waiting(const Page& page, Runs& runs) {
    Facts& facts = runs.facts(page.show);
    if (facts.plain_run().fault) return of_fault(facts);
    for (const analysis::PossibleResult& result : facts.shortest_outcomes().results) {
        if (!result.never_ends) continue;
        Show endless = page.show;
        endless.order = std::string(machine::kTurnsPrefix) + machine::text_of(result.turns);
        return of_fault(runs.facts(endless));
    }
    return {};
}

// Every line after which one barrier more ends all races, without a fault.
Lines of_missing_barrier(const Page& page, Runs& runs) {
    Lines lines;
    const std::string text = text_of(page.show, runs.library());
    const std::vector<std::string> all = lines_of(text);
    const auto begin = static_cast<std::size_t>(std::count(
        text.begin(), text.begin() + static_cast<std::ptrdiff_t>(header_of(text).size()), '\n'));
    for (std::size_t after = begin; after < all.size(); ++after) {
        Show tried = page.show;
        tried.text.emplace();
        for (std::size_t i = 0; i < all.size(); ++i) {
            *tried.text += all[i] + "\n";
            if (i == after) *tried.text += "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
        }
        try {
            Facts facts(subject_of(tried, runs.library()));
            if (!facts.plain_run().fault && of_races(facts, nullptr).empty())
                lines.insert(after + 1);
        } catch (const Problem&) {
            // A barrier is no statement there.
        }
    }
    return lines;
}

}  // namespace

Lines right_lines(const Page& page, Runs& runs) {
    const std::string& word = page.ask->right;
    if (word == "wait") return of_waiting(page, runs);
    if (word == "barrier") return of_missing_barrier(page, runs);
    Facts& facts = runs.facts(page.show);
    if (word == "race") return of_races(facts, nullptr);
    if (word == "read") return of_races(facts, "reads");
    if (word == "write") return of_races(facts, "writes");
    if (word == "stale") return of_stale_reads(facts);
    if (word == "fault") return of_fault(facts);
    if (word == "diverged") return of_divergence(facts);
    if (word == "expensive") return of_expensive(facts);
    Lines lines;
    const std::size_t count = lines_of(text_of(page.show, runs.library())).size();
    for (std::size_t line = 1; line <= count; ++line)
        if (page.ask->values.front()(page.show, runs, {{"line", static_cast<double>(line)}}) != 0)
            lines.insert(line);
    return lines;
}

}  // namespace lab::lessons
