#include "catalogue/plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/paths.h"
#include "support/shipped_kernels.h"

namespace lab::catalogue {
namespace {

using testing::HasSubstr;

Job plan(const char* id, std::uint64_t n, std::uint64_t group, Shape shape = {}) {
    shape.group = group;
    return plan_job(shipped().find(id), shape, n, {2, 256, true});
}

TEST(Plan, RelaunchDoublesTheSpanUntilItCoversAll) {
    const Job result = plan("relaunch", 8, 4);
    ASSERT_EQ(result.launches.size(), 3U);
    EXPECT_EQ(result.launches[2].variables, "span = 8");
    EXPECT_EQ(result.launches[0].range, NDRange(8, 4));
    EXPECT_EQ(result.buffers.size(), 1U);
    EXPECT_EQ(result.depth, 3U);
}

TEST(Plan, RelaunchTakesAnyN) {
    EXPECT_EQ(plan("relaunch", 1, 4).launches.size(), 0U);
    EXPECT_EQ(plan("relaunch", 2, 4).launches.size(), 1U);
    EXPECT_EQ(plan("relaunch", 9, 4).launches.size(), 4U);
    EXPECT_EQ(plan("relaunch", 9, 4).launches[0].range.items(), 12U);
    EXPECT_FALSE(plan("relaunch", 0, 4).result.has_value());
}

TEST(Plan, PartialsShrinkToOne) {
    const Job result = plan("local-tree", 1'000'000, 256);  // 1024 elements a group
    ASSERT_EQ(result.launches.size(), 2U);
    EXPECT_EQ(result.launches[0].range.groups(), 977U);
    EXPECT_EQ(result.launches[0].shows_count, 977U);
    EXPECT_EQ(result.launches[1].shows_count, 1U);
    EXPECT_EQ(result.result, result.launches[1].shows);
    // The second launch reads what the first one wrote.
    EXPECT_EQ(result.launches[1].arguments[0].buffer, result.launches[0].shows);
    EXPECT_EQ(result.launches[1].arguments[1].components, std::vector<std::uint64_t>{977});
    EXPECT_EQ(result.launches[1].arguments[1].value, bytes_in(one_value(Type::ulong_, 977)));
    EXPECT_EQ(result.depth, 2U * (4 + 8));
    EXPECT_EQ(plan("local-tree", 1, 256).launches.size(), 0U);
}

TEST(Plan, NamesWhatIsNotLegal) {
    try {
        plan("local-tree", 100, 48);
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("power_of_two(group)"));
    }
    Shape one;
    one.set["ITEMS"] = "1";
    EXPECT_THROW(plan("local-tree", 100, 1, one), Problem);
    EXPECT_THROW(plan("relaunch", (std::uint64_t{1} << 31U) + 1, 4), Problem);
}

// Its header has T, its text float: bits of others are none.
TEST(Plan, ATextThatNamesItsTypesTakesNoOthers) {
    const Kernel kernel = parse_kernel(
        "k.cl",
        "/* title:    k\n * chapter:  U 1\n * origin:   k\n * teaches:  k\n * entry:    k\n"
        " * plan:     once\n * args:     in: const T[n] = input, out: T[1] = 0\n * global:   n\n"
        " * local:    group\n * result:   out\n * depth:    n\n * legal:    floating\n"
        " * expect:   correct\n */\n"
        "kernel void k(global const float* in, global float* out) { out[0] = in[0]; }\n");
    const auto with = [&](Type type) {
        Shape shape;
        shape.type = type;
        shape.group = 4;
        return plan_job(kernel, shape, 4, {2, 256, true});  // as for a device
    };
    EXPECT_EQ(with(Type::float_).launches.size(), 1U);
    try {
        with(Type::double_);
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.what_happened, HasSubstr("cannot reduce double like this"));
        EXPECT_EQ(problem.why, "Its argument 'in' is a global const float*");
    }
}

