// hazards: data races, the lines they are in, and what to do about them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "analysis/barrier_places.h"
#include "analysis/hazards.h"
#include "analysis/outcomes.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"
#include "cli/command.h"
#include "cli/report.h"
#include "lang/source.h"

namespace lab::cli {
namespace {

struct HazardsOptions {
    SubjectOptions subject;
    bool json = false, only_order = false;
};

// Who does what, behind a mark below the place.
std::string marked(std::string marks, const analysis::HazardSide& side,
                   const analysis::Hazard& hazard) {
    std::replace(marks.begin(), marks.end(), '~', '^');
    std::string who = fmt::format("work-item {} of group {}", item_name(side), group_name(side));
    if (hazard.kinds != std::vector<std::string>{"uninitialised"}) {
        who += fmt::format(", pass {}", side.pass);
        if (side.turn > 0 && side.turn != side.pass) who += fmt::format(", turn {}", side.turn);
        who = fmt::format("{} {}: {}  ({})", side.does, hazard.cell, side.value, who);
    }
    return fmt::format("         | {} {}\n", marks, who);
}

std::string quoted(const analysis::Hazard& hazard) {
    std::string text, last;
    for (const analysis::HazardSide& side : hazard.sides) {
        lang::QuotedLine quote = lang::quote_line(side.text, side.column, side.length);
        std::string line = fmt::format("{:>8} | {}\n", side.line, quote.text);
        if (line != last || side.file != hazard.sides.front().file) text += line;
        text += marked(std::move(quote.marks), side, hazard);
        last = std::move(line);
    }
    return text;
}

std::string headline(const analysis::Hazard& hazard) {
    using Severity = analysis::Hazard::Severity;
    std::string text = hazard.severity == Severity::uninitialised ? ""
                       : hazard.severity == Severity::note        ? "note: "
                                                                  : "race: ";
    if (!hazard.note.empty()) text += hazard.note + ", ";
    text += fmt::format("{}", fmt::join(hazard.kinds, " and "));
    if (hazard.severity == Severity::uninitialised) text += " read";
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
    return text + ", " + counted_text(hazard.count, hazard.sides.size() > 1 ? "pair" : "time") +
           "\n";
}

// As --order takes it in a shell.
std::string quoted_order(const std::string& schedule) {
    if (!schedule.starts_with(machine::kTurnsPrefix)) return schedule;
    const std::size_t end = std::min(schedule.find(" --lanes"), schedule.size());
    return fmt::format("'{}'{}", schedule.substr(0, end), schedule.substr(end));
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
            hazard.schedules, search.independent, quoted_order(hazard.schedule));
    return fmt::format("  in:   {} of {} schedules; this is --order {}\n", hazard.schedules, all,
                       quoted_order(hazard.schedule));
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
    std::vector<std::string> own, independent;
    for (const std::string& each : search.schedules)
        if (own.size() < search.schedules.size() - search.independent)
            own.push_back(quoted_order(each));
        else
            independent.push_back(quoted_order(each.substr(0, each.find(" --lanes"))));
    std::string text =
        fmt::format("{} schedules: {}", search.schedules.size(), fmt::join(own, ", "));
    if (!independent.empty())
        text += fmt::format("; with independent items: {}", fmt::join(independent, ", "));
    return text;
}

// How far "no race" goes.
std::string none_text(const analysis::HazardSearch& search) {
    const bool none_ended = search.fault && search.unfinished + 1 == search.schedules.size();
    if (search.cancelled || (none_ended && search.schedules.size() == 1))
        return "no race until then";
    if (none_ended) return "no race until they stopped in " + schedules_text(search);
    if (search.all_schedules && search.ended_before_barrier)
        return "no race in any schedule, unless with threads that ended before a barrier";
    if (search.all_schedules && search.for_these_numbers)
        return "no race in any schedule for these numbers: what it touches depends on them, and "
               "others may have one";
    if (search.all_schedules)
        return "no race in any schedule of this shape: what it touches does not depend on data";
    return fmt::format("no race {}in {}", search.for_these_numbers ? "for these numbers " : "",
                       schedules_text(search));
}

std::string summary(const analysis::HazardSearch& search) {
    using Severity = analysis::Hazard::Severity;
    const std::uint64_t races = races_in(search.hazards);
    const std::uint64_t notes = count_of(search.hazards, Severity::note);
    const std::uint64_t uninitialised = count_of(search.hazards, Severity::uninitialised);
    std::string text = races == 0
                           ? none_text(search)
                           : fmt::format("{} in a race{}", counted_text(races, "line pair"),
                                         search.for_these_numbers ? " for these numbers" : "");
    if (uninitialised > 0) text += "; " + counted_text(uninitialised, "uninitialised read");
    if (notes > 0) text += ", " + counted_text(notes, "note");
    if (races > 0) text += fmt::format(" ({})", schedules_text(search));
    const auto all_or = [&](std::size_t count) {
        return count == races ? std::string("All") : std::to_string(count);
    };
    const std::size_t same = count_if(
        search.hazards, [](const auto& each) { return each.note == analysis::kSameValue; });
    if (same > 0)
        text += fmt::format(
            "\n{} of them by the letter alone: two stores of the same value, in each of these "
            "schedules",
            all_or(same));
    const std::size_t alone =
        count_if(search.hazards, [](const auto& each) { return each.independent_only; });
    if (alone > 0)
        text += fmt::format(
            "\n{} of them with independent items only, not with lanes in lockstep, which OpenCL "
            "does not promise",
            all_or(alone));
    if (races > 0 && search.left_out) text += "\nThere are more: too many to tell them apart";
    if (search.forgot) text += "\nMore accesses than could be kept: some pairs were not looked at";
    if (races == 0 && !search.all_schedules && !search.fault && !search.cancelled)
        text += fmt::format(
            "\nOther schedules{} may have one: what work-items touch, and who comes first or "
            "together, can change there",
            search.for_these_numbers ? " and other numbers" : "");
    if (search.legacy_between_groups)
        text +=
            "\nAtomics of OpenCL 1.x, such as atomic_inc, meet between groups: a race by the\n"
            "letter of OpenCL C 3.0, which gives them the scope of their group; here they have\n"
            "the device's, as compilers make them";
    if (search.ended_before_barrier)
        text +=
            "\nThreads had ended before a barrier. What they did counts as ordered by it here; "
            "CUDA\n"
            "promises that of those who come to it only";
    if (search.unfinished > 0)
        text += fmt::format("\n{} {} stopped before the end, the first of them with {}",
                            search.unfinished, search.fault ? "others" : "of these schedules",
                            search.unfinished_why);
    return text + "\n";
}

Exit hazards(const HazardsOptions& options) {
    const ScopedSignalFlag noted;
    const AskedRun asked = asked_run(options.subject);
    analysis::HazardSearchOptions how;
    how.others = !options.only_order;
    how.cancel = &ScopedSignalFlag::seen();
    analysis::HazardSearch search = search_hazards(asked.job, asked.machine().order, how);
    place_barriers(search.hazards, asked.spec, how.cancel);
    const std::string on = analysis::text_of(asked.machine());
    if (options.json) {
        nlohmann::json object = asked.shape;
        object["schema"] = 1;
        object["machine"] = on;
        object["races"] = races_in(search.hazards);
        object["uninitialised"] =
            count_of(search.hazards, analysis::Hazard::Severity::uninitialised);
        object["hazards"] = search.hazards;
        object["schedules"] = search.schedules;
        object["unfinished"] = search.unfinished;
        if (search.unfinished > 0) object["unfinished_why"] = search.unfinished_why;
        object["independent"] = search.independent;
        object["all_schedules"] = search.all_schedules && !search.ended_before_barrier;
        object["for_these_numbers"] = search.for_these_numbers;
        object["left_out"] = search.left_out;
        object["forgot"] = search.forgot;
        object["legacy_between_groups"] = search.legacy_between_groups;
        object["ended_before_barrier"] = search.ended_before_barrier;
        object["complete"] = !search.fault && !search.cancelled;
        if (search.fault) object["problem"] = *search.fault;
        print_json(object);
    } else {
        std::string text = fmt::format("{}, on {}\n", asked.title, on);
        constexpr std::size_t kMostShown = 100;  // races; the rest are counted, and in --json
        for (std::size_t i = 0; i < std::min(search.hazards.size(), kMostShown); ++i)
            text += '\n' + text_of(search.hazards[i], search);
        if (search.hazards.size() > kMostShown)
            text += fmt::format("\n… and {} more line pairs: --json has them\n",
                                search.hazards.size() - kMostShown);
        text += (search.hazards.empty() ? "" : "\n") + summary(search);
        print_report(options.subject, text);
    }
    if (search.cancelled) throw interrupted("The run", "What came until then is above");
    if (search.fault) throw *search.fault;
    const bool only_notes = all_of(search.hazards, [](const auto& each) {
        return each.severity == analysis::Hazard::Severity::note;
    });
    return only_notes && !search.faults_elsewhere ? Exit::done : Exit::found;
}

// outcomes: every result that a kernel can give over all schedules, each with one that gives it.
struct OutcomesCommand {
    SubjectOptions subject;
    std::string states, memory, samples, folder;
    bool all_orders = false;
    bool json = false;
};

analysis::OutcomesOptions search_of(const OutcomesCommand& options) {
    analysis::OutcomesOptions outcomes_options;
    if (options.states.empty())
        outcomes_options.most_effort = analysis::kSecondOfEffort;
    else
        outcomes_options.most_states = catalogue::parse_size(options.states, "--states");
    if (!options.memory.empty())
        outcomes_options.most_bytes = catalogue::parse_size(options.memory, "--memory");
    if (!options.samples.empty())
        outcomes_options.samples = catalogue::parse_size(options.samples, "--samples");
    if (options.all_orders) outcomes_options.reduction = analysis::Reduction::none;
    outcomes_options.cancel = &ScopedSignalFlag::seen();
    if (isatty(STDERR_FILENO) != 0)
        outcomes_options.on_progress = [](const analysis::Outcomes& outcomes) {
            std::cerr << fmt::format("\r{} states, {} random runs, {} results   ", outcomes.states,
                                     outcomes.samples, outcomes.results.size())
                      << std::flush;
        };
    return outcomes_options;
}

const char* verdict_of(const analysis::PossibleResult& result) {
    if (result.fault) return "FAULT";
    if (result.never_ends || !result.ending.right) return "";
    return *result.ending.right ? "right" : "wrong";
}

// "0.0*7 1.0*3", or in words where there is nothing to say.
std::string schedule_of(const analysis::PossibleResult& result) {
    std::string turns = in_a_line(result.turns);
    constexpr std::size_t kMostShown =
        100;  // bytes of a schedule in a table; … stands for the rest
    if (turns.size() > kMostShown) {
        turns.resize(turns.rfind(' ', kMostShown));
        turns += " …";
    }
    return turns.empty() ? "in order" : turns;
}

std::string seen_copy_text(const analysis::SeenCopy& seen) {
    switch (seen.how) {
        case analysis::SeenCopy::How::meanwhile:
            return fmt::format(
                "Line {} touches what the copy in line {} reads or writes, before it is waited "
                "for: a\ndevice may copy that earlier or later\n",
                seen.line, seen.other);
        case analysis::SeenCopy::How::unordered:
            return fmt::format(
                "Between line {} and line {} is only a copy's call or wait, which is no barrier: "
                "on a\ndevice the second may come first\n",
                seen.line, seen.other);
        default:
            return "The kernel copies asynchronously, and is too large to tell whether anybody "
                   "sees "
                   "it\n";
    }
}

// What independent items have, where this machine promises more than OpenCL does.
std::string independent_text(const analysis::Outcomes& outcomes, const machine::Config& config) {
    if (!outcomes.independent) return "";
    const analysis::IndependentOutcomes& other = *outcomes.independent;
    std::string here, there = "independent items";
    if (config.lanes > 1) here = fmt::format("On {} lanes in lockstep", config.lanes);
    if (config.lanes > 1 && other.lanes > 1)
        return here + (other.same ? ", as sub-groups may be; OpenCL promises no lockstep\n"
                                  : ", as sub-groups may be; OpenCL promises no lockstep, and "
                                    "other\norders of their lanes are not searched\n");
    if (config.lanes == 1) {
        here = config.resident == 1 ? std::string("One group after another")
                                    : fmt::format("With {} groups at once", config.resident);
        there = "all groups at once";
    }
    if (other.same)
        return fmt::format("{}; {} have the same {}\n", here, there,
                           other.results == 1 ? "result" : counted_text(other.results, "result"));
    if (!other.complete && other.results <= outcomes.results.size())
        return fmt::format("{}; whether {} have more results was not found out in that time\n",
                           here, there);
    const bool another = other.complete && other.results == 1 && outcomes.results.size() == 1;
    return fmt::format("{}; {} have {}{}: --machine independent shows {}\n", here, there,
                       other.complete ? "" : "at least ",
                       another ? "another result" : counted_text(other.results, "result"),
                       other.results == 1 ? "it" : "them");
}

// A race, several results and a wrong result are three things: each may be there without the
// others.
std::string kinds_text(const analysis::Outcomes& outcomes, const std::string& expected) {
    const bool several = outcomes.results.size() > 1;
    const std::size_t in_vain =
        count_if(outcomes.results, [](const auto& each) { return each.instructions > 0; });
    std::string text;
    if (outcomes.races == false && several && outcomes.results.size() - in_vain < 2)
        text = fmt::format("No race was found: {} more only where somebody gives up waiting\n",
                           counted_text(in_vain, "result"));
    else if (outcomes.races == false && several)
        text = fmt::format("No race was found, yet {}: who comes first at an atomic decides\n",
                           counted_text(outcomes.results.size(), "result"));
    if (outcomes.races == true && several) text = "There is a race: hazards names its lines\n";
    if (outcomes.races == true && outcomes.complete && outcomes.results.size() == 1 &&
        (!outcomes.independent || outcomes.independent->same))
        text = "There is a race that changes nothing here: hazards names its lines\n";
    const bool none_right = all_of(outcomes.results, [](const analysis::PossibleResult& each) {
        return !each.fault && !each.never_ends && each.ending.right == false;
    });
    if (outcomes.complete && !outcomes.results.empty() && none_right)
        text += fmt::format("No schedule gives {}: {}\n", expected,
                            outcomes.races == false
                                ? "not the order is at fault, but what the kernel computes"
                                : "the order alone is not at fault");
    return text;
}

std::string closing(const analysis::Outcomes& outcomes, const machine::Config& config,
                    const std::string& expected, Api api) {
    const std::size_t count = outcomes.results.size();
    const std::string results =
        counted_text(count, "result") + (outcomes.for_these_numbers ? " for these numbers" : "");
    std::string text = outcomes.complete
                           ? fmt::format("COMPLETE: {} over all schedules of this machine, {}\n",
                                         results, counted_text(outcomes.states, "state"))
                           : fmt::format("INCOMPLETE: {} in {} states{}; there may be more\n",
                                         results, outcomes.states,
                                         outcomes.samples > 0
                                             ? fmt::format(" and {} random runs", outcomes.samples)
                                             : std::string());
    if (outcomes.bound == analysis::Bound::states)
        text += "It met its bound: --states N allows more\n";
    if (outcomes.bound == analysis::Bound::memory)
        text += fmt::format("It met the bound of memory, {}: --memory BYTES allows more\n",
                            catalogue::bytes_text(outcomes.bytes));
    text += independent_text(outcomes, config) + kinds_text(outcomes, expected);
    if (outcomes.weaker_orders)
        text +=
            "Schedules take turns. Still other orders are not searched: of atomics of several "
            "cells that\n"
            "are not all memory_order_seq_cst, and around a barrier or a collective that does not "
            "name\n"
            "the memory of an atomic\n";
    if (outcomes.weak_exchanges)
        text +=
            "A weak compare-exchange may fail for no reason, too; here it fails only if the "
            "values differ\n";
    if (outcomes.float_collectives)
        text +=
            "In which order a collective adds or multiplies floats is left open, and so are the "
            "last digits;\n"
            "here it goes from the first to the last\n";
    for (const std::string& read : outcomes.unwritten)
        text += fmt::format("{}: a device finds there what chance left, here 0xa5 in each byte\n",
                            read);
    for (const analysis::SeenCopy& each : outcomes.copies)
        text += seen_copy_text(each);
    for (const analysis::LaneChoice& each : outcomes.lanes)
        text += each.how == analysis::LaneChoice::How::order
                    ? fmt::format(
                          "Line {}: lanes of a warp come to one cell, in any order on a "
                          "device; here in that of\ntheir numbers\n",
                          each.line)
                    : fmt::format(
                          "Line {}: which lanes come there together is left to the device; "
                          "here all do that can\n",
                          each.line);
    if (outcomes.endless)
        text += "Some schedules used up the budget: they never end, or need a larger --budget\n";
    if (!outcomes.complete && count == 0)
        text += "Nothing came to an end in that time: choose a smaller n, or a larger bound\n";
    if (any_of(outcomes.results, [](const auto& each) { return each.instructions > 0; }))
        text +=
            "Those with --budget come where somebody looks in vain until it gives up, since\n"
            "whoever it waits for gets no turn. To replay such a schedule takes a budget as "
            "large\n";
    const bool never = any_of(outcomes.results, [](const auto& each) { return each.never_ends; });
    if (never && outcomes.complete && count == 1)
        text += fmt::format("No schedule comes to an end{}: what is waited for cannot come\n",
                            config.lanes > 1 ? " in this lockstep" : "");
    else if (never)
        text += "Never ends: after these turns no schedule comes to an end any more\n";
    if (never && config.lanes > 1)
        text +=
            "Lanes of a warp keep step here: one that waits in a loop for another of them waits "
            "for ever" +
            std::string(api == Api::cuda ? ",\nwhere CUDA gives each its turn (compute "
                                           "capability 7.0)\n"
                                         : "\n");
    if (outcomes.needs_progress)
        text +=
            api == Api::cuda
                ? "It ends only if everyone who is waited for gets a turn; CUDA promises that to "
                  "the\n"
                  "threads of a block that has begun (compute capability 7.0), not that it begins\n"
                : "It ends only if everyone who is waited for gets a turn; OpenCL promises no "
                  "progress\nbetween groups, nor between work-items but at a barrier\n";
    return text;
}

std::string text_of(const analysis::Outcomes& outcomes) {
    constexpr std::size_t kMostShown = 40, kWidth = 60;  // results; the rest are in --json
    std::size_t width = 6;
    const auto shown = [](const std::string& result) {
        return result.size() > kWidth ? result.substr(0, kWidth - 1) + "…" : result;
    };
    const std::size_t rows = std::min(outcomes.results.size(), kMostShown);
    for (std::size_t i = 0; i < rows; ++i)
        width = std::max(width, shown(outcomes.results[i].ending.result).size());
    std::string text;
    if (rows > 0)
        text += fmt::format("{:>{}}          turns (GROUP.WARP*ACTIONS), then in order\n", "result",
                            width);
    for (std::size_t i = 0; i < rows; ++i) {
        const analysis::PossibleResult& each = outcomes.results[i];
        std::string remark = each.sampled ? "  (found by a random schedule)" : "";
        if (each.instructions > 0) remark = fmt::format("  (--budget {})", each.instructions);
        text += fmt::format("{:>{}}  {:<6}  {}{}\n", shown(each.ending.result), width,
                            verdict_of(each), schedule_of(each), remark);
    }
    if (outcomes.results.size() > rows)
        text += fmt::format("and {} more, which --json and --save-orders have\n",
                            outcomes.results.size() - rows);
    return text;
}

// A file for each result, which --order takes.
void save(const OutcomesCommand& options, const AskedRun& asked,
          const analysis::Outcomes& outcomes) {
    if (options.folder.empty()) return;
    std::size_t number = 0;
    for (const analysis::PossibleResult& each : outcomes.results) {
        std::string name;
        for (const char c : each.ending.result.substr(0, 40))
            name +=
                std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '_';
        const std::filesystem::path file =
            std::filesystem::path(options.folder) / fmt::format("{:02}-{}.txt", ++number, name);
        write_file(file.string(), fmt::format("# {}\n# {}\n# Ends in {}\n{}", asked.title,
                                              analysis::text_of(asked.machine().config),
                                              each.ending.result, machine::text_of(each.turns)));
        std::cerr << fmt::format("wrote {}\n", file.string());
    }
}

Exit outcomes(const OutcomesCommand& options) {
    const ScopedSignalFlag noted;
    if (!options.subject.machine.order.empty())
        throw Problem("outcomes takes no --order", "It tries all schedules there are",
                      "Leave it away; step and hazards take one", "--order");
    const AskedRun asked = asked_run(options.subject);
    const analysis::Outcomes found = judged_outcomes(asked.job, search_of(options));
    const machine::Config& config = asked.machine().config;
    const std::string expected = analysis::expected_of(asked.job);
    if (isatty(STDERR_FILENO) != 0) std::cerr << fmt::format("\r{:<60}\r", "");
    if (options.json) {
        nlohmann::json object = asked.shape;
        object.update(nlohmann::json(found));
        object["machine"] = analysis::text_of(config);
        if (!expected.empty()) object["expected"] = expected;
        print_json(object);
    } else {
        const std::string text =
            fmt::format("{}, on {}{}\n{}{}", asked.title, analysis::text_of(config),
                        expected.empty() ? std::string() : fmt::format(", {} expected", expected),
                        text_of(found), closing(found, config, expected, options.subject.api()));
        print_report(options.subject, text);
    }
    save(options, asked, found);
    if (found.cancelled) throw interrupted("The search", "What it found until then is above");
    const bool faults = !found.results.empty() &&
                        all_of(found.results, [](const auto& each) { return each.fault; });
    if (faults && found.complete) return Exit::kernel_fault;
    return found.is_one() ? Exit::done : Exit::found;
}

}  // namespace

