#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/problem.h"
#include "figures/chart.h"
#include "figures/measure_charts.h"
#include "support/example_measurements.h"
#include "support/golden.h"
#include "support/shipped_kernels.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::vector<results::DocumentFigure> kFigures{
    {"B", "NVIDIA RTX 4090", "ladder-1-modulo", 1 << 24, 256, {}, 2.5},
    {"D", "not named", "tile", 1 << 20, 64, {}, 1.5},
    {"D", "not named", "tile", 1 << 20, 64, {{"ROUNDS", "7"}}, 1.5},
    {"E", "nowhere", "not-measured", 1 << 20, 64, {}, 1.5}};
const std::vector<results::Datasheet> kSheets{{"H200", 4800, "the maker"}};

class MeasureChartTest : public testing::Test {
  protected:
    Scene draw(const std::vector<results::Measurements>& files, const std::string& chart) {
        options_.chart = chart;
        return measure_chart(files, options_, fonts_, words_);
    }
    Problem problem_of(const std::vector<results::Measurements>& files, const std::string& chart) {
        try {
            draw(files, chart);
        } catch (const Problem& problem) {
            return problem;
        }
        return {};
    }
    void with_all() {
        options_.figures = kFigures;
        options_.datasheets = kSheets;
    }

    static std::vector<std::string> texts(const Scene& scene) {
        std::vector<std::string> all;
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape.what)) all.push_back(text->text);
        return all;
    }
    static std::vector<std::string> tips(const Scene& scene) {
        std::vector<std::string> all;
        for (const Shape& shape : scene.shapes)
            if (!shape.tip.empty()) all.push_back(shape.tip);
        return all;
    }
    static std::size_t hatched(const Scene& scene) {
        std::size_t count = 0;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what))
                count += rect->hatch && rect->stroke.role == Role::race ? 1U : 0U;
        return count;
    }
    // Lines of data in this colour.
    static std::vector<Path> lines(const Scene& scene, Role role) {
        std::vector<Path> found;
        for (const Shape& shape : scene.shapes)
            if (const auto* path = std::get_if<Path>(&shape.what))
                if (path->stroke.role == role && path->stroke.width == 1.75F &&
                    path->points.size() > 2)
                    found.push_back(*path);
        return found;
    }

    const Fonts fonts_;
    const Translations words_{"en"};
    MeasureChartOptions options_;
};

TEST_F(MeasureChartTest, EachLooksAsItDid) {
    with_all();
    for (const char* chart : {"time", "bandwidth", "speedup", "error"})
        expect_golden(draw({example_lesson()}, chart), fmt::format("chart_{}", chart));
    expect_golden(draw({example_groups()}, "groups"), "chart_groups");
    expect_golden(draw({example_lesson(), example_lesson("Another device", 7)}, "bandwidth"),
                  "chart_two_devices");
}

TEST_F(MeasureChartTest, EachHasItsWordsInTheTable) {
    const auto steps = catalogue::gain_steps(catalogue::shipped());
    options_.steps = steps;
    for (const MeasureChart& chart : measure_charts()) {
        EXPECT_TRUE(words_.texts().contains(fmt::format("chart.{}", chart.id))) << chart.id;
        EXPECT_TRUE(words_.texts().contains(fmt::format("chart.{}.short", chart.id))) << chart.id;
        const Scene scene = draw(
            {std::string(chart.id) == "groups" ? example_groups() : example_lesson()}, chart.id);
        EXPECT_THAT(scene.title, Not(HasSubstr("chart.")));
        EXPECT_THAT(scene.description, HasSubstr("NVIDIA H200"));
    }
}

TEST_F(MeasureChartTest, WhatIsWrongIsHatchedAndNeverPartOfALine) {
    const Scene scene = draw({example_lesson()}, "time");
    // Five sizes of span-modulo, its name, and the last size of the serial loop.
    EXPECT_EQ(hatched(scene), 7U);
    EXPECT_THAT(texts(scene), Contains(HasSubstr("(wrong)")));
    EXPECT_THAT(texts(scene), Contains(HasSubstr("(wrong in part)")));
    EXPECT_THAT(texts(scene), Contains(HasSubstr("Hatched: wrong result, not ranked.")));
    const Role wrong = look_of_series(1, 0, 1).role;  // span-modulo is the second
    EXPECT_TRUE(lines(scene, wrong).empty());
    const std::vector<Path> serial = lines(scene, look_of_series(6, 0, 1).role);
    ASSERT_EQ(serial.size(), 1U);
    EXPECT_EQ(serial[0].points.size(), 4U);
}

TEST_F(MeasureChartTest, APartOfTheWorkIsGreyAndSaysSo) {
    const Scene scene = draw({example_lesson()}, "bandwidth");
    EXPECT_EQ(lines(scene, Role::muted).size(), 1U);
    EXPECT_THAT(texts(scene), Contains(HasSubstr("(part of the work)")));
    EXPECT_THAT(texts(scene), Contains(HasSubstr("Grey: right, but not ranked")));
}

