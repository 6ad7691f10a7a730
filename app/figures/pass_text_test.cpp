#include <map>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "support/example_passes.h"
#include "support/example_runs.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PassWords, SayWhatJustHappened) {
    const Translations& tr = translations_in("en");
    const analysis::StepTable table = eight();
    EXPECT_EQ(sentence(table, 0, tr), "8 numbers, 2 groups of 4.");
    EXPECT_EQ(sentence(table, 1, tr),
              "Items 0, 2, 4 and 6 each added two cells; 4 of 8 items worked. The launch ends "
              "here, so every group sees these values.");
    EXPECT_EQ(sentence(table, 3, tr),
              "Item 0 added two cells; 1 of 8 items worked. The result is 41, which is right.");
    EXPECT_EQ(sentence(table, 4, tr), "");
}

// A float that is not exact, and an integer that wrapped, are never just "right".
TEST(PassWords, SayHowNearToTheExactValueARightResultIs) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    table.exactness = {Exactness::Kind::no_digit, "2.6", "36"};
    EXPECT_EQ(verdict(table, tr), "41, within the bound of 36 of the exact 2.6");
    EXPECT_THAT(sentence(table, 3, tr), HasSubstr("no digit can be relied on"));
    EXPECT_THAT(sentence(table, 3, tr), Not(HasSubstr("which is right")));
    table.exactness = {Exactness::Kind::within, "40.5", "1"};
    EXPECT_EQ(verdict(table, tr), "right: 41, within the bound of 1 of the exact 40.5");
    table.exactness = {Exactness::Kind::wrapped, "2e14", ""};
    EXPECT_THAT(verdict(table, tr), HasSubstr("wrapped: 41; the exact value is 2e14"));
    EXPECT_THAT(sentence(table, 3, tr), HasSubstr("integers wrap: the exact value is 2e14"));
}

// The words of the command line, and no counts of a pass that did not end.
TEST(PassWords, SayWhyARunNeverEnds) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    table.result.clear();
    table.right = false;
    table.fault = "The kernel has not ended after 100 instructions";
    table.never_ends = true;
    table.fault_phrases.what = {"fault.budget", {{"count", "100"}}, {}};
    table.fault_phrases.why = {
        {"fault.spin",
         {{"item", "0"}, {"group", "0"}, {"line", "32"}, {"cell", "come[0]"}, {"value", "1"}},
         {}},
        {"fault.spin_room", {{"count", "1"}, {"groups", "2"}, {"resident", "1"}}, {}}};
    table.fault_phrases.hint = {"fault.room.hint", {}, {}};
    EXPECT_EQ(
        sentence(table, 3, tr),
        "The kernel has not ended after 100 instructions. Item 0 (group 0) spins in line 32: it "
        "keeps reading come[0], which stays 1. 1 of 2 groups have not begun: 1 run at once, and "
        "none of these ends. Groups that wait for each other must all run at "
        "once: fewer groups, or more groups at once.");
    EXPECT_EQ(row_labels(table, tr)[3].items, "");
}

TEST(PassWords, TheMachineIsToldInWordsOfTheLanguage) {
    analysis::StepTable table = eight();
    table.device = "as a device calls itself";
    EXPECT_THAT(subtitle(table, translations_in("en")), HasSubstr("as a device calls itself"));
    table.machine = analysis::MachineUsed{{1, 0}, "random:7"};
    EXPECT_THAT(subtitle(table, translations_in("en")),
                HasSubstr("independent items · all groups at once · random schedule (seed 7)"));
    EXPECT_THAT(subtitle(table, translations_in("ru")), HasSubstr("случайное расписание, зерно 7"));
    table.machine = analysis::MachineUsed{{4, 2}, "/home/me/turns.txt"};
    EXPECT_THAT(subtitle(table, translations_in("en")), HasSubstr("schedule from turns.txt"));
}

TEST(PassWords, ShortenLongLists) {
    EXPECT_THAT(sentence(tree(16, 4), 1, translations_in("en")),
                HasSubstr("Items 0, 2, 4, 6 and 4 more each added two cells"));
}

