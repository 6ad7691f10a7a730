// Asynchronous copies in searches of every result: who sees that they are not done at once.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "analysis/stale_reads.h"
#include "support/plain_search.h"

namespace lab::analysis {
namespace {

using How = SeenCopy::How;

// Sums tiles of `items` numbers; while one is added up, the next one is copied.
Example tiles(const std::string& read, std::uint64_t groups = 2, std::uint64_t items = 2) {
    const std::string body =
        "    const int l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * 3 * "
        "n;\n"
        "    int sum = 0;\n"
        "    event_t e = async_work_group_copy(t, in + first, n, 0);\n"
        "    for (int k = 0; k < 3; ++k) {\n"
        "        wait_group_events(1, &e);\n"
        "        if (k < 2) e = async_work_group_copy(t + (k + 1) % 2 * n, in + first + (k + 1) * "
        "n, "
        "n, 0);\n        " +
        read +
        "\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    out[get_global_id(0)] = sum;\n}\n";
    Example example{"kernel void k(global int* out, global int* in, local int* t)\n{\n" + body,
                    groups * items,
                    items,
                    {std::vector<std::int32_t>(groups * items), {}}};
    for (std::uint64_t i = 0; i < groups * items * 3; ++i)
        example.buffers[1].push_back(1 << i);
    example.local_ints = {2 * items};
    return example;
}

TEST(AsyncCopyVisibility, ADoubleBufferedTileIsComplete) {
    for (const std::uint32_t lanes : {1U, 2U})
        for (const std::uint32_t resident : {0U, 1U}) {
            const Outcomes found = outcomes_in(tiles("sum += t[k % 2 * n + (l + 1) % n];"), lanes,
                                               resident, with(Reduction::stubborn));
            EXPECT_TRUE(found.complete);
            EXPECT_TRUE(found.copies.empty());
            EXPECT_EQ(results_of(found), std::set<std::string>{"42 21 2688 1344"});
        }
}

TEST(AsyncCopyVisibility, WhoReadsWhatIsBeingCopiedIsNamed) {
    const Outcomes found = outcomes_in(tiles("sum += t[(k + 1) % 2 * n + (l + 1) % n];"));
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.bound, Bound::none);
    ASSERT_FALSE(found.copies.empty());
    EXPECT_EQ(found.copies.front(), (SeenCopy{How::meanwhile, 9, 8}));
    Outcomes read;
    from_json(nlohmann::json(found), read);
    EXPECT_EQ(read.copies, found.copies);
}

// Four items, or two groups of them; `t` is local. Line 4 is before the call in line 5, line 6
// before the wait in line 7, line 8 behind it.
Outcomes around(const std::string& before, const std::string& between, const std::string& after,
                std::uint64_t global = 2, const char* call = "(t, x, 2, 0)") {
    return outcomes_in(
        {fmt::format("kernel void k(global int* x, global int* y, local int* t)\n{{\n"
                     "    const int i = get_local_id(0), g = get_group_id(0);\n"
                     "    {}\n    event_t e = async_work_group_copy{};\n    {}\n"
                     "    wait_group_events(1, &e);\n    {}\n}}\n",
                     before, call, between, after),
         global,
         2,
         {{1, 2, 3, 4}, {5, 6, 7, 8}},
         4,
         {8}});
}

TEST(AsyncCopyVisibility, OnlyWhoMeetsACopyCounts) {
    EXPECT_EQ(around("", "", "y[i] = t[1 - i];").copies, std::vector<SeenCopy>{});
    EXPECT_EQ(around("", "y[i] = t[i + 2] = x[1 - i];", "").copies, std::vector<SeenCopy>{});
    EXPECT_EQ(around("", "y[i] = t[1 - i];", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("", "barrier(CLK_LOCAL_MEM_FENCE); t[i] = 3;", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("", "x[i] = 3;", "").copies, (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    // As it happens, under some schedules alone.
    EXPECT_EQ(around("", "if (atomic_inc(y) == 6) y[1] = t[0];", "").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    // A copy beside another one.
    EXPECT_EQ(around("",
                     "event_t f = async_work_group_copy(t + 1, y, 2, 0);"
                     "wait_group_events(1, &f);",
                     "")
                  .copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 5}}));
    EXPECT_EQ(around("",
                     "event_t f = async_work_group_copy(t + 2, x, 2, 0);"
                     "wait_group_events(1, &f);",
                     "")
                  .copies,
              std::vector<SeenCopy>{});
}

TEST(AsyncCopyVisibility, AnotherGroupThatWritesTheSourceIsNamed) {
    const Outcomes found = around("if (g == 1) { x[i] = 9; return; }", "", "x[2 + i] = t[i];", 4);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.copies, (std::vector<SeenCopy>{{How::meanwhile, 4, 5}}));
    EXPECT_EQ(results_of(found),
              (std::set<std::string>{"9 9 1 2", "9 9 9 2", "9 9 1 9", "9 9 9 9"}));
    // Where it writes something else, or is through by then.
    EXPECT_TRUE(around("if (g == 1) { y[i] = 9; return; }", "", "x[2 + i] = t[i];", 4).complete);
    EXPECT_TRUE(around("if (g == 1) { x[2 + i] = 9; return; }", "", "y[i] = t[i];", 4).complete);
    // Of that group a copy does.
    EXPECT_EQ(around("t[i] = 5; barrier(CLK_LOCAL_MEM_FENCE);", "", "", 4, "(x, t, 2, 0)").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 5, 5}}));
    EXPECT_TRUE(around("t[i] = 5; barrier(CLK_LOCAL_MEM_FENCE);", "", "", 4, "(x + 2 * g, t, 2, 0)")
                    .complete);
}

