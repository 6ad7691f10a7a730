// Whatever is measured: no words of a chart overlap, and nothing is outside of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "figures/charts/measure_charts.h"
#include "support/example_measurements.h"

namespace lab::figures {
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
        const Translations words(language);
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
        const Translations words(language);
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
