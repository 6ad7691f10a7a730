#include "cli/reports/kernel_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/reports/report.h"

namespace lab::cli {

std::string text_of(const simulation::UserKernelResult& result) {
    constexpr std::size_t kMostShown = 64;
    std::string text = result.table.rows.size() > 1 ? cli::text_of(result.table) : std::string();
    for (const auto& buffer : result.buffers) {
        const std::size_t shown = std::min(buffer.values.size(), kMostShown);
        text +=
            fmt::format("{} ({}[{}]){}: {}{}\n", buffer.name, buffer.type, buffer.values.size(),
                        buffer.written ? "" : ", unchanged",
                        fmt::join(buffer.values.begin(),
                                  buffer.values.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                        shown < buffer.values.size() ? " …" : "");
    }
    return text;
}

}  // namespace lab::cli
