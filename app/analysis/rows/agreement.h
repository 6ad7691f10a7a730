// Compares the rows of a device with those of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/rows/step_table.h"

namespace lab::analysis {

struct Agreement {
    enum class Kind : std::uint8_t {
        same,      // in every cell that both know
        rounding,  // floats differ in their last digits: combined in another order
        differs,
        unknown,  // no row in common
    } kind = Kind::unknown;
    std::uint64_t rows = 0;  // compared
    // For the first cell that differs (of `rounding` too): the row of `device`, the cell, both
    // values.
    std::size_t row = 0, cell = 0;
    std::string device, machine;
};

// Whether all that both know is equal, floats up to rounding.
inline bool agrees(const Agreement& agreement) {
    return agreement.kind == Agreement::Kind::same || agreement.kind == Agreement::Kind::rounding;
}

// The row of `in` that is the same pass of the same launch and array as `row`: a place in
// in.passes. Where `row` is a whole launch, the launch's last row.
std::optional<std::size_t> row_like(const Row& row, const StepTable& in);

// Whether two numbers differ by no more than another order of summation explains.
bool rounds_to(const CellValue& a, const CellValue& b);

// Rows are those of the same launch, pass and array; where the device shows whole launches, the
// machine's last of that launch. Cells that one does not know ("?") are left out.
Agreement agreement_of(const StepTable& device, const StepTable& machine);

}  // namespace lab::analysis
