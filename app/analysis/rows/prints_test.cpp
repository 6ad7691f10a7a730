#include "analysis/rows/prints.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;

machine::Run printing_run(const std::string& body, NDRange range = {4, 2}) {
    Example example{"kernel void f(global int* a) {\n" + body + "}\n", 4, 2, {{7, 1, 6, 8}}};
    example.range = range;
    return machine::play(machine::job_of(example, 1),
                         machine::order_of(machine::Order::Kind::in_order), {});
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
    const machine::Run run =
        machine::play(std::move(job), machine::order_of(machine::Order::Kind::in_order), {});
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
