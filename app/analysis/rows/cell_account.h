// What went into a cell of the step view: each input element, and how often.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/lineage/lineage.h"
#include "analysis/rows/step_table.h"

namespace lab::analysis {

struct CellAccount {
    std::string cell, value;  // "data[4]"; empty: nobody has written it
    struct Input {
        std::string name, value;  // "in[3]"
        std::uint64_t times = 0;
    };
    std::vector<Input> inputs;    // all elements of the buffers that its value comes from, in order
    std::uint64_t unwritten = 0;  // uninitialised values
};

// The memory that a cell of a row stands for; empty if the row does not say whose it is.
std::optional<MemoryCell> memory_cell(const machine::Run& run, const Row& pass, std::size_t cell);

// At `time`, of a run with lineage. Empty if there is no such cell, or no input buffer.
std::optional<CellAccount> cell_account(machine::Run& run, const MemoryCell& cell,
                                        std::uint64_t time);

}  // namespace lab::analysis
