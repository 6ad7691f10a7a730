// step, record, text and host: one kernel, pass by pass, as rows, pictures and programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "analysis/launch_guess.h"
#include "analysis/machine_run.h"
#include "analysis/recorded_run.h"
#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "base/help.h"
#include "base/paths.h"
#include "base/problem.h"
#include "base/translations.h"
#include "catalogue/form.h"
#include "catalogue/host_program.h"
#include "catalogue/plan.h"
#include "catalogue/shape.h"
#include "cli/command.h"
#include "cli/report.h"
#include "figures/font.h"
#include "figures/lane_figure.h"
#include "figures/lineage_figure.h"
#include "figures/painters/save.h"
#include "figures/pass_figure.h"
#include "figures/run_text.h"
#include "figures/scene.h"
#include "figures/schedule_figure.h"
#include "lang/compile.h"
#include "lang/record.h"
#include "results/report.h"
#include "results/request.h"
#include "results/result.h"

namespace lab::cli {
namespace {

// A run of the simulator that is shown.
struct ShownResult {
    machine::Run* run;                    // nothing where nothing was launched
    const analysis::Simulation* variant;  // nothing for a user kernel
    const analysis::StepTable& table;
    figures::RunSubject about;
    Api api = Api::opencl;  // whose terms are drawn
};

struct ToDraw {
    const std::optional<std::uint32_t>& line;
    const std::string& cell;
    machine::Run& run;
    const analysis::Simulation* variant;
    const figures::RunSubject& subject;
    const figures::FigureOptions& options;
    const figures::Fonts& fonts;
    const Translations& words;
};

figures::Scene lanes(const ToDraw& in) {
    analysis::Lanes of = analysis::lanes_of(in.run);
    const figures::LaneChart chart{analysis::item_activity(in.run), of.total,
                                   std::move(of.branches)};
    if (chart.passes.empty())
        throw Problem("There are no lanes to show", "No work-item did anything that others can see",
                      "Choose a kernel that loads or stores", "--figure lanes");
    return figures::lane_figure(chart, in.subject, in.options, in.fonts, in.words);
}

figures::Scene banks(const ToDraw& in) {
    if (const auto request = analysis::most_expensive_request(in.run, in.line))
        return figures::bank_figure(*request, in.subject, in.options, in.fonts, in.words);
    const std::vector<std::uint32_t> lines = analysis::lines_with_requests(in.run);
    if (in.line && !lines.empty())
        throw Problem(fmt::format("Line {} asks nothing of memory", *in.line),
                      "No work-item loaded or stored anything that others can see there",
                      fmt::format("Lines that do: {}", fmt::join(lines, ", ")), "--line");
    throw Problem("There is no request to memory to show",
                  "No work-item loaded or stored anything that others can see",
                  "Choose a kernel that loads or stores", "--figure banks");
}

// What is in a cell, of which nobody knows what should be in it.
analysis::LineageTree tree_of_cell(const ToDraw& in) {
    const CellAt cell_at = parse_cell(in.cell, in.run);
    const machine::State state = in.run.state_at(cell_at.time);
    const auto contents = contents_of(in.run.machine(), state, cell_at.cell);
    if (!contents)
        throw Problem(fmt::format("There is no cell {} at that time", in.cell), "",
                      "Choose another cell or time", "--cell");
    const analysis::RootValue root{text_of(in.run.machine(), cell_at.cell), contents->node};
    return analysis::lineage_tree(in.run, {&root, 1});
}

analysis::LineageTree tree_of_result(const ToDraw& in, const analysis::ResultLineage& lineage) {
    std::vector<analysis::RootValue> roots;
    for (const analysis::MemoryCell& cell : lineage.cells)
        if (const auto contents = contents_of(in.run.machine(), in.run.end(), cell))
            roots.push_back({text_of(in.run.machine(), cell), contents->node});
    analysis::LineageTree tree = lineage_tree(in.run, roots);
    tree.lost = lost_inputs(in.run, lineage.cells, lineage.account.missing);
    tree.chooses =
        in.variant->job().op == catalogue::Op::min || in.variant->job().op == catalogue::Op::max;
    if (!in.variant->outcome) return tree;
    tree.judged = true;
    tree.right = in.variant->outcome->verdict.right;
    tree.exactness = exactness_of(*in.variant->outcome, *in.variant->job().right);
    tree.result = in.variant->outcome->result;
    tree.expected = analysis::expected_of(in.variant->job());
    return tree;
}

figures::Scene lineage(const ToDraw& in) {
    if (!in.cell.empty())
        return figures::lineage_figure(tree_of_cell(in), in.subject, in.options, in.fonts,
                                       in.words);
    const auto result =
        in.variant != nullptr ? analysis::result_lineage(*in.variant) : std::nullopt;
    if (!result)
        throw Problem("There is no single result to show the lineage of",
                      in.variant == nullptr ? "Nobody knows which cell of a kernel of your own is "
                                              "the result"
                                            : "The result of this variant is many cells",
                      "Write --cell with the cell that you ask about, as --cell out[0]", "--cell");
    return figures::lineage_figure(tree_of_result(in, *result), in.subject, in.options, in.fonts,
                                   in.words);
}

figures::Scene schedule(const ToDraw& in) {
    const analysis::Timeline timeline = analysis::timeline_of(in.run);
    if (timeline.actions.empty())
        throw Problem("There is no schedule to show",
                      "No work-item did anything that others can see",
                      "Choose a kernel that loads or stores", "--figure schedule");
    return figures::schedule_figure(timeline, in.subject, in.options, in.fonts, in.words);
}

struct Figure {
    const char* name;
    const char* shows;  // in help
    bool flow;          // needs Recording::flow
    figures::Scene (*draw)(const ToDraw&);
};

constexpr std::array kFigures{
    Figure{"lanes", "who works in which pass", true, lanes},
    Figure{"banks", "the most expensive memory access", false, banks},
    Figure{"lineage", "what the result or --cell is made of", false, lineage},
    Figure{"schedule", "who acted when", false, schedule}};

std::vector<std::string> figure_names() {
    std::vector<std::string> texts{"passes"};
    for (const Figure& figure : kFigures)
        texts.emplace_back(figure.name);
    return texts;
}

const Figure& figure_named(const std::string& name) {
    for (const Figure& figure : kFigures)
        if (name == figure.name) return figure;
    throw Problem(fmt::format("There is no figure '{}'", name), "",
                  fmt::format("Choose {}", fmt::join(figure_names(), " or ")), "--figure");
}

// The picture of a run: --figure, --line, -o, --theme and --lang.
struct DrawingOptions {
    std::string figure = "passes", theme = "light", language = "en";
    std::optional<std::uint32_t> line;
    std::vector<std::string> files;

