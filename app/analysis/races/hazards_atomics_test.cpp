// Races where atomics and fences order some accesses and not others.
#include "support/found_hazards.h"

namespace lab::analysis {
namespace {

using testing::HasSubstr;

const std::string kFence =
    "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);";

// The last group by ticket reads what all have left.
Example ticket(const std::string& taken, const std::string& before_reading) {
    return {
        "kernel void k(global int* parts, volatile global int* done, global int* out)\n{\n"
        "    local int last;\n"
        "    parts[get_global_id(0)] = get_global_id(0);\n    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) { " +
            taken + " }\n    " + before_reading +
            "\n    if (!last) return;\n"
            "    int sum = 0;\n    for (int i = 0; i < 8; ++i) sum += parts[i];\n"
            "    if (get_local_id(0) == 0) out[0] = sum;\n}\n",
        8,
        2,
        {{}, {0}, {}},
        8};
}

TEST(Hazards, ATicketHandsOver) {
    const std::string both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
    const std::string fenced = kFence + " last = atomic_inc(done) == 3; " + kFence;
    const std::string ordered =
        "last = atomic_fetch_add_explicit((volatile global atomic_int*)done, 1, "
        "memory_order_acq_rel, memory_scope_device) == 3;";
    for (const std::string& taken : {fenced, ordered})
        for (const auto& order : {in_order(), machine::order_of(Order::Kind::random, 3)}) {
            const std::vector<Hazard> found = hazards_in(ticket(taken, both), order, 1);
            ASSERT_EQ(found.size(), 1U);
            EXPECT_EQ(found[0].note, kOrderedByAtomics);
            EXPECT_TRUE(found[0].across_groups);
            EXPECT_EQ(races_in(found), 0U);
        }
    // Item 1 learns of it by a barrier that orders global memory, or not at all.
    EXPECT_EQ(races_in(hazards_in(ticket(fenced, "barrier(CLK_LOCAL_MEM_FENCE);"), in_order(), 1)),
              1U);
    // A ticket drawn plainly hands nothing over.
    EXPECT_GE(races_in(hazards_in(ticket(kFence + " last = done[0]++ == 3; " + kFence, both),
                                  in_order(), 1)),
              2U);
    // A fence on one side only is none; nor is a barrier, whose fences are its group's.
    const std::string drawn = "last = atomic_inc(done) == 3; ";
    for (const std::string& taken : {kFence + drawn, drawn + kFence, drawn})
        EXPECT_EQ(races_in(hazards_in(ticket(taken, both), in_order(), 1)), 1U);
    // The fence of a kernel for 1.2 has the scope of its group, and so has the barrier.
    const std::vector<Hazard> narrow =
        hazards_in(ticket("mem_fence(CLK_GLOBAL_MEM_FENCE); " + drawn, both), in_order(), 1);
    ASSERT_EQ(races_in(narrow), 1U);
    EXPECT_THAT(narrow[0].why, HasSubstr("as mem_fence does by OpenCL 2.0 to 3.0"));
    EXPECT_THAT(narrow[0].why, HasSubstr("by 1.2 nothing does"));
    // A barrier of the device's scope releases what its own work-item did before it, no more.
    const std::string wide =
        "work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);";
    EXPECT_EQ(races_in(hazards_in(ticket(drawn, wide), in_order(), 1)), 1U);
}

TEST(Hazards, AFenceOfItsGroupOrdersNothingBetweenGroups) {
    const auto handed = [](const std::string& fence, std::uint64_t group) {
        return hazards_in({"kernel void k(global int* x, volatile global int* c)\n{\n"
                           "    if (get_global_id(0) == 0) { x[0] = 7; " +
                               fence + " atomic_inc(c); }\n    else if (atomic_or(c, 0) == 1) { " +
                               fence + " x[1] = x[0]; }\n}\n",
                           2,
                           group,
                           {{1, 2}, {0}}},
                          in_order(), 1);
    };
    for (const std::string narrow :
         {"mem_fence(CLK_GLOBAL_MEM_FENCE);",
          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
          "memory_scope_work_group);"}) {
        const std::vector<Hazard> found = handed(narrow, 1);
        ASSERT_EQ(races_in(found), 1U);
        EXPECT_THAT(found[0].why, HasSubstr("scope of their group"));
        EXPECT_THAT(found[0].hint, HasSubstr("memory_scope_device"));
        EXPECT_EQ(races_in(handed(narrow, 2)), 0U);  // within one it does
    }
    EXPECT_EQ(races_in(handed(kFence, 1)), 0U);
    // Two independent items are two sub-groups.
    const std::string sub_group =
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, "
        "memory_scope_sub_group);";
    ASSERT_EQ(races_in(handed(sub_group, 2)), 1U);
    EXPECT_THAT(handed(sub_group, 2)[0].why, HasSubstr("same scope on both sides"));
}

TEST(Hazards, TwoAtomicsOfGroupScopeRaceBetweenGroups) {
    const auto count = [](const std::string& scope, std::uint64_t group) {
        return hazards_in({"kernel void k(global atomic_int* c)\n{\n"
                           "    atomic_fetch_add_explicit(c, 1, memory_order_relaxed, " +
                               scope + ");\n}\n",
                           2,
                           group,
                           {{0}}},
                          in_order(), 1);
    };
    const std::vector<Hazard> found = count("memory_scope_work_group", 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].why, HasSubstr("not for each other"));
    EXPECT_EQ(found[0].hint, "Give both memory_scope_device");
    EXPECT_TRUE(count("memory_scope_work_group", 2).empty());
    EXPECT_EQ(races_in(count("memory_scope_sub_group", 2)), 1U);
    for (const char* scope : {"memory_scope_device", "memory_scope_all_svm_devices"})
        EXPECT_TRUE(count(scope, 1).empty());
}

// C11, 5.1.2.4, paragraph 10.
TEST(Hazards, AStoreByAnotherEndsAReleaseSequence) {
    const auto then = [](const std::string& between, const std::string& own) {
        return hazards_in(
            {"kernel void k(global int* x, global atomic_int* f)\n{\n"
             "    const int g = get_group_id(0);\n    if (g == 0) {\n        x[0] = 7;\n"
             "        atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);\n"
             "        " +
                 own + "\n    }\n    if (g == 1) { " + between +
                 " }\n    if (g == 2 && atomic_load_explicit(f, memory_order_acquire, "
                 "memory_scope_device) != 0) x[1] = x[0];\n}\n",
             3,
             1,
             {{1, 2}, {0}}},
            in_order(), 1);
    };
    const std::string store =
        "atomic_store_explicit(f, 2, memory_order_relaxed, memory_scope_device);";
    EXPECT_EQ(races_in(then("", "")), 0U);
    EXPECT_EQ(races_in(then(store, "")), 1U);
    EXPECT_EQ(races_in(then("", store)), 0U);  // by the same work-item
    EXPECT_EQ(
        races_in(then("atomic_fetch_add_explicit(f, 1, memory_order_relaxed, memory_scope_device);",
                      "")),
        0U);
}

TEST(Hazards, AHandOverGoesOnThroughOthers) {
    // Group 0 tells group 1 by one counter, group 1 tells group 2 by another.
    const auto chain_with = [](const std::string& fence) {
        return Example{
            "kernel void k(global int* x, volatile global int* c)\n{\n"
            "    const int g = get_group_id(0);\n    if (g == 0) { x[0] = 7; " +
                fence + " atomic_inc(c); }\n    if (g == 1) { atomic_inc(c); " + fence +
                " atomic_inc(c + 1); }\n    if (g == 2) { atomic_inc(c + 1); " + fence +
                " x[1] = x[0]; }\n}\n",
            3,
            1,
            {{1, 2}, {0, 0}}};
    };
    for (const char* none : {"", "mem_fence(CLK_GLOBAL_MEM_FENCE);",
                             "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, "
                             "memory_scope_device);"})
        EXPECT_EQ(races_in(hazards_in(chain_with(none), in_order(), 1)), 1U);
    const Example chain = chain_with(kFence);
    const std::vector<Hazard> found = hazards_in(chain, in_order(), 1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].note, kOrderedByAtomics);
    // Where group 2 draws before group 1 it knows nothing.
    EXPECT_EQ(races_in(hazards_in(chain, list({{0, 0, 2, 0}, {2, 0, 2, 0}}), 1)), 1U);
}