Action hazards_command(CLI::App& app) {
    auto options = make<HazardsOptions>();
    options->subject.add_to(app);
    app.add_flag("--only-order", options->only_order,
                 "Judge the schedule of --order alone; else others are tried, too");
    add_json(app, options->json);
    return [options] { return in_terms(options->subject, [&] { return hazards(*options); }); };
}

Action outcomes_command(CLI::App& app) {
    auto options = make<OutcomesCommand>();
    options->subject.add_to(app);
    app.add_option(
        "--states", options->states,
        "Search at most so many states, then try random schedules [2000000, or as many as "
        "take about a second]");
    app.add_option("--memory", options->memory,
                   "Hold at most so many bytes of states, then try random schedules [256Mi]");
    app.add_option("--samples", options->samples, "Random runs [2000]");
    app.add_flag(
        "--all-orders", options->all_orders,
        "Do not leave out orders of accesses that cannot make a difference. Still left out, since "
        "no result needs them: other orders of arriving at a barrier, which touches nothing, where "
        "none of them may be a fault; and of a wait that gives up, all rounds but the last ones, "
        "since they leave all but their count as it was");
    app.add_option("--save-orders", options->folder,
                   "Write a schedule for each result into this folder, for --order")
        ->type_name("FOLDER");
    add_json(app, options->json);
    return [options] { return in_terms(options->subject, [&] { return outcomes(*options); }); };
}

}  // namespace lab::cli