TEST(Plan, AHeaderSaysWhatTheKernelTakes) {
    const auto why = [](const char* args, const char* depth) -> std::string {
        const Kernel kernel = parse_kernel(
            "k.cl",
            fmt::format(
                "/* title:    k\n * chapter:  U 1\n * origin:   k\n * teaches:  k\n"
                " * entry:    k\n * plan:     once\n * args:     {}\n * global:   n\n"
                " * local:    group\n * result:   out\n * depth:    {}\n"
                " * expect:   correct\n */\n"
                "kernel void k(global const T* in, uint n, global T* out) {{ out[0] = in[0]; "
                "}}\n",
                args, depth));
        Shape shape;
        shape.group = 4;
        try {
            (void)plan_job(kernel, shape, 4, {2, 256, true}, compile(kernel, shape));
        } catch (const Problem& problem) {
            return problem.what_happened + ": " + problem.why;
        }
        return {};
    };
    const std::string in = "in: const T[n] = input, ", out = ", out: T[1] = identity";
    EXPECT_EQ(why((in + "n: uint" + out).c_str(), "n - 4"), "");
    EXPECT_THAT(why((in + "n: float = n" + out).c_str(), "n"),
                HasSubstr("has 'n' as float, the kernel as uint"));
    EXPECT_THAT(why((in + "n: uint = 5000000000" + out).c_str(), "n"),
                HasSubstr("gives 5000000000 for 'n': It does not fit the type uint"));
    EXPECT_THAT(why((in + "n: uint = n - 5" + out).c_str(), "n"), HasSubstr("gives -1 for 'n'"));
    EXPECT_THAT(why((in + "n: uint" + out).c_str(), "n - 5"), HasSubstr("'depth' gives -1"));
}

TEST(Plan, RefusesUnknownTogglesAndValues) {
    Shape shape;
    shape.set["BARIER"] = "on";
    EXPECT_THROW(plan("local-tree", 8, 4, shape), Problem);
    shape.set = {{"BARRIER_LOAD", "maybe"}};
    EXPECT_THROW(plan("local-tree", 8, 4, shape), Problem);
}

TEST(Plan, ExpectationsFollowTheShape) {
    Shape barrier;
    barrier.set["BARRIER"] = "group";
    EXPECT_EQ(plan("span-modulo", 8, 4, barrier).expect, Expect::races);
    EXPECT_EQ(plan("span-modulo", 8, 8, barrier).expect, Expect::correct);
    EXPECT_EQ(plan("span-modulo", 8, 8).expect, Expect::races);
    const Job part = plan("one-pass", 9, 4);
    EXPECT_EQ(part.expect, Expect::partial);
    EXPECT_EQ(part.every, 2U);
}

TEST(Plan, TakesTheGroupThatSuitsWhereNoneIsAsked) {
    const auto group_of = [](const char* id, std::uint64_t n, const Target& target) {
        return plan_job(shipped().find(id), {}, n, target).group;
    };
    EXPECT_EQ(group_of("local-tree", 1000, {2, 4096, true}), 256U);
    EXPECT_EQ(group_of("local-tree", 1000, {2, 64, false}), 64U);
    EXPECT_EQ(group_of("block-local", 1000, {2, 4096, true}), 512U);
    EXPECT_EQ(group_of("tile", 1000, {2, 4096, true}), 1U);
    EXPECT_EQ(group_of("tile", 1000, {132, 1024, false}), 256U);
    EXPECT_EQ(group_of("tile", 1000, {132, 1024, false, 128}), 128U);
    EXPECT_EQ(group_of("local-tree", 1000, {132, 1024, false, 64}), 64U);
    EXPECT_EQ(small_shape(shipped().find("local-tree"), {}, 8, {}).group, 4U);
    EXPECT_EQ(small_shape(shipped().find("ladder-5-unrolled"), {}, 8, {}).group, 0U);
    // Of one group alone, of more than four.
    Kernel whole = shipped().find("block-local");
    const std::vector<std::string> known{"n", "group"};
    whole.plan.legal.push_back(
        {Expression("n == group && group > 4", known), "n == group && group > 4"});
    EXPECT_EQ(small_shape(whole, {}, 8, {}).group, 8U);
    EXPECT_EQ(small_shape(whole, {}, 4, {}).group, 0U);
}

TEST(Plan, TileTakesLittleBesideItsInput) {
    Shape shape;
    shape.type = Type::double_;
    shape.set["PER_UNIT"] = "64";
    for (const Target& target : {Target{192, 1024, false}, Target{256, 4096, true}}) {
        const Job plan = plan_job(shipped().find("tile"), shape, std::uint64_t{1} << 33U, target);
        std::uint64_t bytes = 0;
        for (const Buffer& buffer : plan.buffers)
            if (!buffer.takes_elements) bytes += buffer.bytes;
        EXPECT_GT(bytes, 0U);
        EXPECT_LE(bytes, std::uint64_t{1} << 20U);
    }
}

