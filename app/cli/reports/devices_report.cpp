// What measure prints of rows over several devices: the parts, and how close all come to linear.
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/number.h"
#include "cli/reports/report.h"
#include "cli/reports/table.h"

namespace lab::cli {
namespace {

std::string variant_text(const results::Row& row) {
    const std::string set = catalogue::settings_text(row.set);
    return set.empty() ? row.variant : row.variant + " " + set;
}

// "512 K=4": work-items per group, and the toggles that nobody asked for.
std::string shape_text(const results::RowPart& part) {
    const std::string chosen = catalogue::settings_text(part.chosen);
    return fmt::format("{}{}{}", part.group, chosen.empty() ? "" : " ", chosen);
}

void add_parts(const results::Row& row, std::vector<std::vector<std::string>>& lines) {
    for (const results::RowPart& part : row.parts)
        lines.push_back({variant_text(row), catalogue::size_text(row.n), part.device, part.name,
                         catalogue::size_text(part.n), shape_text(part),
                         catalogue::figure_text(results::median(part.device_ms)),
                         catalogue::figure_text(results::median(part.alone_device_ms)),
                         catalogue::figure_text(results::median(part.alone_wall_ms))});
}

double slowest(const results::Row& row, std::vector<double> results::RowPart::*alone) {
    double longest = 0;
    for (const results::RowPart& part : row.parts)
        longest = std::max(longest, results::median(part.*alone));
    return longest;
}

// "98.1 % of linear by the devices' clocks (1.99 ms together, 1.95 ms the slowest alone)"
std::string linear_text(const std::optional<double>& efficiency, double together, double alone,
                        const char* clock) {
    if (!efficiency) return fmt::format("nothing by {}", clock);
    return fmt::format("{:.1f} % of linear by {} ({} ms together, {} ms the slowest alone)",
                       *efficiency * 100, clock, catalogue::figure_text(together),
                       catalogue::figure_text(alone));
}

std::string row_text(const results::Row& row) {
    return fmt::format(
        "{}, n = {} on {} device{}: {}; {}\n", variant_text(row), catalogue::size_text(row.n),
        row.parts.size(), row.parts.size() == 1 ? "" : "s",
        linear_text(row.device_efficiency(), results::median(row.device_ms),
                    slowest(row, &results::RowPart::alone_device_ms), "the devices' clocks"),
        linear_text(row.wall_efficiency(), row.wall_median(),
                    slowest(row, &results::RowPart::alone_wall_ms), "the wall's"));
}

}  // namespace

std::string devices_text(const results::Measurements& measurements) {
    std::vector<std::vector<std::string>> lines{
        {"variant", "n", "device", "name", "its n", "group", "ms", "alone ms", "alone wall ms"}};
    std::string rows;
    for (const results::Row& row : measurements.rows) {
        add_parts(row, lines);
        if (!row.parts.empty()) rows += row_text(row);
    }
    if (rows.empty()) return {};
    return "\nThe devices' parts, all at once and each alone:\n" + table(lines, 4) + rows +
           "The devices have no clock in common: together is the longest of their own times. "
           "Only the wall's\nclock shows whether they took turns; the host's part is in it.\n";
}

}  // namespace lab::cli
