#include <array>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/bars.h"
#include "figures/pass_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"
#include "support/golden.h"
#include "support/sanitized.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

Scene figure(const analysis::StepTable& table, PassFigureOptions options = {},
             const char* language = "en") {
    return pass_figure(table, options, test_fonts(), translations_in(language));
}

template <typename Shaped>
std::vector<Shaped> all(const Scene& scene) {
    std::vector<Shaped> out;
    for (const Shape& shape : scene.shapes)
        if (const auto* of = std::get_if<Shaped>(&shape.what)) out.push_back(*of);
    return out;
}

std::vector<std::string> texts(const Scene& scene, Face face) {
    std::vector<std::string> out;
    for (const Text& text : all<Text>(scene))
        if (text.face == face) out.push_back(text.text);
    return out;
}

TEST(PassFigure, ShortensItsWordsWhereItIsNotToBeWider) {
    PassFigureOptions options;
    options.width = 300;
    const Scene free = figure(eight(), options);
    options.most_width = free.width - 40;
    const Scene narrow = figure(eight(), options);
    EXPECT_LE(narrow.width, options.most_width + 1);
    bool told = false;  // what was shortened is told where one points at it
    for (const Shape& shape : narrow.shapes) {
        const auto* text = std::get_if<Text>(&shape.what);
        told = told || (text != nullptr && text->text != shape.tip && !shape.tip.empty());
    }
    EXPECT_TRUE(told);
    // Where no shortening would do, the words stay whole.
    options.most_width = 100;
    EXPECT_EQ(figure(eight(), options).width, free.width);
}

TEST(PassFigure, SignalsStandBelowTheirPassAndInTheLegend) {
    using Sign = analysis::Signal::Kind;
    const auto number = [](std::uint64_t bits) {
        return analysis::CellValue{bits, lang::Scalar::int_};
    };
    analysis::StepTable table = eight();
    table.rows[1].signals = {{Sign::counts, 0, "done", 0, number(0), number(1), 44, "done[0]"},
                             {Sign::sets, 2, "flags", 1, number(0), number(3), 45, "flags[1]"},
                             {Sign::waits, 2, "flags", 0, number(3), number(3), 46, "flags[0]"}};
    const Scene scene = figure(table);
    const std::vector<std::string> words = texts(scene, Face::sans);
    for (const char* each : {"done[0]: 0 → 1", "flags[0] = 3", "sets a flag, by a plain store",
                             "changes a counter, a ticket or a flag, by an atomic",
                             "waited until another group was here"})
        EXPECT_THAT(words, testing::Contains(each));
    std::set<std::string> tips;
    for (const Shape& shape : scene.shapes)
        tips.insert(shape.tip);
    EXPECT_TRUE(tips.contains("Work-item 2 sets a flag: flags[1]: 0 → 3 (line 45)"));
    EXPECT_THAT(texts(figure(eight()), Face::sans),
                testing::Not(testing::Contains("sets a flag, by a plain store")));
    // A sign that stands for several of them says all.
    table.rows[1].signals = {{Sign::counts, 0, "done", 0, number(0), number(1), 44, "done[0]"},
                             {Sign::counts, 0, "done", 0, number(1), number(2), 44, "done[0]"},
                             {Sign::counts, 0, "done", 0, number(5), number(6), 44, "done[0]"},
                             {Sign::waits, 4, "done", 0, number(2), number(2), 46, "done[0]"},
                             {Sign::waits, 4, "done", 0, number(2), number(2), 46, "done[0]"},
                             {Sign::waits, 4, "done", 0, number(8), number(8), 46, "done[0]"}};
    for (const char* each : {"done[0]: 0 → 1 → 2, 5 → 6", "done[0] = 2, 8"})
        EXPECT_THAT(texts(figure(table), Face::sans), testing::Contains(each));
    // None of what comes after the last row that is shown.
    PassFigureOptions options;
    options.shown = 2;
    options.legend = false;
    EXPECT_THAT(texts(figure(table, options), Face::sans),
                testing::Not(testing::Contains(testing::StartsWith("done[0]: 0 → 1"))));
}

TEST(PassFigure, TwoStandSideBySide) {
    const Scene one = figure(eight());
    const Scene both = side_by_side(one, one, 10);
    EXPECT_EQ(both.shapes.size(), 2 * one.shapes.size());
    EXPECT_FLOAT_EQ(both.width, 2 * one.width + 10);
    const auto rects = all<Rect>(both);
    EXPECT_FLOAT_EQ(rects[rects.size() / 2].x, rects[0].x + one.width + 10);
}