TEST(Hazards, WhatHappensBeforeTheAtomicIsHandedOverAndNoMore) {
    const Example late{
        "kernel void k(global int* x, volatile global int* c)\n{\n"
        "    if (get_group_id(0) == 0) { atomic_inc(c); x[0] = 7; }\n"
        "    else { atomic_inc(c); x[1] = x[0]; }\n}\n",
        2,
        1,
        {{1, 2}, {0}}};
    EXPECT_EQ(races_in(hazards_in(late, in_order(), 1)), 1U);
}

// Of three readers two hand over; the one between them does not.
TEST(Hazards, AReaderThatHandsNothingOverIsFoundAmongThoseThatDo) {
    const Example reads{
        "kernel void k(global int* x, volatile global int* c, global int* out)\n{\n"
        "    const int i = get_local_id(0);\n    if (i < 3) out[i] = x[0];\n"
        "    if (i == 0 || i == 2) { mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(c); }\n"
        "    if (i == 3) { while (atomic_or(c, 0) != 2);\n"
        "        mem_fence(CLK_GLOBAL_MEM_FENCE); x[0] = 9; }\n}\n",
        4,
        4,
        {{1}, {0}, {}}};
    for (const std::uint32_t lanes : {1U, 4U}) {
        const std::vector<Hazard> found = hazards_in(reads, in_order(), lanes);
        ASSERT_EQ(races_in(found), 1U) << lanes;
        EXPECT_EQ(found[0].sides[0].item, 1U);
        EXPECT_EQ(found[0].sides[1].item, 3U);
        EXPECT_EQ(found.size(), 2U);  // and the note on the two
    }
}

