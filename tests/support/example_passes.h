// Step tables to draw in tests: trees over neighbours, a launch a pass.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "support/example_values.h"

namespace lab::figures {

using analysis::int_value;

// A tree over `values` in groups of `group`, as the variant `relaunch` does it.
inline analysis::StepTable tree(std::vector<std::int64_t> values, std::uint64_t group) {
    const std::size_t n = values.size();
    analysis::StepTable table;
    table.variant = "relaunch";
    table.title = "One launch per pass";
    table.op = "add";
    table.type = "int";
    table.n = n;
    table.group = group;
    table.source = "device";
    const auto add_row = [&](const std::string& variables) -> analysis::Row& {
        analysis::Row& pass = table.rows.emplace_back();
        pass.launch = static_cast<int>(table.rows.size()) - 1;
        pass.variables = variables;
        for (const std::int64_t value : values)
            pass.cells.push_back({int_value(std::to_string(value)), false, {}, -1});
        return pass;
    };
    add_row("");
    for (std::size_t span = 2; span < 2 * n; span *= 2) {
        analysis::Row& pass = add_row(fmt::format("span = {}", span));
        pass.global = (n + group - 1) / group * group;
        pass.local = group;
        pass.items_known = true;
        for (std::size_t i = 0; i + span / 2 < n; i += span) {
            values[i] += values[i + span / 2];
            pass.cells[i] = {
                int_value(std::to_string(values[i])),
                true,
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + span / 2)},
                static_cast<std::int64_t>(i)};
        }
    }
    table.result = table.expected = std::to_string(values[0]);
    table.right = true;
    return table;
}

inline analysis::StepTable tree(std::size_t n, std::uint64_t group) {
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < n; ++i)
        values.push_back(static_cast<std::int64_t>(i * 7 % 10));
    return tree(std::move(values), group);
}

// Document A's own eight values in two groups.
inline analysis::StepTable eight() {
    return tree({7, 1, 6, 8, 5, 6, 7, 1}, 4);
}

// Each launch turns its values into one per group.
inline analysis::StepTable partials(std::size_t n, std::size_t group) {
    analysis::StepTable table = tree(n, group);
    table.rows.resize(1);
    std::size_t count = n;
    while (count > 1) {
        analysis::Row& pass = table.rows.emplace_back();
        pass.launch = static_cast<int>(table.rows.size()) - 1;
        pass.global = count;
        pass.local = group;
        for (std::size_t first = 0; first < count; first += group) {
            analysis::Cell& cell = pass.cells.emplace_back();
            cell.value = int_value("28");
            cell.written = true;
            for (std::size_t i = first; i < std::min(first + group, count); ++i)
                cell.from.push_back(static_cast<std::uint32_t>(i));
        }
        count = pass.cells.size();
    }
    table.result = table.expected = text_of(table.rows.back().cells[0].value);
    return table;
}

}  // namespace lab::figures