TEST(AsyncCopyVisibility, NeitherCallNorWaitIsABarrier) {
    EXPECT_EQ(around("x[1 - i] = 3;", "", "y[i] = t[i];").copies,
              (std::vector<SeenCopy>{{How::unordered, 4, 5}}));
    EXPECT_TRUE(around("x[1 - i] = 3; barrier(CLK_GLOBAL_MEM_FENCE);", "", "").complete);
    EXPECT_EQ(around("t[4 + i] = 3;", "", "y[i] = t[5 - i];").copies,
              (std::vector<SeenCopy>{{How::unordered, 4, 8}}));
    EXPECT_EQ(around("", "y[i] = 3;", "y[1 - i] = 4;").copies,
              (std::vector<SeenCopy>{{How::unordered, 6, 8}}));
    EXPECT_TRUE(around("", "y[i] = 3;", "barrier(CLK_LOCAL_MEM_FENCE); y[1 - i] = 4;").complete);
}

// Columns of a matrix that lie between each other.
TEST(AsyncCopyVisibility, StridesOfOthersDoNotMeet) {
    const auto columns = [](const std::string& to) {
        return outcomes_in(
            {"kernel void k(global int* x, local int* t)\n{\n"
             "    const int i = get_local_id(0), g = get_group_id(0);\n"
             "    t[i] = 10 * g + i;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    event_t e = async_work_group_strided_copy(" +
                 to + ", 0);\n    wait_group_events(1, &e);\n}\n",
             4,
             2,
             {{0, 0, 0, 0, 0, 0}},
             4,
             {2}});
    };
    const Outcomes apart = columns("x + g, t, 2, 2");
    EXPECT_TRUE(apart.complete);
    EXPECT_EQ(results_of(apart), std::set<std::string>{"0 10 1 11 0 0"});
    EXPECT_EQ(columns("x + 2 * g, t, 2, 2").copies,
              (std::vector<SeenCopy>{{How::meanwhile, 6, 6}}));
    EXPECT_EQ(columns("x + g, t, 2, 0").copies, (std::vector<SeenCopy>{{How::meanwhile, 6, 6}}));
}

TEST(AsyncCopyVisibility, AFaultOfACopyIsAResult) {
    const Outcomes found = around("", "", "", 2, "(t, x, 5, 0)");
    EXPECT_TRUE(found.complete);
    ASSERT_EQ(found.results.size(), 1U);
    EXPECT_TRUE(found.results.front().fault);
    // It may come before what lies between it and its wait.
    EXPECT_FALSE(
        around("", "barrier(CLK_LOCAL_MEM_FENCE); y[i] = 1 / (y[2] - 7);", "", 2, "(t, x, 5, 0)")
            .complete);
}

}  // namespace

