#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/chart.h"
#include "figures/measure_charts.h"
#include "support/example_measurements.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;

TEST(Ticks, SayWhatPeopleSay) {
    EXPECT_EQ(tick_text(Unit::elements, 1 << 16), "64 Ki");
    EXPECT_EQ(tick_text(Unit::elements, 1000), "1000");
    EXPECT_EQ(tick_text(Unit::seconds, 2e-5), "20 µs");
    EXPECT_EQ(tick_text(Unit::seconds, 1e-3), "1 ms");
    EXPECT_EQ(tick_text(Unit::seconds, 1), "1 s");
    EXPECT_EQ(tick_text(Unit::seconds, 5e-10), "0.5 ns");
    EXPECT_EQ(tick_text(Unit::plain, 0.05), "0.05");
    EXPECT_EQ(tick_text(Unit::plain, 10000), "10000");
    EXPECT_EQ(tick_text(Unit::plain, 5e-5), "0.00005");
    EXPECT_EQ(tick_text(Unit::plain, 0), "0");
    EXPECT_EQ(tick_text(Unit::powers, 1e-7), "10⁻⁷");
    EXPECT_EQ(tick_text(Unit::powers, 2e-12), "2·10⁻¹²");
}

TEST(Ticks, TimesHaveTheUnitThatKeepsThemShort) {
    EXPECT_EQ(seconds_text(0.9999e-3), "1 ms");
    EXPECT_EQ(seconds_text(999e-6), "999 µs");
    EXPECT_EQ(seconds_text(1.2345), "1.23 s");
    EXPECT_EQ(seconds_text(4928.176), "4928 s");
}

TEST(Ticks, PowersOfTwoComeInStepsThatDivide) {
    const auto choices = tick_choices(Scale::log2, {1024, 1 << 26});
    EXPECT_EQ(choices.front().size(), 17U);
    EXPECT_THAT(choices, Contains(ElementsAre(1 << 10, 1 << 20)));
    EXPECT_THAT(choices, Contains(ElementsAre(1 << 12, 1 << 16, 1 << 20, 1 << 24)));
}

TEST(Ticks, ANarrowRangeOfLogarithmsHasEvenSteps) {
    const auto choices = tick_choices(Scale::log10, {20, 35});
    EXPECT_GE(choices.front().size(), 3U);
    EXPECT_THAT(choices, Contains(ElementsAre(20, 25, 30, 35)));
}

TEST(Ticks, LieWithinTheRangeAndGetFewer) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-12, 6), span(0.05, 9);
    for (int i = 0; i < 300; ++i)
        for (const Scale scale : {Scale::linear, Scale::log2, Scale::log10}) {
            Range range;
            range.low = std::pow(10, exponent(random));
            range.high = range.low * std::pow(10, span(random));
            for (const auto& choice : tick_choices(scale, range)) {
                EXPECT_LE(choice.size(), 64U);
                EXPECT_TRUE(std::is_sorted(choice.begin(), choice.end()));
                EXPECT_GE(choice.front(), range.low * (1 - 1e-6));
                EXPECT_LE(choice.back(), range.high * (1 + 1e-6));
            }
        }
}

TEST(Ticks, ARangeHoldsItsValuesAndIsNeverEmpty) {
    const double infinity = std::numeric_limits<double>::infinity();
    const Range one = range_of(Scale::log10, {5});
    EXPECT_LT(one.low, 5);
    EXPECT_GT(one.high, 5);
    EXPECT_NEAR(part_of(Scale::log10, one, 5), 0.5, 1e-12);
    const Range some = range_of(Scale::log10, {0, -3, infinity, 1, 1000});
    EXPECT_EQ(some.low, 1);
    EXPECT_EQ(some.high, 1000);
    EXPECT_NEAR(part_of(Scale::log10, some, 10), 1.0 / 3, 1e-12);
    const Range none = range_of(Scale::log2, {});
    EXPECT_LT(none.low, none.high);
    const Range flat = range_of(Scale::linear, {3, 3});
    EXPECT_LT(flat.low, 3);
    EXPECT_GT(flat.high, 3);
}

using testing::ElementsAre;
using testing::FloatNear;

TEST(Spread, WhatHasRoomStays) {
    EXPECT_THAT(spread({50, 10, 90}, 10, 0, 100), ElementsAre(50, 10, 90));
}

TEST(Spread, NeighboursMoveApartEvenly) {
    EXPECT_THAT(spread({50, 50}, 10, 0, 100), ElementsAre(45, 55));
    EXPECT_THAT(spread({50, 52, 54}, 10, 0, 100),
                ElementsAre(FloatNear(42, 1e-3F), FloatNear(52, 1e-3F), FloatNear(62, 1e-3F)));
}

TEST(Spread, TheEdgesHold) {
    EXPECT_THAT(spread({0, 0}, 10, 0, 100), ElementsAre(0, 10));
    EXPECT_THAT(spread({100, 100}, 10, 0, 100), ElementsAre(90, 100));
}

