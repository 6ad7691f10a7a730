// Facts against a few lines of brute force, for many shapes.
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lessons/facts.h"
#include "support/typed_lesson.h"

namespace lab::lessons {
namespace {

class FactsOfRuns : public testing::Test {
  protected:
    double value(const std::string& text, const Show& show) {
        return Expression(text, runs_.library())(show, runs_);
    }
    Runs runs_{{catalogue::shipped(), {}}};
};

Show modulo(std::size_t n, std::size_t group, const char* barrier = "BARRIER=group") {
    const std::string count = std::to_string(n), size = std::to_string(group);
    return shown({{"kernel", "span-modulo"},
                  {"set", barrier},
                  {"input", "random:7"},
                  {"n", count.c_str()},
                  {"group", size.c_str()},
                  {"order", "round-robin"}});
}

// Without barriers a loop that only loads is no pass of its own: rows are numbered from 1 and as a
// lesson counts them.
TEST_F(FactsOfRuns, RowsHaveTheirNumbersWithoutBarriers) {
    for (const char* toggles : {"ITEMS=1, BARRIER_LOAD=off, BARRIER_LOOP=off", "ITEMS=1",
                                "ITEMS=4, BARRIER_LOAD=off, BARRIER_LOOP=off"})
        for (const char* order : {"round-robin", "in-order"}) {
            SCOPED_TRACE(toggles);
            const Show show = shown({{"kernel", "local-tree"},
                                     {"set", toggles},
                                     {"input", "ramp"},
                                     {"n", "8"},
                                     {"group", "8"},
                                     {"order", order}});
            Facts& facts = runs_.facts(show);
            ASSERT_EQ(facts.passes(), 5U);
            for (std::uint32_t row = 1; row <= 5; ++row)
                EXPECT_EQ(facts.row(row).number, row);
            EXPECT_EQ(value("active(1)", show), 8);
            EXPECT_EQ(value("active(2)", show), 4);
            EXPECT_EQ(facts.run().activity.size(), 5U);
            EXPECT_EQ(facts.run().lanes.passes.size(), 5U);
        }
}

// The first cell may be asked for, but is never called right or wrong.
TEST_F(FactsOfRuns, NoResultIsWrongOfAKernelThatReducesNothing) {
    const std::string header =
        "/* title: A\n * chapter: A 1\n * origin: new\n * teaches: A.\n"
        " * entry: add\n * plan: once\n"
        " * args: data: T[n] = input, n: uint = n\n * global: n\n"
        " * local: group\n * result: data\n * depth: n\n * expect: ";
    const std::string body =
        "\n */\nkernel void add(global T* data, const uint n) {\n"
        "  const uint i = get_global_id(0);\n"
        "  if (i + 1 < n) data[i] += data[i + 1];\n}\n";
    for (const char* expect : {"races", "nothing"}) {
        TypedLesson lesson("## P\nW.\n\n```show\nkernel: k.cl\ninput: 7,1,6,8\ngroup: 4\n```\n",
                           "en", {{"k.cl", header + expect + body}});
        ASSERT_TRUE(lesson.read.lesson);
        Facts& facts = lesson.runs.facts(lesson.page().show);
        const bool judged = std::string_view(expect) == "races";
        EXPECT_EQ(facts.result(), "8");
        EXPECT_EQ(facts.table().right, !judged);
        EXPECT_EQ(facts.table().expected, judged ? "22" : "");
        EXPECT_EQ(facts.outcomes().results.size(), 3U);
        for (const analysis::PossibleResult& each : facts.outcomes().results)
            EXPECT_EQ(each.ending.right.has_value(), judged);
    }
}

// Work-items, passes and cells of the tree that adds neighbours, in one group.
TEST_F(FactsOfRuns, TheTreeIsThatOfFiveLines) {
    for (const std::size_t n : {2U, 3U, 5U, 8U, 12U, 16U, 31U, 32U}) {
        SCOPED_TRACE(n);
        const Show show = modulo(n, 32);
        const catalogue::Values values = make_values(show.shape.input, show.shape.type, n);
        std::vector<double> row;
        for (std::size_t i = 0; i < n; ++i)
            row.push_back(std::visit([&](const auto& all) { return double(all[i]); }, values));
        double all = 0;
        for (const double each : row)
            all += each;
        std::size_t pass = 0;
        for (std::size_t half = 1; half < n; half *= 2) {
            ++pass;
            std::size_t active = 0;
            for (std::size_t i = 0; i + half < n; i += 2 * half, ++active)
                row[i] += row[i + half];
            EXPECT_EQ(value(fmt::format("active({})", pass), show), double(active));
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_EQ(value(fmt::format("cell({}, {})", pass, i), show), row[i]);
        }
        EXPECT_EQ(value("passes", show), double(pass));
        EXPECT_EQ(value("barriers", show), double(pass));
        EXPECT_EQ(value("result", show), all);
        EXPECT_EQ(value("right", show), all);
        EXPECT_EQ(value("is_right", show), 1);
        EXPECT_EQ(value("depth", show), double(pass));
        EXPECT_EQ(value("launches", show), 1);
        EXPECT_EQ(value("races", show), 0);
        EXPECT_EQ(value("missing + doubled + stale + faults", show), 0);
        EXPECT_EQ(value("loads", show), 2.0 * double(n - 1));
        EXPECT_EQ(value("stores", show), double(n - 1));
        EXPECT_EQ(value("atomics", show), 0);
        EXPECT_EQ(value("changing_atomics", show), 0);
    }
}

TEST_F(FactsOfRuns, TwoGroupsHaveAsManyResultsAsTheirCellHadValues) {
    for (const std::size_t group : {2U, 4U}) {
        const Show show = modulo(2 * group, group);
        double values = 1;
        for (std::size_t half = 1; half < group; half *= 2)
            ++values;
        // Equal sums would be one result; these numbers give none.
        EXPECT_EQ(value("results", show), values) << group;
        EXPECT_EQ(value("wrong_results", show), values - 1) << group;
        EXPECT_EQ(value("complete", show), 1);
        EXPECT_EQ(value("possible(right)", show), 1);
        EXPECT_EQ(value("possible(right + 1)", show), 0);
        EXPECT_GT(value("races", show), 0);
        EXPECT_EQ(value("groups", show), 2);
        EXPECT_EQ(value("items", show), double(2 * group));
        // Before the last pass group 0 has been at as many barriers as it made passes, and nobody
        // can say anything of group 1.
        const double last = value("passes", show);
        EXPECT_EQ(value(fmt::format("passed(0, {})", last), show), last - 1);
        EXPECT_EQ(value(fmt::format("passed(1, {})", last), show), 0);
    }
}

TEST_F(FactsOfRuns, LaunchesOfLargeShapesComeFromThePlan) {
    for (const std::size_t n : {2U, 8U, 1000U, 1024U, 100000U}) {
        Show show = shown({{"kernel", "relaunch"}, {"group", "64"}});
        set_key(show, "n", std::to_string(n));
        EXPECT_EQ(value("launches", show), std::ceil(std::log2(double(n)))) << n;
        EXPECT_EQ(value("n", show), double(n));
    }
}

// A warp of eight lanes reads eight ints side by side: one sector of 32 bytes.
TEST_F(FactsOfRuns, SectorsAreThoseThatAddressesFallInto) {
    for (const std::size_t lanes : {1U, 2U, 4U, 8U}) {
        Show show = shown(
            {{"kernel", "block-interleaved"}, {"n", "16"}, {"group", "8"}, {"input", "ramp"}});
        set_key(show, "lanes", std::to_string(lanes));
        double expected = 0;
        for (std::size_t stride = 1; stride < 16; stride *= 2)
            for (std::size_t warp = 0; warp < 8; warp += lanes) {
                std::set<std::size_t> sectors;
                for (std::size_t lid = warp; lid < warp + lanes; ++lid)
                    if (lid % stride == 0 && 2 * lid + stride < 16)
                        sectors.insert((2 * lid + stride) / 8);
                expected += double(sectors.size());
            }
        EXPECT_EQ(value("sectors(28)", show), expected) << lanes;
    }
}

TEST_F(FactsOfRuns, ItemsAndCellsOfAPass) {
    Facts& facts = runs_.facts(modulo(8, 4));
    using Items = std::set<std::uint64_t>;
    EXPECT_EQ(facts.items(1, Facts::Activity::active), (Items{0, 2, 4, 6}));
    EXPECT_EQ(facts.items(1, Facts::Activity::idle), (Items{1, 3, 5, 7}));
    EXPECT_EQ(facts.cells(2, Facts::CellUse::written), (Items{0, 4}));
    EXPECT_EQ(facts.cells(2, Facts::CellUse::read), (Items{0, 2, 4, 6}));
    EXPECT_EQ(facts.cells(3, Facts::CellUse::raced), (Items{4}));
    EXPECT_TRUE(facts.cells(0, Facts::CellUse::missing).empty());
    Show early = modulo(8, 4);
    set_key(early, "order", "in-order");
    EXPECT_EQ(runs_.facts(early).cells(0, Facts::CellUse::missing), (Items{5, 6, 7}));
    EXPECT_EQ(runs_.facts(early).items(3, Facts::Activity::stale), (Items{0}));
    EXPECT_THROW((void)facts.row(4), Problem);
}

// Where one stands makes no other run; another schedule does.
TEST_F(FactsOfRuns, RunsAreMadeOnce) {
    Show show = modulo(8, 4);
    Facts& first = runs_.facts(show);
    set_key(show, "at", "pass 2");
    set_key(show, "panel", "memory");
    EXPECT_EQ(&runs_.facts(show), &first);
    set_key(show, "order", "reversed");
    EXPECT_NE(&runs_.facts(show), &first);
}

TEST_F(FactsOfRuns, RacesAreWorkedOutWhenTheyAreAskedFor) {
    Facts& facts = runs_.facts(modulo(8, 8, "BARRIER=none"));
    const analysis::MachineRun& run = facts.plain_run();
    EXPECT_EQ(value("stores", modulo(8, 8, "BARRIER=none")), 7);
    EXPECT_FALSE(facts.table().result.empty());
    EXPECT_TRUE(run.hazards.empty() && run.marks.empty());
    EXPECT_EQ(&facts.run(), &run);
    EXPECT_FALSE(run.hazards.empty() || run.marks.empty());
}

TEST_F(FactsOfRuns, TheShortestSchedulesAreLookedForWhenTheyAreAskedFor) {
    Show show = modulo(4, 4, "BARRIER=none");
    set_key(show, "lanes", "1");
    Facts& facts = runs_.facts(show);
    std::set<std::string> all, again;
    for (const analysis::PossibleResult& each : facts.outcomes().results) {
        all.insert(each.ending.result);
        EXPECT_FALSE(each.shortest);
    }
    for (const analysis::PossibleResult& each : facts.shortest_outcomes().results) {
        again.insert(each.ending.result);
        EXPECT_TRUE(each.shortest);
    }
    EXPECT_GT(all.size(), 1U);
    EXPECT_EQ(all, again);
}

// Lockstep hides what a missing barrier does, and OpenCL promises none.
TEST_F(FactsOfRuns, WhatCanComeOutIsOfIndependentItemsUnlessLanesAreNamed) {
    const Show show = modulo(4, 4, "BARRIER=none");
    EXPECT_EQ(show.machine.lanes, 4U);
    EXPECT_EQ(value("results", show), 2);
    EXPECT_EQ(value("wrong_results", show), 1);
    EXPECT_EQ(value("results(lanes=4)", show), 1);
    EXPECT_EQ(value("results(lanes=2)", show), 2);
    // The shortest way there is one of the picture's own lanes.
    EXPECT_EQ(runs_.facts(show).shortest_outcomes().results.size(), 1U);
}

TEST_F(FactsOfRuns, ARunWithoutAnEndIsSoonStoppedAndALongOneIsNot) {
    const TemporaryFolder folder;
    write_file(folder.path() / "waits.cl",
               "kernel void waits(global volatile int* a) { while (a[0] == 0); }\n");
    write_file(folder.path() / "counts.cl",
               "kernel void counts(global volatile int* a)\n"
               "{ for (int i = 0; i < 200; ++i) a[get_global_id(0)] = i; }\n");
    Runs runs({catalogue::shipped(), folder.path()});
    Show waits = shown({{"kernel", "waits.cl"}, {"global", "4"}, {"local", "4"}});
    set_key(waits, "arg", "a:int[4]=0,0,0,0");
    EXPECT_TRUE(runs.facts(waits).plain_run().fault);
    EXPECT_LT(runs.facts(waits).plain_run().run->end().steps, 200'000U);
    Show counts = shown({{"kernel", "counts.cl"}, {"global", "1024"}, {"local", "256"}});
    set_key(counts, "arg", "a:int[1024]");
    EXPECT_FALSE(runs.facts(counts).plain_run().fault);
    EXPECT_GT(runs.facts(counts).plain_run().run->end().steps, 200'000U);
}

TEST_F(FactsOfRuns, AKernelWithoutAHeaderHasAResultIfItWritesOneBuffer) {
    const TemporaryFolder folder;
    write_file(folder.path() / "own.cl",
               "kernel void own(global const int* in, global int* out)\n"
               "{ if (in[get_global_id(0)] == 1) out[0] = get_global_id(0); }\n");
    write_file(folder.path() / "two.cl",
               "kernel void two(global int* a, global int* b)\n{ a[0] = 1; b[0] = 2; }\n");
    Runs runs({catalogue::shipped(), folder.path()});
    Show show = shown({{"kernel", "own.cl"}, {"global", "4"}, {"local", "2"}});
    set_key(show, "arg", "in:int[4]=1,1,0,0");
    set_key(show, "arg", "out:int[1]=9");
    EXPECT_EQ(runs.facts(show).result(), "1");
    set_key(show, "lanes", "1");
    std::set<std::string> results;
    for (const analysis::PossibleResult& each : runs.facts(show).outcomes().results)
        results.insert(each.ending.result);
    EXPECT_EQ(results, (std::set<std::string>{"0", "1"}));
    Show two = shown({{"kernel", "two.cl"}, {"global", "1"}, {"local", "1"}});
    set_key(two, "arg", "a:int[1]");
    set_key(two, "arg", "b:int[1]");
    EXPECT_EQ(runs.facts(two).result(), "a: 1, b: 2");
}

TEST_F(FactsOfRuns, EveryFactHasAName) {
    const std::vector<std::string> names = fact_names();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    const std::string docs = read_file(fs::path(LAB_SOURCE_DIR) / "docs/lessons.md");
    for (const std::string& name : names)
        EXPECT_NE(docs.find(name), std::string::npos) << name << " is not in docs/lessons.md";
}

using testing::HasSubstr;

class Expressions : public testing::Test {
  protected:
    double value(const std::string& text) {
        return Expression(text, runs_.library())(show_, runs_);
    }
    Problem problem(const std::string& text) {
        try {
            (void)value(text);
        } catch (const Problem& found) {
            return found;
        }
        ADD_FAILURE() << text << " has a value";
        return {};
    }

    Runs runs_{{catalogue::shipped(), {}}};
    Show show_ = shown({{"kernel", "span-modulo"},
                        {"set", "BARRIER=group"},
                        {"input", "7,1,6,8,5,6,7,1"},
                        {"group", "4"}});
};

TEST_F(Expressions, OperatorsBindAsInC) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("10 - 3 - 2"), 5);
    EXPECT_EQ(value("2 * 3 ^ 2"), 18);
    EXPECT_EQ(value("-2 + 5"), 3);
    EXPECT_EQ(value("1 + 1 == 2 && 3 < 2 || 1"), 1);
    EXPECT_EQ(value("0 && 1 || 1"), 1);
    EXPECT_EQ(value("0 && (1 || 1)"), 0);
    EXPECT_EQ(value("!0 + !3"), 1);
    EXPECT_EQ(value("1 <= 1"), 1);
    EXPECT_EQ(value("2 != 2"), 0);
    EXPECT_EQ(value("7 % 4"), 3);
    EXPECT_EQ(value("7 / 2"), 3.5);  // real numbers
    EXPECT_EQ(value("--3"), 3);
}

TEST_F(Expressions, TheRightSideMayHaveNoMeaningWhereTheLeftDecides) {
    EXPECT_EQ(value("0 && 1 / 0"), 0);
    EXPECT_EQ(value("1 || cell(99, 0)"), 1);
    EXPECT_THAT(problem("1 / 0").what_happened, HasSubstr("zero"));
    EXPECT_THAT(problem("1 % (2 - 2)").what_happened, HasSubstr("zero"));
}

TEST_F(Expressions, RangesHaveAVariable) {
    EXPECT_EQ(value("sum(i = 0..7, input(i))"), 41);
    EXPECT_EQ(value("count(i = 0..7, input(i) > 6)"), 3);
    EXPECT_EQ(value("most(i = 0..7, input(i))"), 8);
    EXPECT_EQ(value("least(i=0..7, input(i))"), 1);
    EXPECT_EQ(value("sum(i = 1..3, sum(k = 1..i, k))"), 10);
    EXPECT_EQ(value("sum(i = 3..1, 1)"), 0);
    EXPECT_THAT(problem("sum(i = 0..10^9, 1)").what_happened, HasSubstr("too long"));
}

TEST_F(Expressions, AnotherRunIsNamedByWhatDiffers) {
    EXPECT_EQ(value("n"), 8);
    EXPECT_EQ(value("n(n=1000)"), 1000);
    EXPECT_EQ(value("launches(relaunch, n=1024, group=256)"), 10);
    EXPECT_EQ(value("input(0, input=\"3,4\")"), 3);
    EXPECT_EQ(value("cell(1, 0, input=\"3,4,5,6,7,8,9,1\")"), 7);
    EXPECT_EQ(value("results"), 3);
    EXPECT_EQ(value("results(span-modulo, n=8, group=8, BARRIER=group)"),
              1);                   // a toggle by its name
    EXPECT_EQ(value("n == 8"), 1);  // no key of show
}

TEST_F(Expressions, WhatIsWrongIsSaidWithItsColumn) {
    EXPECT_EQ(problem("1 + ").where, "5");
    EXPECT_EQ(problem("(1 + 2").where, "7");
    EXPECT_EQ(problem("1 2").where, "3");
    EXPECT_EQ(problem("3 + pases").where, "5");
    EXPECT_EQ(problem("3 + pases").hint, "Is it passes?");
    EXPECT_EQ(problem("2 * cell(1)").where, "5");
    EXPECT_THAT(problem("cell(1)").what_happened, HasSubstr("2 arguments"));
    EXPECT_THAT(problem("n(3)").what_happened, HasSubstr("no arguments"));
    EXPECT_THAT(problem("busy(1, 2)").what_happened, HasSubstr("0 to 1"));
    EXPECT_THAT(problem("min(1)").what_happened, HasSubstr("2 arguments"));
    EXPECT_EQ(problem("n(input=\"7,1").what_happened, "The value does not end");
    EXPECT_EQ(problem("sum(3, 4)").where, "6");
    EXPECT_EQ(problem("#").where, "1");
    EXPECT_THAT(problem("zebra").hint, HasSubstr("docs/lessons.md"));
    EXPECT_THAT(problem(std::string(500, '(')).what_happened, HasSubstr("deeply"));
    EXPECT_THAT(problem(std::string(500, '-')).what_happened, HasSubstr("deeply"));
}

TEST_F(Expressions, ValuesThatARunDoesNotHave) {
    EXPECT_THAT(problem("cell(9, 0)").what_happened, HasSubstr("no pass 9"));
    EXPECT_THAT(problem("cell(1, 8)").what_happened, HasSubstr("no cell 8"));
    EXPECT_THAT(problem("cell(1, 0 - 1)").what_happened, HasSubstr("no place"));
    EXPECT_THAT(problem("shortest(34)").what_happened, HasSubstr("No schedule gives 34"));
    EXPECT_THAT(problem("result(n=100000)").text(), HasSubstr("4096"));
}

TEST_F(Expressions, NumbersAsText) {
    EXPECT_EQ(text_of(22), "22");
    EXPECT_EQ(text_of(3.5), "3.5");
    EXPECT_EQ(text_of(1.0 / 3), "0.3333");
    EXPECT_EQ(text_of(-4), "-4");
    EXPECT_EQ(text_of(1e9), "1000000000");
    EXPECT_EQ(text_of(16777218.5), "16777218.5");
}

}  // namespace
}  // namespace lab::lessons
