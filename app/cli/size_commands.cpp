// sizes, inputs, barriers and prove: in which shapes a kernel works, as a map, which numbers break
// it, which of its barriers it needs, and whether it is free of races in all shapes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>

#include "analysis/barriers.h"
#include "analysis/input_search.h"
#include "analysis/launch_guess.h"
#include "analysis/prove.h"
#include "analysis/size_map.h"
#include "analysis/step_table.h"
#include "base/help.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"
#include "catalogue/number.h"
#include "cli/command.h"
#include "figures/painters/save.h"
#include "figures/size_map_figure.h"
#include "lang/source.h"

namespace lab::cli {
namespace {

using analysis::MapAxis;
using analysis::SizeMap;

struct SizesOptions {
    SubjectOptions subject;
    std::string groups, rows, columns;
    std::string theme = "light", language = "en";
    std::vector<std::string> files;
    bool json = false;
};

// Takes what the options give as a list out of them: it is a side of the map. What they give one
// value is none, unless it is asked for.
class Axes {
  public:
    explicit Axes(SizesOptions& options) {
        take("n", options.subject.shape.n);
        take("group", options.subject.shape.group);
        take("groups", options.groups);
        for (const auto& [name, option] : {std::pair{"op", &options.subject.shape.op},
                                           std::pair{"type", &options.subject.shape.type}})
            if (option->find(',') != std::string::npos) {
                take(name, *option);
                for (const std::string& each : given_.back().values)
                    analysis::with_value({}, name,
                                         each);  // throws Problem for one that there is not
                *option = given_.back().values.front();
            }
        std::vector<std::string>& machine = options.subject.machine.shape.given;
        for (std::size_t i = 0; i < machine.size(); ++i)
            if (const std::string id = catalogue::machine_options()[i].id;
                id == "lanes" || id == "resident")
                take(id, machine[i]);
        for (std::string& each : options.subject.shape.set)
            if (const auto equals = each.find('='); equals != std::string::npos)
                if (each.find(',', equals) != std::string::npos)
                    given_.push_back({each.substr(0, equals),
                                      analysis::parse_axis_values(each.substr(equals + 1))});
        std::erase_if(options.subject.shape.set, [&](const std::string& each) {
            return find(each.substr(0, each.find('='))) != nullptr;
        });
    }

    // `rows` and `columns` as they were asked for; those that were not are what was given, then
    // the usual ones of this kernel.
    std::pair<MapAxis, MapAxis> sides(const catalogue::Kernel& kernel, const std::string& rows,
                                      const std::string& columns) const {
        std::vector<std::string> wanted;
        for (const MapAxis& each : given_)
            if (each.name != rows && each.name != columns) wanted.push_back(each.name);
        const std::string across = is_fixed("n") ? "n" : analysis::usual_sides(kernel).second;
        for (const std::string& each :
             {std::string("group"), across, std::string("lanes"), std::string("resident")})
            if (find(each) == nullptr && !is_fixed(each) && rows != each && columns != each)
                wanted.push_back(each);
        const bool both = rows.empty() && columns.empty();
        if (wanted.size() < (both ? 2 : 1))
            throw Problem("Everything has one value", "A map has two sides",
                          "Give two of --n, --group, --lanes and --resident several values",
                          "--rows");
        std::string first = rows, second = columns;
        if (first.empty()) first = wanted.at(0);
        if (second.empty()) second = wanted.at(both ? 1 : 0);
        if (both && (first == "n" || first == "groups") && second == "group")
            std::swap(first, second);
        for (const MapAxis& each : given_)
            if (each.name != first && each.name != second)
                throw Problem(
                    fmt::format("'{}' has several values, and is no side of the map", each.name),
                    "A map has two sides", "Give it one value, or name it by --rows", "--rows");
        return {side(kernel, first), side(kernel, second)};
    }

  private:
    const MapAxis* find(const std::string& name) const {
        return find_if(given_, [&](const MapAxis& each) { return each.name == name; });
    }
    MapAxis side(const catalogue::Kernel& kernel, const std::string& name) const {
        const MapAxis* given = find(name);
        if (given != nullptr) return *given;
        const auto fixed = fixed_.find(name);
        return fixed != fixed_.end() ? MapAxis{name, {fixed->second}}
                                     : analysis::usual_axis(kernel, name);
    }
    bool is_fixed(const std::string& name) const { return fixed_.contains(name); }
    void take(const std::string& name, std::string& option) {
        if (option.empty()) return;
        // A run has no number of groups: it is a side in any case.
        if (option.find(',') == std::string::npos && option.find("..") == std::string::npos &&
            name != "groups") {
            fixed_[name] = option;
            return;
        }
        given_.push_back({name, analysis::parse_axis_values(option)});
        option.clear();
    }

