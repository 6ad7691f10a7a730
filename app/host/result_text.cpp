// What run() does once all is launched.
#include <fmt/format.h>

#include "host/cpp_expression.h"
#include "host/run_text.h"

namespace lab::host {
namespace {

using catalogue::Expect;
using catalogue::PlanKind;

bool many_launches(const catalogue::Variant& variant) {
    return variant.plan == PlanKind::partials || variant.plan == PlanKind::per_pass;
}

// Of floats, how far apart the two may be, as a part of all that was combined. A product rounds at
// each of its factors, whatever the order.
const char* tolerance(const catalogue::Shape& shape) {
    if (shape.type == catalogue::Type::double_) return "1e-12";
    return shape.op == catalogue::Op::product ? "1e-3" : "1e-4";
}

// Before its result is looked at: whether the kernel came to its end.
void add_stuck(CppLines& lines, const catalogue::Variant& variant) {
    if (variant.stuck.empty()) return;
    lines.add(1, "cl_uint gave_up = 0;");
    lines.add(1, fmt::format("queue.enqueueReadBuffer({}, CL_TRUE, 0, sizeof(gave_up), &gave_up);",
                             variable_of(variant.stuck)));
    lines.add(1, "if (gave_up) {");
    lines.add(2, "std::cerr << \"It gave up: its groups do not run at once here\\n\";");
    lines.add(2, "return 3;");
    lines.add(1, "}");
}

// All cells of the ring are equal at the end.
void add_ring(CppLines& lines, const LaunchFacts& facts, const std::string& buffer) {
    const bool wide = wide_type(facts.shape) != "T";
    lines.add(1, fmt::format("std::vector<T> {}_read(n);", buffer));
    lines.add(1, fmt::format("queue.enqueueReadBuffer({0}, CL_TRUE, 0, n * sizeof(T), "
                             "{0}_read.data());",
                             buffer));
    lines.add_empty();
    lines.add(1, "// In each round a cell becomes itself and the two after it, combined.");
    lines.add(1, "T expected = 1;");
    lines.add(1, fmt::format("for (int64_t round = 0; round < {}; ++round)",
                             cpp_text(facts.variant.rounds, facts.numbers, 5)));
    lines.add(2, wide ? "expected = T(combine(expected, T(combine(expected, expected))));"
                      : "expected = combine(expected, combine(expected, expected));");
    lines.add(1, "T result = expected;");
    lines.add(1, fmt::format("for (const T cell : {}_read)", buffer));
    lines.add(2, "if (cell != expected) result = cell;");
    lines.add(1, "const bool right = result == expected;");
}

// The first cell, or all parts together.
void add_read(CppLines& lines, const LaunchFacts& facts, const std::string& buffer,
              std::uint64_t every) {
    if (facts.variant.expect.kind != Expect::partial) {
        lines.add(1, "T result = identity;");
        lines.add(
            1, fmt::format("queue.enqueueReadBuffer({}, CL_TRUE, 0, sizeof(T), &result);", buffer));
        return;
    }
    lines.add(1, "std::vector<T> parts(n);");
    lines.add(1, fmt::format("queue.enqueueReadBuffer({}, CL_TRUE, 0, n * sizeof(T), "
                             "parts.data());",
                             buffer));
    lines.add(1, fmt::format("{} result = identity;  // the host combines the parts",
                             wide_type(facts.shape)));
    lines.add(1, fmt::format("for (int64_t i = 0; i < n; i += {})", every));
    lines.add(2, "result = combine(result, parts[i]);");
}

void add_expected(CppLines& lines, const LaunchFacts& facts) {
    const std::string wide = wide_type(facts.shape);
    lines.add_empty();
    if (!rounds(facts.shape)) {
        lines.add(1, "T expected = identity;");
        lines.add(1, "for (const T element : input) expected = combine(expected, element);");
        lines.add(1, "const bool right = result == expected;");
        return;
    }
    const bool sum = facts.shape.op == catalogue::Op::add;
    lines.add(1, fmt::format("{} expected = identity{};", wide, sum ? ", magnitude = 0" : ""));
    lines.add(1, "for (const T element : input) {");
    lines.add(2, "expected = combine(expected, element);");
    if (sum) lines.add(2, "magnitude += std::abs(element);");
    lines.add(1, "}");
    lines.add(1, "// Floats round, and each order of combining them rounds differently.");
    lines.add(1, fmt::format("const bool right = result == expected || std::abs(result - expected) "
                             "<= {} * {};",
                             tolerance(facts.shape), sum ? "magnitude" : "std::abs(expected)"));
}

void add_time(CppLines& lines, const catalogue::Variant& variant) {
    lines.add_empty();
    lines.add(1, "// By the device's clock, in nanoseconds; the first launch is the slowest.");
    if (!many_launches(variant)) {
        lines.add(1,
                  "const double time = event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - "
                  "event.getProfilingInfo<CL_PROFILING_COMMAND_START>();");
        return;
    }
    lines.add(1, "double time = 0;");
    lines.add(1, "if (!events.empty())");
    lines.add(2,
              "time = events.back().getProfilingInfo<CL_PROFILING_COMMAND_END>() - "
              "events.front().getProfilingInfo<CL_PROFILING_COMMAND_START>();");
}

}  // namespace

void add_result(CppLines& lines, const LaunchFacts& facts, std::uint64_t every) {
    const catalogue::Variant& variant = facts.variant;
    const bool iterates = variant.plan == PlanKind::iterate;
    lines.add_empty();
    lines.add(1, "doing = \"reading the result\";");
    add_stuck(lines, variant);
    // The last launch's result is what the next one would read.
    std::string buffer = variant.result;
    for (const catalogue::Argument& argument : variant.arguments)
        if (argument.fill == catalogue::Argument::Fill::values) buffer = argument.name;
    buffer = variable_of(buffer);
    if (iterates) {
        add_ring(lines, facts, buffer);
    } else {
        add_read(lines, facts, buffer, every);
        add_expected(lines, facts);
    }
    add_time(lines, variant);
    lines.add_empty();
    if (info(facts.shape.type).floating)
        lines.add(1, fmt::format("std::cout << std::setprecision({});",
                                 facts.shape.type == catalogue::Type::float_ ? 9 : 17));
    lines.add(
        1, "std::cout << \"result    \" << result << (right ? \", right\\n\" : \", WRONG\\n\");");
    lines.add(1, "std::cout << \"expected  \" << expected << \"\\n\";");
    if (many_launches(variant))
        lines.add(1, "std::cout << \"launches  \" << events.size() << \"\\n\";");
    if (info(facts.shape.type).floating) lines.add(1, "std::cout << std::setprecision(6);");
    lines.add(1, iterates ? "std::cout << \"time      \" << time / 1e3 << \" us\\n\";"
                          : "std::cout << \"time      \" << time / 1e3 << \" us, \" << "
                            "input.size() * sizeof(T) / time << \" GB/s\\n\";");
    lines.add(1, "return right ? 0 : 1;");
}

}  // namespace lab::host
