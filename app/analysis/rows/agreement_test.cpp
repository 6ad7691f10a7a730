#include "analysis/rows/agreement.h"

#include <gtest/gtest.h>

namespace lab::analysis {
namespace {

Row row(int launch, std::uint32_t number, const std::vector<std::string>& values,
        lang::Scalar type = lang::Scalar::int_) {
    Row result;
    result.launch = launch;
    result.number = number;
    for (const std::string& value : values)
        result.cells.emplace_back().value = value_of(value, type);
    return result;
}

StepTable rows(std::vector<Row> table, const std::string& type = "int") {
    StepTable step_table;
    step_table.type = type;
    step_table.rows = std::move(table);
    return step_table;
}

TEST(Agreement, OfTheSameRowsIsThatTheyAreTheSame) {
    const StepTable one = rows({row(0, 0, {"7", "1"}), row(1, 1, {"8", "1"})});
    const Agreement agreement = agreement_of(one, one);
    EXPECT_EQ(agreement.kind, Agreement::Kind::same);
    EXPECT_EQ(agreement.rows, 2U);
}

TEST(Agreement, TheFirstCellThatDiffersIsTold) {
    const StepTable device = rows({row(0, 0, {"7", "1"}), row(1, 1, {"9", "2"})});
    const StepTable machine = rows({row(0, 0, {"7", "1"}), row(1, 1, {"8", "1"})});
    const Agreement agreement = agreement_of(device, machine);
    EXPECT_EQ(agreement.kind, Agreement::Kind::differs);
    EXPECT_EQ(agreement.row, 1U);
    EXPECT_EQ(agreement.cell, 0U);
    EXPECT_EQ(agreement.device, "9");
    EXPECT_EQ(agreement.machine, "8");
}

TEST(Agreement, WhatOneDoesNotKnowIsLeftOut) {
    const StepTable device = rows({row(1, 1, {"?", "1"})});
    const StepTable machine = rows({row(1, 1, {"8", "1"})});
    EXPECT_EQ(agreement_of(device, machine).kind, Agreement::Kind::same);
}

TEST(Agreement, AWholeLaunchIsHeldAgainstTheLastPassOfIt) {
    const StepTable device = rows({row(1, 0, {"41", "1"})});
    const StepTable machine = rows({row(1, 1, {"8", "1"}), row(1, 2, {"41", "1"})});
    EXPECT_EQ(agreement_of(device, machine).kind, Agreement::Kind::same);
}

TEST(Agreement, FloatsMayDifferInTheirLastDigitsAndNoMore) {
    const auto number = [](const char* text) {
        return rows({row(1, 1, {text}, lang::Scalar::float_)}, "float");
    };
    const StepTable machine = number("0.3");
    EXPECT_EQ(agreement_of(number("0.30000004"), machine).kind, Agreement::Kind::rounding);
    EXPECT_EQ(agreement_of(number("0.31"), machine).kind, Agreement::Kind::differs);
    EXPECT_EQ(agreement_of(rows({row(1, 1, {"3"})}), rows({row(1, 1, {"4"})})).kind,
              Agreement::Kind::differs);
}

TEST(Agreement, WithoutARowInCommonNothingIsKnown) {
    EXPECT_EQ(agreement_of(rows({row(1, 1, {"1"})}), rows({row(2, 1, {"1"})})).kind,
              Agreement::Kind::unknown);
}

}  // namespace
}  // namespace lab::analysis