TEST(PassFigure, ShowsTheExample) {
    const Scene scene = figure(eight());
    // Values, row by row, and the ids of work-items before each row.
    EXPECT_EQ(texts(scene, Face::mono),
              (std::vector<std::string>{"7",  "1", "6",  "8", "5",  "6", "7", "1",  //
                                        "0",  "1", "2",  "3", "4",  "5", "6", "7",  //
                                        "8",  "1", "14", "8", "11", "6", "8", "1",  //
                                        "0",  "1", "2",  "3", "4",  "5", "6", "7",  //
                                        "22", "1", "14", "8", "19", "6", "8", "1",  //
                                        "0",  "1", "2",  "3", "4",  "5", "6", "7",  //
                                        "41", "1", "14", "8", "19", "6", "8", "1"}));
    EXPECT_THAT(texts(scene, Face::bold),
                testing::UnorderedElementsAre("group 0", "group 1", "start", "pass 1", "pass 2",
                                              "pass 3", "right: 41"));
    int working = 0, idle = 0, written = 0;
    for (const Rect& rect : all<Rect>(scene)) {
        const bool circle = rect.radius == rect.width / 2;
        working += circle && rect.fill == Role::act;
        idle += circle && rect.fill == Role::idle_fill;
        written += !circle && rect.fill == Role::wrote_fill;
    }
    EXPECT_EQ(working, 7 + 1);  // and the legend's
    EXPECT_EQ(idle, 24 - 7 + 1);
    EXPECT_EQ(written, 7 + 1);
    int arcs = 0;
    for (const Path& path : all<Path>(scene))
        arcs += path.curved;
    EXPECT_EQ(arcs, 7 + 1);  // each item's other operand
}

std::vector<Path> boundaries(const Scene& scene) {
    std::vector<Path> lines;
    for (const Path& path : all<Path>(scene))
        if (path.stroke.role == Role::barrier) lines.push_back(path);
    return lines;
}

TEST(PassFigure, AnnouncesTheNextRowWithoutItsValues) {
    PassFigureOptions options;
    options.announce = true;
    const auto frames = [&](std::size_t shown) {
        options.shown = shown;
        const Scene scene = figure(eight(), options);
        const auto rects = all<Rect>(scene);
        return std::count_if(rects.begin(), rects.end(), [](const Rect& rect) {
            return rect.stroke.dash == Dash::dotted && rect.stroke.role == Role::border;
        });
    };
    const auto items = [&](std::size_t shown) {
        options.shown = shown;
        const Scene scene = figure(eight(), options);
        return std::count_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
            const auto* rect = std::get_if<Rect>(&shape.what);
            return rect != nullptr && rect->stroke.dash == Dash::dotted &&
                   shape.name.starts_with(fmt::format("worker {} ", shown));
        });
    };
    // None of them looks as if it worked, or as if it did not.
    EXPECT_EQ(items(1), static_cast<std::ptrdiff_t>(eight().rows[1].global));
    EXPECT_EQ(items(4), 0);
    EXPECT_EQ(frames(1), 8);
    EXPECT_EQ(frames(3), 8);
    EXPECT_EQ(frames(4), 0);  // there is none after the last
    options.shown = 1;
    EXPECT_EQ(texts(figure(eight(), options), Face::mono).size(), 8U);  // the start's alone
}

TEST(PassFigure, TheEndOfALaunchRunsAcrossGroupsAndABarrierDoesNot) {
    PassFigureOptions options;
    options.legend = false;
    const analysis::StepTable launches = eight();
    const auto across = boundaries(figure(launches, options));
    ASSERT_EQ(across.size(), 2U);
    analysis::StepTable local = launches;
    for (std::size_t row = 1; row < 4; ++row)
        local.rows[row].launch = 1;
    const auto parts = boundaries(figure(local, options));
    ASSERT_EQ(parts.size(), 4U);
    EXPECT_LT(across[0].points[0].x, parts[0].points[0].x);
    EXPECT_GT(across[0].points[1].x, parts[1].points[1].x);
    EXPECT_LT(parts[0].points[1].x, parts[1].points[0].x);  // the gap is the lesson
}

TEST(PassFigure, ABarrierOfALaterLaunchCoversAllCellsOfItsGroup) {
    analysis::StepTable table = eight();
    table.rows.resize(4);
    for (const std::size_t row : {2U, 3U}) {
        analysis::Row& pass = table.rows[row];
        pass.launch = 2;
        pass.global = pass.local = 2;
        pass.cells = {{int_value("22"), true, {0}, 0},
                      {int_value("19"), true, {row == 2 ? 4U : 1U}, 1}};
    }
    PassFigureOptions options;
    options.legend = false;
    const Scene scene = figure(table, options);
    const auto lines = boundaries(scene);
    ASSERT_EQ(lines.size(), 2U);  // the end of a launch, then one group's barrier
    for (const Text& text : all<Text>(scene))
        if (text.text == "19") {
            EXPECT_LT(text.x, lines[1].points[1].x);
            EXPECT_GT(text.x, lines[1].points[0].x);
        }
}