TEST(Spread, KeepsOrderAndDistanceWhateverIsWanted) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> wish(-50, 450);
    for (int round = 0; round < 200; ++round) {
        std::vector<float> wanted(1 + random() % 40);
        for (float& each : wanted)
            each = wish(random);
        const std::vector<float> placed = spread(wanted, 10, 0, 400);
        ASSERT_EQ(placed.size(), wanted.size());
        std::vector<float> sorted = placed;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_GE(sorted.front(), -1e-3F);
        EXPECT_LE(sorted.back(), 400 + 1e-3F);
        for (std::size_t i = 1; i < sorted.size(); ++i)
            EXPECT_GE(sorted[i] - sorted[i - 1], 10 - 1e-3F);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            for (std::size_t j = 0; j < wanted.size(); ++j)
                if (wanted[i] < wanted[j]) {
                    EXPECT_LT(placed[i], placed[j]);
                }
    }
}

// No small move of any one label that keeps the distances comes nearer to what is wanted.
TEST(Spread, IsAsNearAsCanBe) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> wish(0, 100);
    for (int round = 0; round < 100; ++round) {
        std::vector<float> wanted(8);
        for (float& each : wanted)
            each = wish(random);
        std::sort(wanted.begin(), wanted.end());
        const std::vector<float> placed = spread(wanted, 10, 0, 200);
        for (std::size_t first = 0; first < wanted.size(); ++first)
            for (std::size_t last = first; last < wanted.size(); ++last)
                for (const float move : {-0.1F, 0.1F}) {
                    std::vector<float> moved = placed;
                    for (std::size_t i = first; i <= last; ++i)
                        moved[i] += move;
                    bool allowed = moved.front() >= 0 && moved.back() <= 200;
                    for (std::size_t i = 1; i < moved.size(); ++i)
                        allowed = allowed && moved[i] - moved[i - 1] >= 10;
                    if (!allowed) continue;
                    const auto cost = [&](const std::vector<float>& values) {
                        double sum = 0;
                        for (std::size_t i = 0; i < values.size(); ++i)
                            sum += std::pow(double(values[i]) - double(wanted[i]), 2);
                        return sum;
                    };
                    EXPECT_GE(cost(moved), cost(placed) - 1e-2);
                }
    }
}

TEST(Markers, FortyNineThingsOnOneDeviceAreAllDifferent) {
    std::set<std::pair<Role, Marker>> looks;
    for (std::size_t i = 0; i < 49; ++i) {
        const SeriesLook look = look_of_series(i, 0, 1);
        EXPECT_TRUE(looks.insert({look.role, look.marker}).second) << i;
    }
}

TEST(Markers, NeighboursDifferInColourAndShape) {
    for (std::size_t i = 1; i < 49; ++i) {
        const SeriesLook one = look_of_series(i - 1, 0, 1), other = look_of_series(i, 0, 1);
        EXPECT_NE(one.role, other.role);
        EXPECT_NE(one.marker, other.marker);
    }
}

TEST(Markers, SeveralDevicesHaveAShapeEachAndThingsTheirColour) {
    std::set<std::pair<Role, Marker>> looks;
    for (std::size_t thing = 0; thing < 28; ++thing)
        for (std::size_t device = 0; device < 3; ++device) {
            const SeriesLook look = look_of_series(thing, device, 3);
            EXPECT_EQ(look.role, look_of_series(thing, 0, 3).role);
            EXPECT_TRUE(looks.insert({look.role, look.marker}).second) << thing << " " << device;
        }
    EXPECT_EQ(look_of_series(0, 1, 3).marker, look_of_series(6, 1, 3).marker);
    EXPECT_NE(look_of_series(0, 0, 3).marker, look_of_series(0, 1, 3).marker);
}

TEST(Markers, EachShapeIsDrawnWithinItsSquare) {
    for (std::size_t marker = 0; marker < static_cast<std::size_t>(Marker::count_); ++marker) {
        Scene scene;
        add_marker(scene, {50, 50}, 4, {Role::series_1, static_cast<Marker>(marker)});
        EXPECT_FALSE(scene.shapes.empty());
        for (const Shape& shape : scene.shapes)
            if (const auto* path = std::get_if<Path>(&shape.what)) {
                for (const Point& p : path->points) {
                    EXPECT_NEAR(p.x, 50, 5.2) << marker;
                    EXPECT_NEAR(p.y, 50, 5.2) << marker;
                }
            }
    }
}

}  // namespace

