#include <gtest/gtest.h>

#include <array>
#include <ostream>

#include "figures/figures/pass_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"

namespace lab::figures {
namespace {

struct Case {
    std::size_t n;
    std::uint64_t group;
};
void PrintTo(const Case& test_case, std::ostream* out) {
    *out << test_case.n << " in groups of " << test_case.group;
}
class PassFigureSizes : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, PassFigureSizes,
                         testing::Values(Case{1, 1}, Case{2, 1}, Case{5, 64}, Case{6, 4},
                                         Case{8, 4}, Case{16, 4}, Case{32, 8}, Case{64, 16},
                                         Case{64, 2}, Case{65, 8}, Case{128, 2}, Case{1000, 32},
                                         Case{1024, 256}, Case{5000, 2}));

constexpr std::size_t kMostRun = 256;  // elements of a run of the machine

// Two passes a launch, of local memory and of another array.
analysis::StepTable in_launches_of_two(analysis::StepTable table) {
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        analysis::Row& pass = table.rows[row];
        pass.launch = static_cast<int>((row + 1) / 2);
        pass.number = row % 2 == 1 ? 1 : 2;
        pass.array = pass.number == 1 ? "buf" : "out";
        pass.variables.clear();
    }
    return table;
}

TEST_P(PassFigureSizes, NothingOverlapsOrSticksOut) {
    const auto [n, group] = GetParam();
    const machine::Order in_order = machine::order_of(machine::Order::Kind::in_order);
    const std::array tables{
        tree(n, group), partials(n, std::max<std::size_t>(2, group)),
        in_launches_of_two(tree(n, group)),
        run_passes(span_kernel(std::vector<std::int32_t>(std::min(n, kMostRun), 12), group),
                   in_order),
        run_passes(local_kernel(2 * group * (1 + std::min(n, kMostRun) / group), group), in_order)};
    for (const char* language : kLanguages) {
        const Translations tr(language);
        for (const float width : {600.0F, 800.0F, 1000.0F, 1400.0F}) {
            for (const float text_scale : {1.0F, 1.2F}) {
                PassFigureOptions options;
                options.width = width;
                options.text_scale = text_scale;
                options.heading = true;
                options.shown = 3;
                for (const analysis::StepTable& table : tables) {
                    SCOPED_TRACE(
                        fmt::format("{} {} {} {}", language, width, text_scale, table.rows.size()));
                    options.shown = kAllRows;
                    const Scene scene = pass_figure(table, options, test_fonts(), tr);
                    expect_inside(scene);
                    expect_no_text_over_text(scene);
                    options.shown = 2;
                    expect_inside(pass_figure(table, options, test_fonts(), tr));
                }
            }
        }
    }
}

}  // namespace
}  // namespace lab::figures
