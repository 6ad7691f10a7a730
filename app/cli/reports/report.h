// What the commands print: text for people, and the catalogue as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/rows/step_table.h"
#include "catalogue/variant.h"
#include "cli/ask.h"
#include "results/device_info.h"
#include "results/documents.h"
#include "results/report.h"
#include "results/result.h"

namespace lab::cli {

std::string text_of(const results::Devices& devices);
std::string text_of(const catalogue::Catalogue& catalogue);
std::string text_of(const analysis::StepTable& steps);
std::string text_of(const results::Measurements& measurements);
// The parts of rows over several devices; empty if there are none.
std::string devices_text(const results::Measurements& measurements);
// What the documents measured of the same variants, as theirs.
std::string documents_text(const results::Measurements& measurements,
                           const std::vector<results::DocumentFigure>& figures);
std::string text_of(const results::CheckReport& report);
std::string text_of(const results::Trials& trials);
nlohmann::json json_of(const catalogue::Catalogue& catalogue);

// A long list of values breaks off.
std::string shortened(const std::string& result);

void warn(const Problem& problem);  // on standard error
// Given a progress (done, total, seconds_left), keeps one line on standard error up to date, as "3
// of 17 rows"; empty if that is no terminal.
OnProgress progress_line(const std::string& unit);

}  // namespace lab::cli