// Whatever is measured: no words of a chart overlap, and nothing is outside of it.
namespace {

class ChartLayout : public testing::Test {
  protected:
    double chance(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    std::uint64_t whole(std::uint64_t low, std::uint64_t high) {
        return std::uniform_int_distribution<std::uint64_t>(low, high)(random_);
    }

    // Names that people will see, and some that are longer.
    std::string some_variant(std::size_t i) {
        static const std::vector<std::string> known{
            "tile",         "span-modulo",     "ladder-1-modulo",
            "grid-barrier", "sync-every-item", "workgroup-builtin"};
        if (i < known.size()) return known[i];
        return "variant " + std::to_string(i) + std::string(whole(0, 30), 'w');
    }

    results::Row some_row(const std::string& variant, std::uint64_t n) {
        results::Row row = example_row(variant, n, std::pow(10, chance(-4, 3)));
        if (chance(0, 1) < 0.1) row.right = false;
        if (chance(0, 1) < 0.1) row.error = 0;
        if (chance(0, 1) < 0.05) row.expect = "races";
        if (chance(0, 1) < 0.1) row.cache = "warm";
        if (chance(0, 1) < 0.2) row.error = std::pow(10, chance(-12, 3));
        return row;
    }

    results::Measurements some_results(const std::string& device) {
        std::vector<std::uint64_t> sizes(whole(1, 30));
        const bool powers = chance(0, 1) < 0.6;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            sizes[i] = powers ? std::uint64_t{1} << (i + 3) : whole(1, 2'000'000'000);
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        std::vector<results::Row> rows;
        const std::size_t variants = whole(1, 40);
        for (std::size_t i = 0; i < variants; ++i)
            for (const std::uint64_t n : sizes)
                if (i == 0 || chance(0, 1) < 0.9) rows.push_back(some_row(some_variant(i), n));
        rows.front().right = true;
        rows.front().expect = "correct";
        results::Row ceiling = example_row("read-ceiling", sizes.front(), 0.01);
        ceiling.kind = "ceiling";
        rows.push_back(ceiling);
        return example_results(device, std::move(rows));
    }

    void check(const Scene& scene, const std::string& what) const {
        struct Words {
            Box box;
            std::string text;
        };
        std::vector<Words> all;
        for (const Shape& shape : scene.shapes) {
            const Box box = bounds(shape);
            if (box.left < -0.1F || box.top < -0.1F || box.right > scene.width + 0.1F ||
                box.bottom > scene.height + 0.1F)
                ADD_FAILURE() << what << ": something at " << box.left << ", " << box.top
                              << " is outside";
            if (const auto* text = std::get_if<Text>(&shape.what)) all.push_back({box, text->text});
        }
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const Box &a = all[i].box, &b = all[j].box;
                const bool apart = a.right <= b.left + 0.1F || b.right <= a.left + 0.1F ||
                                   a.bottom <= b.top + 0.1F || b.bottom <= a.top + 0.1F;
                if (!apart)
                    ADD_FAILURE() << what << ": '" << all[i].text << "' and '" << all[j].text
                                  << "'";
            }
    }

    Box bounds(const Shape& shape) const {
        if (const auto* text = std::get_if<Text>(&shape.what)) return fonts_.bounds(*text);
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            return {rect->x, rect->y, rect->x + rect->width, rect->y + rect->height};
        const auto& points = std::get<Path>(shape.what).points;
        Box box{1e9F, 1e9F, -1e9F, -1e9F};
        for (const Point& p : points) {
            box.left = std::min(box.left, p.x);
            box.right = std::max(box.right, p.x);
            box.top = std::min(box.top, p.y);
            box.bottom = std::max(box.bottom, p.y);
        }
        return box;
    }

    MeasureChartOptions some_options(const std::string& chart) {
        MeasureChartOptions options;
        options.chart = chart;
        options.size.width = static_cast<float>(whole(600, 1600));
        options.size.height = static_cast<float>(whole(400, 900));
        options.size.text_scale = chance(0, 1) < 0.5 ? 1.0F : 1.2F;
        options.size.heading = chance(0, 1) < 0.8;
        return options;
    }

    std::mt19937 random_{11};
    const Fonts fonts_;
};

TEST_F(ChartLayout, WordsNeverOverlapAndNothingIsOutside) {
    for (const char* language : kLanguages) {
        const Translations& words = translations_in(language);
        for (int round = 0; round < 12; ++round) {
            std::vector<results::Measurements> files{some_results("One")};
            if (round % 4 == 3) files.push_back(some_results("Another device of a long name"));
            for (const MeasureChart& each : measure_charts()) {
                const std::string chart = each.id;
                if (chart == "groups" || chart == "ladder") continue;  // of other rows; see below
                const MeasureChartOptions options = some_options(chart);
                const std::string what = fmt::format("{} {} {} {}x{}", language, round, chart,
                                                     options.size.width, options.size.height);
                try {
                    check(measure_chart(files, options, fonts_, words), what);
                } catch (const Problem& problem) {
                    EXPECT_EQ(problem.where, "--baseline") << what;  // nothing is right there
                }
            }
        }
    }
}

TEST_F(ChartLayout, GroupSizesNeverOverlapEither) {
    for (const char* language : kLanguages) {
        const Translations& words = translations_in(language);
        for (int round = 0; round < 20; ++round) {
            std::vector<results::Row> rows;
            for (std::size_t i = 0; i < whole(1, 20); ++i)
                for (std::uint64_t group = 1; group <= 4096; group *= 2)
                    if (group < 4 || chance(0, 1) < 0.8) {
                        rows.push_back(some_row(some_variant(i), 1 << 20));
                        rows.back().group = group;
                    }
            check(measure_chart(std::vector{example_results("One", std::move(rows))},
                                some_options("groups"), fonts_, words),
                  fmt::format("{} {}", language, round));
        }
    }
}

}  // namespace
}  // namespace lab::figures
