#include "figures/charts/measure_charts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/problem.h"
#include "figures/plot/series_names.h"
#include "support/example_measurements.h"
#include "support/golden.h"
#include "support/shipped_kernels.h"

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
    const Translations russian("ru");
    options_.chart = "time";
    const results::Measurements lesson = example_lesson();
    const Scene scene = measure_chart({&lesson, 1}, options_, fonts_, russian);
    EXPECT_THAT(texts(scene), Contains("10 мс"));
    EXPECT_THAT(texts(scene), Contains("Опубликовано (оборудование не названо)"));
}

TEST_F(MeasureChartTest, DocumentsOfFarOtherSizesAreCounted) {
    options_.figures = kFigures;
    const Scene scene = draw({example_results("X", {example_row("tile", 1024, 1)})}, "time");
    EXPECT_THAT(texts(scene), Contains(HasSubstr("figures of far other sizes are left out (1)")));
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
    EXPECT_THAT(texts(scene), Not(Contains("no number")));
    results::Measurements broken = example_lesson();
    broken.rows[2].error = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(texts(draw({broken}, "error")), Contains("no number"));
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
    EXPECT_THAT(texts(scene), Contains(HasSubstr("CPU: serial loop · Example of Another")));
    results::Measurements twin = example_lesson();
    EXPECT_THAT(texts(draw({example_lesson(), twin}, "time")),
                Contains(HasSubstr("Wide tiles · NVIDIA H200, Example of NVIDIA H200 (2)")));
    EXPECT_THAT(texts(draw({example_lesson(), twin}, "time")),
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

}  // namespace
}  // namespace lab::figures
