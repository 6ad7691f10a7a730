#include "figures/size_map_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/figure_checks.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using analysis::ShapeVerdict;
using testing::HasSubstr;

// Every verdict there is, by rows; of one more row no cell was judged.
analysis::SizeMap every_verdict(std::size_t columns) {
    analysis::SizeMap map;
    map.rows.name = "group";
    map.columns.name = "n";
    for (std::size_t row = 0; row < analysis::kShapeVerdicts.size(); ++row) {
        map.rows.values.push_back(std::to_string(row + 1));
        for (std::size_t column = 0; column < columns; ++column) {
            analysis::ShapeJudgement cell;
            cell.verdict = static_cast<ShapeVerdict>(row);
            cell.n = column + 1;
            cell.group = row + 1;
            cell.groups = 1;
            if (cell.verdict == ShapeVerdict::wrong) {
                cell.result = "19";
                cell.expected = "15";
            }
            if (cell.verdict == ShapeVerdict::race) {
                cell.line = 28;
                cell.other = 29;
            }
            map.cells.push_back(cell);
        }
    }
    for (std::size_t column = 0; column < columns; ++column)
        map.columns.values.push_back(std::to_string(column + 1));
    map.judged = map.cells.size();
    return map;
}

TEST(SizeMapFigure, FitsInEveryLanguage) {
    for (const char* language : kLanguages)
        for (const std::size_t columns : {3U, 64U}) {
            FigureOptions options;
            options.text_scale = columns == 3 ? 1.3F : 1;
            RunSubject subject;
            subject.title = "Tree";
            const Scene scene = size_map_figure(every_verdict(columns), subject, options,
                                                test_fonts(), translations_in(language));
            expect_inside(scene);
            expect_no_text_over_text(scene);
            expect_readable(scene);
            std::set<std::string> names;
            for (const Shape& shape : scene.shapes)
                EXPECT_TRUE(shape.name.empty() || names.insert(shape.name).second);
            EXPECT_EQ(names.size(), analysis::kShapeVerdicts.size() * columns);
        }
}

TEST(SizeMapFigure, CellsGiveWayToALowRoomAndAreAllThere) {
    FigureOptions options;
    options.heading = false;
    options.height = 230;
    options.width = 700;
    const Scene scene =
        size_map_figure(every_verdict(64), {}, options, test_fonts(), translations_in("ru"));
    EXPECT_LE(scene.height, options.height);
    EXPECT_LE(scene.width, options.width);
    const auto cells = std::count_if(scene.shapes.begin(), scene.shapes.end(),
                                     [](const Shape& shape) { return !shape.name.empty(); });
    EXPECT_EQ(cells, static_cast<std::ptrdiff_t>(analysis::kShapeVerdicts.size() * 64));
    expect_inside(scene);
    expect_no_text_over_text(scene);
}

TEST(SizeMapFigure, VerdictsDifferWithoutTheirColours) {
    std::set<char> signs;
    for (std::size_t i = 0; i < analysis::kShapeVerdicts.size(); ++i)
        EXPECT_TRUE(signs.insert(verdict_sign(static_cast<ShapeVerdict>(i))).second) << i;
}

TEST(SizeMapFigure, ACellSaysWhatHappened) {
    const analysis::SizeMap map = every_verdict(3);
    const Translations& tr = translations_in("en");
    EXPECT_EQ(map_cell_text(map, 2, 1, tr), "the group size 3, n 2: wrong, 19 in the place of 15");
    EXPECT_THAT(map_cell_text(map, 3, 0, tr), HasSubstr("line 28 with line 29"));
}

TEST(SizeMapFigure, ItsHeadSaysNothingOfWhatASideVaries) {
    RunSubject subject;
    subject.machine.order = "round-robin";
    subject.machine.lanes = 4;
    const Translations& tr = translations_in("en");
    for (const char* part : {"4 lanes per warp", "groups at once", "round robin"})
        EXPECT_THAT(subtitle_of(subject, tr), HasSubstr(part));
    subject.varied = {"lanes"};
    EXPECT_THAT(subtitle_of(subject, tr), HasSubstr("groups at once"));
    for (const char* part : {"lanes", "round robin"})
        EXPECT_THAT(subtitle_of(subject, tr), testing::Not(HasSubstr(part)));
    subject.varied = {"lanes", "resident"};
    EXPECT_EQ(subtitle_of(subject, tr), "");
}

TEST(SizeMapFigure, TheSentenceSaysTheRuleOrTheCounts) {
    analysis::SizeMap map;
    map.rows = {"group", {"1", "2", "3", "4"}};
    map.columns = {"n", {"1", "2"}};
    for (std::uint64_t group = 1; group <= 4; ++group)
        for (std::uint64_t n = 1; n <= 2; ++n) {
            analysis::ShapeJudgement cell;
            cell.verdict = group == 3 ? ShapeVerdict::wrong : ShapeVerdict::right;
            cell.n = n;
            cell.group = group;
            map.cells.push_back(cell);
        }
    map.judged = 8;
    EXPECT_THAT(
        size_map_sentence(map, translations_in("en")),
        HasSubstr("2 of 8 shapes: wrong, exactly where the group size is no power of two."));
    EXPECT_THAT(size_map_sentence(map, translations_in("zh")), HasSubstr("组大小不是 2 的幂"));
    map.cells.front().verdict = ShapeVerdict::wrong;
    EXPECT_THAT(size_map_sentence(map, translations_in("en")), HasSubstr("3 of 8 shapes: wrong."));
    for (analysis::ShapeJudgement& each : map.cells)
        each.verdict = ShapeVerdict::right;
    EXPECT_EQ(size_map_sentence(map, translations_in("en")), "In all 8 shapes: right.");
    for (std::size_t i = 1; i < map.cells.size(); ++i)
        map.cells[i].verdict = ShapeVerdict::not_launched;
    EXPECT_EQ(size_map_sentence(map, translations_in("en")),
              "In the one shape that can be launched: right. 7 more cannot be launched.");
    map.cells.front().verdict = ShapeVerdict::not_launched;
    EXPECT_EQ(size_map_sentence(map, translations_in("en")),
              "None of these shapes can be launched.");
}

}  // namespace
}  // namespace lab::figures