TEST_F(MeasureChartTest, SixLinesHaveColoursAndTheOthersAreGrey) {
    const auto ten = [](const std::string& device) {
        std::vector<results::Row> rows;
        for (int i = 1; i <= 10; ++i)
            for (const std::uint64_t n : {1024U, 4096U, 16384U})
                rows.push_back(
                    example_row(fmt::format("k{}.", i), n, static_cast<double>(n) / 1024 / i));
        return example_results(device, rows);
    };
    const auto coloured = [](const Scene& scene) {
        std::vector<Role> roles;
        for (int i = 0; i < 7; ++i) {
            const auto role = static_cast<Role>(static_cast<int>(Role::series_1) + i);
            for (std::size_t line = lines(scene, role).size(); line > 0; --line)
                roles.push_back(role);
        }
        return roles;
    };
    const Scene scene = draw({ten("X")}, "bandwidth");
    EXPECT_THAT(texts(scene), testing::IsSupersetOf({"k10.", "k5."}));
    EXPECT_THAT(texts(scene), Not(Contains("k4.")));
    EXPECT_EQ(lines(scene, Role::idle).size(), 4U);
    const std::vector<Role> roles = coloured(scene);
    EXPECT_EQ(roles.size(), 6U);
    EXPECT_EQ(std::set(roles.begin(), roles.end()).size(), 6U);  // none is used twice
    EXPECT_THAT(texts(scene), Contains(HasSubstr("Grey, without a name: 4 more")));
    EXPECT_THAT(tips(scene), Contains(HasSubstr("k1.\n")));  // which a tip tells
    options_.coloured = {"k1."};
    EXPECT_THAT(texts(draw({ten("X")}, "time")), testing::IsSupersetOf({"k1.", "k10.", "k6."}));
    EXPECT_THAT(texts(draw({ten("X")}, "time")), Not(Contains("k5.")));
    options_.coloured = {"k1.", "k3."};
    options_.most_coloured = 2;
    const auto two = texts(draw({ten("X")}, "bandwidth"));
    EXPECT_THAT(two, testing::IsSupersetOf({"k1.", "k3."}));
    EXPECT_THAT(two, Not(Contains("k10.")));
    // On two devices three kernels, each in one colour.
    options_ = {};
    const Scene both = draw({ten("X"), ten("Y")}, "bandwidth");
    EXPECT_EQ(coloured(both).size(), 6U);
    const std::vector<Role> shared = coloured(both);
    EXPECT_EQ(std::set(shared.begin(), shared.end()).size(), 3U);
}

// Where kernels of one group stop early, that is no size to compare the others at.
TEST_F(MeasureChartTest, TheFastestOfEachDeviceHaveColours) {
    const auto eight = [](const std::string& device, bool last_is_fastest) {
        std::vector<results::Row> rows;
        for (int i = 1; i <= 8; ++i)
            for (const std::uint64_t n : {1024U, 4096U, 16384U})
                rows.push_back(example_row(fmt::format("k{}.", i), n, last_is_fastest ? 9 - i : i));
        for (const std::uint64_t n : {256U, 1024U})
            rows.push_back(example_row("short.", n, 0.001));
        return example_results(device, rows);
    };
    const auto all = texts(draw({eight("X", true), eight("Y", false)}, "bandwidth"));
    EXPECT_THAT(all, testing::IsSupersetOf(
                         {"k6. · X", "k7. · X", "k8. · X", "k1. · Y", "k2. · Y", "k3. · Y"}));
    for (const char* grey : {"k1. · X", "k8. · Y", "short. · X", "short. · Y"})
        EXPECT_THAT(all, Not(Contains(grey)));
}

TEST_F(MeasureChartTest, OnlyWhatIsThereIsExplained) {
    const Scene scene =
        draw({example_results("X", {example_row("tile", 1024, 1), example_row("tile", 2048, 1)})},
             "bandwidth");
    EXPECT_THAT(texts(scene), Contains("Points are medians, bands the quartiles."));
}

TEST_F(MeasureChartTest, TipsTellTheSamplesOrTheirRange) {
    results::Measurements few = example_results("X", {example_row("tile", 1024, 1)});
    EXPECT_THAT(tips(draw({few}, "time")),
                Contains(AllOf(HasSubstr("n = 1 Ki, groups of 256"), HasSubstr("median 1 ms"),
                               HasSubstr("quartiles 960 µs to 1.04 ms"),
                               HasSubstr("5 samples: 920 µs, 960 µs, 1 ms, 1.04 ms, 1.08 ms"),
                               HasSubstr("bound 10⁻⁶"), HasSubstr("right"), HasSubstr("X"))));
    few.rows[0].device_ms.assign(100, 2.0);
    few.rows[0].device_ms[3] = 1.5;
    EXPECT_THAT(tips(draw({few}, "time")), Contains(HasSubstr("100 samples from 1.5 ms to 2 ms")));
    few.rows[0].right = false;
    few.rows[0].result = "27";
    EXPECT_THAT(tips(draw({few}, "time")), Contains(HasSubstr("wrong: 27 for 41")));
}

