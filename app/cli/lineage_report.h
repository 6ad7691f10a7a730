// What a cell is made of, in words: of `step --show lineage`, and of a result that is wrong.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/result_lineage.h"

namespace lab::cli {

// A cell after so many actions of a run.
struct CellAt {
    MemoryCell cell;
    std::uint64_t time = 0;
};
// "NAME[INDEX]", "NAME/GROUP[INDEX]" of local memory, each with "@TIME" behind it or not: then at
// the end, of local memory before the last action of its group. Throws Problem for what there is
// not.
CellAt parse_cell(const std::string& text, const machine::Run& run);

// What a cell holds and is made of, as lines and as JSON.
std::string cell_text(machine::Run& run, const CellAt& at);
nlohmann::json cell_json(machine::Run& run, const CellAt& at);

// Likewise of a result, with what is missing from it and where that was lost.
std::string result_text(const simulation::Simulation& of);
nlohmann::json result_json(const simulation::Simulation& of);

// "data[5], data[6], data[7] are not in it; data[0] is in it twice", a line. Of operators that
// choose, such as max, nothing about twice: it does no harm. Empty where the plan tells no result.
std::string why_wrong(const simulation::Simulation& of);

}  // namespace lab::cli
