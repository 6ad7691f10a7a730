// hazards: data races, the lines they are in, and what to do about them.
#include "analysis/races/hazard_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "cli/interrupts.h"
#include "cli/reports/report.h"
#include "cli/shared.h"
#include "cli/subject.h"

namespace lab::cli {
namespace {

struct HazardsOptions {
    SubjectOptions subject;
    bool json = false, only_order = false;
};

// Under `text` a mark below what is meant, and who does what there.
std::string marked(const analysis::HazardSide& side, const analysis::Hazard& hazard) {
    const std::size_t column = std::max(1U, side.column) - 1;
    std::string pad;
    for (std::size_t i = 0; i < column && i < side.text.size(); ++i)
        pad += side.text[i] == '\t' ? '\t' : ' ';
    const std::size_t left = side.text.size() > column ? side.text.size() - column : 1;
    const std::string mark(std::min<std::size_t>(std::max(1U, side.length), left), '^');
    std::string who = fmt::format("work-item {} of group {}", item_name(side), group_name(side));
    if (hazard.kinds != std::vector<std::string>{"uninitialised"}) {
        who += fmt::format(", pass {}", side.pass);
        if (side.turn > 0 && side.turn != side.pass) who += fmt::format(", turn {}", side.turn);
        who = fmt::format("{} {}[{}]: {}  ({})", side.does, hazard.object, hazard.index, side.value,
                          who);
    }
    return fmt::format("         | {}{} {}\n", pad, mark, who);
}

std::string quoted(const analysis::Hazard& hazard) {
    std::string text;
    for (std::size_t i = 0; i < hazard.sides.size(); ++i) {
        const analysis::HazardSide& side = hazard.sides[i];
        const bool again =
            i > 0 && hazard.sides[0].line == side.line && hazard.sides[0].file == side.file;
        if (!again) text += fmt::format("{:>8} | {}\n", side.line, side.text);
        text += marked(side, hazard);
    }
    return text;
}

std::string headline(const analysis::Hazard& hazard) {
    std::string text =
        fmt::format("{}: ", hazard.severity == analysis::Hazard::Severity::note ? "note" : "race");
    if (!hazard.note.empty()) text += hazard.note + ", ";
    text += fmt::format("{}", fmt::join(hazard.kinds, " and "));
    if (!hazard.could.empty() && hazard.note.empty())
        text += fmt::format(" (or {})", fmt::join(hazard.could, ", "));
    if (hazard.update) text += ", updates of one cell";
    if (hazard.across_groups) text += ", across groups";
    const analysis::HazardSide& first = hazard.sides.front();
    const analysis::HazardSide& last = hazard.sides.back();
    text += fmt::format(", {}:{}:{}", first.file, first.line, first.column);
    if (hazard.sides.size() > 1)
        text += first.line == last.line ? std::string(" with itself")
                                        : fmt::format(" with line {}:{}", last.line, last.column);
    return text + fmt::format(", {} {}\n", hazard.count,
                              hazard.sides.size() > 1 ? hazard.count == 1 ? "pair" : "pairs"
                              : hazard.count == 1     ? "time"
                                                      : "times");
}

// Which schedules have it, where not all of them do or the example is not of the first.
std::string found_in(const analysis::Hazard& hazard, const analysis::HazardSearch& search) {
    const std::size_t all = search.schedules.size();
    if (hazard.schedules == all && hazard.schedule == search.schedules.front()) return "";
    if (hazard.independent_only)
        return fmt::format(
            "  in:   {} of {} schedules of independent items; this is --order {}\n"
            "        In lockstep the schedules that were tried go another way; OpenCL promises "
            "none\n",
            hazard.schedules, search.independent, hazard.schedule);
    return fmt::format("  in:   {} of {} schedules; this is --order {}\n", hazard.schedules, all,
                       hazard.schedule);
}

std::string text_of(const analysis::Hazard& hazard, const analysis::HazardSearch& search) {
    std::string text = headline(hazard) + quoted(hazard);
    if (!hazard.what.empty())
        text += fmt::format("  {}: {}\n", hazard.shown ? "seen" : "here", hazard.what);
    if (!hazard.why.empty()) text += fmt::format("  why:  {}\n", hazard.why);
    if (!hazard.hidden.empty()) text += fmt::format("  note: {}\n", hazard.hidden);
    text += found_in(hazard, search);
    if (!hazard.hint.empty()) text += fmt::format("  hint: {}\n", hazard.hint);
    return text;
}

std::string schedules_text(const analysis::HazardSearch& search) {
    if (search.schedules.size() == 1) return "one schedule: " + search.schedules.front();
    std::vector<std::string> own = search.schedules, independent;
    own.resize(own.size() - search.independent);
    for (std::size_t i = own.size(); i < search.schedules.size(); ++i)
        independent.push_back(search.schedules[i].substr(0, search.schedules[i].find(' ')));
    std::string text =
        fmt::format("{} schedules: {}", search.schedules.size(), fmt::join(own, ", "));
    if (!independent.empty())
        text += fmt::format("; with independent items: {}", fmt::join(independent, ", "));
    return text;
}

// How far "no race" goes.
std::string none_text(const analysis::HazardSearch& search) {
    if (search.fault || search.cancelled) return "no race until then";
    if (search.all_schedules && search.for_these_numbers)
        return "no race in any schedule for these numbers: what it touches depends on them, and "
               "others may have one";
    if (search.all_schedules)
        return "no race in any schedule of this shape: what it touches does not depend on data";
    return fmt::format("no race {}in {}", search.for_these_numbers ? "for these numbers " : "",
                       schedules_text(search));
}

std::string summary(const analysis::HazardSearch& search) {
    const std::uint64_t races = races_in(search.hazards);
    const std::uint64_t notes = search.hazards.size() - races;
    std::string text = races == 0
                           ? none_text(search)
                           : fmt::format("{} line pair{} in a race{}", races, races == 1 ? "" : "s",
                                         search.for_these_numbers ? " for these numbers" : "");
    if (notes > 0) text += fmt::format(", {} note{}", notes, notes == 1 ? "" : "s");
    if (races > 0) text += fmt::format(" ({})", schedules_text(search));
    const auto count = [&](auto which) {
        return std::count_if(search.hazards.begin(), search.hazards.end(), which);
    };
    const auto same =
        count([](const analysis::Hazard& each) { return each.note == analysis::kSameValue; });
    if (same > 0)
        text += fmt::format(
            "\n{} of them by the letter alone: two stores of the same value, in each of these "
            "schedules",
            same == static_cast<std::ptrdiff_t>(races) ? std::string("All") : std::to_string(same));
    const auto alone = count([](const analysis::Hazard& each) { return each.independent_only; });
    if (alone > 0)
        text += fmt::format(
            "\n{} of them with independent items only, not with lanes in lockstep, which OpenCL "
            "does not promise",
            alone == static_cast<std::ptrdiff_t>(races) ? std::string("All")
                                                        : std::to_string(alone));
    if (races > 0 && search.left_out) text += "\nThere are more: too many to tell them apart";
    if (search.forgot) text += "\nMore accesses than could be kept: some pairs were not looked at";
    if (races == 0 && !search.all_schedules && !search.fault && !search.cancelled)
        text += search.for_these_numbers
                    ? "\nOther schedules and other numbers may have one: what work-items touch, or "
                      "who comes first at an atomic, can change there"
                    : "\nOther schedules may have one: what work-items touch, or who comes first "
                      "at an atomic, can change there";
    if (search.unfinished > 0)
        text += fmt::format("\n{} of these schedules did not come to an end", search.unfinished);
    return text + "\n";
}

Exit hazards(const HazardsOptions& options) {
    const Subject subject = subject_of(options.subject);
    const InterruptsNoted noted;
    analysis::HazardSearchOptions how;
    how.others = !options.only_order;
    how.cancel = &InterruptsNoted::seen();
    const analysis::HazardSearch search =
        search_hazards(subject.ready.job, subject.machine().order, how);
    const std::string on = simulation::text_of(subject.machine());
    if (options.json) {
        nlohmann::json object = subject.shape;
        object["schema"] = 1;
        object["machine"] = on;
        object["races"] = races_in(search.hazards);
        object["hazards"] = search.hazards;
        object["schedules"] = search.schedules;
        object["unfinished"] = search.unfinished;
        object["independent"] = search.independent;
        object["all_schedules"] = search.all_schedules;
        object["for_these_numbers"] = search.for_these_numbers;
        object["left_out"] = search.left_out;
        object["forgot"] = search.forgot;
        object["complete"] = !search.fault && !search.cancelled;
        if (search.fault) object["problem"] = *search.fault;
        print_json(object);
    } else {
        std::cout << fmt::format("{}, on {}\n", subject.title, on);
        constexpr std::size_t kMostShown = 100;
        for (std::size_t i = 0; i < std::min(search.hazards.size(), kMostShown); ++i)
            std::cout << '\n' << text_of(search.hazards[i], search);
        if (search.hazards.size() > kMostShown)
            std::cout << fmt::format("\n… and {} more line pairs: --json has them\n",
                                     search.hazards.size() - kMostShown);
        std::cout << (search.hazards.empty() ? "" : "\n") << summary(search);
    }
    if (search.cancelled)
        throw Problem("The run was interrupted", "Ctrl+C was pressed, or it was asked to end",
                      "What came until then is above", "", Exit::interrupted);
    if (search.fault) throw *search.fault;
    return races_in(search.hazards) > 0 ? Exit::found : Exit::done;
}

}  // namespace

Action hazards_command(CLI::App& app) {
    auto options = make<HazardsOptions>();
    options->subject.add_to(app);
    app.add_flag("--only-order", options->only_order,
                 "Judge the schedule of --order alone; else others are tried, too");
    add_json(app, options->json);
    return [options] { return hazards(*options); };
}

}  // namespace lab::cli