TEST(PassWords, TellByCellsWhereItemsAreNotKnown) {
    const Translations& tr = translations_in("en");
    const analysis::StepTable table = partials(8, 4);
    EXPECT_EQ(sentence(table, 1, tr),
              "Cells 0 and 1 were each made from 4 cells of the row above. 8 values became 2. The "
              "launch ends here, so every group sees these values.");
    EXPECT_THAT(sentence(table, 2, tr),
                HasSubstr("Cell 0 was made from two cells of the row above. 2 values became 1."));
    EXPECT_THAT(sentence(partials(6, 4), 1, tr),
                HasSubstr("Cell 0 was made from 4 cells of the row above. Cell 1 was made from two "
                          "cells of the row above. 6 values became 2."));
}

// 64 numbers go into tiles of 4 x 5 cells, whose fifth column nobody touches, and out of them
// again.
TEST(PassWords, CountNoPadding) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = tree(64, 16);
    table.rows.resize(3);
    table.rows[0].array = "in";
    analysis::Row& tile = table.rows[1];
    tile.array = "tile";
    tile.local_memory = true;
    tile.cells.assign(80, {});
    analysis::Row& out = table.rows[2];
    out.array = "out";
    for (std::uint32_t i = 0; i < 64; ++i) {
        const std::uint32_t padded = i / 4 * 5 + i % 4;
        tile.cells[padded] = {int_value("7"), true, {i}, i};
        out.cells[i] = {int_value("7"), true, {padded}, i};
    }
    for (const std::size_t row : {1U, 2U})
        EXPECT_THAT(sentence(table, row, tr), testing::Not(HasSubstr("became"))) << row;
    for (std::uint32_t i = 0; i < 64; ++i)
        if (i < 32)
            out.cells[i].from.push_back((i + 32) / 4 * 5 + i % 4);
        else
            out.cells[i] = {};
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("64 values became 32."));
}

// A scalar has no index, and an array of arrays has two, within the group.
TEST(PassWords, NameCellsAsTheTextDoes) {
    const Translations& tr = translations_in("en");
    machine::Example example{
        "kernel void f(global int* x) {\n    local int tile[2][2], met;\n"
        "    const uint id = get_local_id(0);\n    tile[id / 2][id % 2] = x[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (id == 3) tile[1][1] += tile[0][1];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (id == 0) met = tile[1][1] + tile[0][0];\n}\n",
        8,
        4,
        {{7, 1, 6, 8, 5, 6, 7, 1}}};
    const analysis::StepTable table =
        run_passes(example, machine::order_of(machine::SchedulingPolicy::Kind::in_order), 4);
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_THAT(sentence(table, 2, tr),
                HasSubstr("tile[1][1] = 1 + 8 = 9. tile[1][1] = 6 + 1 = 7."));
    EXPECT_THAT(sentence(table, 3, tr), HasSubstr("met = 7 + 9 = 16. met = 5 + 7 = 12."));
}

// What comes before a barrier of the grid is there for all groups.
TEST(PassWords, ABarrierOfTheGridIsOneOfAllGroups) {
    const Translations& tr = translations_in("en");
    const machine::Example example{
        "//! cuda\n__global__ void k(int* x) {\n    const int i = blockIdx.x * 4 + threadIdx.x;\n"
        "    x[i] += 1;\n    __syncthreads();\n    x[i] += 1;\n"
        "    cooperative_groups::this_grid().sync();\n    if (i == 0) x[0] += x[7];\n}\n",
        8,
        4,
        {{7, 1, 6, 8, 5, 6, 7, 1}}};
    const analysis::StepTable table =
        run_passes(example, machine::order_of(machine::SchedulingPolicy::Kind::in_order), 4);
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(boundary_after(table, 1), Boundary::group);
    EXPECT_EQ(boundary_after(table, 2), Boundary::grid);
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("All groups wait for each other here"));
    EXPECT_EQ(row_labels(table, tr)[2].boundary, "barrier of the grid: every group waits");
}