TEST_F(MeasureChartTest, TheCeilingIsDashedAndTheDatasheetDotted) {
    with_all();
    const Scene scene = draw({example_lesson()}, "bandwidth");
    EXPECT_THAT(texts(scene), Contains(HasSubstr("read ceiling, measured ")));
    EXPECT_THAT(texts(scene), Contains("datasheet 4800 GB/s"));
    const std::vector<Path> ceiling = lines(scene, Role::text);
    ASSERT_EQ(ceiling.size(), 1U);
    EXPECT_EQ(ceiling[0].stroke.dash, Dash::dashed);
}

TEST_F(MeasureChartTest, DocumentsAreInRingsOnlyForWhatIsThere) {
    with_all();
    const Scene scene = draw({example_lesson()}, "time");
    EXPECT_THAT(texts(scene), Contains("Published result (NVIDIA RTX 4090)"));
    EXPECT_THAT(texts(scene), Contains("Published result (hardware not named)"));
    EXPECT_THAT(texts(scene), Not(Contains(HasSubstr("nowhere"))));
    std::size_t told = 0;
    for (const std::string& tip : tips(scene))
        told += tip.find("not measured here") != std::string::npos ? 1U : 0U;
    EXPECT_EQ(told, 2U);
}

TEST_F(MeasureChartTest, ByGroupSizeNoHostLoopNeedsAWord) {
    results::Measurements groups = example_groups();
    results::Row host = example_row("cpu-serial", 1 << 20, 1);
    host.kind = "reference";
    host.device_ms.clear();
    host.group = 0;
    groups.rows.push_back(host);
    EXPECT_THAT(texts(draw({groups}, "groups")), Contains("device time, lower is better"));
}

TEST_F(MeasureChartTest, UnitsAndHardwareAreInTheReadersLanguage) {
    with_all();
    const Translations& russian = translations_in("ru");
    options_.chart = "time";
    const results::Measurements lesson = example_lesson();
    const Scene scene = measure_chart({&lesson, 1}, options_, fonts_, russian);
    EXPECT_THAT(texts(scene), Contains("10 мс"));
    EXPECT_THAT(texts(scene), Contains("Опубликовано (оборудование не названо)"));
}

TEST_F(MeasureChartTest, DocumentsOfFarOtherSizesAreCounted) {
    options_.figures = kFigures;
    const Scene scene = draw({example_results("X", {example_row("tile", 1024, 1)})}, "time");
    EXPECT_THAT(texts(scene),
                Contains(HasSubstr(
                    "Figures from the documents for very different sizes are left out (1)")));
}

TEST_F(MeasureChartTest, DocumentsAreNotBesideOtherWork) {
    options_.figures = kFigures;
    results::Measurements other = example_lesson();
    other.op = "max";
    for (const char* chart : {"time", "bandwidth"}) {
        const Scene scene = draw({other}, chart);
        EXPECT_THAT(texts(scene), Not(Contains(HasSubstr("RTX 4090"))));
        EXPECT_THAT(texts(scene), Contains(HasSubstr("their figures are left out (2)")));
    }
}

TEST_F(MeasureChartTest, SpeedUpsAreAgainstTheLaddersFirstStep) {
    const Scene scene = draw({example_lesson()}, "speedup");
    EXPECT_THAT(scene.title, AllOf(HasSubstr("Step 1: modulo"), HasSubstr("n = 64 Mi")));
    EXPECT_THAT(texts(scene), Contains("1.00×  the baseline"));
    EXPECT_THAT(texts(scene), Contains("1.70×"));
    EXPECT_THAT(texts(scene), Contains("wrong: not ranked"));
    EXPECT_EQ(hatched(scene), 2U);
}

// Whatever else was added has more rows, or larger sizes: what was timed here is not missing.
TEST_F(MeasureChartTest, OneSizeIsOneOfTheFirstDevice) {
    const results::Measurements here =
        example_results("Here", {example_row("tile", 1024, 1), example_row("two-stage", 1024, 2)});
    std::vector<results::Row> rows;
    for (const char* variant : {"ladder-1-modulo", "two-stage", "tile", "local-tree"})
        rows.push_back(example_row(variant, 1U << 20U, 3));
    results::Measurements there = example_results("There", rows);
    const Scene apart = draw({here, there}, "speedup");
    EXPECT_THAT(texts(apart), Contains(HasSubstr("There is left out: it was not measured")));
    there.rows.push_back(example_row("two-stage", 1024, 3));
    EXPECT_THAT(texts(draw({here, there}, "speedup")),
                Not(Contains(HasSubstr("was not measured"))));
}

