#include "analysis/lineage/lineage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using machine::Example;
using testing::ElementsAre;
using testing::IsEmpty;

// One work-item: `body` uses the int buffers a = {7, 1, 6, 8} and b, which nobody has written.
machine::Run played(const std::string& body, std::uint64_t items = 1) {
    Example example;
    example.text =
        "kernel void f(global int* a, global int* b, local int* c) {\n"
        "  int id = get_local_id(0);\n  " +
        body + "\n}";
    example.global = example.local = items;
    example.buffers = {{7, 1, 6, 8}, {}};
    example.local_ints = {4};
    return machine::play(machine::job_of(example), {});
}

MemoryCell global(std::uint32_t buffer, std::uint64_t index) {
    return {false, 0, 0, buffer, index};
}

machine::Node node_of(const machine::Run& run, const MemoryCell& cell) {
    return contents_of(run.machine(), run.end(), cell).value().node;
}

Composition in(const machine::Run& run, const MemoryCell& cell) {
    const machine::Node node = node_of(run, cell);
    return composition_of(run.machine().lineage(), {&node, 1});
}

TEST(Lineage, InputsAreCountedAsOftenAsTheyWentIn) {
    const machine::Run run = played("b[0] = a[0] + a[1] + 3 * a[1]; b[1] = 5;");
    EXPECT_THAT(in(run, global(1, 0)).inputs,
                ElementsAre(Ingredient{0, 0, 1}, Ingredient{0, 1, 2}));
    EXPECT_THAT(in(run, global(1, 1)).inputs, IsEmpty());
    EXPECT_THAT(in(run, global(0, 3)).inputs, ElementsAre(Ingredient{0, 3, 1}));
    EXPECT_EQ(in(run, global(1, 0)).unwritten, 0U);
}

TEST(Lineage, WhatNobodyHadWrittenIsInItToo) {
    const machine::Run run = played("b[0] = a[0] + c[1] + c[2]; b[1] = c[3];");
    EXPECT_THAT(in(run, global(1, 0)).inputs, ElementsAre(Ingredient{0, 0, 1}));
    EXPECT_EQ(in(run, global(1, 0)).unwritten, 2U);
    EXPECT_EQ(in(run, global(1, 1)).unwritten, 1U);
    // For a cell that nobody wrote likewise.
    EXPECT_EQ(in(run, global(1, 2)).unwritten, 1U);
    EXPECT_FALSE(contents_of(run.machine(), run.end(), global(1, 2))->written);
}

TEST(Lineage, DoublingIsCountedNotEnumerated) {
    EXPECT_EQ(
        in(played("for (int i = 0; i < 10; ++i) a[0] += a[0];"), global(0, 0)).inputs[0].times,
        1024U);
    EXPECT_EQ(
        in(played("for (int i = 0; i < 63; ++i) a[0] += a[0];"), global(0, 0)).inputs[0].times,
        std::uint64_t{1} << 63U);
    const machine::Run run = played("for (int i = 0; i < 500; ++i) a[0] += a[0];");
    EXPECT_EQ(in(run, global(0, 0)).inputs[0].times, kCountless);
    const Ancestry tree = ancestry_of(run, node_of(run, global(0, 0)));
    EXPECT_LE(tree.entries.size(), kMostEntries);
    EXPECT_EQ(tree.left_out, kCountless);
}

TEST(Lineage, ATreeIsCutWhereItIsFarthestFromItsRoot) {
    const machine::Run run = played("for (int i = 0; i < 4; ++i) a[0] += a[0];");
    const machine::Node root = node_of(run, global(0, 0));
    // 1 + 2 + 4 + 8 + 16 entries.
    EXPECT_EQ(ancestry_of(run, root).entries.size(), 31U);
    EXPECT_EQ(ancestry_of(run, root).left_out, 0U);
    const Ancestry cut = ancestry_of(run, root, 8);
    ASSERT_EQ(cut.entries.size(), 7U);
    EXPECT_EQ(cut.left_out, 24U);
    EXPECT_FALSE(cut.entries[2].cut);
    for (std::size_t i = 3; i < 7; ++i)
        EXPECT_TRUE(cut.entries[i].cut);
    // Values as they were stored: 112 = 16 * 7, then its halves.
    EXPECT_EQ(cut.entries[0].value, "112");
    EXPECT_EQ(cut.entries[2].value, "56");
}

