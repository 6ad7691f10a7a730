// What the commands print: text for people, and the catalogue as JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "catalogue/variant.h"
#include "compute/device_info.h"
#include "insight/passes.h"
#include "measure/result.h"

namespace lab::cli {

std::string text_of(const Devices& devices);
std::string text_of(const Catalogue& catalogue);
std::string text_of(const Passes& passes);
std::string text_of(const Measurements& measurements);
nlohmann::json json_of(const Catalogue& catalogue);

void warn(const Problem& problem);  // on standard error
// Told the progress of a measurement, keeps one line on standard error up to date; does nothing
// where that is no terminal.
std::function<void(const nlohmann::json&)> progress_line();
void check_result_suffix(const std::string& file);  // throws Problem

}  // namespace lab::cli
