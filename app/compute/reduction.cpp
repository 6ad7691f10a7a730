#include "compute/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace lab::compute {
namespace {

using Fill = Argument::Fill;

std::span<const std::byte> span_of(const Values& values) {
    return {static_cast<const std::byte*>(bytes_of(values)),
            count_of(values) * info(type_of(values)).bytes};
}

void check_group(const Device& device, const Launch& launch) {
    if (launch.local > device.info.max_group)
        throw Problem(fmt::format("The group of {} work-items is too large", launch.local),
                      fmt::format("{} runs at most {}", device.info.name, device.info.max_group),
                      "Choose a smaller group", "--group");
}

}  // namespace

Elements elements_of(const Values& input, const Values& identity) {
    return {info(type_of(input)).bytes, span_of(input), span_of(identity)};
}

Reduction::Reduction(const Device& device, const Program& program, const Plan& plan,
                     const Elements& elements)
    : device_(device),
      kernel_(program.kernel),
      plan_(plan),
      element_bytes_(elements.bytes),
      identity_(elements.identity.begin(), elements.identity.end()),
      result_(identity_) {
    for (const Launch& launch : plan.launches)
        check_group(device, launch);
    guarded("Making the buffers", device.info.name, [&] {
        if (elements.input.empty()) return;
        input_ = cl::Buffer(device_.context, CL_MEM_READ_WRITE, elements.input.size());
        device_.queue.enqueueWriteBuffer(input_, CL_TRUE, 0, elements.input.size(),
                                         elements.input.data());
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const std::size_t size = size_of(i);
            if (size > device_.info.largest_buffer)
                throw Problem(fmt::format("The buffer '{}' of {} bytes is too large",
                                          plan_.buffers[i].name, size),
                              fmt::format("{} takes at most {} bytes a buffer", device_.info.name,
                                          device_.info.largest_buffer),
                              "Choose a smaller n", "--n");
            // No second copy of the elements where no launch writes them.
            const bool shared = plan_.buffers[i].fill == Fill::input && plan_.buffers[i].constant;
            buffers_.push_back(shared ? input_
                                      : cl::Buffer(device_.context, CL_MEM_READ_WRITE, size));
        }
    });
    reset();
}

std::size_t Reduction::bytes_of(const std::optional<Type>& type) const {
    return type ? info(*type).bytes : element_bytes_;
}

std::size_t Reduction::size_of(std::size_t buffer) const {
    return plan_.buffers[buffer].count * bytes_of(plan_.buffers[buffer].type);
}

void Reduction::reset() {
    guarded("Filling the buffers", device_.info.name, [&] {
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            fill(i);
        device_.queue.finish();
    });
}

void Reduction::fill(std::size_t buffer) {
    const PlannedBuffer& planned = plan_.buffers[buffer];
    std::vector<std::byte> pattern;
    switch (planned.fill) {
        case Fill::none:
        case Fill::values:
            return;
        case Fill::input:
            if (buffers_[buffer]() != input_())
                device_.queue.enqueueCopyBuffer(input_, buffers_[buffer], 0, 0, size_of(buffer));
            return;
        case Fill::identity:
            pattern = identity_;
            break;
        case Fill::number: {
            if (!planned.type)
                throw Problem(fmt::format("The buffer '{}' cannot be filled", planned.name),
                              "A buffer of T takes input or identity", "Mend args in the header");
            const Values number = one_value(*planned.type, planned.number);
            const auto bytes = span_of(number);
            pattern.assign(bytes.begin(), bytes.end());
            break;
        }
    }
    std::vector<std::byte> bytes(size_of(buffer));
    for (std::size_t at = 0; at < bytes.size(); at += pattern.size())
        std::copy(pattern.begin(), pattern.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    device_.queue.enqueueWriteBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(), bytes.data());
}

void Reduction::write(std::size_t buffer, std::span<const std::byte> bytes) {
    guarded("Writing a buffer", device_.info.name, [&] {
        device_.queue.enqueueWriteBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(), bytes.data());
    });
}

std::vector<std::byte> Reduction::read(std::size_t buffer, std::uint64_t elements) const {
    return guarded("Reading a buffer back", device_.info.name, [&] {
        std::vector<std::byte> bytes(elements * bytes_of(plan_.buffers[buffer].type));
        if (!bytes.empty())
            device_.queue.enqueueReadBuffer(buffers_[buffer], CL_TRUE, 0, bytes.size(),
                                            bytes.data());
        return bytes;
    });
}

void Reduction::bind(cl_uint index, const PlannedArgument& argument) {
    switch (argument.kind) {
        case Argument::Kind::buffer:
            kernel_.setArg(index, buffers_[argument.buffer]);
            break;
        case Argument::Kind::local:
            kernel_.setArg(index, cl::Local(argument.count * bytes_of(argument.type)));
            break;
        case Argument::Kind::scalar: {
            const Values value = one_value(argument.type.value_or(Type::int_), argument.value);
            kernel_.setArg(index, info(type_of(value)).bytes, lab::bytes_of(value));
            break;
        }
    }
}

cl::Event Reduction::enqueue(const Launch& launch) {
    for (std::size_t i = 0; i < launch.arguments.size(); ++i)
        bind(static_cast<cl_uint>(i), launch.arguments[i]);
    cl::Event event;
    device_.queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(launch.global),
                                       cl::NDRange(launch.local), nullptr, &event);
    return event;
}

void Reduction::launch(std::size_t launch) {
    guarded("Running the kernel", device_.info.name,
            [&] { enqueue(plan_.launches[launch]).wait(); });
}

Times Reduction::run() {
    return guarded("Running the kernel", device_.info.name, [&] {
        const auto before = std::chrono::steady_clock::now();
        std::vector<cl::Event> events;
        events.reserve(plan_.launches.size());
        for (const Launch& launch : plan_.launches)
            events.push_back(enqueue(launch));
        if (plan_.result)
            device_.queue.enqueueReadBuffer(buffers_[*plan_.result], CL_TRUE, 0, result_.size(),
                                            result_.data());
        const std::chrono::duration<double, std::milli> wall =
            std::chrono::steady_clock::now() - before;
        Times times;
        times.wall_ms = wall.count();
        if (!events.empty()) {
            const auto start = events.front().getProfilingInfo<CL_PROFILING_COMMAND_START>();
            const auto end = events.back().getProfilingInfo<CL_PROFILING_COMMAND_END>();
            times.device_ms = static_cast<double>(end - start) * 1e-6;
        }
        return times;
    });
}

}  // namespace lab::compute