TEST_F(MeasureChartTest, WithoutTheLadderSpeedUpsAreAgainstTheSlowestThatIsRight) {
    options_.variants = {"tile", "ladder-3-sequential", "span-modulo"};
    EXPECT_THAT(draw({example_lesson()}, "speedup").title, HasSubstr("Step 3"));
    options_.baseline = "tile";
    EXPECT_THAT(draw({example_lesson()}, "speedup").title, HasSubstr("Wide tiles"));
}

TEST_F(MeasureChartTest, MoreBarsThanColoursAreOfOne) {
    const auto colours = [&](std::size_t count) {
        std::vector<results::Row> rows;
        for (std::size_t i = 0; i < count; ++i)
            rows.push_back(example_row(fmt::format("kernel-{}", i), 1024, 1));
        std::multiset<Role> roles;
        for (const Shape& shape : draw({example_results("Here", rows)}, "speedup").shapes)
            if (const auto* bar = std::get_if<Rect>(&shape.what);
                bar != nullptr && bar->fill >= Role::series_1)
                roles.insert(bar->fill);
        return roles;
    };
    const std::multiset<Role> seven = colours(7), eight = colours(8);
    EXPECT_EQ(std::set<Role>(seven.begin(), seven.end()).size(), 7U);
    EXPECT_EQ(std::set<Role>(eight.begin(), eight.end()), std::set<Role>{Role::series_1});
}

TEST_F(MeasureChartTest, BarsOfTwoDevicesHaveTwoLooks) {
    std::vector<results::Row> rows;
    for (std::size_t i = 0; i < 12; ++i)
        rows.push_back(example_row(fmt::format("kernel-{}", i), 1024, 1));
    const Scene scene =
        draw({example_results("Here", rows), example_results("There", rows)}, "speedup");
    std::multiset<Role> roles;
    for (const Shape& shape : scene.shapes)
        if (const auto* bar = std::get_if<Rect>(&shape.what);
            bar != nullptr && bar->radius == 0 && bar->fill >= Role::series_1)
            roles.insert(bar->fill);
    EXPECT_EQ(roles.count(Role::series_1), 12U);
    EXPECT_EQ(roles.count(Role::series_2), 12U);
    EXPECT_THAT(texts(scene),
                Contains("times as fast as “kernel-0” on the same machine, n = 1 Ki; longer is "
                         "better"));
}

TEST_F(MeasureChartTest, ManyBarsStandInTwoColumnsOfOneScale) {
    std::vector<results::Row> rows;
    for (std::size_t i = 0; i < 30; ++i)
        rows.push_back(example_row(fmt::format("kernel-{}", i), 1024, 1));
    options_.size.width = 1000;
    options_.size.height = 470;
    const Scene scene = draw({example_results("Here", rows)}, "speedup");
    EXPECT_LE(scene.height, 500);
    std::map<std::pair<float, float>, std::size_t> bars;  // by left edge and width
    for (const Shape& shape : scene.shapes)
        if (const auto* bar = std::get_if<Rect>(&shape.what);
            bar != nullptr && bar->radius == 0 && bar->fill >= Role::series_1)
            ++bars[{std::round(bar->x), std::round(bar->width)}];
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars.begin()->second, 15U);
    EXPECT_EQ(bars.begin()->first.second, bars.rbegin()->first.second);
}

// Of two columns, long words give way: a factor that is cut would look like another one.
TEST_F(MeasureChartTest, InTwoColumnsNoFigureIsCut) {
    std::vector<results::Row> rows;
    for (std::size_t i = 0; i < 30; ++i) {
        rows.push_back(example_row(fmt::format("kernel-{}", i), 1024, i == 0 ? 12345 : 1));
        rows.back().title = fmt::format("A kernel with a long name, number {}", i);
        rows.back().expect = i == 0 ? "correct" : "races";
    }
    options_.size.width = 900;
    options_.size.height = 470;
    const std::vector<std::string> words = texts(draw({example_results("Here", rows)}, "speedup"));
    std::size_t whole = 0;
    for (const std::string& each : words)
        if (each.find("345") != std::string::npos) ++whole;
    EXPECT_EQ(whole, 29U) << fmt::format("{}", fmt::join(words, "\n"));
}

TEST_F(MeasureChartTest, EachChartAtOneSizeSaysWhatIsTrueOfIt) {
    const auto steps = catalogue::gain_steps(catalogue::shipped());
    options_.steps = steps;
    EXPECT_THAT(draw({example_lesson()}, "speedup").sentence,
                HasSubstr("the largest speed-up is that of"));
    EXPECT_THAT(draw({example_lesson()}, "ladder").sentence,
                HasSubstr("the largest gain is that of"));
    EXPECT_EQ(draw({example_lesson()}, "bandwidth").sentence, "");
}

