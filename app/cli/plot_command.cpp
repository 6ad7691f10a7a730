// plot: charts of result files.
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "cli/chart_options.h"
#include "cli/command.h"
#include "cli/shared.h"
#include "figures/painters/save.h"
#include "results/results_file.h"

namespace lab::cli {
namespace {

struct PlotOptions {
    std::vector<std::string> results, files;
    ChartOptions chart;
};

Exit plot(const PlotOptions& options) {
    for (const std::string& file : options.files)
        figures::check_suffix(file);
    options.chart.check();
    std::vector<results::Measurements> results;
    for (const std::string& file : options.results)
        results.push_back(results::read_results(file));
    std::optional<Problem> unwritten;
    for (const std::string& file : options.files) {
        try {
            draw_chart(results, options.chart, file);
            std::cerr << fmt::format("wrote {}\n", file);
        } catch (const Problem& problem) {
            unwritten = problem;  // the other files are written all the same
        }
    }
    if (unwritten) throw Problem(*unwritten);
    return Exit::done;
}

}  // namespace

Action plot_command(CLI::App& app) {
    auto options = make<PlotOptions>();
    app.add_option("results", options->results,
                   "Files that measure -o wrote; those of several devices are overlaid")
        ->required()
        ->type_name("RESULT.json");
    app.add_option("-o,--output", options->files, "Draw to a file: svg, png or pdf")
        ->required()
        ->type_name("FILE");
    options->chart.add_to(app);
    options->chart.add_selection_to(app);
    return [options] { return plot(*options); };
}

}  // namespace lab::cli
