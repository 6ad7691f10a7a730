// How long the step view's figure takes to lay out and to write, by the number of elements.
#include <benchmark/benchmark.h>

#include "draw/font.h"
#include "draw/palette.h"
#include "draw/pass_figure.h"
#include "draw/svg.h"

namespace lab {
namespace {

// The passes of `relaunch` over 1, 1, 1, …: pass k adds what lies 2^(k-1) to the right.
Passes tree(std::uint32_t n) {
    Passes made;
    made.n = n;
    made.group = 64;
    made.passes.push_back({});
    made.passes[0].cells.assign(n, Cell{"1", false, {}, -1});
    for (std::uint32_t span = 2; span < 2 * n; span *= 2) {
        Pass pass{static_cast<int>(made.passes.size()), "", n, 64, made.passes.back().cells, true};
        for (Cell& cell : pass.cells)
            cell = {cell.value, false, {}, -1};
        for (std::uint32_t i = 0; i + span / 2 < n; i += span)
            pass.cells[i] = {std::to_string(span), true, {i, i + span / 2}, i};
        made.passes.push_back(std::move(pass));
    }
    made.result = made.expected = std::to_string(n);
    made.right = true;
    return made;
}

void layout(benchmark::State& state) {
    const Passes passes = tree(static_cast<std::uint32_t>(state.range(0)));
    const draw::Fonts fonts;
    const Translations words("en");
    for (auto _ : state)
        benchmark::DoNotOptimize(draw::pass_figure(passes, {}, fonts, words).shapes.size());
}
BENCHMARK(layout)->Arg(8)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

void write_svg(benchmark::State& state) {
    const draw::Fonts fonts;
    const draw::Palette palette = draw::load_palette("light");
    const draw::Scene scene = draw::pass_figure(tree(static_cast<std::uint32_t>(state.range(0))),
                                                {}, fonts, Translations("en"));
    for (auto _ : state)
        benchmark::DoNotOptimize(draw::svg(scene, palette).size());
}
BENCHMARK(write_svg)->Arg(8)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lab

BENCHMARK_MAIN();