TEST_F(MeasureChartTest, ABaselineNeedNotBeShown) {
    options_.variants = {"tile"};
    options_.baseline = "ladder-2-strided";
    const Scene scene = draw({example_lesson()}, "speedup");
    EXPECT_THAT(scene.title, HasSubstr("Step 2"));
    EXPECT_THAT(texts(scene), Not(Contains("Step 2: strided index")));
}

TEST_F(MeasureChartTest, AnExactResultStandsOnALineOfItsOwn) {
    const Scene scene = draw({example_lesson()}, "error");
    EXPECT_THAT(texts(scene), Contains("exact"));
    EXPECT_THAT(texts(scene), Not(Contains("not a number")));
    results::Measurements broken = example_lesson();
    broken.rows[2].error = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(texts(draw({broken}, "error")), Contains("not a number"));
}

TEST_F(MeasureChartTest, TheBoundsAreThoseOfWholeReductions) {
    std::vector<results::Row> rows;
    for (const char* variant : {"a", "b", "c", "d", "e", "f", "one-pass"})
        rows.push_back(example_row(variant, 1024, 1));
    rows[1].bound = 1e-3;
    rows.back().expect = "partial";
    rows.back().bound = 6e-8;
    const Scene scene = draw({example_results("X", rows)}, "error");
    EXPECT_THAT(tips(scene), Contains("least bound\n10⁻⁶"));
    EXPECT_THAT(tips(scene), Contains("greatest bound\n10⁻³"));
}

TEST_F(MeasureChartTest, AllExactResultsNeedNoScale) {
    results::Row row = example_row("tile", 1024, 1);
    row.error = row.bound = 0;
    const Scene scene = draw({example_results("X", {row})}, "error");
    EXPECT_THAT(texts(scene), Contains("exact"));
    EXPECT_THAT(texts(scene), Not(Contains("10")));
}

TEST_F(MeasureChartTest, FilesOfOneDeviceAreOne) {
    results::Measurements rest =
        example_results("NVIDIA H200", {example_row("peer-cub", 1 << 20, 0.01)});
    results::Measurements first = example_lesson();
    const Scene scene = draw({first, rest}, "time");
    EXPECT_THAT(texts(scene), Contains("peer-cub"));
    EXPECT_THAT(texts(scene), Contains("Wide tiles"));
}

TEST_F(MeasureChartTest, ColdAndWarmAreTwoLines) {
    std::vector<results::Row> rows;
    for (const std::uint64_t n : {1024U, 2048U})
        for (const char* cache : {"cold", "warm"}) {
            rows.push_back(example_row("tile", n, *cache == 'c' ? 2 : 1));
            rows.back().cache = cache;
        }
    const Scene scene = draw({example_results("X", rows)}, "time");
    EXPECT_THAT(texts(scene), Contains("Wide tiles"));
    EXPECT_THAT(texts(scene), Contains("Wide tiles · warm"));
    EXPECT_THAT(tips(scene), Not(Contains(HasSubstr("· groups of"))));
}

TEST_F(MeasureChartTest, DevicesAreToldApart) {
    const Scene scene = draw({example_lesson(), example_lesson("Another")}, "time");
    EXPECT_THAT(texts(scene), Contains("Wide tiles · NVIDIA H200"));
    EXPECT_THAT(texts(scene), Contains("Wide tiles · Another"));
    EXPECT_THAT(tips(scene), Contains(HasSubstr("CPU: serial loop · Example of Another")));
    results::Measurements twin = example_lesson();
    EXPECT_THAT(texts(draw({example_lesson(), twin}, "time")),
                Contains(HasSubstr("Wide tiles · NVIDIA H200, Example of NVIDIA H200 (2)")));
    EXPECT_THAT(tips(draw({example_lesson(), twin}, "time")),
                Contains(HasSubstr("CPU: serial loop · NVIDIA H200, Example of NVIDIA H200 (2)")));
}

TEST_F(MeasureChartTest, DifferentWorkIsNeverMixed) {
    results::Measurements other = example_lesson("Another");
    other.type = "int";
    const Problem problem = problem_of({example_lesson(), other}, "time");
    EXPECT_THAT(problem.why, HasSubstr("add of float, and add of int"));
}

TEST_F(MeasureChartTest, WhatEndedEarlySaysSo) {
    results::Measurements part = example_lesson();
    part.complete = false;
    EXPECT_THAT(texts(draw({part}, "time")), Contains(HasSubstr("Stopped early on NVIDIA H200")));
}

TEST_F(MeasureChartTest, WhatHasNoTimeIsCounted) {
    results::Measurements part = example_lesson();
    part.rows[3].device_ms.assign(3, 0.0);
    for (const char* chart : {"time", "bandwidth"})
        EXPECT_THAT(texts(draw({part}, chart)),
                    Contains(HasSubstr("without a time are left out (1).")));
}