    bool of_run() const { return figure != "passes"; }  // only the machine has what it shows

    void add_figure_to(CLI::App& app) {
        std::string help = "What -o draws: passes; of a run on the machine: ";
        for (const Figure& each : kFigures)
            help += fmt::format("{}{} ({})", &each == &kFigures.front() ? "" : ", ", each.name,
                                each.shows);
        manual::add_choice(app, "--figure", figure, figure_names(), help)->capture_default_str();
        app.add_option(
               "--line", line,
               "With --figure banks: the most expensive access of this line [of the whole kernel]")
            ->type_name("N");
    }

    void add_to(CLI::App& app) {
        app.add_option("-o,--output", files, "Draw the figure to a file: svg, png or pdf")
            ->type_name("FILE");
        add_look(app, theme, language);
    }

    // Throws Problem for what does not go together, or a file that is no picture.
    void check(const std::string& cell) const {
        for (const std::string& file : files)
            figures::check_suffix(file);
        if (!cell.empty() && of_run() && figure != "lineage")
            throw Problem(fmt::format("The figure '{}' shows no cell", figure),
                          "--cell is about the lineage of a cell",
                          "Write --figure lineage, or leave --cell away", "--cell");
        if (line && figure != "banks")
            throw Problem("--line chooses a request to memory", "Only the bank grid shows one",
                          "Write --figure banks, or leave --line away", "--line");
        if (of_run() && files.empty())
            throw Problem(fmt::format("There is no file for the figure '{}'", figure),
                          "A figure is drawn into a file",
                          fmt::format("Write -o {}.svg, .png or .pdf", figure), "--figure");
    }