TEST(PassFigure, MarksARightAndAWrongResult) {
    analysis::StepTable table = eight();
    const auto hatched = [](const Scene& scene) {
        int count = 0;
        for (const Rect& rect : all<Rect>(scene))
            count += rect.hatch && rect.stroke.role == Role::race && rect.fill == Role::race_fill;
        return count;
    };
    EXPECT_EQ(hatched(figure(table)), 0);
    table.right = false;
    table.result = "33";
    table.rows.back().cells[0].value = int_value("33");
    EXPECT_EQ(hatched(figure(table)), 1);
    EXPECT_THAT(texts(figure(table), Face::bold), testing::Contains("wrong: 33, expected 41"));
    analysis::StepTable unjudged = table;
    unjudged.expected.clear();  // the kernel reduces nothing
    EXPECT_EQ(hatched(figure(unjudged)), 0);
    EXPECT_THAT(texts(figure(unjudged), Face::bold),
                testing::Not(testing::Contains(testing::HasSubstr("wrong"))));
    PassFigureOptions before;
    before.shown = 3;
    EXPECT_EQ(hatched(figure(table, before)), 0);
}

TEST(PassFigure, NothingMovesWhenStepping) {
    for (const analysis::StepTable& table : {eight(), partials(16, 4), tree(100, 64)}) {
        const Scene whole = figure(table);
        std::set<std::tuple<float, float, std::string>> places;
        for (const Text& text : all<Text>(whole))
            places.insert({text.x, text.y, text.text});
        std::size_t before = 0;
        for (std::size_t shown = 1; shown <= table.rows.size(); ++shown) {
            PassFigureOptions options;
            options.shown = shown;
            const Scene scene = figure(table, options);
            EXPECT_EQ(scene.width, whole.width);
            EXPECT_EQ(scene.height, whole.height);
            for (const Text& text : all<Text>(scene))
                EXPECT_TRUE(places.contains({text.x, text.y, text.text})) << text.text;
            EXPECT_GT(scene.shapes.size(), before);
            before = scene.shapes.size();
        }
    }
}

TEST(PassFigure, FitsTheWidthWhereItCan) {
    PassFigureOptions options;
    for (const float width : {600.0F, 800.0F, 1400.0F}) {
        options.width = width;
        EXPECT_LE(figure(eight(), options).width, width);
        EXPECT_LE(figure(tree(512, 64), options).width, std::max(width, 820.0F));
        EXPECT_LE(figure(tree(64, 8), options).width, width);
    }
}

// How many cells of the first row have their values written into them.
std::size_t values_at_the_start(const analysis::StepTable& table, float width) {
    PassFigureOptions options;
    options.width = width;
    options.shown = 1;
    return texts(figure(table, options), Face::mono).size();
}

TEST(PassFigure, DigitsGiveWayToColourBeforeTheyGetUnreadable) {
    EXPECT_EQ(values_at_the_start(tree(16, 4), 800), 16U);
    EXPECT_EQ(values_at_the_start(tree(64, 8), 800), 0U);
    EXPECT_EQ(values_at_the_start(tree(64, 8), 2400), 64U);
}

TEST(PassFigure, UnlikeValuesAreNeverRoundedToTheSame) {
    std::vector<std::int64_t> values(16, 100000000);
    values[3] = 100000001;
    values[4] = 100000002;
    EXPECT_EQ(values_at_the_start(tree(values, 4), 900), 0U);
    EXPECT_EQ(values_at_the_start(tree(values, 4), 2000), 16U);
}

TEST(PassFigure, FitsTheHeightWhereItCan) {
    PassFigureOptions options;
    options.legend = false;
    float before = figure(tree(16, 4), options).height + 1;
    for (const std::size_t n : {32U, 64U, 1024U}) {  // as low as can be
        options.height = 1;
        const Scene scene = figure(tree(n, 8), options);
        expect_inside(scene);
        expect_no_text_over_text(scene);
    }
    for (const float height : {600.0F, 500.0F, 400.0F, 300.0F}) {
        options.height = height;
        const Scene scene = figure(tree(16, 4), options);
        EXPECT_LE(scene.height, height);
        EXPECT_LT(scene.height, before);
        before = scene.height;
        expect_inside(scene);
        expect_no_text_over_text(scene);
    }
}

TEST(PassFigure, TextStaysReadable) {
    PassFigureOptions options;
    options.width = 600;
    for (const analysis::StepTable& table : {eight(), tree(64, 8), partials(64, 8)})
        for (const Text& text : all<Text>(figure(table, options)))
            EXPECT_GE(text.size, 9);
}