TEST_F(MeasureChartTest, NothingToDrawSaysWhatToDo) {
    EXPECT_THAT(problem_of({example_results("X", {})}, "time").hint, HasSubstr("measure"));
    EXPECT_THAT(problem_of({example_lesson()}, "groups").hint, HasSubstr("--group"));
    EXPECT_THAT(problem_of({example_lesson()}, "groups").why, Not(HasSubstr("n = 0")));
    options_.n = 1 << 12;
    EXPECT_THAT(problem_of({example_lesson()}, "groups").why, HasSubstr("n = 4 Ki"));
    options_.n.reset();
    results::Measurements untimed = example_lesson();
    for (results::Row& row : untimed.rows)
        row.device_ms.clear(), row.wall_ms.clear();
    options_.figures = kFigures;
    EXPECT_THAT(problem_of({untimed}, "time").what_happened, HasSubstr("nothing to draw"));
    options_.figures = {};
    EXPECT_THAT(problem_of({example_lesson()}, "pie").hint, HasSubstr("bandwidth"));
    options_.n = 77;
    EXPECT_THAT(problem_of({example_lesson()}, "speedup").hint, HasSubstr("64 Mi"));
    options_.n.reset();
    options_.baseline = "span-modulo";
    EXPECT_THAT(problem_of({example_lesson()}, "speedup").hint, HasSubstr("tile"));
    options_.variants = {"nothing"};
    EXPECT_THAT(problem_of({example_lesson()}, "time").hint, HasSubstr("ladder-1-modulo"));
}

TEST_F(MeasureChartTest, TheUsualChartFitsTheSizes) {
    EXPECT_EQ(usual_chart(std::vector{example_lesson()}), "bandwidth");
    EXPECT_EQ(usual_chart(std::vector{example_results("X", {example_row("tile", 1024, 1)})}),
              "speedup");
    EXPECT_EQ(usual_chart(std::vector{example_groups()}), "groups");
    results::Row wrong = example_row("span-modulo", 1024, 1);
    wrong.right = false;
    EXPECT_EQ(usual_chart(std::vector{example_results("X", {wrong})}), "bandwidth");
    // Each device has the size that suits it: that is not to be compared.
    results::Row other = example_row("tile", 1024, 1);
    other.group = 1;
    EXPECT_EQ(usual_chart(std::vector{example_results("X", {example_row("tile", 1024, 1)}),
                                      example_results("Y", {other})}),
              "speedup");
}

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

catalogue::GainStep step_of(const std::string& id, const std::string& after, double gpu, double cpu,
                            std::map<std::string, std::string> set = {}) {
    catalogue::GainStep step{id, {}};
    step.gain.after = after;
    step.gain.predicted = {{"cpu", cpu}, {"gpu", gpu}};
    step.gain.set = std::move(set);
    step.gain.why = "Because of " + id + ".";
    return step;
}

const std::vector<catalogue::GainStep> kSteps{
    step_of("ladder-2-strided", "ladder-1-modulo", 2.7, 1),
    step_of("ladder-3-sequential", "ladder-2-strided", 1.2, 1),
    step_of("ladder-4-first-add", "ladder-3-sequential", 1.9, 1.8),
    step_of("ladder-5-unrolled", "ladder-4-first-add", 1.4, 1, {{"SYNC", "barrier"}}),
    step_of("two-stage", "ladder-4-first-add", 0.2, 2),
    step_of("tile", "two-stage", 12, 16)};

results::Measurements ladder(const std::string& device, const std::string& kind, std::uint64_t n,
                             double slower = 1) {
    std::vector<results::Row> rows;
    const auto add = [&](const char* variant, double ms) -> results::Row& {
        return rows.emplace_back(example_row(variant, n, slower * ms));
    };
    add("ladder-1-modulo", 2.8);
    add("ladder-2-strided", 1.6);
    add("ladder-3-sequential", 1.3);
    add("ladder-4-first-add", 0.7);
    add("ladder-5-unrolled", 0.6).set["SYNC"] = "barrier";
    add("two-stage", 1.5);
    add("tile", 0.25);
    results::Measurements measurements = example_results(device, std::move(rows));
    measurements.device.kind = kind;
    return measurements;
}

results::Row& row_of(results::Measurements& measurements, const std::string& variant) {
    return *std::find_if(measurements.rows.begin(), measurements.rows.end(),
                         [&](const results::Row& row) { return row.variant == variant; });
}