// And adds the number of groups to them, which must not wrap either.
TEST(Plan, TileNumbersItsTilesIn32Bits) {
    Shape shape;
    shape.group = 1;
    shape.set = {{"K", "1"}, {"WIDE", "4"}};
    const std::uint64_t most = std::uint64_t{1} << 33U;
    EXPECT_NO_THROW(plan_job(shipped().find("tile"), shape, most - 1, {2, 4096, true}));
    EXPECT_THROW(plan_job(shipped().find("tile"), shape, most, {2, 4096, true}), Problem);
}

TEST(Plan, NamesTheLegalN) {
    try {
        plan("block-local", 100, 4);
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.why, HasSubstr("n <= 2 * group"));
    }
    Shape product;
    product.op = Op::product;
    EXPECT_THROW(plan("subgroup", 100, 4, product), Problem);
}

TEST(Plan, IteratesWithABufferThatTellsOfSpins) {
    const Job result = plan("sync-flags", 64, 16);
    EXPECT_EQ(result.rounds, 8U);
    ASSERT_TRUE(result.stuck.has_value());
    EXPECT_EQ(result.buffers[*result.stuck].name, "stuck");
    EXPECT_EQ(plan("single-pass", 64, 16).buffers[2].once, true);
}

TEST(Plan, TakesElementsBeyondFourGigabytes) {
    const std::uint64_t n = (std::uint64_t{1} << 33U) + 5;
    for (const Kernel& variant : shipped().variants) {
        Job plan;
        try {
            plan = plan_job(variant, {}, n, {132, 1024, false});
        } catch (const Problem& problem) {
            EXPECT_THAT(problem.why, HasSubstr("n <= ")) << variant.id;
            continue;
        }
        EXPECT_EQ(plan.buffers[0].cells(), n) << variant.id;
    }
}

// A kernel by a header and the same by a form come to the same buffers, arguments and sizes.
TEST(Plan, AFormComesToTheJobOfAHeader) {
    Shape shape;
    shape.input = parse_input("7,1,6,8,5,6,7,1");
    shape.group = 4;
    shape.set = {{"ITEMS", "1"}};
    const Kernel& kernel = shipped().find("local-tree");
    Job by_header = plan_job(kernel, shape, 8, {2, 256, true}, compile(kernel, shape));
    fill(by_header, make_values(shape.input, shape.type, 8));
    LaunchForm form;
    form.file = "own.cl";
    form.text = lang::expanded(text_of(kernel, shape));
    form.kernel = kernel.entry;
    form.global = 8;
    form.local = 4;
    form.arguments = {"in:int[8]=7,1,6,8,5,6,7,1", "n=8", "out:int[2]", "buf:local int[4]"};
    const Kernel own = kernel_of(form);
    std::vector<std::string> names;
    for (const ArgumentPlan& argument : kernel.plan.arguments)
        names.push_back(argument.name);
    EXPECT_THAT(names, testing::ElementsAre("in", "n", "out", "buf"));
    const Job by_form = plan_job(own, {}, 0, {2, 256, true});
    ASSERT_EQ(by_form.buffers.size(), 2U);
    EXPECT_EQ(by_form.buffers[0].initial, by_header.buffers[0].initial);
    EXPECT_TRUE(by_form.buffers[0].constant);
    EXPECT_FALSE(by_form.buffers[1].constant);
    EXPECT_EQ(by_form.launches[0].range, by_header.launches[0].range);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Argument &one = by_form.launches[0].arguments[i],
                       &other = by_header.launches[0].arguments[i];
        EXPECT_EQ(one.kind, other.kind) << i;
        EXPECT_EQ(one.bytes, other.bytes) << i;
        EXPECT_EQ(one.components, other.components) << i;
        EXPECT_EQ(one.value, other.value) << i;
    }
    EXPECT_EQ(by_form.n, by_header.n);
    EXPECT_EQ(by_form.group, by_header.group);
    EXPECT_FALSE(by_form.right);
}

TEST(KernelText, PutsWholeLinesBeforeTheFile) {
    Shape shape;
    shape.set["BARRIER_LOAD"] = "off";
    const lang::Text text = text_of(shipped().find("local-tree"), shape);
    EXPECT_THAT(text.macros, HasSubstr("#define BARRIER_LOAD 0\n"));
    EXPECT_THAT(text.macros, HasSubstr("#define ITEMS 4\n"));
    EXPECT_THAT(text.macros, HasSubstr("#define T int\n"));
    EXPECT_EQ(text.name, "kernels/local_tree.cl");
    // What lies elsewhere is none of the program's own.
    Kernel own = shipped().find("local-tree");
    own.file = "mine/local_tree.cl";
    EXPECT_EQ(text_of(own, shape).name, "mine/local_tree.cl");
}

}  // namespace
}  // namespace lab::catalogue