// Random kernels that copy asynchronously, beside the same with copies as devices do them.
namespace {

constexpr int kKernels = kSanitized ? 100 : 300;

struct Kernel {
    Example example;
    std::string to, from;  // of the copy
    int elements = 1;
};

// What happens before the call, until the wait and after it; CALL and WAIT stand for these.
Kernel copying_kernel(std::mt19937& random, std::uint64_t groups, std::uint64_t items) {
    const auto any = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    const auto cell = [&]() -> std::string {
        switch (any(6)) {
            case 0:
                return "x[g]";
            case 1:
                return fmt::format("x[{}]", any(4));
            case 2:
                return "x[x[0] & 3]";
            case 3:
                return "b[l]";
            case 4:
                return fmt::format("b[{} - l]", 1 + any(3));
            default:
                return fmt::format("b[{}]", any(4));
        }
    };
    const auto statement = [&]() -> std::string {
        const std::string a = cell(), b = cell(), barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        switch (any(7)) {
            case 0:
            case 1:
                return barrier;
            case 2:
                return fmt::format("if (g == {}) {} = {};", any(2), a, b);
            case 3:
                return fmt::format("{} {} = {};", barrier, a, any(3));
            case 4:
                return fmt::format("if ({} == {}) {} = {};", a, any(3), b, any(3));
            default:
                return "";
        }
    };
    Kernel kernel;
    const bool to_local = any(2) == 0;
    kernel.elements = 1 + any(2);
    const std::string local = fmt::format("(b + {})", any(3));
    const std::string global = any(2) == 0 ? fmt::format("(x + {})", any(3)) : "(x + g / n)";
    kernel.to = to_local ? local : global;
    kernel.from = to_local ? global : local;
    kernel.example.text = fmt::format(
        "kernel void k(volatile global int* x, volatile local int* b) {{\n"
        "const int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);\n"
        "if (l == 0) for (int i = 0; i < 4; ++i) b[i] = i % 3;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
        "{}\nCALL\n{}\nWAIT\n{}\n{}\n}}\n",
        statement(), statement(), statement(), statement());
    kernel.example.global = groups * items;
    kernel.example.local = items;
    kernel.example.buffers = {{any(3), any(3), any(3), any(3)}};
    kernel.example.local_ints = {4};
    return kernel;
}

Example with_copies(const Kernel& kernel, const std::string& call, const std::string& wait) {
    Example example = kernel.example;
    const auto put = [&](const std::string& name, const std::string& text) {
        example.text.replace(example.text.find(name), name.size(), text);
    };
    put("CALL", call);
    put("WAIT", wait);
    return example;
}

// A device may let its first work-item copy at its call, or each one a share, and treat the wait
// as a barrier; or copy when all have come there.
TEST(CopyingKernels, CompleteMeansThatNoDeviceGivesMore) {
    std::mt19937 random(11);
    int complete = 0, seen = 0, more = 0;
    for (int i = 0; i < kKernels && !testing::Test::HasFatalFailure(); ++i) {
        const auto [groups, items] = kShapes[i % 4];
        const Kernel kernel = copying_kernel(random, groups, items);
        const Example asynchronous =
            with_copies(kernel,
                        fmt::format("event_t e = async_work_group_copy({}, {}, {}, 0);", kernel.to,
                                    kernel.from, kernel.elements),
                        "wait_group_events(1, &e);");
        OutcomesOptions options = with(Reduction::stubborn);
        options.shortest = false;
        options.samples = 0;
        const Outcomes found = outcomes_in(asynchronous, 1, 0, options);
        const Outcomes plain = outcomes_in(asynchronous, 1, 0, with(Reduction::none));
        ASSERT_EQ(results_of(found), results_of(plain)) << asynchronous.text;
        ASSERT_EQ(found.complete, plain.complete) << asynchronous.text;
        ASSERT_EQ(found.complete, found.copies.empty()) << asynchronous.text;
        (found.complete ? complete : seen) += 1;
        const std::string part = fmt::format("{}[i] = {}[i];", kernel.to, kernel.from);
        const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
        const Example devices[] = {
            with_copies(
                kernel,
                fmt::format("if (l == 0) for (int i = 0; i < {}; ++i) {}", kernel.elements, part),
                barrier),
            with_copies(kernel,
                        fmt::format("for (int i = l; i < {}; i += n) {}", kernel.elements, part),
                        barrier),
            with_copies(kernel, "",
                        fmt::format("{} if (l == 0) for (int i = 0; i < {}; ++i) {} {}", barrier,
                                    kernel.elements, part, barrier)),
        };
        bool gives_more = false;
        for (const Example& device : devices) {
            const Outcomes given = outcomes_in(device, 1, 0, options);
            ASSERT_TRUE(given.complete) << device.text;
            const std::set<std::string> known = results_of(found);
            for (const std::string& each : results_of(given)) {
                gives_more = gives_more || known.count(each) == 0;
                ASSERT_TRUE(!found.complete || known.count(each) == 1) << device.text << each;
            }
        }
        more += gives_more ? 1 : 0;
    }
    EXPECT_GT(complete, kKernels / 5);
    EXPECT_GT(seen, kKernels / 5);
    EXPECT_GT(more, kKernels / 20);  // so it was right not to say complete
}

}  // namespace
}  // namespace lab::analysis
