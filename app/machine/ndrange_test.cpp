// Launches of one, two and three dimensions: who each work-item is, and what they are called.
#include <gmock/gmock.h>

#include "support/example_job.h"

namespace lab::machine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kAsks =
    "kernel void f(global int* out, int d) {\n"
    "  uint i = get_local_linear_id() +\n"
    "           get_local_size(0) * get_local_size(1) * get_local_size(2) *\n"
    "               (get_group_id(0) + get_num_groups(0) *\n"
    "                   (get_group_id(1) + get_num_groups(1) * get_group_id(2)));\n"
    "  global int* to = out + i * 16;\n"
    "  to[0] = get_work_dim();\n"
    "  to[1] = get_global_id(0); to[2] = get_global_id(1); to[3] = get_global_id(2);\n"
    "  to[4] = get_local_id(0); to[5] = get_local_id(1); to[6] = get_local_id(2);\n"
    "  to[7] = get_group_id(d); to[8] = get_global_size(d); to[9] = get_local_size(d);\n"
    "  to[10] = get_num_groups(d); to[11] = get_global_offset(d);\n"
    "  to[12] = get_enqueued_local_size(d); to[13] = get_global_linear_id();\n"
    "  to[14] = get_global_id(d); to[15] = get_local_id(d);\n"
    "}";

std::vector<std::int32_t> asked(const NDRange& range, int dimension, std::uint32_t lanes) {
    Example example;
    example.text = kAsks;
    example.range = range;
    example.buffers = {{}};
    example.unwritten = range.items() * 16;
    example.numbers = {dimension};
    const Run run = play(job_of(example, lanes), order_of(SchedulingPolicy::Kind::round_robin));
    EXPECT_FALSE(run.fault()) << run.fault()->what;
    return ints_of(run, 0);
}

// By the definitions of the specification, from the coordinates of each work-item.
std::vector<std::int32_t> told(const NDRange& range, unsigned dimension) {
    std::vector<std::int32_t> all(range.items() * 16);
    const Coordinates groups = range.num_groups();
    const auto linear = [](const Coordinates& id, const Coordinates& sizes) {
        return (id[2] * sizes[1] + id[1]) * sizes[0] + id[0];
    };
    for (std::uint64_t z = 0; z < range.global[2]; ++z)
        for (std::uint64_t y = 0; y < range.global[1]; ++y)
            for (std::uint64_t x = 0; x < range.global[0]; ++x) {
                const Coordinates from_start{x, y, z};
                Coordinates global{}, local{}, group{};
                for (unsigned i = 0; i < 3; ++i) {
                    global[i] = range.offset[i] + from_start[i];
                    local[i] = from_start[i] % range.local[i];
                    group[i] = from_start[i] / range.local[i];
                }
                const bool there = dimension < 3;
                const auto in = [&](const Coordinates& of, std::uint64_t beyond) {
                    return there ? of[dimension] : beyond;
                };
                const Coordinates& sizes = range.local;
                std::int32_t* to = all.data() + 16 * (linear(group, groups) * range.group_items() +
                                                      linear(local, sizes));
                for (const std::uint64_t value :
                     {std::uint64_t{range.dims}, global[0], global[1], global[2], local[0],
                      local[1], local[2], in(group, 0), in(range.global, 1), in(range.local, 1),
                      in(groups, 1), in(range.offset, 0), in(range.local, 1),
                      linear(from_start, range.global), in(global, 0), in(local, 0)})
                    *to++ = static_cast<std::int32_t>(value);
            }
    return all;
}

// OpenCL C 3.0, 6.15.1: sizes are 1 and ids and offsets 0 in a dimension that there is not, whether
// it is known to the compiler or not.
TEST(NDRange, DimensionsOutOfRangeAreOneWide) {
    for (const char* dimension : {"3", "4u", "7", "-1", "4294967295u", "d", "d + 1", "~d"}) {
        Example example;
        example.text = std::string("#define D ") + dimension +
                       "\nkernel void f(global int* out, int d) {\n"
                       "  out[0] = get_global_size(D); out[1] = get_local_size(D);\n"
                       "  out[2] = get_num_groups(D); out[3] = get_enqueued_local_size(D);\n"
                       "  out[4] = get_global_id(D); out[5] = get_local_id(D);\n"
                       "  out[6] = get_group_id(D); out[7] = get_global_offset(D);\n"
                       "}";
        example.range = {3, {4, 2, 6}, {2, 1, 3}, {5, 9, 1}};
        example.buffers = {{}};
        example.unwritten = 8;
        example.numbers = {3};
        const machine::Run run =
            play(job_of(example, 4), order_of(SchedulingPolicy::Kind::round_robin));
        ASSERT_FALSE(run.fault()) << run.fault()->what;
        EXPECT_THAT(ints_of(run, 0), ElementsAre(1, 1, 1, 1, 0, 0, 0, 0)) << dimension;
    }
}

