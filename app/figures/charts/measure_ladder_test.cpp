#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/problem.h"
#include "figures/charts/measure_charts.h"
#include "support/example_measurements.h"
#include "support/golden.h"

namespace lab::figures {
namespace {

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
        return measure_chart(files, options_, fonts_, Translations(language));
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
