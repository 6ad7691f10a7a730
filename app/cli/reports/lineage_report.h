// What a cell is made of, in words: of `step --show lineage`, and of a result that is wrong.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/cell_option.h"
#include "simulation/result_lineage.h"

namespace lab::cli {

// What a cell holds and is made of, as lines and as JSON.
std::string cell_text(machine::Run& run, const CellAt& cell_at);
nlohmann::json cell_json(machine::Run& run, const CellAt& cell_at);

// Likewise of a result, with what is missing from it and where that was lost.
std::string result_text(const simulation::Simulation& simulation);
nlohmann::json result_json(const simulation::Simulation& simulation);

// "data[5], data[6], data[7] are not in it; data[0] is in it twice", a line. Of operators that
// choose, such as max, nothing about twice: it does no harm. Empty where the plan tells no result.
std::string why_wrong(const simulation::Simulation& simulation);

}  // namespace lab::cli