TEST(PassFigure, LongValuesAreRoundedAndToldInTheTip) {
    analysis::StepTable table = eight();
    table.rows[0].cells[0].value = int_value("-0.12345678901234566");
    table.rows[0].cells[1].value = int_value("1.7976931348623157e+308");
    const Scene scene = figure(table);
    bool told = false;
    for (const Shape& shape : scene.shapes)
        told |= shape.tip.find("-0.12345678901234566") != std::string::npos;
    EXPECT_TRUE(told);
    const auto values = texts(scene, Face::mono);
    EXPECT_THAT(values[0], testing::StartsWith("≈-0.123"));
    EXPECT_THAT(values[1], testing::AllOf(testing::StartsWith("≈1.79"), testing::EndsWith("e308")));
    expect_no_text_over_text(scene);
}

TEST(PassFigure, ItemsWithoutACellStandIdleBeyond) {
    const Scene scene = figure(tree({1, 1, 1, 1, 1, 1}, 4));
    EXPECT_EQ(std::ranges::count(texts(scene, Face::mono), "7"), 3);  // no value, but an id a pass
}

TEST(PassFigure, GroupsThatWriteAmongEachOthersCellsAreNotDrawnApart) {
    analysis::StepTable table = eight();
    for (analysis::Row& pass : table.rows) {
        pass.global /= 2;
        pass.local /= 2;
        std::int64_t item = 0;
        for (analysis::Cell& cell : pass.cells)
            if (cell.written) cell.item = item++;
    }
    EXPECT_THAT(texts(figure(table), Face::bold), testing::Not(testing::Contains("group 0")));
}

TEST(PassFigure, ValuesMadeAcrossTheArrayBelongToNoGroup) {
    analysis::StepTable table = partials(16, 8);
    EXPECT_THAT(texts(figure(table), Face::bold), testing::Contains("group 1"));
    std::swap(table.rows[1].cells[0].from[0], table.rows[1].cells[1].from[0]);
    EXPECT_THAT(texts(figure(table), Face::bold), testing::Not(testing::Contains("group 1")));
}

// Colours of circles, the legend's included.
std::pair<int, int> circles(const Scene& scene) {
    int working = 0, idle = 0;
    for (const Rect& rect : all<Rect>(scene)) {
        const bool circle = rect.radius == rect.width / 2;
        working += circle && rect.fill == Role::act;
        idle += circle && rect.fill == Role::idle_fill;
    }
    return {working, idle};
}

TEST(PassFigure, AnItemStandsInOnePlaceWhateverItWrites) {
    analysis::StepTable table = eight();
    table.rows.resize(2);
    analysis::Row& pass = table.rows[1];
    pass.global = pass.local = 2;
    for (std::uint32_t i = 0; i < 8; ++i)
        pass.cells[i] = {int_value("1"), true, {i}, i % 2};
    EXPECT_EQ(circles(figure(table)), std::pair(2 + 1, 0));  // and nobody idle in the legend
    EXPECT_THAT(texts(figure(table), Face::sans), testing::Contains("2 of 2 items work"));
}

// Over one cell, as an atomic sum has it: each worker with its own arc.
TEST(PassFigure, EachWorkerOfACellStandsForItself) {
    analysis::StepTable table = partials(8, 2);
    table.rows.resize(3);
    analysis::Row& last = table.rows[2];
    last.items_known = true;
    last.global = 8;
    last.local = 2;
    last.cells.resize(1);
    last.cells[0] = {int_value("28"), true, {3}, 6};
    last.cells[0].also = {{0, {0}}, {2, {1}}, {4, {2}}};
    PassFigureOptions options;
    options.legend = false;
    const auto workers = [&](Role role) {
        std::vector<std::pair<float, std::string>> found;
        for (const Shape& shape : figure(table, options).shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what);
                rect != nullptr && shape.name.starts_with("worker 2 ") && rect->fill == role)
                found.emplace_back(rect->x, shape.name.substr(9));
        std::sort(found.begin(), found.end());
        std::vector<std::string> names;
        for (const auto& [x, name] : found)
            names.push_back(name);
        return names;
    };
    EXPECT_THAT(workers(Role::act), testing::ElementsAre("0", "2", "4", "6"));
    EXPECT_THAT(workers(Role::idle_fill), testing::ElementsAre("1", "3", "5", "7"));
    // Where there is no room, neighbours of one group are gathered with their number.
    last.global = 600;
    last.local = 300;
    last.cells[0].also.clear();
    for (std::int64_t item = 0; item < 302; ++item)
        last.cells[0].also.push_back({item, {0}});
    last.cells[0].item = 302;
    EXPECT_THAT(workers(Role::act), testing::ElementsAre("0", "300"));
    EXPECT_THAT(texts(figure(table, options), Face::mono),
                testing::IsSupersetOf({"300/300", "3/300"}));
}