    machine::Recording recording(machine::Recording recording = {}) const {
        recording.cancel = &ScopedSignalFlag::seen();
        if (of_run() && figure_named(figure).flow) recording.flow = true;
        return recording;
    }
};

figures::RunSubject run_subject(const analysis::RunSpec& spec,
                                const analysis::Simulation& simulation) {
    const machine::Job& job = simulation.job();
    figures::RunSubject subject;
    subject.title = spec.kernel.title;
    subject.machine = analysis::machine_used(spec.machine.config, spec.machine.order);
    subject.group = job.group;
    if (spec.kernel.by_form()) {
        subject.range = job.launches.front().range;
        subject.items = subject.range.items();
        return subject;
    }
    subject.variant = spec.kernel.id;
    subject.n = job.n;
    subject.op = name_of(job.op);
    subject.type = info(job.type).name;
    subject.settings = catalogue::settings_text(spec.shape.set);
    return subject;
}

// What was asked for, and what it needs to be painted.
struct Drawing {
    figures::Fonts fonts;
    figures::Palette palette;
    Translations words;
    figures::Scene scene;
};

// Made before anything is printed, so that what cannot be drawn is said first. Nothing where no
// file was named.
std::optional<Drawing> drawn(const DrawingOptions& options, const std::string& cell,
                             const ShownResult& shown) {
    if (options.files.empty() && !options.of_run()) return std::nullopt;
    std::optional<Drawing> drawing(std::in_place);
    drawing->palette = figures::load_palette(options.theme);
    drawing->words = Translations(options.language, shown.api);
    const float scale = drawing->palette.text_scale;
    if (!options.of_run()) {
        figures::PassFigureOptions passes;
        passes.heading = true;
        passes.text_scale = scale;
        passes.width *= scale;  // as much beside each other, whatever the theme
        drawing->scene = figures::pass_figure(shown.table, passes, drawing->fonts, drawing->words);
        return drawing;
    }
    if (shown.run == nullptr)
        throw Problem(fmt::format("There is nothing to show of {}", options.figure),
                      "Nothing was launched", "Choose at least one element", "--figure");
    figures::RunSubject about = shown.about;
    if (shown.run->fault()) about.stopped = shown.run->fault()->what;
    const figures::FigureOptions look{1000, scale};
    drawing->scene = figure_named(options.figure)
                         .draw({options.line, cell, *shown.run, shown.variant, about, look,
                                drawing->fonts, drawing->words});
    return drawing;
}

void save(const DrawingOptions& options, const std::optional<Drawing>& drawing) {
    if (!drawing && !options.files.empty())
        warn({"There is nothing to draw", "No run was recorded that can be shown pass by pass",
              "Ask for fewer elements, or for another run", options.files.front()});
    if (!drawing) return;
    for (const std::string& file : options.files) {
        figures::save(drawing->scene, drawing->palette, drawing->fonts, file);
        std::cerr << fmt::format("wrote {}\n", file);
    }
}

void save_turns(const std::string& file, const std::string& comment, const machine::Run& run) {
    if (file.empty()) return;
    write_file(file,
               fmt::format("# {}\n{}", comment, machine::text_of(machine::turns_of(run.trace()))));
    std::cerr << fmt::format("wrote {}\n", file);
}

// The options of text and host.
struct TextOptions {
    std::string variant, language, entry, file;
    catalogue::ShapeOptions shape;
    bool expanded = false;

    void add_to(CLI::App& app) {
        app.add_option("variant", variant,
                       "Id of a variant, or the path of a file with such a header")
            ->required();
        shape.add_to(app);
    }
};

// --- step: a run of the simulator, and whether the device has the same rows.

struct StepOptions {
    SubjectOptions subject;
    std::string source, save_order;
    InsightOptions insight;
    DrawingOptions drawing;
    bool json = false;

