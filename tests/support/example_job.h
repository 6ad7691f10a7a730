// Small jobs of the simulator, for tests.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/compile.h"
#include "machine/run.h"

namespace lab::machine {

// One launch of the text's only kernel. Buffers are ints; an empty list is one of `unwritten` ints
// that nobody has written.
struct Example {
    std::string text;
    std::uint64_t global = 4, local = 4;
    std::vector<std::vector<std::int32_t>> buffers;
    std::uint64_t unwritten = 4;
    std::vector<std::uint64_t> local_ints = {};  // of each local argument, after the buffers
    std::vector<std::int64_t> numbers = {};      // of each scalar argument, after those
    std::string macros = {};
    std::optional<NDRange> range = {};  // in place of global and local
};

inline Job job_of(const Example& example, std::uint32_t lanes = 4, std::uint32_t resident = 0) {
    Job job;
    job.config.lanes = lanes;
    job.config.resident = resident;
    Launch launch;
    launch.code = std::make_shared<const lang::Code>(
        *lang::compile_or_throw({"example.cl", example.text, example.macros}).code);
    launch.range = example.range.value_or(NDRange(example.global, example.local));
    for (const auto& ints : example.buffers) {
        Argument argument;
        argument.kind = Argument::Kind::buffer;
        argument.buffer = job.buffers.size();
        launch.arguments.push_back(argument);
        const std::uint64_t count = ints.empty() ? example.unwritten : ints.size();
        Buffer buffer;
        buffer.name = "buffer" + std::to_string(job.buffers.size());
        buffer.bytes = count * 4;
        buffer.initial.resize(ints.size() * 4);
        if (!ints.empty()) std::memcpy(buffer.initial.data(), ints.data(), ints.size() * 4);
        buffer.is_input = true;
        job.buffers.push_back(std::move(buffer));
    }
    for (const std::uint64_t count : example.local_ints) {
        Argument argument;
        argument.kind = Argument::Kind::local;
        argument.bytes = count * 4;
        launch.arguments.push_back(argument);
    }
    for (const std::int64_t number : example.numbers) {
        Argument argument;
        argument.components = {static_cast<std::uint64_t>(number)};
        launch.arguments.push_back(argument);
    }
    job.launches.push_back(std::move(launch));
    return job;
}

inline SchedulingPolicy order_of(SchedulingPolicy::Kind kind, std::uint64_t seed = 0) {
    SchedulingPolicy order;
    order.kind = kind;
    order.seed = seed;
    return order;
}

// Tests have a Run of their own, which hides ours.
inline Run play(Job job, SchedulingPolicy order, const Recording& recording = {}) {
    return Run(std::move(job), std::move(order), recording);
}

inline std::vector<std::int32_t> ints_of(const Machine& machine, const State& state,
                                         std::size_t buffer) {
    const std::vector<std::byte> bytes = machine.bytes(state, buffer);
    std::vector<std::int32_t> numbers(bytes.size() / 4);
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}
inline std::vector<std::int32_t> ints_of(const Run& run, std::size_t buffer) {
    return ints_of(run.machine(), run.end(), buffer);
}

}  // namespace lab::machine
