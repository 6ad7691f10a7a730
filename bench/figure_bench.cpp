// How long figures take to lay out and to write: the step view's by the number of elements, charts
// by the number of samples a row.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "figures/font.h"
#include "figures/measure_charts.h"
#include "figures/painters/save.h"
#include "figures/pass_figure.h"
#include "figures/scene.h"

namespace lab {
namespace {

// The passes of `relaunch` over 1, 1, 1, …: pass k adds what lies 2^(k-1) to the right.
analysis::StepTable tree(std::uint32_t n) {
    analysis::StepTable table;
    table.n = n;
    table.group = 64;
    table.rows.push_back({});
    table.rows[0].cells.assign(n, analysis::Cell{{1U}, false, {}, -1});
    for (std::uint32_t span = 2; span < 2 * n; span *= 2) {
        analysis::Row pass{
            static_cast<int>(table.rows.size()), "", n, 64, table.rows.back().cells, true};
        for (analysis::Cell& cell : pass.cells)
            cell = {cell.value, false, {}, -1};
        for (std::uint32_t i = 0; i + span / 2 < n; i += span)
            pass.cells[i] = {{span}, true, {i, i + span / 2}, i};
        table.rows.push_back(std::move(pass));
    }
    table.result = table.expected = std::to_string(n);
    table.right = true;
    return table;
}

void layout(benchmark::State& state) {
    const analysis::StepTable table = tree(static_cast<std::uint32_t>(state.range(0)));
    const figures::Fonts fonts;
    const Translations words("en");
    for (auto _ : state)
        benchmark::DoNotOptimize(figures::pass_figure(table, {}, fonts, words).shapes.size());
}
BENCHMARK(layout)->Arg(8)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

void write_svg(benchmark::State& state) {
    const figures::Fonts fonts;
    const figures::Palette palette = figures::load_palette("light");
    const figures::Scene scene = figures::pass_figure(
        tree(static_cast<std::uint32_t>(state.range(0))), {}, fonts, Translations("en"));
    for (auto _ : state)
        benchmark::DoNotOptimize(figures::svg(scene, palette).size());
}
BENCHMARK(write_svg)->Arg(8)->Arg(1024)->Unit(benchmark::kMillisecond);

// 27 variants at 17 sizes.
results::Measurements large_results(std::size_t samples) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(0.9, 1.1);
    results::Measurements measurements;
    measurements.device.name = "NVIDIA H200";
    measurements.op = "add";
    measurements.type = "float";
    measurements.input = "random:1";
    measurements.complete = true;
    for (int variant = 0; variant < 27; ++variant)
        for (std::uint64_t n = 1 << 10; n <= 1 << 26; n *= 2) {
            results::Row& row = measurements.rows.emplace_back();
            row.variant = "variant-" + std::to_string(variant);
            row.title = "Variant number " + std::to_string(variant);
            row.n = n;
            row.group = 256;
            row.launches = 1;
            row.bytes = 4 * n;
            row.cache = "cold";
            row.right = true;
            row.error = 1e-8;
            row.bound = 1e-6;
            const double ms = 0.005 + static_cast<double>(n) * (1 + variant) * 1e-8;
            for (std::size_t i = 0; i < samples; ++i)
                row.device_ms.push_back(ms * part(random));
        }
    return measurements;
}

// Expected before it was first run: 4 ms with 30 samples a row, for 459 points with a tip of eight
// lines each take about 5 us; 10 ms with 300, for sorting those takes 10 us more a row.
void lay_out_chart(benchmark::State& state, const char* chart) {
    const std::vector results{large_results(static_cast<std::size_t>(state.range(0)))};
    const figures::Fonts fonts;
    const Translations words("en");
    figures::MeasureChartOptions options;
    options.chart = chart;
    for (auto _ : state)
        benchmark::DoNotOptimize(
            figures::measure_chart(results, options, fonts, words).shapes.size());
}
BENCHMARK_CAPTURE(lay_out_chart, time, "time")->Arg(30)->Arg(300)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out_chart, bandwidth, "bandwidth")->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out_chart, speedup, "speedup")->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out_chart, error, "error")->Arg(30)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