    std::vector<MapAxis> given_;
    std::map<std::string, std::string> fixed_;
};

// What --arg fills a buffer with, in a launch for these elements.
std::string fill_of(const catalogue::Buffer& buffer, std::vector<std::string> elements) {
    if (buffer.takes_elements || buffer.is_input) {
        elements.resize(buffer.cells(), "0");  // of one that is longer than n
        return fmt::format("{}", fmt::join(elements, ","));
    }
    std::vector<std::string> values;
    const std::size_t bytes = std::max<std::size_t>(1, lang::info(buffer.element).bytes);
    for (std::uint64_t i = 0; i < buffer.initial.size() / bytes; ++i)
        values.push_back(analysis::text_of(analysis::value_in(buffer.initial, i, buffer.element)));
    if (all_of(values, [&](const std::string& each) { return each == values.front(); }))
        values.resize(std::min<std::size_t>(1, values.size()));
    return fmt::format("{}", fmt::join(values, ","));
}

// A file without a header takes other numbers by the arguments of its launch alone.
std::string launch_options(const catalogue::LaunchForm& form, analysis::RunSpec spec,
                           const analysis::FoundNumbers& found, bool lengths_are_told) {
    const bool as_told = lengths_are_told && spec.shape.n == found.numbers.size();
    spec.shape.input = catalogue::parse_input(fmt::format("{}", fmt::join(found.numbers, ",")));
    spec.shape.n.reset();
    spec.shape.group = found.judgement.group;
    const machine::Job job = job_to_judge(spec, nullptr, as_told);
    const machine::Launch& launch = job.launches.front();
    catalogue::LaunchForm launched = form;
    launched.global = Extent(launch.range.items());
    launched.local = Extent(launch.range.group_items());
    launched.arguments.clear();
    const catalogue::TextFacts facts = catalogue::facts_of(form);
    std::vector<catalogue::ArgumentRow> rows = catalogue::rows_of(facts, form);
    for (std::size_t i = 0; i < rows.size() && i < launch.arguments.size(); ++i) {
        const machine::Argument& argument = launch.arguments[i];
        const lang::Parameter& parameter = facts.parameters[i];
        if (argument.kind == machine::Argument::Kind::buffer) {
            const machine::Buffer& buffer = job.buffers.at(argument.buffer);
            rows[i].count = buffer.bytes / parameter.element_bytes;
            rows[i].fill = fill_of(buffer, found.numbers);
        } else if (argument.kind == machine::Argument::Kind::local) {
            rows[i].count = argument.bytes / parameter.element_bytes;
        } else if (argument.kind == machine::Argument::Kind::value) {
            std::vector<std::string> values;
            for (std::size_t k = 0; k < argument.components.size(); ++k)
                values.push_back(lang::text_of(argument.components[k], parameter.components[k]));
            rows[i].value = fmt::format("{}", fmt::join(values, ","));
        }
        launched.arguments.push_back(catalogue::argument_of(rows[i]));
    }
    return analysis::launch_text(launched);
}

// A file without a header: its kernel, and what is told of its launch.
std::optional<catalogue::LaunchForm> form_of(const SubjectOptions& subject) {
    if (!subject.is_file()) return std::nullopt;
    std::string text = kernel_file_text(subject.variant);
    if (!needs_launch(text, subject.launch)) return std::nullopt;
    return subject.launch.kernel_of(subject.variant, std::move(text), subject.shape.set);
}

// Throws Problem for an operator or a type that it does not have.
analysis::PlannedKernel planned_kernel(const SubjectOptions& subject,
                                       const catalogue::LaunchForm& form) {
    const catalogue::Shape asked = subject.shape.shape();
    analysis::PlannedKernel planned = analysis::planned_kernel(
        form, subject.machine.own_options(nullptr),
        subject.shape.op_is_given ? std::optional(asked.op) : std::nullopt);
    if (subject.shape.type_is_given && asked.type != planned.shape.type)
        throw Problem(fmt::format("{} does not reduce {}", form.file, info(asked.type).name),
                      fmt::format("Its elements are of type {}", info(planned.shape.type).name),
                      "Leave --type away", "--type");
    return planned;
}

// The run of a kernel that can be launched in other sizes; a file without a header gets the one
// that it could have.
analysis::PlannedRun planned_run(SubjectOptions& subject, const analysis::PlannedKernel& planned) {
    std::cerr << fmt::format("note: a header is guessed; put into the file, it can be changed:\n{}",
                             planned.header);
    std::cerr << (planned.judged
                      ? fmt::format(
                            "note: it is judged by {}, which {} of random numbers came to\n",
                            name_of(planned.shape.op), counted_text(analysis::kGuessRows, "row"))
                      : "note: what it reduces by is not known, so no result is called right or "
                        "wrong\n");
    std::vector<std::string> guessed;
    for (const catalogue::ArgumentPlan& each : planned.kernel.plan.arguments)
        if (each.guessed) guessed.push_back(each.name);
    if (!guessed.empty())
        std::cerr << fmt::format("note: {} {} as long as the kernel needs: how long is not told\n",
                                 fmt::join(guessed, ", "),
                                 guessed.size() == 1 ? "is taken to be" : "are taken to be");
    subject.shape.set.clear();
    return analysis::planned_run(planned, subject.shape.shape(),
                                 subject.machine.own_options(nullptr));
}
analysis::PlannedRun planned_run(SubjectOptions& subject) {
    if (const auto form = form_of(subject))
        return planned_run(subject, planned_kernel(subject, *form));
    return {spec_of(subject, choose(subject))};
}

// A sign per cell, a row of the map per line.
std::string text_of(const SizeMap& map, const Translations& words) {
    std::size_t wide = 0;
    for (const std::string& each : map.rows.values)
        wide = std::max(wide, each.size());
    std::string text = fmt::format(
        "{} down, {} across: {}\n", map.rows.name, map.columns.name,
        fmt::join(std::vector{map.columns.values.front(), map.columns.values.back()}, " to "));
    std::vector<bool> seen(analysis::kShapeVerdicts.size());
    for (std::size_t row = 0; row < map.rows.values.size(); ++row) {
        text += fmt::format("{:>{}}  ", map.rows.values[row], wide);
        for (std::size_t column = 0; column < map.columns.values.size(); ++column) {
            const auto verdict = static_cast<std::size_t>(map.at(row, column).verdict);
            seen[verdict] = true;
            text += figures::verdict_sign(static_cast<analysis::ShapeVerdict>(verdict));
        }
        text += '\n';
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (seen[i])
            text += fmt::format("  {} {}",
                                figures::verdict_sign(static_cast<analysis::ShapeVerdict>(i)),
                                words(fmt::format("sizes.{}", analysis::kShapeVerdicts[i])));
    text += '\n';
    // Why shapes are not launched: of reasons that differ in numbers alone the first.
    std::map<std::string, std::pair<std::string, std::size_t>> reasons;
    for (const analysis::ShapeJudgement& each : map.cells) {
        if (each.verdict != analysis::ShapeVerdict::not_launched) continue;
        const std::size_t colon = each.what.find(": ");  // before it stands the shape
        const std::string why =
            colon == std::string::npos ? each.what : each.what.substr(colon + 2);
        std::string kind = why;
        std::erase_if(kind, [](char letter) { return letter >= '0' && letter <= '9'; });
        ++reasons.try_emplace(kind, why, 0).first->second.second;
    }
    for (const auto& [kind, reason] : reasons)
        text += fmt::format("  {} not launched: {}\n", reason.second, reason.first);
    return text;
}

Exit sizes(SizesOptions options) {
    const ScopedSignalFlag noted;
    for (const std::string& file : options.files)
        if (!file.ends_with(".csv") && !file.ends_with(".json"))
            if (const auto problem = thrown_by([&] { figures::check_suffix(file); }))
                throw Problem(problem->what_happened, problem->why, problem->hint + ", .csv, .json",
                              problem->where);
    const Axes axes(options);
    analysis::RunSpec spec = planned_run(options.subject).spec;
    spec.shape.input = options.subject.shape.shape().input;  // numbers of a launch fit one size
    auto [rows, columns] = axes.sides(spec.kernel, options.rows, options.columns);
    analysis::JudgeEffort effort;
    effort.cancel = &ScopedSignalFlag::seen();
    analysis::SizeMapSearch search(spec, std::move(rows), std::move(columns), effort);
    const OnProgress progress = progress_line("shapes");
    while (search.go_on())
        if (progress && search.map().judged % 64 == 0)
            progress({{"done", search.map().judged}, {"total", search.map().cells.size()}});
    const SizeMap& map = search.map();
    if (progress) progress({{"done", map.judged}, {"total", map.judged}});
    const Translations words(options.language, options.subject.api());
    const figures::RunSubject shared = figures::map_subject(spec, map);
    const std::string sentence = figures::size_map_sentence(map, words);
    if (options.json)
        print_json(figures::size_map_json(map, spec));
    else
        std::cout << fmt::format("{}: {}\n{}{}\n", title_of(shared, words),
                                 subtitle_of(shared, words), text_of(map, words), sentence);
    for (const std::string& file : options.files) {
        if (file.ends_with(".csv")) {
            write_file(file, figures::size_map_csv(map));
        } else if (file.ends_with(".json")) {
            write_file(file, figures::size_map_json(map, spec).dump(2) + "\n");
        } else {
            const figures::Fonts fonts;
            const figures::Palette palette = figures::load_palette(options.theme);
            figures::save(
                figures::size_map_figure(map, shared, {1000, palette.text_scale}, fonts, words),
                palette, fonts, file);
        }
        std::cerr << fmt::format("wrote {}\n", file);
    }
    if (!map.complete())
        throw interrupted("The map", "The shapes that were judged until then are above");
    const bool found = any_of(map.cells, [](const analysis::ShapeJudgement& each) {
        return is_bad(each.verdict) || each.verdict == analysis::ShapeVerdict::unknown;
    });
    return found ? Exit::found : Exit::done;
}

struct InputsOptions {
    SubjectOptions subject;
    std::string tries;
    bool json = false;
};

// `again`: the options that run these numbers.
std::string text_of(const analysis::InputSearchResult& result,
                    const std::function<std::string(const analysis::FoundNumbers&)>& again) {
    const Translations words("en");
    std::string text =
        fmt::format("as it was asked: {}\n", figures::judgement_text(result.given, words));
    for (const analysis::FoundNumbers& each : result.found)
        text += fmt::format("{}  {}, in groups of {}  (found by row {})\n", again(each),
                            figures::judgement_text(each.judgement, words), each.judgement.group,
                            each.tried);
    if (!result.varied.empty())
        text += fmt::format("Only the numbers of {} are varied; all else is as it was asked\n",
                            fmt::join(result.varied, " and "));
    const analysis::ReachedCode& reached = result.reached;
    text += fmt::format(
        "{} of numbers: {} of {} that touch memory, {} of {} of conditions, {} of lines that "
        "conflict\n",
        counted_text(result.tried, "row"), reached.lines, counted_text(reached.all_lines, "line"),
        reached.outcomes, counted_text(reached.all_outcomes, "outcome"),
        counted_text(reached.pairs, "pair"));
    if (!result.depends)
        text += "What it touches and where it branches does not depend on the numbers\n";
    if (result.unjudged > 0)
        text += fmt::format("{} of them not judged, as that takes too long\n", result.unjudged);
    if (result.found.empty())
        text += fmt::format("None of {} went wrong, which says nothing of others\n",
                            result.unjudged > 0 ? "the rest" : "them");
    return text;
}

// Prints what a search found. Throws Problem if it was interrupted.
template <typename Options, typename Found>
void tell(const Options& options, const analysis::RunSpec& spec, const Found& found,
          const std::string& text) {
    if (options.json)
        print_json(analysis::with_head(found, spec));
    else
        print_report(options.subject, fmt::format("{}, on {}\n{}", spec.kernel.title,
                                                  analysis::text_of(spec.machine.config), text));
    if (found.cancelled) throw interrupted("The search", "What it found until then is above");
}

// Whether a shape is asked for beside the launch.
bool is_asked_for(const catalogue::ShapeOptions& shape) {
    return !shape.n.empty() || !shape.group.empty() || shape.op_is_given || shape.type_is_given ||
           shape.input != catalogue::ShapeOptions().input;
}

// The run whose numbers are varied: by the guessed header, or of a launch alone, as it is told or
// guessed, where that header comes to another one.
analysis::RunSpec run_to_vary(SubjectOptions& subject,
                              const std::optional<catalogue::LaunchForm>& form) {
    if (!form || is_asked_for(subject.shape)) return planned_run(subject).spec;
    std::optional<analysis::PlannedKernel> planned;
    (void)thrown_by([&] { planned = planned_kernel(subject, *form); });
    if (planned && varies_as_told(*planned, *form, subject.machine.own_options(nullptr)))
        return planned_run(subject, *planned).spec;
    return spec_of(subject, choose(subject));
}

Exit inputs(InputsOptions options) {
    const ScopedSignalFlag noted;
    const auto form = form_of(options.subject);
    const bool told = form && analysis::tells_launch(*form) && !is_asked_for(options.subject.shape);
    const analysis::RunSpec spec = run_to_vary(options.subject, form);
    const auto again = [&](const analysis::FoundNumbers& found) {
        if (spec.kernel.by_form()) {
            catalogue::LaunchForm launch = *spec.kernel.plan.form;
            launch.arguments = found.arguments;
            return analysis::launch_text(launch);
        }
        if (form) return launch_options(*form, spec, found, told);
        return fmt::format("--input {} --group {}", fmt::join(found.numbers, ","),
                           found.judgement.group);
    };
    analysis::InputSearchOptions how;
    how.cancel = &ScopedSignalFlag::seen();
    how.lengths_are_told = told;
    if (!options.tries.empty()) how.most_tries = catalogue::parse_size(options.tries, "--tries");
    const analysis::InputSearchResult result = search_inputs(spec, how);
    tell(options, spec, result, text_of(result, again));
    return result.found.empty() && result.unjudged == 0 ? Exit::done : Exit::found;
}

struct BarriersOptions {
    SubjectOptions subject;
    bool json = false;
};

std::string text_of(const analysis::BarrierReport& report) {
    const Translations words("en");
    std::string text;
    for (const analysis::SyncPoint& each : report.points) {
        using Need = analysis::SyncPoint::Need;
        text +=
            fmt::format("{:>5} | {}\n        {}: {}", each.line, lang::quote_line(each.text).text,
                        analysis::kSyncKinds[static_cast<std::size_t>(each.kind)],
                        analysis::kSyncNeeds[static_cast<std::size_t>(each.need)]);
        if (each.need == Need::needed)
            text += fmt::format(
                "; without it{}: {}",
                report.shapes == 1
                    ? ""
                    : fmt::format(" n = {} in groups of {}", each.without.n, each.without.group),
                figures::judgement_without(each, words));
        if (each.need == Need::not_needed) text += " for these shapes";
        if (each.need == Need::unknown)
            text += ", for shapes race, fault or never end as it is, or take too long";
        if (!each.flags.empty()) text += fmt::format("; {} would do", each.flags);
        if (!each.scope.empty())
            text += fmt::format("; {} would do{}", each.scope,
                                each.together ? " if all scopes were that" : "");
        text += '\n';
    }
    if (report.points.empty()) text += "There is no barrier, fence or atomic\n";
    if (report.advises()) text += words("sizes.alone") + "\n";
    text += fmt::format("{}, {} of them with a race as it is\n",
                        counted_text(report.shapes, "shape"), report.racy);
    if (report.cure)
        text += fmt::format("No shape has a race with {}; before line {}\n", report.cure->call,
                            report.cure->line);
    else if (report.racy > 0)
        text += fmt::format("No one barrier cures that: {} tried\n",
                            counted_text(report.places, "place"));
    return text;
}

Exit barriers(BarriersOptions options) {
    const ScopedSignalFlag noted;
    // Of a launch that is told and reduces nothing, other sizes may not be meant.
    const auto form = form_of(options.subject);
    bool alone = false;
    if (form && options.subject.launch.any())
        alone = thrown_by([&] { alone = !planned_kernel(options.subject, *form).judged; }) || alone;
    const analysis::RunSpec spec = alone ? spec_of(options.subject, choose(options.subject))
                                         : planned_run(options.subject).spec;
    const analysis::BarrierReport report = analysis::judge_barriers(
        alone ? std::vector{spec} : analysis::shapes_for_barriers(spec), &ScopedSignalFlag::seen());
    tell(options, spec, report, text_of(report));
    using Need = analysis::SyncPoint::Need;
    const bool found = any_of(report.points, [](const analysis::SyncPoint& each) {
        return each.need == Need::not_needed || each.need == Need::unknown;
    });
    return found || report.racy > 0 ? Exit::found : Exit::done;
}

struct ProveOptions {
    std::vector<std::string> kernels;
    SubjectOptions subject;
    std::string effort;
    bool no_run = false, json = false;
};

std::string text_of(const analysis::Proof& proof, const std::string& id) {
    std::string text = fmt::format(
        "{}: {}", id, analysis::kProofVerdicts[static_cast<std::size_t>(proof.verdict)]);
    if (proof.verdict == analysis::Proof::Verdict::proved) {
        text += " free of races\n";
        for (const std::string& each : proof.assumptions)
            text += fmt::format("    for {}\n", each);
        return text;
    }
    text += ": " + proof.why;
    if (proof.line != 0) text += fmt::format(", line {}", proof.line);
    if (proof.other != 0 && proof.other != proof.line) text += fmt::format(" and {}", proof.other);
    text += '\n';
    if (!proof.run.empty())
        text += fmt::format("    reduction-lab-cli hazards {} {}\n", id, proof.run);
    return text;
}

Exit prove(ProveOptions options) {
    const ScopedSignalFlag noted;
    std::vector<std::string> kernels;
    for (const std::string& each : options.kernels)
        if (is_kernel_file(each))
            kernels.push_back(each);
        else
            for (const std::string& id : variant_ids({each}, catalogue()))
                kernels.push_back(id);
    analysis::ProofOptions how;
    how.cancel = &ScopedSignalFlag::seen();
    how.confirm = !options.no_run;
    if (!options.effort.empty()) how.effort = catalogue::parse_size(options.effort, "--effort");
    nlohmann::json all = nlohmann::json::array();
    bool proved = true;
    for (const std::string& id : kernels) {
        options.subject.variant = id;
        options.subject.guesses = false;
        const analysis::Proof proof =
            analysis::prove(spec_of(options.subject, choose(options.subject)), how);
        if (ScopedSignalFlag::seen()) throw interrupted("The proof", "What it found is above");
        proved = proved && proof.verdict == analysis::Proof::Verdict::proved;
        nlohmann::json object = proof;
        object["variant"] = id;
        all.push_back(object);
        if (!options.json) {
            print_report(options.subject, text_of(proof, id));
            std::cout << std::flush;
        }
    }
    if (options.json) print_json(nlohmann::json{{"schema", 1}, {"proofs", all}});
    return proved ? Exit::done : Exit::found;
}

}  // namespace

Action sizes_command(CLI::App& app) {
    auto options = make<SizesOptions>();
    options->subject.add_to(app);
    app.add_option("--groups", options->groups,
                   "Numbers of groups, in the place of n: 1..8; as --n, --group, --lanes and --set "
                   "NAME=A,B a list or a range makes a side of the map");
    app.add_option(
        "--rows", options->rows,
        "What goes down: n, group, groups, lanes, resident, op, type or a toggle [group]");
    app.add_option("--columns", options->columns, "What goes across, likewise [n]");
    app.add_option("-o,--output", options->files, "Write the map: svg, png, pdf, csv or json")
        ->type_name("FILE");
    add_look(app, options->theme, options->language);
    add_json(app, options->json);
    return [options] { return sizes(*options); };
}

Action inputs_command(CLI::App& app) {
    auto options = make<InputsOptions>();
    options->subject.add_to(app);
    app.add_option("--tries", options->tries, "Rows of numbers to try [400]")->type_name("N");
    add_json(app, options->json);
    return [options] { return inputs(*options); };
}

Action barriers_command(CLI::App& app) {
    auto options = make<BarriersOptions>();
    options->subject.add_to(app);
    add_json(app, options->json);
    return [options] { return barriers(*options); };
}

Action prove_command(CLI::App& app) {
    auto options = make<ProveOptions>();
    app.add_option("variants", options->kernels,
                   "Ids of variants, all, or paths of .cl and .cu files")
        ->required();
    options->subject.shape.add_operator_to(app);
    app.add_option(
           "--set", options->subject.shape.set,
           "A toggle of the variant, as BARRIER=group; of a file a macro, NAME or NAME=VALUE")
        ->type_name("NAME=VALUE");
    options->subject.launch.add_to(app);
    app.add_option("--effort", options->effort,
                   "Of the solver for each question, in its own count [5 million]")
        ->type_name("N");
    app.add_flag("--no-run", options->no_run,
                 "Look for no run that refutes it: what is not proved is unknown");
    add_json(app, options->json);
    return [options] { return prove(*options); };
}

}  // namespace lab::cli
