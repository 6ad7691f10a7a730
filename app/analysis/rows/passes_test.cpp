#include "analysis/rows/passes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/problem.h"

namespace lab::analysis {
namespace {

using nlohmann::json;

Passes one_cell(const std::string& type, const std::string& value) {
    Passes passes;
    passes.variant = "relaunch";
    passes.op = "add";
    passes.type = type;
    passes.n = 1;
    passes.group = 1;
    passes.result = passes.expected = value;
    passes.right = true;
    Pass start;
    start.cells = {{value, false, {}, -1}};
    passes.passes = {start};
    return passes;
}

json written(const Passes& passes) {
    return json::parse(json(passes).dump());
}

TEST(Passes, ReadsBackWhatItWrote) {
    Passes passes = one_cell("int", "3");
    passes.title = "One launch a pass";
    passes.source = "device";
    passes.device = "PoCL";
    passes.n = 2;
    passes.passes[0].cells = {{"1", false, {}, -1}, {"2", false, {}, -1}};
    Pass pass;
    pass.launch = 1;
    pass.variables = "span = 2";
    pass.global = 2;
    pass.local = 1;
    pass.items_known = true;
    pass.cells = {{"3", true, {0, 1}, 0}, {"2", false, {}, -1}};
    pass.cells[0].stale = true;
    pass.cells[0].also = {1};
    pass.raced = {{1, 4, 2, true, false, 24, 25, true}};
    pass.handed_over = true;
    pass.local_memory = true;
    pass.group_cells = 2;
    passes.passes.push_back(pass);
    passes.optimised = false;
    passes.settings = "BARRIER=group";
    passes.machine = MachineUsed{4, 2, "random:7"};
    passes.stale_known = false;
    passes.note = "Only whole launches are shown";

    const Passes read = written(passes).get<Passes>();
    EXPECT_EQ(json(read), json(passes));
    EXPECT_FALSE(read.optimised);
    EXPECT_EQ(read.note, passes.note);
    EXPECT_FALSE(read.stale_known);
    EXPECT_EQ(read.title, passes.title);
    EXPECT_EQ(read.device, "PoCL");
    EXPECT_EQ(read.settings, "BARRIER=group");
    ASSERT_TRUE(read.machine);
    EXPECT_EQ(read.machine->lanes, 4U);
    EXPECT_EQ(read.machine->resident, 2U);
    EXPECT_EQ(read.machine->order, "random:7");
    EXPECT_FALSE(written(one_cell("int", "3")).get<Passes>().machine);
    ASSERT_EQ(read.passes.size(), 2U);
    EXPECT_EQ(read.passes[1].variables, "span = 2");
    EXPECT_TRUE(read.passes[1].items_known);
    EXPECT_EQ(read.passes[1].cells[0].from, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(read.passes[1].cells[0].item, 0);
    EXPECT_TRUE(read.passes[1].cells[0].stale);
    EXPECT_EQ(read.passes[1].cells[0].also, (std::vector<std::int64_t>{1}));
    ASSERT_EQ(read.passes[1].raced.size(), 1U);
    const RacedCell& raced = read.passes[1].raced[0];
    EXPECT_EQ(raced.cell, 1U);
    EXPECT_EQ(raced.first, 4);
    EXPECT_EQ(raced.second, 2);
    EXPECT_TRUE(raced.first_writes);
    EXPECT_FALSE(raced.second_writes);
    EXPECT_EQ(raced.first_line, 24U);
    EXPECT_EQ(raced.second_line, 25U);
    EXPECT_TRUE(raced.across_groups);
    EXPECT_TRUE(read.passes[1].local_memory);
    EXPECT_EQ(read.passes[1].group_cells, 2U);
    EXPECT_FALSE(read.passes[0].local_memory);
    EXPECT_TRUE(read.passes[1].handed_over);
    EXPECT_FALSE(read.passes[0].handed_over);
    EXPECT_FALSE(read.passes[1].cells[1].written);
    EXPECT_EQ(read.passes[1].cells[1].item, -1);
}

TEST(Passes, UnwrittenCellsCarryOnlyTheirValue) {
    EXPECT_EQ(written(one_cell("int", "7"))["passes"][0]["cells"][0].dump(), R"({"value":7})");
}

struct Value {
    const char* type;
    const char* text;
    const char* in_json;
};
void PrintTo(const Value& value, std::ostream* out) {
    *out << value.type << " " << value.text;
}

class PassesValues : public testing::TestWithParam<Value> {};

TEST_P(PassesValues, KeepTheirText) {
    const Passes passes = one_cell(GetParam().type, GetParam().text);
    const json out = json(passes);
    EXPECT_EQ(out["passes"][0]["cells"][0]["value"].dump(), GetParam().in_json);
    const Passes read = written(passes).get<Passes>();
    EXPECT_EQ(read.passes[0].cells[0].value, GetParam().text);
    EXPECT_EQ(read.result, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, PassesValues,
    testing::Values(Value{"int", "-2147483648", "-2147483648"},
                    Value{"long", "-9223372036854775808", "-9223372036854775808"},
                    Value{"long", "9007199254740993", "9007199254740993"},
                    Value{"ulong", "18446744073709551615", "18446744073709551615"},
                    Value{"float", "0.1", "0.1"}, Value{"float", "41", "41"},
                    Value{"float", "-0", "-0.0"}, Value{"float", "16777216", "16777216"},
                    Value{"float", "1e+16", "1e+16"},
                    Value{"float", "3.4028235e+38", "3.4028235e+38"},
                    Value{"float", "1e-45", "1e-45"},
                    Value{"double", "0.30000000000000004", "0.30000000000000004"},
                    Value{"double", "1.7976931348623157e+308", "1.7976931348623157e+308"},
                    Value{"float", "nan", "\"nan\""}, Value{"float", "inf", "\"inf\""},
                    Value{"double", "-inf", "\"-inf\""}, Value{"int", "", "\"\""}));

TEST(Passes, RefusesAnotherSchema) {
    json out = one_cell("int", "1");
    out["schema"] = 2;
    EXPECT_THROW(out.get<Passes>(), Problem);
}

TEST(Passes, RefusesACellFromOutsideTheRowAbove) {
    Passes passes = one_cell("int", "1");
    Pass pass;
    pass.launch = 1;
    pass.cells = {{"1", true, {1}, 0}};
    passes.passes.push_back(pass);
    const json out = passes;
    EXPECT_THROW(out.get<Passes>(), Problem);
}

TEST(Passes, RefusesARaceOutsideOfTheRow) {
    Passes passes = one_cell("int", "1");
    passes.passes[0].raced.resize(1);
    passes.passes[0].raced[0].cell = 1;
    const json out = passes;
    EXPECT_THROW(out.get<Passes>(), Problem);
}

}  // namespace
}  // namespace lab::analysis
