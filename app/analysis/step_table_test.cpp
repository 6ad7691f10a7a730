#include <ostream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/step_table.h"
#include "base/problem.h"
#include "support/example_job.h"
#include "support/example_values.h"

namespace lab::analysis {
namespace {

using nlohmann::json;

StepTable one_cell(const std::string& type, const std::string& value,
                   lang::Scalar scalar = lang::Scalar::int_) {
    StepTable table;
    table.variant = "relaunch";
    table.op = "add";
    table.type = type;
    table.n = 1;
    table.group = 1;
    table.result = table.expected = value;
    table.right = true;
    Row start;
    start.cells = {{value_of(value, scalar), false, {}, -1}};
    table.rows = {start};
    return table;
}

json written(const StepTable& table) {
    return json::parse(json(table).dump());
}

TEST(StepTable, ReadsBackWhatItWrote) {
    StepTable table = one_cell("int", "3");
    table.title = "One launch per pass";
    table.source = "device";
    table.device = "PoCL";
    table.n = 2;
    table.rows[0].cells = {{int_value("1"), false, {}, -1}, {int_value("2"), false, {}, -1}};
    Row pass;
    pass.launch = 1;
    pass.variables = "span = 2";
    pass.global = 2;
    pass.local = 1;
    pass.items_known = true;
    pass.cells = {{int_value("3"), true, {0, 1}, 0}, {int_value("2"), false, {}, -1}};
    pass.cells[0].stale = true;
    pass.cells[0].also = {Writer{1, {0}}};
    pass.raced = {{1, 4, 2, true, false, 24, 25, true}};
    pass.handed_over = true;
    pass.local_memory = true;
    pass.group_cells = 2;
    pass.shape.rows = {2};
    table.rows.push_back(pass);
    table.optimised = false;
    table.settings = "BARRIER=group";
    table.machine = MachineUsed{{4, 2}, "random:7"};
    table.stale_known = false;
    table.note = "Only whole launches are shown";

    const StepTable read = written(table).get<StepTable>();
    EXPECT_EQ(json(read), json(table));
    EXPECT_FALSE(read.optimised);
    EXPECT_EQ(read.note, table.note);
    EXPECT_FALSE(read.stale_known);
    EXPECT_EQ(read.title, table.title);
    EXPECT_EQ(read.device, "PoCL");
    EXPECT_EQ(read.settings, "BARRIER=group");
    ASSERT_TRUE(read.machine);
    EXPECT_EQ(read.machine->lanes, 4U);
    EXPECT_EQ(read.machine->resident, 2U);
    EXPECT_EQ(read.machine->order, "random:7");
    EXPECT_FALSE(written(one_cell("int", "3")).get<StepTable>().machine);
    ASSERT_EQ(read.rows.size(), 2U);
    EXPECT_EQ(read.rows[1].variables, "span = 2");
    EXPECT_TRUE(read.rows[1].items_known);
    EXPECT_EQ(read.rows[1].cells[0].from, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(read.rows[1].cells[0].item, 0);
    EXPECT_TRUE(read.rows[1].cells[0].stale);
    EXPECT_EQ(read.rows[1].cells[0].also, (std::vector<Writer>{Writer{1, {0}}}));
    ASSERT_EQ(read.rows[1].raced.size(), 1U);
    const RacedCell& raced = read.rows[1].raced[0];
    EXPECT_EQ(raced.cell, 1U);
    EXPECT_EQ(raced.first, 4);
    EXPECT_EQ(raced.second, 2);
    EXPECT_TRUE(raced.first_writes);
    EXPECT_FALSE(raced.second_writes);
    EXPECT_EQ(raced.first_line, 24U);
    EXPECT_EQ(raced.second_line, 25U);
    EXPECT_TRUE(raced.across_groups);
    EXPECT_TRUE(read.rows[1].local_memory);
    EXPECT_EQ(read.rows[1].group_cells, 2U);
    EXPECT_EQ(read.rows[1].cell_name(1), "[0][1]");
    EXPECT_FALSE(read.rows[0].local_memory);
    EXPECT_TRUE(read.rows[1].handed_over);
    EXPECT_FALSE(read.rows[0].handed_over);
    EXPECT_FALSE(read.rows[1].cells[1].written);
    EXPECT_EQ(read.rows[1].cells[1].item, -1);
}

TEST(StepTable, UnwrittenCellsCarryOnlyTheirValue) {
    EXPECT_EQ(written(one_cell("int", "7"))["passes"][0]["cells"][0].dump(), R"({"value":7})");
}

struct Value {
    lang::Scalar type;
    const char* text;
    const char* in_json;
};
void PrintTo(const Value& value, std::ostream* out) {
    *out << lang::info(value.type).name << " " << value.text;
}

class PassesValues : public testing::TestWithParam<Value> {};

TEST_P(PassesValues, KeepTheirText) {
    const StepTable table =
        one_cell(lang::info(GetParam().type).name, GetParam().text, GetParam().type);
    const json out = json(table);
    EXPECT_EQ(out["passes"][0]["cells"][0]["value"].dump(), GetParam().in_json);
    const StepTable read = written(table).get<StepTable>();
    EXPECT_EQ(text_of(read.rows[0].cells[0].value), GetParam().text);
    EXPECT_EQ(read.result, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, PassesValues,
    testing::Values(Value{lang::Scalar::int_, "-2147483648", "-2147483648"},
                    Value{lang::Scalar::long_, "-9223372036854775808", "-9223372036854775808"},
                    Value{lang::Scalar::long_, "9007199254740993", "9007199254740993"},
                    Value{lang::Scalar::ulong, "18446744073709551615", "18446744073709551615"},
                    Value{lang::Scalar::float_, "0.1", "0.1"},
                    Value{lang::Scalar::float_, "41", "41"},
                    Value{lang::Scalar::float_, "-0", "-0.0"},
                    Value{lang::Scalar::float_, "16777216", "16777216"},
                    Value{lang::Scalar::float_, "1e+16", "1e+16"},
                    Value{lang::Scalar::float_, "3.4028235e+38", "3.4028235e+38"},
                    Value{lang::Scalar::float_, "1e-45", "1e-45"},
                    Value{lang::Scalar::double_, "0.30000000000000004", "0.30000000000000004"},
                    Value{lang::Scalar::double_, "1.7976931348623157e+308",
                          "1.7976931348623157e+308"},
                    Value{lang::Scalar::float_, "nan", "\"nan\""},
                    Value{lang::Scalar::float_, "inf", "\"inf\""},
                    Value{lang::Scalar::double_, "-inf", "\"-inf\""}));

TEST(StepTable, AResultThatIsNotThereStaysAnEmptyText) {
    StepTable table = one_cell("int", "1");
    table.result.clear();
    EXPECT_EQ(json(table)["result"].dump(), "\"\"");
    EXPECT_EQ(written(table).get<StepTable>().result, "");
}

TEST(StepTable, ACellThatNobodyWroteStaysSo) {
    StepTable table = one_cell("int", "1");
    table.rows[0].cells[0].value = {};
    EXPECT_EQ(json(table)["passes"][0]["cells"][0]["value"].dump(), "\"?\"");
    EXPECT_FALSE(written(table).get<StepTable>().rows[0].cells[0].value.bits);
}

// As a counter beside floats, or sums of integers of another width.
TEST(StepTable, ACellOfAnotherTypeThanTheElementsKeepsItsText) {
    for (const char* text : {"4294967295", "0.5", "16777217", "18446744073709551615"}) {
        StepTable table = one_cell("int", "1");
        table.rows[0].cells[0].value = value_of(text, lang::Scalar::double_);
        EXPECT_EQ(text_of(written(table).get<StepTable>().rows[0].cells[0].value), text);
    }
}

TEST(StepTable, RefusesAnotherSchema) {
    json out = one_cell("int", "1");
    out["schema"] = 2;
    EXPECT_THROW(out.get<StepTable>(), Problem);
}

TEST(StepTable, RefusesACellFromOutsideTheRowAbove) {
    StepTable table = one_cell("int", "1");
    Row pass;
    pass.launch = 1;
    pass.cells = {{int_value("1"), true, {1}, 0}};
    table.rows.push_back(pass);
    const json out = table;
    EXPECT_THROW(out.get<StepTable>(), Problem);
}

TEST(StepTable, RefusesARaceOutsideOfTheRow) {
    StepTable table = one_cell("int", "1");
    table.rows[0].raced.resize(1);
    table.rows[0].raced[0].cell = 1;
    const json out = table;
    EXPECT_THROW(out.get<StepTable>(), Problem);
}

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
    table.expected = "10";
    EXPECT_EQ(result_cell(table), 0U);
    table.rows[2].cells[0].written = false;
    table.rows[2].cells[3] = made("10", {2, 3}, 3);
    EXPECT_EQ(result_cell(table), 3U);
    table.result = "11";
    EXPECT_EQ(result_cell(table), std::nullopt);
    table.result = "10";
    table.expected.clear();  // a kernel that reduces nothing
    EXPECT_EQ(result_cell(table), std::nullopt);
    EXPECT_EQ(result_cell(StepTable()), std::nullopt);
}

TEST(Cells, ItemsAreCountedOnce) {
    Row pass = four().rows[1];
    pass.cells[1] = made("0", {1}, 0);
    EXPECT_THAT(working_items(pass), ElementsAre(0, 2));
    EXPECT_THAT(written_cells(pass), ElementsAre(0, 1, 2));
}

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

TEST(Agreement, OfALaunchThatTheMachineDidNotEndNothingIsKnown) {
    const StepTable device = rows({row(1, 0, {"8", "1"}), row(2, 0, {"41", "1"})});
    StepTable machine = rows({row(1, 1, {"8", "1"}), row(2, 1, {"9", "1"})});
    EXPECT_EQ(agreement_of(device, machine).kind, Agreement::Kind::differs);
    machine.fault = "The kernel has not ended after 4064000 instructions";
    EXPECT_EQ(agreement_of(device, machine).kind, Agreement::Kind::same);
    EXPECT_EQ(agreement_of(device, machine).rows, 1U);
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

using machine::Example;

machine::Run printing_run(const std::string& body, NDRange range = {4, 2}) {
    Example example{"kernel void f(global int* a) {\n" + body + "}\n", 4, 2, {{7, 1, 6, 8}}};
    example.range = range;
    return machine::play(machine::job_of(example, 1),
                         machine::order_of(machine::SchedulingPolicy::Kind::in_order), {});
}

std::vector<std::string> lines_printed(const machine::Run& run) {
    std::vector<std::string> lines;
    for (const PrintedText& each : printed_texts(run))
        lines.push_back(fmt::format("{} line {} after {}: {}", each.item_name, each.line, each.time,
                                    each.text));
    return lines;
}

TEST(PrintedTexts, AreInTheOrderOfTheScheduleWithTheirLines) {
    const machine::Run run = printing_run(
        "const int i = get_global_id(0);\n"
        "printf(\"%d is here\\n\", i);\n"
        "printf(\"%d\", a[i]);\n");
    const std::vector<std::string> lines = lines_printed(run);
    ASSERT_EQ(lines.size(), 8U);
    EXPECT_THAT(lines, testing::Contains("0 line 3 after 1: 0 is here"));
    EXPECT_THAT(lines, testing::Contains("0 line 4 after 1: 7"));
    EXPECT_THAT(lines, testing::Contains("1 line 4 after 2: 1"));
    EXPECT_THAT(lines, testing::Contains("3 line 4 after 4: 8"));
}

// Groups begin before anything is done: that is no reason to show what they print at the start.
TEST(PrintedTexts, AreNotSeenBeforeTheFirstActionOfTheirLaunch) {
    Example example{
        "kernel void f(global int* a) {\n"
        "printf(\"%d\", (int)get_global_id(0));\n"
        "a[get_global_id(0)] += 1;\n}\n",
        2,
        2,
        {{7, 1}}};
    machine::Job job = machine::job_of(example, 1);
    job.launches.push_back(job.launches.front());
    const machine::Run run = machine::play(
        std::move(job), machine::order_of(machine::SchedulingPolicy::Kind::in_order), {});
    const std::vector<PrintedText> texts = printed_texts(run);
    ASSERT_EQ(texts.size(), 4U);
    EXPECT_EQ(texts[0].launch, 1U);
    EXPECT_EQ(texts[0].time, 1U);
    EXPECT_EQ(texts[2].launch, 2U);
    EXPECT_EQ(texts[2].time, 5U);  // each of two work-items loads and stores
}

TEST(PrintedTexts, NameWorkItemsByTheirCoordinates) {
    const machine::Run run = printing_run("if (get_global_id(1) == 1) printf(\"x\\n\\ny\");\n",
                                          {2, {2, 2, 1}, {2, 1, 1}});
    const std::vector<PrintedText> texts = printed_texts(run);
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_EQ(texts[1].item_name, "(1,1)");
    EXPECT_EQ(texts[1].text, "x\n\ny");
    EXPECT_EQ(texts[1].time, 0U);  // there is no action at all
}

TEST(PrintedTexts, TellsWhetherAKernelCallsPrintf) {
    EXPECT_TRUE(calls_printf(printing_run("if (a[0] == 5) printf(\"never\");\n")));
    EXPECT_FALSE(calls_printf(printing_run("a[0] = 1;\n")));
}

}  // namespace
}  // namespace lab::analysis
