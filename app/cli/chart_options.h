// The options of a chart, and writing the chart to a file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "results/result.h"

namespace lab::cli {

struct ChartOptions {
    std::string chart;  // empty: the most useful one
    std::string baseline, theme = "light", language = "en";
    std::string n, size = "1000x600";
    std::vector<std::string> variants;
    bool documents = true;

    void add_to(CLI::App& app);            // chart, baseline, theme, lang, size, documents
    void add_selection_to(CLI::App& app);  // n, variants
    // Throws Problem for an invalid value; to check before long work.
    void check() const;
};

// Throws Problem.
void draw_chart(const std::vector<results::Measurements>& results, const ChartOptions& options,
                const std::string& file);

}  // namespace lab::cli