TEST(Hazards, APlainWriteAfterOnesOwnAtomicMeetsTheOthersAtomic) {
    // The last by ticket makes the counter ready again: it knows of all tickets that were drawn
    // with a release. One before which a fence stands comes after that fence, and is not released.
    const auto reset = [](const std::string& draw) {
        return Example{"kernel void k(volatile global atomic_int* c) {\n    if (" + draw +
                           " == 1) {\n        " + kFence + " *(volatile global int*)c = 0; } }",
                       2,
                       1,
                       {{0}}};
    };
    const Example ticket =
        reset("atomic_fetch_add_explicit(c, 1, memory_order_release, memory_scope_device)");
    const Example relaxed =
        reset("atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device)");
    // Whoever is item 1 does, be it first or last.
    const Example blind{
        "kernel void k(volatile global int* c) { atomic_inc(c);\n"
        "    if (get_global_id(0) == 1) *c = 0; }",
        2,
        1,
        {{0}}};
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Order order = machine::order_of(Order::Kind::random, seed);
        const std::vector<Hazard> found = hazards_in(ticket, order, 1);
        ASSERT_EQ(found.size(), 1U) << seed;
        EXPECT_EQ(found[0].note, kOrderedByAtomics);
        EXPECT_EQ(races_in(hazards_in(relaxed, order, 1)), 1U) << seed;
        EXPECT_FALSE(hazards_in(blind, order, 1).empty()) << seed;
    }
    EXPECT_EQ(races_in(hazards_in(blind, list({{1, 0, 2, 0}}), 1)), 1U);
}