TEST(NDRange, EachWorkItemKnowsItsPlaceInEveryDimension) {
    const NDRange ranges[] = {
        {12, 4},
        {1, {12, 1, 1}, {4, 1, 1}, {7, 0, 0}},
        {2, {6, 4, 1}, {3, 2, 1}},
        {2, {8, 3, 1}, {2, 3, 1}, {5, 1, 0}},
        {2, {1, 5, 1}, {1, 5, 1}},
        {3, {4, 2, 6}, {2, 1, 3}, {0, 9, 1}},
    };
    for (const NDRange& range : ranges)
        for (const std::uint32_t lanes : {1U, 4U, 32U})
            for (const int dimension : {0, 1, 2, 3})
                EXPECT_EQ(asked(range, dimension, lanes),
                          told(range, static_cast<unsigned>(dimension)))
                    << text_of(range) << ", lanes " << lanes << ", dimension " << dimension;
}

std::string refusal(const std::string& text, const NDRange& range) {
    Example example;
    example.text = text;
    example.range = range;
    example.buffers = {{0}};
    try {
        play(job_of(example), order_of(SchedulingPolicy::Kind::in_order));
    } catch (const Problem& problem) {
        return problem.text();
    }
    return "";
}

TEST(NDRange, SizesThatDoNotFitSayInWhichDimension) {
    const std::string text = "kernel void f(global int* a) { a[0] = 1; }";
    EXPECT_THAT(refusal(text, {2, {8, 6, 1}, {4, 4, 1}}),
                testing::AllOf(HasSubstr("8x6 work-items in groups of 4x4"),
                               HasSubstr("In y, 6 is no multiple of 4")));
    EXPECT_THAT(refusal(text, {2, {8, 0, 1}, {4, 4, 1}}), HasSubstr("In y a size is 0"));
    EXPECT_THAT(refusal(text, {2, {64, 64, 1}, {64, 32, 1}}),
                HasSubstr("A group of 64x32 work-items is too large"));
    const std::uint64_t large = std::uint64_t{1} << 32U;
    EXPECT_THAT(refusal(text, {2, {large, large, 1}, {1, 1, 1}}),
                HasSubstr("2147483648 work-items at most"));
    const std::string required =
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void f(global int* a) { a[0] = 1; }";
    EXPECT_THAT(refusal(required, {16, 8}), HasSubstr("wants groups of 4x2"));
    EXPECT_THAT(refusal(required, {2, {8, 8, 1}, {2, 4, 1}}), HasSubstr("wants groups of 4x2"));
    EXPECT_EQ(refusal("kernel __attribute__((reqd_work_group_size(1, 1, 1))) void f(global int* a) "
                      "{ a[0] = 1; }",
                      {2, {1, 1, 1}, {1, 1, 1}}),
              "");
}

TEST(NDRange, WorkItemsAndGroupsAreNamedByTheirCoordinates) {
    Example example;
    example.text =
        "kernel void f(global int* a) {\n"
        "  int x = get_global_id(0), y = get_global_id(1);\n"
        "  a[y * 4 + x + (x == 3 && y == 2 ? 100 : 0)] = 1;\n"
        "}";
    example.range = NDRange(2, {4, 4, 1}, {2, 2, 1});
    example.buffers = {{}};
    example.unwritten = 16;
    const auto run = play(job_of(example, 1), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(run.fault());
    EXPECT_EQ(run.fault()->what, "Work-item (3,2) writes a[111], which does not exist");
    EXPECT_EQ(run.fault()->phrases.what.arguments.at("item"), "(3,2)");

    example.text =
        "kernel void f(global int* a) {\n"
        "  if (get_global_id(1) == 3) return;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "}";
    const auto apart = play(job_of(example, 4), order_of(SchedulingPolicy::Kind::in_order));
    ASSERT_TRUE(apart.fault());
    EXPECT_THAT(apart.fault()->what, HasSubstr("work-items of group (0,1) come"));
    EXPECT_THAT(apart.fault()->why, HasSubstr("work-items (0,2) and (1,2) came"));
}

}  // namespace
}  // namespace lab::machine
