// The option --cell: which cell of a run, and when.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/lineage/lineage.h"

namespace lab::cli {

// A cell after so many actions of a run.
struct CellAt {
    analysis::MemoryCell cell;
    std::uint64_t time = 0;
};
// "NAME[INDEX]", "NAME/GROUP[INDEX]" of local memory, each with "@TIME" behind it or not: then at
// the end, of local memory before the last action of its group. Throws Problem for what there is
// not.
CellAt parse_cell(const std::string& text, const machine::Run& run);

}  // namespace lab::cli
