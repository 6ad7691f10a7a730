// Step tables of small runs of the machine, to draw in tests.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>

#include "analysis/rows.h"
#include "support/example_job.h"
#include "support/example_passes.h"

namespace lab::figures {

inline machine::Example span_kernel(std::vector<std::int32_t> values, std::uint64_t group) {
    const std::size_t n = values.size();
    return {fmt::format("kernel void k(global int* x) {{\n    const uint id = get_global_id(0);\n"
                        "    for (uint span = 2; span <= {}; span *= 2) {{\n"
                        "        if (id % span == 0 && id + span / 2 < {})\n"
                        "            x[id] = x[id] + x[id + span / 2];\n"
                        "        barrier(CLK_GLOBAL_MEM_FENCE);\n    }}\n}}\n",
                        2 * n, n),
            (n + group - 1) / group * group,
            group,
            {std::move(values)}};
}

// Two values an item, a tree in local memory, one result a group.
inline machine::Example local_kernel(std::size_t n, std::uint64_t group) {
    std::vector<std::int32_t> values(n);
    std::iota(values.begin(), values.end(), 1);
    machine::Example example{
        "kernel void k(global const int* in, global int* out, local int* buf) {\n"
        "    const uint lid = get_local_id(0), L = get_local_size(0);\n"
        "    const uint i = get_group_id(0) * 2 * L + lid;\n"
        "    buf[lid] = in[i] + in[i + L];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    for (uint s = L / 2; s > 0; s /= 2) {\n"
        "        if (lid < s) buf[lid] = buf[lid] + buf[lid + s];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n"
        "    if (lid == 0) out[get_group_id(0)] = buf[0];\n}\n",
        n / 2,
        group,
        {std::move(values), std::vector<std::int32_t>(n / 2 / group, 0)}};
    example.local_ints = {group};
    return example;
}

// The run's rows, with what comes out held against the sum of the first buffer.
inline analysis::StepTable run_passes(const machine::Example& example,
                                      machine::SchedulingPolicy order, std::uint32_t lanes = 1) {
    const auto run = play(machine::job_of(example, lanes), std::move(order));
    analysis::StepTable table;
    table.variant = table.title = "example";
    table.op = "add";
    table.type = "int";
    table.n = example.buffers[0].size();
    table.group = example.local;
    table.source = "machine";
    table.rows = analysis::stale_rows(run, 0);
    const std::int64_t sum =
        std::accumulate(example.buffers[0].begin(), example.buffers[0].end(), std::int64_t{0});
    table.expected = std::to_string(sum);
    std::int64_t all = 0;
    const auto& last = table.rows.back().cells;
    for (const analysis::Cell& cell : last)
        all += std::stoll(text_of(cell.value));
    table.parts = last.size() != table.n && last.size() > 1;
    table.result = table.parts ? std::to_string(all) : text_of(last[0].value);
    table.right = table.result == table.expected;
    return table;
}

// Document A's eight values in two groups, in the order in which the first group runs ahead.
inline analysis::StepTable broken_eight() {
    return run_passes(span_kernel({7, 1, 6, 8, 5, 6, 7, 1}, 4),
                      machine::order_of(machine::SchedulingPolicy::Kind::in_order));
}

}  // namespace lab::figures