TEST(PassFigure, TheLegendTellsWhatIsThereAndNoMore) {
    const auto has = [](const analysis::StepTable& table, const char* words) {
        const auto all = texts(figure(table), Face::sans);
        return std::find(all.begin(), all.end(), words) != all.end();
    };
    const char* unknown = "not written yet: it could hold anything";
    analysis::StepTable table = eight();
    EXPECT_TRUE(has(table, "idle item"));
    const char* gathered = "neighbouring items: how many of them work";
    EXPECT_FALSE(has(table, gathered));
    EXPECT_FALSE(has(table, unknown));
    table.rows[1].cells[1].value = {};
    EXPECT_TRUE(has(table, unknown));
    table.rows.resize(2);
    analysis::Row& pass = table.rows[1];
    pass.cells.resize(2);
    pass.global = pass.local = 640;
    EXPECT_TRUE(has(table, gathered));
    EXPECT_FALSE(has(table, "idle item"));
    pass.items_known = false;
    for (analysis::Cell& cell : pass.cells)
        cell = {int_value("1"), true, {}, -1};  // nobody knows from where
    EXPECT_FALSE(has(table, "item at work"));
    EXPECT_FALSE(has(table, "goes into"));
    for (const Path& path : all<Path>(figure(table)))
        EXPECT_NE(path.fill, Role::act);  // no arrow's head without an arrow
}

TEST(PassFigure, AnArraysCellsKeepTheirPlaces) {
    analysis::StepTable table = partials(16, 4);
    const analysis::Row four = table.rows[1];
    table.rows.push_back(four);
    table.rows.back().cells[1] = {int_value("0"), true, {}, -1};
    const auto places = [&] {
        std::vector<float> x;
        for (const Text& text : all<Text>(figure(table)))
            if (text.face == Face::mono && (text.text == "28" || text.text == "0"))
                x.push_back(text.x);
        return x;
    };
    table.rows[0].array = "in";
    table.rows[1].array = table.rows[3].array = "buf";
    table.rows[2].array = "out";
    const auto x = places();
    ASSERT_GE(x.size(), 9U);
    for (std::size_t cell = 0; cell < 4; ++cell)
        EXPECT_EQ(x[x.size() - 4 + cell], x[x.size() - 9 + cell]);
}

TEST(PassFigure, EachRowIsNamedByItsArrayAndMemoryWhereThereAreSeveral) {
    const analysis::StepTable table = run_passes(
        local_kernel(2, 1), machine::order_of(machine::SchedulingPolicy::Kind::in_order));
    for (const char* language : kLanguages) {
        const Translations& tr = translations_in(language);
        const Scene scene = figure(table, {}, language);
        EXPECT_THAT(texts(scene, Face::bold), testing::IsSupersetOf({"buf", "out"}));
        EXPECT_THAT(texts(scene, Face::sans),
                    testing::IsSupersetOf({tr("figure.global"), tr("figure.local")}));
        expect_inside(scene);
        expect_no_text_over_text(scene);
    }
}

TEST(PassFigure, AnAtomicIsASignAtItsCellWithAWordWhereThereIsRoom) {
    const auto signs = [](const Scene& scene) {
        std::set<std::string> tips;
        for (const Shape& shape : scene.shapes)
            if (const auto* path = std::get_if<Path>(&shape.what))
                if (path->fill == Role::act && path->points.size() == 4) tips.insert(shape.tip);
        return tips;
    };
    analysis::StepTable table = eight();
    const std::string words = "atomic, one by one: 2";
    EXPECT_TRUE(signs(figure(table)).empty());
    analysis::Cell& cell = table.rows[1].cells[7];
    cell = {cell.value, true, {6}, 7};
    cell.also = {{6, {7}}};
    cell.atomic = true;
    const Scene scene = figure(table);
    EXPECT_EQ(signs(scene), (std::set<std::string>{"", words}));  // the legend's has no tip
    EXPECT_THAT(texts(scene, Face::sans), testing::Contains(testing::HasSubstr("atomic function")));
    EXPECT_THAT(texts(scene, Face::sans), testing::Not(testing::Contains(words)));  // no room
    table.rows[3].cells.resize(1);
    table.rows[3].cells[0].atomic = true;
    EXPECT_THAT(texts(figure(table), Face::sans), testing::Contains("atomic, one by one: 1"));
}