TEST(Lineage, AsJsonPartsStandInsideWhatTheyWentInto) {
    const machine::Run run = played("a[0] = a[0] + a[1] + c[0];");
    const nlohmann::json tree =
        json_of(run.machine(), ancestry_of(run, node_of(run, global(0, 0))));
    // 8 + 0xA5A5A5A5, in 32 bits with a sign.
    EXPECT_EQ(tree["value"], "-1515870803");
    EXPECT_EQ(tree["of"][0]["of"][0]["input"], "buffer0[0]");
    EXPECT_EQ(tree["of"][0]["of"][0]["value"], "7");
    EXPECT_FALSE(tree["of"][0].contains("value"));  // 8 stayed in a register
    EXPECT_EQ(tree["of"][1]["unwritten"], true);
}

TEST(Lineage, CellsAreAskedAtAnyTimeAndInAnyMemory) {
    // Actions: 0 load, 1 store to c; 2 barrier; 3, 4 loads, 5 store to b.
    machine::Run run =
        played("c[id] = a[id]; barrier(CLK_LOCAL_MEM_FENCE); b[id] = c[id] + c[3 - id];", 4);
    ASSERT_EQ(run.trace().size(), 6U);
    const auto objects = run.machine().context(0).objects;
    std::uint32_t local = 1;
    while (objects[local].space != machine::Space::local)
        ++local;
    const MemoryCell cell{true, 0, 0, local, 2};
    EXPECT_EQ(text_of(run.machine(), cell), objects[local].name + "/0[2]");
    EXPECT_FALSE(contents_of(run.machine(), run.state_at(1), cell)->written);
    EXPECT_EQ(contents_of(run.machine(), run.state_at(1), cell)->node, machine::kUnwritten);
    EXPECT_EQ(contents_of(run.machine(), run.state_at(2), cell)->bits, 6U);
    EXPECT_FALSE(contents_of(run.machine(), run.end(), cell)) << "the group has gone";
    EXPECT_FALSE(contents_of(run.machine(), run.end(), global(1, 4)));
    EXPECT_FALSE(contents_of(run.machine(), run.end(), global(2, 0)));
    EXPECT_EQ(contents_of(run.machine(), run.end(), global(1, 2))->bits, 7U);
    EXPECT_EQ(contents_of(run.machine(), run.state_at(5), global(1, 2))->written, false);
}

TEST(Lineage, AnAccountTellsWhatIsMissingAndWhatIsInTwice) {
    const Composition composition{{{0, 1, 1}, {0, 2, 3}, {1, 0, 1}}, 2};
    const Account account = account_of(composition, 0, 4);
    EXPECT_THAT(account.missing, ElementsAre(Ingredient{0, 0, 0}, Ingredient{0, 3, 0}));
    EXPECT_THAT(account.repeated, ElementsAre(Ingredient{0, 2, 3}));
    EXPECT_EQ(account.unwritten, 2U);
}

TEST(Lineage, BuffersOfOneNameAreNumbered) {
    machine::Job job = machine::job_of(
        {"kernel void f(global int* a, global int* b) { b[0] = a[0]; }", 1, 1, {{1}, {}}, 1});
    for (machine::Buffer& buffer : job.buffers)
        buffer.name = "out";
    const machine::Run run = machine::play(std::move(job), {});
    EXPECT_EQ(text_of(run.machine(), global(0, 0)), "out[0]");
    EXPECT_EQ(text_of(run.machine(), global(1, 0)), "out#2[0]");
}

}  // namespace
}  // namespace lab::analysis
