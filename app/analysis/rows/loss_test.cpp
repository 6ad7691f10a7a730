#include "analysis/rows/loss.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/example_job.h"

namespace lab::analysis {
namespace {

using Kind = Loss::Kind;

// Work-items without lockstep, one after another: `body` uses id, a = {7, 1, 6, 8}, b, and c in
// local memory. The result is b[0], from which a[missing] is.
struct Played {
    machine::Run run;
    Loss loss;
};
Played played(const std::string& body, std::uint64_t items, std::uint32_t missing,
              std::uint64_t group = 0,
              machine::Order::Kind order = machine::Order::Kind::in_order) {
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
    const Played of = played("b[0] += a[id];", 2, 0, 1, machine::Order::Kind::round_robin);
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
        2, 2, 1, machine::Order::Kind::round_robin);
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