TEST(PassFigure, NoPassesAreNoTrouble) {
    EXPECT_GT(figure(analysis::StepTable()).width, 0);
    analysis::StepTable empty;
    empty.rows.resize(2);
    expect_inside(figure(empty));
}

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
    const machine::SchedulingPolicy in_order =
        machine::order_of(machine::SchedulingPolicy::Kind::in_order);
    const std::array tables{
        tree(n, group), partials(n, std::max<std::size_t>(2, group)),
        in_launches_of_two(tree(n, group)),
        run_passes(span_kernel(std::vector<std::int32_t>(std::min(n, kMostRun), 12), group),
                   in_order),
        run_passes(local_kernel(2 * group * (1 + std::min(n, kMostRun) / group), group), in_order)};
    for (const char* language : kLanguages) {
        const Translations& tr = translations_in(language);
        for (const float width : {600.0F, 800.0F, 1000.0F, 1400.0F}) {
            for (const float text_scale : {1.0F, 1.2F}) {
                if (kSanitized && n > 500 && width * text_scale != 600) continue;
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

using testing::Contains;
using testing::HasSubstr;

Scene drawn(const analysis::StepTable& table, bool legend = true) {
    PassFigureOptions options;
    options.heading = options.legend = legend;
    return pass_figure(table, options, test_fonts(), translations_in("en"));
}

// Arrows of stale reads: those from the values that came, or those from the missed ones.
std::vector<Path> stale_arrows(const Scene& scene, Dash dash = Dash::solid) {
    std::vector<Path> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what))
            if (path->stroke.role == Role::race && path->stroke.dash == dash && !path->closed &&
                !shape.tip.empty())
                found.push_back(*path);
    return found;
}

// The texts of mini cells, by where arrows leave them.
std::map<std::pair<float, float>, std::string> chips(const Scene& scene) {
    std::map<std::pair<float, float>, std::string> found;
    for (std::size_t i = 1; i < scene.shapes.size(); ++i)
        if (const auto* text = std::get_if<Text>(&scene.shapes[i].what);
            text != nullptr && scene.shapes[i].name.starts_with("chip ")) {
            const auto& frame = std::get<Rect>(scene.shapes[i - 1].what);
            found[{frame.x + frame.width / 2, frame.y + frame.height + 1}] = text->text;
        }
    return found;
}

// Where the cell is, in the same scene.
Rect cell_rect(const Scene& scene, std::size_t row, std::size_t cell) {
    for (const Shape& shape : scene.shapes)
        if (shape.name == fmt::format("cell {} {}", row, cell)) return std::get<Rect>(shape.what);
    return {};
}

void expect_leaves(const Path& arrow, const Rect& cell) {
    const Point start = arrow.points.front();
    EXPECT_GE(start.x, cell.x);
    EXPECT_LE(start.x, cell.x + cell.width);
    EXPECT_FLOAT_EQ(start.y, cell.y + cell.height + 1);
}

std::vector<Rect> frames(const Scene& scene) {
    std::vector<Rect> found;
    for (const Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<Rect>(&shape.what))
            if (rect->stroke.role == Role::race && rect->stroke.dash == Dash::dashed)
                found.push_back(*rect);
    return found;
}

machine::SchedulingPolicy in_order() {
    return machine::order_of(machine::SchedulingPolicy::Kind::in_order);
}

TEST(PassFaults, AStaleReadIsAnArrowFromTheValueThatCameWithAGhostOfTheMissedOne) {
    const analysis::StepTable table = broken_eight();
    ASSERT_EQ(table.rows.size(), 4U);
    ASSERT_EQ(table.rows[3].stale.size(), 1U);
    const Scene scene = drawn(table, false);
    const auto came = stale_arrows(scene), missed = stale_arrows(scene, Dash::dashed);
    ASSERT_EQ(came.size(), 1U);
    ASSERT_EQ(text_of(table.rows[0].cells[4].value), "5");
    expect_leaves(came[0], cell_rect(scene, 0, 4));
    ASSERT_EQ(missed.size(), 1U);
    ASSERT_EQ(text_of(table.rows[2].cells[4].value), "19");
    expect_leaves(missed[0], cell_rect(scene, 2, 4));
    // Past the values between it goes beside their cells.
    for (const std::size_t row : {1U, 2U}) {
        const Rect cell = cell_rect(scene, row, 4);
        for (std::size_t i = 1; i < came[0].points.size(); ++i) {
            const Point &from = came[0].points[i - 1], &to = came[0].points[i];
            if (from.y > cell.y + cell.height || to.y < cell.y) continue;
            EXPECT_TRUE(std::max(from.x, to.x) < cell.x ||
                        std::min(from.x, to.x) > cell.x + cell.width);
        }
    }
    // No arc tells that the value did go in.
    int arcs = 0;
    for (const Shape& shape : scene.shapes)
        if (const auto* path = std::get_if<Path>(&shape.what))
            arcs += path->curved && path->stroke.role == Role::act;
    EXPECT_EQ(arcs, 6);  // of seven combinations
    EXPECT_THAT(scene.description,
                HasSubstr("Item 0 read x[4] as 5: too early. Item 4 wrote 19 there later"));
}

TEST(PassFaults, AValueThatNoRowShowsHangsUnderTheCellThatWasRead) {
    analysis::StepTable table = broken_eight();
    table.rows[3].stale[0].took = int_value("1234");
    const Scene scene = drawn(table, false);
    const auto came = stale_arrows(scene);
    ASSERT_EQ(came.size(), 1U);
    const Point start = came[0].points.front();
    const auto hanging = chips(scene);
    ASSERT_TRUE(hanging.contains({start.x, start.y}));
    EXPECT_EQ(hanging.at({start.x, start.y}), "1234");
    const Rect cell = cell_rect(scene, 2, 4);
    EXPECT_GT(start.y, cell.y + cell.height);
    EXPECT_LT(std::abs(start.x - cell.x - cell.width / 2), 2 * cell.width);
    // A later round's value came from no row above, though one holds the same.
    table.rows[3].stale[0].took = int_value("5");
    table.rows[3].stale[0].too_new = true;
    EXPECT_EQ(chips(drawn(table, false)).size(), 1U);
}

TEST(PassFaults, OfAFileTheNotesSayWhatWentWrong) {
    EXPECT_THAT(texts_of(drawn(broken_eight())),
                Contains(HasSubstr("pass 3: Item 0 read x[4] as 5: too early.")));
    EXPECT_THAT(texts_of(drawn(broken_eight(), false)),
                testing::Not(Contains(HasSubstr("too early"))));
}

TEST(PassFaults, ARaceThatDidNotShowIsFramedAllTheSame) {
    const analysis::StepTable table =
        run_passes(span_kernel({7, 1, 6, 8, 5, 6, 7, 1}, 4),
                   machine::order_of(machine::SchedulingPolicy::Kind::round_robin));
    ASSERT_TRUE(table.right);
    const Scene scene = drawn(table, false);
    EXPECT_TRUE(stale_arrows(scene).empty());
    ASSERT_EQ(frames(scene).size(), 1U);
    EXPECT_THAT(scene.description, HasSubstr("Nothing orders who comes first at cell 4"));
    EXPECT_EQ(frames(drawn(table)).size(), 2U);  // and the legend's
    EXPECT_TRUE(frames(drawn(eight())).empty());
}

TEST(PassFaults, MarksPointAtRacesToo) {
    std::vector<std::int32_t> values(300, 1);
    const Scene scene = drawn(run_passes(span_kernel(values, 32), in_order()), false);
    int pointers = 0, signs = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* path = std::get_if<Path>(&shape.what);
        if (path == nullptr || path->fill != Role::race) continue;
        ++(shape.tip.empty() ? signs : pointers);
    }
    EXPECT_GT(pointers, 4);  // between groups of 32
    EXPECT_GT(signs, 0);
    EXPECT_FALSE(stale_arrows(scene).empty());
}

