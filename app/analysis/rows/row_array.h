// An array on its way through a run, for the rows of the step view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "analysis/rows/passes.h"
#include "analysis/rows/trace_passes.h"
#include "lang/code/value.h"
#include "machine/run.h"

namespace lab::analysis {

// An array as rows show it: its bytes, and what each cell is.
struct RowArray {
    machine::Scalar element = machine::Scalar::int_;
    std::uint64_t cells = 0;  // of one group, where it is local
    std::vector<std::byte> bytes;
    std::vector<bool> known;  // a cell each: somebody wrote it
    std::vector<machine::Node> nodes;
    std::vector<Cell> row;          // as it is now; empty: too many cells
    std::vector<CellTrace> traces;  // likewise, of this launch

    void resize(std::uint64_t all) {
        bytes.resize(all * lang::info(element).bytes);
        known.resize(all);
        nodes.resize(all);
        row.resize(all);
        traces.resize(all);
        for (Cell& cell : row)
            cell.value = "?";  // nobody wrote it
    }
    void show(std::uint64_t cell) {
        std::uint64_t bits = 0;
        const std::size_t size = lang::info(element).bytes;
        std::memcpy(&bits, bytes.data() + cell * size, size);
        row[cell].value = lang::text_of(lang::canonical(element, bits), element);
    }
};

}  // namespace lab::analysis