TEST(PassWords, CellsSayWhatTheirValueWasMadeOf) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    EXPECT_EQ(equation(table, 3, 0), "22 + 19 = 41");
    EXPECT_EQ(equation(table, 3, 1), "");
    EXPECT_EQ(equation(table, 0, 0), "");
    EXPECT_THAT(cell_tip(table, 3, 0, analysis::CellState::written, tr),
                HasSubstr("22 + 19 = 41, written by item 0"));
    // What was read, which the row above need not show any more.
    EXPECT_EQ(equation(broken_eight(), 3, 0), "22 + 5 = 27");
    EXPECT_THAT(sentence(broken_eight(), 3, tr), HasSubstr("x[0] = 22 + 5 = 27."));
    table.op = "max";
    EXPECT_EQ(equation(table, 3, 0), "");  // it is none of theirs
    table.rows[3].cells[0].value = int_value("22");
    EXPECT_EQ(equation(table, 3, 0), "max(22, 19) = 22");
    table.rows[3].cells[0].kept = true;
    EXPECT_EQ(equation(table, 3, 0), "");
}

TEST(PassWords, ASumThatLeftItsRangeIsToldModuloItsWidth) {
    using lang::Scalar;
    EXPECT_EQ(combination("add", Scalar::int_, {"22", "5"}, "27"), "22 + 5 = 27");
    EXPECT_EQ(combination("add", Scalar::int_, {"2147483647", "1"}, "-2147483648"),
              "2147483647 + 1 ≡ -2147483648 (mod 2^32)");
    EXPECT_EQ(combination("product", Scalar::uint, {"65536", "65537"}, "65536"),
              "65536 × 65537 ≡ 65536 (mod 2^32)");
    EXPECT_EQ(
        combination("add", Scalar::long_, {"9223372036854775807", "2"}, "-9223372036854775807"),
        "9223372036854775807 + 2 ≡ -9223372036854775807 (mod 2^64)");
    EXPECT_EQ(combination("add", Scalar::int_, {"22", "5"}, "28"), "");
    EXPECT_EQ(combination("min", Scalar::int_, {"22", "5"}, "22"), "");
    EXPECT_EQ(combination("add", Scalar::float_, {"16777216", "1"}, "16777216"),
              "16777216 + 1 = 16777216");
}

TEST(PassWords, TellAWrongResultAndAnIdlePass) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    table.right = false;
    table.result = "33";
    EXPECT_THAT(sentence(table, 3, tr), HasSubstr("33, which is wrong: it should be 41."));
    EXPECT_EQ(verdict(table, tr), "wrong: 33, expected 41");
    for (analysis::Cell& cell : table.rows[2].cells)
        cell = {cell.value, false, {}, -1};
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("No item combined anything; 0 of 8"));
}

TEST(PassWords, SayWhereNobodyRecordedWhatWentIn) {
    analysis::StepTable table = partials(8, 4);
    for (analysis::Row& pass : table.rows) {
        pass.origins_known = false;
        for (analysis::Cell& cell : pass.cells)
            cell = {cell.value, false, {}, -1};
    }
    EXPECT_THAT(sentence(table, 1, translations_in("en")),
                HasSubstr("What went into each value is not recorded for this kernel. The"));
}

TEST(PassWords, ABarrierIsNoEndOfALaunch) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    for (std::size_t row = 1; row < 4; ++row)
        table.rows[row].launch = 1;
    EXPECT_EQ(boundary_after(table, 0), Boundary::none);
    EXPECT_EQ(boundary_after(table, 1), Boundary::group);
    EXPECT_EQ(boundary_after(table, 3), Boundary::none);
    EXPECT_EQ(boundary_after(eight(), 1), Boundary::launch);
    EXPECT_THAT(sentence(table, 1, tr), HasSubstr("only the items of one group"));
    EXPECT_EQ(row_labels(table, tr)[1].boundary, "one barrier per group");
}

