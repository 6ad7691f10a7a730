// Random kernels that copy asynchronously, beside the same with copies as devices do them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/plain_search.h"

namespace lab::analysis {
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
