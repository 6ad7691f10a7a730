#include "cli/figure_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/problem.h"
#include "cli/cell_option.h"
#include "figures/figures/bank_figure.h"
#include "figures/figures/lane_figure.h"
#include "figures/figures/lineage_figure.h"
#include "figures/figures/schedule_figure.h"
#include "manual/help.h"
#include "results/result.h"
#include "simulation/result_lineage.h"

namespace lab::cli {
namespace {

struct ToDraw {
    const FigureOption& option;
    const std::string& cell;
    machine::Run& run;
    const simulation::Simulation* variant;
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
    if (const auto request = analysis::most_expensive_request(in.run, in.option.line))
        return figures::bank_figure(*request, in.subject, in.options, in.fonts, in.words);
    const std::vector<std::uint32_t> lines = analysis::lines_with_requests(in.run);
    if (in.option.line && !lines.empty())
        throw Problem(fmt::format("Line {} asks nothing of memory", *in.option.line),
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

analysis::LineageTree tree_of_result(const ToDraw& in, const simulation::ResultLineage& lineage) {
    std::vector<analysis::RootValue> roots;
    for (const analysis::MemoryCell& cell : lineage.cells)
        if (const auto contents = contents_of(in.run.machine(), in.run.end(), cell))
            roots.push_back({text_of(in.run.machine(), cell), contents->node});
    analysis::LineageTree tree = lineage_tree(in.run, roots);
    tree.lost = lost_inputs(in.run, lineage.cells, lineage.account.missing);
    tree.chooses =
        in.variant->shape.op == catalogue::Op::min || in.variant->shape.op == catalogue::Op::max;
    if (!in.variant->outcome) return tree;
    tree.judged = true;
    tree.right = in.variant->outcome->verdict.right;
    tree.exactness = exactness_of(*in.variant->outcome, in.variant->right);
    tree.result = in.variant->outcome->result;
    tree.expected = catalogue::text_of(in.variant->right.value, 0);
    return tree;
}

figures::Scene lineage(const ToDraw& in) {
    if (!in.cell.empty())
        return figures::lineage_figure(tree_of_cell(in), in.subject, in.options, in.fonts,
                                       in.words);
    const auto result =
        in.variant != nullptr ? simulation::result_lineage(*in.variant) : std::nullopt;
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

std::vector<std::string> names() {
    std::vector<std::string> texts{"passes"};
    for (const Figure& figure : kFigures)
        texts.emplace_back(figure.name);
    return texts;
}

const Figure& figure_named(const std::string& name) {
    for (const Figure& figure : kFigures)
        if (name == figure.name) return figure;
    throw Problem(fmt::format("There is no figure '{}'", name), "",
                  fmt::format("Choose {}", fmt::join(names(), " or ")), "--figure");
}

std::string help() {
    std::string text = "What -o draws: passes; of a run on the machine: ";
    for (const Figure& figure : kFigures)
        text += fmt::format("{}{} ({})", &figure == &kFigures.front() ? "" : ", ", figure.name,
                            figure.shows);
    return text;
}

}  // namespace

void FigureOption::add_to(CLI::App& app) {
    manual::add_choice(app, "--figure", figure, names(), help())->capture_default_str();
    app.add_option(
           "--line", line,
           "With --figure banks: the most expensive access of this line [of the whole kernel]")
        ->type_name("N");
}

void FigureOption::check(const std::string& cell, const std::vector<std::string>& files) const {
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

void FigureOption::add_to(machine::Recording& recording) const {
    if (of_run() && figure_named(figure).flow) recording.flow = true;
}

figures::RunSubject run_subject(const catalogue::Variant& variant,
                                const simulation::Simulation& simulation,
                                const simulation::Options& machine) {
    figures::RunSubject subject;
    subject.variant = variant.id;
    subject.title = variant.title;
    subject.n = catalogue::count_of(simulation.input);
    subject.group = simulation.plan.group;
    subject.op = name_of(simulation.shape.op);
    subject.type = info(simulation.shape.type).name;
    subject.settings = catalogue::settings_text(simulation.shape.set);
    subject.machine = analysis::machine_used(machine.config, machine.order);
    return subject;
}

figures::RunSubject run_subject(const simulation::UserKernel& kernel,
                                const simulation::Options& machine) {
    figures::RunSubject subject;
    subject.title = simulation::title_of(kernel);
    subject.items = kernel.global.items();
    subject.group = kernel.local.items();
    subject.range = {kernel.global, kernel.local, kernel.offset};
    subject.machine = analysis::machine_used(machine.config, machine.order);
    return subject;
}

figures::Scene figure_of(const FigureOption& option, const std::string& cell, machine::Run* run,
                         const simulation::Simulation* variant, const figures::RunSubject& subject,
                         const figures::Palette& palette, const figures::Fonts& fonts,
                         const Translations& words) {
    if (run == nullptr)
        throw Problem(fmt::format("There is nothing to show of {}", option.figure),
                      "Nothing was launched", "Choose at least one element", "--figure");
    figures::RunSubject about = subject;
    if (run->fault()) about.stopped = run->fault()->what;
    const figures::FigureOptions options{1000, palette.text_scale};
    return figure_named(option.figure)
        .draw({option, cell, *run, variant, about, options, fonts, words});
}

}  // namespace lab::cli
