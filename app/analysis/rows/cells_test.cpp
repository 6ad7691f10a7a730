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

Passes four() {
    Passes passes;
    passes.result = "10";
    passes.passes.resize(3);
    passes.passes[0].cells = {plain("1"), plain("2"), plain("3"), plain("4")};
    passes.passes[1].cells = {made("3", {0, 1}, 0), plain("2"), made("7", {2, 3}, 2), plain("4")};
    passes.passes[2].cells = {made("10", {0, 2}, 0), plain("2"), plain("7"), plain("4")};
    return passes;
}

TEST(Cells, ATreeSpendsItsCells) {
    using enum CellState;
    EXPECT_THAT(cell_states(four()), ElementsAre(ElementsAre(input, input, input, input),
                                                 ElementsAre(written, read, written, read),
                                                 ElementsAre(written, spent, read, spent)));
}

TEST(Cells, ARowOfAnotherNameIsAnotherArrayOfTheSameLength) {
    using enum CellState;
    Passes passes = four();
    passes.passes.resize(2);
    EXPECT_TRUE(of_one_array(passes.passes[0], passes.passes[1]));  // nobody knows
    passes.passes[0].array = "in";
    passes.passes[1].array = "buf";
    EXPECT_FALSE(of_one_array(passes.passes[0], passes.passes[1]));
    EXPECT_THAT(cell_states(passes)[1], ElementsAre(written, same, written, same));
}

TEST(Cells, AnArrayThatComesBackKnowsWhatWasUsed) {
    using enum CellState;
    Passes passes = four();
    passes.passes.resize(4);
    for (const std::size_t row : {0U, 1U, 3U})
        passes.passes[row].array = "buf";
    passes.passes[2].array = "out";
    passes.passes[2].cells = {made("3", {0}, 0)};
    passes.passes[3].cells = {plain("3"), plain("2"), made("7", {0}, 2), plain("4")};
    EXPECT_THAT(cell_states(passes).back(), ElementsAre(spent, spent, written, spent));
    // Local memory of another launch is another.
    for (const std::size_t row : {1U, 3U})
        passes.passes[row].local_memory = true;
    passes.passes[3].launch = 2;
    EXPECT_THAT(cell_states(passes).back(), ElementsAre(same, same, written, same));
}

TEST(Cells, ARowOfAnotherLengthIsAnotherArray) {
    using enum CellState;
    Passes passes = four();
    passes.passes.resize(1);
    passes.passes.resize(2);
    passes.passes[1].cells = {made("3", {0, 1}, -1), made("7", {2, 3}, -1)};
    EXPECT_THAT(cell_states(passes).back(), ElementsAre(written, written));
}

TEST(Cells, WhatNobodyReadWaits) {
    using enum CellState;
    Passes passes = four();
    passes.passes[1].cells[2] = plain("3");
    passes.passes[2].cells[0] = plain("3");
    EXPECT_THAT(cell_states(passes).back(), ElementsAre(same, spent, same, same));
}

TEST(Cells, TheResultIsWhereItsValueWasWritten) {
    Passes passes = four();
    EXPECT_EQ(result_cell(passes), 0U);
    passes.passes[2].cells[0].written = false;
    passes.passes[2].cells[3] = made("10", {2, 3}, 3);
    EXPECT_EQ(result_cell(passes), 3U);
    passes.result = "11";
    EXPECT_EQ(result_cell(passes), std::nullopt);
    EXPECT_EQ(result_cell(Passes()), std::nullopt);
}

TEST(Cells, ItemsAreCountedOnce) {
    Pass pass = four().passes[1];
    pass.cells[1] = made("0", {1}, 0);
    EXPECT_THAT(working_items(pass), ElementsAre(0, 2));
    EXPECT_THAT(written_cells(pass), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace lab::analysis