class LadderChartTest : public testing::Test {
  protected:
    LadderChartTest() {
        options_.chart = "ladder";
        options_.steps = kSteps;
    }
    Scene draw(const std::vector<results::Measurements>& files, const char* language = "en") {
        return measure_chart(files, options_, fonts_, translations_in(language));
    }
    Problem problem_of(const std::vector<results::Measurements>& files) {
        try {
            (void)draw(files);
        } catch (const Problem& problem) {
            return problem;
        }
        return {};
    }
    static std::vector<std::string> texts(const Scene& scene) {
        std::vector<std::string> all;
        for (const Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<Text>(&shape.what)) all.push_back(text->text);
        return all;
    }
    // For the bars, from the top.
    static std::vector<Rect> bars(const Scene& scene) {
        std::vector<Rect> found;
        for (const Shape& shape : scene.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what))
                if (rect->fill >= Role::series_1 && rect->fill <= Role::series_7 &&
                    rect->radius == 0 && rect->height > 11)
                    found.push_back(*rect);
        return found;
    }
    static std::size_t hatched(const Scene& scene) {
        return static_cast<std::size_t>(
            std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
                const auto* rect = std::get_if<Rect>(&shape.what);
                return rect != nullptr && rect->hatch && rect->stroke.role == Role::race;
            }));
    }
    static std::size_t diamonds(const Scene& scene) {
        return static_cast<std::size_t>(
            std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
                const auto* path = std::get_if<Path>(&shape.what);
                return path != nullptr && path->fill == Role::panel && path->points.size() == 4 &&
                       path->stroke.role == Role::text;
            }));
    }

    const Fonts fonts_;
    MeasureChartOptions options_;
};

TEST_F(LadderChartTest, LooksAsItDid) {
    const results::Measurements one = ladder("NVIDIA H200", "GPU", 1 << 28);
    expect_golden(draw({one}), "chart_ladder");
    expect_golden(draw({one, ladder("A processor", "CPU", 1 << 24, 40)}),
                  "chart_ladder_two_devices");
}

TEST_F(LadderChartTest, EachStepHasItsFactorAndThePrediction) {
    const Scene scene = draw({ladder("NVIDIA H200", "GPU", 1 << 28)});
    EXPECT_THAT(scene.title, HasSubstr("n = 256 Mi"));
    EXPECT_THAT(texts(scene), Contains("1.75×  predicted 2.7×"));
    EXPECT_THAT(texts(scene), Contains("1.23×  predicted 1.2×"));
    EXPECT_THAT(texts(scene), Contains("1.17×  predicted 1.4×"));
    EXPECT_THAT(texts(scene), Contains("Step 5: last warp unrolled SYNC=barrier"));
    EXPECT_THAT(texts(scene), Contains(HasSubstr("the first step, 383")));
    // Not after the bar above it.
    EXPECT_THAT(texts(scene),
                Contains("0.467×  predicted 0.2×  after “Step 4: add while loading”"));
    EXPECT_EQ(diamonds(scene), kSteps.size());
}

TEST_F(LadderChartTest, WhatIsSlowerGoesToTheLeftAndAsFarAsWhatIsFaster) {
    results::Measurements results = ladder("X", "GPU", 1 << 20);
    row_of(results, "ladder-2-strided").device_ms.assign(3, 1.0);
    row_of(results, "ladder-1-modulo").device_ms.assign(3, 4.0);
    row_of(results, "ladder-3-sequential").device_ms.assign(3, 4.0);
    const auto drawn = bars(draw({results}));
    ASSERT_GE(drawn.size(), 3U);
    const Rect &base = drawn[0], &up = drawn[1], &down = drawn[2];
    EXPECT_NEAR(up.x, base.x, 0.01);
    EXPECT_NEAR(down.x + down.width, up.x, 0.01);
    EXPECT_NEAR(up.width, down.width, 0.01);  // four times as fast, and a quarter
    EXPECT_GT(up.width, 20);
}

TEST_F(LadderChartTest, EachKindOfDeviceHasItsOwnPredictionAndSize) {
    const Scene scene =
        draw({ladder("NVIDIA H200", "GPU", 1 << 28), ladder("A processor", "CPU", 1 << 24, 40)});
    EXPECT_THAT(scene.title, HasSubstr("n = 16 Mi, 256 Mi"));
    EXPECT_THAT(texts(scene), Contains("NVIDIA H200 · n = 256 Mi"));
    EXPECT_THAT(texts(scene), Contains("A processor · n = 16 Mi"));
    EXPECT_THAT(texts(scene), Contains("1.75×  predicted 2.7×"));
    EXPECT_THAT(texts(scene), Contains("1.75×  predicted 1×"));
    EXPECT_EQ(bars(scene).size(), 14U);
}

TEST_F(LadderChartTest, OfAnotherKindNothingIsPredicted) {
    const Scene scene = draw({ladder("An accelerator", "accelerator", 1 << 20)});
    EXPECT_THAT(texts(scene), Contains("1.75×"));
    EXPECT_THAT(texts(scene), Not(Contains(HasSubstr("predicted"))));
    EXPECT_EQ(diamonds(scene), 0U);
}