TEST(PassWords, LuckIsForRunsThatWentWell) {
    const Translations& tr = translations_in("en");
    using Ordered = analysis::RacedCell::Ordered;
    analysis::StepTable table = eight();
    table.rows[2].raced = {{4, 0, 4, true, false, 24, 25, true}};
    EXPECT_THAT(sentence(table, 2, tr),
                HasSubstr("at cell 4: here it went well, but nothing promises that."));
    for (const bool wrong : {true, false}) {
        analysis::StepTable other = table;
        (wrong ? other.result : other.fault) = "33";
        other.right = false;
        EXPECT_THAT(sentence(other, 2, tr), HasSubstr("Nothing orders who comes first at cell 4."));
    }
    table.rows[2].raced[0].ordered = Ordered::by_hand;
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("At cell 4 a signal by hand orders the groups"));
    EXPECT_THAT(race_text(table, table.rows[2].raced[0], tr),
                HasSubstr("(line 25). A signal by hand orders the two in this run"));
    table.rows[2].raced[0].ordered = Ordered::in_lockstep;
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("Only the lockstep of a warp"));
    table.rows[2].raced.push_back({0, 0, 1, true, false, 24, 25, false});
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("at cell 0: here it went well"));
}

TEST(PassWords, ABarrierIsCalledByWhomItOrders) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    for (std::size_t row = 1; row < 4; ++row) {
        table.rows[row].launch = 1;
        table.rows[row].number = static_cast<std::uint32_t>(row);
    }
    table.rows[1].by_hand = "come";
    EXPECT_EQ(boundary_after(table, 1), Boundary::by_hand);
    EXPECT_THAT(sentence(table, 1, tr), HasSubstr("by hand, through come: in this run"));
    EXPECT_EQ(row_labels(table, tr)[1].boundary, "groups signal by hand: come");
    table.rows[2].local_memory = true;
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("no group sees the local memory of another"));
    table.rows[2].local = 8;
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("orders all items: they are one group"));
    EXPECT_EQ(row_labels(table, tr)[2].boundary, "barrier: all items wait");
}

TEST(PassWords, TellWhoUpdatedACellAtomically) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = partials(8, 2);
    table.rows.resize(3);
    analysis::Row& last = table.rows[2];
    last.items_known = true;
    last.global = last.local = 4;
    last.array = "out";
    last.cells.resize(1);
    last.cells[0] = {int_value("28"), true, {3}, 3};
    last.cells[0].atomic = last.cells[0].kept = true;
    last.cells[0].also = {{0, {0}}, {1, {1}}, {2, {2}}};
    EXPECT_THAT(
        sentence(table, 2, tr),
        HasSubstr("Items 0, 1, 2 and 3 each added to out[0], atomically; 4 of 4 items worked. "
                  "4 values became 1."));
    // A maximum may hold a value that nobody has brought.
    last.cells[0].also.pop_back();
    EXPECT_THAT(sentence(table, 2, tr), testing::Not(HasSubstr("became")));
    last.cells[0] = {int_value("5"), true, {}, 2};
    last.cells[0].atomic = true;
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("Item 2 wrote out[0], atomically; 1 of 4"));
}

TEST(PassWords, TheIdentityIsNoValueOfTheInput) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    table.rows[1].cells[1].value = int_value("0");
    table.rows[2].neutral = {1};
    EXPECT_THAT(sentence(table, 2, tr),
                HasSubstr("Cell 1 of the row above holds only the identity (0)."));
    table.op = "min";
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("Cell 1 of the row above holds 0, which is not"));
    table.rows[2].neutral = {1, 2};
    EXPECT_THAT(sentence(table, 2, tr), HasSubstr("Cells 1 and 2 of the row above hold nothing"));
}

TEST(PassWords, CountsHaveTheFormsOfTheLanguage) {
    EXPECT_EQ(sentence(tree(1, 1), 0, translations_in("en")), "1 number.");
    EXPECT_EQ(sentence(tree(3, 2), 0, translations_in("ru")), "3 числа, 2 группы по 2.");
    EXPECT_EQ(sentence(tree(8, 8), 0, translations_in("en")), "8 numbers, 1 group of 8.");
    analysis::StepTable table = tree(2, 1);
    table.rows[1].global = 1;
    EXPECT_THAT(sentence(table, 1, translations_in("en")), HasSubstr("; 1 of 1 item worked."));
}

