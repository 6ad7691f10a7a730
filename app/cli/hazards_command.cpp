// hazards: which accesses nothing orders, in which lines, and what to do about it.
#include "insight/hazards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "cli/interrupts.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "cli/subject.h"
#include "insight/conflicts.h"

namespace lab::cli {
namespace {

struct HazardsOptions {
    SubjectOptions subject;
    bool json = false;
};

// Under `text` a mark below what is meant, and who does what there.
std::string marked(const HazardSide& side, const Hazard& of) {
    const std::size_t column = std::max(1U, side.column) - 1;
    std::string pad;
    for (std::size_t i = 0; i < column && i < side.text.size(); ++i)
        pad += side.text[i] == '\t' ? '\t' : ' ';
    const std::size_t left = side.text.size() > column ? side.text.size() - column : 1;
    const std::string mark(std::min<std::size_t>(std::max(1U, side.length), left), '^');
    std::string who = fmt::format("work-item {} of group {}", side.item, side.group);
    if (of.kinds != std::vector<std::string>{"uninitialised"}) {
        who += fmt::format(", pass {}", side.pass);
        if (side.turn > 0 && side.turn != side.pass) who += fmt::format(", turn {}", side.turn);
        who = fmt::format("{} {}[{}]: {}  ({})", side.does, of.object, of.index, side.value, who);
    }
    return fmt::format("         | {}{} {}\n", pad, mark, who);
}

std::string quoted(const Hazard& of) {
    std::string text;
    for (std::size_t i = 0; i < of.sides.size(); ++i) {
        const HazardSide& side = of.sides[i];
        const bool again = i > 0 && of.sides[0].line == side.line && of.sides[0].file == side.file;
        if (!again) text += fmt::format("{:>8} | {}\n", side.line, side.text);
        text += marked(side, of);
    }
    return text;
}

std::string headline(const Hazard& of) {
    std::string text = fmt::format("{}: ", of.severity == Hazard::Severity::note ? "note" : "race");
    if (!of.note.empty()) text += of.note + ", ";
    text += fmt::format("{}", fmt::join(of.kinds, " and "));
    if (!of.could.empty() && of.note.empty())
        text += fmt::format(" (or {})", fmt::join(of.could, ", "));
    if (of.update) text += ", updates of one cell";
    if (of.across_groups) text += ", across groups";
    const HazardSide& first = of.sides.front();
    const HazardSide& last = of.sides.back();
    text += fmt::format(", {}:{}:{}", first.file, first.line, first.column);
    if (of.sides.size() > 1)
        text += first.line == last.line ? std::string(" with itself")
                                        : fmt::format(" with line {}:{}", last.line, last.column);
    return text + fmt::format(", {} {}\n", of.count,
                              of.sides.size() > 1 ? of.count == 1 ? "pair" : "pairs"
                              : of.count == 1     ? "time"
                                                  : "times");
}

std::string text_of(const Hazard& of) {
    std::string text = headline(of) + quoted(of);
    if (!of.what.empty()) text += fmt::format("  {}: {}\n", of.shown ? "seen" : "here", of.what);
    if (!of.why.empty()) text += fmt::format("  why:  {}\n", of.why);
    if (!of.hint.empty()) text += fmt::format("  hint: {}\n", of.hint);
    return text;
}

// `end`: how far "no race" goes.
std::string summary(const std::vector<Hazard>& hazards, const std::string& end) {
    const std::uint64_t races = races_in(hazards);
    const std::uint64_t notes = hazards.size() - races;
    std::string text = races == 0
                           ? "no race" + end
                           : fmt::format("{} line pair{} in a race", races, races == 1 ? "" : "s");
    if (notes > 0) text += fmt::format(", {} note{}", notes, notes == 1 ? "" : "s");
    return text + "\n";
}

// Without a race in it, what a run tells of other schedules.
std::string end_text(const machine::Run& run) {
    if (run.fault() || run.cancelled()) return " until then";
    return accesses_depend_on_data(run.machine().job())
               ? " in this schedule (what it touches depends on data: try --order random:1)"
               : "";
}

Exit hazards(const HazardsOptions& options) {
    Subject subject = subject_of(options.subject);
    RaceDetector detector;
    machine::Recording recording;
    recording.trace = recording.lineage = false;
    recording.observers.push_back(&detector);
    recording.cancel = &InterruptsNoted::seen();
    const InterruptsNoted noted;
    const machine::Run run(std::move(subject.job), subject.machine.order, recording);
    const std::vector<Hazard> found = hazards_of(run, detector);
    const std::string on = simulation::text_of(subject.machine);
    if (options.json) {
        nlohmann::json made = subject.shape;
        made["schema"] = 1;
        made["machine"] = on;
        made["races"] = races_in(found);
        made["hazards"] = found;
        made["complete"] = !run.fault() && !run.cancelled();
        if (run.fault()) made["problem"] = run.problem(*run.fault());
        print_json(made);
    } else {
        std::cout << fmt::format("{}, on {}\n", subject.title, on);
        for (const Hazard& each : found)
            std::cout << '\n' << text_of(each);
        std::cout << (found.empty() ? "" : "\n") << summary(found, end_text(run));
    }
    if (run.cancelled())
        throw Problem("The run was interrupted", "Ctrl+C was pressed, or it was asked to end",
                      "What came until then is above", "", Exit::interrupted);
    if (run.fault()) throw run.problem(*run.fault());
    return races_in(found) > 0 ? Exit::found : Exit::done;
}

}  // namespace

Action hazards_command(CLI::App& app) {
    auto options = make<HazardsOptions>();
    options->subject.add_to(app);
    add_json(app, options->json);
    return [options] { return hazards(*options); };
}

}  // namespace lab::cli