TEST_F(LadderChartTest, WhatIsWrongIsHatchedAndGivesNoFactor) {
    results::Measurements results = ladder("X", "GPU", 1 << 20);
    row_of(results, "ladder-3-sequential").right = false;
    const Scene scene = draw({results});
    EXPECT_EQ(hatched(scene), 1U);
    EXPECT_EQ(bars(scene).size(), 5U);
    EXPECT_THAT(texts(scene), Contains(HasSubstr("wrong: not ranked")));
    EXPECT_THAT(texts(scene), Contains(AllOf(HasSubstr("no factor: “Step 3: sequential cells”"),
                                             HasSubstr("predicted 1.9×"))));
    EXPECT_THAT(texts(scene), Contains(HasSubstr("Hatched: wrong result")));
}

TEST_F(LadderChartTest, WhatRacesIsToldAndGivesNoFactor) {
    results::Measurements results = ladder("X", "GPU", 1 << 20);
    results::Row& row = row_of(results, "ladder-5-unrolled");
    row.set.clear();
    row.expect = "races";
    const Scene scene = draw({results});
    EXPECT_THAT(texts(scene), Contains("races: not ranked"));  // nor predicted
    EXPECT_THAT(texts(scene), Contains("Step 5: last warp unrolled"));
    EXPECT_EQ(hatched(scene), 0U);
    EXPECT_EQ(bars(scene).size(), 6U);
}

TEST_F(LadderChartTest, OnlyChosenStepsAreShownBesideWhatTheyComeAfter) {
    options_.variants = {"tile"};
    const Scene scene = draw({ladder("X", "GPU", 1 << 20)});
    EXPECT_EQ(bars(scene).size(), 1U);
    EXPECT_THAT(texts(scene), Contains("Wide tiles"));
    EXPECT_THAT(texts(scene), Contains("6.00×  predicted 12×"));
    EXPECT_THAT(texts(scene), Not(Contains("Step 1: modulo")));
}

TEST_F(LadderChartTest, ADeviceWithoutStepsIsLeftOutAndNamed) {
    const results::Measurements other =
        example_results("Another", {example_row("ladder-1-modulo", 1 << 20, 1)});
    const Scene scene = draw({ladder("X", "GPU", 1 << 20), other});
    EXPECT_THAT(texts(scene), Contains(HasSubstr("Another is left out: no step")));
}

TEST_F(LadderChartTest, NothingToDrawSaysWhatToMeasure) {
    const auto only = example_results("X", {example_row("ladder-1-modulo", 1 << 20, 1)});
    EXPECT_THAT(problem_of({only}).hint, HasSubstr("ladder-1-modulo,ladder-2-strided"));
    options_.n = 77;
    EXPECT_THAT(problem_of({ladder("X", "GPU", 1 << 20)}).why, HasSubstr("n = 77"));
    options_.n.reset();
    options_.steps = {};
    EXPECT_THAT(problem_of({ladder("X", "GPU", 1 << 20)}).what_happened, HasSubstr("ladder"));
}

TEST_F(LadderChartTest, TipsTellWhy) {
    const Scene scene = draw({ladder("X", "GPU", 1 << 20)});
    EXPECT_TRUE(std::any_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
        return shape.tip.find("instead of 2020") != std::string::npos;
    }));
}

TEST_F(LadderChartTest, NoWordsOverlapInAnyLanguageOrSize) {
    const std::vector<results::Measurements> files{ladder("NVIDIA H200", "GPU", 1 << 28),
                                                   ladder("A processor", "CPU", 1 << 24, 40)};
    for (const char* language : {"en", "zh", "ru"})
        for (const float width : {600.0F, 1000.0F, 1600.0F})
            for (const float text_scale : {1.0F, 1.4F}) {
                options_.size = {width, 600, text_scale, true};
                const Scene scene = draw(files, language);
                std::vector<Box> boxes;
                for (const Shape& shape : scene.shapes)
                    if (const auto* text = std::get_if<Text>(&shape.what)) {
                        const float w = fonts_.text_width(text->text, text->size, text->face);
                        const float x = text->anchor == Anchor::middle ? text->x - w / 2 : text->x;
                        boxes.push_back({x, text->y - text->size * 0.7F, x + w, text->y});
                        EXPECT_LE(x + w, scene.width) << text->text << " " << language;
                        EXPECT_GE(x, 0) << text->text;
                    }
                for (std::size_t i = 0; i < boxes.size(); ++i)
                    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
                        const bool apart =
                            boxes[i].right <= boxes[j].left || boxes[j].right <= boxes[i].left ||
                            boxes[i].bottom <= boxes[j].top || boxes[j].bottom <= boxes[i].top;
                        EXPECT_TRUE(apart)
                            << i << " and " << j << " in " << language << " at " << width;
                    }
            }
}

}  // namespace
}  // namespace lab::figures