TEST(PassWords, SpeakOfABarrierOnlyWhereThereIsOne) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        table.rows[row].launch = 1;
        table.rows[row].number = static_cast<std::uint32_t>(row);
        table.rows[row].waited = false;  // turns of a loop without a barrier
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        EXPECT_THAT(sentence(table, row, tr), testing::Not(HasSubstr("The barrier"))) << row;
    EXPECT_THAT(sentence(table, 1, tr), HasSubstr("No barrier follows"));
    // Nobody knows what is right, so nothing is said of it; nor of a barrier behind the end.
    table.expected.clear();
    EXPECT_THAT(sentence(table, 3, tr), testing::Not(HasSubstr("barrier")));
}

TEST(PassWords, TellAStoreThatCameTooLate) {
    const Translations& tr = translations_in("en");
    analysis::StepTable table = eight();
    analysis::Cell& cell = table.rows[3].cells[4];
    cell.value = int_value("18");
    cell.late_item = 2;
    cell.late_pass = 1;
    EXPECT_THAT(sentence(table, 3, tr),
                HasSubstr("What work-item 2 wrote to cell 4 in pass 1 came after all others"));
    EXPECT_EQ(cell_tip(table, 3, 4, analysis::CellState::same, tr),
              "Cell 4 holds 18: work-item 2 wrote it in pass 1, but after all others.");
}

TEST(PassWords, LabelTheRows) {
    const auto labels = row_labels(eight(), translations_in("en"));
    ASSERT_EQ(labels.size(), 4U);
    EXPECT_EQ(labels[0].title, "start");
    EXPECT_EQ(labels[1].title, "pass 1");
    EXPECT_EQ(labels[1].variables, "span = 2");
    EXPECT_EQ(labels[1].items, "4 of 8 items work");
    EXPECT_EQ(labels[1].boundary, "end of launch: every group waits");
    EXPECT_EQ(labels[3].items, "1 of 8 items works");
    EXPECT_EQ(labels[3].boundary, "");
}

TEST(PassWords, RowsAreNumberedAsReportsNumberThem) {
    analysis::StepTable table = eight();
    const auto numbered = [&](std::vector<std::pair<int, std::uint32_t>> rows) {
        std::vector<std::string> titles;
        for (std::size_t row = 1; row <= rows.size(); ++row)
            std::tie(table.rows[row].launch, table.rows[row].number) = rows[row - 1];
        for (const RowLabel& label : row_labels(table, translations_in("en")))
            titles.push_back(label.title);
        return titles;
    };
    using testing::ElementsAre;
    // Two arrays of one pass; two launches of several; launches of one pass each.
    EXPECT_THAT(numbered({{1, 1}, {1, 2}, {1, 2}}),
                ElementsAre("start", "pass 1", "pass 2", "still pass 2"));
    EXPECT_THAT(numbered({{1, 1}, {1, 2}, {2, 1}}),
                ElementsAre("start", "launch 1, pass 1", "launch 1, pass 2", "launch 2, pass 1"));
    EXPECT_THAT(numbered({{1, 1}, {2, 1}, {3, 1}}),
                ElementsAre("start", "pass 1", "pass 2", "pass 3"));
}

// Every text that a figure can show is there in each language, and all its arguments are filled.
TEST(PassWords, AreCompleteInEveryLanguage) {
    const Fonts fonts;
    analysis::StepTable local = eight();
    for (analysis::Row& pass : local.rows)
        pass.launch = std::min(pass.launch, 1);
    local.right = false;
    analysis::StepTable moved = eight();
    moved.rows[1].cells[0].from = {1};
    for (const char* language : kLanguages) {
        const Translations& tr = translations_in(language);
        for (const analysis::StepTable& table :
             {eight(), local, moved, partials(64, 8), partials(6, 4), tree(100, 64), tree(5, 64),
              tree(5000, 64), tree(1, 1)}) {
            PassFigureOptions options;
            options.heading = true;
            const Scene scene = pass_figure(table, options, fonts, tr);
            std::string all = scene.description;
            for (const Shape& shape : scene.shapes) {
                all += "\n" + shape.tip;
                if (const auto* text = std::get_if<Text>(&shape.what)) all += "\n" + text->text;
            }
            EXPECT_EQ(all.find("figure."), std::string::npos)
                << all.substr(all.find("figure."), 40);
            EXPECT_EQ(all.find('{'), std::string::npos)
                << language << all.substr(all.find('{'), 40);
        }
    }
}

}  // namespace
}  // namespace lab::figures
