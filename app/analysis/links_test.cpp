#include <gmock/gmock.h>

#include "analysis/links.h"
#include "analysis/rows.h"
#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

const Example kLinked{
    "kernel void f(global int* a) {\n"
    "  int id = get_global_id(0);\n"
    "  for (int span = 1; span < 4; span *= 2) {\n"
    "    if (id % (2 * span) == 0) a[id] += a[id + span];\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  }\n"
    "}",
    4,
    2,
    {{7, 1, 6, 8}}};

machine::Run linked_run() {
    return machine::play(machine::job_of(kLinked, 2),
                         machine::order_of(machine::SchedulingPolicy::Kind::round_robin), {});
}

Names links_of(const machine::Run& run, const char* name) {
    Names names;
    add_links({run, 0, run.trace().size()}, referent_of(name), names);
    return names;
}

TEST(HighlightTargets, AreNamedAndKnownByTheirNames) {
    for (const char* name : {"cell 3 4", "worker 1 0", "item 7", "memory s/1 4", "memory data 0",
                             "line 12", "action 99", "group 1", "next 0 1", "race 2", "print 5"})
        EXPECT_EQ(name_of(referent_of(name)), name);
    for (const char* name : {"", "cell", "cell 3", "cell 3 4 5", "line x", "memory 4", "tile 1"})
        EXPECT_EQ(referent_of(name).kind, HighlightTarget::Kind::none) << name;
}

TEST(Links, OfAMemoryCellAreWhoTouchedItAndByWhichLine) {
    const machine::Run run = linked_run();
    const Names names = links_of(run, "memory a 2");
    EXPECT_THAT(names, IsSupersetOf({"item 2", "item 0", "line 4"}));
    EXPECT_THAT(names, Not(Contains("item 1")));
    EXPECT_THAT(names, Not(Contains("memory a 1")));
    EXPECT_THAT(names, Not(Contains("line 5")));
}

TEST(Links, OfAnActionAreItsGroupAndOfAGroupItsActionsAlone) {
    const machine::Run run = linked_run();
    const Names first = links_of(run, "action 0");  // group 0 loads a[1]
    EXPECT_THAT(first, IsSupersetOf({"group 0", "memory a 1", "line 4", "item 0"}));
    EXPECT_THAT(first, Not(Contains("action 1")));
    const Names group = links_of(run, "group 0");
    EXPECT_THAT(group, Contains("action 0"));
    EXPECT_THAT(group, Not(Contains("memory a 1")));
}

TEST(Links, OfALineWithoutMemoryAreItsActions) {
    const machine::Run run = linked_run();
    const Names names = links_of(run, "line 5");
    EXPECT_FALSE(names.empty());
    for (const std::string& name : names)
        EXPECT_TRUE(name.starts_with("action ") || name == "line 5") << name;
}

TEST(Links, OfARowAreTheCellsAboveAndBelowItsWorkItems) {
    const machine::Run run = linked_run();
    StepTable table;
    table.rows = stale_rows(run, 0);
    ASSERT_EQ(table.rows.size(), 3U);  // the start, and two passes
    // Rows end where the last group has passed the barrier; here: half of the run each.
    std::vector<std::uint64_t> ends{0, run.trace().size() / 2, run.trace().size()};
    std::uint64_t barriers = 0;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time)
        if (run.trace().action(time).kind == machine::ActionKind::barrier && ++barriers == 2)
            ends[1] = time + 1;
    Names names;
    add_links({run, 0, run.trace().size(), &table, &ends}, referent_of("worker 1 2"), names);
    EXPECT_THAT(names, IsSupersetOf({"cell 0 2", "cell 0 3", "cell 1 2", "line 4"}));
    EXPECT_THAT(names, Not(Contains("cell 1 0")));
    EXPECT_THAT(names, Not(Contains("cell 2 0")));
    names.clear();
    add_links({run, 0, run.trace().size(), &table, &ends}, referent_of("cell 2 0"), names);
    EXPECT_THAT(names, Contains("worker 2 0"));
    EXPECT_THAT(names, Not(Contains("worker 1 0")));
}

TEST(Links, OfARaceAreBothOfItsLines) {
    const machine::Run run = linked_run();
    Hazard hazard;
    hazard.object = "a";
    hazard.space = "global";
    hazard.index = 2;
    hazard.sides.resize(2);
    hazard.sides[0].line = hazard.sides[1].line = 4;
    hazard.sides[0].item = 2;
    Names names;
    const LinkedActions actions{run, 0, run.trace().size()};
    add_race_links(actions, {hazard}, referent_of("race 0"), names);
    EXPECT_THAT(names, IsSupersetOf({"memory a 2", "line 4", "item 0", "item 2"}));
    names.clear();
    add_race_links(actions, {hazard}, referent_of("memory a 2"), names);
    EXPECT_THAT(names, Contains("race 0"));
    names.clear();
    add_race_links(actions, {hazard}, referent_of("memory a 1"), names);
    EXPECT_TRUE(names.empty());
}

TEST(Links, OfAPrintAreItsWorkItemAndLineAndBack) {
    const Example example{
        "kernel void f(global int* a) {\n"
        "  a[get_global_id(0)] += 1;\n"
        "  printf(\"%d\", (int)get_global_id(0));\n"
        "  if (get_global_id(0) == 1) printf(\"one\");\n"
        "}",
        2,
        2,
        {{7, 1}}};
    const machine::Run run =
        machine::play(machine::job_of(example, 1),
                      machine::order_of(machine::SchedulingPolicy::Kind::in_order), {});
    const std::vector<PrintedText> prints = printed_texts(run);
    ASSERT_EQ(prints.size(), 3U);
    StepTable table;
    table.rows.resize(2);
    table.rows[1].launch = 1;
    const std::vector<std::uint64_t> ends{0, run.trace().size()};
    const auto links = [&](const char* name) {
        Names names;
        add_print_links({run, 0, run.trace().size(), &table, &ends}, prints, referent_of(name),
                        names);
        return names;
    };
    EXPECT_THAT(links("print 2"),
                testing::ElementsAre("item 1", "line 4", "print 2", "worker 1 1"));
    EXPECT_THAT(links("line 3"), IsSupersetOf({"print 0", "print 1", "item 0", "item 1"}));
    EXPECT_THAT(links("line 3"), Not(Contains("print 2")));
    EXPECT_THAT(links("worker 1 1"), IsSupersetOf({"print 1", "print 2"}));
    EXPECT_THAT(links("item 0"), Not(Contains("print 1")));
    EXPECT_TRUE(links("line 2").empty());
}

}  // namespace
}  // namespace lab::analysis
