#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/lineage.h"
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
    const InputCoverage account = account_of(composition, 0, 4);
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

using machine::Example;

machine::Run sum_of(const std::string& expression, std::vector<std::int32_t> values) {
    return machine::play(
        machine::job_of(
            {"kernel void f(global int* a, global int* out) {\n  out[0] = " + expression + ";\n}",
             1,
             1,
             {std::move(values), {}},
             1}),
        {}, {});
}

LineageTree tree_of(const machine::Run& run, std::size_t most = kMostEntries) {
    const MemoryCell cell{false, 0, 0, 1, 0};
    const auto contents = contents_of(run.machine(), run.end(), cell);
    const RootValue root{text_of(run.machine(), cell), contents->node};
    return lineage_tree(run, {&root, 1}, most);
}

TEST(LineageTree, EveryPartHasItsNameAndValue) {
    const LineageTree tree = tree_of(sum_of("(a[0] + a[1]) + a[2]", {7, 1, 6}));
    ASSERT_EQ(tree.roots.size(), 1U);
    EXPECT_EQ(tree.roots[0].cell, "buffer1[0]");
    ASSERT_EQ(tree.nodes.size(), 5U);
    EXPECT_EQ(tree.nodes[0].kind, TreeNode::Kind::combined);
    EXPECT_EQ(tree.nodes[0].value, "14");
    EXPECT_EQ(tree.nodes[0].leaves, 3U);
    const TreeNode& right = tree.nodes[tree.nodes[0].right];
    EXPECT_EQ(right.kind, TreeNode::Kind::input);
    EXPECT_EQ(right.name, "buffer0[2]");
    EXPECT_EQ(right.value, "6");
    EXPECT_EQ(tree.repeated, 0U);
}

TEST(LineageTree, WhatIsInTwiceIsCounted) {
    const LineageTree tree = tree_of(sum_of("a[0] + a[0]", {7, 1}));
    EXPECT_EQ(tree.repeated, 1U);
    EXPECT_EQ(tree.nodes[tree.nodes[0].left].times, 2U);
}

TEST(LineageTree, WhatIsLeftOutIsStillCounted) {
    const LineageTree tree = tree_of(sum_of("((a[0] + a[1]) + a[2]) + a[3]", {1, 2, 3, 4}), 3);
    ASSERT_EQ(tree.nodes.size(), 3U);
    EXPECT_EQ(tree.nodes[1].left, 0U);
    EXPECT_EQ(tree.nodes[1].leaves, 3U);
}

TEST(LineageTree, LostInputsHaveTheValueThatWasLost) {
    const machine::Run run = sum_of("a[0]", {7, 5});
    const MemoryCell cell{false, 0, 0, 1, 0};
    const Ingredient missing{0, 1, 0};
    const auto lost = lost_inputs(run, {&cell, 1}, {&missing, 1});
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0].name, "buffer0[1]");
    EXPECT_EQ(lost[0].value, "5");
    EXPECT_EQ(lost[0].kind, Loss::Kind::never_read);
}

using Kind = Loss::Kind;

// Work-items without lockstep, one after another: `body` uses id, a = {7, 1, 6, 8}, b, and c in
// local memory. The result is b[0], from which a[missing] is.
struct Played {
    machine::Run run;
    Loss loss;
};
Played played(const std::string& body, std::uint64_t items, std::uint32_t missing,
              std::uint64_t group = 0,
              machine::SchedulingPolicy::Kind order = machine::SchedulingPolicy::Kind::in_order) {
    machine::Example example;
    example.text =
        "kernel void f(global int* a, global int* b, local int* c) {\n"
        "  int id = get_global_id(0);\n  " +
        body + "\n}";
    example.global = items;
    example.local = group == 0 ? items : group;
    example.buffers = {{7, 1, 6, 8}, {0, 0, 0, 0}};
    example.local_ints = {4};
    machine::Job job = machine::job_of(example, 1);
    job.buffers[1].is_input = false;
    machine::Run run = machine::play(std::move(job), machine::order_of(order));
    const MemoryCell result{false, 0, 0, 1, 0};
    const Ingredient input{0, missing, 0};
    Loss loss = losses_of(run, {&result, 1}, {&input, 1}).at(0);
    return {std::move(run), loss};
}

std::string cell_text(const Played& played) {
    return text_of(played.run.machine(), played.loss.cell);
}

TEST(Losses, WhatNobodyReadsIsLostFromTheStart) {
    const Played of = played("b[0] = a[0] + a[1] + a[2];", 1, 3);
    EXPECT_EQ(of.loss.kind, Kind::never_read);
    EXPECT_EQ(cell_text(of), "buffer0[3]");
    EXPECT_FALSE(of.loss.read || of.loss.stored || of.loss.overwritten);
}

