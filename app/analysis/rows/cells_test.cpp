#include "analysis/rows/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/example_values.h"

namespace lab::analysis {
namespace {

using testing::ElementsAre;

Cell plain(const char* value) {
    return {int_value(value), false, {}, -1};
}
Cell made(const char* value, std::vector<std::uint32_t> from, std::int64_t item) {
    return {int_value(value), true, std::move(from), item};
}

StepTable four() {
    StepTable table;
    table.result = "10";
    table.rows.resize(3);
    table.rows[0].cells = {plain("1"), plain("2"), plain("3"), plain("4")};
    table.rows[1].cells = {made("3", {0, 1}, 0), plain("2"), made("7", {2, 3}, 2), plain("4")};
    table.rows[2].cells = {made("10", {0, 2}, 0), plain("2"), plain("7"), plain("4")};
    return table;
}

TEST(Cells, ATreeSpendsItsCells) {
    using enum CellState;
    EXPECT_THAT(cell_states(four()), ElementsAre(ElementsAre(input, input, input, input),
                                                 ElementsAre(written, read, written, read),
                                                 ElementsAre(written, spent, read, spent)));
}

TEST(Cells, ARowOfAnotherNameIsAnotherArrayOfTheSameLength) {
    using enum CellState;
    StepTable table = four();
    table.rows.resize(2);
    EXPECT_TRUE(of_one_array(table.rows[0], table.rows[1]));  // nobody knows
    table.rows[0].array = "in";
    table.rows[1].array = "buf";
    EXPECT_FALSE(of_one_array(table.rows[0], table.rows[1]));
    EXPECT_THAT(cell_states(table)[1], ElementsAre(written, same, written, same));
}

TEST(Cells, AnArrayThatComesBackKnowsWhatWasUsed) {
    using enum CellState;
    StepTable table = four();
    table.rows.resize(4);
    for (const std::size_t row : {0U, 1U, 3U})
        table.rows[row].array = "buf";
    table.rows[2].array = "out";
    table.rows[2].cells = {made("3", {0}, 0)};
    table.rows[3].cells = {plain("3"), plain("2"), made("7", {0}, 2), plain("4")};
    EXPECT_THAT(cell_states(table).back(), ElementsAre(spent, spent, written, spent));
    // Local memory of another launch is another.
    for (const std::size_t row : {1U, 3U})
        table.rows[row].local_memory = true;
    table.rows[3].launch = 2;
    EXPECT_THAT(cell_states(table).back(), ElementsAre(same, same, written, same));
}

TEST(Cells, ARowOfAnotherLengthIsAnotherArray) {
    using enum CellState;
    StepTable table = four();
    table.rows.resize(1);
    table.rows.resize(2);
    table.rows[1].cells = {made("3", {0, 1}, -1), made("7", {2, 3}, -1)};
    EXPECT_THAT(cell_states(table).back(), ElementsAre(written, written));
}

TEST(Cells, WhatNobodyReadWaits) {
    using enum CellState;
    StepTable table = four();
    table.rows[1].cells[2] = plain("3");
    table.rows[2].cells[0] = plain("3");
    EXPECT_THAT(cell_states(table).back(), ElementsAre(same, spent, same, same));
}

TEST(Cells, TheResultIsWhereItsValueWasWritten) {
    StepTable table = four();
    EXPECT_EQ(result_cell(table), 0U);
    table.rows[2].cells[0].written = false;
    table.rows[2].cells[3] = made("10", {2, 3}, 3);
    EXPECT_EQ(result_cell(table), 3U);
    table.result = "11";
    EXPECT_EQ(result_cell(table), std::nullopt);
    EXPECT_EQ(result_cell(StepTable()), std::nullopt);
}

TEST(Cells, ItemsAreCountedOnce) {
    Row pass = four().rows[1];
    pass.cells[1] = made("0", {1}, 0);
    EXPECT_THAT(working_items(pass), ElementsAre(0, 2));
    EXPECT_THAT(written_cells(pass), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace lab::analysis
