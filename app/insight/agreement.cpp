#include "insight/agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lab {
namespace {

// Far above what another order makes of a few thousand floats, far below what a lost element does.
constexpr double kRounding = 1e-4;

const Pass* same_row(const Pass& of, const Passes& in) {
    const Pass* found = nullptr;
    for (const Pass& pass : in.passes) {
        if (pass.launch != of.launch || pass.cells.size() != of.cells.size()) continue;
        if (of.number != 0 && pass.number != of.number) continue;
        if (!of.array.empty() && !pass.array.empty() &&
            (pass.array != of.array || pass.local_memory != of.local_memory))
            continue;
        found = &pass;
    }
    return found;
}

bool close(const std::string& a, const std::string& b) {
    const double one = std::strtod(a.c_str(), nullptr), other = std::strtod(b.c_str(), nullptr);
    if (std::isnan(one) && std::isnan(other)) return true;
    return std::abs(one - other) <= kRounding * std::max(std::abs(one), std::abs(other));
}

}  // namespace

Agreement agreement_of(const Passes& device, const Passes& machine) {
    Agreement made;
    const bool floating = device.type == "float" || device.type == "double";
    for (std::size_t row = 0; row < device.passes.size(); ++row) {
        const Pass& one = device.passes[row];
        const Pass* other = same_row(one, machine);
        if (other == nullptr) continue;
        ++made.rows;
        for (std::size_t i = 0; i < one.cells.size(); ++i) {
            const std::string& a = one.cells[i].value;
            const std::string& b = other->cells[i].value;
            if (a == b || a == "?" || b == "?") continue;
            const bool rounded = floating && close(a, b);
            const auto kind = rounded ? Agreement::Kind::rounding : Agreement::Kind::differs;
            if (made.kind == kind) continue;
            made = {kind, made.rows, row, i, a, b};
            if (!rounded) return made;
        }
    }
    if (made.rows > 0 && made.kind == Agreement::Kind::unknown) made.kind = Agreement::Kind::same;
    return made;
}

}  // namespace lab