TEST(Losses, AReadThatCameTooEarly) {
    // Item 0: 0 loads a[1], 1 stores b[0]. Item 1: 2 loads a[1], 3 loads a[2], 4 stores a[1].
    const Played of = played(
        "if (id == 0) b[0] = a[1];\n"
        "  else a[1] = a[1] + a[2];",
        2, 2);
    EXPECT_EQ(of.loss.kind, Kind::read_too_early);
    EXPECT_EQ(cell_text(of), "buffer0[1]");
    EXPECT_EQ(of.loss.read->time, 0U);
    EXPECT_EQ(of.loss.read->item, 0U);
    EXPECT_EQ(of.loss.read->line, 3U);
    EXPECT_EQ(of.loss.read->pass, 1U);
    EXPECT_EQ(of.loss.stored->time, 4U);
    EXPECT_EQ(of.loss.stored->item, 1U);
    EXPECT_EQ(of.loss.stored->line, 4U);
    const nlohmann::json out = json_of(of.run.machine(), of.loss);
    EXPECT_EQ(out["kind"], "read too early");
    EXPECT_EQ(out["input"], "buffer0[2]");
    EXPECT_EQ(out["stored"]["time"], 4);
    EXPECT_EQ(out["read"]["launch"], 1);
    EXPECT_FALSE(out.contains("overwritten"));
}

TEST(Losses, AStoreOverAnother) {
    // 0, 1: item 0 loads and stores; 2, 3: item 1.
    const Played of = played("b[0] = a[id];", 2, 0);
    EXPECT_EQ(of.loss.kind, Kind::overwritten);
    EXPECT_EQ(cell_text(of), "buffer1[0]");
    EXPECT_EQ(of.loss.stored->time, 1U);
    EXPECT_EQ(of.loss.stored->item, 0U);
    EXPECT_EQ(of.loss.overwritten->time, 3U);
    EXPECT_EQ(of.loss.overwritten->item, 1U);
}

TEST(Losses, AnUpdateThatAnotherItemDidNotSee) {
    // Both read b[0] before one of them stores; what is stored last stays.
    const Played of =
        played("b[0] += a[id];", 2, 0, 1, machine::SchedulingPolicy::Kind::round_robin);
    EXPECT_EQ(of.loss.kind, Kind::overwritten);
    EXPECT_EQ(of.loss.stored->item, 0U);
    EXPECT_EQ(of.loss.overwritten->item, 1U);
}

TEST(Losses, WhatCameTooLateForAReadMayHaveMissedItBefore) {
    // b[0] misses a[2], for item 0 reads a[0] before item 1 stores it; that misses a[3], for item 1
    // reads a[2] before item 2 stores it.
    const std::string body =
        "if (id == 0) b[0] = a[0];\n"
        "  else if (id == 1) a[0] = a[0] + a[2];\n"
        "  else a[2] = a[2] + a[3];";
    EXPECT_EQ(cell_text(played(body, 3, 2)), "buffer0[0]");
    const Played of = played(body, 3, 3);
    EXPECT_EQ(of.loss.kind, Kind::read_too_early);
    EXPECT_EQ(cell_text(of), "buffer0[2]");
    EXPECT_EQ(of.loss.read->item, 1U);
    EXPECT_EQ(of.loss.stored->item, 2U);
}

TEST(Losses, AnItemsOwnReadsAndBarriersAreNoRace) {
    // Item 0 itself read a[0] before a[1] was in it: that lost nothing. Item 1 came too early.
    const Played own = played(
        "if (id == 1) b[0] = a[0];\n"
        "  else { a[0] = a[0] + a[1]; a[0] = a[0] + a[2]; }",
        2, 2, 1, machine::SchedulingPolicy::Kind::round_robin);
    EXPECT_EQ(own.loss.kind, Kind::read_too_early);
    EXPECT_EQ(own.loss.read->item, 1U);
    EXPECT_EQ(own.loss.stored->item, 0U);
    // Not the schedule's doing, but the last that can be told.
    const Played wrong = played(
        "if (id == 0) c[0] = a[0];\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (id == 1) c[0] = a[1];\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  if (id == 0) b[0] = c[0];",
        2, 0);
    EXPECT_EQ(wrong.loss.kind, Kind::overwritten);
    EXPECT_EQ(wrong.loss.overwritten->item, 1U);
    EXPECT_EQ(wrong.loss.overwritten->pass, 2U);
}

TEST(Losses, ElseTheLastThatWasSeenOfIt) {
    const Played stored = played("b[1] = a[1]; b[0] = a[0];", 1, 1);
    EXPECT_EQ(stored.loss.kind, Kind::last_stored);
    EXPECT_EQ(cell_text(stored), "buffer1[1]");
    EXPECT_EQ(stored.loss.stored->time, 1U);
    const Played read = played("int x = a[1]; b[0] = a[0]; if (x > 5) b[2] = 1;", 1, 1);
    EXPECT_EQ(read.loss.kind, Kind::last_read);
    EXPECT_EQ(cell_text(read), "buffer0[1]");
    EXPECT_EQ(read.loss.read->time, 0U);
}

}  // namespace
}  // namespace lab::analysis