    // Whether the device is asked what it has to say of the run.
    bool asks_device() const {
        if (!source.empty()) return source == "device";
        const bool asked = !subject.is_file() || !subject.shape.device.empty();
        return asked && !subject.machine.any() && !insight.any() && !drawing.of_run();
    }
    // Whether the order is left to us.
    bool automatic() const { return asks_device() && subject.machine.order.empty(); }
};

// The turns that were taken, findings, and the fault that ended it: the rows so far were shown.
void close(const StepOptions& options, const machine::Run& run) {
    std::string title = "The turns of: step " + options.subject.variant;
    if (options.automatic()) {  // they may be of another machine than the usual one
        const machine::Config& config = run.machine().job().config;
        title += fmt::format(" --lanes {} --resident {}", config.lanes,
                             config.resident == 0 ? "all" : std::to_string(config.resident));
    }
    save_turns(options.save_order, title, run);
    for (const machine::Finding& finding : run.findings()) {
        std::cerr << "note: " << in_terms(options.subject, run.problem(finding)).text() << '\n';
        if (finding.count > 1) std::cerr << fmt::format("  times: {}\n", finding.count);
    }
    if (run.fault()) throw run.problem(*run.fault());
    if (run.cancelled()) throw interrupted("The run", "What came until then is above");
}

// What the kernel printed, in the order of the schedule.
std::string prints_text(const machine::Run* run) {
    if (run == nullptr || run->prints().empty()) return {};
    std::string text = "printed\n";
    for (const machine::Print& print : run->prints()) {
        std::string shown = print.text;
        if (!shown.empty() && shown.back() == '\n') shown.pop_back();
        for (std::size_t i = 0; (i = shown.find('\n', i)) != std::string::npos; i += 5)
            shown.replace(i, 1, "\n    ");
        text += fmt::format("  work-item {}, line {}: {}\n",
                            run->machine().context(print.launch).item_name(print.item),
                            analysis::line_of(*run, print), shown);
    }
    return text;
}

// What stopped the run and what else is wrong in it, for those who read JSON.
nlohmann::json with_faults(nlohmann::json object, const machine::Run* run) {
    nlohmann::json notes = nlohmann::json::array();
    if (run != nullptr && !run->prints().empty()) {
        nlohmann::json printed = nlohmann::json::array();
        for (const machine::Print& print : run->prints())
            printed.push_back(
                {{"launch", print.launch + 1},
                 {"item", print.item},
                 {"global_id", run->machine().context(print.launch).space.global_id(print.item)},
                 {"line", analysis::line_of(*run, print)},
                 {"time", print.time},
                 {"text", print.text}});
        object["printed"] = std::move(printed);
    }
    if (run != nullptr) {
        for (const machine::Finding& finding : run->findings())
            notes.push_back(run->problem(finding));
        if (run->fault()) object["problem"] = run->problem(*run->fault());
    }
    object["notes"] = std::move(notes);
    return object;
}

// The device's rows; nothing, and why, where there is none or it cannot run this.
std::optional<analysis::StepTable> device_rows(const StepOptions& options,
                                               const analysis::RunSpec& spec, std::string& why) {
    analysis::RunChoice request = choice_of(options.subject, spec.kernel);
    request.machine = analysis::machine_used(spec.machine.config, spec.machine.order);
    try {
        return ask("step", request).get<analysis::StepTable>();
    } catch (const Problem& problem) {
        if (options.source == "device" || !options.subject.shape.device.empty()) throw;
        why = problem.what_happened;
        if (problem.exit == Exit::no_device && !problem.hint.empty()) why += ". " + problem.hint;
        return std::nullopt;
    }
}

analysis::ShownRun chosen_run(const StepOptions& options, const analysis::RunSpec& asked) {
    analysis::ShownRun run;
    run.options = asked.machine;
    if (asked.kernel.by_form() && !options.asks_device()) return run;
    if (!asked.kernel.by_form()) analysis::check_steppable(asked.shape.n.value_or(0));
    std::string why;
    std::optional<analysis::StepTable> device;
    if (options.asks_device()) device = device_rows(options, asked, why);
    // Who asks for the machine alone gets the run that was asked for, even if it comes out right.
    run = analysis::shown_run(asked, options.automatic(), device ? &*device : nullptr,
                              &ScopedSignalFlag::seen());
    run.witness.why = std::move(why);
    return run;
}

// `out` and `text`: what is said of the result.
Exit show(const StepOptions& options, const ShownResult& result, const analysis::ShownRun& how,
          nlohmann::json out, std::string text) {
    const auto drawing = drawn(options.drawing, options.insight.cell, result);
    if (options.json) {
        out = with_faults(std::move(out), result.run);
        if (options.asks_device()) out["witness"] = how.witness;
        if (how.options.order.kind == machine::SchedulingPolicy::Kind::list)
            out["turns"] = machine::text_of(how.options.order.turns);
        add_insight(out, options.insight, result.run, result.variant);
        print_json(out);
    } else {
        text += prints_text(result.run) + insight_text(options.insight, result.run, result.variant);
        if (options.asks_device()) text += cli::text_of(how.witness);
        if (options.automatic() && result.variant != nullptr && result.table.right &&
            result.variant->job().expect == catalogue::Expect::races)
            text += "No order was found in which it goes wrong\n";
        print_report(options.subject, text);
    }
    save(options.drawing, drawing);
    if (result.run != nullptr) close(options, *result.run);
    const bool news = how.witness.verdict == analysis::DeviceComparison::Verdict::unexplained;
    const bool wrong = result.variant != nullptr && !result.table.right;
    return wrong || news ? Exit::found : Exit::done;
}

// What the buffers hold in the end, of a kernel by a form.
nlohmann::json json_of(const std::vector<analysis::BufferContents>& all) {
    nlohmann::json buffers = nlohmann::json::array();
    for (const auto& buffer : all)
        buffers.push_back({{"name", buffer.name},
                           {"type", buffer.type},
                           {"written", buffer.written},
                           {"values", buffer.values}});
    return buffers;
}

// Of a run that was interrupted: the rows of a longer one would come too late (ScopedSignalFlag).
// Actions of an interrupted run that are shown as rows; of a longer one, only the buffers.
constexpr std::uint64_t kMostInterruptedActions = 200'000;

void close_early(const StepOptions& options, const machine::Run& run) {
    const auto buffers = analysis::buffers_of(run);
    const std::uint64_t actions = run.trace().size();
    if (options.json)
        print_json(
            nlohmann::json{{"schema", 1}, {"buffers", json_of(buffers)}, {"actions", actions}});
    else
        print_report(options.subject, fmt::format("after {} actions, too many for rows now\n{}",
                                                  actions, cli::text_of({}, buffers)));
    close(options, run);
}

Exit step(const StepOptions& options) {
    analysis::RunSpec spec = spec_of(options.subject, choose(options.subject));
    const analysis::ShownRun how = chosen_run(options, spec);
    spec.machine = how.options;
    const analysis::Simulation simulation =
        analysis::simulate(spec, options.drawing.recording(options.insight.recording()));
    if (simulation.run && simulation.run->cancelled() &&
        simulation.run->trace().size() > kMostInterruptedActions)
        close_early(options, *simulation.run);
    const analysis::StepTable steps = analysis::table_of(spec, simulation);
    const figures::RunSubject about = run_subject(spec, simulation);
    if (spec.kernel.by_form()) {
        const auto buffers = analysis::buffers_of(*simulation.run);
        nlohmann::json out{{"schema", 1},
                           {"buffers", json_of(buffers)},
                           {"passes", steps},
                           {"launch", analysis::launch_text(*spec.kernel.plan.form)}};
        return show(options, {simulation.run.get(), nullptr, steps, about, options.subject.api()},
                    how, std::move(out), cli::text_of(steps, buffers));
    }
    std::string text = cli::text_of(steps);
    if (simulation.outcome && !steps.right) text += why_wrong(simulation);
    return show(options, {simulation.run.get(), &simulation, steps, about, options.subject.api()},
                how, steps, std::move(text));
}

// --- record: a run of the device, as it really was: its accesses are recorded, put in order, and
// replayed by the simulator.

struct RecordOptions {
    SubjectOptions subject;
    std::string until = results::RecordRequest().until, count = "10000", save_order, cell;
    std::optional<std::uint32_t> delays;
    DrawingOptions drawing;
    bool json = false;
};

analysis::SimulatorOptions options_of(const results::Recorded& recorded) {
    analysis::SimulatorOptions options = analysis::replay_options(
        {recorded.units, recorded.max_group, recorded.cpu, recorded.kernel_group});
    options.order.kind = machine::SchedulingPolicy::Kind::list;
    options.order.turns = machine::parse_turns(recorded.turns, recorded.order);
    options.order.name = recorded.order;
    return options;
}

std::string text_of(const results::Recorded& recorded) {
    const bool own = !recorded.launch.empty();
    std::string text = heading(recorded);
    const auto rate = [](const results::WrongRate& of) {
        return fmt::format("{} of {} runs", of.wrong, of.runs);
    };
    const std::string waits =
        recorded.delays ? fmt::format(" and with delays (seed {})", *recorded.delays) : "";
    text += fmt::format("{}: in {} with recording{}, in {} without\n",
                        own ? "otherwise than the simulator in its usual order" : "wrong",
                        rate(recorded.recorded), waits, rate(recorded.plain));
    if (recorded.gave_up > 0)
        text += fmt::format("{} more runs are not counted: a spin of the kernel gave up\n",
                            recorded.gave_up);
    if (recorded.too_long > 0)
        text +=
            fmt::format("{} runs were too long for the buffer that records\n", recorded.too_long);
    return text;
}

// How its order was found, and whether the simulator went the same way.
std::string replay_text(const results::Recorded& recorded) {
    const char* verdict = recorded.right ? "right" : "WRONG";
    if (!recorded.launch.empty())
        verdict = recorded.right ? "as the simulator in its usual order"
                                 : "OTHERWISE than the simulator in its usual order";
    std::string text = fmt::format(
        "{}: {}, {}\n{} loads, stores and atomics and {} arrivals at barriers, in the order of "
        "their tickets",
        recorded.order, shortened(recorded.result), verdict, recorded.accesses, recorded.barriers);
    if (recorded.exchanged > 0)
        text += fmt::format(", but for {} that were exchanged with neighbours", recorded.exchanged);
    text += '\n';
    if (recorded.slack > 0)
        text += fmt::format(
            "Tickets alone do not explain its loads: accesses were taken to be later than "
            "theirs{}\n",
            recorded.slack < UINT32_MAX ? fmt::format(", by up to {}", recorded.slack) : "");
    if (!recorded.optimised)
        text +=
            "Compiled without optimisation: with it the device's compiler gets the recording "
            "wrong\n";
    if (recorded.difference.empty())
        return text +
               "replayed by the simulator: each access has the same value, and the result is "
               "the same\n";
    return text + fmt::format("the simulator DIFFERS: {}{}\n", recorded.difference,
                              recorded.tried_all ? " (all orders were tried)" : "");
}

std::string none_text(const results::Recorded& recorded) {
    return fmt::format("None of {} recorded runs ended as asked for ({})", recorded.recorded.runs,
                       recorded.until);
}

// Where none was recorded: a run that explains the device's rows, or one that goes wrong.
analysis::ShownRun looked_for(const RecordOptions& options, analysis::RunSpec spec) {
    spec.machine = MachineOptions().options();
    analysis::RunChoice request = choice_of(options.subject, spec.kernel);
    request.machine = analysis::machine_used(spec.machine.config, spec.machine.order);
    const auto device = ask("step", request).get<analysis::StepTable>();
    return analysis::shown_run(spec, true, &device, &ScopedSignalFlag::seen());
}

Exit record(const RecordOptions& options) {
    options.drawing.check(options.cell);
    analysis::RunSpec spec;
    spec.kernel = choose(options.subject);
    spec.shape = options.subject.shape.shape();
    const bool own = spec.kernel.by_form();
    nlohmann::json request = choice_of(options.subject, spec.kernel);
    request["until"] = options.until;
    request["count"] = parse_count(options.count);
    if (options.delays) request["delays"] = *options.delays;
    const auto recorded = ask("record", request, progress_line("runs")).get<results::Recorded>();

    const ScopedSignalFlag noted;
    std::string said;
    if (recorded.run > 0) {
        spec.machine = options_of(recorded);
        said = replay_text(recorded);
    } else if (own) {
        said = none_text(recorded) + '\n';
    } else {
        const analysis::ShownRun shown = looked_for(options, spec);
        spec.machine = shown.options;
        said = none_text(recorded) + ". What is shown was NOT recorded: a run of the simulator\n" +
               cli::text_of(shown.witness);
    }

    std::optional<analysis::Simulation> simulation;
    try {
        if (recorded.run > 0 || !own)
            simulation = analysis::simulate(spec, options.drawing.recording());
    } catch (const Problem&) {
        // Where the simulator cannot go that way there is nothing to show, and it was said why.
        if (recorded.difference.empty()) throw;
    }
    std::optional<Drawing> drawing;
    std::string rows;
    if (simulation && (own || recorded.n <= analysis::kMostSteppedElements)) {
        const analysis::StepTable steps = analysis::table_of(spec, *simulation);
        rows =
            own ? cli::text_of(steps, analysis::buffers_of(*simulation->run)) : cli::text_of(steps);
        if (simulation->outcome && !steps.right) rows += why_wrong(*simulation);
        drawing = drawn(options.drawing, options.cell,
                        {simulation->run.get(), own ? nullptr : &*simulation, steps,
                         run_subject(spec, *simulation), options.subject.api()});
    }
    if (options.json) {
        nlohmann::json out = recorded;
        if (recorded.run == 0 && !own) out["turns"] = machine::text_of(spec.machine.order.turns);
        print_json(out);
    } else {
        print_report(options.subject, rows + text_of(recorded) + said);
    }
    save(options.drawing, drawing);
    const std::string launch =
        own ? " " + analysis::launch_text(*spec.kernel.plan.form) : std::string();
    if (simulation && simulation->run)
        save_turns(options.save_order,
                   fmt::format("{0}: {1}\n# step {0}{2} --machine independent --order THIS",
                               options.subject.variant,
                               recorded.run > 0 ? recorded.order : "not recorded", launch),
                   *simulation->run);
    // A recorded run that is wrong, or that the simulator does not repeat.
    const bool found = (recorded.run > 0 && !recorded.right) || !recorded.difference.empty();
    return found ? Exit::found : Exit::done;
}

}  // namespace

Action step_command(CLI::App& app) {
    auto options = make<StepOptions>();
    options->subject.add_to(app);
    manual::add_choice(
        app, "--source", options->source, {"device", "machine"},
        "What is shown is a run of the simulator. device: held against the device's "
        "rows; machine: the device is not asked [machine with any of its options and "
        "for files without --device, else device, if there is one]");
    options->insight.add_to(app);
    options->drawing.add_figure_to(app);
    app.add_option("--save-order", options->save_order,
                   "Write the turns that the warps took, for --order")
        ->type_name("FILE");
    options->drawing.add_to(app);
    add_json(app, options->json);
    return [options] {
        options->drawing.check(options->insight.cell);
        const ScopedSignalFlag noted;
        return in_terms(options->subject, [&] { return step(*options); });
    };
}

Action record_command(CLI::App& app) {
    auto options = make<RecordOptions>();
    options->subject.add_to(app, true);
    app.add_option(
           "--until", options->until,
           "The run that is wanted: wrong, right, a result, or run:K for the K-th. Of a "
           "file without a header: wrong is otherwise than the simulator in its usual order")
        ->type_name("WHICH")
        ->capture_default_str();
    app.add_option("--count", options->count, "Runs at most")->capture_default_str();
    add_delays(app, options->delays);
    options->drawing.add_figure_to(app);
    app.add_option("--cell", options->cell, "With --figure: the cell that it is about");
    app.add_option("--save-order", options->save_order,
                   "Write the turns of its work-items, for `step --machine independent --order`")
        ->type_name("FILE");
    options->drawing.add_to(app);
    add_json(app, options->json);
    return [options] { return in_terms(options->subject, [&] { return record(*options); }); };
}

Action text_command(CLI::App& app) {
    auto options = make<TextOptions>();
    options->add_to(app);
    app.add_flag("--expanded", options->expanded,
                 "With T, COMBINE, IDENTITY, toggles and all other macros replaced");
    app.add_option("--as", options->language,
                   "opencl: as OpenCL C from its syntax tree, in which devices run CUDA C++")
        ->check(CLI::IsMember({"opencl"}));
    app.add_option("--kernel", options->entry, "With --as: which of its kernels [the only one]");
    return [options] {
        const std::string& variant = options->variant;
        lang::Text text;
        if (lang::is_cuda(variant, {})) {
            text = catalogue::text_of(
                LaunchOptions().kernel_of(variant, kernel_file_text(variant), options->shape.set));
        } else {
            const catalogue::Kernel kernel = variant_named(variant);
            text = text_of(kernel, options->shape.shape());
            if (options->entry.empty()) options->entry = kernel.entry;
        }
        if (!options->language.empty()) text = lang::opencl_text(text, options->entry).text;
        std::cout << (options->expanded ? lang::expanded(text) : text.text);
        return Exit::done;
    };
}

Action host_command(CLI::App& app) {
    auto options = make<TextOptions>();
    options->add_to(app);
    app.add_option("-o,--output", options->file,
                   "Write the program to a file, and the kernel beside it [print the program]")
        ->type_name("FILE.cpp");
    return [options] {
        const catalogue::HostProgram program =
            catalogue::host_program(variant_named(options->variant), options->shape.shape());
        const std::string& file = options->file;
        if (file.empty()) {
            std::cout << program.text;
        } else {
            save_program(program, file);
            std::cerr << fmt::format("wrote {}, and {} beside it\n", file, program.kernel_file);
        }
        return Exit::done;
    };
}

}  // namespace lab::cli
