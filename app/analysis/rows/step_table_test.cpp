#include "analysis/rows/step_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/problem.h"
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
    table.rows.push_back(pass);
    table.optimised = false;
    table.settings = "BARRIER=group";
    table.machine = MachineUsed{4, 2, "random:7"};
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

}  // namespace
}  // namespace lab::analysis
