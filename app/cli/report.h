// Writes what the commands print: text for people, and the catalogue as JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/lineage.h"
#include "analysis/simulate.h"
#include "analysis/step_table.h"
#include "catalogue/kernel.h"
#include "cli/command.h"
#include "results/device_info.h"
#include "results/documents.h"
#include "results/report.h"
#include "results/result.h"

namespace lab::cli {

std::string text_of(const results::Devices& devices);
std::string text_of(const catalogue::Catalogue& catalogue);
std::string text_of(const analysis::StepTable& steps);
std::string text_of(const results::Measurements& measurements);
// Returns what the documents measured of the same variants, as theirs.
std::string documents_text(const results::Measurements& measurements,
                           const std::vector<results::DocumentFigure>& figures);
std::string text_of(const results::CheckReport& report);
std::string text_of(const results::Trials& trials);
nlohmann::json json_of(const catalogue::Catalogue& catalogue);

// A long list of values breaks off.
std::string shortened(const std::string& result);

// Returns what a run of a user kernel left: its rows, where there are any, and its buffers.
std::string text_of(const analysis::StepTable& table,
                    const std::vector<analysis::BufferContents>& buffers);

// Returns what the device has to say of the run that is shown; empty where no device was asked.
std::string text_of(const analysis::DeviceComparison& witness);

// "span-modulo K=4, 8 elements in 2 groups of 4, add of int, on PoCL", a line.
std::string heading(const results::DeviceRuns& of);

// The options for what `step` shows besides rows: --show lanes,traffic,lineage and --cell.
struct InsightOptions {
    std::vector<std::string> show;
    std::string cell;

    void add_to(CLI::App& app);
    bool any() const { return !show.empty() || !cell.empty(); }
    // Returns what a run must record for it. Throws Problem for sections that there are not.
    machine::Recording recording() const;
};

// The sections, each after an empty line. `run`: nothing where nothing was launched. `variant`:
// whose run it is; empty: a user kernel, of which nobody knows the result. Throws Problem
// for a cell that there is not.
std::string insight_text(const InsightOptions& options, machine::Run* run,
                         const analysis::Simulation* variant);
// The same as objects "lanes", "traffic", "lineage" of `out`; null where nothing was launched.
void add_insight(nlohmann::json& out, const InsightOptions& options, machine::Run* run,
                 const analysis::Simulation* variant);

// A cell after so many actions of a run.
struct CellAt {
    analysis::MemoryCell cell;
    std::uint64_t time = 0;
};
// "NAME[INDEX]", "NAME/GROUP[INDEX]" of local memory, each with "@TIME" behind it or not: then at
// the end, of local memory before the last action of its group. Throws Problem for what there is
// not.
CellAt parse_cell(const std::string& text, const machine::Run& run);

// "data[5], data[6], data[7] are not in it; data[0] is in it twice", a line. Of operators that
// choose, such as max, nothing about twice: it does no harm. Empty where the plan tells no result.
std::string why_wrong(const analysis::Simulation& simulation);

}  // namespace lab::cli
