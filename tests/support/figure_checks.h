// What every figure of a run has to keep, and small runs to draw: for tests.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "figures/figure_page.h"
#include "support/example_job.h"

namespace lab::figures {

inline const Fonts& test_fonts() {
    static const Fonts fonts;
    return fonts;
}

inline void expect_inside(const Scene& scene) {
    for (const Shape& shape : scene.shapes) {
        const Box box = bounds_of(shape, test_fonts());
        EXPECT_GE(box.left, 0) << shape.tip;
        EXPECT_GE(box.top, 0) << shape.tip;
        EXPECT_LE(box.right, scene.width) << shape.tip;
        EXPECT_LE(box.bottom, scene.height) << shape.tip;
    }
}

inline std::vector<std::string> texts_of(const Scene& scene) {
    std::vector<std::string> out;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape.what)) out.push_back(text->text);
    return out;
}

inline void expect_no_text_over_text(const Scene& scene) {
    struct Placed {
        Box box;
        const std::string* text;
    };
    std::vector<Placed> all;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape.what)) {
            const Placed one{test_fonts().bounds(*text), &text->text};
            for (const Placed& other : all) {
                const bool apart =
                    one.box.right <= other.box.left || other.box.right <= one.box.left ||
                    one.box.bottom <= other.box.top || other.box.bottom <= one.box.top;
                if (!apart) ADD_FAILURE() << *one.text << " and " << *other.text;
            }
            all.push_back(one);
        }
}

inline void expect_readable(const Scene& scene) {
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape.what)) {
            EXPECT_GE(text->size, 9) << text->text;
        }
    EXPECT_FALSE(scene.title.empty());
    EXPECT_FALSE(scene.description.empty());
}

inline void expect_sound(const Scene& scene) {
    expect_inside(scene);
    expect_no_text_over_text(scene);
    expect_readable(scene);
    for (const std::string& text : texts_of(scene)) {
        // A key that no language has is shown itself.
        static const std::regex key("[a-z][a-z_]*([.][a-z][a-z_]*)+");
        EXPECT_TRUE(text.ends_with(".cl") || !std::regex_match(text, key)) << text;
        EXPECT_EQ(text.find('{'), std::string::npos) << text;
    }
}

// Neighbours are summed in a tree over local memory, then over the groups' sums by atomics.
inline machine::Job tree_job(std::uint64_t n, std::uint64_t group, std::uint32_t lanes,
                             std::uint32_t resident = 2) {
    machine::Example example;
    example.text =
        "kernel void sum(global int* in, global int* out, local int* buf, uint n)\n"
        "{\n"
        "  int id = get_global_id(0), lid = get_local_id(0);\n"
        "  buf[lid] = id < n ? in[id] : 0;\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (int span = 1; span < get_local_size(0); span *= 2) {\n"
        "    if (lid % (2 * span) == 0 && lid + span < get_local_size(0))\n"
        "      buf[lid] += buf[lid + span];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  }\n"
        "  if (lid == 0) atomic_add(out, buf[0]);\n"
        "}";
    example.global = (n + group - 1) / group * group;
    example.local = group;
    std::vector<std::int32_t> values(n);
    std::iota(values.begin(), values.end(), 1);
    example.buffers = {std::move(values), {0}};
    example.local_ints = {group};
    example.numbers = {static_cast<std::int64_t>(n)};
    return machine::job_of(example, lanes, resident);
}

// The tree that no barrier holds together across groups.
inline machine::Job racing_job(std::vector<std::int32_t> values, std::uint64_t group,
                               std::uint32_t lanes) {
    machine::Example example;
    example.text =
        "kernel void sum(global int* data, uint n)\n"
        "{\n"
        "  int id = get_global_id(0);\n"
        "  for (int span = 2; span < 2 * n; span *= 2) {\n"
        "    if (id % span == 0 && id + span / 2 < n)\n"
        "      data[id] = data[id] + data[id + span / 2];\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "  }\n"
        "}";
    example.global = values.size();
    example.local = group;
    example.numbers = {static_cast<std::int64_t>(values.size())};
    example.buffers = {std::move(values)};
    return machine::job_of(example, lanes, 2);
}

inline machine::Run run_of(machine::Job job, machine::SchedulingPolicy::Kind order,
                           std::uint64_t seed = 1) {
    machine::Recording recording;
    recording.flow = true;
    return machine::play(std::move(job), machine::order_of(order, seed), recording);
}

inline RunSubject example_subject(std::uint64_t n, std::uint64_t group, std::uint32_t lanes) {
    RunSubject subject;
    subject.title = "Example";
    subject.n = n;
    subject.group = group;
    subject.op = "add";
    subject.type = "int";
    subject.machine.lanes = lanes;
    return subject;
}

// Shapes of runs for a figure to hold: few and many items, one lane and many.
struct TestShape {
    std::uint64_t n, group;
    std::uint32_t lanes;
};
inline constexpr TestShape kTestShapes[] = {
    {1, 1, 1},   {2, 2, 4},  {8, 4, 4},     {10, 5, 4},    {16, 16, 4},  {64, 16, 8},
    {64, 32, 4}, {64, 4, 1}, {100, 10, 32}, {256, 64, 32}, {1024, 8, 4}, {4096, 256, 64}};

}  // namespace lab::figures