TEST(Hazards, APlainReadOfWhatAtomicsChangeIsARace) {
    const Example poll{
        "kernel void k(volatile global int* c)\n{\n"
        "    if (get_group_id(0) == 0) atomic_inc(c);\n    else while (*c == 0);\n}\n",
        2,
        1,
        {{0}}};
    const std::vector<Hazard> found = hazards_in(poll, {}, 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_THAT(found[0].hint, HasSubstr("atomic_or"));
    EXPECT_FALSE(found[0].shown);
}

// The store meets the atomics of three work-items, though its own has come after it.
TEST(Hazards, WhatAnAccessOfOnesOwnFollowsIsNotForgotten) {
    const Example store{
        "kernel void k(volatile global int* p)\n{\n    if (get_local_id(0) == 0) *p = 0;\n"
        "    atomic_dec(p);\n}\n",
        4,
        4,
        {{9}}};
    const std::vector<Hazard> found = hazards_in(store, {}, 4);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_EQ(found[0].sides[0].line, 3U);
    EXPECT_EQ(found[0].sides[1].line, 4U);
    EXPECT_EQ(found[0].lockstep_lanes, 4U);
    EXPECT_EQ(found[0].hidden, "hidden here by lockstep (4 lanes)");
    EXPECT_FALSE(found[0].shown);
}

TEST(Hazards, AnAtomicOrdersNothingWithoutFences) {
    const Example last{
        "kernel void k(volatile global int* p, global int* x)\n{\n    atomic_inc(p);\n"
        "    if (get_global_id(0) == 1) *x = *p;\n}\n",
        2,
        1,
        {{0}, {}}};
    const std::vector<Hazard> found = hazards_in(last, in_order(), 1);
    ASSERT_EQ(races_in(found), 1U);
    EXPECT_EQ(found[0].note, "");
    // Item 1 first: it misses what item 0 adds.
    const std::vector<Hazard> early = hazards_in(last, list({{1, 0, 3, 0}}), 1);
    ASSERT_EQ(races_in(early), 1U);
    EXPECT_TRUE(early[0].shown);
    EXPECT_THAT(early[0].what, HasSubstr("too early and took 1"));
}

TEST(Hazards, ACompareExchangeThatFailsReads) {
    const auto beside = [](const std::string& access) {
        return Example{
            "kernel void k(volatile global int* p, global int* x)\n{\n"
            "    if (get_group_id(0) == 0) atomic_cmpxchg(p, 5, 6);\n    else " +
                access + "\n}\n",
            2,
            1,
            {{0}, {}}};
    };
    for (const std::uint32_t lanes : {1U, 4U}) {
        EXPECT_TRUE(hazards_in(beside("*x = *p;"), in_order(), lanes).empty());
        const std::vector<Hazard> found = hazards_in(beside("*p = 1;"), in_order(), lanes);
        ASSERT_EQ(races_in(found), 1U);
        EXPECT_EQ(found[0].sides[0].does, "reads atomically");
        Example succeeds = beside("*x = *p;");
        succeeds.buffers[0] = {5};
        EXPECT_EQ(races_in(hazards_in(succeeds, in_order(), lanes)), 1U);
    }
}

// OpenCL C 2.0: the orders hand over, without any fence.
TEST(Hazards, MemoryOrdersHandOver) {
    const auto with = [](const std::string& store, const std::string& load) {
        return hazards_in(
            {"kernel void k(global int* x, global atomic_int* flag)\n{\n"
             "    if (get_group_id(0) == 0) {\n        x[0] = 7;\n        " +
                 store + "\n    } else if (" + load + ") {\n        x[1] = x[0];\n    }\n}\n",
             2,
             1,
             {{1, 2}, {0}}},
            in_order(), 1);
    };
    const std::string relaxed = "memory_order_relaxed, memory_scope_device)";
    const std::string store = "atomic_store_explicit(flag, 1, ",
                      load = "atomic_load_explicit(flag, ";
    const std::string release = store + "memory_order_release, memory_scope_device);";
    const std::string acquire = load + "memory_order_acquire, memory_scope_device)";
    EXPECT_EQ(races_in(with(release, acquire)), 0U);
    EXPECT_EQ(with(release, acquire).at(0).note, kOrderedByAtomics);
    EXPECT_EQ(races_in(with("atomic_store(flag, 1);", "atomic_load(flag)")), 0U);
    EXPECT_EQ(races_in(with("atomic_fetch_add(flag, 1);", "atomic_exchange(flag, 2) == 1")), 0U);
    EXPECT_EQ(races_in(with(store + relaxed + ";", acquire)), 1U);
    EXPECT_EQ(races_in(with(release, load + relaxed)), 1U);
    const std::string fence =
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device); ";
    EXPECT_EQ(races_in(with(fence + store + relaxed + ";", acquire)), 0U);
    // A load that is atomic is no write; a plain one beside an atomic store is a race.
    EXPECT_EQ(races_in(with(release, "*flag")), 2U);
    EXPECT_EQ(races_in(with(store + "memory_order_release, memory_scope_work_group);",
                            load + "memory_order_acquire, memory_scope_work_group)")),
              2U);
}

TEST(Hazards, ASubGroupBarrierOrdersItsSubGroup) {
    const Example neighbour = neighbours("sub_group_barrier(CLK_LOCAL_MEM_FENCE);");
    EXPECT_TRUE(hazards_in(neighbour, {}, 4).empty());
    EXPECT_EQ(races_in(hazards_in(neighbour, {}, 2)), 1U);
    EXPECT_EQ(races_in(hazards_in(neighbours("sub_group_barrier(CLK_GLOBAL_MEM_FENCE);"), {}, 4)),
              1U);
}

}  // namespace
}  // namespace lab::analysis
