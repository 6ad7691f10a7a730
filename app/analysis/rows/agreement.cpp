#include "analysis/rows/agreement.h"

#include <algorithm>
#include <cmath>

namespace lab::analysis {
namespace {

// Far above what another order makes of a few thousand floats, far below what a lost element does.
constexpr double kRounding = 1e-4;

}  // namespace

std::optional<std::size_t> row_like(const Row& row, const StepTable& in) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < in.rows.size(); ++i) {
        const Row& pass = in.rows[i];
        if (pass.launch != row.launch || pass.cells.size() != row.cells.size()) continue;
        if (row.number != 0 && pass.number != row.number) continue;
        if (!row.array.empty() && !pass.array.empty() &&
            (pass.array != row.array || pass.local_memory != row.local_memory))
            continue;
        found = i;
    }
    return found;
}

bool rounds_to(const CellValue& a, const CellValue& b) {
    const double one = number_of(a), other = number_of(b);
    if (std::isnan(one) && std::isnan(other)) return true;
    return std::abs(one - other) <= kRounding * std::max(std::abs(one), std::abs(other));
}

Agreement agreement_of(const StepTable& device, const StepTable& machine) {
    Agreement agreement;
    const bool floating = device.type == "float" || device.type == "double";
    for (std::size_t row = 0; row < device.rows.size(); ++row) {
        const Row& one = device.rows[row];
        const std::optional<std::size_t> same = row_like(one, machine);
        if (!same) continue;
        const Row* other = &machine.rows[*same];
        ++agreement.rows;
        for (std::size_t i = 0; i < one.cells.size(); ++i) {
            const CellValue& a = one.cells[i].value;
            const CellValue& b = other->cells[i].value;
            if (!a.bits || !b.bits || a == b) continue;
            const bool rounded = floating && rounds_to(a, b);
            const auto kind = rounded ? Agreement::Kind::rounding : Agreement::Kind::differs;
            if (agreement.kind == kind) continue;
            agreement = {kind, agreement.rows, row, i, text_of(a), text_of(b)};
            if (!rounded) return agreement;
        }
    }
    if (agreement.rows > 0 && agreement.kind == Agreement::Kind::unknown)
        agreement.kind = Agreement::Kind::same;
    return agreement;
}

}  // namespace lab::analysis