TEST(PassFaults, AMissedValueThatNoRowShowsHangsThereToo) {
    analysis::StepTable table = broken_eight();
    table.rows[3].stale[0].missed = int_value("1234");
    EXPECT_FALSE(missed_at(table, 3, table.rows[3].stale[0]));
    const Scene scene = drawn(table, false);
    const auto missed = stale_arrows(scene, Dash::dashed);
    ASSERT_EQ(missed.size(), 1U);
    EXPECT_EQ(chips(scene).at({missed[0].points.front().x, missed[0].points.front().y}), "1234");
    table.rows[3].stale[0].missed = int_value("19");
    table.rows[3].stale[0].array = "y";  // of which there is no row
    EXPECT_FALSE(missed_at(table, 3, table.rows[3].stale[0]));
    EXPECT_TRUE(stale_arrows(drawn(table, false)).empty());
}

TEST(PassFigure, AHiddenRowAsksForEachCellUntilItIsUncovered) {
    PassFigureOptions options;
    options.announce = true;
    options.shown = 3;
    options.uncovered = std::vector<std::size_t>{};
    const auto answers = [&](const Scene& scene) {
        std::vector<std::string> found;
        for (std::size_t i = 0; i + 1 < scene.shapes.size(); ++i)
            if (scene.shapes[i].name.starts_with("asked 3 "))
                found.push_back(std::get<Text>(scene.shapes[i + 1].what).text);
        return found;
    };
    EXPECT_EQ(answers(figure(eight(), options)), std::vector<std::string>(8, "?"));
    options.uncovered->push_back(0);
    options.uncovered->push_back(4);
    EXPECT_EQ(answers(figure(eight(), options)),
              (std::vector<std::string>{"41", "?", "?", "?", "19", "?", "?", "?"}));
    for (const Shape& shape : figure(eight(), options).shapes)  // nor do tips tell
        EXPECT_TRUE(!shape.name.starts_with("asked") || shape.tip.find("19") == std::string::npos);
}

TEST(PassFigure, AGroupThatHasNotBegunIsNotIdle) {
    analysis::StepTable table = eight();
    for (analysis::Row& row : table.rows)
        row.launch = std::min(row.launch, 1);
    table.fault = "It waits";
    table.fault_phrases.why.push_back(
        {"fault.spin_room", {{"count", "1"}, {"groups", "2"}, {"resident", "1"}}, "1 of 2"});
    table.rows.back().working = {0};
    for (std::size_t row = 1; row < table.rows.size(); ++row)
        table.rows[row].working = {0};
    const Scene scene = drawn(table);
    std::size_t dotted = 0, idle = 0;
    for (const Shape& shape : scene.shapes) {
        const auto* circle = std::get_if<Rect>(&shape.what);
        if (circle == nullptr || !shape.name.starts_with("worker 3 ")) continue;
        dotted += circle->stroke.dash == Dash::dotted && circle->fill == Role::panel ? 1U : 0U;
        idle += circle->fill == Role::idle_fill ? 1U : 0U;
    }
    EXPECT_EQ(dotted, 4U);  // the second group's
    EXPECT_EQ(idle, 3U);
    EXPECT_THAT(texts_of(scene), Contains("item of a group that has not begun"));
    EXPECT_THAT(texts_of(drawn(eight())),
                testing::Not(Contains("item of a group that has not begun")));
}

TEST(PassFaults, LocalMemoryHasAFrameAGroup) {
    const analysis::StepTable table = run_passes(local_kernel(16, 4), in_order());
    ASSERT_TRUE(table.right);
    const Scene scene = drawn(table);
    EXPECT_THAT(texts_of(scene), Contains("local memory: each group has its own"));
    const auto memories_of = [](const Scene& shown) {
        std::vector<Rect> found;
        for (const Shape& shape : shown.shapes)
            if (const auto* rect = std::get_if<Rect>(&shape.what))
                if (rect->fill == Role::background && rect->radius > 5) found.push_back(*rect);
        return found;
    };
    const std::vector<Rect> memories = memories_of(scene);
    ASSERT_EQ(memories.size(), 2U);
    // They grow with the rows: none is drawn around rows that are not.
    PassFigureOptions options;
    options.shown = 2;
    const std::vector<Rect> begun = memories_of(figure(table, options));
    ASSERT_EQ(begun.size(), 2U);
    EXPECT_LT(begun.front().height, memories.front().height / 2);
    options.announce = true;
    EXPECT_GT(memories_of(figure(table, options)).front().height, begun.front().height);
    options.shown = 1;
    options.announce = false;
    EXPECT_TRUE(memories_of(figure(table, options)).empty());
    for (const Shape& shape : scene.shapes) {
        const auto* path = std::get_if<Path>(&shape.what);
        if (path == nullptr || path->stroke.role != Role::barrier || shape.tip.empty()) continue;
        for (const Rect& memory : memories) {  // a barrier never leaves its group
            const bool inside =
                path->points[0].x >= memory.x && path->points[1].x <= memory.x + memory.width;
            const bool outside =
                path->points[1].x <= memory.x || path->points[0].x >= memory.x + memory.width;
            EXPECT_TRUE(inside || outside);
        }
    }
}

TEST(PassFaults, TheSignOfAStaleReadTouchesNoDigits) {
    for (const float height : {1.0F, 200.0F, 250.0F, 300.0F, 400.0F, 600.0F}) {
        PassFigureOptions options;
        options.legend = false;
        options.height = height;
        const Scene scene = figure(broken_eight(), options);
        std::size_t signs = 0;
        for (const Path& sign : all<Path>(scene)) {  // a triangle, its tip first
            if (sign.fill != Role::race ||
                std::abs(sign.points[1].x - sign.points[2].x - 12) > 0.01F)
                continue;
            ++signs;
            const float right = sign.points[1].x, left = sign.points[2].x;
            const float bottom = sign.points[1].y;
            for (const Text& text : all<Text>(scene)) {
                if (text.face != Face::mono || text.anchor != Anchor::middle) continue;
                const float half = test_fonts().text_width(text.text, text.size, text.face) / 2;
                const float top = text.y - test_fonts().cap_height(text.size, text.face);
                const bool beside = text.x + half <= left || text.x - half >= right;
                EXPECT_TRUE(beside || top >= bottom || text.y <= sign.points[0].y)
                    << text.text << " at " << height;
            }
        }
        EXPECT_GT(signs, 0U);
    }
}

TEST(PassFaults, FiguresAreAsTheyWereFoundGood) {
    expect_golden(drawn(eight()), "passes-right");
    expect_golden(drawn(broken_eight()), "passes-stale");
    expect_golden(drawn(run_passes(local_kernel(16, 4), in_order())), "passes-local");
    expect_golden(drawn(tree(1024, 64)), "passes-heat");
}

}  // namespace
}  // namespace lab::figures
